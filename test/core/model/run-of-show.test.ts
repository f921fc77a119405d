import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AssetTimes, availabilityAt, clockText, isAtLeast, type ListEntry, runOfShow } from '../../../src/core/model/run-of-show.ts';
import { assertProperty } from '../../support/property.ts';

const beam = (id: string): ListEntry => ({ type: 'beam', id });
const ad = (seconds: number): ListEntry => ({ type: 'ad', seconds });
const show = (
  entries: readonly ListEntry[],
  assets: { readonly [id: string]: AssetTimes },
  { breakSeconds = 0, at = null }: { readonly breakSeconds?: number; readonly at?: number | null } = {},
) => runOfShow({ entries, breakSeconds, repeat: 0 }, new Map(Object.entries(assets)), at);

describe('the run of show', () => {
  it('adds up lengths to offsets and totals, with ad breaks counted apart', () => {
    const run = show([beam('a'), ad(90), beam('b')], { a: { seconds: 1800, name: 'Pilot' }, b: { seconds: 600.5 } });
    expect(run.entries).toEqual([
      { type: 'beam', id: 'a', name: 'Pilot', offset: 0, seconds: 1800 },
      { type: 'ad', id: '', offset: 1800, seconds: 90 },
      { type: 'beam', id: 'b', offset: 1890, seconds: 600.5 },
    ]);
    expect(run).toMatchObject({ seconds: 2490.5, adSeconds: 90, unknown: 0, hasUnknownBreaks: false });
    expect(isAtLeast(run)).toBe(false);
  });

  it('makes the total a lower limit where an asset has no known duration, or an entry is neither an asset nor an ad break', () => {
    const run = show([beam('a'), beam('b'), { type: 'odd', text: '{"x":1}' }, ad(30)], { a: { seconds: 60 } });
    expect(run.entries.map(({ offset, seconds }) => [offset, seconds])).toEqual([
      [0, 60],
      [60, null],
      [60, null],
      [60, 30],
    ]);
    expect(run).toMatchObject({ seconds: 90, unknown: 2 });
    expect(isAtLeast(run)).toBe(true);
  });

  it('counts the breaks within assets where the playlist honors them', () => {
    const assets = { a: { seconds: 600, breaks: 2 }, b: { seconds: 600 } };
    expect(show([beam('a')], assets, { breakSeconds: 30 })).toMatchObject({ seconds: 660, adSeconds: 60, hasUnknownBreaks: false });
    expect(show([beam('a')], assets)).toMatchObject({ seconds: 600, adSeconds: 0, hasUnknownBreaks: false });
    expect(show([beam('a'), beam('b')], assets, { breakSeconds: 30 })).toMatchObject({
      seconds: 1260,
      adSeconds: 60,
      hasUnknownBreaks: true,
    });
  });

  it('says of each asset whether it can be played at the date that was asked for', () => {
    const assets = { a: { from: 10, until: 20 }, b: {}, c: { until: 20 } };
    const states = (at: number) =>
      show([beam('a'), beam('b'), beam('c'), ad(1)], assets, { at }).entries.map(({ availability }) => availability);
    expect(states(9)).toEqual(['not-yet', 'unknown', 'available', undefined]);
    expect(states(10)).toEqual(['available', 'unknown', 'available', undefined]);
    expect(states(20)).toEqual(['gone', 'unknown', 'gone', undefined]);
  });

  it('never brings back what is gone when the date moves forward', () => {
    const date = fc.integer({ min: 0, max: 100 });
    assertProperty(
      fc.property(fc.record({ from: date, until: date }, { requiredKeys: [] }), date, fc.nat(50), (asset, at, later) => {
        fc.pre(availabilityAt(asset, at) === 'gone');
        expect(availabilityAt(asset, at + later)).toBe('gone');
      }),
    );
  });

  it('places each entry where the known lengths before it end, in any list', () => {
    const entry = fc.oneof(fc.constantFrom('a', 'b', 'c').map(beam), fc.nat(600).map(ad));
    assertProperty(
      fc.property(fc.array(entry), fc.nat(5000), (entries, seconds) => {
        const run = show(entries, { a: { seconds }, b: { seconds: 1 } });
        let sum = 0;
        for (const { offset, seconds: length } of run.entries) {
          expect(offset).toBe(sum);
          sum += length ?? 0;
        }
        expect(run.seconds).toBe(sum);
        expect(run.unknown).toBe(entries.filter((each) => each.type === 'beam' && each.id === 'c').length);
        expect(run.adSeconds).toBeLessThanOrEqual(run.seconds);
      }),
    );
  });
});

it.each([
  [0, '0:00:00'],
  [59.96, '0:00:59'],
  [3599.9999999, '1:00:00'],
  [3661, '1:01:01'],
  [360_000, '100:00:00'],
])('formats %d seconds as %s', (seconds, text) => {
  expect(clockText(seconds)).toBe(text);
});
