import { evaluateGuards } from '../guards/evaluate.ts';
import type { ApiError, ApiService, KindSettings, LiveResource } from '../kinds/kind.ts';
import type { SafetyCheck } from '../model/change.ts';
import { yieldToEventLoop } from '../model/event-loop.ts';
import { compareFindings, compareStrings } from '../model/finding.ts';
import { groupBy } from '../model/group-by.ts';
import type { PlanImpact } from '../model/impact.ts';
import type { Plan, ReadStatus } from '../model/plan.ts';
import { applySafetyChecks, overriddenChecks } from '../safety/checks.ts';
import { type ChangeDraft, writesOnService } from '../state/change-draft.ts';
import { groupByKindPrefix, suspiciousReadReason, withAdoptionsAndMoves } from '../state/ownership.ts';
import { beforeAndAfter } from './before-after.ts';
import { withOrigin } from './change-origin.ts';
import { diffResources } from './diff-resources.ts';
import { filterByOrigin } from './filter-by-origin.ts';
import type { BeforeAfter } from './impact-port.ts';
import type { PlanInput } from './input.ts';
import { type KindState, matchesOnly, ownerDigest, refreshKind, unmanagedAddresses } from './kind-state.ts';
import { liveWarnings } from './live-warnings.ts';
import { type ExecutableChange, type PlanContext, planChanges, planDocument } from './plan-document.ts';
import type { KindRead } from './refresh.ts';
import { schedule } from './schedule.ts';
import { withSourceLocation } from './source-location.ts';

/** What a run came to: the document, and what carrying it out and remembering it needs. */
export interface PlanResult {
  readonly plan: Plan;
  readonly steps: readonly ExecutableChange[];
  readonly context: PlanContext;
  readonly reads: ReadonlyMap<string, KindRead>;
  /** The remote ID of every declared address that was recognised. */
  readonly pairs: ReadonlyMap<string, string>;
  /** Live objects that nobody declares, and that stay. */
  readonly unmanaged: readonly { readonly address: string; readonly name: string }[];
  /** Both sides of what was read. */
  readonly beforeAfter: BeforeAfter;
  /** What is told of devices where only these addresses are written. */
  readonly impactOf: (addresses: ReadonlySet<string>) => PlanImpact | null;
  /** Digest of the owner that the account's answers name; null where none does. */
  readonly ownerDigest: string | null;
  /** How many changes go ahead only because the user released a brake, by brake. */
  readonly overridden: ReadonlyMap<SafetyCheck, number>;
  /** Why kinds are incomplete. */
  readonly errors: readonly ApiError[];
}

/** The story of a run: look at the account, recognise what belongs to whom, compare, attribute, order, brake, and draw the plan. Writes nothing. */
export async function buildPlan(input: PlanInput): Promise<PlanResult> {
  const reader = countingReads(input.service);
  const declared = groupByKindPrefix(input.desiredState.resources);
  const kindStates = await Promise.all(input.kinds.map((kind) => refreshKind(kind, input, reader, declared)));
  const context = contextOf(input, input.now());
  const whole: (readonly ChangeDraft[])[] = [];
  for (const kindState of kindStates) {
    // Other targets of the run send requests meanwhile, and look at their locks.
    await yieldToEventLoop();
    whole.push(draftChanges(kindState, input, context.now));
  }
  await yieldToEventLoop();
  const filtered = whole.map((part) => filterByOrigin(part, input.onlyOrigin));
  const drafts = filtered.flatMap((part) => part.steps);
  const scheduled = schedule(drafts, nameOwner(kindStates));
  await yieldToEventLoop();
  const beforeAfter = beforeAndAfter(kindStates, scheduled);
  const { denied, findings } = await evaluateGuards(scheduled, {
    target: input.target.name,
    guards: input.guards,
    impacts: input.guards.length === 0 ? new Map() : input.analyzeImpact(beforeAfter).byChange,
    rules: input.rules,
  });
  await yieldToEventLoop();
  const brakes = { ...safetyInput(input, kindStates), denied };
  const checked = applySafetyChecks(scheduled, brakes);
  const planned = planChanges(
    checked.filter((change) => matchesOnly(input.only, change.address)),
    context,
  ).map((step) => withSourceLocation(step, input.desiredState));
  await yieldToEventLoop();
  const unmanaged = unmanagedOf(kindStates, input);
  const notes = [
    ...kindStates.flatMap((kindState) => liveWarnings(kindState, drafts, input)),
    ...filtered.flatMap((part) => part.findings(input)),
  ];
  const impactOf = (addresses: ReadonlySet<string>) =>
    input.analyzeImpact(
      beforeAndAfter(
        kindStates,
        scheduled.filter(({ address }) => addresses.has(address)),
      ),
    ).summary;
  await yieldToEventLoop();
  const plan = planDocument(planned, context, {
    config: input.config,
    observed: Object.fromEntries(kindStates.map(({ kind, read }): [string, ReadStatus] => [kind.name, read.status])),
    findings: [...input.desiredState.findings, ...findings, ...notes].sort(compareFindings),
    unchanged: unchangedOf(kindStates, whole.flat(), input),
    unmanaged: unmanaged.length,
    reads: reader.reads(),
    impact: impactOf(new Set(planned.map(({ change }) => change.address))),
  });
  return {
    plan,
    steps: planned,
    context,
    reads: new Map(kindStates.map((kindState) => [kindState.kind.name, kindState.read])),
    pairs: new Map(kindStates.flatMap(({ match }) => [...match.pairs].map(([address, live]): [string, string] => [address, live.id]))),
    unmanaged,
    beforeAfter,
    impactOf,
    ownerDigest: ownerOf(kindStates),
    overridden: overriddenChecks(checked, brakes, (change) => matchesOnly(input.only, change.address)),
    errors: kindStates.flatMap((kindState) => kindState.read.error ?? []),
  };
}

/** An incomplete read is never turned into a change. */
function draftChanges({ kind, resources, read, match, unmatched }: KindState, input: PlanInput, now: number): readonly ChangeDraft[] {
  if (read.status !== 'complete') return [];
  const drafts = diffResources(kind, resources, match, unmatched.toDelete, now);
  const owned = withAdoptionsAndMoves(kind, resources, match, drafts, input.desiredState.adopt, {
    state: input.state,
    ownership: input.target.ownership,
  });
  return [...owned, ...unmatched.toForget].map((draft) =>
    writesOnService(draft.action) ? withOrigin(draft, input.lastApplied, now) : draft,
  );
}

function safetyInput(input: PlanInput, kindStates: readonly KindState[]) {
  const { name, ownership, protect, limits, loosening } = input.target;
  const doubts = kindStates.flatMap(({ kind, read }): [string, string][] => {
    const why = read.status === 'complete' ? suspiciousReadReason(kind, read.result.objects, ownerOf(kindStates), input.state) : undefined;
    return why === undefined ? [] : [[kind.name, why]];
  });
  const live = new Map(kindStates.map(({ kind, read }) => [kind.name, read.result.objects.length]));
  return { target: name, ownership, protect, limits, loosening, overrides: input.overrides, live, suspiciousReads: new Map(doubts) };
}

function unmanagedOf(kindStates: readonly KindState[], input: PlanInput): PlanResult['unmanaged'] {
  return kindStates.flatMap((kindState) =>
    unmanagedAddresses(kindState)
      .map(({ address, live }) => ({ address, name: live.label }))
      .filter(({ address }) => matchesOnly(input.only, address))
      .sort((a, b) => compareStrings(a.address, b.address)),
  );
}

function unchangedOf(kindStates: readonly KindState[], drafts: readonly ChangeDraft[], input: PlanInput): number {
  const changed = new Set(drafts.filter((draft) => writesOnService(draft.action)).map((draft) => draft.address));
  const complete = kindStates.filter((kindState) => kindState.read.status === 'complete');
  return complete
    .flatMap((kindState) => kindState.resources)
    .filter(({ address }) => matchesOnly(input.only, address) && !changed.has(address)).length;
}

/** The live object that has the name which a step is to get. */
function nameOwner(kindStates: readonly KindState[]): (draft: ChangeDraft) => LiveResource | undefined {
  const unique = kindStates.filter((kindState) => kindState.kind.uniqueLabels);
  const keepers = new Map(unique.map(({ kind, read }) => [kind, groupBy(read.result.objects, (live: LiveResource) => live.label)]));
  return (draft) =>
    keepers
      .get(draft.kind)
      ?.get(draft.desired?.label ?? '')
      ?.find((live) => live.id !== draft.live?.id);
}

function ownerOf(kindStates: readonly KindState[]): string | null {
  const owner = kindStates.map((kindState) => kindState.read.result.owner).find((each) => each !== undefined);
  return owner === undefined ? null : ownerDigest(owner);
}

function contextOf(input: PlanInput, now: number): PlanContext {
  const { name, baseUrl, service } = input.target;
  const settings: KindSettings = { smartStartBatch: service.smartStartBatch };
  return { target: name, baseUrl, owner: input.owner, settings, now };
}

function countingReads(service: ApiService): ApiService & { reads(): number } {
  let reads = 0;
  return {
    send(request) {
      reads += 1;
      return service.send(request);
    },
    reads: () => reads,
  };
}
