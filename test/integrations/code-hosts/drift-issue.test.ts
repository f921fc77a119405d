import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { driftSinceIn, driftSinceLine, type KnownDrift } from '../../../src/integrations/code-hosts/drift-issue.ts';
import { anyText, assertProperty } from '../../support/property.ts';

const text = fc.oneof(anyText({ maxLength: 30 }), fc.constantFrom('-->', '--', '\n', '<!-- upkeep plan', ' outdated', '%'));

describe('the known drift in an issue', () => {
  const NOW = Date.parse('2026-03-02T06:00:00.000Z');
  const times = fc.date({ min: new Date(0), max: new Date(NOW), noInvalidDate: true }).map((date) => date.toISOString());
  const sightings: fc.Arbitrary<KnownDrift> = fc.record({ address: text, kind: text, since: times });

  test('known drift is parsed back from one hidden line of ASCII, whatever the addresses are', () => {
    assertProperty(
      fc.property(fc.array(sightings, { maxLength: 8 }), (known) => {
        const line = driftSinceLine(known, 10_000);
        expect(line).toMatch(/^[ -~]*$/);
        expect(line.indexOf('>')).toBe(line.length - 1);
        expect(driftSinceIn(`first\n${line}\nlast`, NOW)).toEqual(
          known.toSorted((a, b) => (a.since < b.since ? -1 : a.since > b.since ? 1 : 0)),
        );
      }),
    );
  });

  test('the oldest drift stays if not all of it fits', () => {
    const known = [3, 1, 2].map((day) => ({ address: `playlist/p${day}`, kind: 'playlist', since: `2026-01-0${day}T00:00:00.000Z` }));
    const line = driftSinceLine(known, 140);
    expect(line.length).toBeLessThanOrEqual(140);
    expect(driftSinceIn(line, NOW).map(({ address }) => address)).toEqual(['playlist/p1', 'playlist/p2']);
  });

  test.each([
    ['no list', '{}'],
    ['no JSON', '[['],
    ['no time', '[["a","b","yesterday"]]'],
    ['a day that is none', '[["a","b","2026-13-45T00:00:00.000Z"]]'],
    ['the future', '[["a","b","2999-01-01T00:00:00.000Z"]]'],
    ['too little', '[["a"],7,null]'],
  ])('a line that somebody edited is ignored: %s', (_what, json) => {
    expect(driftSinceIn(`<!-- upkeep seen ${json} -->`, NOW)).toEqual([]);
  });
});
