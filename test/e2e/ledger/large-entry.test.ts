/** An entry of the ledger at the limit of its size. It takes half a minute: git compresses it several times. */
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { MAX_ENTRY_BYTES } from '../../../src/core/ledger/entry.ts';
import { createGitProject } from '../../support/git-project.ts';
import { config, declare, manyPlaylists } from '../accounts.ts';

test('an apply whose entry would be larger than what can be read again is refused before anything is written', async () => {
  const project = await createGitProject(config({ playlists: manyPlaylists(1) }));
  expect((await project.apply('--yes')).code).toBe(0);
  const large = { ...project.entries()[0], forgotten: ['x'.repeat(MAX_ENTRY_BYTES - 2_000)] };
  const inRemote = (input: string, ...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], { cwd: project.ledger, input })
      .toString()
      .trim();
  const blob = inRemote(`${JSON.stringify(large)}\n`, 'hash-object', '-w', '--stdin');
  const tree = inRemote(`100644 blob ${blob}\tentry.json\n`, 'mktree');
  inRemote('', 'update-ref', 'refs/upkeep/live', inRemote('large', 'commit-tree', '-p', String(large.config?.commit), tree));
  project.writes();
  declare(project, { playlists: manyPlaylists(20) });
  project.commit();
  expect(await project.run('apply', '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/an entry of the ledger holds 128 MiB, so nothing\s+was written\s+hint: apply fewer changes at once/),
  });
  expect([project.writes(), Object.keys(project.refs())]).toEqual([[], ['refs/upkeep/live']]);
});
