/** Evaluates the playback of content under a policy on devices. */
import type { DeviceRow, Judgement, PlaybackLevel, Resolution, Row, Rule } from '../model/impact.ts';
import { isJsonObject, type Json, type JsonObject, type Path, pointer, stableJson } from '../model/json.ts';
import { combine, commonOutcome, type RuleDraft, worst } from './combine.ts';
import type { Device } from './device.ts';
import { fairplayLicenseRules, fairplayTrackRules } from './fairplay.ts';
import { playreadyLicenseRules, playreadyTrackRules } from './playready.ts';
import { DIMENSIONS, strengthOf } from './settings-strength.ts';
import { describeUnlisted, type Requirement, requirementsOn, type Track, unlistedElements, valueAt } from './track-requirements.ts';
import { vmpRules, widevineLicenseRules, widevineTrackRules } from './widevine.ts';

/** A policy in canonical fields (`fairplay`, `widevine`, `playready`), and the rejected VMP statuses; null = not managed, so unknown. */
export interface PolicyUnderTest {
  readonly policy: JsonObject;
  readonly vmp: readonly string[] | null;
}

/** Returns the matrix of a policy: every device at every resolution, in the order of the devices. */
export function evaluateDevices(underTest: PolicyUnderTest, devices: readonly Device[]): readonly DeviceRow[] {
  return devices.map((device) => ({
    device: device.id,
    name: device.name,
    system: device.system,
    row: evaluateDevice(underTest, device),
  }));
}

/**
 * Returns the playback on one device at every resolution. All rules are listed, even after one that refuses playback; but if the policy has
 * `can_play: false`, no other setting is evaluated.
 */
export function evaluateDevice({ policy, vmp }: PolicyUnderTest, device: Device): Row {
  const license = [...vmpRules(vmp, device), ...licenseRules(policy, device)];
  if (isPlaybackForbidden(policy, device)) return atEveryResolution({ playback: 'refused', rules: license });
  const audio: Judgement = device.system === 'widevine' ? evaluateAudio(policy, device) : { playback: 'plays', rules: [] };
  const common = worst([combine(license, [...device.outputs, ...(device.offline ? (['offline'] as const) : [])]), audio.playback]);
  const at = (resolution: Resolution): Judgement => {
    const video = evaluateTrack(policy, device, resolution);
    return { playback: worst([common, video.playback]), rules: [...license, ...video.rules, ...audio.rules] };
  };
  return { SD: at('SD'), HD: at('HD'), UHD1: at('UHD1'), UHD2: at('UHD2') };
}

function atEveryResolution(judgement: Judgement): Row {
  return { SD: judgement, HD: judgement, UHD1: judgement, UHD2: judgement };
}

/** The license settings of each DRM system: their path in the policy, and the section that documents them. */
const LICENSE: { readonly [system in Device['system']]: { readonly path: Path; readonly section: string } } = {
  fairplay: { path: ['fairplay'], section: 'drm-api-v3 2.2' },
  widevine: { path: ['widevine', 'policy_overrides'], section: 'drm-api-v3 2.3' },
  playready: { path: ['playready'], section: 'drm-api-v3 2.4' },
};

/** Decides whether the policy forbids all playback on the device's system. No other setting applies then (drm-api-v3 sections 2.3, 2.4). */
function isPlaybackForbidden(policy: JsonObject, { system }: Device): boolean {
  return valueAt(policy, [...LICENSE[system].path, 'can_play']) === false;
}

function licenseRules(policy: JsonObject, device: Device): readonly Rule[] {
  const { path, section } = LICENSE[device.system];
  const value = valueAt(policy, path);
  if (!isJsonObject(value)) return [{ outcome: 'unknown', text: undocumentedMeaning(path.at(-1), value), field: pointer(path), section }];
  const rules = [...undocumentedSettings(value), ...licenseDrafts(value, device)];
  return rules.map(({ by, ...rule }) => ({ ...rule, field: pointer([...path, by]), section }));
}

const isBoolean = (value: Json) => typeof value === 'boolean';
const isDuration = (value: Json) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/**
 * Decides, for the settings that the license rules read, whether a value has its documented form; but for `license_duration_seconds`, whose
 * own rule takes any value.
 */
const LICENSE_FORMS: ReadonlyMap<string, (value: Json) => boolean> = new Map([
  ...['can_play', 'can_persist', 'lease', 'persistence', 'rental', 'realtime_expiration'].map((name) => [name, isBoolean] as const),
  ...['key', 'lease', 'persistence', 'playback', 'rental'].map((name) => [`${name}_duration_seconds`, isDuration] as const),
  ['license_begin_seconds', isDuration],
]);

/** Returns a rule with an unknown outcome for each setting that does not have its documented form. */
function undocumentedSettings(settings: JsonObject): readonly RuleDraft[] {
  return Object.entries(settings).flatMap(([name, value]): readonly RuleDraft[] =>
    (LICENSE_FORMS.get(name)?.(value) ?? true) ? [] : [{ outcome: 'unknown', text: undocumentedMeaning(name, value), by: name }],
  );
}

function undocumentedMeaning(name: string | number | undefined, value: Json): string {
  return `the API documents do not say what ${name} ${stableJson(value)} means`;
}

function licenseDrafts(settings: JsonObject, device: Device): readonly RuleDraft[] {
  if (device.system === 'fairplay') return fairplayLicenseRules(settings, device);
  return device.system === 'widevine' ? widevineLicenseRules(settings, device) : playreadyLicenseRules(settings, device);
}

/** Evaluates one track. What an element of an unlisted track type covers is not known, so where there is one, the outcome is not either. */
function evaluateTrack(policy: JsonObject, device: Device, track: Track): Judgement {
  const listed = evaluateListed(policy, device, track);
  const unlisted = device.system === 'widevine' ? unlistedElements(policy) : [];
  const questions = unlisted.map((element) => openQuestion('unknown', describeUnlisted(element), pointer(element)));
  return questions.length === 0 ? listed : { playback: 'unknown', rules: [...questions, ...listed.rules] };
}

/** Evaluates the elements that cover a track. If several requirements may apply, only their common outcome is certain. */
function evaluateListed(policy: JsonObject, device: Device, track: Track): Judgement {
  const alternatives = requirementsOn(device.system, policy, track).map((requirement) => evaluateRequirement(requirement, device));
  const [first] = alternatives;
  if (!first) {
    const uncovered = openQuestion('unknown', `no element covers ${track} tracks, and the API documents do not say what holds then`);
    return { playback: 'unknown', rules: [uncovered] };
  }
  if (alternatives.slice(1).every((each) => comparisonKey(each) === comparisonKey(first))) return first;
  const playback = commonOutcome(alternatives.map((each) => each.playback));
  const text = `several elements cover ${track} tracks, and the API documents do not say which of them counts`;
  // If the device plays, or is refused, under each alternative, the open question restricts nothing.
  const question = openQuestion(playback === 'unknown' ? playback : 'plays', text);
  const rules = new Map(alternatives.flatMap((each) => each.rules).map((rule) => [`${rule.outcome} ${rule.output} ${rule.text}`, rule]));
  return { playback, rules: [question, ...rules.values()] };
}

function openQuestion(outcome: PlaybackLevel, text: string, field = '/widevine/content_key_specs'): Rule {
  return { outcome, text, field, section: 'drm-api-v3 2.3' };
}

function evaluateRequirement({ place, demands }: Requirement, device: Device): Judgement {
  const dimensions = DIMENSIONS[device.system];
  const rules = [...unlistedValues(demands, device), ...trackDrafts(demands, device)].flatMap(({ by, ...rule }): readonly Rule[] => {
    const dimension = dimensions.find(({ name }) => name === by);
    return dimension ? [{ ...rule, field: pointer([...place, ...dimension.path]), section: dimension.section }] : [];
  });
  return { playback: combine(rules, device.outputs), rules };
}

function trackDrafts(demands: JsonObject, device: Device): readonly RuleDraft[] {
  if (device.system === 'fairplay') return fairplayTrackRules(demands, device);
  return device.system === 'widevine' ? widevineTrackRules(demands, device) : playreadyTrackRules(demands, device);
}

/** Returns a rule with an unknown outcome for each value that the API documents do not list. */
function unlistedValues(demands: JsonObject, { system }: Device): readonly RuleDraft[] {
  return DIMENSIONS[system].flatMap((dimension): readonly RuleDraft[] => {
    const value = demands[dimension.name] ?? null;
    if (strengthOf(dimension, value) >= 0) return [];
    return [{ outcome: 'unknown', text: `the API documents do not list ${dimension.name} ${stableJson(value)}`, by: dimension.name }];
  });
}

/** Evaluates the audio track. Without its key there is no sound; the API documents do not say whether the picture then plays. */
function evaluateAudio(policy: JsonObject, device: Device): Judgement {
  const { playback, rules } = evaluateTrack(policy, device, 'AUDIO');
  const unknownIfRefused = (level: PlaybackLevel) => (level === 'refused' ? 'unknown' : level);
  return {
    playback: unknownIfRefused(playback),
    rules: rules.map((rule) => ({ ...rule, outcome: unknownIfRefused(rule.outcome), text: `sound: ${rule.text}` })),
  };
}

/** Returns a text that is equal for judgements that differ only in the fields of their rules. */
function comparisonKey({ playback, rules }: Judgement): string {
  return stableJson([playback, ...rules.map(({ outcome, text, output = null }) => [outcome, text, output])]);
}
