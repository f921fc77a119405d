import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlaylistEntry } from '../../../src/core/model/diagram.ts';
import { type DiffEntry, type Fold, type PlaylistDiff, playlistDiffOf } from '../../../src/report/diagrams/playlist-diff.ts';
import { assertProperty } from '../../support/property.ts';
import { field } from '../documents.ts';

type Entries = readonly PlaylistEntry[];

/** Reads a list in short form: a letter is an asset, a digit an ad break. */
function list(short: string): Entries {
  return [...short].map((each) => (/\d/.test(each) ? { type: 'ad', label: `${each} s` } : { type: 'beam', label: each }));
}

/** Builds the diff of two lists, where null is a side on which the field is null. */
function diffOf(before: Entries | null, after: Entries | null): PlaylistDiff {
  const labelsOf = (entries: Entries | null) => entries?.map(({ label }) => label) ?? null;
  const changed = field('/playlist', labelsOf(before), labelsOf(after));
  return playlistDiffOf({ type: 'playlist', field: changed, before: before ?? [], after: after ?? [] });
}

/** Formats a row in short form: the change of an entry, its position, its label, and its position on the other side. */
function row(blocks: readonly (DiffEntry | Fold)[]): readonly string[] {
  return blocks.map((block) => {
    if (block.type === 'fold') return `${block.count} kept`;
    const { change, position, label, counterpart } = block;
    return `${change} ${position} ${label}${counterpart ? ` (${counterpart.position})` : ''}`;
  });
}

describe('playlistDiffOf', () => {
  it('shows a moved entry as moved, with both positions', () => {
    const { before, after, counts } = diffOf(list('abcd'), list('dabc'));
    expect(row(before)).toEqual(['kept 1 a (2)', 'kept 2 b (3)', 'kept 3 c (4)', 'moved 4 d (1)']);
    expect(row(after)).toEqual(['moved 1 d (4)', 'kept 2 a (1)', 'kept 3 b (2)', 'kept 4 c (3)']);
    expect(counts).toEqual({ moved: 1, changed: 0, added: 0, removed: 0 });
  });

  it('shows an ad break with another length as changed, and another asset as removed and added', () => {
    const { before, after, counts } = diffOf(list('a3b'), list('a5c'));
    expect(row(before)).toEqual(['kept 1 a (1)', 'changed 2 3 s (2)', 'removed 3 b']);
    expect(row(after)).toEqual(['kept 1 a (1)', 'changed 2 5 s (2)', 'added 3 c']);
    expect(counts).toEqual({ moved: 0, changed: 1, added: 1, removed: 1 });
  });

  it('does not pair ad breaks across an entry that stayed', () => {
    expect(diffOf(list('3ab'), list('ab5')).counts).toEqual({ moved: 0, changed: 0, added: 1, removed: 1 });
  });

  it('distinguishes a list that does not exist from an empty list', () => {
    expect(diffOf(null, list('a'))).toMatchObject({ isNew: true, isRemoved: false, lengths: { before: 0, after: 1 } });
    expect(diffOf(list('a'), null)).toMatchObject({ isNew: false, isRemoved: true });
    expect(diffOf(list('a'), [])).toMatchObject({ isNew: false, isRemoved: false, counts: { removed: 1 } });
  });

  it('folds long runs of unchanged entries equally on both sides', () => {
    const entries = list('abcdefghijklmnopqrstuvwxyz');
    const { before, after } = diffOf(entries, [...entries, ...list('7')]);
    expect(row(before)).toEqual(['25 kept', 'kept 26 z (26)']);
    expect(row(after)).toEqual(['25 kept', 'kept 26 z (26)', 'added 27 7 s']);
  });

  it('shows a limited number of entries of a long list and counts the others', () => {
    const entries = Array.from({ length: 3_000 }, (_, index): PlaylistEntry => ({ type: 'beam', label: `a${index}` }));
    const { before, after, omitted, counts } = diffOf(entries, entries.toReversed());
    expect(before.length + after.length).toBeLessThanOrEqual(80);
    expect(omitted).toBeGreaterThan(5_000);
    expect(counts.moved).toBe(2_999);
  });

  it('contains every entry of short lists, each with its counterpart on the other side', () => {
    const short = fc.stringMatching(/^[abc12]{0,9}$/);
    assertProperty(
      fc.property(short, short, (one, other) => {
        fc.pre(one + other !== '');
        const { before, after, lengths } = diffOf(list(one), list(other));
        expect([before.length, after.length]).toEqual([lengths.before, lengths.after]);
        for (const [side, otherSide] of [[before, after] as const, [after, before] as const])
          for (const block of side) {
            if (block.type === 'fold' || !block.counterpart) continue;
            const { change, position, label, counterpart } = block;
            expect(otherSide[counterpart.position - 1]).toMatchObject({
              change,
              label: counterpart.label,
              counterpart: { position, label },
            });
          }
      }),
    );
  });
});
