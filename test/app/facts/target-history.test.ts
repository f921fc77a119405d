/** What the entries of a ledger say a target stood at, read once each. */
import { describe, expect, test } from 'vitest';
import { openTargetHistory, standsAfter } from '../../../src/app/facts/target-history.ts';
import type { ConfigurationAtCommit } from '../../../src/app/history/load-state.ts';
import type { DesiredState } from '../../../src/core/config/desired-state.ts';
import type { LedgerEntry } from '../../../src/core/ledger/entry.ts';
import type { EntryCommit } from '../../../src/core/ledger/ledger.ts';
import { entry } from '../../core/ledger/repositories.ts';
import { aSong, desiredStateOf } from '../../support/planning.ts';

/** A ledger whose entries a test adds to or replaces, the newest first, and how often each was read. */
function ledger(...ids: readonly string[]) {
  const reads: string[] = [];
  const state = { ids };
  async function* history(): AsyncGenerator<EntryCommit, void, undefined> {
    for (const [index, commit] of state.ids.entries()) {
      reads.push(commit);
      const killed = commit.startsWith('killed') ? { fingerprint: null } : {};
      const config = { commit, dirty: false, digest: `sha256:${commit}` };
      yield { commit, previous: state.ids[index + 1] ?? null, entry: entry({ ...killed, config }) };
    }
  }
  return { state, reads, history };
}

const opened = (from: ReturnType<typeof ledger>) => openTargetHistory(from, async () => ({ unusable: 'nobody asks' }));
const commitsIn = ({ known }: ReturnType<typeof openTargetHistory>) => known().entries.map(({ commit }) => commit);

describe('a history that is read again', () => {
  test('has the entries that were added since before those that it had, which it reads no more', async () => {
    const from = ledger('c', 'b', 'a');
    const history = opened(from);
    await history.readOlder();
    await history.readOlder();
    expect(commitsIn(history)).toEqual(['c', 'b']);
    from.state.ids = ['e', 'd', ...from.state.ids];
    from.reads.length = 0;
    await history.readNewer();
    expect(commitsIn(history)).toEqual(['e', 'd', 'c', 'b']);
    expect(from.reads).toEqual(['e', 'd', 'c']);
    expect((await history.newest())?.config.commit).toBe('e');
    await history.readOlder();
    expect([commitsIn(history), history.known().isAll]).toEqual([['e', 'd', 'c', 'b', 'a'], true]);
  });

  test('is the same where nothing was added', async () => {
    const from = ledger('killed-b', 'a');
    const history = opened(from);
    expect((await history.newestEnded())?.config.commit).toBe('a');
    await history.readNewer();
    expect(commitsIn(history)).toHaveLength(2);
    expect((await history.newestEnded())?.config.commit).toBe('a');
  });

  test('has a newer entry that ended, and none that was killed, as the newest that ended', async () => {
    const from = ledger('a');
    const history = opened(from);
    await history.newestEnded();
    from.state.ids = ['killed-c', 'b', 'a'];
    await history.readNewer();
    expect((await history.newestEnded())?.config.commit).toBe('b');
    expect(history.known().entries.map(({ isKilled }) => isKilled)).toEqual([true, false, false]);
  });

  test('is another one where another ledger has taken its place', async () => {
    const from = ledger('b', 'a');
    const history = opened(from);
    await history.readOlder();
    from.state.ids = ['y', 'x'];
    await history.readNewer();
    expect([commitsIn(history), history.known().isAll]).toEqual([['y', 'x'], true]);
    expect((await history.newest())?.config.commit).toBe('y');
  });

  test('has what was applied since there was nothing', async () => {
    const from = ledger();
    const history = opened(from);
    expect(await history.newest()).toBeNull();
    from.state.ids = ['a'];
    await history.readNewer();
    expect(commitsIn(history)).toEqual(['a']);
    from.state.ids = [];
    await history.readNewer();
    expect([commitsIn(history), await history.newest(), await history.newestEnded()]).toEqual([[], null, null]);
  });
});

/** Opens a history of one entry, reads it, and loads what the target stood at; with the commits whose configuration was loaded. */
async function readOne(more: Partial<LedgerEntry>) {
  const loaded: string[] = [];
  async function* history(): AsyncGenerator<EntryCommit, void, undefined> {
    yield {
      commit: 'e',
      previous: null,
      entry: entry({ config: { commit: 'c1', digest: 'd', declared: 'of c1' }, outcomes: [], ...more }),
    };
  }
  const opened = openTargetHistory({ history }, async (commit) => {
    loaded.push(commit);
    return { unusable: 'it has no such target', isMissing: true };
  });
  await opened.readOlder();
  await opened.loadStands([0]);
  return { found: opened.known().entries[0], loaded };
}

describe('an entry', () => {
  const KILLED = { fingerprint: null, interrupted: ['c2'], pendingSince: { 'playlist/a': 'c0' } };

  test('of a killed apply has the commit that it was to apply, no digest, and nothing that it left out', async () => {
    const { found, loaded } = await readOne(KILLED);
    expect(found).toMatchObject({ commit: 'c2', digest: null, isKilled: true, isInterrupted: true, leftOut: new Map() });
    expect(loaded).toEqual(['c2']);
  });

  test('of an apply after a killed one is interrupted, and has what it left out', async () => {
    const { found } = await readOne({ interrupted: ['c2'], pendingSince: { 'playlist/a': 'c0' } });
    expect(found).toMatchObject({ digest: 'of c1', isKilled: false, isInterrupted: true, leftOut: new Map([['playlist/a', 'c0']]) });
  });

  test('stands at nothing where its commit does not have the target, which is known', async () => {
    expect((await readOne({})).found?.stands).toMatchObject({ declared: { values: new Map() }, unknown: null });
  });

  test.each<
    [what: string, result: LedgerEntry['outcomes'][number]['result'], commit: string | null, isOpen: boolean, value: number | undefined]
  >([
    ['open where it failed', 'failed', 'c1', true, 5],
    ['open where it is not seen', 'unseen', 'c1', true, 5],
    ['told by the commit', 'updated', 'c1', false, undefined],
    ['told by its value without a commit', 'updated', null, false, 5],
  ])('has a write that is %s', async (_what, result, commit, isOpen, value) => {
    const written = {
      address: 'playlist/a',
      result,
      tookMs: 1,
      fields: [{ path: '/repeat', before: 1, after: 5, origin: 'change', effect: 'neutral' } as const],
    };
    const { found } = await readOne({ config: { commit, digest: 'd' }, outcomes: [written] });
    expect(found?.writes).toEqual(new Map([['playlist/a', { isOpen, values: new Map([['/repeat', value]]) }]]));
  });

  test('has no write of what was skipped', async () => {
    const { found } = await readOne({ outcomes: [{ address: 'playlist/a', result: 'skipped', because: 'it is blocked', tookMs: 0 }] });
    expect(found?.writes).toEqual(new Map());
  });
});

describe('a target stands after an entry at', () => {
  const states: { readonly [commit: string]: DesiredState } = {
    c0: desiredStateOf([aSong('b')], {}, ['songs']),
    c1: { ...desiredStateOf([aSong('a'), aSong('b')], {}, ['songs']), removed: new Set(['song/gone']) },
  };
  const loadAt = async (commit: string): Promise<ConfigurationAtCommit> => {
    const desiredState = states[commit];
    return desiredState === undefined ? { unusable: 'it has no such target', isMissing: true } : { desiredState };
  };
  const standing = (more: Partial<LedgerEntry>) => standsAfter(entry({ config: { commit: 'c1', digest: 'd' }, ...more }), loadAt);

  test('what its commit declares, also the sections, and the addresses of which it forgets the objects', async () => {
    const { declared, unknown } = await standing({});
    expect([...declared.values.keys()].toSorted()).toEqual(['song/a', 'song/b', 'song/gone', 'songs']);
    expect([declared.values.get('song/gone'), unknown]).toEqual([{ removed: true }, null]);
  });

  test('what the commit declares at which an address was left, and at nothing where that declares none', async () => {
    const { declared } = await standing({ pendingSince: { 'song/a': 'c0', 'song/b': 'c0', 'song/c': null } });
    expect([...declared.values.keys()].toSorted()).toEqual(['song/b', 'song/gone', 'songs']);
  });

  test('objects that are known by their IDs, too', async () => {
    const { declared } = await standing({ bindings: { 'song/a': { id: '17', origin: 'created' } } });
    expect(declared.knownBy.get('song/a')).toContain('ID 17');
    expect(declared.knownBy.get('song/b')).not.toContain('ID 17');
  });
});
