import fc from 'fast-check';
import { canonical } from '../../../../src/core/kinds/vmp-reject-statuses/declare.ts';
import type { JsonObject } from '../../../../src/core/model/json.ts';
import { asStringArray } from '../../../../src/core/model/json-readers.ts';

/** Sets of statuses, known and unknown. */
export const samples = fc
  .uniqueArray(fc.constantFrom('PLATFORM_UNVERIFIED', 'PLATFORM_TAMPERED', 'LATER_STATUS', '', 'a, b'))
  .map((statuses) => ({ fields: canonical(statuses) }));

/** Reads a set in the form of the API. */
export function sampleOf({ vmp_reject_statuses: statuses = [] }: JsonObject) {
  return { fields: canonical(asStringArray(statuses) ?? []) };
}
