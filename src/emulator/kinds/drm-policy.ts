/**
 * DRM policies as the service keeps them: drm-api-v3 sections 2.1 to 2.5 and 4.1 to 4.4.
 * Seed: a list of configurations, each of which may leave out everything but `policy_name`; what it holds is not checked
 * against the tables, so that an account can be as awkward as a real one. Stored: collection `policies`, whole configurations by `_id`.
 */
import type { JsonObject } from '../../model/json.ts';
import { isJsonObject, isObject } from '../../model/json.ts';
import { asInteger, asString } from '../../model/json-readers.ts';
import type { EmulatedKind, EmulatedRequest, EmulatedResponse } from '../contract.ts';
import { applyListOrder } from '../contract.ts';
import { abridged, complete, part, policy, readSettings, refuse } from './drm-policy-schema.ts';

/** The rules of drm-api-v3 sections 2.2 and 2.3 that bind one setting to another. */
function checkTogether(settings: JsonObject): void {
  const fair = part(settings.fairplay);
  for (const name of ['lease_duration_seconds', 'playback_duration_seconds']) {
    if (Number(fair[name] ?? 0) > 0 && fair.persistence !== true) refuse(`fairplay.${name} requires persistence`);
  }
  const given = part(settings.widevine).policy_overrides;
  if (given !== undefined && part(given).can_play === undefined) refuse('policy_overrides requires can_play');
}

function policies(account: Pick<EmulatedRequest, 'collection'>): ReturnType<EmulatedRequest['collection']> {
  return account.collection('policies');
}

function answer(request: EmulatedRequest, configs: readonly JsonObject[]): EmulatedResponse {
  const shown = configs.map((config) => (request.quirks.abridgedPolicies ? abridged(policy, config) : config));
  return { status: 200, body: { configs: applyListOrder(shown, request) } };
}

function answerAll(request: EmulatedRequest): EmulatedResponse {
  return answer(
    request,
    Array.from(policies(request).entries(), ([, config]) => config),
  );
}

function find(request: EmulatedRequest, id: string): JsonObject {
  return policies(request).get(id) ?? refuse(`no policy has the ID ${id}`);
}

function named(request: EmulatedRequest, name: string): JsonObject | undefined {
  for (const [, config] of policies(request).entries()) if (config.policy_name === name) return config;
  return undefined;
}

/** drm-api-v3 section 4.1: `_id` or an equal name identifies, and what is not sent goes back to its default. */
function createOrUpdate(request: EmulatedRequest): EmulatedResponse {
  if (!isObject(request.body)) return refuse('item must be a dictionary');
  const name = asString(request.body.policy_name) || refuse('policy_name is required');
  const keeper = named(request, name);
  const current = request.body._id === undefined ? keeper : find(request, asString(request.body._id) ?? '');
  if (keeper !== undefined && keeper._id !== current?._id) refuse(`another policy is named ${name}`);
  const settings = readSettings(policy, request.body, 'item');
  checkTogether(settings);
  save(request, current ?? {}, { policy_name: name, ...complete(policy, settings) });
  return answerAll(request);
}

/** Stores a policy under the service's own members. */
function save(account: Pick<EmulatedRequest, 'collection' | 'newId' | 'now' | 'owner'>, current: JsonObject, settings: JsonObject): void {
  const id = asString(current._id) ?? account.newId();
  const own = { created: asInteger(current.created) ?? account.now, lastmod: account.now, lmsig: '', owner: account.owner };
  policies(account).put(id, { _id: id, ...own, ...settings });
}

function remove(request: EmulatedRequest): EmulatedResponse {
  const id = request.params.id ?? '';
  find(request, id);
  policies(request).delete(id);
  return answerAll(request);
}

/** The four endpoints of drm-api-v3 sections 4.1 to 4.4. */
export const emulation: EmulatedKind = {
  name: 'drm-policy',
  routes: [
    { method: 'POST', path: '/api/v3/drm/policies/create-or-update', apiVersion: 'v3', handle: createOrUpdate },
    { method: 'GET', path: '/api/v3/drm/policies', apiVersion: 'v3', handle: answerAll },
    {
      method: 'GET',
      path: '/api/v3/drm/policy/:id',
      apiVersion: 'v3',
      handle: (request) => answer(request, [find(request, request.params.id ?? '')]),
    },
    { method: 'DELETE', path: '/api/v3/drm/policy/:id', apiVersion: 'v3', handle: remove },
  ],
  seed(value, account) {
    if (!Array.isArray(value)) throw new Error('must be a list of policy configurations');
    for (const [index, config] of value.entries()) {
      if (!isJsonObject(config) || !asString(config.policy_name)) throw new Error(`[${index}] needs a policy_name`);
      if (policies(account).get(asString(config._id) ?? '') !== undefined) throw new Error(`[${index}]._id occurs twice`);
      save(account, config, complete(policy, config));
    }
  },
  dump(account) {
    return Array.from(policies(account).entries(), ([, config]) => config);
  },
};
