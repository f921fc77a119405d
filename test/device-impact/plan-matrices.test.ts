import { expect, it } from 'vitest';
import { planMatrices } from '../../src/device-impact/plan-matrices.ts';
import type { DeviceImpact, Row } from '../../src/model/impact.ts';

const plays = { playback: 'plays', rules: [] } as const;
const refused = { playback: 'refused', rules: [] } as const;
const before: Row = { SD: plays, HD: plays, UHD1: plays, UHD2: plays };
const after: Row = { ...before, UHD1: refused };

function noticed(address: string, device: string, more: Partial<DeviceImpact> = {}): DeviceImpact {
  const lists = { lost: ['UHD1'], gained: [], restricted: [], unrestricted: [], uncertain: [] } as const;
  return { address, device, name: device, system: 'widevine', before, after, ...lists, ...more };
}

it('tells policies under which devices do the same once, and tells others apart', () => {
  const impacts = new Map([
    ['drm-policy/a', [noticed('drm-policy/a', 'tv'), noticed('drm-policy/a', 'phone')]],
    ['vmp', [noticed('drm-policy/b', 'tv'), noticed('drm-policy/b', 'phone'), noticed('default policy', 'tv')]],
  ]);
  const row = {
    name: 'tv',
    system: 'widevine',
    before: { SD: 'plays', HD: 'plays', UHD1: 'plays', UHD2: 'plays' },
    after: { SD: 'plays', HD: 'plays', UHD1: 'refused', UHD2: 'plays' },
    noticed: ['UHD1'],
  };
  expect(planMatrices(impacts)).toMatchObject([
    { policies: ['drm-policy/a', 'drm-policy/b'], devices: [{ ...row, device: 'tv' }, { device: 'phone' }] },
    { policies: ['default policy'], devices: [{ ...row, device: 'tv' }] },
  ]);
});

it('leaves out a device of which no story tells, and with it a policy that has no other', () => {
  const quiet = noticed('drm-policy/a', 'tv', { after: before, lost: [] });
  expect(planMatrices(new Map([['drm-policy/a', [quiet]]]))).toEqual([]);
});
