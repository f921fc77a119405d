import { describe, expect, it } from 'vitest';
import {
  assess,
  type CollectionKind,
  type DesiredResource,
  type LiveObject,
  NEUTRAL,
  strengthens,
  weakens,
} from '../../../src/core/kinds/kind.ts';
import { differencesInReadFields, differencesOf, diffResources, diffSetting } from '../../../src/core/plan/diff-resources.ts';
import { matchResources, matchSetting } from '../../../src/core/plan/match.ts';
import { assessChange } from '../../../src/core/state/planned-change.ts';
import { dial, eachField, song } from '../../support/fake-kinds.ts';
import { plannedOf } from '../../support/planned-changes.ts';
import { aLiveSong, aSong, theDial } from '../../support/planning.ts';

function compared(
  resources: readonly DesiredResource[],
  objects: readonly LiveObject[],
  deletes: readonly LiveObject[] = [],
  adopt = new Map<string, string>(),
) {
  return diffResources(
    song,
    resources,
    matchResources(song, resources, objects, adopt),
    deletes.map((live) => ({ live })),
    0,
  );
}

it('diffSetting plans nothing for a setting that was not read', () => {
  expect(diffSetting(dial, [theDial(true, [])], matchSetting([theDial(true, [])], []), 0)).toEqual([]);
});

describe('diffResources', () => {
  it('returns nothing where desired and live are equal', () => {
    expect(compared([aSong('a')], [aLiveSong('one', { title: 'a' })])).toEqual([]);
  });

  it('plans an update with the fields that differ, and the effect of each', () => {
    const [update] = compared([aSong('a', { level: 2 })], [aLiveSong('one', { title: 'a', level: 1, list: [] })]);
    expect(update).toMatchObject({ change: { action: 'update', address: 'song/a', effect: 'strengthens' } });
    expect(update?.change.fields).toEqual([
      { path: '/level', before: 1, after: 2, origin: 'unknown', effect: 'strengthens', reasons: [strengthens('level rises to 2')] },
      { path: '/list', before: [], after: ['x', 'y'], origin: 'unknown', effect: 'neutral' },
    ]);
  });

  it('uses the comparison of a kind that has its own', () => {
    const late: CollectionKind = {
      ...song,
      toComparable: (_desired, live, now) => ({ before: live.fields, after: { ...live.fields, due: now } }),
    };
    expect(differencesOf(late, aSong('a'), aLiveSong('one', { title: 'a' }), 7)).toEqual([{ path: '/due', before: null, after: 7 }]);
  });

  it('compares creates and deletes with the defaults', () => {
    const [create] = compared([aSong('a')], []);
    expect(create).toMatchObject({ change: { action: 'create', name: 'a' }, live: null });
    expect(create?.change.fields.map(({ path, before, after }) => [path, before, after])).toEqual([
      ['/list', null, ['x', 'y']],
      ['/title', null, 'a'],
    ]);
    const [gone] = compared([], [], [aLiveSong('one', { level: 3 })]);
    expect(gone).toMatchObject({ change: { action: 'delete', address: 'song/~one', name: 'one' }, desired: null });
    expect(gone?.change.fields.map(({ path, before, after }) => [path, before, after])).toEqual([
      ['/level', 3, null],
      ['/list', ['x', 'y'], null],
      ['/title', 'one', null],
    ]);
  });

  it('assesses a change that strengthens and weakens as weakening', () => {
    const both: CollectionKind = {
      ...song,
      assessRisk: eachField(({ path }) => assess(path === '/level' ? weakens(path) : strengthens(path))),
    };
    const desired = [aSong('a', { level: 1, list: ['z', 'y'] })];
    const objects = [aLiveSong('one', { title: 'a' })];
    const [planned] = diffResources(both, desired, matchResources(both, desired, objects, new Map()), [], 0);
    expect(planned).toMatchObject({
      change: { effect: 'weakens', fields: [{ reasons: [weakens('/level')] }, { reasons: [strengthens('/list')] }] },
    });
  });

  it('plans a resource with an identity problem as a create with that problem', () => {
    const [planned] = compared([aSong('a')], [aLiveSong('one', { title: 'a' }), aLiveSong('two', { title: 'a' })]);
    expect(planned).toMatchObject({ change: { action: 'create' }, identityProblem: { reason: expect.stringContaining('one, two') } });
  });

  it('passes the time to the comparison of the kind', () => {
    const kind: CollectionKind = {
      ...song,
      toComparable: (_desired, live, now) => ({ before: live.fields, after: { ...live.fields, level: now } }),
    };
    expect(differencesOf(kind, aSong('a'), aLiveSong('one'), 7)).toEqual([{ path: '/level', before: 0, after: 7 }]);
  });

  it('deletes a bound object under its address, unless that is still declared', () => {
    const toDelete = [
      { live: aLiveSong('one', { title: 'a' }), boundAddress: 'song/a' },
      { live: aLiveSong('two', { title: 'b' }), boundAddress: 'song/b' },
      { live: aLiveSong('three') },
    ];
    const planned = diffResources(song, [aSong('a')], matchResources(song, [aSong('a')], [], new Map()), toDelete, 0);
    expect(planned.map(({ change: { action, address } }) => `${action} ${address}`)).toEqual([
      'create song/a',
      'delete song/~one',
      'delete song/b',
      'delete song/~three',
    ]);
    expect(planned.map(({ replacesBoundObject }) => replacesBoundObject === true)).toEqual([true, false, false, false]);
    expect(planned.map(({ isDeletedAsBound }) => isDeletedAsBound === true)).toEqual([false, true, true, false]);
    expect(planned.map(({ replacementAddress }) => replacementAddress)).toEqual([undefined, 'song/a', undefined, undefined]);
  });
});

describe('differencesInReadFields', () => {
  it('leaves out the fields that a read of the object does not show', () => {
    const desired = aSong('a', { level: 3, list: ['z'] });
    const live = aLiveSong('one', { title: 'a' });
    const paths = (object: LiveObject) => differencesInReadFields(song, desired, object, 0).map(({ path }) => path);
    expect(paths(live)).toEqual(['/level', '/list']);
    expect(paths({ ...live, maybeMissingInRead: ['/level'] })).toEqual(['/list']);
  });
});

describe('a planned change', () => {
  const fixed = { kind: song, dependsOn: null, identityProblem: null, rollback: null };
  const unplanned = { kind: 'song', origin: 'unknown', effect: 'neutral', playback: 'neutral', wave: 0, digest: '', blocked: null };
  const field = { origin: 'unknown', effect: 'neutral' };

  it('of an update has desired and live, and nothing of the ledger', () => {
    const [desired, live] = [aSong('a', { list: [] }), aLiveSong('one', { title: 'a' })];
    const fields = [{ ...field, path: '/list', before: ['x', 'y'], after: [] }];
    const change = { ...unplanned, address: 'song/a', name: 'a', action: 'update', fields, phase: 'update' };
    expect(compared([desired], [live])).toStrictEqual([{ ...fixed, change, desired, live }]);
  });

  it('of a create omits fields at their default', () => {
    const desired = { ...aSong('a'), displayName: 'A song', fields: { title: 'a', level: null } };
    const fields = [{ ...field, path: '/title', before: null, after: 'a' }];
    const change = { ...unplanned, address: 'song/a', name: 'A song', action: 'create', fields, phase: 'update' };
    expect(compared([desired], [])).toStrictEqual([{ ...fixed, change, desired, live: null }]);
  });

  it('of a delete omits fields at their default', () => {
    const live = { ...aLiveSong('one', { title: 'b' }), fields: { title: 'b', list: [] } };
    const fields = [{ ...field, path: '/title', before: 'b', after: null }];
    const change = { ...unplanned, address: 'song/~one', name: 'b', action: 'delete', fields, phase: 'delete' };
    expect(compared([], [], [live])).toStrictEqual([{ ...fixed, change, desired: null, live }]);
  });

  it.each(['adopt', 'move', 'forget'] as const)('that only the ledger records (%s) has no fields', (action) => {
    const [desired, live] = [aSong('a'), aLiveSong('one')];
    const binding = { adopt: { adopts: 'one' }, move: { movedFrom: 'song/before' }, forget: {} }[action];
    const named = action === 'forget' ? { address: 'song/~one', name: 'one' } : { address: 'song/a', name: 'a' };
    const change = { ...unplanned, action, fields: [], phase: 'delete-policies', ...named, ...binding };
    const sides = { desired: action === 'forget' ? null : desired, live };
    expect(plannedOf(song, action, { desired, live })).toStrictEqual({ ...fixed, change, ...sides });
  });

  it('keeps a known origin of a field', () => {
    const fields = [{ path: '/level', before: 1, after: 0, origin: 'drift' as const }];
    expect(assessChange({ kind: song, action: 'update', after: aSong('a'), before: aLiveSong('one') }, fields)).toStrictEqual({
      fields: [{ ...fields[0], effect: 'weakens', reasons: [weakens('level falls to 0')] }],
      effect: 'weakens',
      playback: 'neutral',
    });
  });

  it('is assessed by the kind with desired, live and the action', () => {
    const asked: unknown[] = [];
    const curious: CollectionKind = {
      ...song,
      assessRisk: (input) => {
        asked.push(input);
        return input.fields.map(() => NEUTRAL);
      },
    };
    const [desired, live] = [aSong('a', { level: 1 }), aLiveSong('one', { title: 'a' })];
    diffResources(curious, [desired], matchResources(curious, [desired], [live], new Map()), [], 0);
    expect(asked).toEqual([{ action: 'update', before: live, after: desired, fields: [{ path: '/level', before: 0, after: 1 }] }]);
  });

  it('with a field that the kind does not assess is a bug in upkeep', () => {
    const silent: CollectionKind = { ...song, assessRisk: () => [] };
    expect(() => diffResources(silent, [aSong('a')], matchResources(silent, [], [], new Map()), [], 0)).toThrow(
      'the kind song did not assess /list',
    );
  });
});
