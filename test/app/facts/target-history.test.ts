/** What the entries of a ledger say a target stood at, read once each. */
import { describe, expect, test } from 'vitest';
import { openTargetHistory } from '../../../src/app/facts/target-history.ts';
import type { EntryCommit } from '../../../src/core/ledger/ledger.ts';
import { entry } from '../../core/ledger/repositories.ts';

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
