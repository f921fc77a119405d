/** What a policy demands of one kind of track, after everything that a device never sees is resolved. */
import { RESOLUTIONS, type Resolution, type System } from '../model/impact.ts';
import { equal, isJsonObject, type Json, type JsonObject, type Path } from '../model/json.ts';
import { DIMENSIONS, type Dimension } from './settings-strength.ts';

/** What keys are given out for: a resolution, or with Widevine the sound. */
export type Track = Resolution | 'AUDIO';

/** The tracks for which a DRM system has demands of their own. */
export const TRACKS: { readonly [system in System]: readonly Track[] } = {
  fairplay: RESOLUTIONS,
  widevine: [...RESOLUTIONS, 'AUDIO'],
  playready: RESOLUTIONS,
};

/** What one part of a policy demands of a track. */
export interface Requirement {
  /** Where it stands: `['widevine', 'content_key_specs', 'ALL']`. */
  readonly place: Path;
  /** The value of each dimension of the system, by its name. */
  readonly demands: JsonObject;
}

/**
 * The demands of a policy (canonical fields) on a track. More than one, widest first, where several Widevine elements name the track and
 * differ: the documents do not say which counts. None where no element names it: they do not say what holds then (drm-api-v3 section 2.3).
 */
export function requirementsOn(system: System, policy: JsonObject, track: Track): readonly Requirement[] {
  const known = asked.get(policy) ?? new Map<string, readonly Requirement[]>();
  asked.set(policy, known);
  const key = `${system} ${track}`;
  const requirements = known.get(key) ?? resolved(system, policy, track);
  known.set(key, requirements);
  return requirements;
}

/** What was asked of a policy before: every device asks the same. */
const asked = new WeakMap<JsonObject, Map<string, readonly Requirement[]>>();

function resolved(system: System, policy: JsonObject, track: Track): readonly Requirement[] {
  if (system === 'widevine') return distinct(elementsFor(policy, track).map((place) => requirementAt(system, policy, place)));
  return [requirementAt(system, policy, [system, track.toLowerCase()])];
}

/** The value at a path of a policy's fields; null where there is none. */
export function valueAt(policy: JsonObject, path: Path): Json {
  return path.reduce<Json>((value, step) => (isJsonObject(value) && Object.hasOwn(value, step) ? (value[step] ?? null) : null), policy);
}

/** Track types that stand for several tracks, widest first. */
const WIDE: readonly string[] = ['ALL', 'ALL_VIDEO'];

/** The elements of `content_key_specs` that reach a track, widest first; `HD (2)` is the second one of that name. */
function elementsFor(policy: JsonObject, track: Track): readonly Path[] {
  const specs = valueAt(policy, ['widevine', 'content_key_specs']);
  const names = isJsonObject(specs) ? Object.keys(specs).sort() : [];
  const reaching = [...WIDE.slice(0, track === 'AUDIO' ? 1 : 2), track];
  return reaching
    .flatMap((type) => names.filter((name) => name.split(' ')[0] === type))
    .map((name) => ['widevine', 'content_key_specs', name]);
}

function requirementAt(system: System, policy: JsonObject, place: Path): Requirement {
  const read = (dimension: Dimension) => [dimension.name, valueAt(policy, [...place, ...dimension.path])] as const;
  const demands = Object.fromEntries(DIMENSIONS[system].map(read));
  return { place, demands: system === 'playready' ? withType1(demands) : demands };
}

/** `require_hdcp_type_1` counts from digital level 250 on (drm-api-v3 section 2.4); at 301, where nothing passes, nothing is left for it to forbid. */
function withType1(demands: JsonObject): JsonObject {
  const level = Number(demands.digital_video_protection_level);
  return { ...demands, require_hdcp_type_1: level === 301 || (level >= 250 && demands.require_hdcp_type_1 === true) };
}

/** Elements that demand the same leave no question which of them counts: the widest stands for all. */
function distinct(requirements: readonly Requirement[]): readonly Requirement[] {
  return requirements.filter((each, index) => requirements.findIndex(({ demands }) => equal(demands, each.demands)) === index);
}
