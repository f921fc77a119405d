/** What changes of a playlist do to the protection of its content: its settings go before those of the asset (playlist-api-v4 section 2.1). */
import type { Effect } from '../../model/change.ts';
import { asTexts } from '../../model/read.ts';
import type { Desired, Difference, Live } from '../kind.ts';
import { assetsOf, entriesOf, isAssetPlaylist } from './canonical.ts';

/** An effect, and why it is not neutral. */
interface Verdict {
  readonly effect: Effect;
  readonly reason?: string;
}

const NEUTRAL: Verdict = { effect: 'neutral' };

/** The effect of one difference; a PATCH reaches new sessions only, and its reason says so (design section 4, rule 12). */
export function effect(difference: Difference): Verdict {
  const { action, field, desired, live } = difference;
  if (action === 'delete') return effectOfDelete(field.path, live);
  const verdict = field.path === '/playlist' ? effectOfList(desired, live) : effectOfSetting(field);
  if (action !== 'update' || verdict.reason === undefined) return verdict;
  return { ...verdict, reason: `${verdict.reason} (running sessions keep the old setting)` };
}

/** What only tightens goes first and what loosens last; creates come before deletes (design section 4, rule 6). */
export function phase(action: 'create' | 'update' | 'delete', overall: Effect): number {
  if (action !== 'update') return action === 'create' ? 2 : 3;
  return { tightens: 1, neutral: 2, loosens: 4 }[overall];
}

/** A value that the documents do not know counts as the weaker one. */
function effectOfSetting({ path, after }: Difference['field']): Verdict {
  if (path === '/skip_drm')
    return after === 0
      ? { effect: 'tightens', reason: 'playback will need a digital signature' }
      : { effect: 'loosens', reason: 'playback will be allowed without a digital signature' };
  if (path === '/studio_drm_required')
    return after === 1
      ? { effect: 'tightens', reason: 'playback will be secured by DRM' }
      : { effect: 'loosens', reason: 'playback will no longer be secured by DRM' };
  return NEUTRAL;
}

/** A list without studio DRM takes it away from the assets that come into it and need it. */
function effectOfList(desired: Desired | null, live: Live | null): Verdict {
  if (!desired || desired.fields.studio_drm_required === 1) return NEUTRAL;
  const there = new Set(live ? assetsOf(entriesOf(live.fields)) : []);
  const exposed = (asTexts(desired.context?.studio_drm) ?? []).filter((asset) => !there.has(asset));
  if (exposed.length === 0) return NEUTRAL;
  const reason = `\`studio_drm_required\` 0 goes before the setting of ${exposed.join(', ')}, which the catalogue wants under studio DRM`;
  return { effect: 'loosens', reason };
}

/**
 * Without its asset-ID playlist, an asset falls back to its own settings, which may protect less.
 * A `skip_drm` of 0 is a default and no difference of its own, so that the list, which always is one, speaks for it.
 */
function effectOfDelete(path: string, live: Live | null): Verdict {
  if (!live || !isAssetPlaylist(live)) return NEUTRAL;
  const { skip_drm: skip, studio_drm_required: drm } = live.fields;
  const falls = `asset ${live.id} falls back to its own settings`;
  if (path === '/studio_drm_required' && drm === 1) return { effect: 'loosens', reason: `${falls}: \`studio_drm_required\` 1 goes` };
  if (path === '/playlist' && skip === 0) return { effect: 'loosens', reason: `${falls}: \`skip_drm\` 0 goes` };
  return NEUTRAL;
}
