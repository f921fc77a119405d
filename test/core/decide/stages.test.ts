/** What the stages of a target hold back, as a table of what the looks at them told (design section 15). */
import { describe, expect, test } from 'vitest';
import { NOTHING_DECLARED, type StageEntry, type StageFacts, type TakenBackFacts } from '../../../src/core/decide/decide-stage.ts';
import type { StageLook, Stages } from '../../../src/core/decide/facts.ts';
import { holdsOfStages, standsWhollyAt } from '../../../src/core/decide/stages.ts';

const NOW = Date.parse('2026-11-28T12:00:00Z');
const HOUR = 3_600_000;
const NOTHING = { declared: NOTHING_DECLARED, unknown: null };

/** A whole entry of commit `C`, so many hours ago. */
function entry(hours: number, more: Partial<StageEntry> = {}): StageEntry {
  const values = { isWhole: true, isKilled: false, isInterrupted: false, leftOut: new Map(), writes: new Map(), stands: NOTHING };
  return { at: NOW - hours * HOUR, commit: 'C', digest: 'of C', ...values, ...more };
}

function told(entries: readonly StageEntry[], more: Partial<StageFacts> = {}): StageFacts {
  return {
    next: NOTHING_DECLARED,
    digest: 'of C',
    commit: 'C',
    later: { ...NOTHING, commit: 'B' },
    history: { entries, isAll: true },
    contained: new Map(),
    soakMs: HOUR,
    now: NOW,
    ...more,
  };
}

const LINE = new Map([
  ['B', new Set(['B'])],
  ['C', new Set(['B', 'C'])],
]);

const ofOwn = (...entries: readonly StageEntry[]): TakenBackFacts => ({
  next: NOTHING_DECLARED,
  history: { entries, isAll: true },
  contained: LINE,
});

const CARRIED: StageLook<StageFacts> = { target: 'test', facts: { known: told([entry(2)]) } };
const SOAKING: StageLook<StageFacts> = { target: 'staging', facts: { known: told([entry(0.5)]) } };
const OWN: StageLook<TakenBackFacts> = { target: 'live', facts: { known: ofOwn(entry(9, { commit: 'B', digest: 'of B' })) } };
const THERE: StageLook<TakenBackFacts> = { target: 'live', facts: { known: ofOwn(entry(0)) } };
const UNREAD = { unknown: 'its ledger cannot be read' };
const BROKEN = { unusable: 'the commit has no such target' };
const SHORT = { known: told([], { history: { entries: [], isAll: false } }) };

const FREE: Stages = { commit: 'C', isWholeEntry: false, before: [CARRIED], own: OWN };

test.each<[what: string, stages: Partial<Stages>, holds: readonly (readonly [target: string, status: string, reason: string])[]]>([
  ['carried by each of them', {}, []],
  [
    'soaking on one of them',
    { before: [CARRIED, SOAKING] },
    [['staging', 'waits', 'carries this configuration since 2026-11-28T11:30:00Z, and has to for 1h']],
  ],
  ['soaking, and applied wholly already', { before: [SOAKING], own: THERE }, []],
  [
    'soaking, and applied in part already',
    { before: [SOAKING], own: { ...THERE, facts: { known: ofOwn(entry(0, { isWhole: false })) } } },
    [['staging', 'waits', 'carries this configuration since 2026-11-28T11:30:00Z, and has to for 1h']],
  ],
  ['soaking, and that of an earlier apply', { before: [SOAKING], isWholeEntry: true }, []],
  [
    'not known of one of them',
    { before: [{ target: 'test', facts: UNREAD }] },
    [['test', 'unknown', 'cannot be looked at, which counts as not carried: its ledger cannot be read']],
  ],
  [
    'not known of the target itself, which counts for an earlier apply, too',
    { before: [SOAKING], own: { target: 'live', facts: UNREAD }, isWholeEntry: true },
    [['live', 'unknown', 'cannot be looked at, which counts as not carried: its ledger cannot be read']],
  ],
  [
    'unusable on one of them',
    { before: [{ target: 'test', facts: BROKEN }] },
    [['test', 'waits', 'cannot have carried this configuration: the commit has no such target']],
  ],
  [
    'read too briefly on one of them',
    { before: [{ target: 'test', facts: SHORT }] },
    [['test', 'unknown', 'cannot be looked at, which counts as not carried: its ledger was not read far enough']],
  ],
  [
    'read too briefly on the target itself',
    { own: { target: 'live', facts: { known: { ...ofOwn(), history: { entries: [], isAll: false } } } } },
    [['live', 'unknown', 'cannot be looked at, which counts as not carried: its ledger was not read far enough']],
  ],
  [
    'in the way of two of them, which keep their order',
    { before: [{ target: 'test', facts: UNREAD }, SOAKING] },
    [
      ['test', 'unknown', 'cannot be looked at, which counts as not carried: its ledger cannot be read'],
      ['staging', 'waits', 'carries this configuration since 2026-11-28T11:30:00Z, and has to for 1h'],
    ],
  ],
])('a configuration that is %s', (_what, stages, holds) => {
  expect(holdsOfStages({ ...FREE, ...stages }).map(({ target, status, reason }) => [target, status, reason])).toEqual(holds);
});

describe('a hold of a stage', () => {
  const [hold] = holdsOfStages({ ...FREE, before: [SOAKING], promoted: 'B' });

  test('says until when, what overrides it, and which commit is promoted', () => {
    expect(hold).toMatchObject({ until: '2026-11-28T12:30:00.000Z', lift: { allow: 'promotion' }, promoted: 'B' });
  });

  test('says nothing of a promoted commit where nobody looked for one', () => {
    expect(holdsOfStages({ ...FREE, before: [SOAKING] })[0]).not.toHaveProperty('promoted');
  });
});

test('a target stands wholly at a commit where its newest entry is a whole one of it', () => {
  const at = (commit: string | null, ...entries: readonly StageEntry[]) => standsWhollyAt(commit, { entries, isAll: true });
  const C = entry(1);
  expect(at('C', C)).toBe(true);
  expect(at('C', { ...C, isWhole: false })).toBe(false);
  expect(at('C', entry(0, { commit: 'D' }), C)).toBe(false);
  expect(at(null, { ...C, commit: null })).toBe(false);
  expect(at('C')).toBe(false);
});
