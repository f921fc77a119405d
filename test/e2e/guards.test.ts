/** Guards, the users' own checks, from upkeep.yaml to what is not written (a guard that cannot be evaluated blocks). */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
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
