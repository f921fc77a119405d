import { createHash } from 'node:crypto';
import type { Kind, KindSettings, PlannedChange, WriteRequest } from '../kinds/kind.ts';
import type { Change } from '../model/change.ts';
import { groupBy } from '../model/group-by.ts';
import type { PlanImpact } from '../model/impact.ts';
import { type Json, stableJson } from '../model/json.ts';
import type { Plan, PlanSummary } from '../model/plan.ts';
import { type CheckedChange, writesOnService } from '../state/change-draft.ts';
import { type Batch, batches, digestPart, plannedRequests } from './batch.ts';

/** A change with all that carrying it out needs. */
export interface ExecutableChange extends PlannedChange {
  readonly kind: Kind;
  /** The address of the rename that must have been made before. */
  readonly dependsOn: string | null;
}

/** What a plan is drawn from, besides its steps. `now` in Unix milliseconds. */
export interface PlanContext {
  readonly target: string;
  readonly baseUrl: string;
  readonly owner: string;
  readonly settings: KindSettings;
  readonly now: number;
}

/** Turns steps into changes with digests. Pure: no client, clock, log or colour. */
export function planChanges(changes: readonly CheckedChange[], context: PlanContext): readonly ExecutableChange[] {
  return changes.map((step) => {
    const undigested = { change: changeOf(step), desired: step.desired, live: step.live };
    const writes = writesOf({ ...undigested, kind: step.kind }, context.settings, context.now);
    const change = { ...undigested.change, digest: digestOf(undigested, digestPart(writes)) };
    return { ...undigested, change, kind: step.kind, dependsOn: step.dependsOn };
  });
}

/** The plan document of planned steps; the rest is handed through. */
export function planDocument(
  steps: readonly ExecutableChange[],
  context: PlanContext,
  rest: Pick<Plan, 'config' | 'observed' | 'findings'> & {
    readonly unchanged: number;
    readonly unmanaged: number;
    readonly reads: number;
    readonly impact: PlanImpact | null;
  },
): Plan {
  const changes = steps.map((step) => step.change);
  const requests = plannedRequests(
    waves(steps.filter((step) => step.change.blocked === null)).flatMap((wave) => batchesOf(wave, context.settings, context.now)),
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

/** Covers target, base URL, owner and the sorted digests; nothing else (design section 4, rule 2). */
export function planFingerprint(context: Pick<PlanContext, 'target' | 'baseUrl' | 'owner'>, digests: readonly string[]): string {
  return sha256({ target: context.target, baseUrl: context.baseUrl, owner: context.owner, digests: [...digests].sort() });
}

/** Steps wave by wave, in order. */
export function waves(steps: readonly ExecutableChange[]): readonly (readonly ExecutableChange[])[] {
  return [...groupBy(steps, (step) => step.change.wave)].sort(([a], [b]) => a - b).map(([, wave]) => wave);
}

/** The requests of one wave. */
export function batchesOf(wave: readonly ExecutableChange[], settings: KindSettings, now: number): readonly Batch<ExecutableChange>[] {
  return batches(wave, (step) => writesOf(step, settings, now));
}

/** The requests of one change; what only the ledger remembers has none. */
function writesOf(step: PlannedChange & { readonly kind: Kind }, settings: KindSettings, now: number): readonly WriteRequest[] {
  return writesOnService(step.change.action) ? step.kind.requests(step, settings, now) : [];
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
