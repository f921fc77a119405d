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
  };
}

/** Returns the live objects that a resource declares or that `manages` names. */
function managedObjects(kindState: KindState, manages: readonly string[] | null): readonly LiveResource[] {
  if (manages === null || !isCollectionState(kindState)) return kindState.read.result.objects;
  const { kind, read, match } = kindState;
  const declared = new Set([...match.liveByAddress.values()].map(({ id }) => id));
  return read.result.objects.filter((live) => declared.has(live.id) || isManaged(manages, kind, live));
}
