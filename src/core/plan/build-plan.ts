import { evaluateGuards, type GuardInput } from '../guards/evaluate.ts';
import type { ApiError, ApiService, DesiredResource, Kind, LiveObject, RequestOptions } from '../kinds/kind.ts';
import { type CheckOverride, writesOnService } from '../model/change.ts';
import { groupBy } from '../model/collections.ts';
import { yieldToEventLoop } from '../model/event-loop.ts';
import { compareFindings, compareStrings, type Finding } from '../model/finding.ts';
import type { PlanImpact } from '../model/impact.ts';
import type { AddressedIgnoredValue, LeftOut, Plan, ReadStatus } from '../model/plan.ts';
import { applySafetyChecks, overriddenChecks, type SafetyInput } from '../safety/checks.ts';
import { suspiciousReadReason, withAdoptionsAndMoves } from '../state/bindings.ts';
import { type ChangeDraft, isBehind, type ScheduledChange, withPlaybackReasons } from '../state/change-draft.ts';
import { ownerDigest } from '../state/state.ts';
import { assetNamesIn } from './asset-names.ts';
import { type BeforeAfter, beforeAndAfter, type PlanImpactResult } from './before-after.ts';
import { withOrigins } from './change-origin.ts';
import { diffResources, diffSetting } from './diff-resources.ts';
import { isAddressSelected } from './filter-by-address.ts';
import { filterByOrigin } from './filter-by-origin.ts';
import { differingIgnoredValues, separateExpiredIgnores, whyNotSendable } from './ignored-fields.ts';
import type { PlanInput } from './input.ts';
import { type CollectionState, isCollectionState, type KindRead, type KindState } from './kind-state.ts';
import { followUpWarnings, liveWarnings } from './live-warnings.ts';
import { type ExecutableChange, type PlanContext, planDocument, toExecutableChanges, withSourceLocation } from './plan-document.ts';
import { refreshKind, resourcesByPrefix } from './refresh.ts';
import { compareRiskyEdits } from './risky-edits.ts';
import { markChangesThatRollBack } from './rollback.ts';
import { type FindObjectWithName, schedule } from './schedule.ts';

/** The plan document of one target, and what `apply`, the ledger and the reports need besides it. */
export interface PlanResult {
  readonly plan: Plan;
  /**
   * The changes of the plan document in its order, those under `behind` included, with what is needed to execute them. A change is under
   * `behind` if it would do nothing but roll back a newer commit.
   */
  readonly changes: readonly ExecutableChange[];
  /** Warnings about what refers to a changed resource and is not updated by upkeep, such as playback URLs. A drift report leaves them out. */
  readonly followUpWarnings: readonly Finding[];
  readonly context: PlanContext;
  /** The read of each kind, by the name of the kind. */
  readonly readByKind: ReadonlyMap<string, KindRead>;
  /** The remote ID of every desired resource that was matched, by address; null for a setting. */
  readonly remoteIdByAddress: ReadonlyMap<string, string | null>;
  /**
   * Live objects that match no desired resource and are not deleted, grouped by kind and sorted by address: what the plan document counts as
   * `undeclared`. Objects that fit an address with an identity problem are not among them.
   */
  readonly undeclared: readonly { readonly address: string; readonly name: string }[];
  /** All resources of the kinds that were read completely, before and after the plan. */
  readonly beforeAfter: BeforeAfter;
  /** Analyzes the impact on devices as if only the changes with these addresses were applied; null without impact. */
  readonly impactOf: (addresses: ReadonlySet<string>) => PlanImpact | null;
  /** Digest of the owner that the API responses name; null where no response names one. */
  readonly ownerDigest: string | null;
  /** The overridden safety checks (`--allow`), as if only the changes with these addresses were applied. */
  readonly overridesOf: (addresses: ReadonlySet<string>) => readonly CheckOverride[];
  /** The errors that made reads incomplete. */
  readonly errors: readonly ApiError[];
}

/**
 * Builds the plan of one target: refresh every kind, match live objects to desired resources (cases in match.ts), decide what becomes of
 * unmatched objects (cases in core/state/prune.ts), diff, find the origin of each difference, filter, find the changes that would roll back a
 * newer commit, analyze the impact, schedule (which needs the impact), evaluate guards and safety checks, build the plan document. Writes
 * nothing.
 *
 * Yields to the event loop between stages, because other targets of the run send requests and check their locks meanwhile.
 */
export async function buildPlan(input: PlanInput): Promise<PlanResult> {
  // Refresh and match.
  const countedService = countRequests(input.service);
  // Reads may take minutes. `ignore_changes` is looked at as of `startedAt`: which of its entries have expired, and (for `drift`) which edits
  // by hand of ignored fields are risky. The later stages, and rollback.ts, use the time after the reads.
  const startedAt = input.now();
  const resourcesByAddressPrefix = resourcesByPrefix(input.desiredState.resources.map((each) => separateExpiredIgnores(each, startedAt)));
  const refreshed = await Promise.all(input.kinds.map((kind) => refreshKind(kind, input, countedService, resourcesByAddressPrefix)));
  // A drift report also shows an ignored field whose edit by hand weakens protection or stops playback.
  const kindStates = input.reportsRiskyEditsOfIgnoredFields ? compareRiskyEdits(refreshed, input, startedAt) : refreshed;
  const context = createPlanContext(input, input.now());

  // Diff, origin, filter, rollback, impact, schedule.
  const drafts = await draftChanges(kindStates, input, context.now);
  const filtered = filterByOrigin(drafts, input.onlyOrigin);
  const marked = markChangesThatRollBack(filtered.drafts, input, context.now);
  const impact = input.analyzeImpact(beforeAndAfter(kindStates, marked.filter(isNotBehind)));
  const assessed = marked.map((draft) =>
    writesOnService(draft) ? withPlaybackReasons(draft, impact.playbackReasons.get(draft.address)) : draft,
  );
  const scheduled = schedule(assessed, findObjectWithName(kindStates));
  await yieldToEventLoop();

  // Guards see all scheduled changes of the kinds that were read, also those that `--only` does not select. They do not see the changes under
  // `behind`: the safety check `rollback` blocks these anyway, and no limit counts them (design section 12, rule 8).
  const notBehind = scheduled.filter(isNotBehind);
  const beforeAfter = beforeAndAfter(kindStates, notBehind);
  const impactOf = impactAnalysis(kindStates, notBehind, input);
  const guardResult = await evaluateGuards(notBehind, guardInput(input, impact));
  await yieldToEventLoop();
  const safety = { ...safetyInput(input, kindStates), denied: guardResult.denied };
  const checked = applySafetyChecks(scheduled, safety);

  // Plan document. Changes are filtered by `--only` only here: phases, waves, limits and guards were computed from all changes
  // of the kinds that were read.
  const isSelected = ({ address }: { readonly address: string }) => isAddressSelected(input.only, address);
  const executables = toExecutableChanges(checked.filter(isSelected), context).map((executable) =>
    withSourceLocation(executable, input.desiredState),
  );
  await yieldToEventLoop();
  const undeclared = undeclaredObjects(kindStates).filter(isSelected);
  const changeWarnings = kindStates.flatMap((kindState) => followUpWarnings(kindState, notBehind, input));
  const accountWarnings = kindStates.flatMap((kindState) => liveWarnings(kindState, filtered.drafts, input));
  const warnings = [...accountWarnings, ...changeWarnings, ...filtered.overwriteWarnings(input)];
  await yieldToEventLoop();
  const overridesOf: PlanResult['overridesOf'] = (addresses) => overriddenChecks(checked, safety, ({ address }) => addresses.has(address));
  const addresses = new Set(executables.map(({ change }) => change.address));
  const readStatusByKind = Object.fromEntries(kindStates.map(({ kind, read }): [string, ReadStatus] => [kind.name, read.status]));
  const document = planDocument(executables, context, {
    config: input.config,
    readStatus: readStatusByKind,
    findings: [...input.desiredState.findings, ...guardResult.findings, ...warnings].sort(compareFindings),
    unchanged: unchangedResources(kindStates, drafts).filter(isSelected).length,
    undeclared: undeclared.length,
    reads: countedService.requestCount(),
    impact: impactOf(addresses),
    overrides: overridesOf(addresses),
    ignored: ignoredOfUnchanged(kindStates, drafts).filter(isSelected),
    leftOut: leftOutOf(
      filtered.leftOut.filter((address) => isSelected({ address })),
      input,
    ),
    unread: kindStates.flatMap(({ kind, read: { error } }) =>
      error ? [{ kind: kind.name, refused: error.category === 'credentials', reason: error.what }] : [],
    ),
  });
  const plan = { ...document, ...assetNamesIn(document.changes, input.desiredState.resources) };
  return {
    plan,
    changes: executables,
    followUpWarnings: changeWarnings,
    context,
    readByKind: new Map(kindStates.map(({ kind, read }) => [kind.name, read])),
    remoteIdByAddress: new Map(
      kindStates.flatMap(({ match }) => [...match.liveByAddress].map(([address, live]): [string, string | null] => [address, live.id])),
    ),
    undeclared,
    beforeAfter,
    impactOf,
    ownerDigest: ownerDigestOf(kindStates),
    overridesOf,
    errors: kindStates.flatMap(({ read }) => read.error ?? []),
  };
}

/** False for a change that would do nothing but roll back what a newer commit has brought: the plan does not count it. */
function isNotBehind(draft: ChangeDraft): boolean {
  return !isBehind(draft);
}

/** Returns what `--only-origin` leaves out; undefined where that is nothing. */
function leftOutOf({ length: count }: readonly string[], { onlyOrigin }: PlanInput): LeftOut | undefined {
  return onlyOrigin === null || count === 0 ? undefined : { onlyOrigin, count };
}

/** Diffs kind by kind and finds the origin of each difference. `now` in Unix milliseconds. */
async function draftChanges(kindStates: readonly KindState[], input: PlanInput, now: number): Promise<readonly ChangeDraft[]> {
  const drafts: (readonly ChangeDraft[])[] = [];
  for (const kindState of kindStates) {
    await yieldToEventLoop();
    drafts.push(draftChangesOfKind(kindState, input, now));
  }
  await yieldToEventLoop();
  return drafts.flat();
}

/** Diffs one kind and finds the origin of each difference. An incomplete read never leads to a change. */
function draftChangesOfKind(kindState: KindState, input: PlanInput, now: number): readonly ChangeDraft[] {
  const { kind, resources, read, match } = kindState;
  if (read.status !== 'complete') return [];
  const drafts = isCollectionState(kindState) ? draftCollection(kindState, input, now) : diffSetting(kind, resources, match, now);
  const checked = drafts.map((draft): ChangeDraft => {
    if (draft.action !== 'update') return draft;
    // Without partial updates, the whole resource is sent, with the live values of ignored fields; both together may be invalid.
    const reason = whyNotSendable(kind, draft, input.whyNotDeclarable, now);
    return reason === undefined ? draft : { ...draft, whyNotSendable: reason };
  });
  return withOrigins(checked, input.lastApplied, now);
}

function draftCollection({ kind, resources, match, pruning }: CollectionState, input: PlanInput, now: number): readonly ChangeDraft[] {
  const differences = diffResources(kind, resources, match, pruning.toDelete, now);
  const { ledgerState, target, desiredState } = input;
  const drafts = withAdoptionsAndMoves(kind, resources, match.liveByAddress, differences, desiredState.adopt, {
    state: ledgerState,
    ownership: target.ownership,
  });
  return [...drafts, ...pruning.forgetDrafts];
}

/** Returns a function that analyzes the impact of the changes with the given addresses. */
function impactAnalysis(kindStates: readonly KindState[], changes: readonly ScheduledChange[], input: PlanInput): PlanResult['impactOf'] {
  return (addresses) => {
    const selected = changes.filter(({ address }) => addresses.has(address));
    return input.analyzeImpact(beforeAndAfter(kindStates, selected)).summary;
  };
}

/** Guards see the impact of each change. */
function guardInput({ target, guards, severityRules }: PlanInput, { byChange }: PlanImpactResult): GuardInput {
  return { target: target.name, guards, impacts: byChange, rules: severityRules };
}

function safetyInput(input: PlanInput, kindStates: readonly KindState[]): Omit<SafetyInput, 'denied'> {
  const { name, ownership, protect, limits, weakening, playbackLoss } = input.target;
  // A read is suspicious if another owner answered, or if most bound objects are gone.
  const suspiciousReads = kindStates.flatMap(({ kind, read }): [string, string][] => {
    const reason =
      read.status === 'complete'
        ? suspiciousReadReason(kind, read.result.objects, ownerDigestOf(kindStates), input.ledgerState)
        : undefined;
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

function undeclaredObjects(kindStates: readonly KindState[]): PlanResult['undeclared'] {
  return kindStates.flatMap((kindState) =>
    isCollectionState(kindState)
      ? kindState.pruning.kept
          .map((live) => ({ address: kindState.kind.idAddress(live), name: live.remoteName }))
          .sort((a, b) => compareStrings(a.address, b.address))
      : [],
  );
}

/**
 * Of the completely read kinds, returns the desired resources that no draft writes. `drafts` are those before the filter by origin, because
 * a resource whose change `--only-origin` leaves out is not unchanged.
 */
function unchangedResources(kindStates: readonly KindState[], drafts: readonly ChangeDraft[]): readonly DesiredResource[] {
  const changed = new Set(drafts.filter(writesOnService).map((draft) => draft.address));
  return kindStates
    .filter(({ read }) => read.status === 'complete')
    .flatMap(({ resources }) => resources)
    .filter(({ address }) => !changed.has(address));
}

/** For resources without a change, returns the ignored fields whose live values differ from the declared ones. */
function ignoredOfUnchanged(kindStates: readonly KindState[], drafts: readonly ChangeDraft[]): readonly AddressedIgnoredValue[] {
  const changed = new Set(drafts.map((draft) => draft.address));
  return kindStates.flatMap(({ resources, match }) =>
    resources.flatMap((declared) => {
      const { address } = declared;
      const live = changed.has(address) ? undefined : match.liveByAddress.get(address);
      return live ? differingIgnoredValues(declared, live).map((value) => ({ address, ...value })) : [];
    }),
  );
}

/** Returns a function that finds the live object with a given name, for the kinds whose names are unique. */
function findObjectWithName(kindStates: readonly KindState[]): FindObjectWithName {
  const unique = kindStates.filter(isCollectionState).filter(({ kind }) => kind.hasUniqueRemoteNames);
  const byRemoteName = new Map<Kind, ReadonlyMap<string, readonly LiveObject[]>>(
    unique.map(({ kind, read }) => [kind, groupBy(read.result.objects, ({ remoteName }) => remoteName)]),
  );
  return (kind, name) => byRemoteName.get(kind)?.get(name)?.[0];
}

function ownerDigestOf(kindStates: readonly KindState[]): string | null {
  const owner = kindStates.map(({ read }) => read.result.owner).find((userId) => userId !== undefined);
  return owner === undefined ? null : ownerDigest(owner);
}

function createPlanContext(input: PlanInput, now: number): PlanContext {
  const { name, baseUrl, service: serviceOptions } = input.target;
  const requestOptions: RequestOptions = { bulkLimit: serviceOptions.smartStartBulkLimit };
  return { target: name, baseUrl, owner: input.owner, requestOptions, now };
}

/** Wraps an API client so that it counts its requests. */
function countRequests(service: ApiService): ApiService & { requestCount(): number } {
  let count = 0;
  return {
    send(request, addresses) {
      count += 1;
      return service.send(request, addresses);
    },
    requestCount: () => count,
  };
}
