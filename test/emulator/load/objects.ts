/** What the clients write: every member of a thing says of which version it is, so that what is half written cannot look whole. */
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../src/model/json.ts';
import { asList, asString } from '../../../src/model/json-readers.ts';
import { type Call, signed } from './wire.ts';

/** One thing of one client. Versions count from 1; 0 is absent. */
export interface Thing {
  readonly key: string;
  readonly sort: 'playlist' | 'group' | 'policy';
  id: string;
  version: number;
  /** The version of a write whose answer was lost. */
  doubtful: number | null;
}

/** What was found of each thing, by key. */
export type AccountRead = ReadonlyMap<string, { readonly version: number; readonly id: string }>;

export const PLAYLISTS = '/api/v4/linear-playlist';
const POLICIES = '/api/v3/drm/policies';
const GROUP = 5;

/** A playlist all of whose members tell its version. */
function playlistAt(key: string, version: number) {
  const playlist = Array.from({ length: 1 + (version % 30) }, (_, index) => ({ beam: { id: `${key}-${version}-${index}` } }));
  return { desc: `${key} ${version}`, repeat: version, beam_break_duration: version, playlist };
}

function policyAt(key: string, version: number) {
  const fairplay = { persistence: true, lease_duration_seconds: version, playback_duration_seconds: version };
  return { policy_name: key, fairplay, playready: { license_begin_seconds: version } };
}

/** Whether every member of the expectation stands in what was found, at any depth. */
function holds(found: unknown, expected: unknown): boolean {
  if (!isObject(expected)) return isDeepStrictEqual(found, expected);
  return isObject(found) && Object.entries(expected).every(([name, value]) => holds(found[name], value));
}

/** Where nothing whole was found. */
export const TORN = -1;

function versionOf(found: unknown, version: unknown, at: (version: number) => object): number {
  return typeof version === 'number' && holds(found, at(version)) ? version : TORN;
}

/** The version of a playlist, where it is whole. */
export function playlistVersion(key: string, found: { readonly [member: string]: unknown }): number {
  return versionOf(found, found.repeat, (version) => playlistAt(key, version));
}

/** Reads the whole account through both list calls. */
export async function readAccount(url: string): Promise<AccountRead> {
  const account = new Map<string, { version: number; id: string }>();
  const listed = async (path: string, member: string) => {
    const { body } = await signed('GET', path)(url);
    return (asList(isObject(body) ? body[member] : undefined) ?? []).filter(isObject);
  };
  for (const found of await listed(PLAYLISTS, 'items')) {
    const [key = '', version = ''] = (asString(found.desc) ?? '').split(' ');
    const id = asString(found.id) ?? '';
    if (version !== '') account.set(key, { version: account.has(key) ? TORN : playlistVersion(key, found), id });
    else account.set(key, { version: (account.get(key)?.version ?? 0) + memberOfGroup(key, found), id });
  }
  for (const [key, { version, id }] of account) {
    if (key.includes('group')) account.set(key, { version: version === GROUP ? 1 : TORN, id });
  }
  for (const found of await listed(POLICIES, 'configs')) {
    const key = asString(found.policy_name) ?? '';
    const told = isObject(found.playready) ? found.playready.license_begin_seconds : undefined;
    account.set(key, { version: versionOf(found, told, (version) => policyAt(key, version)), id: asString(found._id) ?? '' });
  }
  return account;
}

/** 1 for a whole member of a group; so much that no sum is right for another. */
function memberOfGroup(key: string, found: { readonly [member: string]: unknown }): number {
  const id = asString(found.id) ?? '';
  return id.startsWith(`${key}.`) && holds(found, { repeat: 7, playlist: [{ beam: { id } }] }) ? 1 : 100;
}

/** The write that brings a thing to a version: 0 deletes it. */
export function writing({ key, sort, id, version }: Thing, next: number): Call {
  if (sort === 'policy') return signed('POST', `${POLICIES}/create-or-update`, policyAt(key, next));
  if (sort === 'group') {
    const assets = Array.from({ length: GROUP }, (_, index) => `${key}.${index}`);
    return signed('POST', '/api/v4/smart-start', { assets, desc: key, repeat: 7 });
  }
  if (version === 0) return signed('POST', PLAYLISTS, playlistAt(key, next));
  return next === 0 ? signed('DELETE', `${PLAYLISTS}/${id}`) : signed('PATCH', `${PLAYLISTS}/${id}`, playlistAt(key, next));
}
