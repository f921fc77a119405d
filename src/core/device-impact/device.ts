/** Device classes. A class is one way to watch; a device that is watched in several ways belongs to several classes. */
import { isUnexpectedStatus, type Output } from '../model/impact.ts';
import { asBoolean, asInteger, asList, asString } from '../model/json-readers.ts';

/** HDCP versions, weakest first; `none` means that the path to the output has no HDCP. */
export const HDCP_VERSIONS = ['none', '1.x', '2.0', '2.1', '2.2'] as const;

/** Index in `HDCP_VERSIONS` of the version that HDCP type 1 requires (drm-api-v3 sections 2.2 and 2.4). */
export const TYPE_1 = HDCP_VERSIONS.indexOf('2.2');

/** The outputs that a device class can have. */
type VideoOutput = Exclude<Output, 'offline'>;

const OUTPUTS: readonly VideoOutput[] = ['internal', 'digital', 'repeater', 'analog', 'airplay', 'av_adapter'];
const SRM = ['current', 'outdated', 'unknown'] as const;

/** Properties of the devices of all DRM systems. */
interface AnyDevice {
  /** Lower-case letters, digits and dashes. */
  readonly id: string;
  /** Name in reports. */
  readonly name: string;
  /** The weakest HDCP version on the path of the picture; meaningless if `outputs` is only `internal`. */
  readonly hdcp: (typeof HDCP_VERSIONS)[number];
  /** The outputs for the picture, at least one; each is evaluated on its own. */
  readonly outputs: readonly VideoOutput[];
  /** Whether it is used offline, so that a policy without offline playback restricts it. */
  readonly offline: boolean;
  /** Whether it is expected to play; absent = by its properties (`isExpected`). */
  readonly expected?: boolean;
}

/** A device with FairPlay, for which policies have no security level. */
export interface FairplayDevice extends AnyDevice {
  readonly system: 'fairplay';
}

/** A device with Widevine. */
export interface WidevineDevice extends AnyDevice {
  readonly system: 'widevine';
  /** 1 to 5 as in drm-api-v3 section 2.3. Android's L1 to L3 count in the opposite direction: L3 is software, 1 or 2 here; L1 is 5. */
  readonly security_level: number;
  /** The VMP status that it reports (api-notes section 4); null = unknown. */
  readonly vmp_status: string | null;
  /** Whether it can mark analog outputs with CGMS-A. */
  readonly cgms_a: boolean;
  /** Whether its list of revoked HDCP devices is current, or can be updated. */
  readonly srm: (typeof SRM)[number];
  /** Whether it is a browser on a desktop, for which `cgms_flags` must not be set. */
  readonly desktop_browser: boolean;
}

/** A device with PlayReady. */
export interface PlayreadyDevice extends AnyDevice {
  readonly system: 'playready';
  /** 150, 2000 or 3000 as in drm-api-v3 section 2.4. */
  readonly security_level: number;
  /** Whether it can mark analog outputs with CGMS-A. */
  readonly cgms_a: boolean;
  /** Whether it is a virtual machine. */
  readonly virtual_machine: boolean;
}

/** A device class. */
export type Device = FairplayDevice | WidevineDevice | PlayreadyDevice;

/** Returns the index of the device's HDCP version in `HDCP_VERSIONS`. */
export function hdcpOf(device: Device): number {
  return HDCP_VERSIONS.indexOf(device.hdcp);
}

/** Says which HDCP a rule needs, and which the device has. */
export function needsHdcp(needed: string, { hdcp }: Device): string {
  return `needs ${needed}, has ${hdcp === 'none' ? 'none' : `HDCP ${hdcp}`}`;
}

/**
 * Decides whether a device is expected to play. Those are not that hardening is meant to keep out: unverified and tampered browsers, virtual
 * machines, and devices whose list of revoked devices is outdated.
 */
export function isExpected(device: Device): boolean {
  if (device.expected !== undefined) return device.expected;
  if (device.system === 'widevine') return device.srm !== 'outdated' && !isUnexpectedStatus(device.vmp_status);
  return device.system !== 'playready' || !device.virtual_machine;
}

/**
 * Reads a device class that a user declared under `id` in the form of schemas/configuration.schema.json. Defaults: `name` is the ID, `hdcp`
 * is `none`, `vmp_status` and `srm` are unknown, everything else is false. @throws TypeError if the value does not have that form
 */
export function customDevice(id: string, declared: { readonly [member: string]: unknown }): Device {
  const common = {
    id,
    name: asString(declared.name) ?? id,
    hdcp: oneOf(HDCP_VERSIONS, declared.hdcp ?? 'none', 'hdcp'),
    outputs: (asList(declared.outputs) ?? []).map((output) => oneOf(OUTPUTS, output, 'outputs')),
    offline: asBoolean(declared.offline) ?? false,
    ...(declared.expected === undefined ? {} : { expected: declared.expected === true }),
  };
  const system = oneOf(['fairplay', 'widevine', 'playready'] as const, declared.system, 'system');
  if (system === 'fairplay') return { ...common, system };
  const security_level = asInteger(declared.security_level);
  if (security_level === undefined) throw new TypeError('security_level is not a whole number');
  const protection = { security_level, cgms_a: asBoolean(declared.cgms_a) ?? false };
  if (system === 'playready') return { ...common, system, ...protection, virtual_machine: asBoolean(declared.virtual_machine) ?? false };
  return {
    ...common,
    system,
    ...protection,
    vmp_status: asString(declared.vmp_status) ?? null,
    srm: oneOf(SRM, declared.srm ?? 'unknown', 'srm'),
    desktop_browser: asBoolean(declared.desktop_browser) ?? false,
  };
}

function oneOf<T extends string>(allowed: readonly T[], value: unknown, member: string): T {
  const found = allowed.find((each) => each === value);
  if (found === undefined) throw new TypeError(`${member} is none of ${allowed.join(', ')}`);
  return found;
}
