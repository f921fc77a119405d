/** What changes of a policy do to the protection of content, judged by the documents as a whole (drm-api-v3 section 2). */
import { valueAt } from '../../impact/requirements.ts';
import type { Effect, Verdict } from '../../model/change.ts';
import { type Fields, type Path, pointer } from '../../model/json.ts';
import type { Comparison } from '../kind.ts';
import { judgeDemands } from './demands.ts';
import { judgeLicense } from './license.ts';
import { type Ground, told } from './reasons.ts';
import { settingsOf } from './spec.ts';

const DEFAULTS = settingsOf({});

/** What lets a DRM system play at all; FairPlay has no such switch. */
const CAN_PLAY: readonly Path[] = [
  ['widevine', 'policy_overrides', 'can_play'],
  ['playready', 'can_play'],
];

/**
 * One verdict a field. A new policy is compared with the default policy, and a deleted one too. What nobody but the service reads
 * (the name, reserved settings) is neutral.
 */
export function effects({ live, desired, fields }: Comparison): readonly Verdict[] {
  const [before, after] = [live?.fields ?? DEFAULTS, desired?.fields ?? DEFAULTS];
  const grounds = [...judgeDemands(before, after), ...judgeLicense(before, after)];
  return told(
    fields,
    grounds.filter((ground) => isInForce(ground, [before, after])),
  );
}

/** Where a system plays nothing on one side, its `can_play` says all: nothing else that it is told has a meaning there (sections 2.3, 2.4). */
function isInForce({ at: [setting = ''] }: Ground, sides: readonly Fields[]): boolean {
  const canPlay = CAN_PLAY.find(([system]) => setting.startsWith(`/${system}/`));
  return !canPlay || setting === pointer(canPlay) || sides.every((side) => valueAt(side, canPlay) === true);
}

/** Creates first, deletes last; of updates, what only tightens goes first and what loosens after everything else (design section 4, rule 6). */
export function phase(action: 'create' | 'update' | 'delete', overall: Effect): number {
  if (action !== 'update') return action === 'create' ? 1 : 5;
  return { tightens: 1, neutral: 2, loosens: 4 }[overall];
}
