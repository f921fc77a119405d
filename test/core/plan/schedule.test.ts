// Fake kinds (test/support/fake-kinds.ts): song = playlist, single = smart start, rule = policy, dial = setting, shelf = asset catalog.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Effect } from '../../../src/core/model/change.ts';
import { type FindObjectWithName, schedule } from '../../../src/core/plan/schedule.ts';
import { type PlannedChange, planCreate } from '../../../src/core/state/planned-change.ts';
import { dial, rule, song } from '../../support/fake-kinds.ts';
import { changed, plannedOf } from '../../support/planned-changes.ts';
import { aLiveRule, aLiveSong, aRule, aSingle, aSong, theDial } from '../../support/planning.ts';
import { assertProperty } from '../../support/property.ts';

const noObjectWithName = () => undefined;

/** Renames a rule. An update of a rule is always in the phase `weaken`. */
function renameRule(from: string, to: string): PlannedChange {
  return plannedOf(rule, 'update', { desired: aRule(to), live: aLiveRule(`id-${from}`, from) });
}

function renameSong(from: string, to: string, effect: Effect = 'neutral'): PlannedChange {
  return plannedOf(song, 'update', { desired: aSong(to), live: aLiveSong(`id-${from}`, { title: from }), effect });
}

/** Returns the scheduled changes as `phase.wave address`. */
function scheduled(changes: readonly PlannedChange[], findObjectWithName: FindObjectWithName = noObjectWithName): string[] {
  return schedule(changes, findObjectWithName).map(({ change: { phase, wave, address } }) => `${phase}.${wave} ${address}`);
}

describe('schedule', () => {
  it('orders changes by phase, then by the order of the kinds, then by address', () => {
    const changes = [
      plannedOf(rule, 'delete', { live: aLiveRule('1', 'gone') }),
      plannedOf(song, 'delete', { live: aLiveSong('2') }),
      plannedOf(song, 'update', { desired: aSong('tight'), live: aLiveSong('3', { title: 'tight' }), effect: 'strengthens' }),
      plannedOf(song, 'update', { desired: aSong('loose'), live: aLiveSong('4', { title: 'loose' }), effect: 'weakens' }),
      plannedOf(song, 'create', { desired: aSong('b') }),
      plannedOf(song, 'create', { desired: aSong('a') }),
      plannedOf(dial, 'update', { desired: theDial(false, []), effect: 'strengthens' }),
      plannedOf(rule, 'create', { desired: aRule('new') }),
      plannedOf(rule, 'update', { desired: aRule('old'), live: aLiveRule('5', 'old') }),
    ];
    expect(scheduled(changes)).toEqual([
      'strengthen.0 rule/new',
      'strengthen.1 dial',
      'strengthen.2 song/tight',
      'update.3 song/a',
      'update.3 song/b',
      'delete.4 song/~2',
      'weaken.5 rule/old',
      'weaken.6 song/loose',
      'delete-policies.7 rule/~1',
    ]);
  });

  it('puts what stops playback into the last waves of its phase, and leaves the phases in their order', () => {
    const stops = { playback: 'stops' } as const;
    const changes = [
      changed(plannedOf(rule, 'create', { desired: aRule('stop') }), stops),
      plannedOf(dial, 'update', { desired: theDial(false, []), effect: 'strengthens' }),
      changed(plannedOf(song, 'update', { desired: aSong('stop'), live: aLiveSong('3', { title: 'stop' }), effect: 'strengthens' }), stops),
      plannedOf(song, 'update', { desired: aSong('tight'), live: aLiveSong('4', { title: 'tight' }), effect: 'strengthens' }),
      plannedOf(song, 'update', { desired: aSong('loose'), live: aLiveSong('5', { title: 'loose' }), effect: 'weakens' }),
      changed(plannedOf(song, 'delete', { live: aLiveSong('2') }), stops),
    ];
    expect(scheduled(changes)).toEqual([
      'strengthen.0 dial',
      'strengthen.1 song/tight',
      'strengthen.2 rule/stop',
      'strengthen.3 song/stop',
      'delete.4 song/~2',
      'weaken.5 song/loose',
    ]);
  });

  it('puts a change that waits for a rename in the waves after it, also where the rename comes last because it stops playback', () => {
    const stopping = changed(renameRule('a', 'b'), { playback: 'stops' });
    expect(scheduled([plannedOf(rule, 'create', { desired: aRule('a') }), stopping, renameSong('x', 'y', 'weakens')])).toEqual([
      'weaken.0 song/y',
      'weaken.1 rule/b',
      'weaken.2 rule/a',
    ]);
  });

  it('puts a create after the rename whose former name it takes, in the later of their phases', () => {
    const [rename, create] = schedule([plannedOf(rule, 'create', { desired: aRule('a') }), renameRule('a', 'b')], noObjectWithName);
    expect([rename?.change.address, rename?.change.phase, rename?.dependsOn]).toEqual(['rule/b', 'weaken', null]);
    expect([create?.change.address, create?.change.phase, create?.dependsOn]).toEqual(['rule/a', 'weaken', 'rule/b']);
    expect(create?.change.wave).toBe(1);
  });

  it('leaves a create in its own phase if the rename that it waits for is in an earlier one', () => {
    const changes = [plannedOf(song, 'create', { desired: aSong('a') }), renameSong('a', 'b', 'strengthens')];
    expect(scheduled(changes)).toEqual(['strengthen.0 song/b', 'update.1 song/a']);
  });

  it('where names are not unique, puts only a create after the rename that frees its name', () => {
    const changes = [plannedOf(song, 'create', { desired: aSong('a') }), renameSong('a', 'b'), renameSong('b', 'c')];
    expect(scheduled(changes)).toEqual(['update.0 song/b', 'update.0 song/c', 'update.1 song/a']);
  });

  it('puts a create after the last rename, where several objects give up its name', () => {
    const changes = [renameSong('a', 'b', 'weakens'), renameSong('a', 'c'), plannedOf(song, 'create', { desired: aSong('a') })];
    expect(scheduled(changes)).toEqual(['update.0 song/c', 'weaken.1 song/b', 'weaken.2 song/a']);
    expect(scheduled(changes.toReversed())).toEqual(scheduled(changes));
  });

  it('does not put a create after a rename if the create is not matched by name', () => {
    const single = plannedOf(song, 'create', { desired: { ...aSingle('x'), remoteName: 'a' } });
    const nameless = plannedOf(song, 'create', { desired: aSong('n', { title: '' }) });
    const changes = [single, nameless, renameSong('a', 'b'), renameSong('', 'c')];
    expect(schedule(changes, noObjectWithName).map(({ dependsOn }) => dependsOn)).toEqual([null, null, null, null]);
  });

  it('takes no dependency from changes that write nothing, updates that keep the name, and creates that need no free name', () => {
    const { remoteName: _, ...unlabelled } = aSong('u');
    const others = [
      plannedOf(song, 'adopt', { desired: aSong('m'), live: aLiveSong('1', { title: 'a' }) }),
      plannedOf(song, 'update', { desired: unlabelled, live: aLiveSong('2', { title: 'a' }) }),
      plannedOf(song, 'update', { live: aLiveSong('3', { title: 'a' }) }),
      plannedOf(song, 'update', { desired: aSong('n') }),
      // A create that is not matched by its own name needs no free name, not even one that is called `undefined`.
      plannedOf(song, 'create', { desired: { ...aSong('o'), matchKeys: [{ remoteName: 'other' }], remoteName: 'undefined' } }),
      renameSong('undefined', 'p'),
    ];
    const created = plannedOf(song, 'create', { desired: aSong('a') });
    expect(
      schedule([...others, created], noObjectWithName).flatMap(
        ({ dependsOn, identityProblem }) => dependsOn ?? identityProblem?.reason ?? [],
      ),
    ).toEqual([]);
  });

  it('orders a chain of renames so that no name is taken before its object is renamed', () => {
    expect(scheduled([renameRule('a', 'b'), renameRule('b', 'c'), renameRule('c', 'd')])).toEqual([
      'weaken.0 rule/d',
      'weaken.1 rule/c',
      'weaken.2 rule/b',
    ]);
  });

  it('reports an identity problem of each change in a cycle of renames, and of no other', () => {
    const changes = [renameRule('a', 'b'), renameRule('b', 'a'), renameRule('x', 'y'), plannedOf(rule, 'create', { desired: aRule('x') })];
    const problems = schedule(changes, noObjectWithName).flatMap((each) =>
      each.identityProblem === null ? [] : [`${each.change.address}: ${each.identityProblem.reason}`],
    );
    expect(problems).toEqual(['rule/a: it depends on a cycle of renames', 'rule/b: it depends on a cycle of renames']);
  });

  it('puts the changes of a cycle of renames in their own phase and in one wave, although they are blocked', () => {
    const changes = [renameRule('a', 'b'), renameRule('b', 'a'), plannedOf(rule, 'create', { desired: aRule('new') })];
    expect(scheduled(changes)).toEqual(['strengthen.0 rule/new', 'weaken.1 rule/a', 'weaken.1 rule/b']);
    expect(schedule(changes, noObjectWithName).map(({ dependsOn }) => dependsOn)).toEqual([null, null, null]);
  });

  it('makes a create wait for the last of several renames that free its name, which is the one that stops playback', () => {
    const stopping = changed(renameSong('a', 'b'), { playback: 'stops' });
    const other = plannedOf(song, 'update', { desired: aSong('c'), live: aLiveSong('other', { title: 'a' }) });
    expect(scheduled([plannedOf(song, 'create', { desired: aSong('a') }), other, stopping])).toEqual([
      'update.0 song/c',
      'update.1 song/b',
      'update.2 song/a',
    ]);
  });

  it('reports an identity problem of a rename and a create if another object keeps the name, where names are unique', () => {
    const alwaysKeeper = () => aLiveRule('keeper', 'b');
    const changes = [renameRule('a', 'b'), plannedOf(rule, 'create', { desired: aRule('c') }), renameSong('d', 'e')];
    const problems = Object.fromEntries(
      schedule(changes, alwaysKeeper).map((each) => [each.change.address, each.identityProblem?.reason ?? null]),
    );
    expect(problems).toEqual({
      'rule/b': 'its name is already in use by rule/~keeper',
      'rule/c': 'its name is already in use by rule/~keeper',
      'song/e': null,
    });
  });

  it('blocks a rename to a name in use, but neither an update of the object that has the name nor a create whose name a rename frees', () => {
    const keeper = aLiveRule('keeper', 'b');
    const afterRename = [renameRule('a', 'c'), plannedOf(rule, 'create', { desired: aRule('a') })];
    const nameInUse = [renameRule('d', 'b'), plannedOf(rule, 'update', { desired: aRule('b'), live: keeper })];
    const inUse: FindObjectWithName = (_kind, name) => (name === 'c' ? undefined : keeper);
    const problems = schedule([...afterRename, ...nameInUse], inUse).map((each) => [
      each.change.address,
      each.live?.id,
      each.identityProblem !== null,
    ]);
    expect(problems).toEqual([
      ['rule/b', 'id-d', true],
      ['rule/b', 'keeper', false],
      ['rule/c', 'id-a', false],
      ['rule/a', undefined, false],
    ]);
  });

  it('reports an identity problem of the delete of an object if another change takes its name', () => {
    const keeper = aLiveRule('keeper', 'b');
    const changes = [
      renameRule('a', 'b'),
      plannedOf(rule, 'delete', { live: keeper }),
      plannedOf(rule, 'delete', { live: aLiveRule('other', 'x') }),
    ];
    const problems = Object.fromEntries(
      schedule(changes, () => keeper).map((each) => [each.change.address, each.identityProblem?.reason ?? null]),
    );
    expect(problems).toEqual({
      'rule/b': 'its name is already in use by rule/~keeper',
      'rule/~keeper': 'rule/b takes the name of this object: if this object is rule/b, bind it under `adopt`',
      'rule/~other': null,
    });
  });

  it('reports no identity problem of a change that takes no name', () => {
    const changes = [
      plannedOf(rule, 'update', { desired: aRule('a'), live: aLiveRule('1', 'a') }),
      plannedOf(rule, 'delete', { live: aLiveRule('2', 'b') }),
    ];
    expect(schedule(changes, () => aLiveRule('keeper', 'b')).map(({ identityProblem }) => identityProblem)).toEqual([null, null]);
  });

  it('keeps the identity problem of a draft', () => {
    const [only] = schedule(
      [planCreate(rule, aRule('b'), [], { replacesBoundObject: false, identityProblem: { reason: 'two fit' } })],
      () => aLiveRule('keeper', 'b'),
    );
    expect(only?.identityProblem).toEqual({ reason: 'two fit' });
  });

  it('puts changes that only the ledger records last', () => {
    const changes = [
      plannedOf(rule, 'adopt', { desired: aRule('a'), live: aLiveRule('1', 'a') }),
      plannedOf(song, 'forget', { live: aLiveSong('2') }),
      plannedOf(song, 'delete', { live: aLiveSong('3') }),
      plannedOf(rule, 'delete', { live: aLiveRule('4', 'gone') }),
    ];
    // What only the ledger is told has the last phase, which is `delete-policies`.
    expect(scheduled(changes)).toEqual([
      'delete.0 song/~3',
      'delete-policies.1 rule/~4',
      'delete-policies.2 rule/a',
      'delete-policies.2 song/~2',
    ]);
  });

  it('schedules a chain of many renames without recursion', () => {
    const length = 12_000;
    const changes = Array.from({ length }, (_, index) => renameRule(`n${index}`, `n${index + 1}`));
    let reads = 0;
    const counting = Object.defineProperty({ ...rule }, 'applyOrder', {
      get() {
        reads += 1;
        return rule.applyOrder;
      },
    });
    const waves = schedule(
      changes.map((each) => ({ ...each, kind: counting })),
      noObjectWithName,
    );
    expect(waves.at(-1)?.change).toMatchObject({ address: 'rule/n1', wave: length - 1 });
    expect(reads).toBeGreaterThan(length);
    expect(reads).toBeLessThan(length * 50);
  });

  it('returns the same result for any order of the changes', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const any = fc.oneof(
      fc.tuple(name, name).map(([from, to]) => renameRule(from, to)),
      name.map((each) => plannedOf(rule, 'create', { desired: aRule(each) })),
      fc.tuple(name, name).map(([from, to]) => renameSong(from, to)),
      name.map((each) => plannedOf(song, 'create', { desired: aSong(each) })),
    );
    const changes = fc.uniqueArray(any, { selector: ({ change }) => change.address });
    const both = changes.chain((some) => fc.tuple(fc.constant(some), fc.shuffledSubarray(some, { minLength: some.length })));
    assertProperty(
      fc.property(both, ([some, other]) => {
        const one = schedule(some, noObjectWithName);
        expect(schedule(other, noObjectWithName)).toEqual(one);
        const waveOf = new Map(one.map(({ change: { address, wave } }) => [address, wave]));
        for (const {
          dependsOn,
          change: { wave },
          identityProblem,
        } of one) {
          if (dependsOn !== null && identityProblem === null) expect(waveOf.get(dependsOn)).toBeLessThan(wave);
        }
      }),
    );
  });
});
