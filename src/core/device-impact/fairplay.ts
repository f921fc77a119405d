/** The effect of a policy's FairPlay settings on a device: drm-api-v3 section 2.2. */
import type { Output } from '../model/impact.ts';
import type { JsonObject } from '../model/json.ts';
import type { RuleDraft } from './combine.ts';
import { type FairplayDevice, hdcpOf, needsHdcp, TYPE_1 } from './device.ts';

/** Returns the rules for tracks of one resolution. */
export function fairplayTrackRules(demands: JsonObject, device: FairplayDevice): readonly RuleDraft[] {
  return device.outputs.flatMap((output): readonly RuleDraft[] => [...hdcp(demands, device, output), ...forbiddenOutput(demands, output)]);
}

/** Type 0 allows repeaters and all HDCP devices; type 1 requires version 2.2 everywhere on the path. */
function hdcp({ hdcp_enforcement: type }: JsonObject, device: FairplayDevice, output: Output): readonly RuleDraft[] {
  if ((type !== 0 && type !== 1) || output === 'internal') return [];
  const by = 'hdcp_enforcement';
  const needed = type === 1 ? 'HDCP 2.2 or later' : 'HDCP';
  if (output === 'airplay' || output === 'analog')
    return [{ outcome: 'unknown', text: `needs ${needed}, and the API documents do not say what that means for this output`, by, output }];
  return hdcpOf(device) >= (type === 1 ? TYPE_1 : 1) ? [] : [{ outcome: 'refused', text: needsHdcp(needed, device), by, output }];
}

function forbiddenOutput({ allow_airplay: airplay, allow_av_adapter: adapter }: JsonObject, output: Output): readonly RuleDraft[] {
  if (output === 'airplay' && airplay === false)
    return [{ outcome: 'refused', text: 'AirPlay is not allowed', by: 'allow_airplay', output }];
  if (output === 'av_adapter' && adapter === false)
    return [{ outcome: 'refused', text: 'the AV adapter is not allowed', by: 'allow_av_adapter', output }];
  return [];
}

/** Returns the rules of the license as a whole. */
export function fairplayLicenseRules(settings: JsonObject, device: FairplayDevice): readonly RuleDraft[] {
  return [...lease(settings), ...timeLimits(settings), ...offline(settings, device)];
}

/** A lease duration requires `persistence`, not `lease`, which allows a client to renew it. With `lease`, 0 is not said to be no limit. */
function lease({ lease: isOn, lease_duration_seconds: duration, persistence }: JsonObject): readonly RuleDraft[] {
  const [seconds, by] = [Number(duration), 'lease_duration_seconds'];
  if (persistence === true && seconds > 0) {
    const text =
      isOn === true
        ? `playback only while the lease of ${seconds} s is valid`
        : `playback stops ${seconds} s after the client gets the key`;
    return [{ outcome: 'plays', text, by, seconds }];
  }
  if (isOn !== true) return [];
  const text = 'playback only while the lease is valid, and the API documents do not say how long that is without lease_duration_seconds';
  return [{ outcome: 'unknown', text, by }];
}

function timeLimits(settings: JsonObject): readonly RuleDraft[] {
  const { persistence, lease: isLeased } = settings;
  return [
    ...limit(settings, 'key_duration_seconds', (seconds) => `the content key is valid for ${seconds} s`),
    ...limit(settings, 'rental_duration_seconds', (seconds) => `playback begins within ${seconds} s after the client gets the key`),
    ...(persistence === true && isLeased === true ? playbackLimit(settings) : []),
  ];
}

/** `playback_duration_seconds` requires `persistence`, and is "for offline playback or lease renewal only". */
function playbackLimit(settings: JsonObject): readonly RuleDraft[] {
  return limit(settings, 'playback_duration_seconds', (seconds) => `playback ends ${seconds} s after its first start`);
}

function limit(settings: JsonObject, by: string, describe: (seconds: number) => string): readonly RuleDraft[] {
  const seconds = Number(settings[by]);
  return seconds > 0 ? [{ outcome: 'plays', text: describe(seconds), by, seconds }] : [];
}

function offline(settings: JsonObject, device: FairplayDevice): readonly RuleDraft[] {
  const { persistence, rental, lease: isLeased } = settings;
  const output = 'offline';
  if (!device.offline) return [];
  if (persistence !== true)
    return [
      rental === true
        ? { outcome: 'restricted', text: 'only as a rental', by: 'rental', output }
        : { outcome: 'refused', text: 'not allowed', by: 'persistence', output },
    ];
  const [duration] = limit(settings, 'persistence_duration_seconds', (seconds) => `for ${seconds} s`);
  const openText = 'for a time that the API documents do not say without persistence_duration_seconds';
  const drafts: readonly RuleDraft[] = [
    duration ?? { outcome: 'plays', text: openText, by: 'persistence_duration_seconds' },
    ...(isLeased === true ? [] : playbackLimit(settings)),
    ...(rental === true ? [{ outcome: 'plays', text: 'as a rental, too', by: 'rental' } as const] : []),
  ];
  return drafts.map((draft) => ({ ...draft, output }));
}
