import type { Device, FairplayDevice, PlayreadyDevice, WidevineDevice } from '../../src/device-impact/device.ts';
import { evaluateDevice, type PolicyUnderTest } from '../../src/device-impact/evaluate.ts';
import type { Resolution, Rule } from '../../src/model/impact.ts';
import type { JsonObject } from '../../src/model/json.ts';
import { desired } from '../kinds/drm-policy/policies.ts';

/** A policy with these settings and every other at its default, beside an empty VMP set. */
export function protection(settings: JsonObject = {}, vmp: PolicyUnderTest['vmp'] = []): PolicyUnderTest {
  return { policy: desired('any', settings).fields, vmp };
}

/** A policy with one Widevine element for all tracks. */
export function forAll(spec: JsonObject, vmp: PolicyUnderTest['vmp'] = []): PolicyUnderTest {
  return protection({ widevine: { content_key_specs: [{ track_type: 'ALL', ...spec }] } }, vmp);
}

/** A device that watches on a digital cable with the best there is, unless said otherwise. */
export function fairplay(parts: Partial<FairplayDevice> = {}): FairplayDevice {
  return { id: 'd', name: 'd', system: 'fairplay', hdcp: '2.2', outputs: ['digital'], offline: false, ...parts };
}

/** As above; nothing is known of its VMP status. */
export function widevine(parts: Partial<WidevineDevice> = {}): WidevineDevice {
  const base = { hdcp: '2.2', outputs: ['digital'], offline: false, cgms_a: true, srm: 'current', desktop_browser: false } as const;
  return { id: 'd', name: 'd', system: 'widevine', security_level: 5, vmp_status: null, ...base, ...parts };
}

/** As above. */
export function playready(parts: Partial<PlayreadyDevice> = {}): PlayreadyDevice {
  const base = { hdcp: '2.2', outputs: ['digital'], offline: false, cgms_a: true, virtual_machine: false } as const;
  return { id: 'd', name: 'd', system: 'playready', security_level: 3000, ...base, ...parts };
}

/** How it plays. */
export function playback(given: PolicyUnderTest, device: Device, resolution: Resolution = 'HD'): string {
  return evaluateDevice(given, device)[resolution].playback;
}

/** The rules that keep it from simply playing. */
export function causes(given: PolicyUnderTest, device: Device, resolution: Resolution = 'HD'): readonly Rule[] {
  return evaluateDevice(given, device)[resolution].rules.filter((rule) => rule.outcome !== 'plays');
}
