/** A ledger without an entry: it begins, or it was lost (design section 6, a lost ledger). */
import { describe, expect, test } from 'vitest';
import { blockingChecks } from '../../../src/core/model/change.ts';
import type { Plan } from '../../../src/core/model/plan.ts';
import { createGitProject, type GitProject } from '../../support/git-project.ts';
import { createTestProject } from '../../support/harness.ts';
import { writeLocalFileOf } from '../../support/local-files.ts';
import { config, manyLive, manyPlaylists } from '../accounts.ts';

/** A project that declares four playlists, in an account that has some of them, and one that nobody declares. */
function project(there: number, target = ''): Promise<GitProject> {
  const [other] = manyLive(1);
  const seed = { playlist: [...manyLive(there, { repeat: 1 }), { ...other, id: 'other', desc: 'other' }] };
  return createGitProject(config({ playlists: manyPlaylists(4) }), { seed, target });
}

function checksIn({ changes }: Plan): readonly string[] {
  return [...new Set(changes.flatMap(({ blocked }) => (blocked ? blockingChecks(blocked).map(({ check }) => check) : [])))];
}

const said = ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => `${stdout} ${stderr}`.replaceAll(/\s+/g, ' ');

describe('an apply that finds no entry', () => {
  test.each([
    [0, []],
    [2, []],
    [3, ['first-apply']],
    [4, ['first-apply']],
  ])('is blocked where the account has more than half of what is declared: %d of 4', async (there, checks) => {
    const { document } = await (await project(there)).plan();
    expect(checksIn(document)).toEqual(checks);
  });

  test('ends with 4 and writes nothing, and names the check once', async () => {
    const held = await project(3);
    const ran = await held.run('apply', '--yes');
    expect([ran.code, held.writes(), held.entries()]).toEqual([4, [], []]);
    expect(said(ran)).toContain('no apply to live is recorded, although the account already has 3 of the 4 objects that are declared');
  });

  test('goes on with `--allow first-apply`, which the entry records, and asks for it no more', async () => {
    const held = await project(3);
    expect((await held.apply('--yes', '--allow', 'first-apply')).code).toBe(0);
    expect(held.entries().map(({ overrides }) => overrides)).toEqual([[{ check: 'first-apply', count: 4 }]]);
    expect((await held.apply('--yes')).code).toBe(0);
  });

  test('asks at a terminal, where only the name of the target confirms', async () => {
    const held = await project(3);
    for (const [answer, code] of [
      ['yes\n', 4],
      ['live\n', 0],
    ] as const) {
      const ran = await held.runWith({ terminal: true, stdin: answer }, 'apply');
      expect([answer, ran.code], ran.stderr).toEqual([answer, code]);
      expect(said(ran)).toContain('no earlier apply is recorded; if there was one, answer no');
    }
    expect(held.entries()).toHaveLength(1);
  });

  test('passes the answer of a person on to no printed command', async () => {
    const [held, begun] = await Promise.all([
      project(3, 'windows: { deny: [{ why: Christmas }] }'),
      project(0, 'windows: { deny: [{ why: Christmas }] }'),
    ]);
    expect((await begun.apply('--yes', '--allow', 'window')).code).toBe(0);
    begun.editPlaylist(String(begun.playlists().find(({ desc }) => desc === 'p1')?.id), { repeat: 3 });
    for (const each of [held, begun]) {
      const ran = await each.runWith({ terminal: true, stdin: 'live\n' }, 'apply');
      expect([ran.code, said(ran).includes('add `--allow window`')], ran.stderr).toEqual([4, true]);
      expect(said(ran)).not.toContain('--allow first-apply');
    }
  });

  test('asks at a terminal where nothing else is to be written', async () => {
    const held = await createGitProject(config({ playlists: manyPlaylists(2) }), { seed: { playlist: manyLive(2) } });
    const ran = await held.runWith({ terminal: true, stdin: 'live\n' }, 'apply');
    expect([ran.code, held.writes(), held.entries().length], ran.stderr).toEqual([0, [], 1]);
    expect(ran.stderr).toContain('Record the first apply to live?');
  });

  test('is held by `observe` alone where nothing can be written, and by nothing without a ledger', async () => {
    expect(checksIn((await (await project(4, 'ownership: observe')).plan()).document)).toEqual(['observe']);
    const free = await createTestProject(config({ playlists: manyPlaylists(4) }), { seed: { playlist: manyLive(4, { repeat: 1 }) } });
    expect(checksIn((await free.plan()).document)).toEqual([]);
  });
});

describe('a clone that has seen an entry of a ledger without one', () => {
  const REF = 'refs/upkeep/live';

  async function lost(): Promise<{ readonly held: GitProject; readonly entry: string }> {
    const held = await project(0);
    expect((await held.apply('--yes')).code).toBe(0);
    const entry = held.refs()[REF] ?? '';
    held.git('push', '-q', held.ledger, `:${REF}`);
    return { held, entry };
  }

  test('names it in plan, apply and doctor, with the line that sets it back', async () => {
    const { held, entry } = await lost();
    for (const argv of [['plan'], ['apply', '--yes'], ['doctor']])
      expect([argv, said(await held.run(...argv))]).toEqual([argv, expect.stringContaining(`git push origin ${entry}:${REF}`)]);
    expect(held.refs()).toEqual({});
    held.git('push', '-q', 'origin', `${entry}:${REF}`);
    expect(await held.plan()).toMatchObject({ code: 0, document: { changes: [] } });
    expect(await held.apply('--yes')).toMatchObject({ code: 0, stderr: '' });
    expect([held.refs()[REF], held.entries().length]).toEqual([entry, 1]);
  });

  test.each([['history'], ['targets'], ['plan'], ['undo']])('has seen it by `%s`, too', async (command) => {
    const { held, entry } = await lost();
    held.git('push', '-q', 'origin', `${entry}:${REF}`);
    const clone = held.clone();
    await clone.run(command);
    held.git('push', '-q', 'origin', `:${REF}`);
    expect(said(await clone.run('doctor'))).toContain(`${entry}:${REF}`);
  });

  test('prints no command that begins the ledger anew', async () => {
    const { held } = await lost();
    expect((await held.plan()).document.decision?.next.filter(({ command }) => command !== undefined)).toEqual([]);
  });

  test('holds back an apply to an account that has nothing of what is declared', async () => {
    const { held } = await lost();
    for (const { id } of held.playlists()) held.editPlaylist(String(id), null);
    expect(checksIn((await held.plan()).document)).toEqual(['first-apply']);
  });

  test('sends somebody to a full clone where it is shallow', async () => {
    const { held, entry } = await lost();
    held.git('push', '-q', 'origin', `${entry}:${REF}`);
    const shallow = held.clone('--depth=1');
    expect((await shallow.run('plan')).code).toBe(0);
    held.git('push', '-q', 'origin', `:${REF}`);
    expect(said(await shallow.run('plan'))).toContain(`${entry}:${REF}\`, from a full clone of the repository that has the entry`);
  });

  test('remembers the newest one only, and none once the ledger has begun anew', async () => {
    const { held } = await lost();
    expect((await held.apply('--yes', '--allow', 'first-apply')).code).toBe(0);
    const entry = held.refs()[REF] ?? '';
    held.git('push', '-q', 'origin', `:${REF}`);
    expect(said(await held.run('doctor'))).toContain(entry);
  });

  test.each([
    '',
    'x\n',
    '{}',
    `${'0'.repeat(40)} never origin\n`,
    `${'0'.repeat(39)} 2026-11-27T00:00:00Z origin\n`,
    `${'0'.repeat(40)} 2026-11-27T00:00:00Z elsewhere\n`,
  ])('remembers nothing by a file that says %j', async (text) => {
    const { held } = await lost();
    writeLocalFileOf(held.folder, 'seen', text);
    expect(said(await held.run('doctor'))).toContain('nothing was applied yet');
  });
});
