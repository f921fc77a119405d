/** The effect of a policy's Widevine settings, and of the rejected VMP statuses, on a device: drm-api-v3 sections 2.3 and 2.6. */
import { type Output, type Rule, VMP_FIELD } from '../model/impact.ts';
import { type Json, type JsonObject, stableJson } from '../model/json.ts';
import { offlineRules, type RuleDraft } from './combine.ts';
import { type Device, HDCP_VERSIONS, hdcpOf, needsHdcp, type WidevineDevice } from './device.ts';

/** The index in `HDCP_VERSIONS` of each version that a policy can require. */
const REQUIRED_VERSION = new Map([
  ['HDCP_V1', 1],
  ['HDCP_V2', 2],
  ['HDCP_V2_1', 3],
  ['HDCP_V2_2', 4],
]);

/** Returns the rules for tracks of one type. */
export function widevineTrackRules(demands: JsonObject, device: WidevineDevice): readonly RuleDraft[] {
  return [
    ...robustness(demands, device),
    ...revocation(demands, device),
    ...copyMarkInDesktopBrowser(demands, device),
    ...device.outputs.flatMap((output) => [...hdcp(demands, device, output), ...(output === 'analog' ? analog(demands, device) : [])]),
  ];
}

function robustness({ security_level: required }: JsonObject, { security_level: present }: WidevineDevice): readonly RuleDraft[] {
  if (!(Number(required) > present)) return [];
  return [{ outcome: 'refused', text: `needs security_level ${Number(required)}, has ${present}`, by: 'security_level' }];
}

function revocation({ hdcp_srm_rule: rule }: JsonObject, { srm }: WidevineDevice): readonly RuleDraft[] {
  if (rule !== 'CURRENT_SRM' || srm === 'current') return [];
  const present = srm === 'outdated' ? 'an old list of revoked devices' : 'whether its list of revoked devices is current is not known';
  return [{ outcome: srm === 'outdated' ? 'refused' : 'unknown', text: `CURRENT_SRM required, ${present}`, by: 'hdcp_srm_rule' }];
}

function copyMarkInDesktopBrowser({ cgms_flags: flags }: JsonObject, device: WidevineDevice): readonly RuleDraft[] {
  if (flags === 'CGMS_NONE' || !device.desktop_browser) return [];
  const text = 'cgms_flags must not be set for desktop browsers, and the API documents do not say what happens where they are';
  return [{ outcome: 'unknown', text, by: 'cgms_flags' }];
}

/**
 * Output protection does not apply to the internal display. The API documents do not say whether a version is also required behind a
 * repeater, or on outputs other than HDCP.
 */
function hdcp({ hdcp: required }: JsonObject, device: WidevineDevice, output: Output): readonly RuleDraft[] {
  if (output === 'internal') return [];
  const isDigital = output === 'digital' || output === 'repeater';
  if (required === 'HDCP_NO_DIGITAL_OUTPUT')
    return [isDigital ? draft('refused', `${required}: internal display only`) : draft('unknown', undocumented(required))];
  const version = REQUIRED_VERSION.get(String(required)) ?? 0;
  if (hdcpOf(device) >= version) return [];
  return [
    output === 'digital'
      ? draft('refused', needsHdcp(`HDCP ${HDCP_VERSIONS[version]} or later`, device))
      : draft('unknown', undocumented(required)),
  ];

  function draft(outcome: RuleDraft['outcome'], text: string): RuleDraft {
    return { outcome, text, by: 'hdcp', output };
  }
  function undocumented(value: unknown): string {
    return `${String(value)} required, and the API documents do not say what it means for this output`;
  }
}

function analog({ disable_analog_output: isDisabled, cgms_flags: flags }: JsonObject, device: WidevineDevice): readonly RuleDraft[] {
  const drafts: RuleDraft[] = [];
  const output = 'analog';
  if (isDisabled === true) drafts.push({ outcome: 'refused', text: 'analog output is not allowed', by: 'disable_analog_output', output });
  if (device.cgms_a) {
    const text =
      flags === 'CGMS_NONE' ? 'copies of the analog output are not marked' : `copies of the analog output are marked ${String(flags)}`;
    drafts.push({ outcome: 'plays', text, by: 'cgms_flags', output });
  }
  if (flags !== 'CGMS_NONE' && !device.cgms_a) {
    const text = `${String(flags)} required, no CGMS-A present, and the API documents do not say what happens then`;
    drafts.push({ outcome: 'unknown', text, by: 'cgms_flags', output });
  }
  return drafts;
}

/** Returns the rules of the license as a whole: `policy_overrides`. */
export function widevineLicenseRules(overrides: JsonObject, device: WidevineDevice): readonly RuleDraft[] {
  const { can_play: canPlay, can_persist: canPersist, license_duration_seconds: seconds } = overrides;
  if (canPlay === false) return [{ outcome: 'refused', text: 'playback is not allowed', by: 'can_play' }];
  const drafts = [...offlineRules(overrides, device)];
  const rental = Number(overrides.rental_duration_seconds);
  if (rental > 0 && canPersist === true && device.offline) {
    const text = `playback begins within ${rental} s after the license is issued`;
    drafts.push({ outcome: 'plays', text, by: 'rental_duration_seconds', seconds: rental, output: 'offline' });
  }
  return [...drafts, expiry(seconds ?? null)];
}

function expiry(value: Json): RuleDraft {
  const by = 'license_duration_seconds';
  const seconds = Number(value);
  if (seconds > 0) return { outcome: 'plays', text: `playback stops ${seconds} s after the license is issued`, by, seconds };
  return { outcome: 'unknown', text: `the API documents do not say what a license_duration_seconds of ${stableJson(value)} means`, by };
}

/**
 * Returns the rules of the rejected VMP statuses, by which a device gets no license (api-notes section 4). Null = not managed, so unknown.
 * Only Widevine devices report a status.
 */
export function vmpRules(rejected: readonly string[] | null, device: Device): readonly Rule[] {
  if (device.system !== 'widevine') return [];
  const { vmp_status: status } = device;
  if (rejected === null) return [vmpRule('unknown', 'the set of rejected VMP statuses is not known')];
  if (status === null && rejected.length > 0)
    return [vmpRule('unknown', `VMP status ${rejected.join(', ')} rejected, and its own is not known`)];
  return status !== null && rejected.includes(status) ? [vmpRule('refused', `VMP status ${status} is rejected`)] : [];
}

function vmpRule(outcome: Rule['outcome'], text: string): Rule {
  return { outcome, text, field: VMP_FIELD, section: 'drm-api-v3 2.6' };
}
