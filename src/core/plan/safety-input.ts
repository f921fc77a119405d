import type { LiveResource } from '../kinds/kind.ts';
import type { SafetyInput } from '../safety/checks.ts';
import { suspiciousReadReason } from '../state/bindings.ts';
import { isManaged } from '../state/object-globs.ts';
import type { PlanInput } from './input.ts';
import { isCollectionState, type KindState, ownerDigestOf } from './kind-state.ts';

/** Returns what the safety checks of a plan depend on, besides what guards deny. */
export function safetyInput(input: PlanInput, kindStates: readonly KindState[]): Omit<SafetyInput, 'denied'> {
  const { name, ownership, protect, limits, weakening, playbackLoss, service } = input.target;
  const account = { ownerDigest: ownerDigestOf(kindStates), baseUrl: input.target.baseUrl };
  // A read is suspicious if another owner answered, or another service than at the last apply, or if most bound objects are gone.
  const declared = new Set(input.desiredState.resources.map(({ address }) => address));
  const suspiciousReads = kindStates.flatMap(({ kind, read }): [string, string][] => {
    const reason = read.status === 'complete' ? suspiciousReadReason(kind, read.result, account, input.ledgerState, declared) : undefined;
    return reason === undefined ? [] : [[kind.name, reason]];
  });
  // Limits count what this project manages.
  const managed = new Map(kindStates.map((kindState) => [kindState.kind.name, managedObjects(kindState, input.target.manages)]));
  const liveCount = new Map([...managed].map(([kind, objects]) => [kind, objects.length]));
  const onAirCount = new Map(
    kindStates.map(({ kind }) => [kind.name, (managed.get(kind.name) ?? []).filter(({ fields }) => kind.isOnAir?.(fields)).length]),
  );
  return {
    target: name,
    ownership,
    protect,
    limits,
    weakening,
    playbackLoss,
    overrides: input.overrides,
    resettableMembers: service.resettableMembers,
    liveCount,
    onAirCount,
    suspiciousReads: new Map(suspiciousReads),
    firstApply: firstApplyOf(input, kindStates),
  };
}

/**
 * Returns why an apply may not be the first one (design section 4, rule 9): its ledger has no entry, and the account already has more than half
 * of the objects that are declared, or an entry was seen here. Null where it may.
 */
function firstApplyOf({ emptyLedger, target }: PlanInput, kindStates: readonly KindState[]): SafetyInput['firstApply'] {
  if (emptyLedger === null) return null;
  const collections = kindStates.filter(isCollectionState);
  const declared = collections.reduce((sum, { resources }) => sum + resources.length, 0);
  const there = collections.reduce((sum, { match }) => sum + match.liveByAddress.size, 0);
  const { seen } = emptyLedger;
  const none = `no apply to ${target.name} is recorded`;
  if (seen !== null) return { reason: `${none}, but ${seen.text}`, lift: { course: seen.restore } };
  if (there * 2 <= declared) return null;
  const reason = `${none}, although the account already has ${there} of the ${declared} objects that are declared`;
  return { reason, lift: { course: 'set the ledger back to its last entry if it was lost' } };
}

/** Returns the live objects that a resource declares or that `manages` names. */
function managedObjects(kindState: KindState, manages: readonly string[] | null): readonly LiveResource[] {
  if (manages === null || !isCollectionState(kindState)) return kindState.read.result.objects;
  const { kind, read, match } = kindState;
  const declared = new Set([...match.liveByAddress.values()].map(({ id }) => id));
  return read.result.objects.filter((live) => declared.has(live.id) || isManaged(manages, kind, live));
}
