/** Reads policies from the service and converts them to canonical form (drm-api-v3 sections 2.1, 4.3 and 4.4). */

import { malformed } from '../../api-client/errors.ts';
import { percentEncoded } from '../../model/address.ts';
import { isObject } from '../../model/json.ts';
import { asList, asString } from '../../model/json-readers.ts';
import {
  ApiError,
  type ApiRequest,
  type ApiService,
  type DesiredResource,
  type LiveObject,
  type ReadResult,
  type UndocumentedValue,
} from '../kind.ts';
import { SECTION } from './declare.ts';
import { canonical } from './model.ts';

/** Path of the list of policies. */
export const POLICIES = '/api/v3/drm/policies';
/** Path of creates and updates. */
export const CREATE_OR_UPDATE = `${POLICIES}/create-or-update`;
/** Path of one policy, without its ID. */
export const POLICY = '/api/v3/drm/policy';

const LIST: ApiRequest = { method: 'GET', path: POLICIES, repeatable: true, isList: true };

/** Reads all policies of the account. @throws ApiError where the list is not complete and readable */
export async function read(service: ApiService): Promise<ReadResult<LiveObject>> {
  const { body } = await service.send(LIST);
  const configs = configsOf(LIST, body);
  const objects = configs.map((config, index) => liveOf(LIST, config, index));
  const ids = new Set(objects.map((object) => object.id));
  if (ids.size < objects.length) throw malformed(LIST, 'it lists one policy ID twice');
  const owner = ownerOf(body, configs);
  return { objects, warnings: [], ...(owner === undefined ? {} : { owner }) };
}

/**
 * Reads one policy by its ID; null where it does not exist. The response for an unknown ID is not documented, so the list decides. `address`
 * is that of its resource, for logs.
 */
export async function get(service: ApiService, id: string, address?: string): Promise<LiveObject | null> {
  const request: ApiRequest = { method: 'GET', path: pathOf(id), repeatable: true };
  const configs = await configsOrNone(service, request, address === undefined ? [] : [address]);
  const found = configs.map((config, index) => liveOf(request, config, index)).find((live) => live.id === id);
  return found ?? (await read(service)).objects.find((live) => live.id === id) ?? null;
}

/** Searches for policies with the resource's name. The API has no filter by name, so the list is read again. @throws ApiError */
export async function find(service: ApiService, desired: DesiredResource): Promise<readonly LiveObject[]> {
  const { objects } = await readShared(service);
  return objects.filter((live) => live.remoteName === desired.remoteName);
}

/** Reads of the list that started in the current microtask. */
const pendingReads = new WeakMap<ApiService, Promise<ReadResult<LiveObject>>>();

/** Reads the list once for all callers of the same microtask, so that many searches cost one request. Never returns an older list. */
function readShared(service: ApiService): Promise<ReadResult<LiveObject>> {
  const pendingRead = pendingReads.get(service) ?? read(service);
  pendingReads.set(service, pendingRead);
  queueMicrotask(() => pendingReads.delete(service));
  return pendingRead;
}

/** Returns the path of one policy, with its ID percent-encoded. */
export function pathOf(id: string): string {
  return `${POLICY}/${percentEncoded(id)}`;
}

async function configsOrNone(service: ApiService, request: ApiRequest, addresses: readonly string[]): Promise<readonly unknown[]> {
  try {
    return configsOf(request, (await service.send(request, addresses)).body);
  } catch (error) {
    if (error instanceof ApiError && (error.category === 'rejected' || error.category === 'not-found')) return [];
    throw error;
  }
}

/** Returns the policies of a response, not yet validated. @throws ApiError (`malformed`) */
export function configsOf(request: ApiRequest, body: unknown): readonly unknown[] {
  const configs = isObject(body) ? asList(body.configs) : undefined;
  if (!configs) throw malformed(request, 'its configs is not a list');
  return configs;
}

/** The setting that a response may omit: the document lists it only in the response to an update (drm-api-v3 section 2.4). */
export const LICENSE_BEGIN = '/playready/license_begin_seconds';

/**
 * Reads the policy at `index` of a response. Absent settings get their defaults. Where a setting has another type than documented, an
 * update of the policy would be a guess, so it is blocked as by an unknown member.
 * @throws ApiError (`malformed`) where it has no ID, or no name by which to tell whose it is
 */
export function liveOf(request: ApiRequest, config: unknown, index: number): LiveObject {
  const position = `configs/${index}`;
  if (!isObject(config)) throw malformed(request, `${position} is not an object`);
  const name = asString(config.policy_name);
  if (name === undefined) throw malformed(request, `${position}/policy_name is not a text`);
  const id = idOf(request, config, position);
  const showsBegin = isObject(config.playready) && (config.playready.license_begin_seconds ?? null) !== null;
  const { fields, unknown, wrongType } = canonical(settingsOf(config));
  return {
    id,
    remoteName: name,
    fields: { policy_name: name, ...fields },
    isMatchableByRemoteName: name !== '',
    configSection: SECTION,
    unknownMembers: [...wrongType, ...unknown],
    ...(showsBegin ? {} : { maybeMissingInRead: [LICENSE_BEGIN] }),
  };
}

/** Returns the members of a policy that no document names and that an update would reset. */
export function unknownMembersOf(config: { readonly [member: string]: unknown }): readonly UndocumentedValue[] {
  return canonical(settingsOf(config)).unknown;
}

function settingsOf(config: { readonly [member: string]: unknown }): { readonly [member: string]: unknown } {
  return { ...dictionariesOf(config), fairplay: config.fairplay, widevine: config.widevine, playready: config.playready };
}

/**
 * Returns the members that are dictionaries. One that the documents do not define may hold the settings of another DRM system, which an
 * update would reset; the other unknown members are those that the service sets itself (drm-api-v3 sections 2.1 and 4.1).
 */
function dictionariesOf(config: { readonly [member: string]: unknown }): { readonly [member: string]: unknown } {
  return Object.fromEntries(Object.entries(config).filter(([name, value]) => !name.startsWith('@') && isObject(value)));
}

/** Returns the ID of a policy. It becomes a path segment, so `.` and `..` are not accepted. @throws ApiError (`malformed`) */
function idOf(request: ApiRequest, config: { readonly [member: string]: unknown }, position: string): string {
  const id = asString(config._id);
  if (id === undefined || ['', '.', '..'].includes(id)) throw malformed(request, `${position}/_id is not an ID`);
  return id;
}

/** Returns the owner, which each policy contains; undefined where policies have different owners. */
function ownerOf(body: unknown, configs: readonly unknown[]): string | undefined {
  const owners = new Set([body, ...configs].flatMap((each) => (isObject(each) ? (asString(each.owner) ?? []) : [])));
  return owners.size === 1 ? [...owners][0] : undefined;
}
