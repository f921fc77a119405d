/** The device classes that upkeep knows. A class is an assumption about typical devices, written out; users add their own. */
import type { Device } from '../device.ts';
import { edge2000, edge3000, hardwareBrowser, macHdcp22, macHdmi14, softwareBrowser } from './desktops.ts';
import { androidL1, androidL3, iphone, iphoneAirplay, iphoneMirrored } from './phones.ts';
import { androidTv, chromecast, repeater, setTopBox, smartTv, xbox } from './tv-devices.ts';

/** In the order in which reports show them. */
export const CATALOGUE: readonly Device[] = [
  softwareBrowser,
  hardwareBrowser,
  androidL1,
  androidL3,
  androidTv,
  chromecast,
  smartTv,
  edge2000,
  edge3000,
  xbox,
  iphone,
  iphoneMirrored,
  iphoneAirplay,
  macHdmi14,
  macHdcp22,
  setTopBox,
  repeater,
];
