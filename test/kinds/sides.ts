/**
 * What each kind's own tests hand to the tests of all kinds: `test/kinds/<kind>/sides.ts` exports the arbitrary `sides`, and `sideOf`,
 * which makes the side that a document in the API's words stands for.
 */
import fc from 'fast-check';
import { type DesiredResource, isLiveObject, type Kind, type LiveResource } from '../../src/kinds/kind.ts';
import { addressPatterns } from '../../src/model/address.ts';
import { isJsonObject, isObject, type JsonObject } from '../../src/model/json.ts';
import { diffResources, diffSetting } from '../../src/plan/diff-resources.ts';
import type { ChangeDraft } from '../../src/state/change-draft.ts';
import { jsonOf } from '../support/fake-account.ts';

/** Canonical fields that either side of one resource may hold, with the context of a desired one, and the ID of a live one where it counts. */
export type Side = Pick<DesiredResource, 'fields' | 'context'> & { readonly id?: string };

/** The arbitrary of a kind. @throws where its column has none */
export async function sidesOf(kind: string): Promise<fc.Arbitrary<Side>> {
  const { sides } = await columnOf(kind);
  if (!(sides instanceof fc.Arbitrary)) throw new Error(`test/kinds/${kind}/sides.ts does not export an arbitrary \`sides\``);
  return sides.map((side: unknown) => asSide(side, kind));
}

/** What makes sides of documents. @throws where the column of the kind has no such function */
export async function sideMakerOf(kind: string): Promise<(document: JsonObject) => Side> {
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
  const { fields = null, context = null, id = null } = isJsonObject(json) ? json : {};
  if (!isJsonObject(fields)) throw new Error(`test/kinds/${kind}/sides.ts makes a side without fields`);
  return { fields, ...(isJsonObject(context) ? { context } : {}), ...(typeof id === 'string' ? { id } : {}) };
}

/** A side as a desired resource, under the address `of`. */
function desiredOf(side: Side, of: string): DesiredResource {
  return { ...side, address: of, name: of, declared: side.fields, matchKeys: [], adoptable: false, path: [] };
}

/** A side as a live resource of its kind. */
export function liveOf(kind: Kind, { fields, id = 'live' }: Side): LiveResource {
  if (kind.type === 'setting') return { id: null, fields, unknown: [] };
  return { id, label: '', fields, matchableByName: false, configSection: '', unknown: [] };
}

/** The draft that the planner makes of two sides, an absent one null; none where they are equal. */
export function stepOf(kind: Kind, before: Side | null, after: Side | null): ChangeDraft | undefined {
  const [address = ''] = addressPatterns(kind);
  const live = before && liveOf(kind, before);
  const desired = after && desiredOf(after, address);
  const resources = desired ? [desired] : [];
  const match = { ambiguous: new Map<string, string>(), unmatched: [], warnings: [] };
  if (kind.type === 'setting') return diffSetting(kind, resources, { ...match, pairs: new Map(live ? [[address, live]] : []) }, 0)[0];
  const object = live && isLiveObject(live) ? live : null;
  const pairs = new Map(object && desired ? [[address, object]] : []);
  const toDelete = object && !desired ? [{ live: object }] : [];
  return diffResources(kind, resources, { ...match, pairs }, toDelete, 0)[0];
}
