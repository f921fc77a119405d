/**
 * The device classes that upkeep knows. A class is an explicit assumption about typical devices; users declare their own. Where the limits of
 * each class come from is in docs/device-impact.md.
 */
import type { Device, FairplayDevice, PlayreadyDevice, WidevineDevice } from './device.ts';

/** A browser on a computer, on the computer's own display. */
const browser = {
  system: 'widevine',
  hdcp: 'none',
  outputs: ['internal'],
  cgms_a: false,
  srm: 'current',
  desktop_browser: true,
  offline: false,
} as const;

/** An Android device. Android's levels count in the opposite direction to the policy's: L1 is 5 here, L3 is 1. */
const android = {
  system: 'widevine',
  vmp_status: 'PLATFORM_NO_VERIFICATION',
  cgms_a: false,
  srm: 'current',
  desktop_browser: false,
} as const;

/** A phone on its own display. */
const androidPhone = { ...android, hdcp: 'none', outputs: ['internal'], offline: true } as const;

/** A stick or a box in a socket with HDCP 2.2. */
const stick = { ...android, security_level: 5, hdcp: '2.2', outputs: ['digital'], offline: false } as const;

/** Windows with PlayReady, on the computer's own display. */
const edge = {
  system: 'playready',
  hdcp: 'none',
  outputs: ['internal'],
  cgms_a: false,
  virtual_machine: false,
  offline: false,
} as const;

const iphone = { system: 'fairplay', id: 'iphone', name: 'iPhone', hdcp: 'none', outputs: ['internal'], offline: true } as const;
const mac = { system: 'fairplay', outputs: ['digital'], offline: false } as const;

/** A television or a device that is connected to one. */
const playreadyTv = { system: 'playready', security_level: 3000, cgms_a: false, virtual_machine: false, offline: false } as const;

/** A desktop CDM in software answers for SW_SECURE_DECODE, which is level 2 (docs/device-impact.md has the source). */
const softwareBrowser = { ...browser, security_level: 2, vmp_status: 'PLATFORM_SOFTWARE_VERIFIED' } as const;

const BROWSERS: readonly WidevineDevice[] = [
  { ...softwareBrowser, id: 'desktop-browser-software', name: 'desktop browser (software Widevine)' },
  {
    ...browser,
    id: 'desktop-browser-hardware',
    name: 'desktop browser (hardware Widevine)',
    security_level: 5,
    vmp_status: 'PLATFORM_HARDWARE_VERIFIED',
  },
  // The Widevine CDM of Linux has no verified media path.
  {
    ...softwareBrowser,
    id: 'desktop-browser-unverified',
    name: 'desktop browser (VMP unverified)',
    vmp_status: 'PLATFORM_UNVERIFIED',
  },
  // A browser or an application whose signed files were changed.
  { ...softwareBrowser, id: 'desktop-browser-tampered', name: 'desktop browser (VMP tampered)', vmp_status: 'PLATFORM_TAMPERED' },
  // A monitor with HDMI 1.4 has HDCP 1.x.
  { ...softwareBrowser, id: 'laptop-hdmi-1-4', name: 'laptop on an HDMI 1.4 monitor', hdcp: '1.x', outputs: ['digital'] },
];

const ANDROID: readonly WidevineDevice[] = [
  { ...androidPhone, id: 'android-phone-l1', name: 'Android phone (Widevine L1)', security_level: 5 },
  { ...androidPhone, id: 'android-phone-l3', name: 'Android phone (Widevine L3)', security_level: 1 },
  // The panel of a television is an internal display.
  { ...android, id: 'android-tv', name: 'Android TV', security_level: 5, hdcp: 'none', outputs: ['internal'], offline: false },
  // A stick in an HDMI socket with HDCP 2.2.
  { ...stick, id: 'chromecast', name: 'Chromecast-like' },
  // The same in a socket, a capture card or a splitter without HDCP.
  { ...stick, id: 'stick-without-hdcp', name: 'stick on a screen without HDCP', hdcp: 'none' },
  // A box whose list of revoked HDCP devices is old, and which gets no updates any more.
  { ...stick, id: 'tv-box-outdated-srm', name: 'TV box with an outdated SRM', srm: 'outdated' },
  // A box on an analog socket of an old television, which cannot carry CGMS-A.
  { ...stick, id: 'tv-box-analog', name: 'TV box on an analog output', hdcp: 'none', outputs: ['analog'] },
];

const PLAYREADY: readonly PlayreadyDevice[] = [
  { ...playreadyTv, id: 'smart-tv', name: 'smart TV (PlayReady 3000)', hdcp: 'none', outputs: ['internal'] },
  { ...edge, id: 'edge-2000', name: 'Windows Edge (PlayReady 2000)', security_level: 2000 },
  { ...edge, id: 'edge-3000', name: 'Windows Edge (PlayReady 3000)', security_level: 3000 },
  // A monitor on DVI, or behind an adapter without HDCP.
  {
    ...edge,
    id: 'windows-without-hdcp',
    name: 'PC on a monitor without HDCP',
    security_level: 2000,
    outputs: ['digital'],
  },
  { ...edge, id: 'virtual-machine', name: 'virtual machine (PlayReady 2000)', security_level: 2000, virtual_machine: true },
  // A console in an HDMI socket with HDCP 2.2.
  { ...playreadyTv, id: 'xbox', name: 'Xbox-like', hdcp: '2.2', outputs: ['digital'] },
];

const APPLE: readonly FairplayDevice[] = [
  iphone,
  // A television with HDCP 1.x.
  {
    ...iphone,
    id: 'iphone-mirrored',
    name: 'iPhone mirrored through the AV adapter',
    hdcp: '1.x',
    outputs: ['av_adapter'],
    offline: false,
  },
  // A receiver in the same network.
  { ...iphone, id: 'iphone-airplay', name: 'iPhone over AirPlay', hdcp: '2.2', outputs: ['airplay'], offline: false },
  // A monitor with HDMI 1.4 has HDCP 1.x.
  { ...mac, id: 'mac-hdmi-1-4', name: 'Mac with an HDMI 1.4 monitor', hdcp: '1.x' },
  { ...mac, id: 'mac-without-hdcp', name: 'Mac with a monitor without HDCP', hdcp: 'none' },
  { ...mac, id: 'mac-hdcp-2-2', name: 'Mac with an HDCP 2.2 monitor', hdcp: '2.2' },
];

const PLAYREADY_BOXES: readonly PlayreadyDevice[] = [
  // An older box: HDMI with HDCP 1.x, and analog sockets that cannot carry CGMS-A.
  {
    ...playreadyTv,
    id: 'set-top-box-analog',
    name: 'set-top box with analog output',
    security_level: 2000,
    hdcp: '1.x',
    outputs: ['digital', 'analog'],
  },
  // A player whose picture passes an audio/video receiver with HDCP 2.0.
  { ...playreadyTv, id: 'hdcp-repeater', name: 'player behind an HDCP 2.0 repeater', hdcp: '2.0', outputs: ['repeater'] },
];

/** In the order in which reports show them. */
export const DEVICE_CATALOG: readonly Device[] = [...BROWSERS, ...ANDROID, ...PLAYREADY, ...APPLE, ...PLAYREADY_BOXES];

/** The IDs of these classes. */
export const CATALOG_IDS: ReadonlySet<string> = new Set(DEVICE_CATALOG.map(({ id }) => id));
