import type { SafetyInput } from '../safety/checks.ts';
import { suspiciousReadReason } from '../state/bindings.ts';
import type { PlanInput } from './input.ts';
import { type KindState, ownerDigestOf } from './kind-state.ts';

/** Returns what the safety checks of a plan depend on, besides what guards deny. */
export function safetyInput(input: PlanInput, kindStates: readonly KindState[]): Omit<SafetyInput, 'denied'> {
  const { name, ownership, protect, limits, weakening, playbackLoss } = input.target;
  const account = { ownerDigest: ownerDigestOf(kindStates), baseUrl: input.target.baseUrl };
  // A read is suspicious if another owner answered, or another service than at the last apply, or if most bound objects are gone.
  const suspiciousReads = kindStates.flatMap(({ kind, read }): [string, string][] => {
    const reason = read.status === 'complete' ? suspiciousReadReason(kind, read.result.objects, account, input.ledgerState) : undefined;
    return reason === undefined ? [] : [[kind.name, reason]];
  });
  const liveCount = new Map(kindStates.map(({ kind, read }) => [kind.name, read.result.objects.length]));
  const onAirCount = new Map(
    kindStates.map(({ kind, read }) => [kind.name, read.result.objects.filter(({ fields }) => kind.isOnAir?.(fields)).length]),
  );
  return {
    target: name,
    ownership,
    protect,
    limits,
    weakening,
    playbackLoss,
    overrides: input.overrides,
    liveCount,
    onAirCount,
    suspiciousReads: new Map(suspiciousReads),
  };
}
