import { decide } from '../decide/decide.ts';
import { type CommandFacts, undecidedFacts } from '../decide/facts.ts';
import { evaluateGuards } from '../guards/evaluate.ts';
import type { ApiError, ApiService, Kind, LiveObject, RequestOptions } from '../kinds/kind.ts';
import { type SafetyCheck, writesOnService } from '../model/change.ts';
import { groupBy } from '../model/collections.ts';
import type { CheckOverride } from '../model/decision.ts';
import { yieldToEventLoop } from '../model/event-loop.ts';
import { compareFindings, type Finding } from '../model/finding.ts';
import type { PlanImpact } from '../model/impact.ts';
import type { LeftByOrigin, Plan, ReadStatus, UnreadKind } from '../model/plan.ts';
import { applySafetyChecks, overriddenByAddress, overriddenChecks } from '../safety/checks.ts';
import { withBindings } from '../state/bindings.ts';
import { isBehind, type PlannedChange, withPlaybackReasons } from '../state/planned-change.ts';
import type { LedgerState } from '../state/state.ts';
import { assetNamesIn } from './asset-names.ts';
import { type BeforeAfter, beforeAndAfter, type PlanImpactResult } from './before-after.ts';
import { diffKinds } from './diff-kinds.ts';
import { separateExpiredIgnores } from './ignored-fields.ts';
import type { PlanInput } from './input.ts';
import { isCollectionState, type KindRead, type KindState, ownerDigestOf } from './kind-state.ts';
import { ignoredOfUnchanged, type UndeclaredObject, unchangedResources, undeclaredObjects } from './left-alone.ts';
import { liftedPlan } from './lifted-plan.ts';
import { changeWarnings, followUpWarnings, liveWarnings, warningsToFindings } from './live-warnings.ts';
import { measureByName } from './measure-by-name.ts';
import { withOtherProjects } from './other-projects.ts';
import { completeChanges, type PlanContext, planDocument } from './plan-document.ts';
import { refreshKind, resourcesByPrefix } from './refresh.ts';
import { compareRiskyEdits } from './risky-edits.ts';
import { markChangesThatRollBack } from './rollback.ts';
import { safetyInput } from './safety-input.ts';
import { type FindObjectWithName, schedule } from './schedule.ts';
import { type SelectedByOrigin, selectByOrigin } from './select-by-origin.ts';

/** The plan document of one target, and what `apply`, the ledger and the reports need besides it. */
export interface PlanResult {
  readonly plan: Plan;
  /**
   * The changes of the plan document in its order, those under `behind` included, with what is needed to execute them. A change is under
   * `behind` if it would do nothing but roll back a newer commit.
   */
  readonly changes: readonly PlannedChange[];
  /** Warnings about what changes do or do not do beside the fields that they show. A drift report leaves them out. */
  readonly followUpWarnings: readonly Finding[];
  readonly context: PlanContext;
  /** What the commands that go on with the plan repeat. */
  readonly commands: CommandFacts;
  /** The read of each kind, by the name of the kind. */
  readonly readByKind: ReadonlyMap<string, KindRead>;
  /** The remote ID of every desired resource that was matched, by address; null for a setting. */
  readonly remoteIdByAddress: ReadonlyMap<string, string | null>;
  /**
   * Live objects that match no desired resource and are not deleted, grouped by kind and sorted by address: what the plan document counts as
   * `undeclared`. Objects that fit an address with an identity problem are not among them.
   */
  readonly undeclared: readonly UndeclaredObject[];
  /** All resources of the kinds that were read completely, before and after the plan. */
  readonly beforeAfter: BeforeAfter;
  /** Analyzes the impact on devices as if only the changes with these addresses were applied; null without impact. */
  readonly impactOf: (addresses: ReadonlySet<string>) => PlanImpact | null;
  /** What the ledger records, with what killed applies created; null without a ledger. */
  readonly ledgerState: LedgerState | null;
  /** Digest of the owner that the API responses name; null where no response names one. */
  readonly ownerDigest: string | null;
  /** The overridden safety checks (`--allow`), as if only the changes with these addresses were applied. */
  readonly overridesOf: (addresses: ReadonlySet<string>) => readonly CheckOverride[];
  /** The safety checks that an override alone lets a change pass, by its address. */
  readonly overriddenByAddress: () => ReadonlyMap<string, readonly SafetyCheck[]>;
  /** The errors that made reads incomplete. */
  readonly errors: readonly ApiError[];
}

/**
 * Builds the plan of one target. Its stages: refresh every kind and match live objects to desired resources (cases in match.ts; in prune.ts
 * what becomes of unclaimed objects), diff and find the origin of each difference, ask the ledgers of other projects, select by origin, find
 * what would roll back a newer commit, measure by its name what is called by it, analyze the impact, schedule (which needs the impact),
 * evaluate guards and safety checks, build the plan document. Writes nothing.
 *
 * Yields to the event loop between stages, because other targets of the run send requests and check their locks meanwhile.
 */
export async function buildPlan(given: PlanInput): Promise<PlanResult> {
  const service = countRequests(given.service);
  const kindStates = await refresh(given, service);
  const input = { ...given, ledgerState: withInterruptedCreates(given, kindStates) };
  const context = createPlanContext(input, input.now());
  const others = await withOtherProjects(await diffKinds(kindStates, input, context.now), kindStates, input);
  const differences = others.changes;
  const byOrigin = selectByOrigin(differences, input.selection);
  const marked = markChangesThatRollBack(byOrigin.selected, input, context.now);
  const measured = measureByName(marked, kindStates, ({ change }) => input.selection.has(change));
  const impact = input.analyzeImpact(beforeAndAfter(kindStates, measured.filter(isNotBehind)));
  const scheduled = schedule(withImpact(measured, impact), findObjectWithName(kindStates));
  await yieldToEventLoop();

  // Guards and limits count all changes of the kinds that were read, also those that `--only` does not select. They do not count the changes
  // under `behind`: the safety check `rollback` blocks these anyway (design section 12, rule 8).
  const counted = scheduled.filter(isNotBehind);
  const { target, guards, run, desiredState, severityRules: rules } = input;
  const guardResult = await evaluateGuards(counted, {
    target: target.name,
    run,
    guards,
    impacts: impact.byChange,
    positionOf: desiredState.positionOf,
    rules,
  });
  await yieldToEventLoop();
  const safety = { ...safetyInput(input, kindStates), denied: guardResult.denied };
  const checked = applySafetyChecks(scheduled, safety);
  const selected = checked.filter(({ change }) => input.selection.has(change));
  const changes = completeChanges(selected, context, input.desiredState);
  await yieldToEventLoop();

  const overridesOf: PlanResult['overridesOf'] = (addresses) => overriddenChecks(checked, safety, ({ address }) => addresses.has(address));
  const impactOf = impactAnalysis(kindStates, counted, input);
  const followUps = kindStates.flatMap((kindState) => followUpWarnings(kindState, counted, input));
  const besideChanges = kindStates.flatMap((kindState) => changeWarnings(kindState, counted, input));
  const accountWarnings = kindStates.flatMap((kindState) => liveWarnings(kindState, byOrigin.selected, input));
  const warnings = [...others.findings, ...accountWarnings, ...followUps, ...besideChanges, ...overwriteFindings(byOrigin, input)];
  await yieldToEventLoop();
  const undeclared = undeclaredObjects(kindStates, target.manages, 'managed').filter(input.selection.has);
  const unmanaged = undeclaredObjects(kindStates, target.manages, 'unmanaged').filter(input.selection.has);
  const addresses = new Set(changes.map(({ change }) => change.address));
  const unread = kindStates.flatMap(({ kind, read: { error } }) => (error ? [unreadKind(kind, error)] : []));
  const parts = {
    config: input.config,
    readStatus: Object.fromEntries(kindStates.map(({ kind, read }): [string, ReadStatus] => [kind.name, read.status])),
    findings: [...input.desiredState.findings, ...guardResult.findings, ...warnings].sort(compareFindings),
    unchanged: unchangedResources(kindStates, differences).filter(input.selection.has).length,
    undeclared: undeclared.length,
    unmanaged: unmanaged.length,
    recognized: recognizedByName(changes, input),
    reads: service.requestCount(),
    impact: impactOf(addresses),
    ignored: ignoredOfUnchanged(kindStates, differences).filter(input.selection.has),
    leftOut: leftOutOf(byOrigin, input),
    unread,
  };
  const document = planDocument(changes, context, { ...parts, overrides: overridesOf(addresses) });
  const lifted = liftedPlan({
    scheduled,
    planned: changes,
    safety,
    documentOf: (free, overrides) => planDocument(completeChanges(free, context, input.desiredState), context, { ...parts, overrides }),
  });
  const commands = { scope: input.commandScope, lifted };
  const decision = decide({ ...undecidedFacts(document, target.name, context.now), overrides: input.overrides, commands });
  return {
    plan: { ...document, decision, ...assetNamesIn(document.changes, input.desiredState.resources) },
    commands,
    changes,
    followUpWarnings: followUps,
    context,
    readByKind: new Map(kindStates.map(({ kind, read }) => [kind.name, read])),
    remoteIdByAddress: new Map(
      kindStates.flatMap(({ match }) => [...match.liveByAddress].map(([address, live]): [string, string | null] => [address, live.id])),
    ),
    undeclared,
    beforeAfter: beforeAndAfter(kindStates, counted),
    impactOf,
    ledgerState: input.ledgerState,
    ownerDigest: ownerDigestOf(kindStates),
    overridesOf,
    overriddenByAddress: () => overriddenByAddress(checked, safety),
    errors: kindStates.flatMap(({ read }) => read.error ?? []),
  };
}

/**
 * Refreshes and matches every kind. `ignore_changes` is looked at as of the beginning of the reads, which may take minutes: which of its
 * entries have expired, and (for `drift`) which edits by hand of ignored fields are risky. The later stages use the time after the reads.
 */
async function refresh(input: PlanInput, service: ApiService): Promise<readonly KindState[]> {
  const startedAt = input.now();
  const byPrefix = resourcesByPrefix(input.desiredState.resources.map((each) => separateExpiredIgnores(each, startedAt)));
  const refreshed = await Promise.all(input.kinds.map((kind) => refreshKind(kind, input, service, byPrefix)));
  // A drift report also shows an ignored field whose edit by hand weakens protection or stops playback.
  return input.reportsRiskyEditsOfIgnoredFields ? compareRiskyEdits(refreshed, input, startedAt) : refreshed;
}

/** Returns what the ledger records, with what killed applies created. */
function withInterruptedCreates({ ledgerState }: PlanInput, kindStates: readonly KindState[]): LedgerState | null {
  return kindStates
    .filter(isCollectionState)
    .reduce((state, { interruptedCreates }) => withBindings(state, interruptedCreates), ledgerState);
}

/** Adds the playback that devices lose or gain to the changes that cause it. */
function withImpact(planned: readonly PlannedChange[], { playbackReasons }: PlanImpactResult): readonly PlannedChange[] {
  return planned.map((each) => {
    const { change } = each;
    return writesOnService(change) ? { ...each, change: withPlaybackReasons(change, playbackReasons.get(change.address)) } : each;
  });
}

/** False for a change that would do nothing but roll back what a newer commit has brought: the plan does not count it. */
function isNotBehind(planned: PlannedChange): boolean {
  return !isBehind(planned);
}

function unreadKind({ name }: Kind, { category, what }: ApiError): UnreadKind {
  return { kind: name, refused: category === 'credentials', ...(category === 'not-found' ? { notFound: true } : {}), reason: what };
}

/** Counts the updates whose objects are known by nothing but their names: there is no ledger, and no ID in the declaration. */
function recognizedByName(changes: readonly PlannedChange[], { ledgerState, desiredState }: PlanInput): number | undefined {
  if (ledgerState !== null) return undefined;
  const byName = changes.filter(({ kind, change, desired }) => {
    if (kind.type === 'setting' || change.action !== 'update' || desired === null) return false;
    return !desired.matchKeys.some((key) => 'id' in key) && !desiredState.adopt.has(change.address);
  });
  return byName.length;
}

/** Returns what `--only-origin` leaves out; undefined where that is nothing. */
function leftOutOf({ leftOut }: SelectedByOrigin, { selection }: PlanInput): LeftByOrigin | undefined {
  const count = leftOut.filter(selection.has).length;
  return selection.origin === null || count === 0 ? undefined : { onlyOrigin: selection.origin, count };
}

/** Returns the warnings about fields that are overwritten although their origin is not selected. */
function overwriteFindings({ overwriteWarnings }: SelectedByOrigin, input: PlanInput): readonly Finding[] {
  return overwriteWarnings
    .filter(({ planned }) => input.selection.has(planned.change))
    .flatMap(({ planned: { kind, desired }, warning }) =>
      warningsToFindings([warning], { kind, resources: desired ? [desired] : [] }, input),
    );
}

/** Returns a function that analyzes the impact of the changes with the given addresses. */
function impactAnalysis(kindStates: readonly KindState[], planned: readonly PlannedChange[], input: PlanInput): PlanResult['impactOf'] {
  return (addresses) => {
    const selected = planned.filter(({ change }) => addresses.has(change.address));
    return input.analyzeImpact(beforeAndAfter(kindStates, selected)).summary;
  };
}

/** Returns a function that finds the live object with a given name, for the kinds whose names are unique. */
function findObjectWithName(kindStates: readonly KindState[]): FindObjectWithName {
  const unique = kindStates.filter(isCollectionState).filter(({ kind }) => kind.hasUniqueRemoteNames);
  const byRemoteName = new Map<Kind, ReadonlyMap<string, readonly LiveObject[]>>(
    unique.map(({ kind, read }) => [kind, groupBy(read.result.objects, ({ remoteName }) => remoteName)]),
  );
  return (kind, name) => byRemoteName.get(kind)?.get(name)?.[0];
}

function createPlanContext(input: PlanInput, now: number): PlanContext {
  const { name, baseUrl, service: serviceOptions } = input.target;
  const requestOptions: RequestOptions = { bulkLimit: serviceOptions.smartStartBulkLimit };
  return { target: name, baseUrl, owner: input.owner, requestOptions, resettableMembers: serviceOptions.resettableMembers, now };
}

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
