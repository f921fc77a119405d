import { describe, expect, test } from 'vitest';
import { DEVICE_CATALOG } from '../../../src/core/device-impact/device-catalog.ts';
import { unnoticedStatuses } from '../../../src/core/device-impact/unnoticed-settings.ts';

describe('statuses that no device reports', () => {
  const reported = 'PLATFORM_TAMPERED';

  test('are named where they begin or end to be rejected, each as if it were the only one', () => {
    const all = ['NEWER_STATUS', reported, 'OTHER_STATUS'];
    const alone = all.flatMap((status) => unnoticedStatuses([], [status], {}, DEVICE_CATALOG));
    expect(alone).toEqual(['NEWER_STATUS', 'OTHER_STATUS']);
    expect(unnoticedStatuses([], all, {}, DEVICE_CATALOG)).toEqual(alone);
    expect(unnoticedStatuses(all, [], {}, DEVICE_CATALOG)).toEqual(alone);
    expect(unnoticedStatuses(all, all, {}, DEVICE_CATALOG)).toEqual([]);
  });

  test('are none where a device does not say what it reports', () => {
    const unknown = DEVICE_CATALOG.map((device) => (device.system === 'widevine' ? { ...device, vmp_status: null } : device));
    expect(unnoticedStatuses([], ['NEWER_STATUS', reported], {}, unknown)).toEqual([]);
  });
});
