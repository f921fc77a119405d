/** What changes of a playlist do to the protection of its content: its settings go before those of the asset (playlist-api-v4 section 2.1). */
import type { Effect, FieldDifference, Phase, RiskAssessment, RiskReason } from '../../model/change.ts';
import { isJsonObject } from '../../model/json.ts';
import { assess, type Comparison, formatNames, type LiveResource, loosens, PHASE_OF_EFFECT, tightens } from '../kind.ts';
import { assetsOf, entriesOf, isAssetPlaylist } from './model.ts';

/** One side of a playlist, as far as its settings and its list go. */
type Side = Pick<LiveResource, 'fields'> | null;

/** What a change does, field by field; a PATCH reaches new sessions only, and its reasons say so (design section 4, rule 12). */
export function assessRisk({ action, fields, desired, live }: Comparison): readonly RiskAssessment[] {
  if (action === 'delete') return fields.map((field) => assess(...reasonsOfDelete(field.path, live)));
  const late = action === 'update' ? ' (running sessions keep the old setting)' : '';
  return fields.map((field) => {
    const reasons = field.path === '/playlist' ? reasonsOfList(desired, live) : reasonsOfSetting(field);
    return assess(...reasons.map((reason) => ({ ...reason, text: reason.text + late })));
  });
}

/** What only tightens goes first and what loosens last; creates come before deletes (design section 4, rule 6). */
export function phase(action: 'create' | 'update' | 'delete', overall: Effect): Phase {
  if (action !== 'update') return action === 'create' ? 'update' : 'delete';
  return PHASE_OF_EFFECT[overall];
}

/** A setting with two documented values, and what each of them means (playlist-api-v4 section 2.1). */
interface Switch {
  readonly weak: number;
  readonly strong: number;
  readonly loosens: string;
  readonly tightens: string;
}

const SWITCHES: ReadonlyMap<string, Switch> = new Map([
  [
    '/skip_drm',
    {
      weak: 1,
      strong: 0,
      loosens: 'playback will be allowed without a digital signature',
      tightens: 'playback will need a digital signature',
    },
  ],
  [
    '/studio_drm_required',
    { weak: 0, strong: 1, loosens: 'playback will no longer be secured by DRM', tightens: 'playback will be secured by DRM' },
  ],
]);

/** A create is compared with the documented default; what an undocumented value does, nobody can tell, so that it is not let through. */
function reasonsOfSetting({ path, before, after }: FieldDifference): readonly RiskReason[] {
  const setting = SWITCHES.get(path);
  if (!setting) return [];
  if (after === setting.strong) return [tightens(setting.tightens)];
  const unknown = [before, after].find((value) => value !== null && value !== setting.strong && value !== setting.weak);
  if (unknown === undefined) return [loosens(setting.loosens)];
  return [loosens(`the documents do not say what \`${path.slice(1)}\` ${JSON.stringify(unknown)} means`)];
}

/** A list without studio DRM takes it away from the assets that come into it and need it; those that leave it have it back. */
function reasonsOfList(desired: Comparison['desired'], live: Comparison['live']): readonly RiskReason[] {
  const marked = desired?.context?.studio_drm ?? {};
  const needsIt = (asset: string) => isJsonObject(marked) && Object.hasOwn(marked, asset);
  const [before, after] = [assetsIn(live), assetsIn(desired)];
  const exposed = isOpen(desired) ? [...after].filter((asset) => needsIt(asset) && !before.has(asset)) : [];
  const covered = isOpen(live) ? [...before].filter((asset) => needsIt(asset) && !after.has(asset)) : [];
  const wanted = 'which the catalogue wants under studio DRM';
  return [
    ...(exposed.length > 0 ? [loosens(`\`studio_drm_required\` 0 goes before the setting of ${formatNames(exposed)}, ${wanted}`)] : []),
    ...(covered.length > 0
      ? [tightens(`\`studio_drm_required\` 0 will no longer go before the setting of ${formatNames(covered)}, ${wanted}`)]
      : []),
  ];
}

function assetsIn(side: Side): ReadonlySet<string> {
  return new Set(side ? assetsOf(entriesOf(side.fields)) : []);
}

function isOpen(side: Side): boolean {
  return side !== null && side.fields.studio_drm_required !== 1;
}

/**
 * Without its asset-ID playlist, an asset falls back to its own settings, which may protect less.
 * A `skip_drm` of 0 is a default and no difference of its own, so that the list, which always is one, speaks for it.
 */
function reasonsOfDelete(path: string, live: Comparison['live']): readonly RiskReason[] {
  if (!live || !isAssetPlaylist(live)) return [];
  const { skip_drm: skip = 0, studio_drm_required: drm = 0 } = live.fields;
  const falls = `asset ${formatNames([live.id])} falls back to its own settings`;
  if (path === '/studio_drm_required' && drm !== 0) return [loosens(`${falls}: \`studio_drm_required\` ${JSON.stringify(drm)} goes`)];
  if (path === '/playlist' && skip !== 1) return [loosens(`${falls}: \`skip_drm\` ${JSON.stringify(skip)} goes`)];
  return [];
}
