/**
 * Small kinds that use the whole contract: a song is like a playlist (bulk creates, names) and a single like a smart start, a rule is like a
 * policy (unique names), and the dial is a setting with two requests.
 */
import type {
  CollectionKind,
  Kind,
  LiveObject,
  ResourceChange,
  RiskInput,
  SettingKind,
  WriteRequest,
  WriteResult,
} from '../../src/core/kinds/kind.ts';
import { ApiError, assess, NEUTRAL, PHASE_OF_EFFECT, strengthens, weakens } from '../../src/core/kinds/kind.ts';
import type { FieldDifference, RiskAssessment } from '../../src/core/model/change.ts';
import { equal, isJsonObject, isObject, type Json, type JsonObject } from '../../src/core/model/json.ts';
import { asList, asString, asStringArray } from '../../src/core/model/json-readers.ts';
import { faultError, jsonOf } from './fake-account.ts';

/** The defaults of a song. */
export const SONG: JsonObject = { title: '', level: 0, list: [] };
const RULE: JsonObject = { name: '', strength: 1 };
const DIAL: JsonObject = { list: [], open: false };

/** Songs are matched by title; a song of a single asset is created in bulk, with the asset's ID. */
export const song: CollectionKind = {
  type: 'collection',
  name: 'song',
  applyOrder: 5,
  remoteNameField: 'title',
  contentFields: ['list'],
  hasUniqueRemoteNames: false,
  findingCodes: {},
  hasPartialUpdates: true,
  sections: [
    { key: 'songs', addressPrefix: 'song/' },
    { key: 'singles', addressPrefix: 'single/' },
    { key: 'shelf', addressPrefix: null },
  ],
  schema: { properties: {} },
  spotChecksPerPlan: 20,
  idAddress: ({ id }) => `song/~${id}`,
  declare: () => ({ resources: [], findings: [] }),
  defaults: () => SONG,
  whyNotBindable: (desired, live) => (isSingle(live) && soleOf(desired.fields) !== live.id ? `${live.id} keeps its one asset` : undefined),
  assessRisk: eachField(assessLevel),
  phase: (action, effect) => (action === 'create' ? 'update' : action === 'delete' ? 'delete' : PHASE_OF_EFFECT[effect]),
  requests({ desired, live }, options) {
    if (!desired) return live ? [{ method: 'DELETE', path: `/songs/${live.id}`, repeatable: false }] : [];
    if (live) return [{ method: 'PATCH', path: `/songs/${live.id}`, body: differing(desired.fields, live.fields), repeatable: true }];
    const asset = soleOf(desired.fields);
    if (asset === undefined) return [{ method: 'POST', path: '/songs', body: desired.fields, repeatable: false }];
    const { list: _list, ...body } = desired.fields;
    const bulk = { member: 'assets', item: asset, limit: options.bulkLimit };
    return [{ method: 'POST', path: '/bulk', body: { ...body, assets: [asset] }, bulk, repeatable: false }];
  },
  parseWriteResponse: ({ desired, live }, write, body) => {
    if (live) return { state: 'done', ...(write.method === 'PATCH' && live.id !== null ? { id: live.id } : {}) };
    const asset = write.path === '/bulk' && desired ? soleOf(desired.fields) : undefined;
    return asset === undefined ? { state: 'done', id: textOf(body, 'id') } : readBulkResponse(asset, body);
  },
  read: async (service) => ({ objects: itemsOf((await service.send(get('/songs'))).body).map(liveSong), warnings: [] }),
  get: (service, id) => orNull(async () => liveSong((await service.send(get(`/songs/${id}`))).body)),
  async find(service, { remoteName = '', fields }) {
    const asset = soleOf(fields);
    const own = asset === undefined ? null : await orNull(async () => liveSong((await service.send(get(`/songs/${asset}`))).body));
    if (remoteName === '') return own ? [own] : [];
    const { body } = await service.send({ ...get('/songs'), query: { title: remoteName } });
    return [...(own ? [own] : []), ...itemsOf(body).map(liveSong)];
  },
  toConfig: () => ({ entries: [], notDeclarable: [] }),
};

/** Rules are updated whole, and their names are unique. */
export const rule: CollectionKind = {
  ...song,
  name: 'rule',
  applyOrder: 1,
  remoteNameField: 'name',
  contentFields: ['strength'],
  hasUniqueRemoteNames: true,
  hasPartialUpdates: false,
  sections: [{ key: 'rules', addressPrefix: 'rule/' }],
  spotChecksPerPlan: 0,
  idAddress: ({ id }) => `rule/~${id}`,
  defaults: () => RULE,
  whyNotBindable: () => undefined,
  assessRisk: eachField(() => NEUTRAL),
  // Whatever their effect, so that one kind has changes in three phases.
  phase: (action) => (({ create: 'strengthen', update: 'weaken', delete: 'delete-policies' }) as const)[action],
  requests({ desired, live }) {
    if (!desired) return live ? [{ method: 'DELETE', path: `/rules/${live.id}`, repeatable: false }] : [];
    if (live) return [{ method: 'PATCH', path: `/rules/${live.id}`, body: desired.fields, repeatable: true }];
    return [{ method: 'POST', path: '/rules', body: desired.fields, repeatable: false }];
  },
  parseWriteResponse: ({ live }, _write, body) => ({ state: 'done', id: live?.id ?? textOf(body, 'id') }),
  read: async (service) => ({ objects: itemsOf((await service.send(get('/rules'))).body).map(liveRule), warnings: [] }),
  get: (service, id) => orNull(async () => liveRule((await service.send(get(`/rules/${id}`))).body)),
  find: async (service, { remoteName = '' }) =>
    itemsOf((await service.send({ ...get('/rules'), query: { name: remoteName } })).body).map(liveRule),
};

/** The dial, a setting: its list is written before it is opened or closed. */
export const dial: SettingKind = {
  type: 'setting',
  name: 'dial',
  applyOrder: 3,
  findingCodes: {},
  sections: [{ key: 'dial', addressPrefix: 'dial' }],
  schema: { properties: {} },
  idAddress: () => 'dial',
  declare: () => ({ resources: [], findings: [] }),
  defaults: () => DIAL,
  assessRisk: eachField((field) => (field.path === '/list' ? NEUTRAL : assessOpen(field.after))),
  phase: (_action, effect) => PHASE_OF_EFFECT[effect],
  requests: ({ desired, live }) => ['list', 'open'].flatMap((member) => dialRequest(member, desired, live)),
  afterRequest: (fields, { body }) => ({ ...fields, ...(isJsonObject(body) ? body : {}) }),
  parseWriteResponse: () => ({ state: 'done' }),
  read: async (service) => {
    const { body } = await service.send(get('/dial'));
    const fields = { list: memberOf(body, 'list'), open: memberOf(body, 'open') };
    const warnings = memberOf(body, 'worn') === true ? [{ code: 'worn', summary: 'it is worn', address: 'dial' }] : [];
    return { objects: [{ id: null, fields, unknownMembers: [] }], warnings };
  },
  toConfig: () => ({ entries: [], notDeclarable: [] }),
};

/** All three, in no particular order. */
export const kinds: readonly Kind[] = [song, rule, dial];

/** Reads a song of a response. */
export function liveSong(item: unknown): LiveObject {
  const id = textOf(item, 'id');
  const remoteName = textOf(item, 'title');
  const fields = { title: remoteName, level: memberOf(item, 'level'), list: memberOf(item, 'list') };
  const plain: LiveObject = {
    id,
    remoteName,
    fields,
    isMatchableByRemoteName: remoteName !== '',
    configSection: 'songs',
    unknownMembers: [],
  };
  return isSingle(plain) ? { ...plain, isMatchableByRemoteName: false, configSection: 'singles' } : plain;
}

/** Reads a rule of a response; a member `odd` is an unknown member. */
export function liveRule(item: unknown): LiveObject {
  const remoteName = textOf(item, 'name');
  const odd = memberOf(item, 'odd');
  const unknown = odd === null ? [] : [{ path: '/odd', value: odd }];
  const fields = { name: remoteName, strength: memberOf(item, 'strength') };
  return {
    id: textOf(item, 'id'),
    remoteName,
    fields,
    isMatchableByRemoteName: remoteName !== '',
    configSection: 'rules',
    unknownMembers: unknown,
  };
}

function isSingle({ id, fields }: Pick<LiveObject, 'id' | 'fields'>): boolean {
  return soleOf(fields) === id;
}

/** Returns the asset of a song with a single asset. */
export function soleOf(fields: JsonObject): string | undefined {
  const list = asStringArray(fields.list);
  return list?.length === 1 ? list[0] : undefined;
}

function readBulkResponse(asset: string, body: unknown): WriteResult {
  const has = (member: string) => asList(memberOf(body, member))?.includes(asset) === true;
  if (has('errored')) return { state: 'failed', reason: `the service could not make ${asset}` };
  if (has('unclear')) throw faultError({ category: 'malformed', mayHaveWritten: 'maybe' });
  return has('there') ? { state: 'exists' } : { state: 'done', id: asset };
}

function differing(desired: JsonObject, live: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(desired).filter(([member, value]) => !equal(value, live[member])));
}

function dialRequest(member: string, desired: ResourceChange['desired'], live: ResourceChange['live']): readonly WriteRequest[] {
  const value = desired?.fields[member] ?? null;
  if (equal(value, live?.fields[member])) return [];
  return [{ method: 'POST', path: `/dial/${member}`, body: { [member]: value }, repeatable: true }];
}

/** Returns an `assessRisk` that assesses each field on its own. */
export function eachField(assessField: (field: FieldDifference, input: RiskInput) => RiskAssessment): Kind['assessRisk'] {
  return (input) => input.fields.map((field) => assessField(field, input));
}

function assessLevel({ path, before, after }: FieldDifference): RiskAssessment {
  if (path !== '/level') return NEUTRAL;
  const level = Number(after);
  return assess(level > Number(before) ? strengthens(`level rises to ${level}`) : weakens(`level falls to ${level}`));
}

function assessOpen(open: Json): RiskAssessment {
  return assess(open === true ? weakens('the dial opens') : strengthens('the dial closes'));
}

function get(path: string): { readonly method: 'GET'; readonly path: string; readonly repeatable: true } {
  return { method: 'GET', path, repeatable: true };
}

/** Returns null where the service has no such object. */
async function orNull(read: () => Promise<LiveObject>): Promise<LiveObject | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ApiError && error.category === 'not-found') return null;
    throw error;
  }
}

function itemsOf(body: unknown): readonly unknown[] {
  const items = isObject(body) ? asList(body.items) : undefined;
  if (!items) throw faultError({ category: 'malformed' });
  return items;
}

function textOf(item: unknown, member: string): string {
  const text = asString(memberOf(item, member));
  if (text === undefined) throw faultError({ category: 'malformed', mayHaveWritten: 'maybe' });
  return text;
}

function memberOf(item: unknown, member: string): Json {
  const json = jsonOf(item);
  return isJsonObject(json) ? (json[member] ?? null) : null;
}
