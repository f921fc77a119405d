/** The effect of a policy's PlayReady settings on a device: drm-api-v3 section 2.4. */
import type { Output } from '../model/impact.ts';
import { type Json, type JsonObject, stableJson } from '../model/json.ts';
import { offlineRules, type RuleDraft } from './combine.ts';
import { hdcpOf, needsHdcp, type PlayreadyDevice, TYPE_1 } from './device.ts';

/** Returns the rules for tracks of one resolution. */
export function playreadyTrackRules(demands: JsonObject, device: PlayreadyDevice): readonly RuleDraft[] {
  return [
    ...robustness(demands, device),
    ...device.outputs.flatMap((output) => {
      if (output === 'analog') return analog(demands, device);
      if (output === 'internal') return [];
      return [...digital(demands, device, output), ...type1(demands, device, output), ...audio(demands, device, output)];
    }),
  ];
}

function robustness({ security_level: required, play_enabler: enabler }: JsonObject, device: PlayreadyDevice): readonly RuleDraft[] {
  const drafts: RuleDraft[] = [];
  if (Number(required) > device.security_level)
    drafts.push({
      outcome: 'refused',
      text: `needs security_level ${Number(required)}, has ${device.security_level}`,
      by: 'security_level',
    });
  if (enabler !== true && device.virtual_machine)
    drafts.push({ outcome: 'refused', text: 'playback on a virtual machine is not allowed', by: 'play_enabler' });
  return drafts;
}

function analog({ analog_video_protection_level: level }: JsonObject, device: PlayreadyDevice): readonly RuleDraft[] {
  const draft = (outcome: RuleDraft['outcome'], text: string): readonly RuleDraft[] => [
    { outcome, text, by: 'analog_video_protection_level', output: 'analog' },
  ];
  if (level === 100) return draft('plays', 'no CGMS-A on the analog output');
  if (level === 150) return draft('plays', 'CGMS-A CopyNever is tried on the analog output');
  if (level === 201) return draft('refused', 'analog output is not allowed');
  if (level !== 200) return [];
  return device.cgms_a ? draft('plays', 'CGMS-A is on at the analog output') : draft('refused', 'needs CGMS-A, has none');
}

function digital({ digital_video_protection_level: level }: JsonObject, device: PlayreadyDevice, output: Output): readonly RuleDraft[] {
  const draft = (outcome: RuleDraft['outcome'], text: string): readonly RuleDraft[] => [
    { outcome, text, by: 'digital_video_protection_level', output },
  ];
  const hasHdcp = hdcpOf(device) > 0;
  if (level === 301) return draft('refused', 'digital output is not allowed');
  if (level === 300 && !hasHdcp) return draft('refused', 'needs HDCP, has none');
  if (level === 270 && !hasHdcp) return draft('restricted', 'without HDCP an effective resolution of at most 520,000 pixels per frame');
  if (level === 100) return draft('plays', 'no HDCP is asked for');
  return Number(level) >= 250 ? draft('plays', hasHdcp ? 'HDCP is engaged' : 'HDCP is tried') : [];
}

/** Below level 300 content may pass without HDCP although type 1 is enforced: the API documents do not say which of the two applies. */
function type1(demands: JsonObject, device: PlayreadyDevice, output: Output): readonly RuleDraft[] {
  const { require_hdcp_type_1: isRequired, digital_video_protection_level: level } = demands;
  if (isRequired !== true || level === 301 || hdcpOf(device) >= TYPE_1) return [];
  const requirement = needsHdcp('HDCP 2.2 or later', device);
  const by = 'require_hdcp_type_1';
  if (Number(level) >= 300) return [{ outcome: 'refused', text: requirement, by, output }];
  return [
    {
      outcome: 'unknown',
      text: `${requirement}, and the API documents do not say whether level ${Number(level)} lets it pass`,
      by,
      output,
    },
  ];
}

/** Restricts the sound of digital outputs; the picture plays without it. */
function audio(demands: JsonObject, device: PlayreadyDevice, output: Output): readonly RuleDraft[] {
  const drafts: RuleDraft[] = [];
  const restrict = (by: string, text: string) => drafts.push({ outcome: 'restricted', text, by, output });
  const { compressed_digital_audio_protection_level: compressed, uncompressed_digital_audio_protection_level: uncompressed } = demands;
  if (compressed === 301) restrict('compressed_digital_audio_protection_level', 'no compressed sound on digital outputs');
  const by = 'uncompressed_digital_audio_protection_level';
  const hasHdcp = hdcpOf(device) > 0;
  if (uncompressed === 301) restrict(by, 'no uncompressed sound on digital outputs');
  if (uncompressed === 300 && !hasHdcp) restrict(by, 'no uncompressed sound without HDCP');
  if (uncompressed === 250 && !hasHdcp) restrict(by, 'uncompressed sound without HDCP only with SCMS at CopyNever');
  return drafts;
}

/** Returns the rules of the license as a whole. */
export function playreadyLicenseRules(settings: JsonObject, device: PlayreadyDevice): readonly RuleDraft[] {
  const { can_play: canPlay, license_duration_seconds: seconds, realtime_expiration: isRealtime } = settings;
  if (canPlay === false) return [{ outcome: 'refused', text: 'playback is not allowed', by: 'can_play' }];
  const drafts = [...offlineRules(settings, device)];
  const begin = Number(settings.license_begin_seconds);
  if (begin > 0) {
    const text = `the license is valid from ${begin} s before the request, for clocks that are behind`;
    drafts.push({ outcome: 'plays', text, by: 'license_begin_seconds', seconds: begin });
  }
  return [expiry(seconds ?? null, isRealtime !== false), ...drafts];
}

function expiry(value: Json, isRealtime: boolean): RuleDraft {
  const by = 'license_duration_seconds';
  const seconds = Number(value);
  if (!(seconds > 0))
    return { outcome: 'unknown', text: `the API documents do not say what a license_duration_seconds of ${stableJson(value)} means`, by };
  const consequence = isRealtime ? 'playback stops' : 'no session begins later than';
  return { outcome: 'plays', text: `${consequence} ${seconds} s after the license is created`, by, seconds };
}
