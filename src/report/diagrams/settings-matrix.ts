/** What changes in the settings of a policy, by DRM system and by the tracks that a setting applies to (drm-api-v3 sections 2.2 to 2.5). */
import type { FieldChange } from '../../model/change.ts';
import { RESOLUTIONS } from '../../model/impact.ts';
import { fieldName, valueText } from '../text/field-diff.ts';
import type { Setting, SettingsMatrix } from './model.ts';

const SYSTEMS = new Map([
  ['fairplay', 'FairPlay'],
  ['widevine', 'Widevine'],
  ['playready', 'PlayReady'],
]);

/** The columns by the tracks that they stand for; the first one is for what belongs to no track. */
const COLUMNS = new Map<string, string>([
  ['', 'whole system'],
  ['ALL', 'all tracks'],
  ['ALL_VIDEO', 'all video'],
  ...RESOLUTIONS.map((resolution) => [resolution, resolution] as const),
  ['AUDIO', 'audio'],
]);

/** A setting, and where it stands. */
interface Place {
  readonly system: string;
  readonly track: string;
  readonly setting: Setting;
}

/** The settings among some fields by system and track, or null where there is none; other fields are no part of it. */
export function settingsMatrixOf(fields: readonly FieldChange[]): SettingsMatrix | null {
  const places = fields.flatMap((field) => placeOf(field) ?? []);
  if (places.length === 0) return null;
  const used = new Set<string>([...places.map(({ track }) => track), ...RESOLUTIONS]);
  const columns = [...COLUMNS].filter(([track]) => used.has(track));
  const cell = (system: string, track: string) =>
    places.filter((place) => place.system === system && place.track === track).map(({ setting }) => setting);
  return {
    type: 'board',
    columns: columns.map(([, title]) => title),
    rows: [...SYSTEMS].map(([system, name]) => ({ name, cells: columns.map(([track]) => cell(system, track)) })),
  };
}

/** Whether a field stands on the board. */
export function isInSettingsMatrix(field: FieldChange): boolean {
  return placeOf(field) !== null;
}

/** `/widevine/content_key_specs/HD/security_level` and `/playready/hd/security_level` both stand at HD; null where the field is no setting. */
function placeOf({ path, before, after, effect }: FieldChange): Place | null {
  const [, system = '', ...parts] = path.split('/');
  if (!SYSTEMS.has(system) || parts.length === 0) return null;
  const [first = '', second = ''] = parts;
  const [track, depth] = first === 'content_key_specs' ? [second, 2] : [first.toUpperCase(), 1];
  const isTrack = track !== '' && COLUMNS.has(track);
  const name = fieldName(parts.slice(isTrack ? depth : 0).join('/')) || 'all of it';
  return {
    system,
    track: isTrack ? track : '',
    setting: { name, before: valueText(before), after: valueText(after), effect },
  };
}
