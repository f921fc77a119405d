/** What a target stands at after an apply: the commit, whether wholly and why not, and the commit at which an address stands. */
import { describe, expect, test } from 'vitest';
import type { LedgerEntry } from '../../../src/core/ledger/entry.ts';
import { isWhole, newestCommit, standingAfter, standsAt } from '../../../src/core/ledger/standing.ts';

const SUMMARY = { created: 0, updated: 0, deleted: 0, adopted: 0, moved: 0, forgotten: 0, failed: 0, skipped: 0 };

function entry(more: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    schemaVersion: 2,
    target: 'live',
    at: '2026-11-28T12:00:00Z',
    by: 'ada',
    where: 'desk',
    tool: '1.0.0',
    config: { commit: 'c1', digest: 'd' },
    fingerprint: 'f',
    summary: SUMMARY,
    verified: true,
    outcomes: [],
    owner: null,
    bindings: {},
    forgotten: [],
    pendingSince: {},
    ...more,
  };
}

describe('a target stands at the commit of its newest entry', () => {
  test.each<[what: string, more: Partial<LedgerEntry>, commit: string | null, inPart: readonly string[]]>([
    ['wholly', {}, 'c1', []],
    [
      'in part, where changes failed',
      { summary: { ...SUMMARY, failed: 21 }, verified: false, pendingSince: pending(21) },
      'c1',
      ['21 failed'],
    ],
    ['in part, after --only', { pendingSince: pending(3) }, 'c1', ['3 left out']],
    [
      'in part, for two reasons',
      { summary: { ...SUMMARY, failed: 1 }, verified: false, pendingSince: pending(3) },
      'c1',
      ['1 failed', '2 left out'],
    ],
    ['in part, while the service does not show all', { summary: { ...SUMMARY, unseen: 2 }, verified: false }, 'c1', ['2 not seen yet']],
    ['in part, where it was not read back', { verified: false }, 'c1', ['not read back']],
    ['in part, after an interrupted apply', { interrupted: ['c0'] }, 'c1', ['an apply before was interrupted']],
    [
      'as the newest apply that was killed was to apply it',
      { fingerprint: null, interrupted: ['c2', 'c0'] },
      'c2',
      ['the apply was interrupted'],
    ],
    ['or at edits that were not committed', { config: { commit: null, digest: 'd' } }, null, []],
  ])('%s', (_what, more, commit, inPart) => {
    expect(standingAfter(entry(more))).toEqual({ commit, inPart });
    expect(isWhole(entry(more))).toBe(inPart.length === 0);
  });
});

function pending(count: number): LedgerEntry['pendingSince'] {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`playlist/p${index}`, null]));
}

describe('an address stands at', () => {
  const bound = { id: '1', origin: 'created' } as const;
  const at = entry({ pendingSince: { a: 'c0', b: null, c: null }, bindings: { b: bound, d: bound } });
  test.each<[address: string, stands: string | null]>([
    ['a', 'c0'],
    ['b', 'uncommitted'],
    ['c', null],
    ['d', 'c1'],
    ['constructor', 'c1'],
  ])('its commit: %s', (address, stands) => {
    expect(standsAt(at, address)).toBe(stands);
  });
});

test('the commit last applied is that of the newest entry that has one', async () => {
  const commitAmong = (...commits: readonly (string | null)[]) =>
    newestCommit({
      async *history() {
        for (const commit of commits) yield { commit: 'e', previous: null, entry: entry({ config: { commit, digest: 'd' } }) };
      },
    });
  expect(await Promise.all([commitAmong(null, 'c1', 'c0'), commitAmong(null), commitAmong()])).toEqual(['c1', null, null]);
});
