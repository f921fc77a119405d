/** Computes the state that the ledger records after an apply (design section 6, entries). */
import type { DesiredResource, Kind } from '../kinds/kind.ts';
import { isAddressOf, sectionOfAddress } from '../model/address.ts';
import { type Action, writesOnService } from '../model/change.ts';
import { withPlaceholders } from '../model/ignored-fields.ts';
import { isDone, isMade, type Result } from '../model/outcome.ts';
import type { PlanResult } from '../plan/build-plan.ts';
import { separateExpiredIgnores } from '../plan/ignored-fields.ts';
import type { PlanInput } from '../plan/input.ts';
import { notRead } from '../plan/refresh.ts';
import { addressByRemoteId, isTakenOver, serviceOf, suspiciousReadReason } from '../state/bindings.ts';
import { movesInOrder } from '../state/moves.ts';
import type { PlannedChange } from '../state/planned-change.ts';
import { isInManagedSection } from '../state/prune.ts';
import type { LastApplied, LedgerState, StateBinding } from '../state/state.ts';
import { differingPaths } from '../state/three-way.ts';

/** The state before an apply; empty at the first one. */
export interface PreviousState {
  readonly state: LedgerState;
  readonly lastApplied: LastApplied | null;
  /** The commit last applied; null where it is not known. */
  readonly commit: string | null;
  /** Of each address that earlier applies left out: the commit at which it was last applied; null where that is not known. */
  readonly pendingSince: ReadonlyMap<string, string | null>;
}

/** What an apply did, as far as the ledger keeps it. */
export interface AppliedChanges {
  /** The result of every change, also of `adopt`, `move` and `forget`, by address; absent = it was not applied. */
  readonly results: ReadonlyMap<string, Result>;
  /** Remote IDs of the objects that were created, and perhaps of others that were written, by address. */
  readonly ids: ReadonlyMap<string, string>;
  /** When the apply ended, ISO 8601. */
  readonly at: string;
}

/** The state after an apply, and the addresses that are still left out, as in `PreviousState`. */
export interface NextState {
  readonly state: LedgerState;
  /** The assets that the external IDs of each declared address named when it was last applied. */
  readonly externalIds: { readonly [address: string]: NonNullable<DesiredResource['externalIds']> };
  readonly pendingSince: ReadonlyMap<string, string | null>;
}

/** Returns the state after an apply: binds what was applied, drops what is gone, keeps the commit of what was left out. */
export function nextState(previous: PreviousState, input: PlanInput, planResult: PlanResult, applied: AppliedChanges): NextState {
  const bindings = new Map([...previous.state.bindings].map(([address, binding]) => [address, asSeenIn(planResult, binding)]));
  const forgotten = new Set(previous.state.forgotten);
  for (const kind of input.kinds.filter((each) => each.type === 'collection')) {
    const changes = planResult.changes.filter((planned) => planned.kind === kind);
    const newBindings = newBindingsOf(kind, changes, previous, input, planResult, applied);
    dropIncompleteMoves(newBindings, previous.state, input.desiredState.moved);
    const removals = changes.filter(({ change }) => isRemoval(change.action) && succeeded(applied.results.get(change.address)));
    const removedIds = removals.flatMap(({ live }) => live?.id ?? []);
    // Objects whose previous binding ends.
    const unboundIds = new Set([...newBindings.values(), ...lostBindings(kind, previous, input, planResult)].map(idOf).concat(removedIds));
    for (const [id, address] of addressByRemoteId(kind, previous.state)) if (unboundIds.has(id)) bindings.delete(address);
    for (const [address, binding] of newBindings) bindings.set(address, binding);
    const deletedIds = new Set(changes.flatMap((planned) => (isUnseenDelete(planned, applied) ? (planned.live?.id ?? []) : [])));
    for (const [address, binding] of bindings) if (deletedIds.has(binding.id)) bindings.set(address, { ...binding, deleted: applied.at });
    for (const { change, live } of removals) if (change.action === 'forget' && live?.id) forgotten.add(live.id);
    for (const { id } of newBindings.values()) forgotten.delete(id);
  }
  const ownerDigest = mayRecordOwner(input, previous) ? (planResult.ownerDigest ?? previous.state.ownerDigest) : previous.state.ownerDigest;
  return {
    state: {
      bindings,
      forgotten,
      ownerDigest,
      baseUrl: recordedService(input, previous),
      settings: settingsAfter(previous, input, planResult, applied),
      managedSections: managedSectionsAfter(previous, input, planResult, applied),
    },
    externalIds: externalIdsAfter(previous, input, planResult, applied),
    pendingSince: pendingSinceAfter(previous, input, planResult, applied),
  };
}

/** Returns a binding without the mark that its object was not seen yet, where the plan has seen it. */
function asSeenIn({ readByKind }: PlanResult, binding: StateBinding): StateBinding {
  if (binding.unseen === undefined) return binding;
  const { unseen: _, ...seen } = binding;
  return [...readByKind.values()].some(({ result }) => result.objects.some(({ id }) => id === binding.id)) ? seen : binding;
}

/** Decides whether the service still shows an object that this apply has deleted. */
function isUnseenDelete({ change }: PlannedChange, { results }: AppliedChanges): boolean {
  return change.action === 'delete' && results.get(change.address) === 'unseen';
}

function idOf({ id }: { readonly id: string }): string {
  return id;
}

function isRemoval(action: Action): boolean {
  return action === 'delete' || action === 'forget';
}

function succeeded(result: Result | undefined): boolean {
  return result !== undefined && isDone(result);
}

/** Returns the bindings that this apply made. A created object is bound even if it did not read back as desired. */
function newBindingsOf(
  kind: Kind,
  changes: readonly PlannedChange[],
  { state }: PreviousState,
  { earlierBindings, desiredState: { adopt } }: PlanInput,
  { remoteIdByAddress }: PlanResult,
  { results, ids, at }: AppliedChanges,
): Map<string, StateBinding> {
  const newBindings = new Map<string, StateBinding>();
  for (const { change, live } of changes) {
    const { action, address } = change;
    const createdId = action === 'create' ? ids.get(address) : undefined;
    const unseen = results.get(address) === 'unseen' ? { unseen: at } : {};
    if (createdId !== undefined) newBindings.set(address, { id: createdId, origin: 'created', ...unseen });
    const from = 'movedFrom' in change ? change.movedFrom : undefined;
    const adopts = 'adopts' in change ? change.adopts : undefined;
    const isRebound = from !== undefined || adopts !== undefined;
    if (!live || live.id === null || !isRebound || !succeeded(results.get(address))) continue;
    const earlier = earlierBindings?.get(address);
    const known = from === undefined ? (earlier?.id === live.id ? earlier : undefined) : state.bindings.get(from);
    newBindings.set(
      address,
      known ?? { id: live.id, origin: isTakenOver(kind, address, live.id, { adopt, state }) ? 'recognized' : 'adopted' },
    );
  }
  const addressOf = new Map([...remoteIdByAddress].flatMap(([address, id]) => (isAddressOf(kind, address) ? [[id, address]] : [])));
  // Where an address got another object, its previous object is bound to the address that it matches now, even if its update failed.
  // The loop also visits the addresses that it adds.
  for (const address of newBindings.keys()) {
    const previousBinding = state.bindings.get(address);
    const newAddress = previousBinding && addressOf.get(previousBinding.id);
    if (previousBinding && newAddress !== undefined && !newBindings.has(newAddress)) newBindings.set(newAddress, previousBinding);
  }
  return newBindings;
}

/**
 * Drops the new binding of an address that `moved` moves away from, while the address that it moves to has no object. An example: `a` moves
 * to `b`, a new object was created for `a`, and `b` could not be matched. The next run would give the new object of `a` to `b`. The same
 * holds where `b` has an object that the next run moves on to `c`, because that move is incomplete as well.
 */
function dropIncompleteMoves(newBindings: Map<string, StateBinding>, { bindings }: LedgerState, moved: ReadonlyMap<string, string>): void {
  const newIds = new Set([...newBindings.values()].map(idOf));
  const keepsBinding = (address: string) => {
    const binding = bindings.get(address);
    return binding !== undefined && !newIds.has(binding.id);
  };
  const incomplete = new Set<string>();
  for (const [from, to] of movesInOrder(moved)) {
    if (newBindings.has(to) || (keepsBinding(to) && !incomplete.has(to))) continue;
    incomplete.add(from);
    newBindings.delete(from);
  }
}

/** Decides whether the owner of this read is recorded: the first one, and a later one only where the user allows suspicious reads. */
function mayRecordOwner({ overrides }: PlanInput, { state }: PreviousState): boolean {
  return state.ownerDigest === null || overrides.checks.has('suspicious-read');
}

/** Returns the sections of which this apply or an earlier one has left nothing out, and in which nothing is blocked or failed. */
function managedSectionsAfter(
  { state }: PreviousState,
  input: PlanInput,
  planResult: PlanResult,
  applied: AppliedChanges,
): LedgerState['managedSections'] {
  const isApplied = appliedFully(input, planResult, applied);
  const { presentKeys, resources } = input.desiredState;
  const isWhole = input.selection.origin === null && input.target.ownership !== 'observe';
  const sections = input.kinds
    .filter(({ type }) => type === 'collection')
    .flatMap((kind) => kind.sections.map(({ key }) => ({ kind, key })));
  const whole = sections.filter(
    ({ kind, key }) =>
      isWhole &&
      presentKeys.has(key) &&
      planResult.readByKind.get(kind.name)?.status === 'complete' &&
      resources.every(({ address }) => sectionOfAddress(kind, address) !== key || isApplied(address)),
  );
  return new Set([...state.managedSections, ...whole.map(({ key }) => key)]);
}

/** Returns the settings that this apply or an earlier one has written, and that are declared. */
function settingsAfter(
  { state }: PreviousState,
  input: PlanInput,
  { changes }: PlanResult,
  { results }: AppliedChanges,
): LedgerState['settings'] {
  const settings = input.kinds.filter(({ type }) => type === 'setting');
  const declared = new Set(input.desiredState.resources.map(({ address }) => address));
  const written = new Set(changes.flatMap(({ kind, change }) => (isMade(results.get(change.address) ?? 'skipped') ? [kind.name] : [])));
  return new Set(settings.map(({ name }) => name).filter((name) => declared.has(name) && (state.settings.has(name) || written.has(name))));
}

/** Returns the service that is recorded: this one, unless it differs from the recorded one without consent. */
function recordedService({ target, overrides }: PlanInput, { state }: PreviousState): string | null {
  return state.baseUrl === null || overrides.checks.has('suspicious-read') ? serviceOf(target.baseUrl) : state.baseUrl;
}

/** Returns the bindings of present sections whose object is gone and whose address is no longer declared. */
function lostBindings(
  kind: Kind,
  { state }: PreviousState,
  input: PlanInput,
  { readByKind, ownerDigest }: PlanResult,
): readonly StateBinding[] {
  const { status, result } = readByKind.get(kind.name) ?? notRead('unmanaged');
  const { resources, presentKeys } = input.desiredState;
  const declared = new Set(resources.map((resource) => resource.address));
  const isSuspicious =
    suspiciousReadReason(kind, result, { ownerDigest, baseUrl: input.target.baseUrl }, state, declared) !== undefined &&
    !input.overrides.checks.has('suspicious-read');
  if (status !== 'complete' || isSuspicious || input.target.ownership === 'observe') return [];
  const live = new Set(result.objects.map(({ id }) => id));
  const isAwaited = ({ unseen }: StateBinding) => unseen !== undefined && !input.overrides.checks.has('suspicious-read');
  const isLost = (address: string, binding: StateBinding) =>
    isAddressOf(kind, address) && !declared.has(address) && !live.has(binding.id) && !isAwaited(binding);
  return [...state.bindings].flatMap(([address, binding]) =>
    isLost(address, binding) && isInManagedSection(kind, address, presentKeys) && input.selection.has({ address }) ? [binding] : [],
  );
}

/**
 * Returns what the external IDs of each declared address named when it was last applied. An address that is left out keeps what was
 * recorded.
 */
function externalIdsAfter(
  { lastApplied }: PreviousState,
  input: PlanInput,
  planResult: PlanResult,
  applied: AppliedChanges,
): NextState['externalIds'] {
  const isApplied = appliedFully(input, planResult, applied);
  return Object.fromEntries(
    input.desiredState.resources.flatMap(({ address, externalIds }) => {
      const ids = isApplied(address) ? externalIds : lastApplied?.resources.get(address)?.externalIds;
      return ids === undefined ? [] : [[address, ids]];
    }),
  );
}

/** Returns the addresses that this apply or an earlier one left out, and the commit at which each was last applied. */
function pendingSinceAfter(
  previous: PreviousState,
  input: PlanInput,
  planResult: PlanResult,
  applied: AppliedChanges,
): NextState['pendingSince'] {
  const isApplied = appliedFully(input, planResult, applied);
  const declared = new Set(input.desiredState.resources.map((resource) => resource.address));
  const leftOut = new Set<string>();
  for (const { change } of planResult.changes) {
    if (!writesOnService(change) || isApplied(change.address)) continue;
    leftOut.add(change.address);
    const from = 'movedFrom' in change ? change.movedFrom : undefined;
    if (from !== undefined && !declared.has(from)) leftOut.add(from);
  }
  for (const address of addressesChangedSinceLastApply(previous, input, planResult)) if (!isApplied(address)) leftOut.add(address);
  const { pendingSince: before, commit } = previous;
  return new Map([...leftOut].sort().map((address) => [address, before.has(address) ? (before.get(address) ?? null) : commit]));
}

/** Returns a function that decides whether an address was selected in this run and was applied as the repository declares it. */
function appliedFully(input: PlanInput, { readByKind, changes }: PlanResult, { results }: AppliedChanges): (address: string) => boolean {
  const complete = input.kinds.filter((kind) => readByKind.get(kind.name)?.status === 'complete');
  const planned = new Set(changes.filter(({ change }) => writesOnService(change)).map(({ change }) => change.address));
  if (input.target.ownership === 'observe' || input.selection.origin === 'drift') return () => false;
  return (address) => {
    if (!input.selection.has({ address }) || !complete.some((kind) => isAddressOf(kind, address))) return false;
    return !planned.has(address) || succeeded(results.get(address));
  };
}

/** Returns the addresses that are declared differently than at the last apply, or all of them if the last apply is not known. */
function addressesChangedSinceLastApply(
  { lastApplied, pendingSince }: PreviousState,
  input: PlanInput,
  { context }: PlanResult,
): readonly string[] {
  const desired = new Map(
    input.desiredState.resources.map((resource) => [resource.address, separateExpiredIgnores(resource, context.now)]),
  );
  // That a field is left to others is a value, too: to write it from now on is a change.
  const declared = (resource: DesiredResource | undefined) => withPlaceholders(resource?.fields ?? {}, resource?.ignored ?? []);
  const before = lastApplied?.resources ?? new Map();
  const all = new Set([...desired.keys(), ...before.keys(), ...pendingSince.keys()]);
  return [...all].filter(
    (address) => differingPaths(declared(before.get(address)), declared(desired.get(address))).length > 0 || pendingSince.has(address),
  );
}
