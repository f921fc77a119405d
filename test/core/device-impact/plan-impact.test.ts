import { describe, expect, test } from 'vitest';
import type { Device } from '../../../src/core/device-impact/device.ts';
import { DEVICE_CATALOG } from '../../../src/core/device-impact/device-catalog.ts';
import {
  type BeforeAfterPolicies,
  type Impacts,
  impactsOf,
  type PolicyBeforeAfter,
  planImpact,
} from '../../../src/core/device-impact/plan-impact.ts';
import type { DeviceImpact, PlanImpact, Row } from '../../../src/core/model/impact.ts';
import type { JsonObject } from '../../../src/core/model/json.ts';
import { desired } from '../kinds/drm-policy/policies.ts';
import { fairplay, widevine } from './fixtures.ts';

const fields = (settings: JsonObject): JsonObject => desired('any', settings).fields;
const withSecurityLevel = (security_level: number): JsonObject => {
  return fields({
    widevine: { content_key_specs: [{ track_type: 'ALL', security_level, required_output_protection: { hdcp: 'HDCP_NONE' } }] },
  });
};

function policy(address: string, before: JsonObject | null, after: JsonObject | null): PolicyBeforeAfter {
  return { address, isDeclared: after !== null, isWritten: before !== after, before, after };
}

function account(policies: readonly PolicyBeforeAfter[], before: readonly string[] | null = [], after = before): BeforeAfterPolicies {
  return { policies, vmp: { address: 'vmp', isWritten: before !== after, before, after }, defaults: fields({}) };
}

function impactOn(policies: BeforeAfterPolicies, devices: readonly Device[]): PlanImpact | null {
  return planImpact(policies, impactsOf(policies, devices), devices);
}

const weak = widevine({ id: 'weak', name: 'weak', security_level: 1, vmp_status: 'PLATFORM_UNVERIFIED' });
const strong = widevine({ id: 'strong', name: 'strong', vmp_status: 'PLATFORM_HARDWARE_VERIFIED' });

describe('the impact of a plan', () => {
  test('is null if the plan changes neither a policy nor the VMP statuses', () => {
    expect(impactOn(account([policy('p', withSecurityLevel(1), null)].map((each) => ({ ...each, isWritten: false }))), [weak])).toBeNull();
  });

  test('compares no device under a policy that is created or deleted, and says why', () => {
    const created = impactOn(account([policy('drm-policy/new', null, withSecurityLevel(3))]), [weak, strong]);
    expect(created).toMatchObject({ summaries: [], matrices: [] });
    expect(created?.notes).toContain('New: drm-policy/new. What names a policy before it exists is not known, so no device is compared.');
    const deleted = impactOn(account([policy('drm-policy/old', withSecurityLevel(3), null)]), [weak]);
    expect(deleted).toMatchObject({ summaries: [], matrices: [] });
    expect(deleted?.notes.join()).toContain('Deleted: drm-policy/old. The API documents do not say');
  });

  test('names the settings on which no class of devices depends, with their policies', () => {
    const reserved = fields({ widevine: { policy_overrides: { can_play: true, renewal_delay_seconds: 5 } } });
    const both = fields({ widevine: { policy_overrides: { can_play: true, renewal_delay_seconds: 5, license_duration_seconds: 60 } } });
    const policies = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => policy(name, fields({}), reserved));
    const impact = impactOn(account([...policies, policy('g', fields({}), both)]), [weak]);
    expect(impact?.notes[0]).toBe(
      'Under a, b, c, d, e and 2 more: no built-in class of devices depends on this setting: /widevine/policy_overrides/renewal_delay_seconds 0 -> 5.',
    );
    expect(impact?.summaries).toMatchObject([{ policies: ['g'], outcome: 'restricted' }]);
  });

  test('does not say that no class depends on a setting of which nobody knows what it does, before or after', () => {
    const marked = (cgms_flags: string) =>
      fields({ widevine: { content_key_specs: [{ track_type: 'ALL', required_output_protection: { cgms_flags } }] } });
    const impact = impactOn(account([policy('p', marked('COPY_ONCE'), marked('COPY_NEVER'))]), DEVICE_CATALOG);
    expect(impact?.notes).toEqual([
      'Under p: the API documents do not say whether a class of devices depends on this setting: /widevine/content_key_specs/ALL/required_output_protection/cgms_flags "COPY_ONCE" -> "COPY_NEVER".',
    ]);
  });

  test('names the VMP statuses that no class of devices reports', () => {
    const impact = impactOn(account([], ['PLATFORM_TAMPERED'], ['PLATFORM_UNVERIFIED', 'PLATFORM_OF_TOMORROW']), [weak]);
    expect(impact?.notes[0]).toBe(
      'Of the VMP statuses: no built-in class of devices depends on these settings: PLATFORM_OF_TOMORROW, PLATFORM_TAMPERED.',
    );
  });

  test('applies a change of the VMP statuses to unchanged policies and to content without a policy', () => {
    const unchanged = withSecurityLevel(1);
    const policies = [policy('unchanged', unchanged, unchanged), policy('changed', withSecurityLevel(1), withSecurityLevel(3))];
    expect(impactOn(account(policies, [], ['PLATFORM_UNVERIFIED']), [weak])?.summaries).toMatchObject([
      { outcome: 'lost', policies: ['changed'], changes: ['changed', 'vmp'] },
      { outcome: 'lost', policies: ['unchanged', 'default policy'], changes: ['vmp'] },
    ]);
  });

  test('says of which side its rules are', () => {
    const marked = (cgms_flags: string) =>
      fields({ widevine: { content_key_specs: [{ track_type: 'ALL', required_output_protection: { cgms_flags } }] } });
    const browser = widevine({ desktop_browser: true });
    const sides = (before: string, after: string) =>
      impactOn(account([policy('p', marked(before), marked(after))], null), [browser])?.summaries.map(({ outcome, side }) => [
        outcome,
        side,
      ]);
    expect(sides('COPY_NEVER', 'CGMS_NONE')).toEqual([['changed', 'before']]);
    expect(sides('CGMS_NONE', 'COPY_NEVER')).toEqual([['changed', 'after']]);
    expect(impactOn(account([policy('p', withSecurityLevel(3), withSecurityLevel(1))]), [weak])?.summaries).toMatchObject([
      { outcome: 'gained', side: 'before' },
    ]);
  });

  test('is uncertain, with a note, if the VMP statuses are not managed', () => {
    const impact = impactOn(account([policy('p', withSecurityLevel(3), withSecurityLevel(1))], null), [weak]);
    expect(impact?.summaries).toMatchObject([{ outcome: 'gained', uncertain: true }]);
    expect(impact?.notes[0]).toMatch(/not known/);
  });

  test('says nothing of running sessions, of which the document on policies says nothing', () => {
    const impact = impactOn(account([policy('p', withSecurityLevel(3), withSecurityLevel(1))]), [weak]);
    expect(impact?.notes.join()).not.toMatch(/sessions/);
  });
});

describe('the summaries of a plan', () => {
  test('combine fifty policies with the same change into one summary of all affected devices', () => {
    const [before, after] = [withSecurityLevel(1), withSecurityLevel(3)];
    const policies = Array.from({ length: 50 }, (_, index) => policy(`drm-policy/p${index}`, before, after));
    const impact = impactOn(account(policies), DEVICE_CATALOG);
    const lost = { outcome: 'lost', resolutions: ['SD', 'HD', 'UHD1', 'UHD2'] };
    expect(impact?.summaries).toMatchObject([lost, lost]);
    expect(impact?.summaries.map(({ policies: named, rules }) => [named.length, rules.map(({ text }) => text)])).toEqual([
      [50, ['needs security_level 3, has 2']],
      [50, ['needs security_level 3, has 1']],
    ]);
    expect(impact?.summaries.map(({ devices }) => devices.map(({ device }) => device))).toEqual([
      ['desktop-browser-software', 'desktop-browser-unverified', 'desktop-browser-tampered', 'laptop-hdmi-1-4'],
      ['android-phone-l3'],
    ]);
  });

  test('list resolutions that are affected for different reasons separately', () => {
    const settings = { hd: { allow_airplay: false }, uhd1: { hdcp_enforcement: 1 } };
    const devices = [fairplay({ outputs: ['airplay'] })];
    const summaries = impactOn(account([policy('p', fields({}), fields({ fairplay: settings }))]), devices)?.summaries;
    expect(summaries?.map(({ outcome, resolutions }) => [outcome, ...resolutions])).toEqual([
      ['lost', 'HD'],
      ['uncertain', 'UHD1'],
    ]);
  });
});

describe('the matrices of a plan', () => {
  const plays = { playback: 'plays', rules: [] } as const;
  const refused = { playback: 'refused', rules: [] } as const;
  const before: Row = { SD: plays, HD: plays, UHD1: plays, UHD2: plays };
  const after: Row = { ...before, UHD1: refused };

  function deviceImpact(address: string, device: string, more: Partial<DeviceImpact> = {}): DeviceImpact {
    const lists = { lost: ['UHD1'], gained: [], restricted: [], unrestricted: [], uncertain: [], changed: [] } as const;
    return { address, device, name: device, system: 'widevine', before, after, ...lists, ...more };
  }

  const matricesOf = (impacts: Impacts) => planImpact(account([]), impacts, [])?.matrices;

  test('combine policies with the same impact on the same devices, and separate other policies', () => {
    const impacts = new Map([
      ['drm-policy/a', [deviceImpact('drm-policy/a', 'tv'), deviceImpact('drm-policy/a', 'phone')]],
      ['vmp', [deviceImpact('drm-policy/b', 'tv'), deviceImpact('drm-policy/b', 'phone'), deviceImpact('default policy', 'tv')]],
    ]);
    const row = {
      name: 'tv',
      system: 'widevine',
      before: { SD: 'plays', HD: 'plays', UHD1: 'plays', UHD2: 'plays' },
      after: { SD: 'plays', HD: 'plays', UHD1: 'refused', UHD2: 'plays' },
      noticed: ['UHD1'],
    };
    expect(matricesOf(impacts)).toMatchObject([
      { policies: ['drm-policy/a', 'drm-policy/b'], devices: [{ ...row, device: 'tv' }, { device: 'phone' }] },
      { policies: ['default policy'], devices: [{ ...row, device: 'tv' }] },
    ]);
  });

  test('omit a device that no summary mentions, and a policy that has no other device', () => {
    const unaffected = deviceImpact('drm-policy/a', 'tv', { after: before, lost: [] });
    expect(matricesOf(new Map([['drm-policy/a', [unaffected]]]))).toEqual([]);
  });
});
