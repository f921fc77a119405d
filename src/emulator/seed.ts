/**
 * Seeds: the content of accounts as JSON, `{ "<owner>": { "<kind>": <value> } }`, or `{ "<kind>": <value> }` if there is one account. Each
 * file in kinds/ documents the form of its value.
 */
import { randomBytes } from 'node:crypto';
import type { Json, JsonObject } from '../core/model/json.ts';
import { isJsonObject } from '../core/model/json.ts';
import type { EmulatedKind } from './contract.ts';
import type { Store } from './store.ts';

/** Returns a new ID of 32 hexadecimal characters. */
export function newId(): string {
  return randomBytes(16).toString('hex');
}

/**
 * Fills the accounts that the store does not know yet; the others keep their content, so that a restart with the same seed loses no writes.
 * `now` is Unix time in milliseconds. @throws Error that names the invalid part of the seed
 */
export function loadSeed(seed: Json, store: Store, emulatedKinds: readonly EmulatedKind[], owners: readonly string[], now: number): void {
  const byOwner = seedByOwner(seed, emulatedKinds, owners);
  for (const [owner, account] of Object.entries(byOwner)) {
    if (!owners.includes(owner)) throw new Error(`seed: there is no account ${owner}`);
    if (!store.hasAccount(owner)) seedAccount(account, store, emulatedKinds, owner, now);
  }
}

function seedByOwner(seed: Json, emulatedKinds: readonly EmulatedKind[], owners: readonly string[]): JsonObject {
  if (!isJsonObject(seed)) throw new Error('seed: must be an object');
  const [only] = owners;
  const isByKind = Object.keys(seed).every((name) => emulatedKinds.some((emulatedKind) => emulatedKind.name === name));
  return isByKind && only !== undefined && owners.length === 1 ? { [only]: seed } : seed;
}

function seedAccount(account: Json, store: Store, emulatedKinds: readonly EmulatedKind[], owner: string, now: number): void {
  if (!isJsonObject(account)) throw new Error(`seed: ${owner} must be an object`);
  for (const [name, value] of Object.entries(account)) {
    const emulatedKind = emulatedKinds.find((candidate) => candidate.name === name);
    if (emulatedKind === undefined) throw new Error(`seed: there is no kind ${name}`);
    try {
      store.transact(owner, name, (collection) => emulatedKind.seed(value, { collection, newId, now, owner }));
    } catch (cause) {
      throw new Error(`seed: ${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    }
  }
}

/** Returns all accounts in the form of a seed. */
export function dumpSeed(store: Store, emulatedKinds: readonly EmulatedKind[], owners: readonly string[]): Json {
  const account = (owner: string): Json =>
    Object.fromEntries(emulatedKinds.map(({ name, dump }) => [name, store.transact(owner, name, (collection) => dump({ collection }))]));
  return Object.fromEntries(owners.map((owner) => [owner, account(owner)]));
}
