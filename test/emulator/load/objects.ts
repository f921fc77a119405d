/** The objects that the load clients write. Every member of an object contains its version, so that a partial write is detected. */
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../src/core/model/json.ts';
import { asList, asString } from '../../../src/core/model/json-readers.ts';
import { type SendSigned, signed } from './wire.ts';

/** One object of one client. Versions count from 1; 0 = it does not exist. */
export interface LoadObject {
  readonly key: string;
  readonly type: 'playlist' | 'group' | 'policy';
  id: string;
  version: number;
  /** The version of a write whose response was lost. */
  unconfirmed: number | null;
}

/** The version and ID of each object in the account, by key. */
export type AccountRead = ReadonlyMap<string, { readonly version: number; readonly id: string }>;

export const PLAYLISTS = '/api/v4/linear-playlist';
const POLICIES = '/api/v3/drm/policies';
const GROUP = 5;

/** Returns a playlist whose members all contain its version. */
function playlistAt(key: string, version: number) {
  const playlist = Array.from({ length: 1 + (version % 30) }, (_, index) => ({ beam: { id: `${key}-${version}-${index}` } }));
  return { desc: `${key} ${version}`, repeat: version, beam_break_duration: version, playlist };
}

function policyAt(key: string, version: number) {
  const fairplay = { persistence: true, lease_duration_seconds: version, playback_duration_seconds: version };
  return { policy_name: key, fairplay, playready: { license_begin_seconds: version } };
}

/** Decides whether an object contains every member of the expected one, at any depth. */
function contains(actual: unknown, expected: unknown): boolean {
  if (!isObject(expected)) return isDeepStrictEqual(actual, expected);
  return isObject(actual) && Object.entries(expected).every(([name, value]) => contains(actual[name], value));
}

/** The version of an object that is only partly written. */
export const INCOMPLETE = -1;

function versionOf(found: unknown, version: unknown, at: (version: number) => object): number {
  return typeof version === 'number' && contains(found, at(version)) ? version : INCOMPLETE;
}

/** Returns the version of a playlist, or INCOMPLETE. */
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
    if (version !== '') account.set(key, { version: account.has(key) ? INCOMPLETE : playlistVersion(key, found), id });
    else account.set(key, { version: (account.get(key)?.version ?? 0) + countGroupMember(key, found), id });
  }
  for (const [key, { version, id }] of account) {
    if (key.includes('group')) account.set(key, { version: version === GROUP ? 1 : INCOMPLETE, id });
  }
  for (const found of await listed(POLICIES, 'configs')) {
    const key = asString(found.policy_name) ?? '';
    const version = isObject(found.playready) ? found.playready.license_begin_seconds : undefined;
    account.set(key, { version: versionOf(found, version, (each) => policyAt(key, each)), id: asString(found._id) ?? '' });
  }
  return account;
}

/** Returns 1 for a complete member of a group; otherwise a number that makes the sum of the group wrong. */
function countGroupMember(key: string, found: { readonly [member: string]: unknown }): number {
  const id = asString(found.id) ?? '';
  return id.startsWith(`${key}.`) && contains(found, { repeat: 7, playlist: [{ beam: { id } }] }) ? 1 : 100;
}

/** Returns the request that writes a version of an object; version 0 deletes it. */
export function writeRequest({ key, type, id, version }: LoadObject, next: number): SendSigned {
  if (type === 'policy') return signed('POST', `${POLICIES}/create-or-update`, policyAt(key, next));
  if (type === 'group') {
    const assets = Array.from({ length: GROUP }, (_, index) => `${key}.${index}`);
    return signed('POST', '/api/v4/smart-start', { assets, desc: key, repeat: 7 });
  }
  if (version === 0) return signed('POST', PLAYLISTS, playlistAt(key, next));
  return next === 0 ? signed('DELETE', `${PLAYLISTS}/${id}`) : signed('PATCH', `${PLAYLISTS}/${id}`, playlistAt(key, next));
}
