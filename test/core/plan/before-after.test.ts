import { describe, expect, test } from 'vitest';
import type { DesiredResource } from '../../../src/core/kinds/kind.ts';
import { beforeAndAfter, invertBeforeAfter } from '../../../src/core/plan/before-after.ts';
import { diffResources, diffSetting } from '../../../src/core/plan/diff-resources.ts';
import type { PlanInput } from '../../../src/core/plan/input.ts';
import { isCollectionState } from '../../../src/core/plan/kind-state.ts';
import { refreshKind } from '../../../src/core/plan/refresh.ts';
import { FakeAccount } from '../../support/fake-account.ts';
import { kinds, rule, SONG, song } from '../../support/fake-kinds.ts';
import { plannedOf } from '../../support/planned-changes.ts';
import { aLiveSong, aRule, aSong, desiredStateOf, only, planInputOf, theDial } from '../../support/planning.ts';

const list = ['x', 'y'];
const before = { title: 'a', level: 0, list };
const same = { title: 'same', level: 1, list };
const extra = { title: 'extra', level: 2, list };
const HOLDINGS = { songs: { one: before, two: same, three: extra }, rules: { r: { name: 'p', strength: 1 } } };
const SONGS = [aSong('a', { level: 5 }), aSong('same', { level: 1 }), aSong('new')];

/** Refreshes and diffs every kind. */
async function refreshAndDiff(resources: readonly DesiredResource[], more: Partial<PlanInput> = {}, account = new FakeAccount(HOLDINGS)) {
  const input = planInputOf(account, desiredStateOf(resources), more);
  const kindStates = await Promise.all(kinds.map((kind) => refreshKind(kind, input, account)));
  return {
    kindStates,
    planned: kindStates.flatMap((kindState) =>
      isCollectionState(kindState)
        ? diffResources(kindState.kind, kindState.resources, kindState.match, kindState.pruning.toDelete, 0)
        : diffSetting(kindState.kind, kindState.resources, kindState.match, 0),
    ),
  };
}

describe('beforeAndAfter', () => {
  test('returns written resources before and after, and all others unchanged', async () => {
    const { kindStates, planned } = await refreshAndDiff(SONGS);
    expect(beforeAndAfter(kindStates, planned).resourcesOf('song')).toEqual([
      { kind: 'song', address: 'song/a', isDeclared: true, isWritten: true, before, after: { ...before, level: 5 } },
      { kind: 'song', address: 'song/new', isDeclared: true, isWritten: true, before: null, after: { ...SONG, title: 'new', list } },
      { kind: 'song', address: 'song/~three', isDeclared: false, isWritten: true, before: extra, after: null },
      { kind: 'song', address: 'song/same', isDeclared: true, isWritten: false, before: same, after: same },
    ]);
  });

  test('returns resources without a change as they are, under their address', async () => {
    const { kindStates } = await refreshAndDiff(SONGS);
    expect(beforeAndAfter(kindStates, []).resourcesOf('song')).toEqual([
      { kind: 'song', address: 'song/a', isDeclared: true, isWritten: false, before, after: before },
      { kind: 'song', address: 'song/same', isDeclared: true, isWritten: false, before: same, after: same },
      { kind: 'song', address: 'song/~three', isDeclared: false, isWritten: false, before: extra, after: extra },
    ]);
  });

  test('ignores changes that write nothing', async () => {
    const { kindStates } = await refreshAndDiff(SONGS);
    const planned = (['adopt', 'move', 'forget'] as const).map((action) =>
      plannedOf(song, action, { desired: aSong('a', { level: 5 }), live: aLiveSong('one') }),
    );
    expect(beforeAndAfter(kindStates, planned).resourcesOf('song')).toEqual(beforeAndAfter(kindStates, []).resourcesOf('song'));
  });

  test('returns only resources of the requested kind', async () => {
    const { kindStates, planned } = await refreshAndDiff([...SONGS, aRule('p', 3), theDial(true, [])]);
    const beforeAfter = beforeAndAfter(kindStates, planned);
    expect(beforeAfter.completeKinds).toEqual(new Set(['song', 'rule', 'dial']));
    expect(beforeAfter.resourcesOf('song').map(({ kind }) => kind)).toEqual(['song', 'song', 'song', 'song']);
    expect(beforeAfter.resourcesOf('rule')).toEqual([
      {
        kind: 'rule',
        address: 'rule/p',
        isDeclared: true,
        isWritten: true,
        before: { name: 'p', strength: 1 },
        after: { name: 'p', strength: 3 },
      },
    ]);
    expect(beforeAfter.resourcesOf('dial')).toEqual([
      {
        kind: 'dial',
        address: 'dial',
        isDeclared: true,
        isWritten: true,
        before: { list: [], open: false },
        after: { list: [], open: true },
      },
    ]);
    expect(beforeAfter.resourcesOf('lamp')).toEqual([]);
  });

  test('returns nothing of a kind that was not read completely', async () => {
    const account = new FakeAccount(HOLDINGS);
    account.fail('GET /songs', { category: 'failed' });
    const { kindStates, planned } = await refreshAndDiff([...SONGS, aRule('p', 3)], { ...only('song/*', 'rule/*') }, account);
    const beforeAfter = beforeAndAfter(kindStates, planned);
    expect(beforeAfter.completeKinds).toEqual(new Set([rule.name]));
    expect([beforeAfter.resourcesOf('song'), beforeAfter.resourcesOf('dial')]).toEqual([[], []]);
    expect(beforeAfter.resourcesOf('rule')).toHaveLength(1);
  });
});

test('invertBeforeAfter exchanges the sides of every resource, and changes nothing else', async () => {
  const { kindStates, planned } = await refreshAndDiff([aSong('a', { level: 5 }), aSong('new')]);
  const beforeAfter = beforeAndAfter(kindStates, planned);
  const inverted = invertBeforeAfter(beforeAfter);
  expect(inverted.completeKinds).toEqual(new Set(['song', 'rule', 'dial']));
  expect(inverted.resourcesOf('song').slice(0, 2)).toEqual([
    { kind: 'song', address: 'song/a', isDeclared: true, isWritten: true, before: { ...before, level: 5 }, after: before },
    { kind: 'song', address: 'song/new', isDeclared: true, isWritten: true, before: { ...SONG, title: 'new', list }, after: null },
  ]);
  expect(invertBeforeAfter(inverted).resourcesOf('song')).toEqual(beforeAfter.resourcesOf('song'));
});
