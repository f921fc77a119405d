import { describe, expect, test } from 'vitest';
import { lookAt } from '../../src/engine/column.ts';
import { compare, remark } from '../../src/engine/compare.ts';
import type { Run } from '../../src/engine/run.ts';
import { sidesOf } from '../../src/engine/sides.ts';
import type { Desired } from '../../src/kinds/kind.ts';
import { FakeAccount } from './fake-account.ts';
import { kinds, rule, SONG, song } from './fakes.ts';
import { aLiveSong, aRule, aSong, declaring, runOf, theDial } from './runs.ts';

const list = ['x', 'y'];
const before = { title: 'a', guard: 0, list };
const same = { title: 'same', guard: 1, list };
const extra = { title: 'extra', guard: 2, list };
const HOLDINGS = { songs: { one: before, two: same, three: extra }, rules: { r: { name: 'p', strength: 1 } } };
const SONGS = [aSong('a', { guard: 5 }), aSong('same', { guard: 1 }), aSong('new')];

/** What was seen of an account, and every step of each kind. */
async function lookedAt(resources: readonly Desired[], more: Partial<Run> = {}, account = new FakeAccount(HOLDINGS)) {
  const run = runOf(account, declaring(resources), more);
  const columns = await Promise.all(kinds.map((kind) => lookAt(kind, run, account)));
  return {
    columns,
    steps: columns.flatMap(({ kind, resources: own, identified, left }) => compare(kind, own, identified, left.doomed, 0)),
  };
}

describe('both sides', () => {
  test('have what is written with what it was and will be, and all else as it is', async () => {
    const { columns, steps } = await lookedAt(SONGS);
    expect(sidesOf(columns, steps).resourcesOf('song')).toEqual([
      { kind: 'song', address: 'song/a', declared: true, changes: true, before, after: { ...before, guard: 5 } },
      { kind: 'song', address: 'song/new', declared: true, changes: true, before: null, after: { ...SONG, title: 'new', list } },
      { kind: 'song', address: 'song/~three', declared: false, changes: true, before: extra, after: null },
      { kind: 'song', address: 'song/same', declared: true, changes: false, before: same, after: same },
    ]);
  });

  test('leave as it is what no step is done to, under the address that it stands for', async () => {
    const { columns } = await lookedAt(SONGS);
    expect(sidesOf(columns, []).resourcesOf('song')).toEqual([
      { kind: 'song', address: 'song/a', declared: true, changes: false, before, after: before },
      { kind: 'song', address: 'song/same', declared: true, changes: false, before: same, after: same },
      { kind: 'song', address: 'song/~three', declared: false, changes: false, before: extra, after: extra },
    ]);
  });

  test('take a step that writes nothing for none', async () => {
    const { columns } = await lookedAt(SONGS);
    const steps = (['adopt', 'move', 'forget'] as const).map((action) => remark(song, action, aSong('a', { guard: 5 }), aLiveSong('one')));
    expect(sidesOf(columns, steps).resourcesOf('song')).toEqual(sidesOf(columns, []).resourcesOf('song'));
  });

  test('of a kind have nothing of another', async () => {
    const { columns, steps } = await lookedAt([...SONGS, aRule('p', 3), theDial(true, [])]);
    const sides = sidesOf(columns, steps);
    expect(sides.complete).toEqual(new Set(['song', 'rule', 'dial']));
    expect(sides.resourcesOf('song').map(({ kind }) => kind)).toEqual(['song', 'song', 'song', 'song']);
    expect(sides.resourcesOf('rule')).toEqual([
      {
        kind: 'rule',
        address: 'rule/p',
        declared: true,
        changes: true,
        before: { name: 'p', strength: 1 },
        after: { name: 'p', strength: 3 },
      },
    ]);
    expect(sides.resourcesOf('dial')).toEqual([
      {
        kind: 'dial',
        address: 'dial',
        declared: true,
        changes: true,
        before: { list: [], open: false },
        after: { list: [], open: true },
      },
    ]);
    expect(sides.resourcesOf('lamp')).toEqual([]);
  });

  test('have nothing of a kind that was not read, or not to the end', async () => {
    const account = new FakeAccount(HOLDINGS);
    account.fail('GET /songs', { fault: 'failed' });
    const { columns, steps } = await lookedAt([...SONGS, aRule('p', 3)], { only: ['song/*', 'rule/*'] }, account);
    const sides = sidesOf(columns, steps);
    expect(sides.complete).toEqual(new Set([rule.name]));
    expect([sides.resourcesOf('song'), sides.resourcesOf('dial')]).toEqual([[], []]);
    expect(sides.resourcesOf('rule')).toHaveLength(1);
  });
});
