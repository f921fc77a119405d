/**
 * What each kind's own tests hand to the tests of all kinds: `test/kinds/<kind>/sides.ts` exports the arbitrary `sides`, and `sideOf`,
 * which makes the side that a document in the API's words stands for.
 */
import fc from 'fast-check';
import { compare } from '../../src/engine/compare.ts';
import type { Step } from '../../src/engine/step.ts';
import type { Desired, Kind, Live } from '../../src/kinds/kind.ts';
import { type Fields, isFields, isObject } from '../../src/model/json.ts';
import { jsonOf } from '../engine/fake-account.ts';

/** Canonical fields that either side of one resource may hold, with the context of a desired one, and the ID of a live one where it counts. */
export type Side = Pick<Desired, 'fields' | 'context'> & Partial<Pick<Live, 'id'>>;

/** The arbitrary of a kind. @throws where its column has none */
export async function sidesOf(kind: string): Promise<fc.Arbitrary<Side>> {
  const { sides } = await columnOf(kind);
  if (!(sides instanceof fc.Arbitrary)) throw new Error(`test/kinds/${kind}/sides.ts does not export an arbitrary \`sides\``);
  return sides.map((side: unknown) => asSide(side, kind));
}

/** What makes sides of documents. @throws where the column of the kind has no such function */
export async function sideMakerOf(kind: string): Promise<(document: Fields) => Side> {
  const { sideOf } = await columnOf(kind);
  if (typeof sideOf !== 'function') throw new Error(`test/kinds/${kind}/sides.ts does not export a function \`sideOf\``);
  return (document) => asSide(sideOf(document), kind);
}

async function columnOf(kind: string): Promise<{ readonly [name: string]: unknown }> {
  const column: unknown = await import(`./${kind}/sides.ts`);
  return isObject(column) ? column : {};
}

function asSide(side: unknown, kind: string): Side {
  const json = jsonOf(side);
  const { fields = null, context = null, id = null } = isFields(json) ? json : {};
  if (!isFields(fields)) throw new Error(`test/kinds/${kind}/sides.ts makes a side without fields`);
  return { fields, ...(isFields(context) ? { context } : {}), ...(typeof id === 'string' ? { id } : {}) };
}

/** A side as a desired resource, under the address `of`. */
function desiredOf(side: Side, of: string): Desired {
  return { ...side, address: of, name: of, declared: side.fields, clues: [], adoptable: false, path: [] };
}

/** A side as a live object. */
export function liveOf({ fields, id = 'live' }: Side): Live {
  return { id, label: '', fields, nameable: false, section: '', unknown: [] };
}

/** The step that the engine makes of two sides, an absent one null; none where they are equal. */
export function stepOf(kind: Kind, before: Side | null, after: Side | null): Step | undefined {
  const address = kind.addresses[0] ?? '';
  const live = before && liveOf(before);
  const desired = after && desiredOf(after, address);
  const pairs = new Map(live && desired ? [[address, live]] : []);
  const doomed = live && !desired ? [{ live }] : [];
  return compare(kind, desired ? [desired] : [], { pairs, contested: new Map(), undeclared: [], warnings: [] }, doomed, 0)[0];
}
