/** What is reported about the assets that playlists play. The clock is an input. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AssessmentInput, ReferenceAssessment } from '../../../../src/core/kinds/kind.ts';
import { assessAssets, factsOfAssets } from '../../../../src/core/kinds/playlist/assess-assets.ts';
import type { DesiredPlaylist } from '../../../../src/core/kinds/playlist/model.ts';
import type { AssetFacts } from '../../../../src/core/model/asset.ts';
import { formatInstant } from '../../../../src/core/model/instant.ts';
import type { JsonObject } from '../../../../src/core/model/json.ts';
import { assertProperty } from '../../../support/property.ts';
import { beam, declare, id } from './fixtures.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.parse('2026-11-01T00:00:00Z');

/** Returns the instant so many days from now. */
function inDays(days: number): string {
  return formatInstant(NOW + days * DAY);
}

/** The facts that the service shows, by the number of the asset. */
type FactsByNumber = { readonly [number: number]: AssetFacts };

function existingOf(existing: FactsByNumber): AssessmentInput['existing'] {
  return new Map(Object.entries(existing).map(([number, facts]) => [id(Number(number)), { name: `Asset ${number}`, facts }]));
}

/** Assesses the playlists of sections, with these texts of files by name. */
function assess(
  sections: JsonObject,
  existing: FactsByNumber = {},
  more: Partial<AssessmentInput> = {},
  files: { readonly [name: string]: string } = {},
): ReferenceAssessment {
  const { resources, findings } = declare(sections, files);
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  return assessResources([...resources.values()], existing, more);
}

function assessResources(
  resources: readonly DesiredPlaylist[],
  existing: FactsByNumber = {},
  more: Partial<AssessmentInput> = {},
): ReferenceAssessment {
  return assessAssets(resources, {
    existing: existingOf(existing),
    now: NOW,
    within: () => 14 * DAY,
    isRetainedFromCreation: false,
    readyStates: new Set(['ok']),
    ...more,
  });
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

/** Where the playlist of `sections` names asset 1 (entry 0) or 2 (entry 2). */
function useAt(entry: 0 | 2) {
  return { place: { path: ['playlists', 'evening', 'playlist', entry, 'beam', 'id'] }, address: 'playlist/evening' };
}

/** Where the catalog of `sections` says something of asset 1. */
function inCatalog(...below: readonly string[]) {
  return { path: ['assets', 'pilot', ...below] };
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

  test('are none, and lead to no finding, where neither the catalog nor the service says anything', () => {
    expect(assess({ playlists: { evening: { playlist: [beam(1), beam(2)] } } })).toStrictEqual({ facts: new Map(), findings: [] });
  });

  test('have no name where neither the catalog nor the service has one', () => {
    const nameless = new Map([[id(1), { name: '', facts: { state: 'ok' } }]]);
    const sources = { existing: nameless, isRetainedFromCreation: false };
    const kindData = { facts: { [id(2)]: { durationSeconds: 60 } } };
    expect(factsOfAssets([id(1), id(2)], [{ kindData }], sources)).toStrictEqual(
      new Map<string, AssetFacts>([
        [id(1), { state: 'ok' }],
        [id(2), { durationSeconds: 60 }],
      ]),
    );
  });

  test('can be asked for by ID, of assets that no playlist plays, too; one of which nothing is known is left out', () => {
    const { resources } = declare(sections({ duration: 60, studio_drm: true }));
    const sources = { existing: existingOf({ 7: { created: inDays(-1), retentionHours: 24 } }), isRetainedFromCreation: true };
    const found = factsOfAssets([id(7), id(5), id(1)], [...resources.values()], sources);
    const ofService: AssetFacts = { name: 'Asset 7', created: inDays(-1), retentionHours: 24, expires: inDays(0) };
    expect([...found]).toStrictEqual([
      [id(7), ofService],
      [id(1), { name: 'pilot', durationSeconds: 60 }],
    ]);
    expect([...factsOfAssets([id(1), id(7)], [], sources)]).toStrictEqual([[id(7), ofService]]);
  });
});

describe('the first end of an asset', () => {
  const endsOf = (...days: readonly (number | undefined)[]) => {
    const assets = Object.fromEntries(
      days.map((end, index) => [`a${index}`, { id: id(index), ...(end === undefined ? {} : { available: { until: inDays(end) } }) }]),
    );
    return assess({ assets, playlists: { all: { playlist: days.map((_, index) => beam(index)) } } }).firstExpiry;
  };

  test.each([
    ['the earliest one', [undefined, 9, 5, 7], 2, 5],
    ['that of the asset that is played first, where several end together', [9, 5, 5], 1, 5],
    ['in the past, where it has passed', [3, -2], 1, -2],
  ])('is %s', (_name, days, asset, end) => {
    expect(endsOf(...days)).toEqual({ asset: id(asset), at: inDays(end) });
  });
});

describe('an asset in a state', () => {
  test('is reported where the state is none in which it can be played', () => {
    const hint =
      'Wait until it is ready, or play another one. If it can be played in this state, add the state to `service.asset_ready_states`.';
    expect(assess(sections(), { 1: { state: 'slicing' }, 2: { state: 'OK' } }).findings).toStrictEqual([
      {
        code: 'asset-not-ready',
        ...useAt(0),
        summary: `asset ${id(1)} (\`pilot\`) is in the state slicing, in playlist/evening`,
        hint,
      },
    ]);
    expect(assess(sections(), { 2: { state: 'failed' } }).findings).toStrictEqual([
      {
        code: 'asset-not-ready',
        ...useAt(2),
        summary: `asset ${id(2)} (\`Asset 2\`) is in the state failed, in playlist/evening`,
        hint,
      },
    ]);
  });

  test('is reported once, with the number of its other playlists, however often one of them plays it', () => {
    const playlists = {
      a: { playlist: [beam(1), beam(1), beam(2)] },
      b: { playlist: [beam(3), beam(1)] },
      c: { playlist: [beam(1), beam(2)] },
    };
    const { findings } = assess({ playlists }, { 1: { state: 'failed' } });
    expect(findings.map(({ summary }) => summary)).toEqual([
      `asset ${id(1)} (\`Asset 1\`) is in the state failed, in playlist/a and 2 more`,
    ]);
  });

  test('is reported at the line of the file that lists it', () => {
    const start = { smart_starts: { vod: { assets_file: 'vod.txt' } } };
    const { findings } = assess(start, { 2: { state: 'failed' } }, {}, { 'vod.txt': `${id(1)}\n  ${id(2)}` });
    expect(findings).toMatchObject([{ address: `smart-start/vod/${id(2)}` }]);
    expect(findings.map(({ place }) => place)).toStrictEqual([
      { path: ['smart_starts', 'vod', 'assets_file'], textFilePosition: { file: 'config/vod.txt', line: 2, column: 3 } },
    ]);
  });

  test.each([
    ['by its ID alone where it has no name', '', `asset ${id(1)} is in`],
    ['by its whole name where that has 100 characters', 'x'.repeat(100), `asset ${id(1)} (\`${'x'.repeat(100)}\`) is in`],
    ['by the first 100 characters of its name', 'x'.repeat(101), `asset ${id(1)} (\`${'x'.repeat(100)}\`) is in`],
  ])('is called %s', (_name, name, beginning) => {
    const existing = new Map([[id(1), { name, facts: { state: 'failed' } }]]);
    const { findings } = assess({ playlists: { evening: { playlist: [beam(1)] } } }, {}, { existing });
    expect(findings.map(({ summary }) => summary)).toEqual([`${beginning} the state failed, in playlist/evening`]);
  });
});

describe('the window of an asset', () => {
  const [ended, later, soon] = [
    'Take it out of the playlist, or enter the new end of its rights.',
    'Put it into the playlist later, or correct the beginning of its rights.',
    'Replace it in the playlist before, or enter the new end of its rights.',
  ];

  test.each<[string, { readonly from?: string; readonly until?: string }, string, 'from' | 'until', string, string]>([
    ['ended', { until: inDays(-1) }, 'asset-outside-window', 'until', `may no longer be played since ${inDays(-1)}`, ended],
    ['ends now', { until: inDays(0) }, 'asset-outside-window', 'until', `may no longer be played since ${inDays(0)}`, ended],
    ['begins later', { from: inDays(1) }, 'asset-outside-window', 'from', `may not be played before ${inDays(1)}`, later],
    ['ends within the time', { until: inDays(14) }, 'asset-expires', 'until', `may be played until ${inDays(14)}`, soon],
  ])('is reported where it is written if it %s', (_name, available, code, end, text, hint) => {
    expect(assess(sections({ available })).findings).toStrictEqual([
      {
        code,
        place: inCatalog('available', end),
        address: 'playlist/evening',
        summary: `asset ${id(1)} (\`pilot\`) ${text}, in playlist/evening`,
        hint,
      },
    ]);
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

  const unknownStart = {
    code: 'asset-expires',
    ...useAt(2),
    hint: 'If the retention counts from the creation of an asset, say so: `service: { retention_from: created }`.',
  };

  test('counts from its creation where the service is said to count so', () => {
    const { firstExpiry, findings } = assess(sections(), { 2: made }, { isRetainedFromCreation: true });
    expect(firstExpiry).toEqual({ asset: id(2), at: inDays(2) });
    expect(findings).toStrictEqual([
      {
        code: 'asset-expires',
        ...useAt(2),
        summary: `asset ${id(2)} (\`Asset 2\`) is retained until ${inDays(2)} (288 hours from its creation), in playlist/evening`,
        hint: 'Replace it in the playlist before, or have the service retain it for longer.',
      },
    ]);
  });

  test('has no date where the service is not said to count from the creation', () => {
    const { firstExpiry, findings } = assess(sections(), { 2: made });
    expect(firstExpiry).toBeUndefined();
    const summary = `asset ${id(2)} (\`Asset 2\`) expires: retention 288 h, start unknown, in playlist/evening`;
    expect(findings).toStrictEqual([{ ...unknownStart, summary }]);
  });

  test('has no date where the service does not say when the asset was made', () => {
    const { findings } = assess(sections(), { 2: { retentionHours: 1 } }, { isRetainedFromCreation: true });
    const summary = `asset ${id(2)} (\`Asset 2\`) expires: retention 1 h, start unknown, in playlist/evening`;
    expect(findings).toStrictEqual([{ ...unknownStart, summary }]);
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
  const code = 'asset-studio-drm-mismatch';
  const overridden = (asset: number, name: string) => ({
    code,
    summary: `asset ${id(asset)} (\`${name}\`) requires studio DRM, but \`studio_drm_required: 0\` of the playlist takes precedence, in playlist/evening`,
    hint: 'Write `studio_drm_required: 1`, or play it in a playlist of its own.',
  });

  test('is reported in a playlist that switches it off, with or without a name in the catalog', () => {
    const required = { 1: { requiresStudioDrm: true }, 2: { requiresStudioDrm: true } };
    expect(assess(sections(), required).findings).toStrictEqual([
      { ...overridden(1, 'pilot'), ...useAt(0) },
      { ...overridden(2, 'Asset 2'), ...useAt(2) },
    ]);
    expect(codes(assess(sections({}, { studio_drm_required: 1 }), required))).toEqual([]);
  });

  test.each([
    [false, true, 'requires'],
    [true, false, 'does not require'],
  ])('is reported at another mark in the catalog: %j', (mark, requiresStudioDrm, verb) => {
    const { findings } = assess(sections({ studio_drm: mark }, { studio_drm_required: 1 }), { 1: { requiresStudioDrm } });
    expect(findings).toStrictEqual([
      {
        code,
        place: inCatalog('studio_drm'),
        summary: `asset ${id(1)} (\`pilot\`) has \`studio_drm: ${mark}\`, but the service ${verb} studio DRM for it`,
        hint: `Write \`studio_drm: ${requiresStudioDrm}\`, or change the asset.`,
      },
    ]);
  });

  test('is not reported where the mark agrees with it, or where it is unknown', () => {
    expect(codes(assess(sections({ studio_drm: true }, { studio_drm_required: 1 }), { 1: { requiresStudioDrm: true } }))).toEqual([]);
    expect(codes(assess(sections({ studio_drm: false }), { 1: { requiresStudioDrm: false } }))).toEqual([]);
    expect(codes(assess(sections({ studio_drm: true }), { 1: {}, 2: {} }))).toEqual([]);
  });
});

describe('ad breaks within assets', () => {
  const breaks = { 1: { breakOffsets: [10, 20] }, 2: { breakOffsets: [5] } };
  const hint = 'Write the seconds of each such break as `beam_break_duration`, or switch this finding off under `rules`.';

  test('are reported once for a playlist that ignores them', () => {
    const ofPlaylist = { code: 'breaks-ignored', place: { path: ['playlists', 'evening'] }, address: 'playlist/evening', hint };
    expect(assess(sections(), breaks).findings).toStrictEqual([
      { ...ofPlaylist, summary: `playlist/evening ignores 3 ad breaks within its assets, for example of asset ${id(1)} (\`pilot\`)` },
    ]);
    expect(assess(sections(), { 2: { breakOffsets: [5] } }).findings).toStrictEqual([
      { ...ofPlaylist, summary: `playlist/evening ignores 1 ad break within its assets, for example of asset ${id(2)} (\`Asset 2\`)` },
    ]);
  });

  test('are reported at the line of the file that lists the asset of a smart start', () => {
    const start = { smart_starts: { vod: { assets_file: 'vod.txt' } } };
    const { findings } = assess(start, { 2: { breakOffsets: [5] } }, {}, { 'vod.txt': `# VOD\n${id(2)}` });
    expect(findings).toMatchObject([{ code: 'breaks-ignored', address: `smart-start/vod/${id(2)}` }]);
    expect(findings.map(({ place }) => place)).toStrictEqual([
      { path: ['smart_starts', 'vod', 'assets_file'], textFilePosition: { file: 'config/vod.txt', line: 2, column: 1 } },
    ]);
  });

  test('are not reported where the playlist has seconds for them, where there are none, or where the playlist is off', () => {
    expect(codes(assess(sections({}, { beam_break_duration: 30 }), breaks))).toEqual([]);
    expect(codes(assess(sections(), { 1: { breakOffsets: [] }, 2: {} }))).toEqual([]);
    expect(codes(assess(sections({}, { active: 0 }), breaks))).toEqual([]);
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
    expect(findings[2]).toStrictEqual({
      code: 'playlist-empty-after-expiry',
      place: { path: ['playlists', 'evening'] },
      summary: `playlist/evening has nothing to play from ${inDays(9)} on: each of its assets is gone by then`,
      hint: 'Put other assets into it, or switch it off.',
      address: 'playlist/evening',
    });
  });

  test('is reported from the first instant within the time onward', () => {
    expect(codes(assess(catalog(-20, 14)))).toEqual(['asset-outside-window', 'asset-expires', 'playlist-empty-after-expiry']);
  });

  test('is not reported of a list that holds no asset, which is an error of its own', () => {
    const { resources } = declare({
      ...sections({ duration: 60 }),
      playlists: { evening: { playlist: [beam(1)] }, none: { playlist: [] } },
    });
    expect(assessResources([...resources.values()]).findings).toEqual([]);
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
