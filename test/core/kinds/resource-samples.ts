/**
 * Samples of resources for the tests of all kinds. `test/core/kinds/<kind>/samples.ts` exports the arbitrary `samples`, and `sampleOf`,
 * which reads a sample from a document in the form of the API.
 */
import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { type DesiredResource, isLiveObject, type Kind, type LiveResource } from '../../../src/core/kinds/kind.ts';
import { addressPrefixes } from '../../../src/core/model/address.ts';
import type { Change } from '../../../src/core/model/change.ts';
import { isJsonObject, isObject, type JsonObject } from '../../../src/core/model/json.ts';
import { diffResources, diffSetting } from '../../../src/core/plan/diff-resources.ts';
import { jsonOf } from '../../support/fake-account.ts';

/** Canonical fields of a desired or live resource, with the kind data of a desired one, and the ID of a live one where it matters. */
export type ResourceSample = Pick<DesiredResource, 'fields' | 'kindData'> & { readonly id?: string };

/** Returns the arbitrary samples of a kind. @throws Error where its folder exports none */
export async function samplesOf(kind: string): Promise<fc.Arbitrary<ResourceSample>> {
  const { samples } = await importSamples(kind);
  if (!(samples instanceof fc.Arbitrary)) throw new Error(`test/core/kinds/${kind}/samples.ts does not export an arbitrary \`samples\``);
  return samples.map((sample: unknown) => toSample(sample, kind));
}

/** Returns the function that reads a sample from a document. @throws Error where the folder of the kind exports none */
export async function sampleReaderOf(kind: string): Promise<(document: JsonObject) => ResourceSample> {
  const { sampleOf } = await importSamples(kind);
  if (typeof sampleOf !== 'function') throw new Error(`test/core/kinds/${kind}/samples.ts does not export a function \`sampleOf\``);
  return (document) => toSample(sampleOf(document), kind);
}

async function importSamples(kind: string): Promise<{ readonly [name: string]: unknown }> {
  if (!existsSync(new URL(`./${kind}/samples.ts`, import.meta.url))) throw new Error(`write test/core/kinds/${kind}/samples.ts`);
  const module: unknown = await import(`./${kind}/samples.ts`);
  return isObject(module) ? module : {};
}

function toSample(sample: unknown, kind: string): ResourceSample {
  const json = jsonOf(sample);
  const { fields = null, kindData = null, id = null } = isJsonObject(json) ? json : {};
  if (!isJsonObject(fields)) throw new Error(`test/core/kinds/${kind}/samples.ts returns a sample without fields`);
  return { fields, ...(isJsonObject(kindData) ? { kindData } : {}), ...(typeof id === 'string' ? { id } : {}) };
}

/** Turns a sample into a desired resource with this address. */
function desiredOf(sample: ResourceSample, address: string): DesiredResource {
  return { ...sample, address, displayName: address, declaredFields: sample.fields, matchKeys: [], mayMatchByBinding: false, path: [] };
}

/** Turns a sample into a live resource of its kind. */
export function liveOf(kind: Kind, { fields, id = 'live' }: ResourceSample): LiveResource {
  if (kind.type === 'setting') return { id: null, fields, unknownMembers: [] };
  return { id, remoteName: '', fields, isMatchableByRemoteName: false, configSection: '', unknownMembers: [] };
}

/** Returns the change that the planner makes for two samples, null for an absent one; undefined where they are equal. */
export function changeOf(kind: Kind, before: ResourceSample | null, after: ResourceSample | null): Change | undefined {
  const [address = ''] = addressPrefixes(kind);
  const live = before && liveOf(kind, before);
  const desired = after && desiredOf(after, address);
  const resources = desired ? [desired] : [];
  const match = { identityProblems: new Map<string, string>(), unclaimed: [], warnings: [] };
  if (kind.type === 'setting')
    return diffSetting(kind, resources, { ...match, liveByAddress: new Map(live ? [[address, live]] : []) }, 0)[0]?.change;
  const object = live && isLiveObject(live) ? live : null;
  const liveByAddress = new Map(object && desired ? [[address, object]] : []);
  const toDelete = object && !desired ? [{ live: object }] : [];
  return diffResources(kind, resources, { ...match, liveByAddress }, toDelete, 0)[0]?.change;
}
