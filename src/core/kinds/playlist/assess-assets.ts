/** Assesses the assets that playlists play: whether they are ready, how long they stay, and what a playlist's settings do to them. */
import { type AssetFacts, endOfRetention, type FirstExpiry } from '../../model/asset.ts';
import { formatInstant } from '../../model/instant.ts';
import type { Path } from '../../model/json.ts';
import type { AssessmentInput, DesiredResource, Reference, ReferenceAssessment, ReferenceFinding } from '../kind.ts';
import { declaredFactsOf } from './asset-catalog.ts';
import { listReferences } from './asset-references.ts';
import { assetIdsOf, type DesiredPlaylist } from './model.ts';
import { isOnAir } from './playback.ts';

/** The codes of the findings, with their meaning. */
export const ASSET_CODES = {
  'asset-not-ready': {
    meaning: 'an asset in a state that `service.asset_ready_states` does not name, where `check.assets` is on',
    needs: 'look-up',
  },
  'asset-expires': {
    meaning: 'an asset that is gone within 14 days (`within`), or whose retention has no known start',
    hasDate: true,
    needs: 'account',
  },
  'asset-outside-window': { meaning: 'an asset before or after the window in which it may be played (`available`)', needs: 'account' },
  'asset-studio-drm-mismatch': {
    meaning:
      'an asset that must be under studio DRM, in a playlist without it or with another mark in `assets`, where `check.assets` is on',
    needs: 'look-up',
  },
  'breaks-ignored': {
    meaning: 'ad breaks defined within assets, in a playlist with `beam_break_duration: 0`, where `check.assets` is on',
    needs: 'look-up',
  },
  'playlist-empty-after-expiry': {
    meaning: 'a playlist of which every asset is gone within 14 days (`within`)',
    hasDate: true,
    needs: 'account',
  },
} as const;

/** Maximum length of a name in a finding, characters: a description in the service may be of any length. */
const MAX_NAME_LENGTH = 100;

/** One asset, and the playlists on air that play it. */
interface UsedAsset {
  readonly id: string;
  readonly facts: AssetFacts;
  readonly uses: Uses;
}

/** The playlists on air that play an asset, in the order of the configuration. */
type Uses = readonly [DesiredPlaylist, ...(readonly DesiredPlaylist[])];

/**
 * Returns the facts about all assets that these playlists name, where there are any, and findings about those that playlists on air play:
 * for each asset at most one of a code, whatever the number of its playlists.
 */
export function assessAssets(playlists: readonly DesiredPlaylist[], input: AssessmentInput): ReferenceAssessment {
  const facts = new Map<string, AssetFacts>();
  const uses = new Map<string, [DesiredPlaylist, ...DesiredPlaylist[]]>();
  for (const playlist of playlists) {
    const isPlayed = isOnAir(playlist.fields);
    for (const id of assetIdsOf(playlist.fields.playlist)) {
      const known = facts.get(id) ?? factsOf(id, playlist, input);
      if (known === undefined) continue;
      facts.set(id, known);
      if (!isPlayed) continue;
      const others = uses.get(id);
      if (others === undefined) uses.set(id, [playlist]);
      else if (others.at(-1) !== playlist) others.push(playlist);
    }
  }
  const assets = [...uses].map(([id, ofAsset]): UsedAsset => ({ id, facts: facts.get(id) ?? {}, uses: ofAsset }));
  const onAir = facts.size === 0 ? [] : playlists.filter(({ fields }) => isOnAir(fields));
  const first = firstExpiry(assets);
  return {
    facts,
    findings: [
      ...assets.flatMap((asset) => [
        ...notReady(asset, input),
        ...outsideWindow(asset, input),
        ...expiring(asset, input),
        ...studioDrmMismatch(asset),
      ]),
      ...onAir.flatMap((playlist) => [...ignoredBreaks(playlist, facts), ...emptyAfterExpiry(playlist, facts, input)]),
    ],
    ...(first === undefined ? {} : { firstExpiry: first }),
  };
}

/** Where facts come from besides the configuration. */
type FactSources = Pick<AssessmentInput, 'existing' | 'isRetainedFromCreation'>;

/** Returns the facts about assets of which something is known. Any playlist knows the whole catalog. */
export function factsOfAssets(
  ids: readonly string[],
  [playlist = {}]: readonly Pick<DesiredPlaylist, 'kindData'>[],
  sources: FactSources,
): ReadonlyMap<string, AssetFacts> {
  return new Map(
    ids.flatMap((id): [string, AssetFacts][] => {
      const facts = factsOf(id, playlist, sources);
      return facts === undefined ? [] : [[id, facts]];
    }),
  );
}

/**
 * Joins what the configuration and the service say; undefined where neither says anything. The name is the user's own; of all else the
 * service knows better.
 */
function factsOf(
  id: string,
  { kindData }: Pick<DesiredPlaylist, 'kindData'>,
  { existing, isRetainedFromCreation }: FactSources,
): AssetFacts | undefined {
  const found = existing.get(id);
  const declared = declaredFactsOf(kindData, id);
  if (found === undefined && declared === undefined) return undefined;
  const name = declared?.name ?? found?.name ?? '';
  const { studioDrm: _, ...fromConfiguration } = declared ?? {};
  const facts: AssetFacts = { ...fromConfiguration, ...found?.facts, ...(name === '' ? {} : { name }) };
  const ends = [
    ...(facts.availableUntil === undefined ? [] : [Date.parse(facts.availableUntil)]),
    ...(isRetainedFromCreation ? [endOfRetention(facts) ?? []].flat() : []),
  ];
  return ends.length === 0 ? facts : { ...facts, expires: formatInstant(Math.min(...ends)) };
}

function firstExpiry(assets: readonly UsedAsset[]): FirstExpiry | undefined {
  let first: FirstExpiry | undefined;
  for (const { id, facts } of assets)
    if (facts.expires !== undefined && (first === undefined || Date.parse(facts.expires) < Date.parse(first.at)))
      first = { asset: id, at: facts.expires };
  return first;
}

function notReady(asset: UsedAsset, { readyStates }: AssessmentInput): readonly ReferenceFinding[] {
  const { state } = asset.facts;
  if (state === undefined || readyStates.has(state.toLowerCase())) return [];
  const hint =
    'Wait until it is ready, or play another one. If it can be played in this state, add the state to `service.asset_ready_states`.';
  return [{ code: 'asset-not-ready', ...atUse(asset), summary: `${nameOf(asset)} is in the state ${state}${usedIn(asset)}`, hint }];
}

function outsideWindow(asset: UsedAsset, { now }: AssessmentInput): readonly ReferenceFinding[] {
  const { availableFrom: from, availableUntil: until } = asset.facts;
  const code = 'asset-outside-window';
  if (until !== undefined && Date.parse(until) <= now) {
    const hint = 'Take it out of the playlist, or enter the new end of its rights.';
    return [
      { code, ...atWindow(asset, 'until'), summary: `${nameOf(asset)} may no longer be played since ${until}${usedIn(asset)}`, hint },
    ];
  }
  if (from === undefined || Date.parse(from) <= now) return [];
  const hint = 'Put it into the playlist later, or correct the beginning of its rights.';
  return [{ code, ...atWindow(asset, 'from'), summary: `${nameOf(asset)} may not be played before ${from}${usedIn(asset)}`, hint }];
}

/** Reports an asset from `within` before it is gone onward. The finding about its window takes over when that ends. */
function expiring(asset: UsedAsset, { now, within, isRetainedFromCreation }: AssessmentInput): readonly ReferenceFinding[] {
  const { availableUntil: until, retentionHours, expires } = asset.facts;
  const code = 'asset-expires';
  const isDue = expires !== undefined && Date.parse(expires) - within(code, asset.uses[0].address) <= now;
  if (until !== undefined && Date.parse(until) <= now) return [];
  if (isDue && expires === until) {
    const hint = 'Replace it in the playlist before, or enter the new end of its rights.';
    return [{ code, ...atWindow(asset, 'until'), summary: `${nameOf(asset)} may be played until ${until}${usedIn(asset)}`, hint }];
  }
  if (isDue) {
    const hint = 'Replace it in the playlist before, or have the service retain it for longer.';
    const summary = `${nameOf(asset)} is retained until ${expires} (${retentionHours} hours from its creation)${usedIn(asset)}`;
    return [{ code, ...atUse(asset), summary, hint }];
  }
  if (retentionHours === undefined || (isRetainedFromCreation && endOfRetention(asset.facts) !== undefined)) return [];
  const hint = 'If the retention counts from the creation of an asset, say so: `service: { retention_from: created }`.';
  return [
    { code, ...atUse(asset), summary: `${nameOf(asset)} expires: retention ${retentionHours} h, start unknown${usedIn(asset)}`, hint },
  ];
}

/** Compares what the service requires with the mark in `assets`, and with the playlists, whose setting takes precedence. */
function studioDrmMismatch(asset: UsedAsset): readonly ReferenceFinding[] {
  const { requiresStudioDrm } = asset.facts;
  if (requiresStudioDrm === undefined) return [];
  const code = 'asset-studio-drm-mismatch';
  const { studioDrm } = declaredFactsOf(asset.uses[0].kindData, asset.id) ?? {};
  const path = catalogPath(asset, ['studio_drm']);
  const marks =
    studioDrm === undefined || studioDrm === requiresStudioDrm || path === undefined
      ? []
      : [
          {
            code,
            place: { path },
            summary: `${nameOf(asset)} has \`studio_drm: ${studioDrm}\`, but the service ${requiresStudioDrm ? 'requires' : 'does not require'} studio DRM for it`,
            hint: `Write \`studio_drm: ${requiresStudioDrm}\`, or change the asset.`,
          },
        ];
  const [first, ...others] = asset.uses.filter(({ fields }) => fields.studio_drm_required === 0);
  if (!requiresStudioDrm || first === undefined) return marks;
  const overriding: UsedAsset = { ...asset, uses: [first, ...others] };
  const summary = `${nameOf(asset)} requires studio DRM, but \`studio_drm_required: 0\` of the playlist takes precedence${usedIn(overriding)}`;
  const hint = 'Write `studio_drm_required: 1`, or play it in a playlist of its own.';
  return [...marks, { code, ...atUse(overriding), summary, hint }];
}

/** Reports the ad breaks within the assets of a playlist that plays none of them. */
function ignoredBreaks(playlist: DesiredPlaylist, facts: ReadonlyMap<string, AssetFacts>): readonly ReferenceFinding[] {
  if (playlist.fields.beam_break_duration !== 0) return [];
  const ids = assetIdsOf(playlist.fields.playlist);
  const withBreaks = [...new Set(ids)].filter((id) => (facts.get(id)?.breakOffsets ?? []).length > 0);
  const [first] = withBreaks;
  if (first === undefined) return [];
  const breaks = withBreaks.reduce((sum, id) => sum + (facts.get(id)?.breakOffsets ?? []).length, 0);
  const summary = `${playlist.address} ignores ${breaks} ad ${breaks === 1 ? 'break' : 'breaks'} within its assets, for example of ${nameOf({ id: first, facts: facts.get(first) ?? {} })}`;
  const hint = 'Write the seconds of each such break as `beam_break_duration`, or switch this finding off under `rules`.';
  return [{ code: 'breaks-ignored', place: placeOf(playlist), summary, hint, address: playlist.address }];
}

/** Reports a playlist from `within` before the last of its assets is gone, onward. Of a smart start, the finding about its asset says it. */
function emptyAfterExpiry(
  playlist: DesiredPlaylist,
  facts: ReadonlyMap<string, AssetFacts>,
  { now, within }: AssessmentInput,
): readonly ReferenceFinding[] {
  if (isSmartStart(playlist)) return [];
  const code = 'playlist-empty-after-expiry';
  const ids = assetIdsOf(playlist.fields.playlist);
  if (ids.length === 0 || ids.some((id) => facts.get(id)?.expires === undefined)) return [];
  const last = Math.max(...ids.map((id) => Date.parse(facts.get(id)?.expires ?? '')));
  if (last - within(code, playlist.address) > now) return [];
  const summary = `${playlist.address} has nothing to play from ${formatInstant(last)} on: each of its assets is gone by then`;
  return [{ code, place: placeOf(playlist), summary, hint: 'Put other assets into it, or switch it off.', address: playlist.address }];
}

function isSmartStart({ path }: DesiredResource): boolean {
  return path[0] === 'smart_starts';
}

function placeOf({ path, textFilePosition }: DesiredResource): ReferenceFinding['place'] {
  return { path, ...(textFilePosition === undefined ? {} : { textFilePosition }) };
}

/** Returns the place of the first reference to an asset, and the address of its playlist. */
function atUse({ id, uses: [playlist] }: UsedAsset): Pick<ReferenceFinding, 'place' | 'address'> {
  const { path, textFilePosition } = referenceTo(id, playlist) ?? playlist;
  return { place: { path, ...(textFilePosition === undefined ? {} : { textFilePosition }) }, address: playlist.address };
}

function referenceTo(id: string, playlist: DesiredPlaylist): Reference | undefined {
  return listReferences(playlist).find((reference) => reference.id === id);
}

/** Returns the place of one end of the window of an asset, and the address of the first playlist that plays it. */
function atWindow(asset: UsedAsset, end: 'from' | 'until'): Pick<ReferenceFinding, 'place' | 'address'> {
  const path = catalogPath(asset, ['available', end]);
  return path === undefined ? atUse(asset) : { ...atUse(asset), place: { path } };
}

function catalogPath({ id, uses: [playlist] }: UsedAsset, below: Path): Path | undefined {
  const name = declaredFactsOf(playlist.kindData, id)?.name;
  return name === undefined ? undefined : ['assets', name, ...below];
}

function nameOf({ id, facts: { name } }: Pick<UsedAsset, 'id' | 'facts'>): string {
  return name === undefined ? `asset ${id}` : `asset ${id} (\`${name.slice(0, MAX_NAME_LENGTH)}\`)`;
}

function usedIn({ uses: [playlist, ...others] }: UsedAsset): string {
  return `, in ${playlist.address}${others.length === 0 ? '' : ` and ${others.length} more`}`;
}
