/** Errors of the user: all reported at once, each with its location, before any request. Each single error: test/core/config and test/core/kinds. */
import { describe, expect, test } from 'vitest';
import { asValidation } from '../support/documents.ts';
import { createTestProject } from '../support/harness.ts';
import { asset, config } from './accounts.ts';

describe('errors in the configuration', () => {
  const WRONG = `playlists:
  one:
    playlist:
      - beam: { id: 12345678901234567890123456789012 }
      - ad: { dur: 0 }
    repaet: 1
  two:
    desc: one
    active: 2
    playlist: [{ beam: { id: ${asset(1)} } }]
static_key: { scope: specific }
`;

  test('are reported all at once, each with its location; no request is sent, and one document is printed', async () => {
    const project = await createTestProject({ 'config/account.yaml': WRONG });
    const validated = await project.run('validate', '--format', 'json');
    expect(validated.code).toBe(8);
    const { valid, findings } = asValidation(JSON.parse(validated.stdout));
    expect(valid).toBe(false);
    const errors = findings.filter(({ severity }) => severity === 'error');
    const lines = errors.map(({ line }) => line);
    expect(new Set(lines)).toEqual(new Set([4, 5, 6, 9, 11]));
    expect(lines).toEqual([...lines].sort((a, b) => a - b));
    expect(errors.find(({ line }) => line === 6)?.hint).toContain('repeat');
    for (const { file, column } of errors) expect([file, column > 0]).toEqual(['config/account.yaml', true]);
    for (const command of ['plan', 'apply', 'drift']) {
      const refused = await project.refused(command, ...(command === 'apply' ? ['--yes'] : []));
      expect(refused).toMatchObject({ code: 8, document: { target: 'live', error: { exit: 8, code: 'invalid-configuration' } } });
      expect(refused.document.findings).toEqual(findings);
      expect(refused.stderr).toContain('config/account.yaml:6');
    }
    expect(project.emulator.requests()).toEqual([]);
  });

  test('show the line in the text format', async () => {
    const project = await createTestProject({ 'config/account.yaml': WRONG });
    const { stdout } = await project.run('validate');
    expect(stdout).toContain('config/account.yaml:6:5');
    expect(stdout).toContain('repaet: 1');
  });

  test('have the severity that `rules` sets', async () => {
    const assets = { avc: { id: asset(1), codec: 'AVC' }, hevc: { id: asset(2), codec: 'HEVC' } };
    const mixed = config({ assets, playlists: { mixed: { playlist: [{ beam: 'avc' }, { beam: 'hevc' }] } } });
    expect((await (await createTestProject(mixed)).refused('plan')).document.findings).toMatchObject([
      { code: 'mixed-codec', severity: 'error' },
    ]);
    const lowered = await (await createTestProject(mixed, { rules: 'rules: { mixed-codec: warning }' })).plan();
    expect(lowered).toMatchObject({ code: 0, document: { findings: [{ code: 'mixed-codec', severity: 'warning' }] } });
    const silent = await (await createTestProject(mixed, { rules: 'rules: { mixed-codec: off }' })).plan();
    expect(silent.document.findings).toEqual([]);
  });

  test('in upkeep.yaml itself, or a missing upkeep.yaml, are reported too', async () => {
    const project = await createTestProject({});
    project.write('upkeep.yaml', project.read('upkeep.yaml').replace('{ env: UPKEEP_API_KEY }', 'literal-secret'));
    const refused = await project.refused('plan');
    expect(refused).toMatchObject({ code: 8, document: { target: null, findings: [{ file: 'upkeep.yaml', line: 8 }] } });
    expect(refused.stdout + refused.stderr).not.toContain('literal-secret');
    expect(await project.refused('plan', '--project', 'nowhere')).toMatchObject({ code: 8, document: { error: { exit: 8 } } });
  });
});
