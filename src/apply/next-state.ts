/** What the ledger is to remember after an apply (design section 6). */
import type { Kind } from '../kinds/kind.ts';
import type { Action } from '../model/change.ts';
import type { Result } from '../model/outcome.ts';
import type { PlanResult } from '../plan/build-plan.ts';
import { diffFields } from '../plan/diff-fields.ts';
import type { PlanInput } from '../plan/input.ts';
import { matchesOnly } from '../plan/kind-state.ts';
import type { ExecutableChange } from '../plan/plan-document.ts';
import { notRead } from '../plan/refresh.ts';
import { writesOnService } from '../state/change-draft.ts';
import { addressByRemoteId, isAddressOf, sectionOf, suspiciousReadReason } from '../state/ownership.ts';
import { type LastApplied, movesInOrder, type State, type StateBinding } from '../state/state.ts';

/** What there was to remember before: nothing at the first apply. */
export interface PreviousState {
  readonly state: State;
  readonly lastApplied: LastApplied | null;
  /** The commit last applied; null where it is not known. */
  readonly commit: string | null;
  /** Addresses that earlier applies left out, and the commit at which each still stands. */
  readonly pendingSince: ReadonlyMap<string, string | null>;
}

/** What an apply came to. */
export interface ApplyResults {
  /** What became of every step, also of `adopt`, `move` and `forget`, by address; absent = it was not carried out. */
  readonly results: ReadonlyMap<string, Result>;
  /** Remote IDs of what was created (and perhaps of what else was written), by address. */
  readonly ids: ReadonlyMap<string, string>;
}

/** The memory and the standing addresses after an apply. */
export interface NextState {
  readonly state: State;
  readonly pendingSince: ReadonlyMap<string, string | null>;
}

/** Carries an apply into the memory: what was done is bound, what is gone is forgotten, what was left out still stands where it stood. */
export function nextState(earlier: PreviousState, input: PlanInput, planResult: PlanResult, came: ApplyResults): NextState {
  const bindings = new Map(earlier.state.bindings);
  const forgotten = new Set(earlier.state.forgotten);
  for (const kind of input.kinds.filter((each) => !each.singleton)) {
    const steps = planResult.steps.filter((step) => step.kind === kind);
    const bound = newlyBound(kind, steps, earlier, planResult, came);
    dropUnsettled(bound, earlier.state, input.desiredState.moved);
    const ended = steps.filter(({ change }) => isEnd(change.action) && succeeded(came.results.get(change.address)));
    const ids = new Set(
      [...bound.values(), ...ended.flatMap(({ live }) => live ?? []), ...gone(kind, earlier, input, planResult)].map(idOf),
    );
    for (const [id, address] of addressByRemoteId(kind, earlier.state)) if (ids.has(id)) bindings.delete(address);
    for (const [address, binding] of bound) bindings.set(address, binding);
    for (const { change, live } of ended) if (change.action === 'forget' && live) forgotten.add(live.id);
    for (const { id } of bound.values()) forgotten.delete(id);
  }
  const owner = trusts(input, earlier) ? (planResult.ownerDigest ?? earlier.state.owner) : earlier.state.owner;
  return { state: { bindings, forgotten, owner }, pendingSince: pendingSince(earlier, input, planResult, came) };
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
  steps: readonly ExecutableChange[],
  { state }: PreviousState,
  { pairs }: PlanResult,
  { results, ids }: ApplyResults,
): Map<string, StateBinding> {
  const bound = new Map<string, StateBinding>();
  for (const { change, live } of steps) {
    const { action, address, movedFrom = '' } = change;
    const id = action === 'create' ? ids.get(address) : undefined;
    if (id !== undefined) bound.set(address, { id, origin: 'created' });
    const claims = change.movedFrom !== undefined || change.adopts !== undefined || action === 'adopt';
    if (live && claims && succeeded(results.get(address)))
      bound.set(address, state.bindings.get(movedFrom) ?? { id: live.id, origin: 'adopted' });
  }
  const owners = new Map([...pairs].flatMap(([address, id]) => (isAddressOf(kind, address) ? [[id, address]] : [])));
  // An address stands for one object: what it stood for moves on, too, whatever came of its update. The loop meets what it adds.
  for (const address of bound.keys()) {
    const before = state.bindings.get(address);
    const next = before && owners.get(before.id);
    if (before && next !== undefined && !bound.has(next)) bound.set(next, before);
  }
  return bound;
}

/**
 * An old address is not bound anew before its new one has an object, its own or one it keeps from before: the next run would move
 * that binding, as if it were the old one.
 */
function dropUnsettled(bound: Map<string, StateBinding>, { bindings }: State, moved: ReadonlyMap<string, string>): void {
  const taken = new Set([...bound.values()].map(idOf));
  const keeps = (address: string) => {
    const binding = bindings.get(address);
    return binding !== undefined && !taken.has(binding.id);
  };
  for (const [from, to] of movesInOrder(moved)) if (!bound.has(to) && !keeps(to)) bound.delete(from);
}

/** Whether a reading counts that looks doubtful: only where the user said so. */
function trusts({ overrides }: PlanInput, { state }: PreviousState): boolean {
  return state.owner === null || overrides.checks.has('suspicious-read');
}

/** Bindings of present sections that no longer have an object, and no declaration that could get one. */
function gone(kind: Kind, { state: memory }: PreviousState, input: PlanInput, { reads, ownerDigest }: PlanResult): readonly StateBinding[] {
  const { status, result } = reads.get(kind.name) ?? notRead('unmanaged');
  const doubtful =
    suspiciousReadReason(kind, result.objects, ownerDigest, memory) !== undefined && !input.overrides.checks.has('suspicious-read');
  if (status !== 'complete' || doubtful || input.target.ownership === 'observe') return [];
  const { resources, managedSections } = input.desiredState;
  const declared = new Set(resources.map((resource) => resource.address));
  const live = new Set(result.objects.map(idOf));
  const lost = (address: string, { id }: StateBinding) => isAddressOf(kind, address) && !declared.has(address) && !live.has(id);
  return [...memory.bindings].flatMap(([address, binding]) =>
    lost(address, binding) && managedSections.has(sectionOf(kind, address)) && matchesOnly(input.only, address) ? [binding] : [],
  );
}

/** Addresses that were left out, and the commit at which each of them still stands. */
function pendingSince(earlier: PreviousState, input: PlanInput, planResult: PlanResult, came: ApplyResults): NextState['pendingSince'] {
  const settled = appliedFully(input, planResult, came);
  const declared = new Set(input.desiredState.resources.map((resource) => resource.address));
  const left = new Set<string>();
  for (const { change } of planResult.steps) {
    if (!writesOnService(change.action) || settled(change.address)) continue;
    left.add(change.address);
    if (change.movedFrom !== undefined && !declared.has(change.movedFrom)) left.add(change.movedFrom);
  }
  for (const address of changedSinceBase(earlier, input)) if (!settled(address)) left.add(address);
  const { pendingSince: before, commit } = earlier;
  return new Map([...left].sort().map((address) => [address, before.has(address) ? (before.get(address) ?? null) : commit]));
}

/** Whether an address was within this run, and everything that the repository says of it was done. */
function appliedFully(input: PlanInput, { reads, steps }: PlanResult, { results }: ApplyResults): (address: string) => boolean {
  const complete = input.kinds.filter((kind) => reads.get(kind.name)?.status === 'complete');
  const planned = new Set(steps.filter(({ change }) => writesOnService(change.action)).map(({ change }) => change.address));
  if (input.target.ownership === 'observe' || input.onlyOrigin === 'drift') return () => false;
  return (address) => {
    if (!matchesOnly(input.only, address) || !complete.some((kind) => isAddressOf(kind, address))) return false;
    return !planned.has(address) || succeeded(results.get(address));
  };
}

/** Addresses that the configuration declares differently from the base; where the base is not known, all of them. */
function changedSinceBase({ lastApplied, pendingSince }: PreviousState, input: PlanInput): readonly string[] {
  const now = new Map(input.desiredState.resources.map((resource) => [resource.address, resource]));
  const before = lastApplied?.resources ?? new Map();
  const all = new Set([...now.keys(), ...before.keys(), ...pendingSince.keys()]);
  return [...all].filter(
    (address) => diffFields(before.get(address)?.fields ?? {}, now.get(address)?.fields ?? {}).length > 0 || pendingSince.has(address),
  );
}
