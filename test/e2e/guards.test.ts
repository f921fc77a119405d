/** Guards, the users' own checks, from upkeep.yaml to what is not written (a guard that cannot be evaluated blocks). */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { fingerprintOf } from '../support/documents.ts';
import { API_KEY, createTestProject, OWNER, type TestProject } from '../support/harness.ts';
import { config } from './accounts.ts';

const program = fileURLToPath(new URL('../../dist/upkeep.js', import.meta.url));

/** A VMP set that loses a status, a playlist that is new, and these guards. */
async function guarded(guards: string): Promise<TestProject> {
  const files = config({
    vmp_reject_statuses: ['PLATFORM_TAMPERED'],
    playlists: { evening: { playlist: [{ beam: 'ec47dd72b77ea128daa31ddddd20df3e' }, { ad: 30 }] } },
  });
  const seed = { 'vmp-reject-statuses': ['PLATFORM_TAMPERED', 'PLATFORM_UNVERIFIED'] };
  const project = await createTestProject(files, { seed, target: 'weakening: allow' });
  project.write('upkeep.yaml', project.read('upkeep.yaml').replace('targets:', `guards:\n${guards}\ntargets:`));
  return project;
}

const WEAKENING = `  - id: only-tighter
    when: target == "live"
    deny: change.effect == "weakens"
    message: Ask the rights team.`;

describe('a guard that denies a change', () => {
  test('blocks it and the whole run; --skip-blocked applies the rest; no flag overrides it', async () => {
    const project = await guarded(WEAKENING);
    const { document } = await project.plan();
    expect(document.changes.map(({ address, blocked }) => [address, blocked?.check])).toEqual([
      ['playlist/evening', undefined],
      ['vmp-reject-statuses', 'guard'],
    ]);
    expect((await project.run('plan')).stdout).toMatch(/blocked by safety check `guard`: guard `only-tighter`: Ask the rights team\./);
    expect(await project.refused('apply', '--yes', '--allow', 'weakening')).toMatchObject({
      code: 4,
      document: { error: { code: 'blocked' } },
    });
    expect(project.playlists()).toEqual([]);
    expect(await project.apply('--yes', '--skip-blocked')).toMatchObject({ code: 4, document: { summary: { created: 1 } } });
    expect(project.live('vmp-reject-statuses')).toEqual(['PLATFORM_TAMPERED', 'PLATFORM_UNVERIFIED']);
  });

  test('blocks it in the built program too, whose worker thread is a file of the package', async () => {
    const project = await guarded(WEAKENING);
    const env = { ...process.env, UPKEEP_OWNER: OWNER, UPKEEP_API_KEY: API_KEY };
    const { stdout } = await promisify(execFile)(process.execPath, [program, 'plan'], { cwd: project.folder, env });
    expect(stdout).toMatch(/blocked by safety check `guard`:\s+guard\s+`only-tighter`:\s+Ask\s+the\s+rights\s+team\./);
  });
});

test('a guard that warns lets the change pass, and its message has a location', async () => {
  const project = await guarded('  - { id: news, message: Tell the desk., warn: change.kind == "playlist" }');
  const { document } = await project.plan();
  expect(document.findings).toMatchObject([{ code: 'guard', severity: 'warning', file: 'upkeep.yaml', address: 'playlist/evening' }]);
  expect(await project.apply('--yes')).toMatchObject({ code: 0 });
});

test("rules set the severity of a guard's message, and can switch it off", async () => {
  const project = await guarded('  - { id: news, message: Tell the desk., warn: change.kind == "playlist" }');
  project.write('upkeep.yaml', project.read('upkeep.yaml').replace('version: 1', 'version: 1\nrules: { guard: off }'));
  expect((await project.plan()).document.findings).toEqual([]);
});

describe('a guard that cannot be evaluated', () => {
  test('for a value blocks every change that it was evaluated for', async () => {
    const project = await guarded('  - { id: odd, message: m, deny: "change.fields.exists(f, f.after.deep == 1)" }');
    const { document } = await project.plan();
    expect(document.changes.every(({ blocked }) => blocked?.check === 'guard')).toBe(true);
    expect(document.findings).toMatchObject([{ code: 'guard-failed', file: 'upkeep.yaml' }]);
    expect(await project.refused('apply', '--yes')).toMatchObject({ code: 4 });
  });

  test('because it loops blocks the change, and the finding is located at the guard', async () => {
    const endless = `${Array.from({ length: 12 }, (_, depth) => `[1,2,3,4,5,6,7,8,9].all(x${depth}, `).join('')}true${')'.repeat(12)}`;
    const project = await guarded(`  - { id: endless, message: m, warn: "${endless}" }`);
    const { document } = await project.plan();
    expect(document.changes.map(({ blocked }) => blocked?.reason)).toEqual(
      document.changes.map(() => 'guard `endless`: it could not be evaluated: it gave no answer within 3 s'),
    );
    expect(document.findings).toMatchObject([{ code: 'guard-failed', file: 'upkeep.yaml', line: 4, column: 5 }]);
  });

  test('because it names an unknown variable is not evaluated, and the caret is under that name', async () => {
    const project = await guarded('  - { id: odd, message: m, deny: change.kinds == "playlist" }');
    const { code, stdout, stderr } = await project.run('validate');
    expect(code).toBe(8);
    expect(stdout + stderr).toMatch(/deny: change\.kinds == "playlist" \}\n\s+\| +\^/);
    expect(stdout + stderr).toContain('Did you mean `kind`?');
  });
});

describe('a guard that asks who runs upkeep, and where,', () => {
  const FROM_MAIN = `  - id: from-main
    when: run.command == "apply"
    deny: run.branch != "main"
    message: Only the main branch is applied.`;
  const onBranch = (name: string) => ({ env: { GITHUB_ACTIONS: 'true', GITHUB_REF: `refs/heads/${name}`, CI: 'true' } });

  test('denies an apply whose plan was free, and the fingerprint of the plan is that of any other run', async () => {
    const project = await guarded(FROM_MAIN);
    const { document: plan } = await project.plan('--allow', 'weakening');
    expect(plan.changes.map(({ blocked }) => blocked)).toEqual([null, null]);
    const expected = ['apply', '--expect', fingerprintOf(plan), '--allow', 'weakening'] as const;
    expect(await project.runWith(onBranch('feature'), ...expected)).toMatchObject({ code: 4 });
    expect(project.writes()).toEqual([]);
    expect(await project.runWith(onBranch('main'), ...expected)).toMatchObject({ code: 0 });
  });

  test.each([[''], ['weakening: block']])(
    'blocks the apply of a saved plan that shows no denial, and no flag overrides it (%s)',
    async (setting) => {
      const project = await guarded(FROM_MAIN);
      project.write('upkeep.yaml', project.read('upkeep.yaml').replace('weakening: allow', setting));
      expect((await project.run('plan', '--allow', 'weakening', '--out', 'json=plan.json')).code).toBe(0);
      const apply = ['apply', '--plan', 'plan.json', '--allow', 'weakening'] as const;
      const denied = await project.runWith(onBranch('feature'), ...apply);
      expect(denied).toMatchObject({ code: 4 });
      expect(denied.stdout).toMatch(/guard\s+`from-main`:\s+Only\s+the\s+main\s+branch/);
      // A pull request of a fork whose branch is called main has no branch.
      const pullRequest = { env: { GITHUB_ACTIONS: 'true', GITHUB_REF: 'refs/pull/7/merge', GITHUB_HEAD_REF: 'main' } };
      expect(await project.runWith(pullRequest, ...apply)).toMatchObject({ code: 4 });
      expect(await project.run('apply', '--plan', 'plan.json', '--allow', 'weakening', '--skip-blocked')).toMatchObject({ code: 4 });
      expect(project.writes()).toEqual([]);
      expect(await project.runWith(onBranch('main'), ...apply)).toMatchObject({ code: 0 });
    },
  );

  test('makes a saved plan stale that shows a denial which nothing repeats', async () => {
    const project = await guarded('  - { id: plans, message: no, deny: run.command == "plan" }');
    await project.run('plan', '--out', 'json=plan.json');
    expect(await project.refused('apply', '--plan', 'plan.json')).toMatchObject({ code: 6 });
    expect(project.writes()).toEqual([]);
  });

  test('knows the command, whatever stands before it', async () => {
    const project = await guarded(FROM_MAIN);
    expect(await project.run('--', 'apply')).toMatchObject({ code: 4 });
    expect(project.writes()).toEqual([]);
  });

  test.each(['drift', 'impact', 'explain'])('is asked in %s, too', async (command) => {
    const project = await guarded(`  - { id: asked, message: no, warn: run.command == "${command}" || [1][1] == 1 }`);
    expect((await project.run(command, ...(command === 'explain' ? ['playlist/evening'] : []))).stdout).not.toContain(
      'could not be evaluated',
    );
  });

  test('is a finding where it misspells a member', async () => {
    const project = await guarded('  - { id: odd, message: m, deny: run.brnach != "main" }');
    const { code, stderr } = await project.run('validate');
    expect(code).toBe(8);
    expect(stderr).toContain('No such key: brnach');
    expect(stderr).toContain('Did you mean `branch`?');
  });
});
