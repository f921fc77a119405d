import type { FindingCodes } from '../../src/core/model/finding-codes.ts';

/** Returns the codes whose severity `rules` can set. */
export function settableCodes(codes: FindingCodes): readonly string[] {
  return Object.entries(codes).flatMap(([code, { isFixed }]) => (isFixed ? [] : [code]));
}
