/** What Widevine's settings do to a device: drm-api-v3 section 2.3. */
import type { Output } from '../model/impact.ts';
import type { Fields } from '../model/json.ts';
import { hdcpOf, type WidevineDevice } from './device.ts';
import type { Draft } from './rules.ts';

/** The place of the asked version in HDCP_VERSIONS. */
const HDCP = new Map([
  ['HDCP_V1', 1],
  ['HDCP_V2', 2],
  ['HDCP_V2_1', 3],
  ['HDCP_V2_2', 4],
]);

/** Rules for tracks of one type. */
export function judgeWidevine(demands: Fields, device: WidevineDevice): readonly Draft[] {
  return [
    ...robustness(demands, device),
    ...revocation(demands, device),
    ...copyMarkOnDesktop(demands, device),
    ...device.outputs.flatMap((output) => [...hdcp(demands, device, output), ...(output === 'analog' ? analog(demands, device) : [])]),
  ];
}

function robustness({ security_level: asked }: Fields, { security_level: present }: WidevineDevice): readonly Draft[] {
  if (Number(asked) <= present) return [];
  return [{ outcome: 'refused', text: `security_level ${Number(asked)} asked, ${present} present`, by: 'security_level' }];
}

function revocation({ hdcp_srm_rule: rule }: Fields, { srm }: WidevineDevice): readonly Draft[] {
  if (rule !== 'CURRENT_SRM' || srm === 'current') return [];
  const present = srm === 'outdated' ? 'an old list of revoked devices' : 'whether its list of revoked devices is current is not known';
  return [{ outcome: srm === 'outdated' ? 'refused' : 'depends', text: `CURRENT_SRM asked, ${present}`, by: 'hdcp_srm_rule' }];
}

function copyMarkOnDesktop({ cgms_flags: flags }: Fields, device: WidevineDevice): readonly Draft[] {
  if (flags === 'CGMS_NONE' || !device.desktop_browser) return [];
  const text = `${String(flags)} must not be set for desktop browsers, and the documents do not say what happens where it is`;
  return [{ outcome: 'depends', text, by: 'cgms_flags' }];
}

/**
 * Output protection binds outputs: the internal display is none. Whether a version must also hold behind a repeater, or for a client whose
 * picture leaves by another way than HDCP, the documents do not say.
 */
function hdcp({ hdcp: asked }: Fields, device: WidevineDevice, output: Output): readonly Draft[] {
  if (output === 'internal') return [];
  const isDigital = output === 'digital' || output === 'repeater';
  if (asked === 'HDCP_NO_DIGITAL_OUTPUT')
    return [isDigital ? draft('refused', `${asked}: internal display only`) : draft('depends', unsaid(asked))];
  if (hdcpOf(device) >= (HDCP.get(String(asked)) ?? 0)) return [];
  return [output === 'digital' ? draft('refused', `${String(asked)} asked, HDCP ${device.hdcp} present`) : draft('depends', unsaid(asked))];

  function draft(outcome: Draft['outcome'], text: string): Draft {
    return { outcome, text, by: 'hdcp', output };
  }
  function unsaid(value: unknown): string {
    return `${String(value)} asked, and the documents do not say what it means for this output`;
  }
}

function analog({ disable_analog_output: isDisabled, cgms_flags: flags }: Fields, device: WidevineDevice): readonly Draft[] {
  const drafts: Draft[] = [];
  const output = 'analog';
  if (isDisabled === true) drafts.push({ outcome: 'refused', text: 'analog output is not allowed', by: 'disable_analog_output', output });
  if (flags !== 'CGMS_NONE' && device.cgms_a)
    drafts.push({ outcome: 'plays', text: `copies of the analog output are marked ${String(flags)}`, by: 'cgms_flags', output });
  if (flags !== 'CGMS_NONE' && !device.cgms_a) {
    const text = `${String(flags)} asked, no CGMS-A present, and the documents do not say what happens then`;
    drafts.push({ outcome: 'depends', text, by: 'cgms_flags', output });
  }
  return drafts;
}

/** Rules of the license as a whole: `policy_overrides`. */
export function licenseOfWidevine(overrides: Fields, device: WidevineDevice): readonly Draft[] {
  const { can_play: canPlay, can_persist: canPersist, license_duration_seconds: seconds } = overrides;
  if (canPlay === false) return [{ outcome: 'refused', text: 'playback is not allowed', by: 'can_play' }];
  const drafts: Draft[] = [];
  if (canPersist === false && device.offline) drafts.push({ outcome: 'limited', text: 'no offline playback', by: 'can_persist' });
  return [...drafts, expiry(Number(seconds))];
}

function expiry(seconds: number): Draft {
  const by = 'license_duration_seconds';
  if (seconds > 0) return { outcome: 'plays', text: `playback stops ${seconds} s after the license is issued`, by };
  return { outcome: 'depends', text: 'the documents do not say what a license_duration_seconds of 0 means', by };
}
