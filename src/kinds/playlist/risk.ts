/** Assesses how changes of a playlist affect protection: its settings override those of the assets (playlist-api-v4 section 2.1). */
import type { Effect, FieldDifference, Phase, RiskAssessment, RiskReason } from '../../model/change.ts';
import { isJsonObject } from '../../model/json.ts';
import { assess, formatNames, loosens, PHASE_OF_EFFECT, type RiskInput, tightens } from '../kind.ts';
import { assetIdsOf, isAssetIdPlaylist, type LivePlaylist, type PlaylistFields } from './model.ts';

/** A playlist before or after the change; null where it does not exist. */
type PlaylistOrNull = Pick<LivePlaylist, 'fields'> | null;

/** Assesses a change field by field. A PATCH affects new sessions only, and its reasons say so (design section 4, rule 12). */
export function assessRisk({ action, before, after, fields }: RiskInput<PlaylistFields>): readonly RiskAssessment[] {
  if (action === 'delete') return fields.map((field) => assess(...reasonsOfDelete(field.path, before)));
  const suffix = action === 'update' ? ' (running sessions keep the old setting)' : '';
  return fields.map((field) => {
    const reasons = field.path === '/playlist' ? reasonsOfList({ before, after }) : reasonsOfSetting(field);
    return assess(...reasons.map((reason) => ({ ...reason, text: reason.text + suffix })));
  });
}

/**
 * Updates that only tighten come first and updates that loosen last. Creates are applied in the phase `update`, before deletes (design
 * section 4, rule 6).
 */
export function phase(action: 'create' | 'update' | 'delete', overall: Effect): Phase {
  if (action !== 'update') return action === 'create' ? 'update' : 'delete';
  return PHASE_OF_EFFECT[overall];
}

/** A setting with two documented values (playlist-api-v4 section 2.1). */
interface Switch {
  /** The value with less protection. */
  readonly weakValue: number;
  readonly strongValue: number;
  /** What a change to `weakValue` means, for people. */
  readonly loosensText: string;
  /** What a change to `strongValue` means, for people. */
  readonly tightensText: string;
}

const SWITCHES: ReadonlyMap<string, Switch> = new Map([
  [
    '/skip_drm',
    {
      weakValue: 1,
      strongValue: 0,
      loosensText: 'playback will be allowed without a digital signature',
      tightensText: 'playback will need a digital signature',
    },
  ],
  [
    '/studio_drm_required',
    {
      weakValue: 0,
      strongValue: 1,
      loosensText: 'playback will no longer be secured by DRM',
      tightensText: 'playback will be secured by DRM',
    },
  ],
]);

/** A create is compared with the documented default. The effect of an undocumented value is unknown, so it counts as loosening. */
function reasonsOfSetting({ path, before, after }: FieldDifference): readonly RiskReason[] {
  const setting = SWITCHES.get(path);
  if (!setting) return [];
  if (after === setting.strongValue) return [tightens(setting.tightensText)];
  const undocumented = [before, after].find((value) => value !== null && value !== setting.strongValue && value !== setting.weakValue);
  if (undocumented === undefined) return [loosens(setting.loosensText)];
  return [loosens(`the API documents do not say what \`${path.slice(1)}\` ${JSON.stringify(undocumented)} means`)];
}

/**
 * `studio_drm_required` 0 overrides the studio DRM of the assets that the catalogue marks for it: adding such an asset loosens protection,
 * removing one tightens it.
 */
function reasonsOfList({ before, after }: Pick<RiskInput<PlaylistFields>, 'before' | 'after'>): readonly RiskReason[] {
  const studioDrmAssets = after?.kindData?.studio_drm ?? {};
  const needsStudioDrm = (asset: string) => isJsonObject(studioDrmAssets) && Object.hasOwn(studioDrmAssets, asset);
  const [assetsBefore, assetsAfter] = [assetIdSet(before), assetIdSet(after)];
  const newlyOverridden = disablesStudioDrm(after)
    ? [...assetsAfter].filter((asset) => needsStudioDrm(asset) && !assetsBefore.has(asset))
    : [];
  const noLongerOverridden = disablesStudioDrm(before)
    ? [...assetsBefore].filter((asset) => needsStudioDrm(asset) && !assetsAfter.has(asset))
    : [];
  const condition = 'which the catalogue marks for studio DRM';
  return [
    ...(newlyOverridden.length > 0
      ? [loosens(`\`studio_drm_required\` 0 overrides the setting of ${formatNames(newlyOverridden)}, ${condition}`)]
      : []),
    ...(noLongerOverridden.length > 0
      ? [tightens(`\`studio_drm_required\` 0 will no longer override the setting of ${formatNames(noLongerOverridden)}, ${condition}`)]
      : []),
  ];
}

function assetIdSet(playlist: PlaylistOrNull): ReadonlySet<string> {
  return new Set(playlist ? assetIdsOf(playlist.fields.playlist) : []);
}

function disablesStudioDrm(playlist: PlaylistOrNull): boolean {
  return playlist !== null && playlist.fields.studio_drm_required !== 1;
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
    return [loosens(`${fallback}: \`studio_drm_required\` ${JSON.stringify(drm)} no longer applies`)];
  if (path === '/playlist' && skip !== 1) return [loosens(`${fallback}: \`skip_drm\` ${JSON.stringify(skip)} no longer applies`)];
  return [];
}
