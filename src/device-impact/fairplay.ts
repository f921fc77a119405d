/** The effect of a policy's FairPlay settings on a device: drm-api-v3 section 2.2. */
import type { Output } from '../model/impact.ts';
import type { JsonObject } from '../model/json.ts';
import type { RuleDraft } from './combine.ts';
import { type FairplayDevice, hdcpOf, TYPE_1 } from './device.ts';

/** Returns the rules for tracks of one resolution. */
export function fairplayTrackRules(demands: JsonObject, device: FairplayDevice): readonly RuleDraft[] {
  return device.outputs.flatMap((output): readonly RuleDraft[] => [...hdcp(demands, device, output), ...forbiddenOutput(demands, output)]);
}

/** Type 0 allows repeaters and all HDCP devices; type 1 requires version 2.2 everywhere on the path. */
function hdcp({ hdcp_enforcement: type }: JsonObject, device: FairplayDevice, output: Output): readonly RuleDraft[] {
  if ((type !== 0 && type !== 1) || output === 'internal') return [];
  const by = 'hdcp_enforcement';
  const requirement = `hdcp_enforcement ${type} required`;
  if (output === 'airplay' || output === 'analog')
    return [{ outcome: 'unknown', text: `${requirement}, and the API documents do not say what it means for this output`, by, output }];
  return hdcpOf(device) >= (type === 1 ? TYPE_1 : 1)
    ? []
    : [{ outcome: 'refused', text: `${requirement}, HDCP ${device.hdcp} present`, by, output }];
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
  return [...lease(settings), ...keyDuration(settings), ...offline(settings, device)];
}

function lease({ lease: isOn, lease_duration_seconds: seconds, persistence }: JsonObject): readonly RuleDraft[] {
  if (isOn !== true) return [];
  if (persistence === true && Number(seconds) > 0)
    return [{ outcome: 'plays', text: `playback only while the lease of ${Number(seconds)} s is valid`, by: 'lease_duration_seconds' }];
  const text = 'playback only while the lease is valid, and the API documents do not say how long that is without lease_duration_seconds';
  return [{ outcome: 'unknown', text, by: 'lease' }];
}

function keyDuration({ key_duration_seconds: seconds }: JsonObject): readonly RuleDraft[] {
  if (!(Number(seconds) > 0)) return [];
  return [{ outcome: 'plays', text: `the content key is valid for ${Number(seconds)} s`, by: 'key_duration_seconds' }];
}

function offline({ persistence, rental }: JsonObject, device: FairplayDevice): readonly RuleDraft[] {
  if (!device.offline || persistence === true) return [];
  const text = rental === true ? 'offline playback only as a rental' : 'no offline playback';
  return [{ outcome: 'restricted', text, by: 'persistence' }];
}
