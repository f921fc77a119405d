/** What a device does with content under a policy. */
import type { DeviceRow, Judgement, PlaybackLevel, Resolution, Row, Rule } from '../model/impact.ts';
import { isJsonObject, type JsonObject, type Path, pointer, stableJson } from '../model/json.ts';
import { combine, commonOutcome, type RuleDraft, worst } from './combine.ts';
import type { Device } from './device.ts';
import { judgeFairplay, licenseOfFairplay } from './fairplay.ts';
import { judgePlayready, licenseOfPlayready } from './playready.ts';
import { DIMENSIONS, strengthOf } from './settings-strength.ts';
import { type Requirement, requirementsOn, type Track, valueAt } from './track-requirements.ts';
import { judgeVmp } from './vmp.ts';
import { judgeWidevine, licenseOfWidevine } from './widevine.ts';

/** A policy in canonical fields (`fairplay`, `widevine`, `playready`), and the VMP statuses that are rejected; null = not managed, not known. */
export interface PolicyUnderTest {
  readonly policy: JsonObject;
  readonly vmp: readonly string[] | null;
}

/** The matrix of a policy: every device at every resolution, in the order of the devices. */
export function evaluateDevices(protection: PolicyUnderTest, devices: readonly Device[]): readonly DeviceRow[] {
  return devices.map((device) => ({
    device: device.id,
    name: device.name,
    system: device.system,
    row: evaluateDevice(protection, device),
  }));
}

/**
 * One device at every resolution; what is the same at each of them is asked once. All rules are listed, also those that come after a
 * refusal, but none beside `can_play: false`.
 */
export function evaluateDevice({ policy, vmp }: PolicyUnderTest, device: Device): Row {
  const license = [...judgeVmp(vmp, device), ...licenseRules(policy, device)];
  if (isStopped(policy, device)) return everywhere({ playback: 'refused', rules: license });
  const sound = device.system === 'widevine' ? silenced(judgeTrack(policy, device, 'AUDIO')) : { playback: 'plays' as const, rules: [] };
  const common = worst([combine(license, device.outputs), sound.playback]);
  const at = (resolution: Resolution): Judgement => {
    const picture = judgeTrack(policy, device, resolution);
    return { playback: worst([common, picture.playback]), rules: [...license, ...picture.rules, ...sound.rules] };
  };
  return { SD: at('SD'), HD: at('HD'), UHD1: at('UHD1'), UHD2: at('UHD2') };
}

function everywhere(judgement: Judgement): Row {
  return { SD: judgement, HD: judgement, UHD1: judgement, UHD2: judgement };
}

const LICENSE: { readonly [system in Device['system']]: { readonly place: Path; readonly section: string } } = {
  fairplay: { place: ['fairplay'], section: 'drm-api-v3 2.2' },
  widevine: { place: ['widevine', 'policy_overrides'], section: 'drm-api-v3 2.3' },
  playready: { place: ['playready'], section: 'drm-api-v3 2.4' },
};

/** Whether the device's system plays nothing at all: what else it is told has no meaning then (drm-api-v3 sections 2.3, 2.4). */
function isStopped(policy: JsonObject, { system }: Device): boolean {
  return valueAt(policy, [...LICENSE[system].place, 'can_play']) === false;
}

function licenseRules(policy: JsonObject, device: Device): readonly Rule[] {
  const { place, section } = LICENSE[device.system];
  const found = valueAt(policy, place);
  const settings = isJsonObject(found) ? found : {};
  return licenseDrafts(settings, device).map(({ by, ...rule }) => ({ ...rule, field: pointer([...place, by]), section }));
}

function licenseDrafts(settings: JsonObject, device: Device): readonly RuleDraft[] {
  if (device.system === 'fairplay') return licenseOfFairplay(settings, device);
  return device.system === 'widevine' ? licenseOfWidevine(settings, device) : licenseOfPlayready(settings, device);
}

/** Where several requirements are possible, only what they agree on is certain. */
function judgeTrack(policy: JsonObject, device: Device, track: Track): Judgement {
  const answers = requirementsOn(device.system, policy, track).map((requirement) => judgeRequirement(requirement, device));
  const [first] = answers;
  if (!first) {
    const none = open('unknown', `no element covers ${track} tracks, and the documents do not say what holds then`);
    return { playback: 'unknown', rules: [none] };
  }
  if (answers.slice(1).every((answer) => stableText(answer) === stableText(first))) return first;
  const playback = commonOutcome(answers.map((answer) => answer.playback));
  const text = `several elements cover ${track} tracks, and the documents do not say which of them counts`;
  // Which of them counts is no limit of its own where it plays, or does not, by each of them.
  const question = open(playback === 'unknown' ? playback : 'plays', text);
  const rules = new Map(answers.flatMap((answer) => answer.rules).map((rule) => [`${rule.outcome} ${rule.output} ${rule.text}`, rule]));
  return { playback, rules: [question, ...rules.values()] };
}

function open(outcome: PlaybackLevel, text: string): Rule {
  return { outcome, text, field: '/widevine/content_key_specs', section: 'drm-api-v3 2.3' };
}

function judgeRequirement({ place, demands }: Requirement, device: Device): Judgement {
  const dimensions = DIMENSIONS[device.system];
  const rules = [...foreign(demands, device), ...trackDrafts(demands, device)].flatMap(({ by, ...rule }): readonly Rule[] => {
    const dimension = dimensions.find(({ name }) => name === by);
    return dimension ? [{ ...rule, field: pointer([...place, ...dimension.path]), section: dimension.section }] : [];
  });
  return { playback: combine(rules, device.outputs), rules };
}

function trackDrafts(demands: JsonObject, device: Device): readonly RuleDraft[] {
  if (device.system === 'fairplay') return judgeFairplay(demands, device);
  return device.system === 'widevine' ? judgeWidevine(demands, device) : judgePlayready(demands, device);
}

/** Values that the documents do not list: what they mean is not known. */
function foreign(demands: JsonObject, { system }: Device): readonly RuleDraft[] {
  return DIMENSIONS[system].flatMap((dimension): readonly RuleDraft[] => {
    const value = demands[dimension.name] ?? null;
    if (strengthOf(dimension, value) >= 0) return [];
    return [{ outcome: 'unknown', text: `the documents do not list ${dimension.name} ${stableJson(value)}`, by: dimension.name }];
  });
}

/** Without a key for the sound there is none; whether the picture then goes on, the documents do not say. */
function silenced({ playback, rules }: Judgement): Judgement {
  const asDoubt = (outcome: PlaybackLevel) => (outcome === 'refused' ? 'unknown' : outcome);
  return {
    playback: asDoubt(playback),
    rules: rules.map((rule) => ({ ...rule, outcome: asDoubt(rule.outcome), text: `sound: ${rule.text}` })),
  };
}

function stableText({ playback, rules }: Judgement): string {
  return stableJson([playback, ...rules.map(({ outcome, text, output = null }) => [outcome, text, output])]);
}
