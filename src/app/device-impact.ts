/**
 * Connects the planner, which knows no devices, with the device-impact analysis: the kinds that affect devices, and the users' own device
 * classes.
 */
import type { Device } from '../core/device-impact/device.ts';
import { type BeforeAfterPolicies, impactsOf, planImpact } from '../core/device-impact/plan-impact.ts';
import { devicePlaybackReasons } from '../core/device-impact/playback.ts';
import { drmPolicy } from '../core/kinds/drm-policy/index.ts';
import { ADDRESS, SECTION } from '../core/kinds/vmp-reject-statuses/declare.ts';
import { vmpRejectStatuses } from '../core/kinds/vmp-reject-statuses/index.ts';
import { addressPrefixes } from '../core/model/address.ts';
import { compareStrings } from '../core/model/finding.ts';
import type { JsonObject } from '../core/model/json.ts';
import { asStringArray } from '../core/model/json-readers.ts';
import type { BeforeAfter, PlanImpactResult } from '../core/plan/before-after.ts';

/** Globs for the addresses that affect device playback. */
export const DEVICE_KINDS: readonly string[] = [...addressPrefixes(drmPolicy).map((prefix) => `${prefix}*`), ADDRESS];

/** Returns a function that computes what a plan means for these devices. */
export function impactAnalyzer(devices: readonly Device[]): (beforeAfter: BeforeAfter) => PlanImpactResult {
  return (beforeAfter) => {
    const account = accountOf(beforeAfter);
    const byChange = impactsOf(account, devices);
    return {
      byChange,
      playbackReasons: devicePlaybackReasons(account, byChange, devices),
      summary: planImpact(account, byChange, devices),
    };
  };
}

/**
 * Returns the policies and VMP statuses of an account before and after a plan, the input of the impact analysis. The policies are sorted by
 * address, because no statement about them may depend on the order in which the service lists them.
 */
export function accountOf({ completeKinds: complete, resourcesOf }: BeforeAfter): BeforeAfterPolicies {
  const [vmp] = resourcesOf(vmpRejectStatuses.name);
  const statuses = (fields: JsonObject | null | undefined) =>
    complete.has(vmpRejectStatuses.name) ? (asStringArray(fields?.[SECTION]) ?? []) : null;
  return {
    policies: resourcesOf(drmPolicy.name).toSorted((a, b) => compareStrings(a.address, b.address)),
    vmp: { address: ADDRESS, isWritten: vmp?.isWritten === true, before: statuses(vmp?.before), after: statuses(vmp?.after) },
    defaults: drmPolicy.defaults(),
  };
}
