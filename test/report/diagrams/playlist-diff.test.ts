import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/model/json.ts';
import type { Block, PlaylistDiff } from '../../../src/report/diagrams/model.ts';
import { playlistDiffOf } from '../../../src/report/diagrams/playlist-diff.ts';
import { field } from '../documents.ts';

/** A list in short: a letter is an asset, a number an ad break. */
function list(short: string): readonly Json[] {
  return [...short].map((each) => (/\d/.test(each) ? { ad: { dur: Number(each) } } : { beam: { id: each } }));
}

function drawn(before: Json, after: Json): PlaylistDiff {
  const timeline = playlistDiffOf(field('/playlist', before, after));
  if (!timeline) throw new Error('nothing is drawn');
  return timeline;
}

/** A row in short: what became of an entry, its place, itself, and its place on the other side. */
function row(blocks: readonly Block[]): readonly string[] {
  return blocks.map((block) =>
    block.type === 'fold' ? `${block.count} kept` : `${block.fate} ${block.at} ${block.label}${block.other ? ` (${block.other.at})` : ''}`,
  );
}

describe('timelineOf', () => {
  it('sees a move as a move, with both places', () => {
    const { before, after, counts } = drawn(list('abcd'), list('dabc'));
    expect(row(before)).toEqual(['kept 1 a (2)', 'kept 2 b (3)', 'kept 3 c (4)', 'moved 4 d (1)']);
    expect(row(after)).toEqual(['moved 1 d (4)', 'kept 2 a (1)', 'kept 3 b (2)', 'kept 4 c (3)']);
    expect(counts).toEqual({ moved: 1, changed: 0, added: 0, removed: 0 });
  });

  it('sees an ad break of another length at its place as changed, and an asset as removed and added', () => {
    const { before, after, counts } = drawn(list('a3b'), list('a5c'));
    expect(row(before)).toEqual(['kept 1 a (1)', 'changed 2 3 s (2)', 'removed 3 b']);
    expect(row(after)).toEqual(['kept 1 a (1)', 'changed 2 5 s (2)', 'added 3 c']);
    expect(counts).toEqual({ moved: 0, changed: 1, added: 1, removed: 1 });
  });

  it('does not take an ad break for changed across an entry that stayed', () => {
    expect(drawn(list('3ab'), list('ab5')).counts).toEqual({ moved: 0, changed: 0, added: 1, removed: 1 });
  });

  it('tells that a side is missing from an empty one', () => {
    expect(drawn(null, list('a'))).toMatchObject({ isNew: true, isGone: false, lengths: { before: 0, after: 1 } });
    expect(drawn(list('a'), null)).toMatchObject({ isNew: false, isGone: true });
    expect(drawn(list('a'), [])).toMatchObject({ isNew: false, isGone: false, counts: { removed: 1 } });
  });

  it('folds long runs that stayed, on both sides alike', () => {
    const before = list('abcdefghijklmnopqrstuvwxyz');
    const { before: was, after: is } = drawn(before, [...before, ...list('7')]);
    expect(row(was)).toEqual(['25 kept', 'kept 26 z (26)']);
    expect(row(is)).toEqual(['25 kept', 'kept 26 z (26)', 'added 27 7 s']);
  });

  it('draws so many places at most, and counts the rest', () => {
    const before = Array.from({ length: 3_000 }, (_, index) => ({ beam: { id: `a${index}` } }));
    const { before: was, after: is, unshown, counts } = drawn(before, before.toReversed());
    expect(was.length + is.length).toBeLessThanOrEqual(80);
    expect(unshown).toBeGreaterThan(5_000);
    expect(counts.moved).toBe(2_999);
  });

  it.each([
    [null, null],
    [[], []],
    [['a'], []],
    [{ beam: 1 }, null],
    ['x', 'y'],
  ])('is nothing for %j and %j', (before, after) => {
    expect(playlistDiffOf(field('/playlist', before, after))).toBeNull();
  });

  it('holds every entry of short lists, and each other side names it back', () => {
    const short = fc.stringMatching(/^[abc12]{0,9}$/);
    fc.assert(
      fc.property(short, short, (one, other) => {
        fc.pre(one + other !== '');
        const { before, after, lengths } = drawn(list(one), list(other));
        expect([before.length, after.length]).toEqual([lengths.before, lengths.after]);
        for (const [mine, theirs] of [[before, after] as const, [after, before] as const])
          for (const block of mine) {
            if (block.type === 'fold' || !block.other) continue;
            const partner = theirs[block.other.at - 1];
            expect(partner).toMatchObject({ fate: block.fate, label: block.other.label, other: { at: block.at, label: block.label } });
          }
      }),
    );
  });
});
