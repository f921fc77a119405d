/** Rules for findings at a place: what they accept, when they end, and what reports say of both. */
import { describe, expect, test } from 'vitest';
import { asValidation } from '../support/documents.ts';
import { createTestProject } from '../support/harness.ts';
import { asset, config } from './accounts.ts';

/** Two playlists that mix codecs, which is an error. */
const MIXED = config({
  assets: { avc: { id: asset(1), codec: 'AVC' }, hevc: { id: asset(2), codec: 'HEVC' } },
  playlists: { a: { playlist: [{ beam: 'avc' }, { beam: 'hevc' }] }, b: { playlist: [{ beam: 'avc' }, { beam: 'hevc' }] } },
});

const NOW = Date.parse('2096-11-01T12:00:00Z');

const accepting = (...entries: readonly string[]) => ({
  rules: `rules: [${entries.map((entry) => `{ code: mixed-codec, severity: "off", ${entry} }`).join(', ')}]`,
});

describe('a finding that a rule accepts at its place', () => {
  test('is counted by its code and not listed, and the others stay', async () => {
    const project = await createTestProject(MIXED, accepting('address: playlist/a, why: test streams'));
    const validated = await project.run('validate', '--format', 'json');
    const { findings, accepted } = asValidation(JSON.parse(validated.stdout));
    expect([validated.code, accepted]).toEqual([8, { 'mixed-codec': 1 }]);
    expect(findings).toMatchObject([{ severity: 'error', code: 'mixed-codec', address: 'playlist/b' }]);
    expect((await project.refused('plan')).document).toMatchObject({
      accepted: { 'mixed-codec': 1 },
      findings: [{ address: 'playlist/b' }],
    });
  });

  test('is in no way of a plan, whose report counts it', async () => {
    const project = await createTestProject(MIXED, accepting('address: playlist/*'));
    expect((await project.plan()).document).toMatchObject({ findings: [], accepted: { 'mixed-codec': 2 } });
    for (const command of ['plan', 'validate'])
      expect((await project.run(command)).stdout).toContain('2 accepted findings: mixed-codec (2).');
  });

  test('is reported again when the day of the rule is over, with the rule', async () => {
    const project = await createTestProject(
      MIXED,
      accepting('address: playlist/a, until: 2096-10-31', 'address: playlist/b, until: 2096-11-01'),
    );
    const { stdout } = await project.runWith({ now: () => NOW }, 'validate', '--format', 'json');
    expect(JSON.parse(stdout)).toMatchObject({
      accepted: { 'mixed-codec': 1 },
      findings: [
        { severity: 'error', code: 'mixed-codec', address: 'playlist/a' },
        { severity: 'warning', code: 'unused-rule', file: 'upkeep.yaml', line: 2 },
      ],
    });
  });
});
