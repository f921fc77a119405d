/** What an entry of a ledger declares, as the configuration of its commit says. */
import { expect, test } from 'vitest';
import { declarationReader, declarationsBy, type EntryDeclarations } from '../../../src/app/history/entry-declarations.ts';
import { openProject } from '../../../src/app/run/project.ts';
import { GitError } from '../../../src/core/ledger/errors.ts';
import { fakeIo } from '../../cli/fake-io.ts';
import { bare, commit as commitFiles, entry, newClone } from '../../core/ledger/repositories.ts';
import { asset } from '../../e2e/accounts.ts';
import { aSong, desiredStateOf } from '../../support/planning.ts';

const [ONE, TWO] = ['1'.repeat(40), '2'.repeat(40)];
const DIGEST = `sha256:${'d'.repeat(64)}`;

function at(commit: string | null, declared?: string) {
  return entry({ config: { commit, digest: DIGEST, ...(declared === undefined ? {} : { declared }) } });
}

function addressesOf(found: EntryDeclarations): readonly string[] | string {
  return 'unread' in found ? found.unread : found.declared.addresses;
}

test('entries of one commit, and neighbours that declare the same, need one configuration', async () => {
  const loads: string[] = [];
  const read = declarationsBy(async (_entry, commit) => {
    loads.push(commit);
    return { desiredState: desiredStateOf([aSong(commit.slice(0, 1))]) };
  });
  expect(addressesOf(await read(at(ONE)))).toEqual(['song/1']);
  expect(addressesOf(await read(at(ONE)))).toEqual(['song/1']);
  expect(addressesOf(await read(at(TWO, DIGEST)))).toEqual(['song/2']);
  expect(addressesOf(await read(at(ONE, DIGEST)))).toEqual(['song/2']);
  expect(loads).toEqual([ONE, TWO]);
});

test('an entry says why nobody knows what it declares, and declares nothing at a commit that lacks the target', async () => {
  const read = declarationsBy(async (_entry, commit) => {
    if (commit === ONE) throw new GitError('unknown-commit', 'it is not here', 'fetch it');
    return commit === TWO ? { unusable: 'it has no target live', isMissing: true } : { unusable: 'a.yaml:1: odd' };
  });
  expect(addressesOf(await read(at(null)))).toBe('it was applied from a work tree that was not committed');
  expect(addressesOf(await read(at(ONE)))).toBe('it is not here');
  expect(addressesOf(await read(at(TWO)))).toEqual([]);
  expect(addressesOf(await read(at('3'.repeat(40))))).toBe('a.yaml:1: odd');
});

test('an error that is not of git is thrown', async () => {
  const read = declarationsBy(() => Promise.reject(new TypeError('a fault')));
  await expect(read(at(ONE))).rejects.toThrow('a fault');
});

test('a resource is as the entry applied it: with the asset of its external ID, and ignored fields until their last day', async () => {
  const upkeep = `version: 1
targets:
  live:
    base_url: http://127.0.0.1:9
    sources: [a.yaml]
    credentials: { owner: { env: O }, api_key: { env: K } }
`;
  const a = `playlists:
  a: { repeat: 2, playlist: [{ beam: { external_id: show-1 } }] }
ignore_changes: [{ address: playlist/a, fields: [/repeat], until: '2026-03-31' }]
`;
  const { folder, first } = await newClone({ 'upkeep.yaml': upkeep, 'a.yaml': a });
  const io = fakeIo({ cwd: folder, env: bare });
  const session = openProject(io, {});
  const [target] = session.project.targets;
  if (target === undefined) throw new Error('no target');
  const read = declarationReader(session, target, io);
  const resourceAt = async (time: string, commit: string) => {
    const found = await read({ ...at(commit), at: time, externalIds: { 'playlist/a': { 'show-1': asset(7) } } });
    return 'unread' in found ? found.unread : [found.declared.at('playlist/a'), found.declared.at('playlist/b')];
  };
  const fields = { repeat: 2, playlist: [{ beam: { id: asset(7) } }] };
  expect(await resourceAt('2026-03-31T10:00:00.000Z', first)).toMatchObject([{ fields, ignored: [{ path: '/repeat' }] }, null]);
  const [later] = await resourceAt('2026-04-01T10:00:00.000Z', commitFiles(folder, { 'README.md': 'two' }));
  expect(later).toMatchObject({ fields });
  expect(later).not.toHaveProperty('ignored');
});
