import { createHash } from 'node:crypto';
import type { Kind, KindSettings, Planned, Write } from '../kinds/kind.ts';
import type { Change } from '../model/change.ts';
import type { PlanImpact } from '../model/impact.ts';
import { type Json, stableJson } from '../model/json.ts';
import type { Plan, PlanSummary } from '../model/plan.ts';
import { grouped } from './group.ts';
import { type Batch, batches, ownPart, plannedRequests } from './requests.ts';
import { type GuardedStep, writesOnService } from './step.ts';

/** A change with all that carrying it out needs. */
export interface PlannedStep extends Planned {
  readonly kind: Kind;
  /** The address of the rename that must have been made before. */
  readonly after: string | null;
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
export function planSteps(steps: readonly GuardedStep[], context: PlanContext): readonly PlannedStep[] {
  return steps.map((step) => {
    const undigested = { change: changeOf(step), desired: step.desired, live: step.live };
    const writes = writesOf({ ...undigested, kind: step.kind }, context.settings, context.now);
    const change = { ...undigested.change, digest: digestOf(undigested, ownPart(writes)) };
    return { ...undigested, change, kind: step.kind, after: step.after };
  });
}

/** The plan document of planned steps; the rest is handed through. */
export function planDocument(
  steps: readonly PlannedStep[],
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
    waves(steps.filter((step) => step.change.held === null)).flatMap((wave) => batchesOf(wave, context.settings, context.now)),
  );
  return {
    schemaVersion: 1,
    target: context.target,
    fingerprint: fingerprint(
      context,
      changes.map((change) => change.digest),
    ),
    config: rest.config,
    observed: rest.observed,
    summary: summarise(changes, rest),
    changes,
    ...(rest.impact === null ? {} : { impact: rest.impact }),
    requests,
    findings: rest.findings,
    cost: { reads: rest.reads, writes: requests.length },
  };
}

/** Covers target, base URL, owner and the sorted digests; nothing else (design section 4, rule 2). */
export function fingerprint(context: Pick<PlanContext, 'target' | 'baseUrl' | 'owner'>, digests: readonly string[]): string {
  return sha256({ target: context.target, baseUrl: context.baseUrl, owner: context.owner, digests: [...digests].sort() });
}

/** Steps wave by wave, in order. */
export function waves(steps: readonly PlannedStep[]): readonly (readonly PlannedStep[])[] {
  return [...grouped(steps, (step) => step.change.wave)].sort(([a], [b]) => a - b).map(([, wave]) => wave);
}

/** The requests of one wave. */
export function batchesOf(wave: readonly PlannedStep[], settings: KindSettings, now: number): readonly Batch<PlannedStep>[] {
  return batches(wave, (step) => writesOf(step, settings, now));
}

/** The requests of one change; what only the ledger remembers has none. */
function writesOf(step: Planned & { readonly kind: Kind }, settings: KindSettings, now: number): readonly Write[] {
  return writesOnService(step.change.action) ? step.kind.writes(step, settings, now) : [];
}

function changeOf(step: GuardedStep): Change {
  return {
    address: step.address,
    kind: step.kind.name,
    name: step.name,
    action: step.action,
    ...(step.movedFrom === undefined ? {} : { movedFrom: step.movedFrom }),
    ...(step.adopts === undefined ? {} : { adopts: step.adopts }),
    origin: step.origin,
    effect: step.effect,
    fields: step.fields,
    phase: step.phase,
    wave: step.wave,
    digest: '',
    held: step.held,
  };
}

function digestOf({ change, live }: Planned, requests: Json): string {
  const { address, action } = change;
  const fields = change.fields.map(({ path, before, after }) => ({ path, before, after }));
  return sha256({ address, action, remoteId: live?.id ?? null, fields, requests });
}

function sha256(value: Json): string {
  return `sha256:${createHash('sha256').update(stableJson(value)).digest('hex')}`;
}

function summarise(changes: readonly Change[], rest: { readonly unchanged: number; readonly unmanaged: number }): PlanSummary {
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length;
  return {
    create: count('create'),
    update: count('update'),
    delete: count('delete'),
    held: changes.filter((change) => change.held !== null && writesOnService(change.action)).length,
    unchanged: rest.unchanged,
    unmanaged: rest.unmanaged,
  };
}
