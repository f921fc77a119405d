import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Marker, markerLine, parseMarker } from '../../../src/integrations/code-hosts/comment-marker.ts';
import { anyText, assertProperty } from '../../support/property.ts';

const text = fc.oneof(anyText({ maxLength: 30 }), fc.constantFrom('-->', '--', '\n', '<!-- upkeep plan', ' outdated', '%'));
const filledOrNull = fc.option(text.filter((each) => each !== ''));
const markers: fc.Arbitrary<Marker> = fc.record({
  about: fc.constantFrom('plan', 'drift'),
  project: text,
  target: filledOrNull,
  commit: filledOrNull,
  outdated: fc.boolean(),
});

describe('the marker', () => {
  test('a marker is parsed back from one line of ASCII, whatever its values are', () => {
    assertProperty(
      fc.property(markers, fc.string(), (marker, rest) => {
        const line = markerLine(marker);
        expect(line).toMatch(/^<!-- upkeep (plan|drift) [!-~ ]+ -->$/);
        expect(line.indexOf('>')).toBe(line.length - 1);
        expect(parseMarker(`${line}\n${rest}`)).toEqual({ marker, text: rest });
        expect(parseMarker(`${line}\r\n${rest}`)).toEqual({ marker, text: rest });
      }),
    );
  });

  test.each([
    ['not at the beginning', `x\n${markerLine({ about: 'plan', project: '.', target: 'a', commit: null, outdated: false })}\n`],
    ['of another form', '<!-- upkeep plan target=a project=. commit= -->\n'],
    ['that was edited', '<!-- upkeep plan project=%E0%A4 target=a commit= -->\n'],
    ['with something behind it', '<!-- upkeep plan project=. target=a commit= --> x\n'],
    ['without anything', ''],
  ])('a text is not parsed as a marker: %s', (_how, body) => {
    expect(parseMarker(body)).toBeNull();
  });
});
