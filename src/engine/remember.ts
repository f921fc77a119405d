/** What the ledger is to remember after an apply (design section 6). */
import type { Kind } from '../kinds/kind.ts';
import type { Action } from '../model/change.ts';
import type { Result } from '../model/outcome.ts';
import { belongs, boundIn, doubt, sectionOf } from './belong.ts';
import { inScope } from './column.ts';
import { diff } from './diff.ts';
import { unread } from './fetch.ts';
import { type Base, type Binding, fromFreeEnds, type Memory } from './memory.ts';
import type { PlannedStep } from './plan.ts';
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
  /** What became of every step, also of `adopt`, `move` and `forget`, by address; absent = it was not carried out. */
  readonly results: ReadonlyMap<string, Result>;
  /** Remote IDs of what was created (and perhaps of what else was written), by address. */
  readonly ids: ReadonlyMap<string, string>;
}

/** The memory and the standing addresses after an apply. */
export interface Later {
  readonly memory: Memory;
  readonly standing: ReadonlyMap<string, string | null>;
}

/** Carries an apply into the memory: what was done is bound, what is gone is forgotten, what was left out still stands where it stood. */
export function remember(earlier: Earlier, run: Run, reconciled: Reconciled, came: Came): Later {
  const bindings = new Map(earlier.memory.bindings);
  const forgotten = new Set(earlier.memory.forgotten);
  for (const kind of run.kinds.filter((each) => !each.singleton)) {
    const steps = reconciled.steps.filter((step) => step.kind === kind);
    const bound = newlyBound(kind, steps, earlier, reconciled, came);
    dropUnsettled(bound, earlier.memory, run.declaration.moved);
    const ended = steps.filter(({ change }) => isEnd(change.action) && succeeded(came.results.get(change.address)));
    const ids = new Set([...bound.values(), ...ended.flatMap(({ live }) => live ?? []), ...gone(kind, earlier, run, reconciled)].map(idOf));
    for (const [id, address] of boundIn(kind, earlier.memory)) if (ids.has(id)) bindings.delete(address);
    for (const [address, binding] of bound) bindings.set(address, binding);
    for (const { change, live } of ended) if (change.action === 'forget' && live) forgotten.add(live.id);
    for (const { id } of bound.values()) forgotten.delete(id);
  }
  const owner = trusts(run, earlier) ? (reconciled.ownerDigest ?? earlier.memory.owner) : earlier.memory.owner;
  return { memory: { bindings, forgotten, owner }, standing: standing(earlier, run, reconciled, came) };
}

function idOf({ id }: { readonly id: string }): string {
  return id;
}

function isEnd(action: Action): boolean {
  return action === 'delete' || action === 'forget';
}

function succeeded(result: Result | undefined): boolean {
  return result !== undefined && result !== 'failed' && result !== 'skipped';
}

/** Bindings that this apply made. What was created is ours even where it did not read back as desired. */
function newlyBound(
  kind: Kind,
  steps: readonly PlannedStep[],
  { memory }: Earlier,
  { pairs }: Reconciled,
  { results, ids }: Came,
): Map<string, Binding> {
  const bound = new Map<string, Binding>();
  for (const { change, live } of steps) {
    const { action, address, movedFrom = '' } = change;
    const id = action === 'create' ? ids.get(address) : undefined;
    if (id !== undefined) bound.set(address, { id, origin: 'created' });
    const claims = change.movedFrom !== undefined || change.adopts !== undefined || action === 'adopt';
    if (live && claims && succeeded(results.get(address)))
      bound.set(address, memory.bindings.get(movedFrom) ?? { id: live.id, origin: 'adopted' });
  }
  const owners = new Map([...pairs].flatMap(([address, id]) => (belongs(kind, address) ? [[id, address]] : [])));
  // An address stands for one object: what it stood for moves on, too, whatever came of its update. The loop meets what it adds.
  for (const address of bound.keys()) {
    const before = memory.bindings.get(address);
    const next = before && owners.get(before.id);
    if (before && next !== undefined && !bound.has(next)) bound.set(next, before);
  }
  return bound;
}

/**
 * An old address is not bound anew before its new one has an object, its own or one it keeps from before: the next run would move
 * that binding, as if it were the old one.
 */
function dropUnsettled(bound: Map<string, Binding>, { bindings }: Memory, moved: ReadonlyMap<string, string>): void {
  const taken = new Set([...bound.values()].map(idOf));
  const keeps = (address: string) => {
    const binding = bindings.get(address);
    return binding !== undefined && !taken.has(binding.id);
  };
  for (const [from, to] of fromFreeEnds(moved)) if (!bound.has(to) && !keeps(to)) bound.delete(from);
}

/** Whether a reading counts that looks doubtful: only where the user said so. */
function trusts({ allowed }: Run, { memory }: Earlier): boolean {
  return memory.owner === null || allowed.brakes.has('doubtful-read');
}

/** Bindings of present sections that no longer have an object, and no declaration that could get one. */
function gone(kind: Kind, { memory }: Earlier, run: Run, { seen, ownerDigest }: Reconciled): readonly Binding[] {
  const { state, observation } = seen.get(kind.name) ?? unread('unmanaged');
  const doubtful = doubt(kind, observation.objects, ownerDigest, memory) !== undefined && !run.allowed.brakes.has('doubtful-read');
  if (state !== 'complete' || doubtful || run.target.ownership === 'observe') return [];
  const { resources, present } = run.declaration;
  const declared = new Set(resources.map((resource) => resource.address));
  const live = new Set(observation.objects.map(idOf));
  const lost = (address: string, { id }: Binding) => belongs(kind, address) && !declared.has(address) && !live.has(id);
  return [...memory.bindings].flatMap(([address, binding]) =>
    lost(address, binding) && present.has(sectionOf(kind, address)) && inScope(run.only, address) ? [binding] : [],
  );
}

/** Addresses that were left out, and the commit at which each of them still stands. */
function standing(earlier: Earlier, run: Run, reconciled: Reconciled, came: Came): Later['standing'] {
  const settled = settledBy(run, reconciled, came);
  const declared = new Set(run.declaration.resources.map((resource) => resource.address));
  const left = new Set<string>();
  for (const { change } of reconciled.steps) {
    if (!writesOnService(change.action) || settled(change.address)) continue;
    left.add(change.address);
    if (change.movedFrom !== undefined && !declared.has(change.movedFrom)) left.add(change.movedFrom);
  }
  for (const address of differing(earlier, run)) if (!settled(address)) left.add(address);
  const { standing: before, commit } = earlier;
  return new Map([...left].sort().map((address) => [address, before.has(address) ? (before.get(address) ?? null) : commit]));
}

/** Whether an address was within this run, and everything that the repository says of it was done. */
function settledBy(run: Run, { seen, steps }: Reconciled, { results }: Came): (address: string) => boolean {
  const complete = run.kinds.filter((kind) => seen.get(kind.name)?.state === 'complete');
  const planned = new Set(steps.filter(({ change }) => writesOnService(change.action)).map(({ change }) => change.address));
  if (run.target.ownership === 'observe' || run.onlyOrigin === 'drift') return () => false;
  return (address) => {
    if (!inScope(run.only, address) || !complete.some((kind) => belongs(kind, address))) return false;
    return !planned.has(address) || succeeded(results.get(address));
  };
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
