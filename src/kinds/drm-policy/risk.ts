/** What changes of a policy do to the protection of content, judged by the documents as a whole (drm-api-v3 section 2). */
import { valueAt } from '../../device-impact/track-requirements.ts';
import type { Effect, Phase, RiskAssessment } from '../../model/change.ts';
import { type JsonObject, type Path, pointer } from '../../model/json.ts';
import { type Comparison, PHASE_OF_EFFECT } from '../kind.ts';
import { settingsOf } from './declare.ts';
import { assessLicense } from './license-risk.ts';
import { attachToFields, type RiskGround } from './risk-grounds.ts';
import { assessRobustness } from './robustness-risk.ts';

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
export function assessRisk({ live, desired, fields }: Comparison): readonly RiskAssessment[] {
  const [before, after] = [live?.fields ?? DEFAULTS, desired?.fields ?? DEFAULTS];
  const grounds = [...assessRobustness(before, after), ...assessLicense(before, after)];
  return attachToFields(
    fields,
    grounds.filter((ground) => isInForce(ground, [before, after])),
  );
}

/** Where a system plays nothing on one side, its `can_play` says all: nothing else that it is told has a meaning there (drm-api-v3 sections 2.3, 2.4). */
function isInForce({ at: [setting = ''] }: RiskGround, sides: readonly JsonObject[]): boolean {
  const canPlay = CAN_PLAY.find(([system]) => setting.startsWith(`/${system}/`));
  return !canPlay || setting === pointer(canPlay) || sides.every((side) => valueAt(side, canPlay) === true);
}

/** Creates first, deletes last; of updates, what only tightens goes first and what loosens after everything else (design section 4, rule 6). */
export function phase(action: 'create' | 'update' | 'delete', overall: Effect): Phase {
  if (action !== 'update') return action === 'create' ? 'tighten' : 'delete-policies';
  return PHASE_OF_EFFECT[overall];
}
