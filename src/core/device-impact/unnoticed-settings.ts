/** Finds the changed settings that make no difference to any class of devices. */
import { equal, isJsonObject, isList, type Json, type JsonObject, type Path, pointer, stableJson } from '../model/json.ts';
import { compareDevices, isAffected } from './compare.ts';
import type { Device } from './device.ts';
import { valueAt } from './track-requirements.ts';

/**
 * Returns the settings of a policy that change and make no difference to any device, neither in the old policy nor in the new one, each with
 * its values: `/fairplay/hd/hdcp_enforcement 0 -> 1`.
 */
export function unnoticedSettings(
  before: JsonObject,
  after: JsonObject,
  vmp: readonly string[] | null,
  devices: readonly Device[],
): readonly string[] {
  return changedPaths(before, after).flatMap((path) => {
    const ofSystem = devices.filter(({ system }) => path.length === 0 || path[0] === system);
    const isNoticed = (one: JsonObject, other: JsonObject) =>
      ofSystem.some((device) => compareDevices('', { policy: one, vmp }, { policy: other, vmp }, [device]).some(isAffected));
    const [then, now] = [valueAt(before, path), valueAt(after, path)];
    if (isNoticed(before, withValue(before, path, now)) || isNoticed(withValue(after, path, then), after)) return [];
    return [isScalar(then) && isScalar(now) ? `${pointer(path)} ${stableJson(then)} -> ${stableJson(now)}` : pointer(path)];
  });
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
