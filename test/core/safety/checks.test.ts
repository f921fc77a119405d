import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Limits } from '../../../src/core/config/project.ts';
import { strengthens, weakens } from '../../../src/core/kinds/kind.ts';
import {
  type Action,
  type AllowedCheck,
  blockingChecks,
  PLAYBACKS,
  type PlaybackReason,
  worstPlayback,
} from '../../../src/core/model/change.ts';
import type { DeviceClass } from '../../../src/core/model/impact.ts';
import { applySafetyChecks, overriddenByAddress, overriddenChecks, type SafetyInput } from '../../../src/core/safety/checks.ts';
import { isOverridden, NO_OVERRIDES, type Overrides, withOverridden } from '../../../src/core/safety/overrides.ts';
import type { PlannedChange } from '../../../src/core/state/planned-change.ts';
import { rule } from '../../support/fake-kinds.ts';
import { rounds } from '../../support/figures.ts';
import { liftOf } from '../../support/lifts.ts';
import { aLiveRule, aLiveSong, aSong } from '../../support/planning.ts';
import { assertProperty } from '../../support/property.ts';
import {
  allowed,
  blockingCheck,
  blockOf,
  changeOf,
  fieldOf,
  goingOffAir,
  LIMITS,
  liveSongs,
  many,
  OFF_AIR,
  onAir,
  safetyInput,
} from './fixtures.ts';

const TV: DeviceClass = { device: 'tv', name: 'TV', system: 'playready' };

/** A change with one reason about playback. */
function affecting(reason: PlaybackReason): PlannedChange {
  return changeOf('update', { playback: reason.playback, playbackReasons: [reason] });
}

describe('playback-loss, of what goes off air', () => {
  it.each([
    ['none', 0, 100, null],
    ['at the count', 5, 100, null],
    ['over the count', 6, 100, '6 of 100 active songs go off air, over the limit of 5'],
    ['at the percentage', 1, 10, null],
    ['over the percentage', 2, 10, '2 of 10 active songs go off air, over the limit of 10 %'],
    ['over the percentage of fewer than ten', 2, 9, null],
    ['under the percentage, where 10 percent is not a whole number', 1, 11, null],
    ['all but one of few', 4, 5, null],
    ['all of two', 2, 2, 'all 2 active songs go off air'],
    ['the only one', 1, 1, 'the only active song goes off air'],
  ])('counts against both limits: %s', (_what, count, onAirCount, expected) => {
    for (const action of ['update', 'delete'] as const) {
      const changes = goingOffAir(count, action);
      const limits: Limits = { ...LIMITS, delete: { count: 100, percent: 100 }, update: { percent: 100 } };
      const reasons = applySafetyChecks(changes, safetyInput({ ...onAir(onAirCount), limits })).map(
        ({ change: { blocked } }) => blocked?.reason ?? null,
      );
      expect(reasons).toEqual(changes.map(() => (expected === null ? null : `viewers lose playback: ${expected}`)));
    }
  });

  it('never lets more go off air than the limits say, whatever they are, and never all', () => {
    const limits = fc.record({ count: fc.nat(20), percent: fc.integer({ min: 0, max: 100 }) });
    assertProperty(
      fc.property(fc.nat(20), fc.nat(20), limits, (gone, staying, offAir) => {
        const input = safetyInput({ ...onAir(gone + staying), limits: { ...LIMITS, offAir, update: { percent: 100 } } });
        const free = applySafetyChecks(goingOffAir(gone), input).filter(({ change: { blocked } }) => blocked === null).length;
        const isWithin = gone <= offAir.count && (gone + staying < 10 || gone * 100 <= (gone + staying) * offAir.percent);
        expect(free).toBe(isWithin && staying > 0 ? gone : 0);
      }),
      { numRuns: rounds(100, 2_000) },
    );
  });

  it('names the limit that is exceeded, also where all that goes off air is blocked', () => {
    const strict = safetyInput({ playbackLoss: 'strict' });
    expect(applySafetyChecks(goingOffAir(6), strict)[0]?.change.blocked).toMatchObject({
      reason: 'viewers lose playback: 6 of 100 active songs go off air, over the limit of 5',
      limit: '6 of 100 active songs go off air, over the limit of 5',
    });
    expect(applySafetyChecks(goingOffAir(1), strict)[0]?.change.blocked).toEqual({
      check: 'playback-loss',
      reason: 'viewers lose playback: it goes off air',
      lift: { allow: 'playback-loss' },
    });
  });

  it('blocks none of the other changes', () => {
    const changes = [changeOf('update', { address: 'song/other' }), ...goingOffAir(6)];
    expect(blockingCheck(changes, safetyInput())).toBe(null);
  });

  it('counts none of the other changes', () => {
    const changes = [...goingOffAir(5), ...many(20, 'create'), ...many(20, 'update')];
    expect(blockingCheck(changes, safetyInput())).toBe(null);
  });

  it('keeps to the limits of the target, also where all may go off air by number and by percentage', () => {
    const limits = { ...LIMITS, offAir: { count: 9, percent: 100 } };
    expect(blockingCheck(goingOffAir(9), safetyInput({ limits, ...onAir(10), ...liveSongs(100) }))).toBe(null);
    expect(blockingCheck(goingOffAir(9), safetyInput({ limits, ...onAir(9), ...liveSongs(100) }))).toBe('playback-loss');
    const none = { ...LIMITS, offAir: { count: 0, percent: 100 } };
    expect(blockingCheck(goingOffAir(1), safetyInput({ limits: none }))).toBe('playback-loss');
  });
});

describe('playback-loss, of classes of devices', () => {
  const lost: PlaybackReason = { playback: 'stops', text: 'TV plays nothing any more', devices: [TV], policies: ['rule/a'] };
  const cases: readonly (readonly [string, PlaybackReason, boolean, boolean])[] = [
    ['an expected class that loses everything', lost, true, true],
    ['a class that is not expected to play', { ...lost, expected: false }, false, false],
    ['a stop that is about no class', { playback: 'stops', text: 'no licenses' }, false, true],
    ['a reduction', { playback: 'reduces', text: 'players need DRM' }, false, true],
    ['a reduction on an expected class', { ...lost, playback: 'reduces' }, false, true],
    ['a reduction on a class that is not expected to play', { ...lost, playback: 'reduces', expected: false }, false, false],
    ['an unknown effect', { playback: 'unknown', text: 'it is deleted' }, false, true],
    ['a gain', { playback: 'gains', text: 'it repeats' }, false, false],
    ['one that goes off air within the limits', { playback: 'stops', text: 'it goes off air', offAir: true }, false, true],
  ];

  it.each(cases)('judges %s', (_what, reason, isBlocked, isBlockedStrictly) => {
    const change = affecting(reason);
    expect(blockingCheck([change], safetyInput())).toBe(isBlocked ? 'playback-loss' : null);
    expect(blockingCheck([change], safetyInput({ playbackLoss: 'strict' }))).toBe(isBlockedStrictly ? 'playback-loss' : null);
    expect(blockingCheck([change], safetyInput({ playbackLoss: 'allow' }))).toBe(null);
    expect(blockingCheck([change], safetyInput({ playbackLoss: 'strict', overrides: allowed(0, 'playback-loss') }))).toBe(null);
  });

  it('blocks in each mode what the mode before it blocks, and what is worse than that, for all pairs of reasons within and over the limits', () => {
    const reasons = cases.map(([, reason]) => reason);
    const pairs = reasons.flatMap((one) => reasons.map((other) => [one, other]));
    const isBlocked = (playbackReasons: readonly PlaybackReason[], playbackLoss: SafetyInput['playbackLoss'], limit: number) => {
      const limits = { ...LIMITS, offAir: { count: limit, percent: 100 } };
      const change = changeOf('update', { playback: worstPlayback(playbackReasons), playbackReasons });
      return blockingCheck([change], safetyInput({ playbackLoss, limits })) !== null;
    };
    for (const limit of [0, 5])
      for (const pair of pairs) {
        const [allow, block, strict] = (['allow', 'block', 'strict'] as const).map((mode) => isBlocked(pair, mode, limit));
        const texts = pair.map(({ text, expected }) => `${text}${expected === false ? ', not expected' : ''}`);
        expect([allow, block, strict], texts.join(' and ')).toEqual([allow, block, strict].toSorted((a, b) => Number(a) - Number(b)));
        // Of what is expected to play, strict blocks everything from the least loss upwards.
        const worst = Math.min(...pair.filter(({ expected }) => expected !== false).map(({ playback }) => PLAYBACKS.indexOf(playback)));
        expect(strict, texts.join(' and ')).toBe(worst <= PLAYBACKS.indexOf('unknown'));
      }
  });

  it('names the worst reason first, whatever their order', () => {
    const reasons: readonly PlaybackReason[] = [{ playback: 'unknown', text: 'renamed' }, { playback: 'reduces', text: 'shorter' }, lost];
    const change = changeOf('update', { playback: 'stops', playbackReasons: reasons });
    expect(blockOf(change, safetyInput({ playbackLoss: 'strict' }))).toMatchObject({
      check: 'playback-loss',
      reason: 'viewers lose playback: TV plays nothing any more; shorter; renamed',
      lift: { allow: 'playback-loss' },
    });
    const mild = changeOf('update', { playback: 'reduces', playbackReasons: reasons.slice(0, 2) });
    expect(blockOf(mild, safetyInput({ playbackLoss: 'strict' })).reason).toBe('it reduces playback: shorter; renamed');
    const open = changeOf('update', { playback: 'unknown', playbackReasons: reasons.slice(0, 1) });
    expect(blockOf(open, safetyInput({ playbackLoss: 'strict' })).reason).toBe('it may affect playback: renamed');
  });

  it('comes before the limits on deletes and updates, whose reasons follow', () => {
    for (const action of ['delete', 'update'] as const) {
      const [first] = applySafetyChecks(goingOffAir(10, action), safetyInput({ ...liveSongs(12), ...onAir(12) }));
      expect(first?.change.blocked?.check).toBe('playback-loss');
      expect(liftOf(first?.change.blocked)).toBe(`--allow playback-loss; --allow ${action === 'delete' ? 'deletes=10' : 'updates'}`);
    }
  });

  it('is counted among the overridden checks', () => {
    const input = safetyInput({ overrides: allowed(0, 'playback-loss') });
    const checked = applySafetyChecks([affecting(lost), changeOf('update', { address: 'song/b' })], input);
    expect(overriddenChecks(checked, input, () => true)).toEqual([{ check: 'playback-loss', count: 1 }]);
  });
});

describe('deletes', () => {
  it.each([
    ['at the count', 5, 100, {}, null],
    ['over the count', 6, 100, {}, 'deletes'],
    ['at the percentage', 3, 10, {}, null],
    ['over the percentage', 4, 10, {}, 'deletes'],
    ['over the percentage of fewer than ten', 4, 9, {}, null],
    ['under the percentage, where 30 percent is not a whole number', 3, 11, {}, null],
    ['all of two', 2, 2, {}, 'deletes'],
    ['the only one', 1, 1, {}, null],
    ['all but one of few', 4, 5, {}, null],
    ['all, with a limit of 100 percent', 5, 5, { limits: { ...LIMITS, delete: { count: 5, percent: 100 } } }, null],
    ['all of ten, with a limit of 100 percent', 10, 10, { limits: { ...LIMITS, delete: { count: 10, percent: 100 } } }, null],
    ['one, with a limit of 0', 1, 100, { limits: { ...LIMITS, delete: { count: 0, percent: 30 } } }, 'deletes'],
  ])('count against both limits: %s', (_what, count, liveCount, more, expected) => {
    expect(blockingCheck(many(count, 'delete'), safetyInput({ ...liveSongs(liveCount), ...more }))).toBe(expected);
  });

  it('are counted for each kind', () => {
    const both = [...many(5, 'delete'), ...many(5, 'delete', rule)];
    expect(
      applySafetyChecks(
        both,
        safetyInput({
          liveCount: new Map([
            ['song', 100],
            ['rule', 100],
          ]),
        }),
      ).filter(({ change: { blocked } }) => blocked),
    ).toEqual([]);
    const checked = applySafetyChecks(
      [...many(6, 'delete'), ...many(5, 'delete', rule)],
      safetyInput({
        liveCount: new Map([
          ['song', 100],
          ['rule', 100],
        ]),
      }),
    );
    expect(new Set(checked.map((each) => `${each.kind.name} ${each.change.blocked?.check}`))).toEqual(
      new Set(['song deletes', 'rule undefined']),
    );
  });

  it('block no other change of the kind', () => {
    expect(blockingCheck([changeOf('create'), ...many(6, 'delete')], safetyInput())).toBeNull();
  });

  it.each([
    [Number.POSITIVE_INFINITY, null],
    [6, null],
    [5, 'deletes'],
    [0, 'deletes'],
  ])('are not blocked when %d are allowed: %s', (most, expected) => {
    expect(blockingCheck(many(6, 'delete'), safetyInput({ overrides: allowed(most) }))).toBe(expected);
  });

  it('name the counts, and the total number to allow', () => {
    const [first] = applySafetyChecks([...many(6, 'delete'), ...many(1, 'delete', rule)], safetyInput());
    expect(first?.change.blocked).toMatchObject({
      check: 'deletes',
      reason: expect.stringMatching(/6 .*5/),
      lift: { allow: 'deletes=7' },
    });
  });
});

describe('updates', () => {
  it.each([
    [50, 100, null],
    [51, 100, 'updates'],
    [9, 9, null],
    [6, 10, 'updates'],
    [5, 10, null],
  ])('%i of %i: %s', (count, liveCount, expected) => {
    expect(blockingCheck(many(count, 'update'), safetyInput(liveSongs(liveCount)))).toBe(expected);
  });

  it('are overridden by name, and are counted for each kind', () => {
    expect(blockingCheck(many(51, 'update'), safetyInput({ overrides: allowed(0, 'updates') }))).toBeNull();
    expect(blockingCheck(many(51, 'update', rule), safetyInput({ liveCount: new Map([['rule', 102]]) }))).toBeNull();
    expect(blockingCheck(many(51, 'create'), safetyInput())).toBeNull();
    expect(blockingCheck([changeOf('create'), ...many(51, 'update')], safetyInput())).toBeNull();
    expect(blockingCheck([...many(50, 'update'), ...many(9, 'create'), ...many(9, 'adopt')], safetyInput())).toBeNull();
  });
});

describe('protect', () => {
  it('blocks deletes and weakening changes of the addresses that it names', () => {
    const input = safetyInput({ protect: ['song/*'], weakening: 'allow' });
    expect(blockingCheck([changeOf('delete')], input)).toBe('protect');
    expect(blockingCheck([changeOf('update', { effect: 'weakens' })], input)).toBe('protect');
    expect(blockingCheck([changeOf('create', { effect: 'weakens' })], input)).toBe('protect');
    expect(blockingCheck([changeOf('update', { effect: 'strengthens' })], input)).toBeNull();
    expect(blockingCheck([changeOf('update')], input)).toBeNull();
  });

  it('matches the live name, declared or not, as it is and as a key', () => {
    for (const glob of ['The t*', 'song/The t*']) {
      const input = safetyInput({ protect: [glob], weakening: 'allow' });
      expect(blockingCheck([changeOf('delete')], input)).toBe('protect');
      expect(blockingCheck([changeOf('update', { effect: 'weakens' })], input)).toBe('protect');
      expect(blockingCheck([changeOf('update', { desired: aSong('a', { title: 'The title' }) })], input)).toBeNull();
    }
    expect(blockingCheck([changeOf('forget', { name: 'A name' })], safetyInput({ protect: ['A name'] }))).toBe('protect');
  });

  it('matches the live name of an object that was declared under another key', () => {
    const bound = { address: 'song/old-key', name: 'old-key' };
    expect(blockingCheck([changeOf('delete', bound)], safetyInput({ protect: ['The title'] }))).toBe('protect');
    expect(blockingCheck([changeOf('forget', bound)], safetyInput({ protect: ['The title'] }))).toBe('protect');
    expect(blockingCheck([changeOf('delete', bound)], safetyInput({ protect: ['Another title'] }))).toBeNull();
  });

  it('matches the previous address of an object, so that no move evades it', () => {
    const input = safetyInput({ protect: ['song/main'], weakening: 'allow' });
    expect(blockingCheck([changeOf('update', { effect: 'weakens', movedFrom: 'song/main' })], input)).toBe('protect');
    expect(blockingCheck([changeOf('delete', { replacementAddress: 'song/main' })], input)).toBe('protect');
    expect(blockingCheck([changeOf('forget', { address: 'song/main' })], input)).toBe('protect');
    expect(blockingCheck([changeOf('update', { effect: 'weakens', movedFrom: 'song/other' })], input)).toBeNull();
  });

  it.each<readonly [string, string, Action, { readonly movedFrom?: string; readonly title?: string }, boolean]>([
    ['a move away from its address', 'song/main', 'move', { movedFrom: 'song/main' }, true],
    ['a move to an address that is named, too', 'song/*', 'move', { movedFrom: 'song/main' }, false],
    ['a move away under a name that is named, too', 'song/*i*', 'move', { movedFrom: 'song/main' }, true],
    ['a move to a protected address', 'song/a', 'move', { movedFrom: 'song/main' }, false],
    ['an update with a move away', 'song/main', 'update', { movedFrom: 'song/main' }, true],
    ['an update that takes another name', 'The title', 'update', { title: 'Another' }, true],
    ['an update that takes another name, at a protected address', 'song/a', 'update', { title: 'Another' }, false],
    ['an adoption under another name', 'The title', 'update', { title: 'Another' }, true],
    ['an adoption under its name', 'The title', 'adopt', { title: 'The title' }, false],
  ])('blocks what would leave the list: %s', (_what, glob, action, { title = 'The title', ...rest }, isBlocked) => {
    const change = changeOf(action, { ...rest, desired: aSong('a', { title }) });
    expect(blockingCheck([change], safetyInput({ protect: [glob] }))).toBe(isBlocked ? 'protect' : null);
  });

  it('blocks the rename of an object to which others refer by its name, also within the list', () => {
    const rename = changeOf('update', { kind: rule, live: aLiveRule('one', 'a'), fields: [fieldOf('/name')] });
    expect(blockingCheck([rename], safetyInput({ protect: ['*'] }))).toBe('protect');
    expect(blockingCheck([rename], safetyInput({ protect: ['other/*'] }))).toBeNull();
  });

  it('is overridden only by an edit of upkeep.yaml', () => {
    const input = safetyInput({
      protect: ['nothing', 'song/~one'],
      overrides: allowed(Number.POSITIVE_INFINITY, 'updates', 'weakening', 'unknown-fields'),
    });
    const blocked = blockOf(changeOf('delete'), input);
    expect(blocked.reason).toContain('song/~one');
    expect(liftOf(blocked)).toMatch(/upkeep\.yaml/);
    expect(liftOf(blocked)).not.toContain('--allow');
  });
});

describe('weakening', () => {
  it('blocks changes that weaken, with their reasons, until they are allowed', () => {
    const loose = changeOf('update', { effect: 'weakens', reasons: [weakens('the gate opens'), weakens('the lock goes')] });
    const blocked = blockOf(loose, safetyInput());
    expect(blocked).toMatchObject({ check: 'weakening', lift: { allow: 'weakening' } });
    expect(blocked.reason).toBe('it weakens protection: the gate opens; the lock goes');
    expect(blockingCheck([loose], safetyInput({ weakening: 'allow' }))).toBeNull();
    expect(blockingCheck([loose], safetyInput({ overrides: allowed(0, 'weakening') }))).toBeNull();
    expect(blockingCheck([changeOf('update', { effect: 'strengthens' })], safetyInput())).toBeNull();
  });

  it('also names what strengthens, and repeats no reason', () => {
    const reasons = [strengthens('the wall grows'), weakens('the gate opens'), weakens('the gate opens')];
    const blocked = blockOf(changeOf('update', { effect: 'weakens', reasons }), safetyInput());
    expect(blocked.reason).toBe('it weakens protection: the gate opens (it also strengthens it: the wall grows)');
  });

  it('names the first of many reasons, and counts the others', () => {
    const reasons = ['a', 'b', 'c', 'd', 'e'].map((gate) => weakens(`gate ${gate} opens`));
    const blocked = blockOf(changeOf('update', { effect: 'weakens', reasons }), safetyInput());
    expect(blocked.reason).toBe('it weakens protection: gate a opens; gate b opens; gate c opens; and 2 more');
  });

  it.each([
    [3, 'it weakens protection: 1; 2; 3'],
    [4, 'it weakens protection: 1; 2; 3; and 1 more'],
    [9, 'it weakens protection: 1; 2; 3; and 6 more'],
  ])('names the first three of %i reasons', (count, reason) => {
    const reasons = Array.from({ length: count }, (_, index) => weakens(`${index + 1}`));
    expect(blockOf(changeOf('update', { effect: 'weakens', reasons }), safetyInput()).reason).toBe(reason);
  });

  it.each(['create', 'delete'] as const)('blocks a %s that weakens like any other change', (action) => {
    const loose = changeOf(action, { effect: 'weakens', reasons: [weakens('the gate opens')] });
    expect(blockingCheck([loose], safetyInput())).toBe('weakening');
    expect(blockingCheck([loose], safetyInput({ overrides: allowed(0, 'weakening') }))).toBeNull();
    expect(blockingCheck([changeOf(action, { effect: 'neutral' })], safetyInput())).toBeNull();
  });
});

describe('weakening by the first objects of an account', () => {
  const cause = 'these are the first rules';
  const named = { ...rule, whyFirstWeaken: cause };
  const loose = { kind: named, effect: 'weakens', reasons: [weakens('the gate opens')] } as const;
  const none = safetyInput({ liveCount: new Map([['rule', 0]]) });

  it('is blocked with what all of them have in common, and the override that is for these alone', () => {
    expect(blockOf(changeOf('create', loose), none)).toEqual({
      check: 'weakening',
      reason: 'it weakens protection: the gate opens (these are the first rules)',
      lift: { allow: 'weakening=rule/*' },
      cause,
    });
  });

  it.each<[string, Parameters<typeof changeOf>, Parameters<typeof safetyInput>[0]]>([
    ['a create where objects are live', ['create', loose], { liveCount: new Map([['rule', 1]]) }],
    ['a create where it is not known what is live', ['create', loose], { liveCount: new Map() }],
    ['a create of what somebody deleted by hand', ['create', { ...loose, origin: 'drift' }], none],
    ['a create of what both sides changed', ['create', { ...loose, origin: 'both' }], none],
    ['an update', ['update', loose], none],
    ['a create of a kind whose objects nobody names', ['create', { ...loose, kind: rule }], none],
  ])('is none of %s, which any override of the check lets through', (_what, change, input) => {
    const [first] = blockingChecks(blockOf(changeOf(...change), safetyInput(input)));
    expect([first?.lift.allow, first?.cause, first?.reason]).toEqual(['weakening', undefined, 'it weakens protection: the gate opens']);
  });

  it('is not blocked where the check is overridden for all, or for the address', () => {
    const only = { ...allowed(0), only: new Map([['weakening', ['rule/*']] as const]) };
    for (const overrides of [allowed(0, 'weakening'), only])
      expect(blockingCheck([changeOf('create', { ...loose, address: 'rule/a' })], { ...none, overrides })).toBeNull();
    expect(blockingCheck([changeOf('create', { ...loose, address: 'song/a' })], { ...none, overrides: only })).toBe('weakening');
  });
});

describe('unknown-fields', () => {
  const odd = { ...aLiveRule('1', 'p'), unknownMembers: [{ path: '/fairplay/odd', value: { a: 1 } }] };

  it('blocks an update of an object that is updated whole, whichever field changes', () => {
    const update = changeOf('update', { kind: rule, live: odd, fields: [fieldOf('/strength')] });
    expect(blockingCheck([update], safetyInput())).toBe('unknown-fields');
  });

  it('blocks an update of an object with unknown members, naming path and value', () => {
    expect(blockOf(changeOf('update', { kind: rule, live: odd }), safetyInput()).reason).toContain('/fairplay/odd = {"a":1}');
    expect(
      blockingCheck([changeOf('update', { kind: rule, live: odd })], safetyInput({ overrides: allowed(0, 'unknown-fields') })),
    ).toBeNull();
    expect(blockingCheck([changeOf('delete', { kind: rule, live: odd })], safetyInput())).toBeNull();
  });

  it('blocks an update of single fields only where it sends the field that holds the member', () => {
    const live = { ...aLiveSong('1'), unknownMembers: [{ path: '/list/0/odd', value: 1 }] };
    const updateOf = (path: string) => changeOf('update', { live, fields: [fieldOf(path)] });
    expect(blockingCheck([updateOf('/level')], safetyInput())).toBeNull();
    expect(blockingCheck([updateOf('/list/1')], safetyInput())).toBe('unknown-fields');
  });

  it('does not block what `service.resettable_members` names, and blocks the others', () => {
    const two = [...odd.unknownMembers, { path: '/list/3/odd', value: 1 }];
    const update = changeOf('update', { kind: rule, live: { ...odd, unknownMembers: two } });
    const reasonWith = (...resettableMembers: string[]) =>
      applySafetyChecks([update], safetyInput({ resettableMembers }))[0]?.change.blocked?.reason.replace(
        /^the update may reset (.*), which upkeep does not know$/,
        '$1',
      ) ?? null;
    expect(reasonWith()).toBe('/fairplay/odd = {"a":1}, /list/3/odd = 1');
    expect(reasonWith('/fairplay/odd')).toBe('/list/3/odd = 1');
    expect(reasonWith('/fairplay/odd', '/list/*/odd')).toBeNull();
    expect(reasonWith('/fairplay', '/list/3', '/*/odd', '/odd', '/list/4/odd')).toBe('/fairplay/odd = {"a":1}, /list/3/odd = 1');
  });
});

describe('identity and observe', () => {
  it('block changes with an identity problem, and all changes of an observed target', () => {
    const withProblem = changeOf('create', { identityProblem: { reason: 'two fit' } });
    expect(blockOf(withProblem, safetyInput({ overrides: allowed(99, 'updates', 'weakening') }))).toMatchObject({
      check: 'identity',
      reason: 'two fit',
    });
    const observed = applySafetyChecks(
      [changeOf('create'), changeOf('update'), changeOf('delete')],
      safetyInput({ ownership: 'observe', overrides: allowed(99) }),
    );
    expect(observed.map(({ change: { blocked } }) => blocked?.check)).toEqual(['observe', 'observe', 'observe']);
    expect(blockingCheck([changeOf('create')], safetyInput({ ownership: 'exclusive' }))).toBeNull();
  });
});

describe('several safety checks on one change', () => {
  it('are all named, and the one that no flag overrides comes first', () => {
    const input = safetyInput({ protect: ['song/*'] });
    const loose = changeOf('update', { effect: 'weakens', reasons: [weakens('the gate opens')], identityProblem: { reason: 'two fit' } });
    const blocked = blockOf(loose, input);
    expect(blocked.check).toBe('identity');
    expect(blocked.reason).toMatch(/two fit.*protect.*the gate opens/);
    expect(liftOf(blocked)).toMatch(/adopt.*upkeep\.yaml.*--allow weakening/);
  });

  it('block it until all of them are overridden', () => {
    const odd = { ...aLiveRule('1', 'p'), unknownMembers: [{ path: '/odd', value: 1 }] };
    const loose = changeOf('update', { kind: rule, effect: 'weakens', live: odd });
    expect(blockingCheck([loose], safetyInput({ overrides: allowed(0, 'weakening') }))).toBe('unknown-fields');
    expect(blockingCheck([loose], safetyInput({ overrides: allowed(0, 'unknown-fields') }))).toBe('weakening');
    expect(blockingCheck([loose], safetyInput({ overrides: allowed(0, 'unknown-fields', 'weakening') }))).toBeNull();
  });
});

describe('the reason and override of each safety check', () => {
  const odd = {
    ...aLiveRule('1', 'p'),
    unknownMembers: [
      { path: '/odd', value: { a: 1 } },
      { path: '/even', value: 2 },
    ],
  };
  const protectOverride = 'edit `protect` of target stage in upkeep.yaml, under review';
  const few = { count: 5, percent: 30 };

  it.each<[string, string, readonly PlannedChange[], Partial<SafetyInput>, string, string]>([
    [
      'an identity problem',
      'identity',
      [changeOf('create', { identityProblem: { reason: 'two fit' } })],
      {},
      'two fit',
      'name its object under `adopt` (`song/a: <remote ID>`), or edit the declaration',
    ],
    [
      'a target that is observed',
      'observe',
      [changeOf('adopt')],
      { ownership: 'observe' },
      'target stage is only observed',
      'set `ownership: shared` in upkeep.yaml',
    ],
    [
      'a protected delete',
      'protect',
      [changeOf('delete')],
      { protect: ['x', 'song/~*'] },
      '`protect` names song/~*, and it would be deleted',
      protectOverride,
    ],
    [
      'a protected forget',
      'protect',
      [changeOf('forget', { address: 'song/a' })],
      { protect: ['song/a'] },
      '`protect` names song/a, and it would be forgotten',
      protectOverride,
    ],
    [
      'protected weakening',
      'protect',
      [changeOf('update', { effect: 'weakens' })],
      { protect: ['song/a'], weakening: 'allow' },
      '`protect` names song/a, and its protection would be weakened',
      protectOverride,
    ],
    [
      'a protected stop of playback',
      'protect',
      [changeOf('update', OFF_AIR)],
      { protect: ['song/a'], playbackLoss: 'allow' },
      '`protect` names song/a, and it would be changed so that playback stops',
      protectOverride,
    ],
    [
      'a suspicious read',
      'suspicious-read',
      [changeOf('create')],
      { suspiciousReads: new Map([['song', 'half are gone']]) },
      'the read is suspicious: half are gone',
      '--allow suspicious-read',
    ],
    [
      'a first apply that may be none',
      'first-apply',
      [changeOf('adopt')],
      { firstApply: { reason: 'no apply is recorded', lift: { course: 'set the ledger back' } } },
      'no apply is recorded',
      'set the ledger back, or --allow first-apply',
    ],
    [
      'unknown members',
      'unknown-fields',
      [changeOf('update', { kind: rule, live: odd })],
      {},
      'the update may reset /odd = {"a":1}, /even = 2, which upkeep does not know',
      'if they may be reset, write `service: { resettable_members: ["/odd","/even"] }` for target stage in upkeep.yaml, or --allow unknown-fields',
    ],
    [
      'too many deletes',
      'deletes',
      many(6, 'delete'),
      { limits: { ...LIMITS, delete: few } },
      '6 deletes of song, over the limit of 5',
      '--allow deletes=6',
    ],
    [
      'too large a part deleted',
      'deletes',
      many(4, 'delete'),
      liveSongs(10),
      '4 of 10 live song objects deleted, over the limit of 30 %',
      '--allow deletes=4',
    ],
    ['all deleted', 'deletes', many(2, 'delete'), liveSongs(2), 'all 2 live song objects deleted', '--allow deletes=2'],
    [
      'too large a part updated',
      'updates',
      many(6, 'update'),
      liveSongs(10),
      '6 of 10 live song objects updated, over the limit of 50 %',
      '--allow updates',
    ],
    [
      'weakening',
      'weakening',
      [changeOf('update', { effect: 'weakens', reasons: [weakens('the gate opens')] })],
      {},
      'it weakens protection: the gate opens',
      '--allow weakening',
    ],
  ])('of %s', (_what, name, changes, more, reason, override) => {
    for (const {
      change: { blocked },
    } of applySafetyChecks(changes, safetyInput(more)))
      expect([blocked?.check, blocked?.reason, liftOf(blocked)]).toEqual([name, reason, override]);
  });

  it('names what lifts each once where several block', () => {
    const denial = { check: 'guard', reason: 'the guard says no', lift: { allow: 'weakening' } } as const;
    const loose = changeOf('update', { effect: 'weakens', reasons: [weakens('the gate opens')] });
    const guarded = blockOf(loose, safetyInput({ denied: new Map([[loose, denial]]) }));
    expect(guarded).toMatchObject({ check: 'guard', reason: 'the guard says no; it weakens protection: the gate opens' });
    expect(liftOf(guarded)).toBe('--allow weakening');
    const named = blockOf(loose, safetyInput({ protect: ['song/a'], suspiciousReads: new Map([['song', 'half are gone']]) }));
    expect(named).toMatchObject({
      check: 'protect',
      reason:
        '`protect` names song/a, and its protection would be weakened; the read is suspicious: half are gone; it weakens protection: the gate opens',
    });
    expect(liftOf(named)).toBe(`${protectOverride}; --allow suspicious-read; --allow weakening`);
  });

  it('says with which value of --allow each check is overridden, and which limit is exceeded', () => {
    const checksOf = (change: PlannedChange, more: Partial<SafetyInput>) => blockingChecks(blockOf(change, safetyInput(more)));
    const loose = changeOf('update', { effect: 'weakens', identityProblem: { reason: 'two fit' } });
    expect(checksOf(loose, { protect: ['song/a'] }).map(({ check, lift, limit }) => [check, lift.allow, limit])).toEqual([
      ['identity', undefined, undefined],
      ['protect', undefined, undefined],
      ['weakening', 'weakening', undefined],
    ]);
    const limits = { ...LIMITS, delete: few };
    const [first] = applySafetyChecks(many(6, 'delete'), safetyInput({ limits }));
    expect(first?.change.blocked).toMatchObject({ lift: { allow: 'deletes=6' }, limit: '6 deletes of song, over the limit of 5' });
    expect(first?.change.blocked).not.toHaveProperty('checks');
  });

  it('says the limit that is exceeded apart from the reason, and nothing of one where the check is about something else', () => {
    const firstBlock = (changes: readonly PlannedChange[], more: Partial<SafetyInput> = {}) =>
      applySafetyChecks(changes, safetyInput(more))[0]?.change.blocked;
    const updated = '6 of 10 live song objects updated, over the limit of 50 %';
    expect(firstBlock(many(6, 'update'), liveSongs(10))).toStrictEqual({
      check: 'updates',
      reason: updated,
      lift: { allow: 'updates' },
      limit: updated,
    });
    const loss = { check: 'playback-loss', lift: { allow: 'playback-loss' } };
    const offAir = '6 of 100 active songs go off air, over the limit of 5';
    expect(firstBlock(goingOffAir(6))).toStrictEqual({ ...loss, reason: `viewers lose playback: ${offAir}`, limit: offAir });
    const lost = affecting({ playback: 'stops', text: 'TV plays nothing any more', devices: [TV] });
    expect(firstBlock([lost])).toStrictEqual({ ...loss, reason: 'viewers lose playback: TV plays nothing any more' });
  });

  it('ends the reason of a check without its full stop where another one follows, and changes no other', () => {
    const denial = { check: 'guard', reason: 'guard `g`: Ask for rule 1.2. Then wait.', lift: { edit: 'edit `guards`' } } as const;
    const loose = changeOf('update', { effect: 'weakens', reasons: [weakens('level 2.0 opens.')] });
    expect(blockOf(loose, safetyInput({ denied: new Map([[loose, denial]]) })).reason).toBe(
      'guard `g`: Ask for rule 1.2. Then wait; it weakens protection: level 2.0 opens.',
    );
  });
});

describe('a suspicious read', () => {
  const suspiciousReads = new Map([['song', 'half are gone']]);

  it('blocks every change of its kind, and of no other, until it is allowed', () => {
    for (const action of ['create', 'update', 'delete', 'adopt', 'forget'] as const)
      expect(blockingCheck([changeOf(action)], safetyInput({ suspiciousReads }))).toBe('suspicious-read');
    expect(blockingCheck([changeOf('create', { kind: rule })], safetyInput({ suspiciousReads }))).toBeNull();
    expect(blockingCheck([changeOf('create')], safetyInput({ suspiciousReads, overrides: allowed(0, 'suspicious-read') }))).toBeNull();
    expect(
      blockingCheck(
        [changeOf('create')],
        safetyInput({ suspiciousReads, overrides: allowed(0, 'updates', 'weakening', 'unknown-fields') }),
      ),
    ).toBe('suspicious-read');
  });
});

describe('counts', () => {
  it('of deletes include all kinds if `--allow deletes=N` is given', () => {
    const both = [...many(6, 'delete'), ...many(6, 'delete', rule)];
    const withDeletes = (most: number) =>
      safetyInput({
        overrides: allowed(most),
        liveCount: new Map([
          ['song', 100],
          ['rule', 100],
        ]),
      });
    expect(applySafetyChecks(both, withDeletes(11)).map(({ change: { blocked } }) => liftOf(blocked))).toEqual(
      new Array(12).fill('--allow deletes=12'),
    );
    expect(applySafetyChecks(both, withDeletes(12)).map(({ change: { blocked } }) => blocked)).toEqual(new Array(12).fill(null));
  });

  it('of a kind without live objects are limited by number, not by percentage', () => {
    expect(blockingCheck(many(5, 'delete'), safetyInput({ liveCount: new Map() }))).toBeNull();
    expect(blockingCheck(many(6, 'delete'), safetyInput({ liveCount: new Map() }))).toBe('deletes');
    expect(blockingCheck(many(60, 'update'), safetyInput({ liveCount: new Map() }))).toBeNull();
  });
});

describe('the overrides of a run', () => {
  it('include the checks that it names, and deletes from one on', () => {
    const checks = ['deletes', 'updates', 'weakening', 'suspicious-read', 'unknown-fields', 'protect', 'identity'] as const;
    const named = (overrides: Overrides) => checks.filter((check) => isOverridden(overrides, { check, count: 1 }));
    expect(named(NO_OVERRIDES)).toEqual([]);
    expect(named(allowed(1))).toEqual(['deletes']);
    expect(named(allowed(0, 'updates', 'unknown-fields'))).toEqual(['updates', 'unknown-fields']);
  });

  it('let through the changes of an address, which count against no limit, and nothing else', () => {
    const only = (check: AllowedCheck, ...globs: string[]): Overrides => ({ ...NO_OVERRIDES, only: new Map([[check, globs]]) });
    const at = (index: number) => changeOf('update', { address: `song/${index}`, effect: 'weakens' });
    const blockedBy = (changes: readonly PlannedChange[], overrides: Overrides) =>
      applySafetyChecks(changes, safetyInput({ overrides })).flatMap(({ change }) => (change.blocked ? [change.address] : []));
    expect(blockedBy([at(1), at(2)], only('weakening', 'song/1'))).toEqual(['song/2']);
    expect(blockedBy([at(1), at(2)], only('weakening', 'song/*'))).toEqual([]);
    expect(blockedBy([at(1)], only('updates', 'song/*'))).toEqual(['song/1']);
    const deletes = many(6, 'delete');
    const [first] = deletes;
    expect(blockedBy(deletes, only('deletes', first?.change.address ?? ''))).toEqual([]);
    expect(blockedBy([...deletes, ...many(1, 'delete')], only('deletes', 'no/such'))).toHaveLength(7);
  });

  it('of an address stand so in the plan, and are overridden again by the same', () => {
    const overrides: Overrides = { ...NO_OVERRIDES, only: new Map([['weakening', ['song/a']]]) };
    const input = safetyInput({ overrides });
    const checked = applySafetyChecks([changeOf('update', { effect: 'weakens' })], input);
    const overridden = overriddenChecks(checked, input, () => true);
    expect(overridden).toEqual([{ check: 'weakening', count: 1, only: ['song/a'] }]);
    expect(withOverridden(NO_OVERRIDES, overridden)).toEqual(overrides);
    for (const [own, is] of [
      [overrides, true],
      [allowed(0, 'weakening'), true],
      [NO_OVERRIDES, false],
      [{ ...NO_OVERRIDES, only: new Map([['weakening', ['song/b']]]) } satisfies Overrides, false],
    ] as const)
      expect(overridden.every((each) => isOverridden(own, each))).toBe(is);
  });

  it('take up the checks of an approved plan, and none that no flag overrides', () => {
    const approved = (['deletes', 'weakening', 'protect'] as const).map((check) => ({ check, count: 2 }));
    expect(withOverridden({ ...allowed(0, 'updates'), dirty: true }, approved)).toEqual({
      ...allowed(Number.POSITIVE_INFINITY, 'updates', 'weakening'),
      dirty: true,
    });
    expect(withOverridden(allowed(3, 'updates'), [])).toEqual(allowed(3, 'updates'));
  });
});

describe('overriddenByAddress', () => {
  it('lists for each change the checks that only the overrides let it pass, sorted, and no change without any', () => {
    const numbers = [0, 1, 2, 3, 4, 5];
    const deletes = numbers.map((number) => changeOf('delete', { address: `song/${number}`, effect: 'weakens' }));
    const changes = [...deletes, changeOf('update', { address: 'song/x' })];
    const overridden = safetyInput({ overrides: allowed(6, 'weakening') });
    expect(overriddenByAddress(applySafetyChecks(changes, overridden), overridden)).toEqual(
      new Map(numbers.map((number) => [`song/${number}`, ['deletes', 'weakening']])),
    );
    const notOverridden = safetyInput({ overrides: allowed(6) });
    expect(overriddenByAddress(applySafetyChecks(changes, notOverridden), notOverridden)).toEqual(new Map());
  });
});

describe('overriddenChecks', () => {
  const everything = () => true;

  it('counts only changes that would be blocked without the overrides, by safety check', () => {
    const changes = [...many(6, 'delete'), changeOf('update', { effect: 'weakens' }), changeOf('update')];
    const overridden = safetyInput({ overrides: allowed(6, 'weakening', 'updates') });
    expect(overriddenChecks(applySafetyChecks(changes, overridden), overridden, everything)).toEqual([
      { check: 'deletes', count: 6 },
      { check: 'weakening', count: 1 },
    ]);
    const notOverridden = safetyInput({ overrides: allowed(0, 'updates') });
    expect(overriddenChecks(applySafetyChecks(changes, notOverridden), notOverridden, everything)).toEqual([]);
  });

  it('sorts them by name, whatever the order of the changes', () => {
    const changes = [changeOf('update', { effect: 'weakens' }), ...many(6, 'delete')];
    const overridden = safetyInput({ overrides: allowed(6, 'weakening') });
    expect(overriddenChecks(applySafetyChecks(changes, overridden), overridden, everything).map(({ check }) => check)).toEqual([
      'deletes',
      'weakening',
    ]);
  });

  it('counts only selected changes', () => {
    const overridden = safetyInput({ overrides: allowed(6) });
    const isFirst = ({ address }: { readonly address: string }) => address === 'song/0';
    expect(overriddenChecks(applySafetyChecks(many(6, 'delete'), overridden), overridden, isFirst)).toEqual([
      { check: 'deletes', count: 1 },
    ]);
  });
});
