/** What the ledger is to remember after an apply (design section 6). */
import type { Result } from '../model/outcome.ts';
import { belongs, sectionOf } from './belong.ts';
import { inScope } from './column.ts';
import { diff } from './diff.ts';
import type { Base, Binding, Memory } from './memory.ts';
import type { Reconciled } from './reconcile.ts';
import type { Run } from './run.ts';
import { writesOnService } from './step.ts';

/** What there was to remember before: nothing at the first apply. */
export interface Earlier {
  readonly memory: Memory;
  readonly base: Base | null;
  /** The commit last applied; null where it is not known. */
  readonly commit: string | null;
  /** Addresses that earlier applies left out, and the commit at which each still stands. */
  readonly standing: ReadonlyMap<string, string | null>;
}

/** What an apply came to. */
export interface Came {
  /** By address; absent where nothing was to be done. */
  readonly results: ReadonlyMap<string, Result>;
  /** Remote IDs of what was created, by address. */
  readonly ids: ReadonlyMap<string, string>;
}

/** The memory and the standing addresses after an apply. */
export interface Later {
  readonly memory: Memory;
  readonly standing: ReadonlyMap<string, string | null>;
}

/** Carries an apply into the memory: what was done is bound, what is gone is forgotten, what was left out still stands where it stood. */
export function remember(earlier: Earlier, run: Run, reconciled: Reconciled, came: Came): Later {
  const done = doneWith(run, reconciled, came);
  const bindings = new Map<string, Binding>(earlier.memory.bindings);
  const forgotten = new Set(earlier.memory.forgotten);
  const former = new Map([...earlier.memory.bindings].map(([address, binding]) => [binding.id, { address, binding }]));
  for (const [address, id] of reconciled.pairs) {
    const before = former.get(id);
    if (!done(address) || before?.address === address || isSingleton(run, address)) continue;
    if (before && bindings.get(before.address)?.id === id) bindings.delete(before.address);
    bindings.set(address, before?.binding ?? { id, origin: 'adopted' });
  }
  for (const [address, id] of came.ids) if (came.results.get(address) === 'created') bindings.set(address, { id, origin: 'created' });
  for (const { change, live } of reconciled.steps) {
    if (change.action === 'forget' && came.results.get(change.address) === 'forgotten' && live) forgotten.add(live.id);
    if (change.action === 'delete' || change.action === 'forget') if (done(change.address)) bindings.delete(change.address);
  }
  for (const address of gone(run, reconciled, bindings)) bindings.delete(address);
  const memory = { bindings, forgotten, owner: reconciled.ownerDigest ?? earlier.memory.owner };
  return { memory, standing: standing(earlier, run, reconciled, done) };
}

/** Whether an address was within this run, and everything that was to be done about it succeeded. */
function doneWith(run: Run, reconciled: Reconciled, { results }: Came): (address: string) => boolean {
  const complete = run.kinds.filter((kind) => reconciled.seen.get(kind.name)?.state === 'complete');
  return (address) => {
    const result = results.get(address);
    if (!inScope(run.only, address) || !complete.some((kind) => belongs(kind, address))) return false;
    return result !== 'failed' && result !== 'skipped';
  };
}

function isSingleton(run: Run, address: string): boolean {
  return run.kinds.some((kind) => kind.singleton && kind.addresses.includes(address));
}

/** Bindings of managed sections that no longer have an object, and no declaration that could get one. */
function gone(run: Run, reconciled: Reconciled, bindings: ReadonlyMap<string, Binding>): readonly string[] {
  const declared = new Set(run.declaration.resources.map((resource) => resource.address));
  return run.kinds.flatMap((kind) => {
    const seen = reconciled.seen.get(kind.name);
    if (seen?.state !== 'complete') return [];
    const ids = new Set(seen.observation.objects.map((object) => object.id));
    const lost = [...bindings].filter(([address, { id }]) => belongs(kind, address) && !declared.has(address) && !ids.has(id));
    return lost
      .map(([address]) => address)
      .filter((address) => run.declaration.present.has(sectionOf(kind, address)) && inScope(run.only, address));
  });
}

/** Addresses that were left out, and the commit at which each of them still stands. */
function standing(earlier: Earlier, run: Run, reconciled: Reconciled, done: (address: string) => boolean): Later['standing'] {
  const left = new Set<string>();
  for (const { change } of reconciled.steps) if (writesOnService(change.action) && !done(change.address)) left.add(change.address);
  for (const address of differing(earlier, run)) if (!done(address)) left.add(address);
  return new Map(
    [...left].sort().map((address) => [address, earlier.standing.has(address) ? (earlier.standing.get(address) ?? null) : earlier.commit]),
  );
}

/** Addresses that the configuration declares differently from the base; where the base is not known, all of them. */
function differing({ base, standing }: Earlier, run: Run): readonly string[] {
  const now = new Map(run.declaration.resources.map((resource) => [resource.address, resource]));
  const before = base?.resources ?? new Map();
  const all = new Set([...now.keys(), ...before.keys(), ...standing.keys()]);
  return [...all].filter(
    (address) => diff(before.get(address)?.fields ?? {}, now.get(address)?.fields ?? {}).length > 0 || standing.has(address),
  );
}
