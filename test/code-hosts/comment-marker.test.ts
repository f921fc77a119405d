import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Marker, markedText, markerLine } from '../../src/code-hosts/comment-marker.ts';
import { driftSinceIn, driftSinceLine, type KnownDrift } from '../../src/code-hosts/drift-since-store.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('-->', '--', '\n', '<!-- upkeep plan', ' outdated', '%'),
);
const markers: fc.Arbitrary<Marker> = fc.record({
  about: fc.constantFrom('plan', 'drift'),
  project: text,
  target: text,
  commit: text,
  outdated: fc.boolean(),
});

describe('the marker', () => {
  test('is read back as it was written, one line of ASCII that ends where it should, whatever its values are', () => {
    fc.assert(
      fc.property(markers, fc.string(), (marker, rest) => {
        const line = markerLine(marker);
        expect(line).toMatch(/^<!-- upkeep (plan|drift) [!-~ ]+ -->$/);
        expect(line.indexOf('>')).toBe(line.length - 1);
        expect(markedText(`${line}\n${rest}`)).toEqual({ marker, text: rest });
        expect(markedText(`${line}\r\n${rest}`)).toEqual({ marker, text: rest });
      }),
    );
  });

  test.each([
    ['not at the beginning', `x\n${markerLine({ about: 'plan', project: '.', target: 'a', commit: '', outdated: false })}\n`],
    ['of another form', '<!-- upkeep plan target=a project=. commit= -->\n'],
    ['that was edited', '<!-- upkeep plan project=%E0%A4 target=a commit= -->\n'],
    ['with something behind it', '<!-- upkeep plan project=. target=a commit= --> x\n'],
    ['without anything', ''],
  ])('is none %s', (_how, body) => {
    expect(markedText(body)).toBeNull();
  });
});

describe('what an issue remembers', () => {
  const NOW = Date.parse('2026-03-02T06:00:00.000Z');
  const times = fc.date({ min: new Date(0), max: new Date(NOW), noInvalidDate: true }).map((date) => date.toISOString());
  const sightings: fc.Arbitrary<KnownDrift> = fc.record({ address: text, kind: text, since: times });

  test('is read back, hidden in one line of ASCII, whatever the addresses are', () => {
    fc.assert(
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

  test('is the oldest where not all fits', () => {
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
  ])('is nothing where somebody wrote %s', (_what, json) => {
    expect(driftSinceIn(`<!-- upkeep seen ${json} -->`, NOW)).toEqual([]);
  });
});
