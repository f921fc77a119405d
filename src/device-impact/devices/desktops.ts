/** Computers: browsers, Windows, Macs. */
import type { FairplayDevice, PlayreadyDevice, WidevineDevice } from '../device.ts';

const browser = {
  system: 'widevine',
  hdcp: 'none',
  outputs: ['internal'],
  cgms_a: false,
  srm: 'current',
  desktop_browser: true,
  offline: false,
} as const;

/** Decodes in software, on the computer's own display. */
export const softwareBrowser: WidevineDevice = {
  ...browser,
  id: 'desktop-browser-software',
  name: 'desktop browser, software Widevine',
  security_level: 1,
  vmp_status: 'PLATFORM_SOFTWARE_VERIFIED',
};

/** Decodes in a hardware TEE, on the computer's own display. */
export const hardwareBrowser: WidevineDevice = {
  ...browser,
  id: 'desktop-browser-hardware',
  name: 'desktop browser, hardware Widevine',
  security_level: 5,
  vmp_status: 'PLATFORM_HARDWARE_VERIFIED',
};

const edge = {
  system: 'playready',
  hdcp: 'none',
  outputs: ['internal'],
  cgms_a: false,
  virtual_machine: false,
  offline: false,
} as const;

/** Windows with PlayReady in software, on the computer's own display. */
export const edge2000: PlayreadyDevice = { ...edge, id: 'edge-2000', name: 'Windows Edge, PlayReady 2000', security_level: 2000 };

/** Windows with PlayReady in hardware, on the computer's own display. */
export const edge3000: PlayreadyDevice = { ...edge, id: 'edge-3000', name: 'Windows Edge, PlayReady 3000', security_level: 3000 };

const mac = { system: 'fairplay', outputs: ['digital'], offline: false } as const;

/** The monitor of HDMI 1.4 has HDCP 1.x. */
export const macHdmi14: FairplayDevice = { ...mac, id: 'mac-hdmi-1-4', name: 'Mac with an HDMI 1.4 monitor', hdcp: '1.x' };

/** The monitor has HDCP 2.2. */
export const macHdcp22: FairplayDevice = { ...mac, id: 'mac-hdcp-2-2', name: 'Mac with an HDCP 2.2 monitor', hdcp: '2.2' };
