/** What is reported about the assets that playlists play. The clock is an input. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AssessmentInput, ReferenceAssessment } from '../../../src/kinds/kind.ts';
import { playlist } from '../../../src/kinds/playlist/index.ts';
import type { AssetFacts } from '../../../src/model/asset.ts';
import { formatInstant } from '../../../src/model/instant.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import { assertProperty } from '../../support/property.ts';
import { beam, declare, id } from './fixtures.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.parse('2026-11-01T00:00:00Z');

/** Returns the instant so many days from now. */
function inDays(days: number): string {
  return formatInstant(NOW + days * DAY);
}

/** Assesses the playlists of sections; `existing` are the facts that the service shows, by the number of the asset. */
function assess(
  sections: JsonObject,
  existing: { readonly [number: number]: AssetFacts } = {},
  more: Partial<AssessmentInput> = {},
): ReferenceAssessment {
  const { resources, findings } = declare(sections);
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  const input: AssessmentInput = {
    existing: new Map(Object.entries(existing).map(([number, facts]) => [id(Number(number)), { name: `Asset ${number}`, facts }])),
    now: NOW,
    within: () => 14 * DAY,
    isRetainedFromCreation: false,
    readyStates: new Set(['ok']),
    ...more,
  };
  const assessment = playlist.referenceLookup?.assess?.([...resources.values()], input);
  return assessment ?? { facts: new Map(), findings: [] };
}

function codes({ findings }: ReferenceAssessment): readonly string[] {
  return findings.map(({ code }) => code);
}

/** Sections with one playlist of assets 1 and 2, and the catalog entry of asset 1. */
function sections(entry: JsonObject = {}, fields: JsonObject = {}): JsonObject {
  return {
    assets: { pilot: { id: id(1), ...entry } },
    playlists: { evening: { playlist: [beam(1), { ad: 30 }, beam(2)], ...fields } },
  };
}

describe('the facts about assets', () => {
  test('join what the catalog and the service say, with the name of the catalog', () => {
    const entry = { external_id: 'ep-101', duration: 60, available: { until: '2027-01-01T02:00:00+02:00', from: '' } };
    const { facts, firstExpiry } = assess(sections(entry), { 1: { durationSeconds: 61, state: 'ok' } });
    expect(facts.get(id(1))).toEqual({
      name: 'pilot',
      externalId: 'ep-101',
      durationSeconds: 61,
      state: 'ok',
      availableUntil: '2027-01-01T00:00:00Z',
      expires: '2027-01-01T00:00:00Z',
    });
    expect(facts.has(id(2))).toBe(false);
    expect(firstExpiry).toEqual({ asset: id(1), at: '2027-01-01T00:00:00Z' });
  });

  test('are known without a look-up, and of playlists that are off, too', () => {
    const { facts, findings, firstExpiry } = assess(sections({ available: { until: inDays(-1) } }, { active: 0 }));
    expect(facts.get(id(1))?.expires).toBe(inDays(-1));
    expect([findings, firstExpiry]).toEqual([[], undefined]);
  });
});

describe('an asset in a state', () => {
  test('is reported where the state is none in which it can be played', () => {
    const { findings } = assess(sections(), { 1: { state: 'slicing' }, 2: { state: 'OK' } });
    expect(findings).toMatchObject([
      { code: 'asset-not-ready', address: 'playlist/evening', place: { path: ['playlists', 'evening', 'playlist', 0, 'beam', 'id'] } },
    ]);
    expect(findings[0]?.summary).toBe(`asset ${id(1)} (\`pilot\`) is in the state slicing, in playlist/evening`);
  });

  test('is reported once, whatever the number of playlists', () => {
    const two = { playlists: { a: { playlist: [beam(1), beam(1), beam(2)] }, b: { desc: 'b', playlist: [beam(3), beam(1)] } } };
    const { findings } = assess(two, { 1: { state: 'failed' } });
    expect(findings.map(({ summary }) => summary)).toEqual([
      `asset ${id(1)} (\`Asset 1\`) is in the state failed, in playlist/a and 1 more`,
    ]);
  });
});

describe('the window of an asset', () => {
  test.each([
    ['ended', { until: inDays(-1) }, 'asset-outside-window', 'until'],
    ['ends now', { until: inDays(0) }, 'asset-outside-window', 'until'],
    ['begins later', { from: inDays(1) }, 'asset-outside-window', 'from'],
    ['ends within the time', { until: inDays(14) }, 'asset-expires', 'until'],
  ] as const)('is reported where it is written if it %s', (_name, available, code, end) => {
    const { findings } = assess(sections({ available }));
    expect(findings).toMatchObject([{ code, address: 'playlist/evening', place: { path: ['assets', 'pilot', 'available', end] } }]);
    expect(findings[0]?.summary).toContain(Object.values(available)[0]);
  });

  test.each([
    ['it is open', { from: inDays(-1), until: inDays(15) }],
    ['it has no end', { from: inDays(0) }],
  ])('is not reported while %s', (_name, available) => {
    expect(codes(assess(sections({ available })))).toEqual([]);
  });
});

describe('the retention of an asset', () => {
  const made = { created: inDays(-10), retentionHours: 12 * 24 };

  test('counts from its creation only where the service is said to count so', () => {
    const counted = assess(sections(), { 2: made }, { isRetainedFromCreation: true });
    expect(counted.firstExpiry).toEqual({ asset: id(2), at: inDays(2) });
    expect(counted.findings.map(({ code, summary }) => [code, summary])).toEqual([
      ['asset-expires', `asset ${id(2)} (\`Asset 2\`) is retained until ${inDays(2)} (288 hours from its creation), in playlist/evening`],
    ]);
    const unknown = assess(sections(), { 2: made });
    expect(unknown.firstExpiry).toBeUndefined();
    expect(unknown.findings.map(({ code, summary }) => [code, summary])).toEqual([
      ['asset-expires', `asset ${id(2)} (\`Asset 2\`) expires: retention 288 h, start unknown, in playlist/evening`],
    ]);
  });

  test('has no date where the service does not say when the asset was made', () => {
    const { findings } = assess(sections(), { 2: { retentionHours: 1 } }, { isRetainedFromCreation: true });
    expect(findings[0]?.summary).toContain('retention 1 h, start unknown');
  });

  test('is not reported long before its end', () => {
    expect(codes(assess(sections(), { 2: { ...made, retentionHours: 1000 } }, { isRetainedFromCreation: true }))).toEqual([]);
  });

  test('ends an asset before its window does, where it is shorter', () => {
    const { facts, findings } = assess(sections({ available: { until: inDays(5) } }), { 1: made }, { isRetainedFromCreation: true });
    expect(facts.get(id(1))?.expires).toBe(inDays(2));
    expect(findings[0]?.summary).toContain('retained until');
  });
});

describe('studio DRM that the service requires for an asset', () => {
  test('is reported in a playlist that switches it off, and with another mark in the catalog', () => {
    expect(codes(assess(sections(), { 1: { requiresStudioDrm: true } }))).toEqual(['asset-studio-drm-mismatch']);
    expect(codes(assess(sections({}, { studio_drm_required: 1 }), { 1: { requiresStudioDrm: true } }))).toEqual([]);
    const { findings } = assess(sections({ studio_drm: false }, { studio_drm_required: 1 }), { 1: { requiresStudioDrm: true } });
    expect(findings).toMatchObject([{ code: 'asset-studio-drm-mismatch', place: { path: ['assets', 'pilot', 'studio_drm'] } }]);
    expect(codes(assess(sections({ studio_drm: true }), { 1: { requiresStudioDrm: false } }))).toEqual(['asset-studio-drm-mismatch']);
  });

  test('is not reported where it is unknown', () => {
    expect(codes(assess(sections({ studio_drm: true }), { 1: {}, 2: {} }))).toEqual([]);
  });
});

describe('ad breaks within assets', () => {
  test('are reported once for a playlist that ignores them', () => {
    const breaks = { 1: { breakOffsets: [10, 20] }, 2: { breakOffsets: [5] } };
    const { findings } = assess(sections(), breaks);
    expect(findings).toMatchObject([{ code: 'breaks-ignored', address: 'playlist/evening', place: { path: ['playlists', 'evening'] } }]);
    expect(findings[0]?.summary).toBe(`playlist/evening ignores 3 ad breaks within its assets, for example of asset ${id(1)} (\`pilot\`)`);
    expect(codes(assess(sections({}, { beam_break_duration: 30 }), breaks))).toEqual([]);
    expect(codes(assess(sections(), { 1: { breakOffsets: [] }, 2: {} }))).toEqual([]);
  });
});

describe('a playlist of which every asset is gone', () => {
  const catalog = (first: number, second: number) => ({
    assets: { a: { id: id(1), available: { until: inDays(first) } }, b: { id: id(2), available: { until: inDays(second) } } },
    playlists: { evening: { playlist: [beam(1), beam(2)] } },
  });

  test('is reported with the end of its last asset', () => {
    const { findings } = assess(catalog(1, 9));
    expect(codes({ findings, facts: new Map() })).toEqual(['asset-expires', 'asset-expires', 'playlist-empty-after-expiry']);
    expect(findings[2]).toMatchObject({ address: 'playlist/evening', place: { path: ['playlists', 'evening'] } });
    expect(findings[2]?.summary).toContain(`nothing to play from ${inDays(9)} on`);
  });

  test('is not reported while one asset stays longer, or has no known end', () => {
    expect(codes(assess(catalog(1, 15)))).toEqual(['asset-expires']);
    expect(codes(assess(sections({ available: { until: inDays(1) } })))).toEqual(['asset-expires']);
  });

  test('is reported of a smart start by the finding about its asset alone', () => {
    const start = { assets: { a: { id: id(1), available: { until: inDays(1) } } }, smart_starts: { vod: { assets: ['a'] } } };
    expect(codes(assess(start))).toEqual(['asset-expires']);
  });
});

describe('the clock', () => {
  const end = fc.option(fc.integer({ min: -40, max: 40 }), { nil: undefined });
  const asset = fc.record({ until: end, created: end, retentionHours: fc.option(fc.integer({ min: 1, max: 1000 }), { nil: undefined }) });

  /** Returns what is gone or will soon be, at an instant: the address or the asset of each such finding. */
  function endsAt(
    days: number,
    assets: readonly {
      readonly until: number | undefined;
      readonly created: number | undefined;
      readonly retentionHours: number | undefined;
    }[],
  ) {
    const entries = assets.map(({ until }, index) => [
      `a${index}`,
      { id: id(index), ...(until === undefined ? {} : { available: { until: inDays(until) } }) },
    ]);
    const existing = assets.map(
      ({ created, retentionHours }): AssetFacts => ({
        ...(created === undefined ? {} : { created: inDays(created) }),
        ...(retentionHours === undefined ? {} : { retentionHours }),
      }),
    );
    const declared = { assets: Object.fromEntries(entries), playlists: { all: { playlist: assets.map((_, index) => beam(index)) } } };
    const { findings } = assess(declared, existing, { now: NOW + days * DAY, isRetainedFromCreation: true });
    const ends = findings.filter(({ code }) => ['asset-expires', 'asset-outside-window', 'playlist-empty-after-expiry'].includes(code));
    return new Set(ends.map(({ summary }) => /asset [0-9a-f]{32}|nothing to play/.exec(summary)?.[0]));
  }

  test('never brings back what was reported as gone, however far it moves forward', () => {
    assertProperty(
      fc.property(
        fc.array(asset, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: -60, max: 60 }),
        fc.nat({ max: 120 }),
        (assets, days, later) => {
          const [before, after] = [endsAt(days, assets), endsAt(days + later, assets)];
          expect([...before].filter((each) => !after.has(each))).toEqual([]);
        },
      ),
    );
  });
});
