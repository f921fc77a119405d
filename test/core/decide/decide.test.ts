/** Whether a run may write, as a table of facts (design section 16): no git, no service. */
import { describe, expect, test } from 'vitest';
import { decide } from '../../../src/core/decide/decide.ts';
import { NOTHING_DECLARED, type StageFacts } from '../../../src/core/decide/decide-stage.ts';
import { type Facts, MOMENTS, type Moment, NO_STAGES, NOT_ASKED } from '../../../src/core/decide/facts.ts';
import type { Change } from '../../../src/core/model/change.ts';
import type { Condition, Exception, Hold, HoldStatus, RuleName } from '../../../src/core/model/decision.ts';
import { type ExitCode, highestPrecedence } from '../../../src/core/model/exit-codes.ts';
import { NO_OVERRIDES, withOverride } from '../../../src/core/safety/overrides.ts';
import { changeOf } from '../../support/changes.ts';
import { FREE_FACTS, planOf } from './free-facts.ts';

const DAY = 24 * 3_600_000;
const NOW = Date.parse('2026-11-28T12:00Z');
const FREEZE = { type: 'deny', why: 'incident', unless: [], times: { from: null, until: null }, isExpired: false, path: [] } as const;

type Planned = NonNullable<Facts['plan']>;

const CHANGE = changeOf({ address: 'playlist/a' });
const BLOCKED = changeOf({
  address: 'playlist/b',
  blocked: { check: 'weakening', reason: 'it weakens', lift: { allow: 'weakening' } },
});
const PROTECTED = changeOf({
  address: 'playlist/c',
  blocked: { check: 'protect', reason: 'it is protected', lift: { edit: 'edit `protect`' } },
});

/** A run that nothing holds back. */
const FREE: Facts = {
  ...FREE_FACTS,
  now: NOW,
  plan: planOf([CHANGE]),
  commit: { known: { id: 'c0ffee0123456789', dirty: [] } },
  branch: { known: { name: 'origin/main', commit: 'c0ffee0123456789', hasCommit: true } },
};

const NOTHING_THERE = { declared: NOTHING_DECLARED, unknown: null };

/** An earlier target that carries the configuration since a time, Unix milliseconds, and has to for a day; null = it has not carried it. */
function stages(since: number | null): Facts['stages'] {
  const values = { isWhole: true, isKilled: false, isInterrupted: false, leftOut: new Map(), writes: new Map(), stands: NOTHING_THERE };
  const entries = since === null ? [] : [{ at: since, commit: 'C', digest: 'of C', ...values }];
  const known: StageFacts = {
    next: NOTHING_DECLARED,
    digest: 'of C',
    commit: 'C',
    later: { ...NOTHING_THERE, commit: null },
    history: { entries, isAll: true },
    contained: new Map(),
    soakMs: DAY,
    now: NOW,
  };
  return { known: { ...NO_STAGES, commit: 'C', before: [{ target: 'staging', facts: { known } }] } };
}

const STAGE = stages(null);

/** The statuses of what holds back, the worst first, as design section 16 lists them. */
const WORST_FIRST: readonly HoldStatus[] = ['unknown', 'refused', 'blocked', 'behind', 'waits'];

/** Each way in which one thing alone holds a run back, in order of precedence within a status. */
const HOLDS: readonly {
  readonly rule: RuleName;
  readonly status: HoldStatus;
  readonly exit: ExitCode;
  readonly moments: readonly Moment[];
  readonly facts: Partial<Facts>;
  readonly plan?: Partial<Planned>;
  readonly allow?: Condition | 'dirty';
  readonly isSkipped?: true;
}[] = [
  {
    rule: 'stale-plan',
    status: 'refused',
    exit: 6,
    moments: ['planned'],
    facts: { differs: { known: ['the plan is now sha256:1'] } },
  },
  { rule: 'lock', status: 'refused', exit: 9, moments: ['planned', 'answered'], facts: { lock: { known: 'lost' } } },
  {
    rule: 'incomplete-read',
    status: 'unknown',
    exit: 10,
    moments: MOMENTS,
    facts: {},
    plan: { unread: [{ kind: 'static-key', refused: false, reason: 'HTTP 500' }] },
    isSkipped: true,
  },
  { rule: 'weakening', status: 'blocked', exit: 4, moments: MOMENTS, facts: {}, plan: { changes: [CHANGE, BLOCKED] }, isSkipped: true },
  { rule: 'rollback', status: 'behind', exit: 4, moments: MOMENTS, facts: {}, plan: { behind: [behind()] }, isSkipped: true },
  {
    rule: 'dirty',
    status: 'waits',
    exit: 4,
    moments: MOMENTS,
    facts: { commit: { known: { id: 'c0ffee0123456789', dirty: ['config/a.yaml'] } } },
    allow: 'dirty',
  },
  {
    rule: 'not-on-branch',
    status: 'waits',
    exit: 4,
    moments: MOMENTS,
    facts: { branch: { known: { name: 'origin/main', commit: 'c0ffee0123456789', hasCommit: false } } },
  },
  { rule: 'promotion', status: 'waits', exit: 4, moments: MOMENTS, facts: { stages: STAGE }, allow: 'promotion' },
  {
    rule: 'window',
    status: 'waits',
    exit: 4,
    moments: MOMENTS,
    facts: { windows: { known: [{ timeZone: null, rules: [FREEZE] }] } },
    allow: 'window',
  },
  { rule: 'not-confirmed', status: 'refused', exit: 4, moments: ['answered'], facts: { answer: { known: 'no' } } },
];

function behind(): Change {
  return changeOf({
    address: 'playlist/d',
    blocked: { check: 'rollback', reason: 'it rolls back', lift: { allow: 'rollback' } },
  });
}

function factsOf(holds: readonly (typeof HOLDS)[number][], more: Partial<Facts> = {}): Facts {
  const plan = { ...planOf([CHANGE]), ...Object.assign({}, ...holds.map((each) => each.plan ?? {})) };
  return { ...FREE, ...Object.assign({}, ...holds.map(({ facts }) => facts)), plan, ...more };
}

const rulesOf = (holds: readonly Hold[]): readonly RuleName[] => holds.map(({ rule }) => rule);

test('nothing holds back a run of which everything is known and nothing is in the way', () => {
  for (const moment of MOMENTS)
    expect(decide({ ...FREE, moment })).toEqual({
      at: new Date(NOW).toISOString(),
      status: 'ready',
      exit: 0,
      sends: ['playlist/a'],
      withSkip: ['playlist/a'],
      holds: [],
      overridden: [],
      next: [],
    });
});

describe.each(HOLDS)('$rule', ({ rule, status, exit, moments, facts, plan }) => {
  test.each(MOMENTS)('holds back at its moments only: %s', (moment) => {
    const decision = decide({ ...FREE, ...facts, plan: { ...planOf([CHANGE]), ...plan }, moment });
    const isAsked = moments.includes(moment);
    expect([decision.status, decision.exit, rulesOf(decision.holds)]).toEqual(isAsked ? [status, exit, [rule]] : ['ready', 0, []]);
    expect(decision.sends).toEqual(isAsked ? [] : ['playlist/a']);
  });
});

describe('what is not known', () => {
  // By moment: what a fact does that could not be read, and one that nobody looked for.
  const UNKNOWN = 'cannot be read';
  test.each<[fact: keyof Facts, rule: RuleName, plan: string, planned: string, answered: string]>([
    ['differs', 'stale-plan', 'passes, passes', 'holds, holds', 'passes, passes'],
    ['lock', 'lock', 'passes, passes', 'holds, holds', 'holds, holds'],
    ['commit', 'dirty', 'holds, passes', 'holds, holds', 'holds, holds'],
    ['branch', 'not-on-branch', 'holds, passes', 'holds, holds', 'holds, holds'],
    ['stages', 'promotion', 'holds, passes', 'holds, holds', 'holds, holds'],
    ['windows', 'window', 'holds, passes', 'holds, holds', 'holds, holds'],
    ['answer', 'not-confirmed', 'passes, passes', 'passes, passes', 'holds, holds'],
  ])('never passes, unless nobody looks for it yet, and is lifted as its rule is: %s', (fact, rule, ...cells) => {
    const allow = HOLDS.find((each) => each.rule === rule)?.allow;
    for (const [index, moment] of MOMENTS.entries()) {
      const does = [{ unknown: UNKNOWN }, NOT_ASKED].map((value) => {
        const { status, holds } = decide({ ...FREE, moment, [fact]: value });
        if (holds.length === 0) return status === 'ready' ? 'passes' : status;
        expect(holds).toEqual([{ rule, on: null, status: 'unknown', reason: value.unknown, lift: allow === undefined ? null : { allow } }]);
        return status === 'unknown' ? 'holds' : status;
      });
      expect(does.join(', '), moment).toBe(cells[index]);
    }
  });
});

describe('two holds together', () => {
  const pairs = HOLDS.flatMap((one, index) => HOLDS.slice(index + 1).map((other) => [one, other] as const));
  const ways: readonly (Partial<Facts> & { readonly lifted?: string })[] = [
    {},
    { skipsHeld: true },
    ...['dirty', 'promotion', 'window'].map((lifted) => ({ lifted, overrides: withOverride(NO_OVERRIDES, lifted) ?? NO_OVERRIDES })),
  ];

  test.each(pairs)('$rule', (...pair) => {
    for (const moment of MOMENTS) {
      for (const { lifted, ...way } of ways) {
        const decision = decide(factsOf(pair, { ...way, moment }));
        const found = pair.filter(({ moments }) => moments.includes(moment));
        const isLifted = ({ allow }: (typeof HOLDS)[number]) => allow !== undefined && allow === lifted;
        const open = found.filter((each) => !isLifted(each));
        const stopping = open.filter(({ isSkipped }) => !(isSkipped && way.skipsHeld));
        const statuses = stopping.map(({ status }) => status);
        expect(decision.status).toBe(WORST_FIRST.find((status) => statuses.includes(status)) ?? 'ready');
        expect(decision.exit).toBe(highestPrecedence(open.map(({ exit }) => exit)));
        expect(rulesOf(decision.holds).toSorted()).toEqual(open.map(({ rule }) => rule).toSorted());
        expect(rulesOf(decision.overridden).toSorted()).toEqual(
          found
            .filter(isLifted)
            .map(({ rule }) => rule)
            .toSorted(),
        );
        expect(decision.sends).toEqual(stopping.length === 0 ? ['playlist/a'] : []);
      }
    }
  });
});

describe('a run that has nothing to do', () => {
  const nothing = planOf([]);
  test('waits for nothing, and says what would hold it back', () => {
    for (const { rule, facts, status, moments } of HOLDS.filter((each) => each.plan === undefined && each.status === 'waits')) {
      const decision = decide({ ...FREE, ...facts, plan: nothing });
      expect([status, moments, decision.status, decision.exit, rulesOf(decision.holds)]).toEqual(['waits', MOMENTS, 'nothing', 0, [rule]]);
    }
  });

  test('needs no answer', () => {
    expect(decide({ ...FREE, plan: nothing, moment: 'answered', answer: { known: 'no' } })).toMatchObject({ status: 'nothing', exit: 0 });
  });

  test('is refused all the same where it is not what was approved', () => {
    expect(decide({ ...FREE, plan: nothing, differs: { known: ['it differs'] } })).toMatchObject({ status: 'refused', exit: 6 });
  });

  test('is unknown where something could not be read', () => {
    const unread = [{ kind: 'static-key', refused: true, reason: 'HTTP 403' }];
    expect(decide({ ...FREE, plan: { ...nothing, unread } })).toMatchObject({ status: 'unknown', exit: 7 });
  });
});

test('without a plan, a window that only some changes pass is closed', () => {
  const windows = { known: [{ timeZone: null, rules: [{ ...FREEZE, unless: ['strengthens'] }] }] } as const;
  expect(rulesOf(decide({ ...FREE, plan: null, windows }).holds)).toEqual(['window']);
  expect(rulesOf(decide({ ...FREE, plan: planOf([]), windows }).holds)).toEqual([]);
  expect(rulesOf(decide({ ...FREE, plan: planOf([changeOf({ effect: 'strengthens' })]), windows }).holds)).toEqual([]);
  expect(rulesOf(decide({ ...FREE, windows }).holds)).toEqual(['window']);
});

describe('a window that what only strengthens passes', () => {
  const hardening = changeOf({ address: 'playlist/h', effect: 'strengthens' });
  const rule = (why: string, until: number, more: { readonly unless?: readonly Exception[] } = {}) =>
    ({ ...FREEZE, ...more, why, times: { from: NOW - DAY, until } }) as const;
  const closedBy = (...rules: readonly ReturnType<typeof rule>[]): Facts['windows'] => ({ known: [{ timeZone: null, rules }] });

  test('holds a run back of which one change does something else', () => {
    const windows = closedBy(rule('one', NOW + DAY, { unless: ['strengthens'] }));
    expect(decide({ ...FREE, plan: planOf([hardening]), windows }).status).toBe('ready');
    expect(decide({ ...FREE, plan: planOf([hardening, CHANGE]), windows }).holds).toMatchObject([{ unless: ['strengthens'] }]);
  });

  test('takes back edits by hand where it says so, also together with what strengthens', () => {
    const revert = changeOf({ address: 'playlist/r', origin: 'drift' });
    const mixed = changeOf({ address: 'playlist/m', origin: 'both' });
    const statusOf = (unless: readonly Exception[], ...changes: readonly Change[]) =>
      decide({ ...FREE, plan: planOf(changes), windows: closedBy(rule('one', NOW + DAY, { unless })) }).status;
    expect(statusOf(['reverts'], revert)).toBe('ready');
    expect(statusOf(['strengthens'], revert)).toBe('waits');
    expect(statusOf(['reverts'], hardening)).toBe('waits');
    expect(statusOf(['strengthens', 'reverts'], revert, hardening)).toBe('ready');
    expect(statusOf(['strengthens', 'reverts'], revert, hardening, CHANGE)).toBe('waits');
    // Nobody knows what is taken back with an edit that stands beside one of the repository, or without a ledger.
    expect(statusOf(['reverts'], mixed)).toBe('waits');
    expect(statusOf(['reverts'], changeOf({ address: 'playlist/u', origin: 'unknown' }))).toBe('waits');
  });

  test('names no exception while another one is closed without any, and each has its own end', () => {
    const windows = closedBy(rule('one', NOW + DAY, { unless: ['strengthens'] }), rule('other', NOW + 2 * DAY));
    const { status, holds, until } = decide({ ...FREE, plan: planOf([hardening]), windows });
    expect([status, until]).toEqual(['waits', new Date(NOW + 2 * DAY).toISOString()]);
    expect(holds.map((hold) => [hold.until, 'unless' in hold])).toEqual([
      [new Date(NOW + DAY).toISOString(), false],
      [new Date(NOW + 2 * DAY).toISOString(), false],
    ]);
  });
});

test('with --skip-blocked and nothing left to send, the status is that of what is left out', () => {
  expect(decide({ ...FREE, plan: planOf([BLOCKED, PROTECTED]), skipsHeld: true })).toMatchObject({
    status: 'blocked',
    exit: 4,
    sends: [],
    holds: [
      { rule: 'weakening', on: 'playlist/b', lift: { allow: 'weakening' } },
      { rule: 'protect', on: 'playlist/c', lift: { edit: 'edit `protect`' } },
    ],
  });
});

test('with --skip-blocked and nothing left to send, the status is that of the run itself where it is held back, too', () => {
  const facts = factsOf(
    HOLDS.filter(({ rule }) => rule === 'promotion'),
    { plan: planOf([BLOCKED]), skipsHeld: true },
  );
  expect(decide(facts)).toMatchObject({ status: 'waits', until: null, holds: [{ rule: 'weakening' }, { rule: 'promotion' }] });
});

describe('until when a run waits', () => {
  const times = (from: number, until: number) => ({ ...FREEZE, times: { from, until } });
  const closed = (...ranges: readonly (readonly [from: number, until: number])[]): Facts['windows'] => ({
    known: [{ timeZone: null, rules: ranges.map((range) => times(...range)) }],
  });
  const HARDENING = planOf([changeOf({ address: 'playlist/a', effect: 'strengthens' })]);
  test.each<[what: string, facts: Partial<Facts>, until: number | null]>([
    ['the end of a soak', { stages: stages(NOW) }, NOW + DAY],
    ['nobody knows, where one hold has no end', { stages: stages(null), windows: closed([NOW - DAY, NOW + DAY]) }, null],
    ['the end of a window', { windows: closed([NOW - DAY, NOW + DAY]) }, NOW + DAY],
    [
      'the end of the soak, where that of the window is earlier',
      { stages: stages(NOW), windows: closed([NOW - DAY, NOW + DAY / 2]) },
      NOW + DAY,
    ],
    [
      'the end of the window, where that of the soak is earlier',
      { stages: stages(NOW), windows: closed([NOW - DAY, NOW + 2 * DAY]) },
      NOW + 2 * DAY,
    ],
    [
      'the end of the next window, where one is closed again when the soak ends',
      { stages: stages(NOW), windows: closed([NOW - DAY, NOW + DAY / 2], [NOW + DAY, NOW + 3 * DAY]) },
      NOW + 3 * DAY,
    ],
    [
      'the end of a window that is open now, and closed when the soak ends',
      { stages: stages(NOW), windows: closed([NOW + DAY / 2, NOW + 2 * DAY]) },
      NOW + 2 * DAY,
    ],
    [
      'the end of the soak, where what passes the window then is all that is sent',
      {
        stages: stages(NOW),
        plan: HARDENING,
        windows: { known: [{ timeZone: null, rules: [{ ...times(NOW, NOW + 2 * DAY), unless: ['strengthens'] }] }] },
      },
      NOW + DAY,
    ],
    [
      'the end of the soak, where the window is overridden',
      {
        stages: stages(NOW),
        windows: closed([NOW - DAY, NOW + 2 * DAY]),
        overrides: withOverride(NO_OVERRIDES, 'window') ?? NO_OVERRIDES,
      },
      NOW + DAY,
    ],
    [
      'the end of a window, whatever is left out with --skip-blocked',
      { plan: planOf([CHANGE, BLOCKED]), windows: closed([NOW, NOW + DAY]), skipsHeld: true },
      NOW + DAY,
    ],
  ])('%s', (_what, facts, until) => {
    expect(decide({ ...FREE, ...facts }).until).toBe(until === null ? null : new Date(until).toISOString());
  });
});
