import fc from 'fast-check';
import { canonical } from '../../../src/kinds/static-key/model.ts';
import type { JsonObject } from '../../../src/model/json.ts';
import { asStringArray } from '../../../src/model/json-readers.ts';

const slicers = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'owner:a', ' '), { minLength: 1 });

/** Scopes, with a list left over under `all`. */
export const sides = fc
  .oneof(
    fc.constant(canonical('none', [])),
    slicers.map((some) => canonical('specific', some)),
    fc.option(slicers, { nil: [] }).map((left) => canonical('all', left)),
  )
  .map((fields) => ({ fields }));

/** A scope in the words of the source files. */
export function sideOf({ scope = 'none', slicer_ids = [] }: JsonObject) {
  return { fields: canonical(scope === 'all' || scope === 'specific' ? scope : 'none', asStringArray(slicer_ids) ?? []) };
}
