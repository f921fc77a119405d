/**
 * Seeds: the content of accounts as JSON, `{ "<owner>": { "<emulation>": <value> } }`, or `{ "<emulation>": <value> }` where there
 * is one account. The shape of each value is documented at the head of the kind's `emulated.ts`.
 */
import { randomBytes } from 'node:crypto';
import type { Json, JsonObject } from '../model/json.ts';
import { isJsonObject } from '../model/json.ts';
import type { EmulatedKind } from './contract.ts';
import type { Store } from './store.ts';

/** A fresh ID of 32 hexadecimal characters. */
export function newId(): string {
  return randomBytes(16).toString('hex');
}

/**
 * Fills the accounts of which the store knows nothing yet: a restart with the same seed keeps what was written meanwhile.
 * @throws Error that says where the seed is not understood
 */
export function loadSeed(seed: Json, store: Store, emulatedKinds: readonly EmulatedKind[], owners: readonly string[], now: number): void {
  const byOwner = seedByOwner(seed, emulatedKinds, owners);
  for (const [owner, account] of Object.entries(byOwner)) {
    if (!owners.includes(owner)) throw new Error(`seed: there is no account ${owner}`);
    if (!store.knows(owner)) plantAccount(account, store, emulatedKinds, owner, now);
  }
}

function seedByOwner(seed: Json, emulatedKinds: readonly EmulatedKind[], owners: readonly string[]): JsonObject {
  if (!isJsonObject(seed)) throw new Error('seed: must be an object');
  const [only] = owners;
  const short = Object.keys(seed).every((name) => emulatedKinds.some((emulatedKind) => emulatedKind.name === name));
  return short && only !== undefined && owners.length === 1 ? { [only]: seed } : seed;
}

function plantAccount(account: Json, store: Store, emulatedKinds: readonly EmulatedKind[], owner: string, now: number): void {
  if (!isJsonObject(account)) throw new Error(`seed: ${owner} must be an object`);
  for (const [name, value] of Object.entries(account)) {
    const emulatedKind = emulatedKinds.find((candidate) => candidate.name === name);
    if (emulatedKind === undefined) throw new Error(`seed: there is no emulation ${name}`);
    try {
      store.transact(owner, name, (collection) => emulatedKind.seed(value, { collection, newId, now, owner }));
    } catch (cause) {
      throw new Error(`seed: ${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    }
  }
}

/** All accounts in the form of a seed. */
export function dumpSeed(store: Store, emulatedKinds: readonly EmulatedKind[], owners: readonly string[]): Json {
  const account = (owner: string): Json =>
    Object.fromEntries(emulatedKinds.map(({ name, dump }) => [name, store.transact(owner, name, (collection) => dump({ collection }))]));
  return Object.fromEntries(owners.map((owner) => [owner, account(owner)]));
}
