/**
 * Exit codes, targets and flags that other tests do not cover (design section 5). The harness validates every JSON document by its schema.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asOutcome, asPlan, asTargets, asValidation, documentsOf } from '../support/documents.ts';
import { createTestProject, type TestProject, vanishingFolder } from '../support/harness.ts';
import { config, manyLive, manyPlaylists, PLAYLISTS } from './accounts.ts';

function changedProject(): Promise<TestProject> {
  return createTestProject(config({ playlists: manyPlaylists(2, { repeat: 3 }) }), { seed: { playlist: manyLive(3) } });
}

/** Sets up a project of two targets: `first` at the emulator, `second` at another URL. */
async function twoTargets(second: string): Promise<TestProject> {
  const project = await changedProject();
  const text = project.read('upkeep.yaml').replace('  live:', '  first:');
  const [, target = ''] = text.split('targets:\n');
  project.write('upkeep.yaml', `${text}${target.replace('  first:', '  second:').replace(/base_url: \S+/, `base_url: ${second}`)}`);
  return project;
}

describe('the exit code of plan, apply and drift', () => {
  test('is 0 for a plan, and 2 with --detailed-exitcode where there are changes', async () => {
    const project = await changedProject();
    expect((await project.plan()).code).toBe(0);
    expect((await project.plan('--detailed-exitcode')).code).toBe(2);
    expect((await project.drift()).code).toBe(3);
  });

  test('is 130 where the run is interrupted before it sends anything', async () => {
    const project = await changedProject();
    const ran = await project.runWith({ signal: AbortSignal.abort() }, 'apply', '--yes', '--format', 'json');
    expect(ran.code).toBe(130);
    expect(documentsOf('apply', ran.stdout)).toHaveLength(1);
    expect(project.emulator.requests()).toEqual([]);
  });

  test('is 130 in the middle: requests in flight finish, the rest is skipped, and the outcome is printed', async () => {
    const target = 'http: { concurrency: 1, requests_per_second: 0, give_up_seconds: 0 }';
    const project = await createTestProject(config({ playlists: manyPlaylists(3, { repeat: 3 }) }), {
      seed: { playlist: manyLive(3) },
      target,
    });
    const interrupt = new AbortController();
    const now = () => {
      if (project.emulator.requests().some(({ method }) => method === 'PATCH')) interrupt.abort();
      return Date.now();
    };
    const ran = await project.runWith({ signal: interrupt.signal, now }, 'apply', '--yes', '--format', 'json');
    expect(ran.code).toBe(130);
    const { outcomes } = asOutcome(JSON.parse(ran.stdout));
    expect(outcomes.map(({ result }) => result)).toEqual(['updated', 'skipped', 'skipped']);
    expect(project.writes()).toEqual([`PATCH ${PLAYLISTS}/live1`]);
  });

  test('is 1 for a report that cannot be written, after the plan was printed', async () => {
    const project = await changedProject();
    const ran = await project.run('plan', '--format', 'json', '--out', `json=${vanishingFolder(project)}/plan.json`);
    expect(ran.code).toBe(1);
    expect(asPlan(JSON.parse(ran.stdout)).changes).toHaveLength(2);
    expect(ran.stderr).toContain('vanishing/plan.json');
  });
});

describe('a run over several targets', () => {
  test('prints an array in the order of upkeep.yaml, whatever the order of the flags', async () => {
    const project = await twoTargets('http://127.0.0.1:9');
    const ran = await project.run('plan', '-t', 'second', '-t', 'first', '--format', 'json', '--detailed-exitcode');
    const documents = documentsOf('plan', ran.stdout).map(asPlan);
    expect(documents.map(({ target, changes }) => [target, changes.length])).toEqual([
      ['first', 2],
      ['second', 0],
    ]);
    expect(ran.code).toBe(10);
  });

  test('continues after a target that fails', async () => {
    const project = await twoTargets('http://127.0.0.1:9');
    const ran = await project.run('apply', '-t', '*', '--yes', '--format', 'json');
    expect(ran.code).toBe(10);
    expect(documentsOf('apply', ran.stdout)).toMatchObject([
      { target: 'first', verified: true },
      { target: 'second', error: { exit: 10 } },
    ]);
    expect(project.writes()).toHaveLength(2);
  });

  test('needs their names to plan, and validates all of them', async () => {
    const project = await twoTargets('https://services.example.com');
    expect(await project.refused('plan')).toMatchObject({ code: 8, document: { target: null, error: { code: 'no-target' } } });
    expect(await project.refused('plan', '-t', 'third')).toMatchObject({
      code: 8,
      document: { error: { hint: expect.stringContaining('second') } },
    });
    const validated = await project.run('validate', '--format', 'json');
    expect(documentsOf('validate', validated.stdout).map(asValidation)).toMatchObject([{ target: 'first' }, { target: 'second' }]);
    const listed = await project.run('targets', '--format', 'json');
    expect(asTargets(JSON.parse(listed.stdout)).targets.map(({ name }) => name)).toEqual(['first', 'second']);
    expect(project.emulator.requests()).toEqual([]);
  });
});

describe('the project', () => {
  test('is found by walking up, or named by --project as file or folder', async () => {
    const project = await changedProject();
    mkdirSync(join(project.folder, 'deep/er'), { recursive: true });
    const cwd = join(project.folder, 'deep/er');
    const fingerprint = (await project.plan()).document.fingerprint;
    for (const flags of [[], ['--project', '../..'], ['--project', '../../upkeep.yaml']]) {
      const ran = await project.runWith({ cwd }, 'plan', '--format', 'json', ...flags);
      expect([ran.code, asPlan(JSON.parse(ran.stdout)).fingerprint]).toEqual([0, fingerprint]);
    }
  });
});

describe('a usage error', () => {
  test.each([
    ['an unknown command', ['paln']],
    ['an unknown flag', ['plan', '--requsts']],
    ['an unknown format', ['plan', '--format', 'xml']],
    ['an output without a file', ['plan', '--out', 'json']],
    ['a port that is none', ['emulate', '--owner', 'a', '--api-key', 'b', '--port', '70000']],
    ['a file too many', ['show', 'a.json', 'b.json']],
  ])('%s: exits with code 8', async (_name, argv) => {
    const project = await changedProject();
    const ran = await project.run(...argv);
    expect(ran.code).toBe(8);
    expect(ran.stderr).not.toBe('');
    expect(project.emulator.requests()).toEqual([]);
  });
});
