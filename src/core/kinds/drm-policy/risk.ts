/** Assesses how changes of a policy affect protection, considering the whole policies (drm-api-v3 section 2). */
import { valueAt } from '../../device-impact/track-requirements.ts';
import type { Effect, Phase, RiskAssessment } from '../../model/change.ts';
import { equal, type JsonObject, type Path, pointer, stableJson } from '../../model/json.ts';
import { PHASE_OF_EFFECT, type RiskInput, weakens } from '../kind.ts';
import { canonicalFieldsOf } from './declare.ts';
import { assessLicense } from './license-risk.ts';
import { attachToFields, type LocatedReason } from './located-reasons.ts';
import { type WrongTypeField, wrongTypeFields } from './model.ts';
import { assessRobustness } from './robustness-risk.ts';

const DEFAULTS = canonicalFieldsOf({});

/** The switches that allow playback with a DRM system; FairPlay has none. */
const CAN_PLAY: readonly Path[] = [
  ['widevine', 'policy_overrides', 'can_play'],
  ['playready', 'can_play'],
];

/**
 * Assesses each field. A new or deleted policy is compared with the default policy. Fields that do not reach devices (the name, reserved
 * settings) are neutral.
 */
export function assessRisk({ before, after, fields }: RiskInput): readonly RiskAssessment[] {
  const [policyBefore, policyAfter] = [before?.fields ?? DEFAULTS, after?.fields ?? DEFAULTS];
  const reasons = [...assessRobustness(policyBefore, policyAfter), ...assessLicense(policyBefore, policyAfter)];
  const wrongType = changedWrongTypeFields(policyBefore, policyAfter);
  const ofDocumentedType = reasons.filter(({ settings }) => !wrongType.some(({ path }) => concerns(settings, pointer(path))));
  const effective = ofDocumentedType.filter(({ settings: [setting = ''] }) => hasEffect(setting, [policyBefore, policyAfter]));
  return attachToFields(fields, [...effective, ...wrongType.map(wrongTypeReason)]);
}

/** Returns the settings that change from or to a value of another type than documented. */
export function changedWrongTypeFields(before: JsonObject, after: JsonObject): readonly WrongTypeField[] {
  return [...wrongTypeFields(before), ...wrongTypeFields(after)].filter(({ path }) => !equal(valueAt(before, path), valueAt(after, path)));
}

/** Decides whether any of the settings is at a path or below it; all are JSON Pointers. */
export function concerns(settings: readonly string[], path: string): boolean {
  return settings.some((setting) => `${setting}/`.startsWith(`${path}/`));
}

/** Builds the reason for a value whose meaning is unknown, which therefore counts as weakening (design section 10). */
function wrongTypeReason(setting: WrongTypeField): LocatedReason {
  return { reason: weakens(describeWrongType(setting)), settings: [pointer(setting.path)] };
}

/** Says of a setting that its value has no documented meaning. */
export function describeWrongType({ path, value }: WrongTypeField): string {
  return `the API documents do not say what \`${path.at(-1)}\` ${stableJson(value)} means`;
}

/**
 * Decides whether a change of a setting (a JSON Pointer) has an effect. Where `can_play` is false before or after the change, only
 * `can_play` itself matters for that DRM system (drm-api-v3 sections 2.3, 2.4).
 */
export function hasEffect(setting: string, beforeAndAfter: readonly JsonObject[]): boolean {
  const canPlay = CAN_PLAY.find(([system]) => setting.startsWith(`/${system}/`));
  return !canPlay || setting === pointer(canPlay) || beforeAndAfter.every((policy) => valueAt(policy, canPlay) !== false);
}

/**
 * Order: all creates, and the updates that only strengthen; neutral updates; updates that weaken; deletes (design section 4, rule 6).
 */
export function phase(action: 'create' | 'update' | 'delete', overall: Effect): Phase {
  if (action !== 'update') return action === 'create' ? 'strengthen' : 'delete-policies';
  return PHASE_OF_EFFECT[overall];
}
