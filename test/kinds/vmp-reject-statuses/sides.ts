import fc from 'fast-check';
import { canonical } from '../../../src/kinds/vmp-reject-statuses/spec.ts';

/** Sets of statuses, known and unknown. */
export const sides = fc
  .uniqueArray(fc.constantFrom('PLATFORM_UNVERIFIED', 'PLATFORM_TAMPERED', 'LATER_STATUS', '', 'a, b'))
  .map((statuses) => ({ fields: canonical(statuses) }));
