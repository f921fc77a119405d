/** The device classes of a project: those that upkeep knows, and those that upkeep.yaml declares. */
import type { JsonObject } from '../model/json.ts';
import { customDevice, type Device } from './device.ts';
import { CATALOG_IDS, DEVICE_CATALOG } from './device-catalog.ts';

/**
 * Returns all device classes: those of the catalog, then the users' own. A declared class with the ID of a catalog class replaces it,
 * changes whether it is expected to play, or switches it off.
 */
export function devicesOf({ devices }: { readonly devices: { readonly [id: string]: JsonObject | null } }): readonly Device[] {
  const declared = new Map(Object.entries(devices));
  const own = [...declared].filter(([id]) => !CATALOG_IDS.has(id));
  return [
    ...DEVICE_CATALOG.flatMap((device) => {
      const edit = declared.get(device.id);
      if (edit === undefined) return [device];
      if (edit === null) return [];
      return [edit.system === undefined ? { ...device, expected: edit.expected === true } : customDevice(device.id, edit)];
    }),
    ...own.flatMap(([id, declaration]) => (declaration === null ? [] : [customDevice(id, declaration)])),
  ];
}
