import { createHash } from 'node:crypto';
import type { DesiredState } from '../config/desired-state.ts';
import { sentChanges, waves } from '../decide/sent.ts';
import type { RequestOptions, WriteRequest } from '../kinds/kind.ts';
import { type Change, writesOnService } from '../model/change.ts';
import type { CheckOverride } from '../model/decision.ts';
import type { PlanImpact } from '../model/impact.ts';
import { type Json, stableJson } from '../model/json.ts';
import type { AddressedIgnoredValue, LeftByOrigin, Plan, PlanSummary, UnreadKind } from '../model/plan.ts';
import { scopeOf } from '../model/plan-scope.ts';
import { declarationPlace, isBehind, type PlannedChange, withChange } from '../state/planned-change.ts';
import { ignoredValues, withPlaceholdersForIgnored } from './ignored-fields.ts';
import { digestPart, plannedRequests, type RequestSequence, requestSequences } from './request-sequences.ts';
import { risksOf } from './risks.ts';

/** What the plan document is built from, besides the changes. `now` in Unix milliseconds. */
export interface PlanContext {
  readonly target: string;
  readonly baseUrl: string;
  readonly owner: string;
  readonly requestOptions: RequestOptions;
  /** JSON Pointers of members that upkeep does not know and that an update may reset (`service.resettable_members`). */
  readonly resettableMembers: readonly string[];
  readonly now: number;
}

/**
 * Completes changes for the plan document: the live values of their ignored fields, their digests, and for reports where their resources are
 * declared. Pure: no client, clock, log or color.
 */
export function completeChanges(
  changes: readonly PlannedChange[],
  context: PlanContext,
  places: Pick<DesiredState, 'positionOf'>,
): readonly PlannedChange[] {
  return changes.map((planned) => {
    const { kind, change, desired, live } = planned;
    const ignored = desired && live ? ignoredValues(desired, live) : [];
    const masked = { ...planned, ...withPlaceholdersForIgnored(kind, planned) };
    const requests = digestPart(writesOf(masked, context.requestOptions, context.now));
    const declaredAt = declarationPlace(planned, places);
    return withChange(planned, {
      ...(ignored.length === 0 ? {} : { ignored }),
      digest: digestOf(change, live, requests),
      ...(declaredAt ? { declared: { file: declaredAt.file, line: declaredAt.line, column: declaredAt.column } } : {}),
    });
  });
}

/**
 * Builds the plan document. Its requests, like those in the digests, have a placeholder for each ignored field. `rest` holds the parts that
 * are not derived from the changes.
 */
export function planDocument(
  planned: readonly PlannedChange[],
  context: PlanContext,
  rest: Pick<Plan, 'config' | 'readStatus' | 'findings'> & {
    readonly unchanged: number;
    readonly undeclared: number;
    readonly unmanaged?: number | undefined;
    readonly recognized?: number | undefined;
    readonly reads: number;
    readonly impact: PlanImpact | null;
    readonly overrides: readonly CheckOverride[];
    readonly unread: readonly UnreadKind[];
    readonly ignored: readonly AddressedIgnoredValue[];
    readonly leftOut?: LeftByOrigin | undefined;
  },
): Plan {
  const changes = planned.filter((each) => !isBehind(each)).map(({ change }) => change);
  const behind = planned.filter(isBehind).map(({ change }) => change);
  const unreadKinds = rest.unread.map(({ kind }) => kind);
  const sent = sentChanges(planned, unreadKinds).map(
    (each): PlannedChange => ({ ...each, ...withPlaceholdersForIgnored(each.kind, each) }),
  );
  const leftOut = rest.leftOut ? { leftOut: rest.leftOut } : {};
  const digests = changes.map(({ digest }) => digest);
  const requests = plannedRequests(waves(sent).flatMap((wave) => requestSequencesOf(wave, context.requestOptions, context.now)));
  return {
    schemaVersion: 1,
    target: context.target,
    ...(scopeOf({ readStatus: rest.readStatus, unread: rest.unread, ...leftOut }) === 'none'
      ? {}
      : { fingerprint: planFingerprint(context, digests, rest) }),
    ...(rest.unread.length === 0 ? {} : { unread: rest.unread }),
    ...(rest.overrides.length === 0 ? {} : { overrides: rest.overrides }),
    ...leftOut,
    risks: risksOf('plan', { changes, behind, readStatus: rest.readStatus, unread: rest.unread, ...leftOut }),
    config: rest.config,
    readStatus: rest.readStatus,
    summary: summarize(changes, rest),
    changes,
    ...(behind.length === 0 ? {} : { behind }),
    ...(rest.ignored.length === 0 ? {} : { ignored: rest.ignored }),
    ...(rest.impact === null ? {} : { impact: rest.impact }),
    requests,
    findings: rest.findings,
    cost: { reads: rest.reads, writes: requests.length },
  };
}

/**
 * Returns the fingerprint of a plan: target, base URL, owner, the sorted digests, and where there are any the overrides and the names of the
 * unread kinds; nothing else (design section 4, rule 2).
 */
export function planFingerprint(
  { target, baseUrl, owner }: Pick<PlanContext, 'target' | 'baseUrl' | 'owner'>,
  digests: readonly string[],
  { overrides = [], unread = [] }: Pick<Plan, 'overrides' | 'unread'> = {},
): string {
  const overridden = overrides.map(({ check, count, only }) => ({ check, count, ...(only === undefined ? {} : { only: [...only] }) }));
  const unreadKinds = unread.map(({ kind }) => kind);
  return sha256({
    ...{ target, baseUrl, owner, digests: [...digests].sort() },
    ...(overridden.length === 0 ? {} : { overrides: overridden }),
    ...(unreadKinds.length === 0 ? {} : { unread: unreadKinds }),
  });
}

/** Builds the requests of one wave. */
export function requestSequencesOf(
  wave: readonly PlannedChange[],
  requestOptions: RequestOptions,
  now: number,
): readonly RequestSequence<PlannedChange>[] {
  return requestSequences(wave, (planned) => writesOf(planned, requestOptions, now));
}

/** Builds the requests of one change. A change that only the ledger records has none. */
function writesOf(planned: PlannedChange, requestOptions: RequestOptions, now: number): readonly WriteRequest[] {
  return writesOnService(planned.change) ? planned.kind.requests(planned, requestOptions, now) : [];
}

/**
 * Returns the digest of a change. It contains null as the remote ID of a create, and an empty text as that of a setting. `movedFrom` is not
 * part of it: a saved plan compares the binding by itself.
 */
function digestOf({ address, action, fields: fieldChanges }: Change, live: PlannedChange['live'], requests: Json): string {
  const fields = fieldChanges.map(({ path, before, after }) => ({ path, before, after }));
  return sha256({ address, action, remoteId: live && (live.id ?? ''), fields, requests });
}

function sha256(value: Json): string {
  return `sha256:${createHash('sha256').update(stableJson(value)).digest('hex')}`;
}

function summarize(
  changes: readonly Change[],
  rest: Pick<PlanSummary, 'unchanged' | 'undeclared'> & {
    readonly unmanaged?: number | undefined;
    readonly recognized?: number | undefined;
  },
): PlanSummary {
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length;
  return {
    create: count('create'),
    update: count('update'),
    delete: count('delete'),
    blocked: changes.filter(({ blocked }) => blocked !== null).length,
    unchanged: rest.unchanged,
    undeclared: rest.undeclared,
    ...(rest.unmanaged ? { unmanaged: rest.unmanaged } : {}),
    ...(rest.recognized ? { recognized: rest.recognized } : {}),
  };
}
