/** What is fetched of the commit of a run and of the branch of its target. */
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commitFacts } from '../../../src/app/facts/run-facts.ts';
import { openProject } from '../../../src/app/run/project.ts';
import { fakeIo } from '../../cli/fake-io.ts';
import { bare, commit, newClone } from '../../core/ledger/repositories.ts';

const settings = (lines: string) =>
  `version: 1\ntargets:\n  live:\n    base_url: http://127.0.0.1:9\n    sources: [config]\n    credentials: { owner: { env: O }, api_key: { env: K } }\n${lines}`;

/** Fetches the facts of a commit of a clone; null = of a configuration outside git. */
async function factsIn(
  lines: string,
  choose: (first: string, folder: string, url: string) => string | null,
  differing: readonly string[] = [],
) {
  const { folder, first, url } = await newClone({ 'upkeep.yaml': settings(lines), 'config/a.yaml': '{}\n' });
  const io = fakeIo({ cwd: folder, env: bare });
  const session = openProject(io, {});
  const [target] = session.project.targets;
  if (target === undefined) throw new Error('no target');
  const chosen = choose(first, folder, url);
  const state = chosen === null ? null : { commit: chosen, dirty: differing.length > 0, digest: 'd' };
  return { first, facts: await commitFacts(session, target, io, { state, differing }) };
}

const BRANCH = '    ledger: git\n    branch: main\n';

test('a target without ledger and branch needs no commit', async () => {
  expect((await factsIn('', (first) => first)).facts).toEqual({ commit: { known: null }, branch: { known: null } });
});

test('a commit is on the branch, or is not', async () => {
  const { facts, first } = await factsIn(BRANCH, (commitOnMain) => commitOnMain, ['config/a.yaml']);
  expect(facts).toEqual({
    commit: { known: { id: first, dirty: ['config/a.yaml'] } },
    branch: { known: { name: 'origin/main', commit: first, hasCommit: true } },
  });
  const { facts: elsewhere } = await factsIn(BRANCH, (_, folder) => commit(folder, { 'config/a.yaml': 'playlists: {}\n' }));
  expect(elsewhere.branch).toMatchObject({ known: { hasCommit: false } });
});

test('nobody can tell where the branch cannot be read, or the configuration comes from no commit', async () => {
  const gone = await factsIn(BRANCH, (first, _, url) => {
    rmSync(url, { recursive: true });
    return first;
  });
  expect(gone.facts.branch).toEqual({ unknown: expect.stringContaining('nobody can tell whether commit') });
  const { facts } = await factsIn(BRANCH, () => null);
  expect([facts.commit, facts.branch]).toEqual(Array(2).fill({ unknown: 'the configuration of live comes from no commit' }));
});
