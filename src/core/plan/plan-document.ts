import { createHash } from 'node:crypto';
import type { DesiredState } from '../config/desired-state.ts';
import type { Kind, RequestOptions, ResourceChange, WriteRequest } from '../kinds/kind.ts';
import { type Change, type CheckOverride, writesOnService } from '../model/change.ts';
import { groupBy } from '../model/collections.ts';
import type { PlanImpact } from '../model/impact.ts';
import { type Json, stableJson } from '../model/json.ts';
import type { AddressedIgnoredValue, LeftOut, Plan, PlanSummary, UnreadKind } from '../model/plan.ts';
import { isBehind, type SafetyCheckedChange } from '../state/change-draft.ts';
import { ignoredValues, withPlaceholdersForIgnored } from './ignored-fields.ts';
import { digestPart, plannedRequests, type RequestSequence, requestSequences } from './request-sequences.ts';
import { verdictOf } from './verdict.ts';

/** A change of the plan, blocked or not, with all that is needed to execute it. */
export type ExecutableChange = ResourceChange & {
  readonly change: Change;
  readonly kind: Kind;
  /** The address of the rename that must succeed first. */
  readonly dependsOn: string | null;
  /** Whether the change would do nothing but roll back what a newer commit has brought: the plan lists it under `behind`. */
  readonly isBehind: boolean;
};

/** What the plan document is built from, besides the changes. `now` in Unix milliseconds. */
export interface PlanContext {
  readonly target: string;
  readonly baseUrl: string;
  readonly owner: string;
  readonly requestOptions: RequestOptions;
  readonly now: number;
}

/** Builds the changes of a plan, with digests. Pure: no client, clock, log or color. */
export function toExecutableChanges(changes: readonly SafetyCheckedChange[], context: PlanContext): readonly ExecutableChange[] {
  return changes.map((checked) => {
    const { kind, dependsOn } = checked;
    const change = resourceChangeOf(checked);
    const writes = writesOnService(checked)
      ? kind.requests(withPlaceholdersForIgnored(kind, change), context.requestOptions, context.now)
      : [];
    return {
      ...change,
      change: changeOf(checked, digestOf(checked, digestPart(writes))),
      kind,
      dependsOn,
      isBehind: isBehind(checked),
    };
  });
}

/**
 * Builds the plan document. Its requests, like those in the digests, have a placeholder for each ignored field. `rest` holds the parts that
 * are not derived from the changes.
 */
export function planDocument(
  executables: readonly ExecutableChange[],
  context: PlanContext,
  rest: Pick<Plan, 'config' | 'readStatus' | 'findings'> & {
    readonly unchanged: number;
    readonly undeclared: number;
    readonly reads: number;
    readonly impact: PlanImpact | null;
    readonly overrides: readonly CheckOverride[];
    readonly unread: readonly UnreadKind[];
    readonly ignored: readonly AddressedIgnoredValue[];
    readonly leftOut?: LeftOut | undefined;
  },
): Plan {
  const changes = executables.filter((executable) => !executable.isBehind).map(({ change }) => change);
  const behind = executables.filter((executable) => executable.isBehind).map(({ change }) => change);
  const applicable = applicableChanges(executables).map(
    (executable): ExecutableChange => ({ ...executable, ...withPlaceholdersForIgnored(executable.kind, executable) }),
  );
  const leftOut = rest.leftOut ? { leftOut: rest.leftOut } : {};
  const requests = plannedRequests(waves(applicable).flatMap((wave) => requestSequencesOf(wave, context.requestOptions, context.now)));
  return {
    schemaVersion: 1,
    target: context.target,
    fingerprint: planFingerprint(
      context,
      changes.map((change) => change.digest),
      rest,
    ),
    ...(rest.unread.length === 0 ? {} : { unread: rest.unread }),
    ...(rest.overrides.length === 0 ? {} : { overrides: rest.overrides }),
    ...leftOut,
    verdict: verdictOf('plan', { changes, behind, readStatus: rest.readStatus, unread: rest.unread, ...leftOut }),
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
  const overridden = overrides.map(({ check, count }) => ({ check, count }));
  const unreadKinds = unread.map(({ kind }) => kind);
  return sha256({
    ...{ target, baseUrl, owner, digests: [...digests].sort() },
    ...(overridden.length === 0 ? {} : { overrides: overridden }),
    ...(unreadKinds.length === 0 ? {} : { unread: unreadKinds }),
  });
}

/**
 * Returns the changes that `apply --skip-blocked` applies where nothing fails: none that is blocked, needs a rename that is not applied, or
 * weakens protection while a change that strengthens it is not applied (design section 4, rule 6).
 */
function applicableChanges(executables: readonly ExecutableChange[]): readonly ExecutableChange[] {
  const applied = new Set<string>();
  let isStrengtheningSkipped = executables.some(({ change }) => change.effect === 'strengthens' && change.blocked !== null);
  for (const { change, dependsOn } of waves(executables).flat()) {
    const waits = (dependsOn !== null && !applied.has(dependsOn)) || (change.phase === 'weaken' && isStrengtheningSkipped);
    if (change.blocked === null && !waits) applied.add(change.address);
    else isStrengtheningSkipped ||= change.effect === 'strengthens';
  }
  return executables.filter(({ change }) => applied.has(change.address));
}

/** Groups changes into waves, in order. */
export function waves(executables: readonly ExecutableChange[]): readonly (readonly ExecutableChange[])[] {
  return [...groupBy(executables, (executable) => executable.change.wave)].sort(([a], [b]) => a - b).map(([, wave]) => wave);
}

/** Builds the requests of one wave. */
export function requestSequencesOf(
  wave: readonly ExecutableChange[],
  requestOptions: RequestOptions,
  now: number,
): readonly RequestSequence<ExecutableChange>[] {
  return requestSequences(wave, (executable) => writesOf(executable, requestOptions, now));
}

/** Builds the requests of one change. A change that only the ledger records has none. */
function writesOf(executable: ExecutableChange, requestOptions: RequestOptions, now: number): readonly WriteRequest[] {
  return writesOnService(executable.change) ? executable.kind.requests(executable, requestOptions, now) : [];
}

function resourceChangeOf(checked: SafetyCheckedChange): ResourceChange {
  if (checked.desired === null) return { desired: null, live: checked.live };
  return checked.live === null ? { desired: checked.desired, live: null } : { desired: checked.desired, live: checked.live };
}

function changeOf(checked: SafetyCheckedChange, digest: string): Change {
  const { address, kind, name, origin, effect, playback, playbackReasons, fields, phase, wave, blocked } = checked;
  const head = { address, kind: kind.name, name };
  const onPlayback = { playback, ...(playbackReasons.length === 0 ? {} : { playbackReasons }) };
  const ignored = checked.desired && checked.live ? ignoredValues(checked.desired, checked.live) : [];
  const ignoredPart = ignored.length === 0 ? {} : { ignored };
  const rest = { origin, effect, ...onPlayback, fields, ...ignoredPart, phase, wave, digest, blocked };
  switch (checked.action) {
    case 'update': {
      const { action, movedFrom, adopts } = checked;
      const binding = { ...(movedFrom === undefined ? {} : { movedFrom }), ...(adopts === undefined ? {} : { adopts }) };
      return { ...head, action, ...binding, ...rest };
    }
    case 'adopt':
      return { ...head, action: checked.action, adopts: checked.adopts, ...rest };
    case 'move':
      return { ...head, action: checked.action, movedFrom: checked.movedFrom, ...rest };
    default:
      return { ...head, action: checked.action, ...rest };
  }
}

/** Returns the digest of a change. It contains null as the remote ID of a create, and an empty text as that of a setting. */
function digestOf({ address, action, live, fields: fieldChanges }: SafetyCheckedChange, requests: Json): string {
  const fields = fieldChanges.map(({ path, before, after }) => ({ path, before, after }));
  return sha256({ address, action, remoteId: live && (live.id ?? ''), fields, requests });
}

function sha256(value: Json): string {
  return `sha256:${createHash('sha256').update(stableJson(value)).digest('hex')}`;
}

function summarize(changes: readonly Change[], rest: { readonly unchanged: number; readonly undeclared: number }): PlanSummary {
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length;
  return {
    create: count('create'),
    update: count('update'),
    delete: count('delete'),
    blocked: changes.filter((change) => change.blocked !== null && writesOnService(change)).length,
    unchanged: rest.unchanged,
    undeclared: rest.undeclared,
  };
}

/** Adds the position of its declaration to a change, for reports. A change of a resource that is not declared stays as it is. */
export function withSourceLocation(executable: ExecutableChange, { positionOf }: Pick<DesiredState, 'positionOf'>): ExecutableChange {
  if (!executable.desired) return executable;
  const { file, line, column } = executable.desired.textFilePosition ?? positionOf(executable.desired.path);
  return { ...executable, change: { ...executable.change, declared: { file, line, column } } };
}
