/** Which commits of a project have the same configuration, which is loaded once. */
import { expect, test } from 'vitest';
import { configurationLoader } from '../../../src/app/history/load-state.ts';
import { openProject } from '../../../src/app/run/project.ts';
import { fakeIo } from '../../cli/fake-io.ts';
import { bare, commit, newClone } from '../../core/ledger/repositories.ts';

const UPKEEP = `version: 1
targets:
  live:
    base_url: http://127.0.0.1:9
    sources: [config]
    credentials: { owner: { env: O }, api_key: { env: K } }
`;
const playlist = (repeat: number) => `playlists: { a: { repeat: ${repeat}, playlist: [{ beam: a55e7000a55e7000a55e7000a55e7001 }] } }\n`;

/** A project, and what loads its configuration at a commit. */
async function project() {
  const { folder, first } = await newClone({
    'upkeep.yaml': UPKEEP,
    'config/a.yaml': playlist(1),
    'README.md': 'one',
  });
  const io = fakeIo({ cwd: folder, env: bare });
  const session = openProject(io, {});
  const [target] = session.project.targets;
  if (target === undefined) throw new Error('no target');
  return { folder, first, load: configurationLoader(session, target, io, {}) };
}

test('commits that differ in nothing that was read have one configuration, whatever else changed', async () => {
  const { folder, first, load } = await project();
  const loaded = await load(first);
  expect(loaded).toMatchObject({ desiredState: { resources: [{ address: 'playlist/a' }] } });
  const readme = commit(folder, { 'README.md': 'two', 'docs/more.yaml': playlist(9) });
  expect(await load(readme)).toBe(loaded);
});

test('commits that differ in a source, in the files of a folder, or in upkeep.yaml have each their own', async () => {
  const { folder, first, load } = await project();
  const found = [await load(first)];
  for (const files of [
    { 'config/a.yaml': playlist(2) },
    { 'config/b.yaml': playlist(2).replace('a:', 'b:').replace('7001', '7002') },
    { 'upkeep.yaml': UPKEEP.replace('sources: [config]', 'sources: [config/b.yaml]') },
  ])
    found.push(await load(commit(folder, files)));
  expect(new Set(found).size).toBe(4);
  const values = found.map((each) =>
    'desiredState' in each ? each.desiredState.resources.map(({ address, fields }) => [address, fields.repeat]) : each,
  );
  expect(values).toEqual([
    [['playlist/a', 1]],
    [['playlist/a', 2]],
    [
      ['playlist/a', 2],
      ['playlist/b', 2],
    ],
    [['playlist/b', 2]],
  ]);
});

test('a commit that goes back to an earlier configuration has that one, and one that cannot be used has none', async () => {
  const { folder, first, load } = await project();
  const loaded = await load(first);
  const broken = await load(commit(folder, { 'config/a.yaml': 'playlists: 1\n' }));
  expect(broken).toMatchObject({ unusable: expect.stringContaining('config/a.yaml:1') });
  expect(await load(commit(folder, { 'README.md': 'two' }))).toBe(broken);
  expect(await load(commit(folder, { 'config/a.yaml': playlist(1) }))).toBe(loaded);
});
