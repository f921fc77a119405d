import fc from 'fast-check';
import { canonical } from '../../../src/kinds/vmp-reject-statuses/model.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import { asStringArray } from '../../../src/model/json-readers.ts';

/** Sets of statuses, known and unknown. */
export const sides = fc
  .uniqueArray(fc.constantFrom('PLATFORM_UNVERIFIED', 'PLATFORM_TAMPERED', 'LATER_STATUS', '', 'a, b'))
  .map((statuses) => ({ fields: canonical(statuses) }));

/** A set as the API shows it. */
export function sideOf({ vmp_reject_statuses: statuses = [] }: JsonObject) {
  return { fields: canonical(asStringArray(statuses) ?? []) };
}
