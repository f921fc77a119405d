/** Assesses how changes of a playlist affect protection: its settings override those of the assets (playlist-api-v4 section 2.1). */
import type { Effect, FieldDifference, Phase, RiskAssessment, RiskReason } from '../../model/change.ts';
import { isJsonObject, type Json } from '../../model/json.ts';
import { assess, formatNames, PHASE_OF_EFFECT, type RiskInput, strengthens, weakens } from '../kind.ts';
import {
  assetIdsOf,
  DEFAULTS,
  isAssetIdPlaylist,
  type LivePlaylist,
  type PlaylistFields,
  undocumentedAt,
  undocumentedText,
} from './model.ts';

/** A playlist before or after the change; null where it does not exist. */
type PlaylistOrNull = Pick<LivePlaylist, 'fields'> | null;

/** A playlist before and after the change. */
type Sides = Pick<RiskInput<PlaylistFields>, 'before' | 'after'>;

/** Assesses a change field by field. A PATCH affects new sessions only, and its reasons say so (design section 4, rule 15). */
export function assessRisk({ action, before, after, fields }: RiskInput<PlaylistFields>): readonly RiskAssessment[] {
  if (action === 'delete') return fields.map((field) => assess(...reasonsOfDelete(field.path, before)));
  const suffix = action === 'update' ? ' (running sessions keep the old setting)' : '';
  return fields.map((field) => {
    const reasons = reasonsOfField(field, { before, after });
    return assess(...reasons.map((reason) => ({ ...reason, text: reason.text + suffix })));
  });
}

function reasonsOfField(field: FieldDifference, sides: Sides): readonly RiskReason[] {
  if (field.path === '/playlist') return reasonsOfList(sides);
  return field.path === '/active' ? reasonsOfActive(field, sides) : reasonsOfSetting(field);
}

/**
 * Updates that only strengthen come first and updates that weaken last. Creates are applied in the phase `update`, before deletes (design
 * section 4, rule 6).
 */
export function phase(action: 'create' | 'update' | 'delete', overall: Effect): Phase {
  if (action !== 'update') return action === 'create' ? 'update' : 'delete';
  return PHASE_OF_EFFECT[overall];
}

/** A setting with two documented values (playlist-api-v4 section 2.1). */
interface Switch {
  readonly name: 'skip_drm' | 'studio_drm_required';
  /** The value with less protection. */
  readonly weakValue: number;
  readonly strongValue: number;
  /** What a change to `weakValue` means, for people. */
  readonly weakensText: string;
  /** What a change to `strongValue` means, for people. */
  readonly strengthensText: string;
}

const SWITCHES: readonly Switch[] = [
  {
    name: 'skip_drm',
    weakValue: 1,
    strongValue: 0,
    weakensText: 'playback will be allowed without a digital signature',
    strengthensText: 'playback will need a digital signature',
  },
  {
    name: 'studio_drm_required',
    weakValue: 0,
    strongValue: 1,
    weakensText: 'playback will no longer be secured by DRM',
    strengthensText: 'playback will be secured by DRM',
  },
];

/**
 * A create is compared with the documented default. The effect of an undocumented value is unknown, so it counts as weakening, also that of
 * a setting which protects nothing. The strongest value strengthens, whatever was before.
 */
function reasonsOfSetting({ path, before, after }: FieldDifference): readonly RiskReason[] {
  const setting = SWITCHES.find(({ name }) => path === `/${name}`);
  if (setting && after === setting.strongValue) return [strengthens(setting.strengthensText)];
  const undocumented = undocumentedAt(path, [before, after]);
  if (undocumented !== undefined) return [openQuestion(path, undocumented)];
  return setting ? [weakens(setting.weakensText)] : [];
}

function openQuestion(path: string, value: Json = null): RiskReason {
  return weakens(undocumentedText(path, value));
}

/** An asset that enters a list comes under the settings of the playlist, one that leaves the list does no longer. */
function reasonsOfList(sides: Sides): readonly RiskReason[] {
  const [assetsBefore, assetsAfter] = [assetIdSet(sides.before), assetIdSet(sides.after)];
  return reasonsOfOverrides(sides, { enters: (asset) => !assetsBefore.has(asset), leaves: (asset) => !assetsAfter.has(asset) });
}

/**
 * An inactive playlist cannot be played (api-notes section 3), so it overrides what its assets ask for only while it is active. What an
 * undefined value does is unknown, except that a playlist which is off afterwards is protected by that.
 */
function reasonsOfActive({ path, before: activeBefore, after: active }: FieldDifference, sides: Sides): readonly RiskReason[] {
  const undocumented = undocumentedAt(path, [activeBefore, active]);
  if (undocumented !== undefined && active !== 0) return [openQuestion(path, undocumented)];
  if (sides.before === null) return [];
  const reasons = reasonsOfOverrides(sides, { enters: () => active !== 0, leaves: () => active === 0 });
  return undocumented === undefined || reasons.length > 0
    ? reasons
    : [strengthens(`it can no longer be played, whatever \`active\` ${JSON.stringify(undocumented)} means`)];
}

/**
 * Returns the reasons about assets whose own settings the playlist begins or ceases to override. `skip_drm` 1 overrides those of every
 * asset, `studio_drm_required` 0 those of assets that the catalog marks. In a new playlist, a setting that is not the default has its own
 * reason already.
 */
function reasonsOfOverrides(
  { before, after }: Sides,
  { enters, leaves }: { readonly enters: (asset: string) => boolean; readonly leaves: (asset: string) => boolean },
): readonly RiskReason[] {
  const marks = after?.kindData?.studio_drm ?? {};
  const isMarked = (asset: string) => isJsonObject(marks) && Object.hasOwn(marks, asset);
  return SWITCHES.flatMap(({ name, weakValue, strongValue }): readonly RiskReason[] => {
    const overridden = (playlist: PlaylistOrNull) =>
      playlist === null || playlist.fields[name] === strongValue
        ? []
        : [...assetIdSet(playlist)].filter((asset) => name === 'skip_drm' || isMarked(asset));
    const describe = (value: Json = null) => `\`${name}\` ${JSON.stringify(value)}`;
    const condition = name === 'skip_drm' ? '' : ', which the catalog marks for studio DRM';
    const value = after?.fields[name];
    const entering = before === null && value !== DEFAULTS[name] ? [] : overridden(after).filter(enters);
    const leaving = overridden(before).filter(leaves);
    const weakening = () =>
      value === weakValue
        ? weakens(`${describe(value)} overrides the setting of ${formatNames(entering)}${condition}`)
        : openQuestion(`/${name}`, value);
    return [
      ...(entering.length > 0 ? [weakening()] : []),
      ...(leaving.length > 0
        ? [strengthens(`${describe(before?.fields[name])} will no longer override the setting of ${formatNames(leaving)}${condition}`)]
        : []),
    ];
  });
}

function assetIdSet(playlist: PlaylistOrNull): ReadonlySet<string> {
  return new Set(playlist ? assetIdsOf(playlist.fields.playlist) : []);
}

/**
 * Without its asset-ID playlist, an asset falls back to its own settings, which may protect less. The reason for a `skip_drm` of 0 is
 * given at `/playlist`: a delete lists no fields at their defaults, such as this 0, but always the playlist.
 */
function reasonsOfDelete(path: string, before: RiskInput<PlaylistFields>['before']): readonly RiskReason[] {
  if (before === null || before.id === null || !isAssetIdPlaylist(before)) return [];
  const { skip_drm: skip = 0, studio_drm_required: drm = 0 } = before.fields;
  const fallback = `asset ${formatNames([before.id])} falls back to its own settings`;
  if (path === '/studio_drm_required' && drm !== 0)
    return [weakens(`${fallback}: \`studio_drm_required\` ${JSON.stringify(drm)} no longer applies`)];
  if (path === '/playlist' && skip !== 1) return [weakens(`${fallback}: \`skip_drm\` ${JSON.stringify(skip)} no longer applies`)];
  return [];
}
