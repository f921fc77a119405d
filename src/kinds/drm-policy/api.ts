/** What the service says: policies read, looked up, and brought into canonical form (drm-api-v3 sections 2.1, 4.3 and 4.4). */

import { malformed } from '../../api-client/errors.ts';
import { isObject } from '../../model/json.ts';
import { asList, asString } from '../../model/json-readers.ts';
import { ApiError, type ApiRequest, type ApiService, type DesiredResource, type LiveResource, type ReadResult } from '../kind.ts';
import { percentEncoded, SECTION } from './declare.ts';
import { canonical } from './model.ts';

const LIST: ApiRequest = { method: 'GET', path: '/api/v3/drm/policies', repeatable: true };

/** All policies of the account. @throws ServiceError where the list is not complete and readable */
export async function read(service: ApiService): Promise<ReadResult> {
  const { body } = await service.send(LIST);
  const configs = configsOf(LIST, body);
  const objects = configs.map((config, index) => liveOf(LIST, config, index));
  const ids = new Set(objects.map((object) => object.id));
  if (ids.size < objects.length) throw malformed(LIST, 'it lists one policy ID twice');
  const owner = ownerOf(body, configs);
  return { objects, notes: [], ...(owner === undefined ? {} : { owner }) };
}

/** One policy. How the service answers for an unknown ID is not documented, so the list has the last word. */
export async function get(service: ApiService, id: string): Promise<LiveResource | null> {
  const request: ApiRequest = { method: 'GET', path: pathOf(id), repeatable: true };
  const shown = await configsIfAny(service, request);
  const found = shown.map((config, index) => liveOf(request, config, index)).find((live) => live.id === id);
  return found ?? (await read(service)).objects.find((live) => live.id === id) ?? null;
}

/** The policies that have the resource's name. Nothing filters by name, so the list is read once more. @throws ServiceError */
export async function find(service: ApiService, desired: DesiredResource): Promise<readonly LiveResource[]> {
  const { objects } = await readShared(service);
  return objects.filter((live) => live.label === desired.label);
}

/** The readings that begin at this moment. */
const readings = new WeakMap<ApiService, Promise<ReadResult>>();

/** One reading for all that ask at one moment, so that looking for many policies costs no more than looking for one; never an older one. */
function readShared(service: ApiService): Promise<ReadResult> {
  const reading = readings.get(service) ?? read(service);
  readings.set(service, reading);
  queueMicrotask(() => readings.delete(service));
  return reading;
}

/** Path of one policy; its ID is percent-encoded. */
export function pathOf(id: string): string {
  return `/api/v3/drm/policy/${percentEncoded(id)}`;
}

async function configsIfAny(service: ApiService, request: ApiRequest): Promise<readonly unknown[]> {
  try {
    return configsOf(request, (await service.send(request)).body);
  } catch (error) {
    if (error instanceof ApiError && (error.kind === 'rejected' || error.kind === 'not-found')) return [];
    throw error;
  }
}

/** The policies of an answer. @throws ServiceError (`malformed`) */
export function configsOf(request: ApiRequest, body: unknown): readonly unknown[] {
  const configs = isObject(body) ? asList(body.configs) : undefined;
  if (!configs) throw malformed(request, 'its configs is not a list');
  return configs;
}

/** Reads one policy of an answer, the `index`th; settings that are not there stand at their defaults. @throws ServiceError (`malformed`) */
export function liveOf(request: ApiRequest, config: unknown, index: number): LiveResource {
  const place = `configs/${index}`;
  if (!isObject(config)) throw malformed(request, `${place} is not an object`);
  const label = asString(config.policy_name);
  if (label === undefined) throw malformed(request, `${place}/policy_name is not a text`);
  const id = idOf(request, config, place);
  const settings = { fairplay: config.fairplay, widevine: config.widevine, playready: config.playready };
  const { fields, unknown } = canonical(settings, (what) => malformed(request, `${place}${what}`));
  return { id, label, fields: { policy_name: label, ...fields }, matchableByName: label !== '', configSection: SECTION, unknown };
}

/** An ID stands in a path, where `.` and `..` would mean another place. */
function idOf(request: ApiRequest, config: { readonly [member: string]: unknown }, place: string): string {
  const id = asString(config._id);
  if (id === undefined || ['', '.', '..'].includes(id)) throw malformed(request, `${place}/_id is not an ID`);
  return id;
}

/** The owner stands in each policy; policies of several owners tell none. */
function ownerOf(body: unknown, configs: readonly unknown[]): string | undefined {
  const owners = new Set([body, ...configs].flatMap((each) => (isObject(each) ? (asString(each.owner) ?? []) : [])));
  return owners.size === 1 ? [...owners][0] : undefined;
}
