/** The diagram of a policy: its changed settings by DRM system and by the tracks that they apply to (drm-api-v3 sections 2.2 to 2.5). */
import type { Change, FieldChange } from '../../model/change.ts';
import type { PolicyDiagram, PolicySetting } from '../../model/diagram.ts';
import { RESOLUTIONS, SYSTEM_NAMES } from '../../model/impact.ts';

/** Titles of the DRM systems, by their setting. */
export const SYSTEMS: ReadonlyMap<string, string> = new Map(Object.entries(SYSTEM_NAMES));

const WHOLE_SYSTEM = 'whole system';

/** Titles of the columns by track, in order; the column of settings without a track comes before them. */
const TRACK_TITLES: ReadonlyMap<string, string> = new Map<string, string>([
  ['ALL', 'all tracks'],
  ['ALL_VIDEO', 'all video'],
  ...RESOLUTIONS.map((resolution) => [resolution, resolution] as const),
  ['AUDIO', 'audio'],
]);

/** Returns the diagram of the changed settings; null if no setting of a DRM system changes. */
export function diagram({ fields }: Change): PolicyDiagram | null {
  const settings = fields.flatMap((field) => settingOf(field) ?? []);
  if (settings.length === 0) return null;
  const used = new Set<string>([...settings.map(({ track }) => track), ...RESOLUTIONS]);
  const tracks = [WHOLE_SYSTEM, ...TRACK_TITLES.values()].filter((track) => used.has(track));
  return { type: 'policy', systems: [...SYSTEMS.values()], tracks, settings };
}

/**
 * Returns where a setting belongs: `/widevine/content_key_specs/HD/security_level` and `/playready/hd/security_level` both belong to HD.
 * Null if the field is no setting of a DRM system.
 */
function settingOf(field: FieldChange): PolicySetting | null {
  const [, systemKey = '', ...parts] = field.path.split('/');
  const system = SYSTEMS.get(systemKey);
  if (system === undefined || parts.length === 0) return null;
  const [first = '', second = ''] = parts;
  const [trackKey, depth] = first === 'content_key_specs' ? [second, 2] : [first.toUpperCase(), 1];
  const track = TRACK_TITLES.get(trackKey);
  const path = parts
    .slice(track === undefined ? 0 : depth)
    .map((part) => `/${part}`)
    .join('');
  return { field, system, track: track ?? WHOLE_SYSTEM, path };
}
