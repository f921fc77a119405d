import fc from 'fast-check';
import { canonical } from '../../../src/kinds/vmp-reject-statuses/spec.ts';
import type { Fields } from '../../../src/model/json.ts';
import { asTexts } from '../../../src/model/read.ts';

/** Sets of statuses, known and unknown. */
export const sides = fc
  .uniqueArray(fc.constantFrom('PLATFORM_UNVERIFIED', 'PLATFORM_TAMPERED', 'LATER_STATUS', '', 'a, b'))
  .map((statuses) => ({ fields: canonical(statuses) }));

/** A set as the API shows it. */
export function sideOf({ vmp_reject_statuses: statuses = [] }: Fields) {
  return { fields: canonical(asTexts(statuses) ?? []) };
}
