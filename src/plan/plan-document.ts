import { createHash } from 'node:crypto';
import type { Kind, KindSettings, PlannedChange, WriteRequest } from '../kinds/kind.ts';
import type { Change } from '../model/change.ts';
import { groupBy } from '../model/group-by.ts';
import type { PlanImpact } from '../model/impact.ts';
import { type Json, stableJson } from '../model/json.ts';
import type { Plan, PlanSummary } from '../model/plan.ts';
import { type CheckedChange, writesOnService } from '../state/change-draft.ts';
import { type Batch, batches, digestPart, plannedRequests } from './batch.ts';

/** A change of the plan, with all that executing it needs. */
export interface ExecutableChange extends PlannedChange {
  readonly kind: Kind;
  /** The address of the rename that must succeed first. */
  readonly dependsOn: string | null;
}

/** What a plan is built from, besides its changes. `now` in Unix milliseconds. */
export interface PlanContext {
  readonly target: string;
  readonly baseUrl: string;
  readonly owner: string;
  readonly settings: KindSettings;
  readonly now: number;
}

/** Builds the changes of a plan, with digests. Pure: no client, clock, log or color. */
export function planChanges(changes: readonly CheckedChange[], context: PlanContext): readonly ExecutableChange[] {
  return changes.map((checked) => {
    const undigested = { change: changeOf(checked), desired: checked.desired, live: checked.live };
    const writes = writesOf({ ...undigested, kind: checked.kind }, context.settings, context.now);
    const change = { ...undigested.change, digest: digestOf(undigested, digestPart(writes)) };
    return { ...undigested, change, kind: checked.kind, dependsOn: checked.dependsOn };
  });
}

/** Builds the plan document. `rest` is copied into it. */
export function planDocument(
  executables: readonly ExecutableChange[],
  context: PlanContext,
  rest: Pick<Plan, 'config' | 'observed' | 'findings'> & {
    readonly unchanged: number;
    readonly unmanaged: number;
    readonly reads: number;
    readonly impact: PlanImpact | null;
  },
): Plan {
  const changes = executables.map((executable) => executable.change);
  const requests = plannedRequests(
    waves(executables.filter((executable) => executable.change.blocked === null)).flatMap((wave) =>
      batchesOf(wave, context.settings, context.now),
    ),
  );
  return {
    schemaVersion: 1,
    target: context.target,
    fingerprint: planFingerprint(
      context,
      changes.map((change) => change.digest),
    ),
    config: rest.config,
    observed: rest.observed,
    summary: summarize(changes, rest),
    changes,
    ...(rest.impact === null ? {} : { impact: rest.impact }),
    requests,
    findings: rest.findings,
    cost: { reads: rest.reads, writes: requests.length },
  };
}

/** Returns the fingerprint of a plan: target, base URL, owner and the sorted digests; nothing else (design section 4, rule 2). */
export function planFingerprint(context: Pick<PlanContext, 'target' | 'baseUrl' | 'owner'>, digests: readonly string[]): string {
  return sha256({ target: context.target, baseUrl: context.baseUrl, owner: context.owner, digests: [...digests].sort() });
}

/** Groups changes into waves, in order. */
export function waves(executables: readonly ExecutableChange[]): readonly (readonly ExecutableChange[])[] {
  return [...groupBy(executables, (executable) => executable.change.wave)].sort(([a], [b]) => a - b).map(([, wave]) => wave);
}

/** Builds the requests of one wave. */
export function batchesOf(wave: readonly ExecutableChange[], settings: KindSettings, now: number): readonly Batch<ExecutableChange>[] {
  return batches(wave, (executable) => writesOf(executable, settings, now));
}

/** Builds the requests of one change. A change that only the ledger records has none. */
function writesOf(executable: PlannedChange & { readonly kind: Kind }, settings: KindSettings, now: number): readonly WriteRequest[] {
  return writesOnService(executable.change.action) ? executable.kind.requests(executable, settings, now) : [];
}

function changeOf(change: CheckedChange): Change {
  return {
    address: change.address,
    kind: change.kind.name,
    name: change.name,
    action: change.action,
    ...(change.movedFrom === undefined ? {} : { movedFrom: change.movedFrom }),
    ...(change.adopts === undefined ? {} : { adopts: change.adopts }),
    origin: change.origin,
    effect: change.effect,
    fields: change.fields,
    phase: change.phase,
    wave: change.wave,
    digest: '',
    blocked: change.blocked,
  };
}

function digestOf({ change, live }: PlannedChange, requests: Json): string {
  const { address, action } = change;
  const fields = change.fields.map(({ path, before, after }) => ({ path, before, after }));
  return sha256({ address, action, remoteId: live?.id ?? null, fields, requests });
}

function sha256(value: Json): string {
  return `sha256:${createHash('sha256').update(stableJson(value)).digest('hex')}`;
}

function summarize(changes: readonly Change[], rest: { readonly unchanged: number; readonly unmanaged: number }): PlanSummary {
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length;
  return {
    create: count('create'),
    update: count('update'),
    delete: count('delete'),
    blocked: changes.filter((change) => change.blocked !== null && writesOnService(change.action)).length,
    unchanged: rest.unchanged,
    unmanaged: rest.unmanaged,
  };
}
