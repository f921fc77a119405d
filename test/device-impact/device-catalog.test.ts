import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import schema from '../../schemas/configuration.schema.json' with { type: 'json' };
import { customDevice } from '../../src/device-impact/device.ts';
import { DEVICE_CATALOG } from '../../src/device-impact/device-catalog.ts';

const accepts = new Ajv({ allErrors: true, strict: false }).compile({ $ref: '#/definitions/device', definitions: schema.definitions });

test('the device catalog contains each of these classes once', () => {
  expect(DEVICE_CATALOG.map((device) => `${device.id}: ${device.name}`)).toEqual([
    'desktop-browser-software: desktop browser, software Widevine',
    'desktop-browser-hardware: desktop browser, hardware Widevine',
    'desktop-browser-unverified: desktop browser, VMP unverified',
    'desktop-browser-tampered: desktop browser, VMP tampered',
    'laptop-hdmi-1-4: laptop on an HDMI 1.4 monitor',
    'android-phone-l1: Android phone, Widevine L1',
    'android-phone-l3: Android phone, Widevine L3',
    'android-tv: Android TV',
    'chromecast: Chromecast-like',
    'stick-without-hdcp: stick on a screen without HDCP',
    'tv-box-outdated-srm: TV box with an outdated SRM',
    'tv-box-analog: TV box on an analog output',
    'smart-tv: smart TV, PlayReady 3000',
    'edge-2000: Windows Edge, PlayReady 2000',
    'edge-3000: Windows Edge, PlayReady 3000',
    'windows-without-hdcp: PC on a monitor without HDCP',
    'virtual-machine: virtual machine, PlayReady 2000',
    'xbox: Xbox-like',
    'iphone: iPhone',
    'iphone-mirrored: iPhone, mirrored through the AV adapter',
    'iphone-airplay: iPhone, over AirPlay',
    'mac-hdmi-1-4: Mac with an HDMI 1.4 monitor',
    'mac-without-hdcp: Mac with a monitor without HDCP',
    'mac-hdcp-2-2: Mac with an HDCP 2.2 monitor',
    'set-top-box-analog: set-top box with analog output',
    'hdcp-repeater: player behind an HDCP 2.0 repeater',
  ]);
});

test.each(DEVICE_CATALOG.map((device) => [device.id, device] as const))(
  'the catalog device %s can be declared by a user in the same form',
  (id, { id: _id, ...device }) => {
    expect(accepts(device), JSON.stringify(accepts.errors)).toBe(true);
    expect(customDevice(id, device)).toEqual({ id, ...device });
  },
);
