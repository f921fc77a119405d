/** Policies on the service (drm-api-v3 sections 2.1 and 4.1 to 4.4). */
import { isObject } from '../../model/json.ts';
import { asList, asText } from '../../model/read.ts';
import { malformed } from '../../service/errors.ts';
import {
  type Desired,
  type Live,
  type Observation,
  type Planned,
  type Request,
  type Service,
  ServiceError,
  type Settled,
  type Write,
} from '../kind.ts';
import { canonical } from './canonical.ts';
import { percentEncoded, SECTION } from './spec.ts';

const LIST: Request = { method: 'GET', path: '/api/v3/drm/policies', repeatable: true };

/** All policies of the account. @throws ServiceError where the list is not complete and readable */
export async function read(service: Service): Promise<Observation> {
  const { body } = await service.send(LIST);
  const configs = configsOf(LIST, body);
  const objects = configs.map((config, index) => liveOf(LIST, config, index));
  const ids = new Set(objects.map((object) => object.id));
  if (ids.size < objects.length) throw malformed(LIST, 'it lists one policy ID twice');
  const owner = ownerOf(body, configs);
  return { objects, notes: [], ...(owner === undefined ? {} : { owner }) };
}

/** One policy. How the service answers for an unknown ID is not documented, so the list has the last word. */
export async function get(service: Service, id: string): Promise<Live | null> {
  const request: Request = { method: 'GET', path: policyPath(id), repeatable: true };
  const shown = await configsIfAny(service, request);
  const found = shown.map((config, index) => liveOf(request, config, index)).find((live) => live.id === id);
  return found ?? (await read(service)).objects.find((live) => live.id === id) ?? null;
}

/** The policies that have the resource's name. */
export async function find(service: Service, desired: Desired): Promise<readonly Live[]> {
  const { objects } = await read(service);
  return objects.filter((live) => live.label === desired.label);
}

/** The one request of a change: a policy is sent with all that is declared, since what is left out is reset (drm-api-v3 section 4.1). */
export function writes({ desired, live }: Planned): readonly Write[] {
  if (!desired) return live ? [{ method: 'DELETE', path: policyPath(live.id), repeatable: false }] : [];
  const identity = { ...(live ? { _id: live.id } : {}), policy_name: desired.name };
  const path = '/api/v3/drm/policies/create-or-update';
  return [{ method: 'POST', path, body: { ...identity, ...desired.declared }, repeatable: live !== null }];
}

/** Every answer shows the policies; that to a create tells the new one's ID. */
export function settle({ desired, live }: Planned, write: Write, body: unknown): Settled {
  const configs = configsOf(write, body);
  if (live) return { state: 'done', id: live.id };
  const made = configs.filter(isObject).find((config) => config.policy_name === desired?.name);
  if (!made) return { state: 'failed', reason: 'the service answered the create without the new policy' };
  return { state: 'done', id: idOf(write, made, 'the new policy') };
}

function policyPath(id: string): string {
  return `/api/v3/drm/policy/${percentEncoded(id)}`;
}

async function configsIfAny(service: Service, request: Request): Promise<readonly unknown[]> {
  try {
    return configsOf(request, (await service.send(request)).body);
  } catch (error) {
    if (error instanceof ServiceError && (error.fault === 'refused' || error.fault === 'absent')) return [];
    throw error;
  }
}

function configsOf(request: Request, body: unknown): readonly unknown[] {
  const configs = isObject(body) ? asList(body.configs) : undefined;
  if (!configs) throw malformed(request, 'its configs is not a list');
  return configs;
}

function liveOf(request: Request, config: unknown, index: number): Live {
  const place = `configs/${index}`;
  if (!isObject(config)) throw malformed(request, `${place} is not an object`);
  const label = asText(config.policy_name);
  if (label === undefined) throw malformed(request, `${place}/policy_name is not a text`);
  const id = idOf(request, config, place);
  const settings = { fairplay: config.fairplay, widevine: config.widevine, playready: config.playready };
  const { fields, unknown } = canonical(settings, (what) => malformed(request, `${place}${what}`));
  return { id, label, fields: { policy_name: label, ...fields }, nameable: label !== '', section: SECTION, unknown };
}

/** An ID stands in a path, where `.` and `..` would mean another place. */
function idOf(request: Request, config: { readonly [member: string]: unknown }, place: string): string {
  const id = asText(config._id);
  if (id === undefined || ['', '.', '..'].includes(id)) throw malformed(request, `${place}/_id is not an ID`);
  return id;
}

/** The owner stands in each policy; policies of several owners tell none. */
function ownerOf(body: unknown, configs: readonly unknown[]): string | undefined {
  const owners = new Set([body, ...configs].flatMap((each) => (isObject(each) ? (asText(each.owner) ?? []) : [])));
  return owners.size === 1 ? [...owners][0] : undefined;
}
