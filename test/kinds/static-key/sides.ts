import fc from 'fast-check';
import { canonical } from '../../../src/kinds/static-key/spec.ts';
import type { Fields } from '../../../src/model/json.ts';
import { asTexts } from '../../../src/model/read.ts';

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
export function sideOf({ scope = 'none', slicer_ids = [] }: Fields) {
  return { fields: canonical(String(scope), asTexts(slicer_ids) ?? []) };
}
