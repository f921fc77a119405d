/**
 * What reports draw of policies: the changed settings by DRM system and by the tracks that they apply to (drm-api-v3 sections 2.2 to 2.5), and
 * every setting of all policies, so that they can be compared.
 */
import type { KindOverview } from '../../model/account-overview.ts';
import type { Change, FieldChange } from '../../model/change.ts';
import type { PolicyDiagram, PolicySetting } from '../../model/diagram.ts';
import { RESOLUTIONS, SYSTEM_NAMES } from '../../model/impact.ts';
import type { KindViews, LiveObject } from '../views.ts';
import { canonicalFieldsOf } from './declare.ts';
import { asFields, TRACKS } from './model.ts';

/** The views of policies. */
export const drmPolicyViews = { diagram, overview } satisfies KindViews;

/** Titles of the DRM systems, by their setting. */
const SYSTEMS: ReadonlyMap<string, string> = new Map(Object.entries(SYSTEM_NAMES));

const WHOLE_SYSTEM = 'whole system';

/** Titles of the columns by track, in order; the column of settings without a track comes before them. */
const TRACK_TITLES: ReadonlyMap<string, string> = new Map<string, string>([
  ['ALL', 'all tracks'],
  ['ALL_VIDEO', 'all video'],
  ...RESOLUTIONS.map((resolution) => [resolution, resolution] as const),
  ['AUDIO', 'audio'],
]);

/** Returns the diagram of the changed settings; null if no setting of a DRM system changes. */
function diagram({ fields }: Change): PolicyDiagram | null {
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

function overview(objects: readonly LiveObject[]): KindOverview {
  // Every track is shown with the defaults of an element, also one that the default list leaves out.
  const defaults = canonicalFieldsOf({});
  const widevine = asFields(defaults.widevine);
  const specs = asFields(widevine.content_key_specs);
  return {
    type: 'policies',
    policies: objects.map(({ id, remoteName, fields: { policy_name: _name, ...settings } }) => ({ id, name: remoteName, settings })),
    defaults: {
      ...defaults,
      widevine: { ...widevine, content_key_specs: Object.fromEntries(TRACKS.map((track) => [track, specs.ALL ?? {}])) },
    },
    systems: Object.fromEntries(SYSTEMS),
  };
}
