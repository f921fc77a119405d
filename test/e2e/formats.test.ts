/** What CI systems, dashboards and editors read: every format of one run, each by a strict reader of its language. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FORMATS } from '../../src/report/document.ts';
import { readCodeQuality } from '../report/languages/code-quality.ts';
import { readExposition } from '../report/languages/exposition.ts';
import { readJunit } from '../report/languages/junit.ts';
import { readSarif } from '../report/languages/sarif.ts';
import { readAnnotations } from '../report/languages/workflow-commands.ts';
import { anonymous } from '../support/anonymous.ts';
import { asPlan } from '../support/documents.ts';
import { createGitProject, type GitProject, playlistId } from '../support/git-project.ts';
import { manyPlaylists } from './accounts.ts';

/** Takes away what the account refuses. */
const WEAKENS = '# Nobody is turned away.\nvmp_reject_statuses: []\n';

/** A project two folders below the top of its work tree, whose account refuses tampered platforms. */
async function nested(
  source = WEAKENS,
): Promise<{ readonly project: GitProject; run(...argv: readonly string[]): Promise<Ran>; read(file: string): string }> {
  const project = await createGitProject(
    { 'config/account.yaml': 'playlists: {}\n' },
    { seed: { 'vmp-reject-statuses': ['PLATFORM_TAMPERED'] } },
  );
  project.write('accounts/eu/upkeep.yaml', project.read('upkeep.yaml'));
  project.write('accounts/eu/config/drm.yaml', source);
  project.commit();
  const cwd = join(project.folder, 'accounts/eu');
  return { project, run: (...argv) => project.runWith({ cwd, columns: 80 }, ...argv), read: (file) => project.read(`accounts/eu/${file}`) };
}

type Ran = Awaited<ReturnType<GitProject['run']>>;

/** Every format as a file. */
function everything(name: string): readonly string[] {
  return FORMATS.flatMap((format) => ['--out', `${format}=${name}.${format}`]);
}

describe('all formats of one run', () => {
  test('locate changes at the line of the YAML, relative to the work tree; a saved plan gives the same', async () => {
    const { run, read } = await nested();
    expect((await run('plan', ...everything('plan'))).code).toBe(0);
    const file = 'accounts/eu/config/drm.yaml';
    const [result] = readSarif(read('plan.sarif')).results;
    expect(result).toMatchObject({ ruleId: 'blocked-weakening', level: 'error', properties: { targets: ['live'] } });
    expect(result?.locations[0].physicalLocation).toMatchObject({
      artifactLocation: { uri: file },
      region: { startLine: 2, startColumn: 22 },
    });
    expect(readAnnotations(read('plan.github'))).toMatchObject([
      { command: 'notice', message: 'live: 1 change weakens protection.' },
      { command: 'error', properties: { file, line: '2', col: '22' } },
    ]);
    expect(readCodeQuality(read('plan.gitlab'))).toMatchObject([
      { check_name: 'blocked-weakening', location: { path: file, lines: { begin: 2 } } },
    ]);
    expect(readJunit(read('plan.junit')).attributes).toMatchObject({ failures: '2', errors: '0' });
    expect(read('plan.ndjson')).toContain('"event":"planned"');
    const gauges = readExposition(read('plan.prometheus'));
    expect(gauges).toContainEqual({ metric: 'upkeep_blocked', labels: { command: 'plan', target: 'live' }, value: 1 });
    expect(gauges.find(({ metric }) => metric === 'upkeep_requests')?.value).toBeGreaterThan(0);
    const { run: writer = {} } = asPlan(JSON.parse(read('plan.json')));
    for (const format of FORMATS)
      expect((await run('show', 'plan.json', '--format', format)).stdout).toBe(anonymous(read(`plan.${format}`), writer));
  });

  test('report the blocked changes of an apply that wrote nothing', async () => {
    const { run, read, project } = await nested();
    expect((await run('apply', '--yes', ...everything('apply'))).code).toBe(4);
    expect(readSarif(read('apply.sarif')).results.map(({ ruleId }) => ruleId)).toEqual(['blocked', 'blocked-weakening']);
    expect(readJunit(read('apply.junit')).attributes).toMatchObject({ failures: '2', errors: '1' });
    const about = { command: 'apply', target: 'live' };
    expect(readExposition(read('apply.prometheus')).filter(({ metric, value }) => metric !== 'upkeep_decision' || value === 1)).toEqual([
      { metric: 'upkeep_success', labels: about, value: 0 },
      { metric: 'upkeep_blocked', labels: about, value: 1 },
      { metric: 'upkeep_decision', labels: { ...about, status: 'blocked' }, value: 1 },
    ]);
    expect(project.writes()).toEqual([]);
  });

  test('locate the findings of an invalid upkeep.yaml', async () => {
    const { run, project } = await nested();
    project.write('accounts/eu/upkeep.yaml', 'version: 1\ntargetts: {}\n');
    const { code, stdout } = await run('validate', '--format', 'github');
    expect(code).toBe(8);
    const places = readAnnotations(stdout).map(({ properties: { file, line, title } }) => `${file}:${line} ${title}`);
    expect(places).toContain('accounts/eu/upkeep.yaml:2 upkeep: unknown-key');
  });
});

describe('the format ndjson', () => {
  test('prints an event for each planned change and each result of an apply, and a summary', async () => {
    const { run, read } = await nested(JSON.stringify({ playlists: manyPlaylists(3) }));
    const { code, stdout } = await run('apply', '--yes', '--format', 'ndjson', '--out', 'ndjson=events');
    expect(code).toBe(0);
    const events = stdout.trimEnd().split('\n');
    expect(events.map((line) => JSON.parse(line).event)).toEqual([
      ...Array(3).fill('planned'),
      'plan',
      ...Array(3).fill('result'),
      'outcome',
    ]);
    expect(read('events').trimEnd().split('\n').sort()).toEqual(events.sort());
  });
});

describe('the format prometheus', () => {
  test('of drift has a count by kind and an age by the ledger; the last success stays after a failure', async () => {
    const { run, read, project } = await nested(JSON.stringify({ playlists: manyPlaylists(2) }));
    const gauges = async (exit: number, ...argv: readonly string[]) => {
      expect((await run(...argv, '--out', 'prometheus=upkeep.prom')).code).toBe(exit);
      return readExposition(read('upkeep.prom'));
    };
    const value = (samples: Awaited<ReturnType<typeof gauges>>, metric: string, kind?: string) =>
      samples.find((each) => each.metric === metric && each.labels.kind === kind)?.value;
    expect(value(await gauges(0, 'apply', '--yes'), 'upkeep_verified')).toBe(1);
    const calm = await gauges(0, 'drift');
    expect([value(calm, 'upkeep_drift', 'playlist'), value(calm, 'upkeep_drift_age_seconds', 'playlist')]).toEqual([0, undefined]);
    project.editPlaylist(playlistId(project, 'p1'), { repeat: 7 });
    const drifted = await gauges(3, 'drift');
    expect(value(drifted, 'upkeep_drift', 'playlist')).toBe(1);
    expect(value(drifted, 'upkeep_drift_age_seconds', 'playlist')).toBeGreaterThan(0);
    project.write('accounts/eu/config/drm.yaml', 'playlistss: {}\n');
    const failed = await gauges(8, 'drift');
    expect(value(failed, 'upkeep_success')).toBe(0);
    expect(value(failed, 'upkeep_last_success_timestamp_seconds')).toBe(value(drifted, 'upkeep_last_success_timestamp_seconds'));
  });
});
