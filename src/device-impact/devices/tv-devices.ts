/** Televisions and what stands beside them. */
import type { PlayreadyDevice, WidevineDevice } from '../device.ts';

const android = {
  system: 'widevine',
  security_level: 5,
  vmp_status: 'PLATFORM_NO_VERIFICATION',
  cgms_a: false,
  srm: 'current',
  desktop_browser: false,
  offline: false,
} as const;

/** A television: its panel is an internal display. */
export const androidTv: WidevineDevice = { ...android, id: 'android-tv', name: 'Android TV', hdcp: 'none', outputs: ['internal'] };

/** A stick in an HDMI socket with HDCP 2.2. */
export const chromecast: WidevineDevice = { ...android, id: 'chromecast', name: 'Chromecast-like', hdcp: '2.2', outputs: ['digital'] };

const playready = { system: 'playready', security_level: 3000, cgms_a: false, virtual_machine: false, offline: false } as const;

/** A television: its panel is an internal display. */
export const smartTv: PlayreadyDevice = {
  ...playready,
  id: 'smart-tv',
  name: 'smart TV, PlayReady 3000',
  hdcp: 'none',
  outputs: ['internal'],
};

/** A console in an HDMI socket with HDCP 2.2. */
export const xbox: PlayreadyDevice = { ...playready, id: 'xbox', name: 'Xbox-like', hdcp: '2.2', outputs: ['digital'] };

/** An older box: HDMI with HDCP 1.x, and analog sockets that cannot carry CGMS-A. */
export const setTopBox: PlayreadyDevice = {
  ...playready,
  id: 'set-top-box-analog',
  name: 'set-top box with analog output',
  security_level: 2000,
  hdcp: '1.x',
  outputs: ['digital', 'analog'],
};

/** A player whose picture passes an audio/video receiver with HDCP 2.0. */
export const repeater: PlayreadyDevice = {
  ...playready,
  id: 'hdcp-repeater',
  name: 'player behind an HDCP 2.0 repeater',
  hdcp: '2.0',
  outputs: ['repeater'],
};
