/** What the section `assets` says, and what of it is invalid. */
import { describe, expect, test } from 'vitest';
import { declaredFactsOf, looksLikeId, readAssetCatalog } from '../../../../src/core/kinds/playlist/asset-catalog.ts';
import type { Json, JsonObject } from '../../../../src/core/model/json.ts';
import { formatFindings } from '../fixtures.ts';
import { id } from './fixtures.ts';

/** Reads a section with the one asset `pilot`. */
function readPilot(asset: JsonObject) {
  return readAssetCatalog({ pilot: { id: id(1), ...asset } });
}

/** Returns what `declaredFactsOf` reads of an asset. */
function factsFrom(asset: JsonObject) {
  return declaredFactsOf(readPilot(asset).catalog.kindData, id(1));
}

describe('an asset of the section `assets`', () => {
  test('is found by its name and by its ID, with all that the section says of it', () => {
    const entry = {
      codec: 'HEVC',
      studio_drm: true,
      external_id: 'ep-101',
      duration: 61.5,
      available: { from: '2027-01-01T02:00:00+02:00', until: '2027-03-31T22:00:00Z' },
    };
    const facts = {
      name: 'pilot',
      externalId: 'ep-101',
      durationSeconds: 61.5,
      availableFrom: '2027-01-01T00:00:00Z',
      availableUntil: '2027-03-31T22:00:00Z',
      studioDrm: true,
    };
    const asset = { name: 'pilot', id: id(1), codec: 'HEVC', studioDrm: true, facts };
    expect(readPilot(entry)).toStrictEqual({
      catalog: {
        byName: new Map([['pilot', asset]]),
        byId: new Map([[id(1), asset]]),
        kindData: { studio_drm: { [id(1)]: true }, names: { [id(1)]: 'pilot' }, facts: { [id(1)]: facts } },
      },
      findings: [],
    });
    expect(factsFrom(entry)).toStrictEqual(facts);
  });

  test('has a name and nothing else where the section gives only its ID', () => {
    const asset = { name: 'pilot', id: id(1), codec: undefined, studioDrm: false, facts: { name: 'pilot' } };
    expect(readPilot({}).catalog.byName.get('pilot')).toStrictEqual(asset);
    expect(factsFrom({})).toStrictEqual({ name: 'pilot' });
  });

  test('has nothing of what has another type than the schema asks for, or is empty', () => {
    const odd = { codec: 5, studio_drm: 'yes', external_id: 7, duration: '60', available: 'always' };
    expect(readPilot(odd)).toStrictEqual(readPilot({}));
    expect(readPilot({ external_id: '' })).toStrictEqual(readPilot({}));
  });

  test.each<[Json | undefined]>([[undefined], [null], ['pilot'], [{}], [{ pilot: null }]])(
    'does not exist in the section %j',
    (section) => {
      expect(readAssetCatalog(section)).toStrictEqual({
        catalog: { byName: new Map(), byId: new Map(), kindData: { studio_drm: {}, names: {}, facts: {} } },
        findings: [],
      });
    },
  );
});

describe('what a playlist knows of an asset', () => {
  test.each<[JsonObject | undefined]>([[undefined], [{}], [{ facts: null }], [{ facts: {} }], [{ facts: { a: 'text' } }]])(
    'is nothing where its data is %j',
    (kindData) => {
      expect(declaredFactsOf(kindData, 'a')).toBeUndefined();
    },
  );

  test.each(['__proto__', 'constructor'])('is nothing of the asset %s, which the catalog does not have', (assetId) => {
    expect(declaredFactsOf(readPilot({}).catalog.kindData, assetId)).toBeUndefined();
  });

  test('has nothing of another type', () => {
    const odd = { name: 1, externalId: 2, durationSeconds: '3', availableFrom: 4, availableUntil: 5, studioDrm: 'yes' };
    expect(declaredFactsOf({ facts: { a: odd } }, 'a')).toStrictEqual({});
  });
});

describe('the window of an asset', () => {
  test.each([
    ['both ends', { from: '2027-01-01T00:00:00Z', until: '2027-01-01T00:00:01Z' }],
    ['a beginning', { from: '2027-01-01T00:00:00Z' }],
    ['an end', { until: '2027-01-01T00:00:00Z' }],
    ['empty ends', { from: '', until: '' }],
    ['ends that are null', { from: null, until: null }],
    ['no ends', {}],
  ])('may have %s', (_name, available) => {
    expect(readPilot({ available }).findings).toEqual([]);
  });

  test('needs instants that exist', () => {
    expect(formatFindings(readPilot({ available: { from: '2027-02-30T00:00:00Z', until: 5 } }).findings).split('\n')).toEqual([
      'error invalid-value at assets/pilot/available/from',
      '  `2027-02-30T00:00:00Z` is not an instant',
      '  Write it as 2027-03-31T22:00:00Z.',
      'error invalid-value at assets/pilot/available/until',
      '  `5` is not an instant',
      '  Write it as 2027-03-31T22:00:00Z.',
    ]);
  });

  test.each([
    ['2027-03-31T24:00:00Z', '2027-04-01T00:00:00Z'],
    ['2027-12-31t24:00:00.000+02:00', '2028-01-01T00:00:00+02:00'],
    ['2028-02-28 24:00', '2028-02-29T00:00:00Z'],
  ])('has no end at 24:00, and the hint says what is meant: %s', (until, meant) => {
    expect(formatFindings(readPilot({ available: { until } }).findings).split('\n')).toEqual([
      'error invalid-value at assets/pilot/available/until',
      `  \`${until}\` is not an instant`,
      `  Write it as ${meant}. The end of a day is 00:00 of the next one.`,
    ]);
  });

  test.each(['2027-03-31T24:01:00Z', '2027-02-30T24:00:00Z', '2027-03-31T25:00:00Z'])('%s means nothing', (until) => {
    expect(readPilot({ available: { until } }).findings).toMatchObject([{ hint: 'Write it as 2027-03-31T22:00:00Z.' }]);
  });

  test.each([
    ['before', '2027-01-01T00:00:00Z'],
    ['when', '2027-01-02T00:00:00Z'],
  ])('must not end %s it begins', (_when, until) => {
    expect(formatFindings(readPilot({ available: { from: '2027-01-02T00:00:00Z', until } }).findings).split('\n')).toEqual([
      'error invalid-value at assets/pilot/available/until',
      '  the window ends before it begins',
      '  Correct `from` or `until`.',
    ]);
  });
});

test('a member of `assets` without an ID has a finding that says what it needs', () => {
  expect(formatFindings(readAssetCatalog({ pilot: { codec: 'AVC' } }).findings).split('\n')).toEqual([
    'error missing-key at assets/pilot',
    '  `pilot` needs `id` or `external_id`',
    '  Write the ID of the asset.',
  ]);
});

test('an ID with two names has a finding at the second one, which names the place of the first one', () => {
  expect(readAssetCatalog({ pilot: { id: id(1) }, opener: { id: id(1) } }).findings).toStrictEqual([
    {
      severity: 'error',
      code: 'asset-id-repeated',
      path: ['assets', 'opener', 'id'],
      summary: 'opener has the same asset ID as pilot',
      hint: 'Give each asset one name: keep one of the two, and use it everywhere.',
      other: { path: ['assets', 'pilot', 'id'] },
    },
  ]);
});

test.each([
  [id(1), true],
  [id(1).toUpperCase(), true],
  [`x${id(1)}`, false],
  [`${id(1)}0`, false],
  [id(1).slice(1), false],
  [id(1).replace('f', 'g'), false],
])('the text %s looks like an asset ID: %j', (text, expected) => {
  expect(looksLikeId(text)).toBe(expected);
});
