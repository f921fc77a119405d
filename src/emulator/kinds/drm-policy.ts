/**
 * Emulates DRM policies: drm-api-v3 sections 2.1 to 2.5 and 4.1 to 4.4.
 * Seed: a list of configurations, in which everything but `policy_name` may be omitted. Values are not checked against the tables, so that
 * an account can contain values that are not documented, as real ones do. Stored: collection `policies`, whole configurations by `_id`.
 */
import type { JsonObject } from '../../core/model/json.ts';
import { isJsonObject, isObject } from '../../core/model/json.ts';
import { asInteger, asString } from '../../core/model/json-readers.ts';
import {
  badRequest,
  type Collection,
  type Collections,
  type EmulatedKind,
  type EmulatedRequest,
  type EmulatedResponse,
} from '../contract.ts';
import { applyListOrder, storedName } from '../quirks.ts';
import { abridge, dictionary, policyTable, readSettings, withDefaults } from './drm-policy-schema.ts';

/** Checks the settings that require another setting (drm-api-v3 sections 2.2 and 2.3). */
function checkDependencies(settings: JsonObject): void {
  const fairplay = dictionary(settings.fairplay);
  for (const name of ['lease_duration_seconds', 'playback_duration_seconds']) {
    if (Number(fairplay[name] ?? 0) > 0 && fairplay.persistence !== true) badRequest(`fairplay.${name} requires persistence`);
  }
  const overrides = dictionary(settings.widevine).policy_overrides;
  if (overrides !== undefined && dictionary(overrides).can_play === undefined) badRequest('policy_overrides requires can_play');
}

function policies(account: Collections): Collection {
  return account.collection('policies');
}

function configsResponse(request: EmulatedRequest, configs: readonly JsonObject[]): EmulatedResponse {
  const sent = configs.map((config) => (request.quirks.abridgedPolicies ? abridge(policyTable, config) : config));
  return { status: 200, body: { configs: applyListOrder(sent, request) } };
}

function allConfigs(request: EmulatedRequest): EmulatedResponse {
  return configsResponse(
    request,
    Array.from(policies(request).entries(), ([, config]) => config),
  );
}

function findById(request: EmulatedRequest, id: string): JsonObject {
  return policies(request).get(id) ?? badRequest(`no policy has the ID ${id}`);
}

function findByName(request: EmulatedRequest, name: string): JsonObject | undefined {
  for (const [, config] of policies(request).entries()) if (config.policy_name === name) return config;
  return undefined;
}

/**
 * Creates a policy, or updates the one with the same `_id` or name; settings that are not sent get their defaults (drm-api-v3 section 4.1).
 */
function createOrUpdate(request: EmulatedRequest): EmulatedResponse {
  if (!isObject(request.body)) return badRequest('item must be a dictionary');
  const sentName = asString(request.body.policy_name) || badRequest('policy_name is required');
  const name = storedName(sentName, request.quirks) || badRequest('policy_name is required');
  const [first] = policies(request).entries();
  const nameOwner = findByName(request, name);
  const current = request.body._id === undefined ? nameOwner : findById(request, asString(request.body._id) ?? '');
  if (nameOwner !== undefined && nameOwner._id !== current?._id) badRequest(`another policy is named ${name}`);
  const settings = readSettings(policyTable, request.body, 'item');
  checkDependencies(settings);
  const id = save(request, current ?? {}, { policy_name: name, ...withDefaults(policyTable, settings) });
  const existing = current === undefined && request.quirks.answeredIds === 'existing' ? first?.[0] : undefined;
  const answered = {
    ...(existing === undefined ? {} : { _id: existing }),
    ...(request.quirks.answeredNames === 'asSent' ? { policy_name: sentName } : {}),
  };
  return configsResponse(
    request,
    Array.from(policies(request).entries(), ([key, config]) => (key === id ? { ...config, ...answered } : config)),
  );
}

/** Stores a policy with the members that the service sets itself. Returns its ID. */
function save(account: Pick<EmulatedRequest, 'collection' | 'newId' | 'now' | 'owner'>, current: JsonObject, settings: JsonObject): string {
  const id = asString(current._id) ?? account.newId();
  const own = { created: asInteger(current.created) ?? account.now, lastmod: account.now, lmsig: '', owner: account.owner };
  policies(account).put(id, { _id: id, ...own, ...settings });
  return id;
}

function remove(request: EmulatedRequest): EmulatedResponse {
  const id = request.params.id ?? '';
  findById(request, id);
  policies(request).delete(id);
  return allConfigs(request);
}

/** The four endpoints of drm-api-v3 sections 4.1 to 4.4. */
export const emulatedDrmPolicy: EmulatedKind = {
  name: 'drm-policy',
  routes: [
    { method: 'POST', path: '/api/v3/drm/policies/create-or-update', apiVersion: 'v3', handle: createOrUpdate },
    { method: 'GET', path: '/api/v3/drm/policies', apiVersion: 'v3', handle: allConfigs },
    {
      method: 'GET',
      path: '/api/v3/drm/policy/:id',
      apiVersion: 'v3',
      handle: (request) => configsResponse(request, [findById(request, request.params.id ?? '')]),
    },
    { method: 'DELETE', path: '/api/v3/drm/policy/:id', apiVersion: 'v3', handle: remove },
  ],
  seed(value, account) {
    if (!Array.isArray(value)) throw new Error('must be a list of policy configurations');
    for (const [index, config] of value.entries()) {
      if (!isJsonObject(config) || !asString(config.policy_name)) throw new Error(`[${index}] needs a policy_name`);
      if (policies(account).get(asString(config._id) ?? '') !== undefined) throw new Error(`[${index}]._id occurs twice`);
      save(account, config, withDefaults(policyTable, config));
    }
  },
  dump(account) {
    return Array.from(policies(account).entries(), ([, config]) => config);
  },
};
