/**
 * DRM policies as the service keeps them: drm-api-v3 sections 2.1 to 2.5 and 4.1 to 4.4.
 * Seed: a list of configurations, each of which may leave out everything but `policy_name`; what it holds is not checked
 * against the tables, so that an account can be as awkward as a real one. Stored: collection `policies`, whole configurations by `_id`.
 */
import type { Fields } from '../../model/json.ts';
import { isFields, isObject } from '../../model/json.ts';
import { asInteger, asText } from '../../model/read.ts';
import type { Call, Emulation, Reply } from '../emulation.ts';
import { arranged } from '../emulation.ts';
import { abridged, complete, part, policy, readSettings, refuse } from './emulated-tables.ts';

/** The rules of sections 2.2 and 2.3 that bind one setting to another. */
function checkTogether(settings: Fields): void {
  const fair = part(settings.fairplay);
  for (const name of ['lease_duration_seconds', 'playback_duration_seconds']) {
    if (Number(fair[name] ?? 0) > 0 && fair.persistence !== true) refuse(`fairplay.${name} requires persistence`);
  }
  const given = part(settings.widevine).policy_overrides;
  if (given !== undefined && part(given).can_play === undefined) refuse('policy_overrides requires can_play');
}

function policies(account: Pick<Call, 'collection'>): ReturnType<Call['collection']> {
  return account.collection('policies');
}

function answer(call: Call, configs: readonly Fields[]): Reply {
  const shown = configs.map((config) => (call.manners.abridgedPolicies ? abridged(policy, config) : config));
  return { status: 200, body: { configs: arranged(shown, call) } };
}

function answerAll(call: Call): Reply {
  return answer(
    call,
    Array.from(policies(call).entries(), ([, config]) => config),
  );
}

function find(call: Call, id: string): Fields {
  return policies(call).get(id) ?? refuse(`no policy has the ID ${id}`);
}

function named(call: Call, name: string): Fields | undefined {
  for (const [, config] of policies(call).entries()) if (config.policy_name === name) return config;
  return undefined;
}

/** Section 4.1: `_id` or an equal name identifies, and what is not sent goes back to its default. */
function createOrUpdate(call: Call): Reply {
  if (!isObject(call.body)) return refuse('item must be a dictionary');
  const name = asText(call.body.policy_name) || refuse('policy_name is required');
  const keeper = named(call, name);
  const current = call.body._id === undefined ? keeper : find(call, asText(call.body._id) ?? '');
  if (keeper !== undefined && keeper._id !== current?._id) refuse(`another policy is named ${name}`);
  const settings = readSettings(policy, call.body, 'item');
  checkTogether(settings);
  save(call, current ?? {}, { policy_name: name, ...complete(policy, settings) });
  return answerAll(call);
}

/** Stores a policy under the service's own members. */
function save(account: Pick<Call, 'collection' | 'newId' | 'now' | 'owner'>, current: Fields, settings: Fields): void {
  const id = asText(current._id) ?? account.newId();
  const own = { created: asInteger(current.created) ?? account.now, lastmod: account.now, lmsig: '', owner: account.owner };
  policies(account).put(id, { _id: id, ...own, ...settings });
}

function remove(call: Call): Reply {
  const id = call.params.id ?? '';
  find(call, id);
  policies(call).delete(id);
  return answerAll(call);
}

/** The four endpoints of sections 4.1 to 4.4. */
export const emulation: Emulation = {
  name: 'drm-policy',
  routes: [
    { method: 'POST', path: '/api/v3/drm/policies/create-or-update', dialect: 'v3', handle: createOrUpdate },
    { method: 'GET', path: '/api/v3/drm/policies', dialect: 'v3', handle: answerAll },
    { method: 'GET', path: '/api/v3/drm/policy/:id', dialect: 'v3', handle: (call) => answer(call, [find(call, call.params.id ?? '')]) },
    { method: 'DELETE', path: '/api/v3/drm/policy/:id', dialect: 'v3', handle: remove },
  ],
  seed(value, account) {
    if (!Array.isArray(value)) throw new Error('must be a list of policy configurations');
    for (const [index, config] of value.entries()) {
      if (!isFields(config) || !asText(config.policy_name)) throw new Error(`[${index}] needs a policy_name`);
      if (policies(account).get(asText(config._id) ?? '') !== undefined) throw new Error(`[${index}]._id occurs twice`);
      save(account, config, complete(policy, config));
    }
  },
  dump(account) {
    return Array.from(policies(account).entries(), ([, config]) => config);
  },
};
