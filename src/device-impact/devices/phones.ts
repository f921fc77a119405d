/** Phones. Android's levels run the other way than the policy's: L1 is 5 here, L3 is 1. */
import type { FairplayDevice, WidevineDevice } from '../device.ts';

const android = {
  system: 'widevine',
  hdcp: 'none',
  outputs: ['internal'],
  vmp_status: 'PLATFORM_NO_VERIFICATION',
  cgms_a: false,
  srm: 'current',
  desktop_browser: false,
  offline: true,
} as const;

/** Everything in a hardware TEE. */
export const androidL1: WidevineDevice = { ...android, id: 'android-phone-l1', name: 'Android phone, Widevine L1', security_level: 5 };

/** Everything in software. */
export const androidL3: WidevineDevice = { ...android, id: 'android-phone-l3', name: 'Android phone, Widevine L3', security_level: 1 };

/** On its own display. */
export const iphone: FairplayDevice = {
  system: 'fairplay',
  id: 'iphone',
  name: 'iPhone',
  hdcp: 'none',
  outputs: ['internal'],
  offline: true,
};

/** On a television with HDCP 1.x. */
export const iphoneMirrored: FairplayDevice = {
  system: 'fairplay',
  id: 'iphone-mirrored',
  name: 'iPhone, mirrored through the AV adapter',
  hdcp: '1.x',
  outputs: ['av_adapter'],
  offline: false,
};

/** On a receiver in the same network. */
export const iphoneAirplay: FairplayDevice = {
  system: 'fairplay',
  id: 'iphone-airplay',
  name: 'iPhone, over AirPlay',
  hdcp: '2.2',
  outputs: ['airplay'],
  offline: false,
};
