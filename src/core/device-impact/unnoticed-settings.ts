/** Finds the changed settings that make no difference to any class of devices. */

import { type Judgement, RESOLUTIONS } from '../model/impact.ts';
import { equal, isJsonObject, isList, type Json, type JsonObject, type Path, pointer, stableJson } from '../model/json.ts';
import { compareDevices, isAffected, isRefused } from './compare.ts';
import type { Device } from './device.ts';
import { evaluateDevice } from './evaluate.ts';
import { valueAt } from './track-requirements.ts';

/** A setting that changes and makes no difference that is known to any device. */
export interface UnnoticedSetting {
  /** With its values: `/fairplay/hd/hdcp_enforcement 0 -> 1`. */
  readonly text: string;
  /** Whether it is unknown on both sides what it does to a device, so that a device may depend on it all the same. */
  readonly isOpen: boolean;
}

/**
 * Returns the settings of a policy that change and make no difference that is known to any device, neither in the old policy nor in the new
 * one.
 */
export function unnoticedSettings(
  before: JsonObject,
  after: JsonObject,
  vmp: readonly string[] | null,
  devices: readonly Device[],
): readonly UnnoticedSetting[] {
  return changedPaths(before, after).flatMap((path) => {
    const ofSystem = devices.filter(({ system }) => path.length === 0 || path[0] === system);
    const isNoticed = (one: JsonObject, other: JsonObject) =>
      ofSystem.some((device) => compareDevices('', { policy: one, vmp }, { policy: other, vmp }, [device]).some(isAffected));
    const [then, now] = [valueAt(before, path), valueAt(after, path)];
    if (isNoticed(before, withValue(before, path, now)) || isNoticed(withValue(after, path, then), after)) return [];
    const isOpenIn = (policy: JsonObject, device: Device) => {
      const row = evaluateDevice({ policy, vmp }, device);
      return RESOLUTIONS.map((resolution) => !isRefused(row[resolution]) && isOpen(row[resolution], path));
    };
    const isOpenOnBoth = (one: JsonObject, other: JsonObject) =>
      ofSystem.some((device) => {
        const others = isOpenIn(other, device);
        return isOpenIn(one, device).some((isOpenThere, nth) => isOpenThere && others[nth] === true);
      });
    return [
      {
        text: isScalar(then) && isScalar(now) ? `${pointer(path)} ${stableJson(then)} -> ${stableJson(now)}` : pointer(path),
        isOpen: isOpenOnBoth(before, withValue(before, path, now)) || isOpenOnBoth(withValue(after, path, then), after),
      },
    ];
  });
}

/** Decides whether a rule of a setting leaves open whether a device plays. */
function isOpen({ rules }: Judgement, path: Path): boolean {
  return rules.some(({ outcome, field }) => outcome === 'unknown' && field === pointer(path));
}

/** Returns the paths of the settings that differ. An object counts as one setting where its members are not the same. */
function changedPaths(before: Json, after: Json): readonly Path[] {
  if (equal(before, after)) return [];
  if (!isJsonObject(before) || !isJsonObject(after) || Object.keys(before).sort().join() !== Object.keys(after).sort().join()) return [[]];
  return Object.entries(before).flatMap(([member, value]) => changedPaths(value, after[member] ?? null).map((path) => [member, ...path]));
}

function withValue(fields: JsonObject, [member, ...rest]: Path, value: Json): JsonObject {
  if (member === undefined) return isJsonObject(value) ? value : fields;
  const inner = fields[member];
  return { ...fields, [member]: rest.length > 0 && isJsonObject(inner) ? withValue(inner, rest, value) : value };
}

function isScalar(value: Json): boolean {
  return !isJsonObject(value) && !isList(value);
}

/** Returns the VMP statuses that are rejected from now on, or no longer, and that no device reports. */
export function unnoticedStatuses(
  before: readonly string[],
  after: readonly string[],
  defaults: JsonObject,
  devices: readonly Device[],
): readonly string[] {
  const [was, becomes] = [new Set(before), new Set(after)];
  const differing = [...after.filter((status) => !was.has(status)), ...before.filter((status) => !becomes.has(status))];
  const sides = (status: string) =>
    [
      { policy: defaults, vmp: [] },
      { policy: defaults, vmp: [status] },
    ] as const;
  const isNoticed = (status: string) => compareDevices('', ...sides(status), devices).some(isAffected);
  const reported = new Set(devices.flatMap((device) => (device.system === 'widevine' ? [device.vmp_status] : [])));
  // What no device reports makes the same difference, whatever its name is.
  const [other] = differing.filter((status) => !reported.has(status));
  const isOtherNoticed = other !== undefined && isNoticed(other);
  return differing.filter((status) => !(reported.has(status) ? isNoticed(status) : isOtherNoticed));
}
