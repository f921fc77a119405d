/** Checks after a cell's runs: the account, the writes that took effect, the number of bytes received. */

import { equal, isJsonObject, isObject, type Json, type JsonObject } from '../../../src/core/model/json.ts';
import type { Emulator } from '../../../src/emulator/server.ts';
import type { State } from './expected-result.ts';
import type { Scene } from './uses.ts';

/** The account of an owner in the form of a seed. */
export function accountOf(emulator: Emulator, owner: string): JsonObject {
  const dump = emulator.dump();
  const account = isJsonObject(dump) ? dump[owner] : undefined;
  return isJsonObject(account) ? account : {};
}

/** The state of a target: `neither` is always a violation. */
export type FoundState = State | 'neither';

export function statesOf({ targets }: Scene, account: JsonObject): readonly FoundState[] {
  return targets.map(({ before, desired, read: look }) => {
    const found = look(account);
    return equal(found, desired) ? 'desired' : equal(found, before) ? 'before' : 'neither';
  });
}

/** Returns the account without the resources that the scene changes. */
export function undeclaredPart({ managed: touches }: Scene, account: JsonObject): JsonObject {
  const isManaged = (each: Json) =>
    isJsonObject(each) && [each.id, each.desc, each.policy_name].some((name) => touches.includes(String(name)));
  const kinds = Object.entries(account).filter(([kind]) => !touches.includes(kind));
  return Object.fromEntries(
    kinds.map(([kind, value]) => [kind, Array.isArray(value) ? value.filter((each: Json) => !isManaged(each)) : value]),
  );
}

/** Returns the resources for which more writes took effect than allowed. */
export function repeatedWrites(emulator: Emulator, most: number): readonly string[] {
  const counts = new Map<string, number>();
  for (const { method, path, body, changes } of emulator.requests()) {
    if (changes === 0) continue;
    const members = isObject(body) ? body : {};
    const resource =
      `${method} ${path} ${[members.policy_name, members.assets, method === 'POST' ? members.desc : undefined].flat().join(' ')}`.trim();
    counts.set(resource, (counts.get(resource) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > most).map(([resource, count]) => `${resource} took effect ${count} times, not ${most}`);
}

/** Most requests of one apply: a create that never gets an answer is looked up again and again, with growing pauses. */
const MAX_REQUESTS = 100;

/** Most writes that one refusal of the key may meet (design section 4, rule 7). */
const MAX_REFUSED = [
  { status: 401, most: 2 },
  { status: 403, most: 1 },
] as const;

/** Returns the numbers of requests of an apply that are too many: of all, and of writes after the key was refused. */
export function excessiveRequests(emulator: Emulator): readonly string[] {
  const requests = emulator.requests();
  const writes = requests.filter(({ method }) => method !== 'GET');
  const refused = MAX_REFUSED.flatMap(({ status, most }) => {
    const { length } = writes.filter((write) => write.status === status);
    return length > most ? [`${length} writes were refused with ${status}, not ${most}`] : [];
  });
  return [...(requests.length > MAX_REQUESTS ? [`${requests.length} requests, not ${MAX_REQUESTS}`] : []), ...refused];
}

/** What the sockets of both sides may hold before a client that stopped reading is noticed, in bytes. */
const BUFFERS = 16 * 1024 * 1024;

/** Returns the responses of which far more bytes were received than allowed. */
export function oversizedReads(emulator: Emulator): readonly string[] {
  const floods = emulator.requests().filter(({ flooded }) => flooded > BUFFERS);
  return floods.map(({ method, path, flooded }) => `${method} ${path}: the client took ${flooded} bytes, with max_body_mib: 1`);
}
