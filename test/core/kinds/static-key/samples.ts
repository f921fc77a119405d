import fc from 'fast-check';
import { canonical } from '../../../../src/core/kinds/static-key/declare.ts';
import type { JsonObject } from '../../../../src/core/model/json.ts';
import { asStringArray } from '../../../../src/core/model/json-readers.ts';

const slicers = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'owner:a', ' '), { minLength: 1 });

/** Scopes, some with slicers under `all`. */
export const samples = fc
  .oneof(
    fc.constant(canonical('none', [])),
    slicers.map((slicerIds) => canonical('specific', slicerIds)),
    fc.option(slicers, { nil: [] }).map((slicerIds) => canonical('all', slicerIds)),
  )
  .map((fields) => ({ fields }));

/** Reads a scope in the form of the configuration. */
export function sampleOf({ scope = 'none', slicer_ids = [] }: JsonObject) {
  return { fields: canonical(scope === 'all' || scope === 'specific' ? scope : 'none', asStringArray(slicer_ids) ?? []) };
}
