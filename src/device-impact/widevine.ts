/** What Widevine's settings do to a device: drm-api-v3 section 2.3. */
import type { Output } from '../model/impact.ts';
import type { JsonObject } from '../model/json.ts';
import type { RuleDraft } from './combine.ts';
import { hdcpOf, type WidevineDevice } from './device.ts';

/** The place of the asked version in HDCP_VERSIONS. */
const HDCP = new Map([
  ['HDCP_V1', 1],
  ['HDCP_V2', 2],
  ['HDCP_V2_1', 3],
  ['HDCP_V2_2', 4],
]);

/** Rules for tracks of one type. */
export function judgeWidevine(demands: JsonObject, device: WidevineDevice): readonly RuleDraft[] {
  return [
    ...robustness(demands, device),
    ...revocation(demands, device),
    ...copyMarkOnDesktop(demands, device),
    ...device.outputs.flatMap((output) => [...hdcp(demands, device, output), ...(output === 'analog' ? analog(demands, device) : [])]),
  ];
}

function robustness({ security_level: asked }: JsonObject, { security_level: present }: WidevineDevice): readonly RuleDraft[] {
  if (Number(asked) <= present) return [];
  return [{ outcome: 'refused', text: `security_level ${Number(asked)} asked, ${present} present`, by: 'security_level' }];
}

function revocation({ hdcp_srm_rule: rule }: JsonObject, { srm }: WidevineDevice): readonly RuleDraft[] {
  if (rule !== 'CURRENT_SRM' || srm === 'current') return [];
  const present = srm === 'outdated' ? 'an old list of revoked devices' : 'whether its list of revoked devices is current is not known';
  return [{ outcome: srm === 'outdated' ? 'refused' : 'unknown', text: `CURRENT_SRM asked, ${present}`, by: 'hdcp_srm_rule' }];
}

function copyMarkOnDesktop({ cgms_flags: flags }: JsonObject, device: WidevineDevice): readonly RuleDraft[] {
  if (flags === 'CGMS_NONE' || !device.desktop_browser) return [];
  const text = `${String(flags)} must not be set for desktop browsers, and the documents do not say what happens where it is`;
  return [{ outcome: 'unknown', text, by: 'cgms_flags' }];
}

/**
 * Output protection binds outputs: the internal display is none. Whether a version must also hold behind a repeater, or for a client whose
 * picture leaves by another way than HDCP, the documents do not say.
 */
function hdcp({ hdcp: asked }: JsonObject, device: WidevineDevice, output: Output): readonly RuleDraft[] {
  if (output === 'internal') return [];
  const isDigital = output === 'digital' || output === 'repeater';
  if (asked === 'HDCP_NO_DIGITAL_OUTPUT')
    return [isDigital ? draft('refused', `${asked}: internal display only`) : draft('unknown', unsaid(asked))];
  if (hdcpOf(device) >= (HDCP.get(String(asked)) ?? 0)) return [];
  return [output === 'digital' ? draft('refused', `${String(asked)} asked, HDCP ${device.hdcp} present`) : draft('unknown', unsaid(asked))];

  function draft(outcome: RuleDraft['outcome'], text: string): RuleDraft {
    return { outcome, text, by: 'hdcp', output };
  }
  function unsaid(value: unknown): string {
    return `${String(value)} asked, and the documents do not say what it means for this output`;
  }
}

function analog({ disable_analog_output: isDisabled, cgms_flags: flags }: JsonObject, device: WidevineDevice): readonly RuleDraft[] {
  const drafts: RuleDraft[] = [];
  const output = 'analog';
  if (isDisabled === true) drafts.push({ outcome: 'refused', text: 'analog output is not allowed', by: 'disable_analog_output', output });
  if (flags !== 'CGMS_NONE' && device.cgms_a)
    drafts.push({ outcome: 'plays', text: `copies of the analog output are marked ${String(flags)}`, by: 'cgms_flags', output });
  if (flags !== 'CGMS_NONE' && !device.cgms_a) {
    const text = `${String(flags)} asked, no CGMS-A present, and the documents do not say what happens then`;
    drafts.push({ outcome: 'unknown', text, by: 'cgms_flags', output });
  }
  return drafts;
}

/** Rules of the license as a whole: `policy_overrides`. */
export function licenseOfWidevine(overrides: JsonObject, device: WidevineDevice): readonly RuleDraft[] {
  const { can_play: canPlay, can_persist: canPersist, license_duration_seconds: seconds } = overrides;
  if (canPlay === false) return [{ outcome: 'refused', text: 'playback is not allowed', by: 'can_play' }];
  const drafts: RuleDraft[] = [];
  if (canPersist === false && device.offline) drafts.push({ outcome: 'restricted', text: 'no offline playback', by: 'can_persist' });
  return [...drafts, expiry(Number(seconds))];
}

function expiry(seconds: number): RuleDraft {
  const by = 'license_duration_seconds';
  if (seconds > 0) return { outcome: 'plays', text: `playback stops ${seconds} s after the license is issued`, by };
  return { outcome: 'unknown', text: 'the documents do not say what a license_duration_seconds of 0 means', by };
}
