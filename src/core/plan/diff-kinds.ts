/** Diffs the kinds of an account: the differences between the repository and what was read, and where each comes from. */
import { yieldToEventLoop } from '../model/event-loop.ts';
import { withAdoptionsAndMoves } from '../state/bindings.ts';
import type { PlannedChange } from '../state/planned-change.ts';
import { withOrigins } from './change-origin.ts';
import { diffResources, diffSetting } from './diff-resources.ts';
import { whyNotSendable } from './ignored-fields.ts';
import type { PlanInput } from './input.ts';
import { type CollectionState, isCollectionState, type KindState } from './kind-state.ts';

/** Returns the changes of all kinds with their origins; `now` in Unix milliseconds. Yields to the event loop between kinds. */
export async function diffKinds(kindStates: readonly KindState[], input: PlanInput, now: number): Promise<readonly PlannedChange[]> {
  const planned: (readonly PlannedChange[])[] = [];
  for (const kindState of kindStates) {
    await yieldToEventLoop();
    planned.push(diffKind(kindState, input, now));
  }
  await yieldToEventLoop();
  return planned.flat();
}

/** An incomplete read never leads to a change. */
function diffKind(kindState: KindState, input: PlanInput, now: number): readonly PlannedChange[] {
  const { kind, resources, read, match } = kindState;
  if (read.status !== 'complete') return [];
  const differences = isCollectionState(kindState) ? diffCollection(kindState, input, now) : diffSetting(kind, resources, match, now);
  const sendable = differences.map((planned): PlannedChange => {
    if (planned.change.action !== 'update') return planned;
    // Without partial updates, the whole resource is sent, with the live values of ignored fields; both together may be invalid.
    const reason = whyNotSendable(kind, planned, input.whyNotDeclarable, now);
    return reason === undefined ? planned : { ...planned, whyNotSendable: reason };
  });
  return withOrigins(sendable, input.lastApplied, now);
}

function diffCollection(kindState: CollectionState, input: PlanInput, now: number): readonly PlannedChange[] {
  const { kind, resources, match, pruning, unseenCreates } = kindState;
  const differences = diffResources(kind, resources, match, pruning.toDelete, now).map((planned): PlannedChange => {
    const unseenCreate = planned.change.action === 'create' ? unseenCreates.get(planned.change.address) : undefined;
    return unseenCreate === undefined ? planned : { ...planned, unseenCreate };
  });
  const { ledgerState, target, desiredState, earlierBindings, sentCreates } = input;
  const bound = withAdoptionsAndMoves(kind, resources, match.liveByAddress, differences, {
    state: ledgerState,
    ownership: target.ownership,
    manages: target.manages,
    adopt: desiredState.adopt,
    earlierBindings,
    sentCreates,
  });
  return [...bound, ...pruning.forgets];
}
