/** The views of the kinds: what reports draw beside changes. */
import { drmPolicyViews } from '../core/kinds/drm-policy/views.ts';
import { keyRotationScheduleViews } from '../core/kinds/key-rotation-schedule/views.ts';
import { playlistViews } from '../core/kinds/playlist/views.ts';
import { staticKeyViews } from '../core/kinds/static-key/views.ts';
import type { KindViews } from '../core/kinds/views.ts';
import { vmpRejectStatusesViews } from '../core/kinds/vmp-reject-statuses/views.ts';
import type { Change } from '../core/model/change.ts';
import type { Diagram } from '../core/model/diagram.ts';

/** The views by the name of their kind. A kind without views has no line here. */
export const KIND_VIEWS: ReadonlyMap<string, KindViews> = new Map<string, KindViews>([
  ['drm-policy', drmPolicyViews],
  ['key-rotation-schedule', keyRotationScheduleViews],
  ['playlist', playlistViews],
  ['static-key', staticKeyViews],
  ['vmp-reject-statuses', vmpRejectStatusesViews],
]);

/** Returns what a diagram of a change shows; null where its kind draws none, and for a kind that does not exist, in a saved plan. */
export function diagramOf(change: Change): Diagram | null {
  return KIND_VIEWS.get(change.kind)?.diagram?.(change) ?? null;
}
