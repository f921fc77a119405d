/** Finds the names that the asset catalog has for the assets in changes. */
import type { DesiredResource } from '../kinds/kind.ts';
import type { Change } from '../model/change.ts';
import { compareStrings } from '../model/finding.ts';
import { isJsonObject, type Json } from '../model/json.ts';
import type { Plan } from '../model/plan.ts';

/** Returns the names of the assets whose IDs occur in the fields of changes, by ID and sorted; nothing if none is in the catalog. */
export function assetNamesIn(
  changes: readonly Change[],
  resources: readonly Pick<DesiredResource, 'kindData'>[],
): Pick<Plan, 'assetNames'> {
  // Every playlist carries the whole catalog: the first one is enough.
  const names = resources.map(({ kindData }) => kindData?.names).find(isJsonObject) ?? {};
  const used = new Map<string, string>();
  const collect = (value: Json): void => {
    if (typeof value === 'string') {
      const name = Object.hasOwn(names, value) ? names[value] : undefined;
      if (typeof name === 'string' && name !== value) used.set(value, name);
    } else if (value !== null && typeof value === 'object') for (const each of Object.values(value)) collect(each);
  };
  if (Object.keys(names).length > 0)
    for (const { before, after } of changes.flatMap(({ fields }) => fields)) [before, after].forEach(collect);
  return used.size === 0 ? {} : { assetNames: Object.fromEntries([...used].sort(([a], [b]) => compareStrings(a, b))) };
}
