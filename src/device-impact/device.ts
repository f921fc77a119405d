/** A device class as the judge sees it: one way to watch. A device that is watched in several ways is several classes. */
import type { Output } from '../model/impact.ts';

/** HDCP versions, weakest first; `none` = the path has no HDCP. */
export const HDCP_VERSIONS = ['none', '1.x', '2.0', '2.1', '2.2'] as const;

/** The version that HDCP type 1 asks for (drm-api-v3 sections 2.2 and 2.4). */
export const TYPE_1 = HDCP_VERSIONS.indexOf('2.2');

/** What devices of all DRM systems have. */
interface AnyDevice {
  /** Lower-case letters, digits and dashes. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** The weakest HDCP version on the path of the picture; it means nothing where `outputs` is only `internal`. */
  readonly hdcp: (typeof HDCP_VERSIONS)[number];
  /** Where the picture goes, at least one; each is judged for itself. */
  readonly outputs: readonly Output[];
  /** Whether people use it offline, so that a policy without offline playback takes something away. */
  readonly offline: boolean;
}

/** A device with FairPlay. The policy asks it for no security level. */
export interface FairplayDevice extends AnyDevice {
  readonly system: 'fairplay';
}

/** A device with Widevine. */
export interface WidevineDevice extends AnyDevice {
  readonly system: 'widevine';
  /** 1 to 5 as in drm-api-v3 section 2.3. The levels L1 to L3 that Android names run the other way: L3 is software, 1 or 2 here; L1 is 5. */
  readonly security_level: number;
  /** The VMP status that it reports (api-notes section 4); null = not known. */
  readonly vmp_status: string | null;
  /** Whether it can mark analog outputs with CGMS-A. */
  readonly cgms_a: boolean;
  /** Whether its list of revoked HDCP devices is current, or can be brought up to date. */
  readonly srm: 'current' | 'outdated' | 'unknown';
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

/** Place of the device's HDCP version in `HDCP_VERSIONS`. */
export function hdcpOf(device: Device): number {
  return HDCP_VERSIONS.indexOf(device.hdcp);
}
