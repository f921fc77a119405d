/** What each kind's own tests hand to the tests of all kinds: `test/kinds/<kind>/sides.ts` exports the arbitrary `sides`. */
import fc from 'fast-check';
import type { Desired, Live } from '../../src/kinds/kind.ts';
import { isFields, isObject } from '../../src/model/json.ts';
import { jsonOf } from '../engine/fake-account.ts';

/** Canonical fields that either side of one resource may hold, with the context of a desired one. */
export type Side = Pick<Desired, 'fields' | 'context'>;

/** The arbitrary of a kind. @throws where its column has none */
export async function sidesOf(kind: string): Promise<fc.Arbitrary<Side>> {
  const column: unknown = await import(`./${kind}/sides.ts`);
  const sides = isObject(column) ? column.sides : undefined;
  if (!(sides instanceof fc.Arbitrary)) throw new Error(`test/kinds/${kind}/sides.ts does not export an arbitrary \`sides\``);
  return sides.map((side: unknown) => asSide(side, kind));
}

function asSide(side: unknown, kind: string): Side {
  const json = jsonOf(side);
  const { fields = null, context = null } = isFields(json) ? json : {};
  if (!isFields(fields)) throw new Error(`test/kinds/${kind}/sides.ts makes a side without fields`);
  return isFields(context) ? { fields, context } : { fields };
}

/** A side as a desired resource, under the address `of`. */
export function desiredOf(side: Side, of: string): Desired {
  return { ...side, address: of, name: of, declared: side.fields, clues: [], adoptable: false, path: [] };
}

/** A side as a live object. */
export function liveOf({ fields }: Side, id: string): Live {
  return { id, label: '', fields, nameable: false, section: '', unknown: [] };
}
