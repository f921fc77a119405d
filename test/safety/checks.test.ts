import { describe, expect, it } from 'vitest';
import { type CollectionKind, loosens, tightens } from '../../src/kinds/kind.ts';
import type { Action } from '../../src/model/change.ts';
import { applySafetyChecks, type Overrides, overriddenChecks, type SafetyInput } from '../../src/safety/checks.ts';
import type { ScheduledChange } from '../../src/state/change-draft.ts';
import { type DraftParts, draftOf } from '../support/drafts.ts';
import { rule, song } from '../support/fake-kinds.ts';
import { aLiveRule } from '../support/planning.ts';

type Release = 'updates' | 'loosening' | 'suspicious-read' | 'unknown-fields';

function allowed(deletes: number, ...brakes: Release[]): Overrides {
  return { deletes, checks: new Set(brakes) };
}

function rules(more: Partial<SafetyInput> = {}): SafetyInput {
  return {
    target: 'stage',
    ownership: 'shared',
    protect: [],
    limits: { delete: { count: 5, percent: 30 }, update: { percent: 50 } },
    loosening: 'block',
    overrides: allowed(0),
    live: new Map([['song', 100]]),
    suspiciousReads: new Map(),
    denied: new Map(),
    ...more,
  };
}

function live(count: number): Pick<SafetyInput, 'live'> {
  return { live: new Map([['song', count]]) };
}

function step(action: Action, more: StepOptions = {}): ScheduledChange {
  const { kind = song, live: object, desired, ...rest } = more;
  const draft = draftOf(kind, action, { ...(desired ? { desired } : {}), ...(object ? { live: object } : {}) });
  return { ...draft, phase: 'tighten', wave: 0, dependsOn: null, ambiguousReason: null, ...rest };
}

/** What differs from a change of the song `a`. */
type StepOptions = DraftParts &
  Partial<Pick<ScheduledChange, 'address' | 'name' | 'reasons' | 'ambiguousReason'>> & {
    readonly kind?: CollectionKind;
    readonly movedFrom?: string;
    readonly previousAddress?: string;
  };

function many(count: number, action: Action, kind: CollectionKind = song): readonly ScheduledChange[] {
  return Array.from({ length: count }, (_, index) => step(action, { address: `${kind.name}/${index}`, kind }));
}

/** The brake that holds the first of the steps. */
function brake(changes: readonly ScheduledChange[], by: SafetyInput): string | null {
  return applySafetyChecks(changes, by)[0]?.blocked?.check ?? null;
}

function theHeld(one: ScheduledChange, by: SafetyInput) {
  const [only] = applySafetyChecks([one], by);
  if (!only?.blocked) throw new Error('expected it to be held');
  return only.blocked;
}

describe('deletes', () => {
  it.each([
    ['at the count', 5, 100, {}, null],
    ['over the count', 6, 100, {}, 'deletes'],
    ['at the percentage', 3, 10, {}, null],
    ['over the percentage', 4, 10, {}, 'deletes'],
    ['over the percentage of fewer than ten', 4, 9, {}, null],
    ['at a percentage that is no whole number', 3, 11, {}, null],
    ['all of two', 2, 2, {}, 'deletes'],
    ['the only one', 1, 1, {}, null],
    ['all but one of few', 4, 5, {}, null],
    ['all, where 100 percent may go', 5, 5, { limits: { delete: { count: 5, percent: 100 }, update: { percent: 50 } } }, null],
    ['all of ten, where 100 percent may go', 10, 10, { limits: { delete: { count: 10, percent: 100 }, update: { percent: 50 } } }, null],
    ['one, where none may go', 1, 100, { limits: { delete: { count: 0, percent: 30 }, update: { percent: 50 } } }, 'deletes'],
  ])('%s', (_what, count, there, more, expected) => {
    expect(brake(many(count, 'delete'), rules({ ...live(there), ...more }))).toBe(expected);
  });

  it('are counted for each kind', () => {
    const both = [...many(5, 'delete'), ...many(5, 'delete', rule)];
    expect(
      applySafetyChecks(
        both,
        rules({
          live: new Map([
            ['song', 100],
            ['rule', 100],
          ]),
        }),
      ).filter(({ blocked }) => blocked),
    ).toEqual([]);
    const held = applySafetyChecks(
      [...many(6, 'delete'), ...many(5, 'delete', rule)],
      rules({
        live: new Map([
          ['song', 100],
          ['rule', 100],
        ]),
      }),
    );
    expect(new Set(held.map((each) => `${each.kind.name} ${each.blocked?.check}`))).toEqual(new Set(['song deletes', 'rule undefined']));
  });

  it('block no other change of the kind', () => {
    expect(brake([step('create'), ...many(6, 'delete')], rules())).toBeNull();
  });

  it.each([
    [Number.POSITIVE_INFINITY, null],
    [6, null],
    [5, 'deletes'],
    [0, 'deletes'],
  ])('are not blocked when %d are allowed: %s', (most, expected) => {
    expect(brake(many(6, 'delete'), rules({ overrides: allowed(most) }))).toBe(expected);
  });

  it('name the counts, and how many must be allowed in all', () => {
    const [first] = applySafetyChecks([...many(6, 'delete'), ...many(1, 'delete', rule)], rules());
    expect(first?.blocked).toEqual({ check: 'deletes', reason: expect.stringMatching(/6 .*5/), override: '--allow deletes=7' });
  });
});

describe('updates', () => {
  it.each([
    [50, 100, null],
    [51, 100, 'updates'],
    [9, 9, null],
    [6, 10, 'updates'],
    [5, 10, null],
  ])('%i of %i: %s', (count, there, expected) => {
    expect(brake(many(count, 'update'), rules(live(there)))).toBe(expected);
  });

  it('are overridden by name, and blocked for their own kind alone', () => {
    expect(brake(many(51, 'update'), rules({ overrides: allowed(0, 'updates') }))).toBeNull();
    expect(brake(many(51, 'update', rule), rules({ live: new Map([['rule', 102]]) }))).toBeNull();
    expect(brake(many(51, 'create'), rules())).toBeNull();
    expect(brake([step('create'), ...many(51, 'update')], rules())).toBeNull();
    expect(brake([...many(50, 'update'), ...many(9, 'create'), ...many(9, 'adopt')], rules())).toBeNull();
  });
});

describe('protect', () => {
  it('blocks deletes and loosening changes of the addresses that it names', () => {
    const by = rules({ protect: ['song/*'], loosening: 'allow' });
    expect(brake([step('delete')], by)).toBe('protect');
    expect(brake([step('update', { effect: 'loosens' })], by)).toBe('protect');
    expect(brake([step('create', { effect: 'loosens' })], by)).toBe('protect');
    expect(brake([step('update', { effect: 'tightens' })], by)).toBeNull();
    expect(brake([step('update')], by)).toBeNull();
  });

  it('matches the label of undeclared objects, and of no other', () => {
    const by = rules({ protect: ['The t*'], loosening: 'allow' });
    expect(brake([step('delete')], by)).toBe('protect');
    expect(brake([step('update', { effect: 'loosens' })], by)).toBeNull();
    expect(brake([step('forget', { name: 'The time' })], by)).toBe('protect');
  });

  it('matches the previous address of an object, so that no move evades it', () => {
    const by = rules({ protect: ['song/main'], loosening: 'allow' });
    expect(brake([step('update', { effect: 'loosens', movedFrom: 'song/main' })], by)).toBe('protect');
    expect(brake([step('delete', { previousAddress: 'song/main' })], by)).toBe('protect');
    expect(brake([step('forget', { address: 'song/main' })], by)).toBe('protect');
    expect(brake([step('update', { effect: 'loosens', movedFrom: 'song/other' })], by)).toBeNull();
    expect(brake([step('move', { movedFrom: 'song/main' })], by)).toBeNull();
  });

  it('is overridden only by an edit of upkeep.yaml', () => {
    const by = rules({
      protect: ['nothing', 'song/~one'],
      overrides: allowed(Number.POSITIVE_INFINITY, 'updates', 'loosening', 'unknown-fields'),
    });
    const blocked = theHeld(step('delete'), by);
    expect(blocked.reason).toContain('song/~one');
    expect(blocked.override).toMatch(/upkeep\.yaml/);
    expect(blocked.override).not.toContain('--allow');
  });
});

describe('loosening', () => {
  it('blocks changes that loosen, with their reasons, until they are allowed', () => {
    const loose = step('update', { effect: 'loosens', reasons: [loosens('the gate opens'), loosens('the lock goes')] });
    const blocked = theHeld(loose, rules());
    expect(blocked).toMatchObject({ check: 'loosening', override: '--allow loosening' });
    expect(blocked.reason).toBe('it loosens protection: the gate opens; the lock goes');
    expect(brake([loose], rules({ loosening: 'allow' }))).toBeNull();
    expect(brake([loose], rules({ overrides: allowed(0, 'loosening') }))).toBeNull();
    expect(brake([step('update', { effect: 'tightens' })], rules())).toBeNull();
  });

  it('also names what tightens, and repeats no reason', () => {
    const reasons = [tightens('the wall grows'), loosens('the gate opens'), loosens('the gate opens')];
    const blocked = theHeld(step('update', { effect: 'loosens', reasons }), rules());
    expect(blocked.reason).toBe('it loosens protection: the gate opens (it also tightens it: the wall grows)');
  });

  it('names the first of many reasons, and counts the others', () => {
    const reasons = ['a', 'b', 'c', 'd', 'e'].map((gate) => loosens(`gate ${gate} opens`));
    const blocked = theHeld(step('update', { effect: 'loosens', reasons }), rules());
    expect(blocked.reason).toBe('it loosens protection: gate a opens; gate b opens; gate c opens; and 2 more');
  });

  it.each([
    [3, 'it loosens protection: 1; 2; 3'],
    [4, 'it loosens protection: 1; 2; 3; and 1 more'],
    [9, 'it loosens protection: 1; 2; 3; and 6 more'],
  ])('names the first three of %i reasons', (count, reason) => {
    const reasons = Array.from({ length: count }, (_, index) => loosens(`${index + 1}`));
    expect(theHeld(step('update', { effect: 'loosens', reasons }), rules()).reason).toBe(reason);
  });

  it.each(['create', 'delete'] as const)('blocks a %s that loosens like any other change', (action) => {
    const loose = step(action, { effect: 'loosens', reasons: [loosens('the gate opens')] });
    expect(brake([loose], rules())).toBe('loosening');
    expect(brake([loose], rules({ overrides: allowed(0, 'loosening') }))).toBeNull();
    expect(brake([step(action, { effect: 'neutral' })], rules())).toBeNull();
  });
});

describe('unknown-fields', () => {
  const odd = { ...aLiveRule('1', 'p'), unknown: [{ path: '/fairplay/odd', value: { a: 1 } }] };

  it('blocks an update of an object with unknown members, naming path and value', () => {
    expect(theHeld(step('update', { live: odd }), rules()).reason).toContain('/fairplay/odd = {"a":1}');
    expect(brake([step('update', { live: odd })], rules({ overrides: allowed(0, 'unknown-fields') }))).toBeNull();
    expect(brake([step('delete', { live: odd })], rules())).toBeNull();
  });
});

describe('identity and observe', () => {
  it('block ambiguous changes, and all changes of an observed target', () => {
    const contested = step('create', { ambiguousReason: 'two fit' });
    expect(theHeld(contested, rules({ overrides: allowed(99, 'updates', 'loosening') }))).toMatchObject({
      check: 'identity',
      reason: 'two fit',
    });
    const observed = applySafetyChecks(
      [step('create'), step('update'), step('delete')],
      rules({ ownership: 'observe', overrides: allowed(99) }),
    );
    expect(observed.map(({ blocked }) => blocked?.check)).toEqual(['observe', 'observe', 'observe']);
    expect(brake([step('create')], rules({ ownership: 'exclusive' }))).toBeNull();
  });
});

describe('several safety checks on one change', () => {
  it('are all named, and the one that no flag overrides comes first', () => {
    const by = rules({ protect: ['song/*'] });
    const loose = step('update', { effect: 'loosens', reasons: [loosens('the gate opens')], ambiguousReason: 'two fit' });
    const blocked = theHeld(loose, by);
    expect(blocked.check).toBe('identity');
    expect(blocked.reason).toMatch(/two fit.*protect.*the gate opens/);
    expect(blocked.override).toMatch(/adopt.*upkeep\.yaml.*--allow loosening/);
  });

  it('block it while one of them is not overridden', () => {
    const odd = { ...aLiveRule('1', 'p'), unknown: [{ path: '/odd', value: 1 }] };
    const loose = step('update', { effect: 'loosens', live: odd });
    expect(brake([loose], rules({ overrides: allowed(0, 'loosening') }))).toBe('unknown-fields');
    expect(brake([loose], rules({ overrides: allowed(0, 'unknown-fields') }))).toBe('loosening');
    expect(brake([loose], rules({ overrides: allowed(0, 'unknown-fields', 'loosening') }))).toBeNull();
  });
});

describe('the reason and override of each safety check', () => {
  const odd = {
    ...aLiveRule('1', 'p'),
    unknown: [
      { path: '/odd', value: { a: 1 } },
      { path: '/even', value: 2 },
    ],
  };
  const release = 'edit `protect` of target stage in upkeep.yaml, under review';
  const few = { count: 5, percent: 30 };

  it.each<[string, string, readonly ScheduledChange[], Partial<SafetyInput>, string, string]>([
    [
      'an ambiguous object',
      'identity',
      [step('create', { ambiguousReason: 'two fit' })],
      {},
      'two fit',
      'name its object under `adopt` (`song/a: <remote ID>`), or edit the declaration',
    ],
    [
      'a target that is observed',
      'observe',
      [step('adopt')],
      { ownership: 'observe' },
      'target stage is only observed',
      'set `ownership: shared` in upkeep.yaml',
    ],
    [
      'a protected delete',
      'protect',
      [step('delete')],
      { protect: ['x', 'song/~*'] },
      '`protect` names it (song/~*), and it would be deleted',
      release,
    ],
    [
      'a protected forget',
      'protect',
      [step('forget', { address: 'song/a' })],
      { protect: ['song/a'] },
      '`protect` names it (song/a), and it would be forgotten',
      release,
    ],
    [
      'protected loosening',
      'protect',
      [step('update', { effect: 'loosens' })],
      { protect: ['song/a'], loosening: 'allow' },
      '`protect` names it (song/a), and it would be loosened',
      release,
    ],
    [
      'a doubt',
      'suspicious-read',
      [step('create')],
      { suspiciousReads: new Map([['song', 'half are gone']]) },
      'the read is suspicious: half are gone',
      '--allow suspicious-read',
    ],
    [
      'unknown members',
      'unknown-fields',
      [step('update', { live: odd })],
      {},
      'the update would reset what upkeep does not know: /odd = {"a":1}, /even = 2',
      '--allow unknown-fields',
    ],
    [
      'too many deletes',
      'deletes',
      many(6, 'delete'),
      { limits: { delete: few, update: { percent: 50 } } },
      '6 deletes of song, over the limit of 5',
      '--allow deletes=6',
    ],
    [
      'too large a part deleted',
      'deletes',
      many(4, 'delete'),
      live(10),
      '4 of 10 live song objects deleted, over the limit of 30 %',
      '--allow deletes=4',
    ],
    ['all deleted', 'deletes', many(2, 'delete'), live(2), 'all 2 live song objects deleted', '--allow deletes=2'],
    [
      'too large a part updated',
      'updates',
      many(6, 'update'),
      live(10),
      '6 of 10 live song objects updated, over the limit of 50 %',
      '--allow updates',
    ],
    [
      'loosening',
      'loosening',
      [step('update', { effect: 'loosens', reasons: [loosens('the gate opens')] })],
      {},
      'it loosens protection: the gate opens',
      '--allow loosening',
    ],
  ])('of %s', (_what, name, changes, more, reason, way) => {
    for (const { blocked } of applySafetyChecks(changes, rules(more))) expect(blocked).toEqual({ check: name, reason, override: way });
  });

  it('names each override once where several block', () => {
    const denial = { check: 'guard', reason: 'the guard says no', override: '--allow loosening' } as const;
    const loose = step('update', { effect: 'loosens', reasons: [loosens('the gate opens')] });
    expect(theHeld(loose, rules({ denied: new Map([[loose, denial]]) }))).toEqual({
      check: 'guard',
      reason: 'the guard says no; it loosens protection: the gate opens',
      override: '--allow loosening',
    });
    expect(theHeld(loose, rules({ protect: ['song/a'], suspiciousReads: new Map([['song', 'half are gone']]) }))).toEqual({
      check: 'protect',
      reason:
        '`protect` names it (song/a), and it would be loosened; the read is suspicious: half are gone; it loosens protection: the gate opens',
      override: `${release}; --allow suspicious-read; --allow loosening`,
    });
  });
});

describe('a suspicious read', () => {
  const doubts = new Map([['song', 'half are gone']]);

  it('blocks every change of its kind, and of no other, until it is allowed', () => {
    for (const action of ['create', 'update', 'delete', 'adopt', 'forget'] as const)
      expect(brake([step(action)], rules({ suspiciousReads: doubts }))).toBe('suspicious-read');
    expect(brake([step('create', { kind: rule })], rules({ suspiciousReads: doubts }))).toBeNull();
    expect(brake([step('create')], rules({ suspiciousReads: doubts, overrides: allowed(0, 'suspicious-read') }))).toBeNull();
    expect(
      brake([step('create')], rules({ suspiciousReads: doubts, overrides: allowed(0, 'updates', 'loosening', 'unknown-fields') })),
    ).toBe('suspicious-read');
  });
});

describe('counts', () => {
  it('of deletes include all kinds where a number is allowed', () => {
    const both = [...many(6, 'delete'), ...many(6, 'delete', rule)];
    const by = (most: number) =>
      rules({
        overrides: allowed(most),
        live: new Map([
          ['song', 100],
          ['rule', 100],
        ]),
      });
    expect(applySafetyChecks(both, by(11)).map(({ blocked }) => blocked?.override)).toEqual(new Array(12).fill('--allow deletes=12'));
    expect(applySafetyChecks(both, by(12)).map(({ blocked }) => blocked)).toEqual(new Array(12).fill(null));
  });

  it('of a kind without live objects are limited only by the number', () => {
    expect(brake(many(5, 'delete'), rules({ live: new Map() }))).toBeNull();
    expect(brake(many(6, 'delete'), rules({ live: new Map() }))).toBe('deletes');
    expect(brake(many(60, 'update'), rules({ live: new Map() }))).toBeNull();
  });
});

describe('overriddenChecks', () => {
  const everything = () => true;

  it('counts changes by overridden check, without blocked changes and those that no check blocks', () => {
    const changes = [...many(6, 'delete'), step('update', { effect: 'loosens' }), step('update')];
    const free = rules({ overrides: allowed(6, 'loosening', 'updates') });
    expect(overriddenChecks(applySafetyChecks(changes, free), free, everything)).toEqual(
      new Map([
        ['deletes', 6],
        ['loosening', 1],
      ]),
    );
    const braked = rules({ overrides: allowed(0, 'updates') });
    expect(overriddenChecks(applySafetyChecks(changes, braked), braked, everything)).toEqual(new Map());
  });

  it('counts only selected changes', () => {
    const free = rules({ overrides: allowed(6) });
    const isFirst = ({ address }: { readonly address: string }) => address === 'song/0';
    expect(overriddenChecks(applySafetyChecks(many(6, 'delete'), free), free, isFirst)).toEqual(new Map([['deletes', 1]]));
  });
});
