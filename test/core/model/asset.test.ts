import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endOfRetention, readAssetFacts } from '../../../src/core/model/asset.ts';
import { formatInstant, parseInstant } from '../../../src/core/model/instant.ts';
import { assertProperty } from '../../support/property.ts';

describe('the facts in an answer about an asset', () => {
  test('are those with their documented form, as numbers or as texts', () => {
    const item = {
      id: 'a',
      desc: 'Intro',
      state: 'ok',
      duration: '90.5',
      created: 1_790_000_000_000,
      autoexpire: '48',
      require_studio_drm: 1,
      break_offsets: [10, '20.5'],
    };
    const facts = { state: 'ok', durationSeconds: 90.5, created: '2026-09-21T14:13:20Z', retentionHours: 48, requiresStudioDrm: true };
    expect(readAssetFacts(item)).toEqual({ ...facts, breakOffsets: [10, 20.5] });
    expect(readAssetFacts({ ...item, created: 1_790_000_000 })).toEqual(readAssetFacts(item));
    expect(readAssetFacts({ ...item, created: '2026-09-21T16:13:20+02:00' })).toEqual(readAssetFacts(item));
    expect(readAssetFacts({ ...item, require_studio_drm: false, autoexpire: 0, break_offsets: [] })).toMatchObject({
      requiresStudioDrm: false,
      breakOffsets: [],
    });
  });

  test.each([
    ['are missing', {}],
    ['are null', { state: null, duration: null, created: null, autoexpire: null, require_studio_drm: null, break_offsets: null }],
    ['have another type', { state: 7, duration: 'long', created: {}, autoexpire: [], require_studio_drm: 'yes', break_offsets: 'none' }],
    [
      'have no meaning',
      { state: 'x'.repeat(101), duration: -1, created: 0, autoexpire: -3, require_studio_drm: 2, break_offsets: [1, null] },
    ],
    ['are out of range', { duration: Number.POSITIVE_INFINITY, created: Number.MAX_SAFE_INTEGER, autoexpire: 1.5, break_offsets: [[]] }],
  ])('are unknown where they %s', (_name, item) => {
    expect(readAssetFacts(item)).toEqual({});
  });

  test('are never invented, whatever an answer holds', () => {
    assertProperty(
      fc.property(
        fc.dictionary(fc.constantFrom('state', 'duration', 'created', 'autoexpire', 'require_studio_drm', 'break_offsets'), fc.jsonValue()),
        (item) => {
          const { created = '2026-01-01T00:00:00Z', durationSeconds = 0, retentionHours = 1, breakOffsets = [] } = readAssetFacts(item);
          expect([Number.isNaN(Date.parse(created)), durationSeconds >= 0, retentionHours > 0]).toEqual([false, true, true]);
          expect(breakOffsets.every((offset) => offset >= 0)).toBe(true);
        },
      ),
    );
  });

  test('date the end of the retention only where its beginning is known', () => {
    expect(endOfRetention({ created: '2026-01-01T00:00:00Z', retentionHours: 48 })).toBe(Date.parse('2026-01-03T00:00:00Z'));
    expect(endOfRetention({ retentionHours: 48 })).toBeUndefined();
    expect(endOfRetention({ created: '2026-01-01T00:00:00Z' })).toBeUndefined();
    expect(endOfRetention({ created: '2026-01-01T00:00:00Z', retentionHours: Number.MAX_SAFE_INTEGER })).toBeUndefined();
  });
});

describe('an instant', () => {
  test.each(['2026-12-31T23:59:59Z', '2028-02-29T00:00:00.25+05:30', '2026-06-01t10:00:00z'])('of RFC 3339 is read: %s', (text) => {
    expect(parseInstant(text)).toBe(Date.parse(text.toUpperCase()));
  });

  test.each([
    '',
    '2026-12-31',
    '2026-12-31T23:59:59',
    '2026-02-30T00:00:00Z',
    '2026-02-29T00:00:00+01:00',
    '2026-01-01T25:00:00Z',
    '31.12.2026',
    '2026-12-31 23:59:59Z',
  ])('of another form, or on no day of the calendar, is none: %s', (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  test('is written so that it is read again', () => {
    assertProperty(
      fc.property(fc.date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true }), (date) => {
        expect(parseInstant(formatInstant(date.getTime()))).toBe(date.getTime());
      }),
    );
  });
});
