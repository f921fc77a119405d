/** Rules for findings at a place: what they accept, when they end, and what reports say of both. */
import { describe, expect, test } from 'vitest';
import type { Finding } from '../../src/core/model/finding.ts';
import { asPlan, asValidation } from '../support/documents.ts';
import { createGitProject } from '../support/git-project.ts';
import { createTestProject } from '../support/harness.ts';
import { asset, config } from './accounts.ts';

const LIBRARY = { playlist: { playlists: [], assets: [{ id: asset(1), desc: 'One', state: 'ok' }] } };

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

describe('a rule at a place where nothing is found', () => {
  const unused = (findings: readonly Finding[]) =>
    findings.flatMap(({ code, file, line, column, summary }) => (code === 'unused-rule' ? `${file}:${line}:${column} ${summary}` : []));
  const PLAIN = config({ playlists: { a: { playlist: [{ beam: { id: asset(1) } }] } } });
  const rule = (code: string, more = 'severity: "off"') => `{ code: ${code}, address: playlist/a, ${more} }`;
  const withRules = (...rules: readonly string[]) =>
    createTestProject(PLAIN, { rules: `rules: [${rules.join(', ')}]`, target: 'check: { assets: true }', seed: LIBRARY });

  test('is reported by validate and plan where the configuration alone shows it', async () => {
    const project = await withRules(rule('mixed-codec'));
    const expected = ['upkeep.yaml:2:9 the entry about `mixed-codec` at playlist/a matches no finding'];
    const { stdout } = await project.run('validate', '--format', 'json');
    expect(unused(asValidation(JSON.parse(stdout)).findings)).toEqual(expected);
    expect(unused((await project.plan()).document.findings)).toEqual(expected);
  });

  test('is reported by plan and drift, and not by validate, where only the account shows it', async () => {
    const project = await withRules(rule('asset-not-ready'));
    const expected = ['upkeep.yaml:2:9 the entry about `asset-not-ready` at playlist/a matches no finding'];
    const { stdout } = await project.run('validate', '--format', 'json');
    expect(unused(asValidation(JSON.parse(stdout)).findings)).toEqual([]);
    expect(unused((await project.plan()).document.findings)).toEqual(expected);
    const drift = await project.run('drift', '--format', 'json');
    expect(unused(asPlan(JSON.parse(drift.stdout)).findings)).toEqual(expected);
    expect(unused((await project.plan('--only', 'playlist/a')).document.findings)).toEqual([]);
  });

  test('is not reported where nothing is looked up, where it raises a severity, or where it is about a change', async () => {
    const [raising, ofChange] = [rule('mixed-codec', 'severity: error'), rule('scheduled-entries')];
    expect(unused((await (await withRules(raising, ofChange)).plan()).document.findings)).toEqual([]);
    const unchecked = await createTestProject(PLAIN, { rules: `rules: [${rule('asset-not-ready')}]` });
    expect(unused((await unchecked.plan()).document.findings)).toEqual([]);
  });
});

test('a plan marks the findings that the commit last applied did not have, and none where nothing was applied', async () => {
  const template = (name: string) => `  ${name}: { params: {}, playlist: { playlist: [] } }\n`;
  const project = await createGitProject({ 'config/a.yaml': `playlists: {}\ntemplates:\n${template('old')}` });
  const marks = async () => (await project.plan()).document.findings.map(({ line, isNew = false }) => [line, isNew]);
  expect(await marks()).toEqual([[3, false]]);
  expect((await project.apply('--yes')).code).toBe(0);
  project.write('config/a.yaml', `# moved\nplaylists: {}\ntemplates:\n${template('old')}${template('fresh')}`);
  project.commit();
  expect(await marks()).toEqual([
    [4, false],
    [5, true],
  ]);
});
