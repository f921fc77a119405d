import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AssetTimes, type ListEntry, runOfShow } from '../../../src/core/model/run-of-show.ts';
import { foldMiddle, rowsOfOne, runOfShowLayout, STRIP_WIDTH } from '../../../src/report/diagrams/run-of-show.ts';
import { offsetText, totalTexts } from '../../../src/report/view/run-of-show.ts';
import { assertProperty } from '../../support/property.ts';

const ASSETS: ReadonlyMap<string, AssetTimes> = new Map([
  ['a', { seconds: 1800 }],
  ['b', { seconds: 3600 }],
]);
const run = (...entries: readonly (string | number)[]) => runWithBreaks(0, ...entries);
/** A run that honors the breaks within its assets with so many seconds each; how many an asset has is not known. */
const runWithBreaks = (breakSeconds: number, ...entries: readonly (string | number)[]) =>
  runOfShow(
    {
      entries: entries.map(
        (entry): ListEntry => (typeof entry === 'string' ? { type: 'beam', id: entry } : { type: 'ad', seconds: entry }),
      ),
      breakSeconds,
      repeat: 0,
    },
    ASSETS,
    null,
  );

describe('the layout of a run of show', () => {
  it('draws both lists on one scale, on which the longer one takes the whole width', () => {
    const { strips, ticks } = runOfShowLayout(run('a', 1800), run('a', 'b', 1800));
    expect(strips.map(({ name, blocks }) => [name, blocks.map(({ type, start, width }) => [type, start, width])])).toEqual([
      [
        'now',
        [
          ['beam', 0, 2500],
          ['ad', 2500, 2500],
        ],
      ],
      [
        'then',
        [
          ['beam', 0, 2500],
          ['beam', 2500, 5000],
          ['ad', 7500, 2500],
        ],
      ],
    ]);
    expect(ticks.map(({ offset }) => offset)).toEqual([0, 900, 1800, 2700, 3600, 4500, 5400, 6300, 7200]);
  });

  it('has rows of both lists with their own offsets', () => {
    const { rows } = runOfShowLayout(run('a', 60, 'b'), run('a', 'b', 'x', 'a'));
    expect(rows.map(({ change, isAtLeast, entry: { id, offset } }) => [change, id, offset, isAtLeast])).toEqual([
      ['kept', 'a', 0, false],
      ['removed', '', 1800, false],
      ['kept', 'b', 1800, false],
      ['added', 'x', 5400, false],
      ['added', 'a', 5400, true],
    ]);
  });

  it('has offsets that are lower limits after an asset whose breaks are honored and not known, on either side', () => {
    const offsets = (rows: ReturnType<typeof rowsOfOne>) => rows.map((row) => `${row.change} ${offsetText(row)}`);
    expect(offsets(rowsOfOne(runWithBreaks(30, 60, 'a', 90, 'b')))).toEqual([
      'kept 0:00:00',
      'kept 0:01:00',
      'kept ≥0:31:00',
      'kept ≥0:32:30',
    ]);
    expect(offsets(rowsOfOne(run(60, 'a', 90, 'b')))).toEqual(['kept 0:00:00', 'kept 0:01:00', 'kept 0:31:00', 'kept 0:32:30']);
    const { rows } = runOfShowLayout(run('a', 60, 'b'), runWithBreaks(30, 'a', 'b'));
    expect(offsets(rows)).toEqual(['kept 0:00:00', 'removed 0:30:00', 'kept ≥0:30:00']);
  });

  it('draws equal lists once', () => {
    expect(runOfShowLayout(run('a'), run('a')).strips.map(({ name }) => name)).toEqual(['now']);
  });

  it('keeps every block within the width, in any lists', () => {
    const entries = fc.array(fc.oneof(fc.constantFrom('a', 'b', 'x', 'y'), fc.integer({ min: 0, max: 100_000 })), { maxLength: 60 });
    assertProperty(
      fc.property(entries, entries, (before, after) => {
        for (const { blocks } of runOfShowLayout(run(...before), run(...after)).strips) {
          let end = 0;
          for (const { start, width } of blocks) {
            expect(start).toBeCloseTo(end, 3);
            end = start + width;
          }
          expect(end).toBeLessThanOrEqual(STRIP_WIDTH + 0.001);
        }
      }),
    );
  });

  it('gives every entry the same width where no duration is known', () => {
    const { isByEntry, strips, ticks } = runOfShowLayout(run('x', 30, 'y', 'z'), null);
    expect([isByEntry, ticks, strips[0]?.blocks.map(({ width }) => width)]).toEqual([true, [], [2500, 2500, 2500, 2500]]);
  });

  it('leaves out the middle of 500 entries, but no change in it', () => {
    const many = Array.from({ length: 500 }, (_, index) => `e${index}`);
    const changed = many.map((id, index) => (index === 250 ? 'new' : id));
    const folded = foldMiddle(runOfShowLayout(run(...many), run(...changed)).rows, 40);
    expect(folded.map((row) => ('type' in row ? row.count : row.entry.id)).slice(18, 26)).toEqual([
      'e18',
      'e19',
      230,
      'e250',
      'new',
      229,
      'e480',
      'e481',
    ]);
    expect(folded.length).toBe(44);
  });
});

describe('the totals of a run of show', () => {
  it.each([
    [run('a', 'b', 600), ['3 entries, 1:40:00', 'ads 0:10:00 planned, 6.0 min per hour (10.0 %)']],
    [run('a', 'x', 600), ['3 entries, at least 0:40:00', '1 length unknown', 'ads 0:10:00 planned, at most 15.0 min per hour (25.0 %)']],
    [run('x', 600), ['2 entries, length unknown', 'ads 0:10:00 planned']],
    [run('a', 'b'), ['2 entries, 1:30:00', 'no ads']],
    [run('a'), ['1 entry, 0:30:00']],
    [run(), ['0 entries']],
  ])('are told: %#', (show, texts) => {
    expect(totalTexts(show)).toEqual(texts);
  });
});
