/** The requirements of a policy for one kind of track, and how the requirements of two policies differ in strength. */
import { RESOLUTIONS, type Resolution, type System } from '../model/impact.ts';
import { equal, isJsonObject, type Json, type JsonObject, type Path } from '../model/json.ts';
import { DIMENSIONS, type Dimension, strengthOf } from './settings-strength.ts';

/** A track with a key of its own: a resolution, or with Widevine the audio. */
export type Track = Resolution | 'AUDIO';

/** The tracks for which each DRM system has separate requirements. */
export const SYSTEM_TRACKS: { readonly [system in System]: readonly Track[] } = {
  fairplay: RESOLUTIONS,
  widevine: [...RESOLUTIONS, 'AUDIO'],
  playready: RESOLUTIONS,
};

/** The demands of one part of a policy on a track. */
export interface Requirement {
  /** Path of that part: `['widevine', 'content_key_specs', 'ALL']`. */
  readonly place: Path;
  /** The value of each dimension of the system, by its name. */
  readonly demands: JsonObject;
}

/**
 * Returns the requirements of a policy (canonical fields) for a track, widest first. There are several if several Widevine elements cover
 * the track and differ, and none if no element covers it; the API documents define neither case (drm-api-v3 section 2.3).
 */
export function requirementsOn(system: System, policy: JsonObject, track: Track): readonly Requirement[] {
  const byTrack = cache.get(policy) ?? new Map<string, readonly Requirement[]>();
  cache.set(policy, byTrack);
  const key = `${system} ${track}`;
  const requirements = byTrack.get(key) ?? computeRequirements(system, policy, track);
  byTrack.set(key, requirements);
  return requirements;
}

/** The requirements that were already computed for a policy: they are the same for every device. */
const cache = new WeakMap<JsonObject, Map<string, readonly Requirement[]>>();

function computeRequirements(system: System, policy: JsonObject, track: Track): readonly Requirement[] {
  if (system === 'widevine') return distinct(elementsFor(policy, track).map((place) => requirementAt(system, policy, place)));
  return [requirementAt(system, policy, [system, track.toLowerCase()])];
}

/** Returns the value at a path of a policy's fields; null if there is none. */
export function valueAt(policy: JsonObject, path: Path): Json {
  return path.reduce<Json>((value, step) => (isJsonObject(value) && Object.hasOwn(value, step) ? (value[step] ?? null) : null), policy);
}

/** Track types that cover several tracks, widest first. */
const WIDE_TYPES: readonly string[] = ['ALL', 'ALL_VIDEO'];

/** Every track type that the API documents list (drm-api-v3 section 2.3). */
const LISTED_TYPES: readonly string[] = [...WIDE_TYPES, ...SYSTEM_TRACKS.widevine];

const SPECS: Path = ['widevine', 'content_key_specs'];

/** Returns the elements of `content_key_specs` that cover a track, widest first. */
function elementsFor(policy: JsonObject, track: Track): readonly Path[] {
  const types = [...WIDE_TYPES.slice(0, track === 'AUDIO' ? 1 : 2), track];
  return types.flatMap((type) => elementsOf(policy, (each) => each === type));
}

/**
 * Returns the elements of `content_key_specs` whose track types the API documents do not list: each may cover any track, or none. The last
 * step of a path is the track type in quotes.
 */
export function unlistedElements(policy: JsonObject): readonly Path[] {
  return elementsOf(policy, (type) => !LISTED_TYPES.includes(type));
}

/** Says of an element with an unlisted track type what nobody knows about it. */
export function describeUnlisted(element: Path): string {
  return `the API documents do not say what track type ${element.at(-1)} is`;
}

/** Returns the elements with some track types, sorted; `HD (2)` is the second element of the type `HD`. */
function elementsOf(policy: JsonObject, isOfType: (type: string) => boolean): readonly Path[] {
  const specs = valueAt(policy, SPECS);
  const names = isJsonObject(specs) ? Object.keys(specs).sort() : [];
  return names.filter((name) => isOfType(name.split(' ')[0] ?? name)).map((name) => [...SPECS, name]);
}

function requirementAt(system: System, policy: JsonObject, place: Path): Requirement {
  const demandOf = (dimension: Dimension) => [dimension.name, valueAt(policy, [...place, ...dimension.path])] as const;
  const demands = Object.fromEntries(DIMENSIONS[system].map(demandOf));
  return { place, demands: system === 'playready' ? withType1(demands) : demands };
}

/** Resolves `require_hdcp_type_1`: it applies from digital level 250 on (drm-api-v3 section 2.4), and level 301 (no output) implies it. */
function withType1(demands: JsonObject): JsonObject {
  const level = Number(demands.digital_video_protection_level);
  return { ...demands, require_hdcp_type_1: level === 301 || (level >= 250 && demands.require_hdcp_type_1 === true) };
}

/** Drops requirements with equal demands, because it does not matter which of them applies; the widest is kept. */
function distinct(requirements: readonly Requirement[]): readonly Requirement[] {
  return requirements.filter((each, index) => requirements.findIndex(({ demands }) => equal(demands, each.demands)) === index);
}

/** A dimension in which a requirement differs from the one that replaces it. */
export interface StrengthChange {
  readonly dimension: Dimension;
  readonly from: Requirement;
  readonly to: Requirement;
  readonly before: Json;
  readonly after: Json;
  readonly isStronger: boolean;
}

/**
 * Returns all changes of strength between the requirements for a track before and after a change. If several requirements may apply on one
 * side, equal numbers are compared pair by pair, widest first; otherwise each requirement is compared with each other one.
 */
export function strengthChangesBetween(
  system: System,
  before: readonly Requirement[],
  after: readonly Requirement[],
): readonly StrengthChange[] {
  const isPaired = before.length === after.length;
  const successors = (index: number) => after.filter((_to, nth) => !isPaired || nth === index);
  return before.flatMap((from, index) =>
    successors(index).flatMap((to) => DIMENSIONS[system].flatMap((dimension) => strengthChangesIn(dimension, from, to))),
  );
}

function strengthChangesIn(dimension: Dimension, from: Requirement, to: Requirement): readonly StrengthChange[] {
  const [before, after] = [from.demands[dimension.name] ?? null, to.demands[dimension.name] ?? null];
  if (equal(before, after)) return [];
  return [{ dimension, from, to, before, after, isStronger: strengthOf(dimension, after) > strengthOf(dimension, before) }];
}
