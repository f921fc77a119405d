import type { Device, FairplayDevice, PlayreadyDevice, WidevineDevice } from '../../../src/core/device-impact/device.ts';
import { evaluateDevice, type PolicyUnderTest } from '../../../src/core/device-impact/evaluate.ts';
import type { Resolution, Rule } from '../../../src/core/model/impact.ts';
import type { JsonObject } from '../../../src/core/model/json.ts';
import { desired } from '../kinds/drm-policy/policies.ts';

/** Returns a policy with these settings and all others at their defaults, by default with no rejected VMP status. */
export function policyUnderTest(settings: JsonObject = {}, vmp: PolicyUnderTest['vmp'] = []): PolicyUnderTest {
  return { policy: desired('any', settings).fields, vmp };
}

/** Returns a policy with one Widevine element for all tracks. */
export function policyForAllTracks(spec: JsonObject, vmp: PolicyUnderTest['vmp'] = []): PolicyUnderTest {
  return policyUnderTest({ widevine: { content_key_specs: [{ track_type: 'ALL', ...spec }] } }, vmp);
}

/** Returns a device with a digital output and the strongest protection, except for the given parts. */
export function fairplay(parts: Partial<FairplayDevice> = {}): FairplayDevice {
  return { id: 'd', name: 'd', system: 'fairplay', hdcp: '2.2', outputs: ['digital'], offline: false, ...parts };
}

/** Returns such a device for Widevine; its VMP status is unknown. */
export function widevine(parts: Partial<WidevineDevice> = {}): WidevineDevice {
  const base = { hdcp: '2.2', outputs: ['digital'], offline: false, cgms_a: true, srm: 'current', desktop_browser: false } as const;
  return { id: 'd', name: 'd', system: 'widevine', security_level: 5, vmp_status: null, ...base, ...parts };
}

/** Returns such a device for PlayReady. */
export function playready(parts: Partial<PlayreadyDevice> = {}): PlayreadyDevice {
  const base = { hdcp: '2.2', outputs: ['digital'], offline: false, cgms_a: true, virtual_machine: false } as const;
  return { id: 'd', name: 'd', system: 'playready', security_level: 3000, ...base, ...parts };
}

/** Returns the playback of the device at a resolution. */
export function playback(underTest: PolicyUnderTest, device: Device, resolution: Resolution = 'HD'): string {
  return evaluateDevice(underTest, device)[resolution].playback;
}

/** Returns the rules whose outcome is not `plays`. */
export function restrictingRules(underTest: PolicyUnderTest, device: Device, resolution: Resolution = 'HD'): readonly Rule[] {
  return evaluateDevice(underTest, device)[resolution].rules.filter((rule) => rule.outcome !== 'plays');
}
