/** What changes of a playlist do to the protection of its content: its settings go before those of the asset (playlist-api-v4 section 2.1). */
import type { Effect, FieldDifference, Reason, Verdict } from '../../model/change.ts';
import { asTexts } from '../../model/read.ts';
import { type Comparison, loosens, tightens, verdict } from '../kind.ts';
import { assetsOf, entriesOf, isAssetPlaylist } from './canonical.ts';

/** What a change does, field by field; a PATCH reaches new sessions only, and its reasons say so (design section 4, rule 12). */
export function effects({ action, fields, desired, live }: Comparison): readonly Verdict[] {
  if (action === 'delete') return fields.map((field) => verdict(...reasonsOfDelete(field.path, live)));
  const late = action === 'update' ? ' (running sessions keep the old setting)' : '';
  return fields.map((field) => {
    const reasons = field.path === '/playlist' ? reasonsOfList(desired, live) : reasonsOfSetting(field);
    return verdict(...reasons.map((reason) => ({ ...reason, text: reason.text + late })));
  });
}

/** What only tightens goes first and what loosens last; creates come before deletes (design section 4, rule 6). */
export function phase(action: 'create' | 'update' | 'delete', overall: Effect): number {
  if (action !== 'update') return action === 'create' ? 2 : 3;
  return { tightens: 1, neutral: 2, loosens: 4 }[overall];
}

/** A value that the documents do not know counts as the weaker one. */
function reasonsOfSetting({ path, after }: FieldDifference): readonly Reason[] {
  if (path === '/skip_drm')
    return after === 0
      ? [tightens('playback will need a digital signature')]
      : [loosens('playback will be allowed without a digital signature')];
  if (path === '/studio_drm_required')
    return after === 1 ? [tightens('playback will be secured by DRM')] : [loosens('playback will no longer be secured by DRM')];
  return [];
}

/** A list without studio DRM takes it away from the assets that come into it and need it. */
function reasonsOfList(desired: Comparison['desired'], live: Comparison['live']): readonly Reason[] {
  if (!desired || desired.fields.studio_drm_required === 1) return [];
  const there = new Set(live ? assetsOf(entriesOf(live.fields)) : []);
  const exposed = (asTexts(desired.context?.studio_drm) ?? []).filter((asset) => !there.has(asset));
  if (exposed.length === 0) return [];
  return [
    loosens(`\`studio_drm_required\` 0 goes before the setting of ${exposed.join(', ')}, which the catalogue wants under studio DRM`),
  ];
}

/**
 * Without its asset-ID playlist, an asset falls back to its own settings, which may protect less.
 * A `skip_drm` of 0 is a default and no difference of its own, so that the list, which always is one, speaks for it.
 */
function reasonsOfDelete(path: string, live: Comparison['live']): readonly Reason[] {
  if (!live || !isAssetPlaylist(live)) return [];
  const { skip_drm: skip, studio_drm_required: drm } = live.fields;
  const falls = `asset ${live.id} falls back to its own settings`;
  if (path === '/studio_drm_required' && drm === 1) return [loosens(`${falls}: \`studio_drm_required\` 1 goes`)];
  if (path === '/playlist' && skip === 0) return [loosens(`${falls}: \`skip_drm\` 0 goes`)];
  return [];
}
