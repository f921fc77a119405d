import { describe, expect, test } from 'vitest';
import type { Device } from '../../src/device-impact/device.ts';
import { CATALOGUE } from '../../src/device-impact/devices/index.ts';
import type { BeforeAfterPolicies, PolicyBeforeAfter } from '../../src/device-impact/input.ts';
import { impactsOf, planImpact } from '../../src/device-impact/plan-impact.ts';
import type { PlanImpact } from '../../src/model/impact.ts';
import type { JsonObject } from '../../src/model/json.ts';
import { desired } from '../kinds/drm-policy/policies.ts';
import { fairplay, widevine } from './fixtures.ts';

const fields = (settings: JsonObject): JsonObject => desired('any', settings).fields;
const needs = (security_level: number): JsonObject => {
  return fields({
    widevine: { content_key_specs: [{ track_type: 'ALL', security_level, required_output_protection: { hdcp: 'HDCP_NONE' } }] },
  });
};

function policy(address: string, before: JsonObject | null, after: JsonObject | null): PolicyBeforeAfter {
  return { address, declared: after !== null, changes: before !== after, before, after };
}

function account(policies: readonly PolicyBeforeAfter[], before: readonly string[] | null = [], after = before): BeforeAfterPolicies {
  return { policies, vmp: { address: 'vmp', changes: before !== after, before, after }, defaults: fields({}) };
}

function told(given: BeforeAfterPolicies, devices: readonly Device[]): PlanImpact | null {
  return planImpact(given, impactsOf(given, devices));
}

const weak = widevine({ id: 'weak', name: 'weak', security_level: 1, vmp_status: 'PLATFORM_UNVERIFIED' });
const strong = widevine({ id: 'strong', name: 'strong', vmp_status: 'PLATFORM_HARDWARE_VERIFIED' });

describe('what a plan means', () => {
  test('is nothing where it changes neither a policy nor the VMP set', () => {
    expect(told(account([policy('p', needs(1), null)].map((each) => ({ ...each, changes: false }))), [weak])).toBeNull();
  });

  test('of a new policy and of one that goes is told beside the default policy', () => {
    const made = told(account([policy('p', null, needs(3))]), [weak, strong]);
    expect(made?.summaries).toMatchObject([{ outcome: 'lost', devices: [{ device: 'weak' }], uncertain: false }]);
    expect(made?.notes.join()).toMatch(/compared with the default policy/);
    expect(told(account([policy('p', needs(3), null)]), [weak])?.summaries).toMatchObject([{ outcome: 'gained' }]);
  });

  test('of the VMP set is told of what stays, and of content without a policy', () => {
    const stays = needs(1);
    const given = account([policy('stays', stays, stays), policy('changes', needs(1), needs(3))], [], ['PLATFORM_UNVERIFIED']);
    expect(told(given, [weak])?.summaries).toMatchObject([
      { outcome: 'lost', policies: ['changes'], changes: ['changes', 'vmp'] },
      { outcome: 'lost', policies: ['stays', 'default policy'], changes: ['vmp'] },
    ]);
  });

  test('depends where the VMP set is not managed, and says so', () => {
    const impact = told(account([policy('p', needs(3), needs(1))], null), [weak]);
    expect(impact?.summaries).toMatchObject([{ outcome: 'gained', uncertain: true }]);
    expect(impact?.notes[0]).toMatch(/not known/);
  });
});

describe('the size of it', () => {
  test('fifty policies that all say the same are one story for each sort of devices', () => {
    const [before, after] = [needs(1), needs(3)];
    const many = Array.from({ length: 50 }, (_, index) => policy(`drm-policy/p${index}`, before, after));
    const impact = told(account(many), CATALOGUE);
    expect(impact?.summaries).toMatchObject([{ outcome: 'lost', resolutions: ['SD', 'HD', 'UHD1', 'UHD2'] }]);
    expect(impact?.summaries[0]?.policies).toHaveLength(50);
    expect(impact?.summaries[0]?.devices.map(({ device }) => device)).toEqual(['desktop-browser-software', 'android-phone-l3']);
    expect(impact?.summaries[0]?.rules).toHaveLength(1);
  });

  test('resolutions that lose for different reasons are told apart', () => {
    const hd = { hd: { allow_airplay: false }, uhd1: { hdcp_enforcement: 1 } };
    const devices = [fairplay({ outputs: ['airplay'] })];
    const summaries = told(account([policy('p', fields({}), fields({ fairplay: hd }))]), devices)?.summaries;
    expect(summaries?.map(({ outcome, resolutions }) => [outcome, ...resolutions])).toEqual([
      ['lost', 'HD'],
      ['uncertain', 'UHD1'],
    ]);
  });
});
