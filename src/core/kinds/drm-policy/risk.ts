/** Assesses how changes of a policy affect protection, considering the whole policies (drm-api-v3 section 2). */
import { describeUnlisted, unlistedElements, valueAt } from '../../device-impact/track-requirements.ts';
import type { Effect, Phase, RiskAssessment } from '../../model/change.ts';
import { equal, type JsonObject, type Path, pointer, stableJson } from '../../model/json.ts';
import { PHASE_OF_EFFECT, type RiskInput, weakens } from '../kind.ts';
import { canonicalFieldsOf } from './declare.ts';
import { assessLicense } from './license-risk.ts';
import { attachToFields } from './located-reasons.ts';
import { wrongTypeFields } from './model.ts';
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
  const undefinedSettings = changedUndefinedSettings(policyBefore, policyAfter);
  const defined = reasons.filter(({ settings }) => !undefinedSettings.some(({ path }) => concerns(settings, path)));
  const effective = defined.filter(({ settings: [setting = ''] }) => hasEffect(setting, [policyBefore, policyAfter]));
  // What nobody knows counts as weakening (design section 10).
  return attachToFields(fields, [
    ...effective,
    ...undefinedSettings.map(({ path, text }) => ({ reason: weakens(text), settings: [path] })),
  ]);
}

/** A setting of which nobody knows what it does: its JSON Pointer, and what the API documents do not say. */
interface UndefinedSetting {
  readonly path: string;
  readonly text: string;
}

/** Returns the settings of another type than documented, and the elements of an unlisted track type, that differ on the two sides. */
export function changedUndefinedSettings(before: JsonObject, after: JsonObject): readonly UndefinedSetting[] {
  const isChanged = (path: Path) => !equal(valueAt(before, path), valueAt(after, path));
  const wrongType = [before, after].flatMap(wrongTypeFields).filter(({ path }) => isChanged(path));
  const unlisted = [before, after].flatMap(unlistedElements).filter(isChanged);
  const all = [
    ...wrongType.map(({ path, value }) => ({
      path: pointer(path),
      text: `the API documents do not say what \`${path.at(-1)}\` ${stableJson(value)} means`,
    })),
    ...unlisted.map((path) => ({ path: pointer(path), text: describeUnlisted(path) })),
  ];
  return [...new Map(all.map((each) => [`${each.path} ${each.text}`, each])).values()];
}

/** Decides whether any of the settings is at a path or below it; all are JSON Pointers. */
export function concerns(settings: readonly string[], path: string): boolean {
  return settings.some((setting) => `${setting}/`.startsWith(`${path}/`));
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
