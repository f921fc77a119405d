import type { KindSettings, Live, Service, ServiceError } from '../kinds/kind.ts';
import type { Brake } from '../model/change.ts';
import { compareFindings, compareText } from '../model/finding.ts';
import type { PlanImpact } from '../model/impact.ts';
import type { Observed, Plan } from '../model/plan.ts';
import { attribute } from './attribute.ts';
import { byBeginning, claimed, doubt } from './belong.ts';
import { type Column, inScope, lookAt, ownerDigest, undeclaredAddresses } from './column.ts';
import { compare } from './compare.ts';
import { yieldToEventLoop } from './event-loop.ts';
import type { Seen } from './fetch.ts';
import { grouped } from './group.ts';
import { guard, released } from './guard.ts';
import { judge } from './guards/judge.ts';
import { located } from './located.ts';
import type { Sides } from './meaning.ts';
import { liveFindings } from './notes.ts';
import { keepOrigin } from './only-origin.ts';
import { order } from './order.ts';
import { type PlanContext, type PlannedStep, planDocument, planSteps } from './plan.ts';
import type { Run } from './run.ts';
import { sidesOf } from './sides.ts';
import { type Step, writesOnService } from './step.ts';

/** What a run came to: the document, and what carrying it out and remembering it needs. */
export interface Reconciled {
  readonly plan: Plan;
  readonly steps: readonly PlannedStep[];
  readonly context: PlanContext;
  readonly seen: ReadonlyMap<string, Seen>;
  /** The remote ID of every declared address that was recognised. */
  readonly pairs: ReadonlyMap<string, string>;
  /** Live objects that nobody declares, and that stay. */
  readonly unmanaged: readonly { readonly address: string; readonly name: string }[];
  /** Both sides of what was read. */
  readonly sides: Sides;
  /** What is told of devices where only these addresses are written. */
  readonly impactOf: (addresses: ReadonlySet<string>) => PlanImpact | null;
  /** Digest of the owner that the account's answers name; null where none does. */
  readonly ownerDigest: string | null;
  /** How many changes go ahead only because the user released a brake, by brake. */
  readonly released: ReadonlyMap<Brake, number>;
  /** Why kinds are incomplete. */
  readonly faults: readonly ServiceError[];
}

/** The story of a run: look at the account, recognise what belongs to whom, compare, attribute, order, brake, and draw the plan. Writes nothing. */
export async function reconcile(run: Run): Promise<Reconciled> {
  const reader = countingReads(run.service);
  const declared = byBeginning(run.declaration.resources);
  const columns = await Promise.all(run.kinds.map((kind) => lookAt(kind, run, reader, declared)));
  const context = contextOf(run, run.now());
  const whole: (readonly Step[])[] = [];
  for (const column of columns) {
    // Other targets of the run send requests meanwhile, and look at their locks.
    await yieldToEventLoop();
    whole.push(stepsOf(column, run, context.now));
  }
  await yieldToEventLoop();
  const kept = whole.map((part) => keepOrigin(part, run.onlyOrigin));
  const steps = kept.flatMap((part) => part.steps);
  const ordered = order(steps, labelKeeper(columns));
  await yieldToEventLoop();
  const sides = sidesOf(columns, ordered);
  const { denied, findings } = await judge(ordered, {
    target: run.target.name,
    guards: run.guards,
    impacts: run.guards.length === 0 ? new Map() : run.meaningOf(sides).byChange,
    rules: run.rules,
  });
  await yieldToEventLoop();
  const brakes = { ...guardRules(run, columns), denied };
  const guarded = guard(ordered, brakes);
  const planned = planSteps(
    guarded.filter((step) => inScope(run.only, step.address)),
    context,
  ).map((step) => located(step, run.declaration));
  await yieldToEventLoop();
  const unmanaged = unmanagedOf(columns, run);
  const notes = [...columns.flatMap((column) => liveFindings(column, steps, run)), ...kept.flatMap((part) => part.findings(run))];
  const impactOf = (addresses: ReadonlySet<string>) =>
    run.meaningOf(
      sidesOf(
        columns,
        ordered.filter(({ address }) => addresses.has(address)),
      ),
    ).told;
  await yieldToEventLoop();
  const plan = planDocument(planned, context, {
    config: run.config,
    observed: Object.fromEntries(columns.map(({ kind, seen }): [string, Observed] => [kind.name, seen.state])),
    findings: [...run.declaration.findings, ...findings, ...notes].sort(compareFindings),
    unchanged: unchangedOf(columns, whole.flat(), run),
    unmanaged: unmanaged.length,
    reads: reader.reads(),
    impact: impactOf(new Set(planned.map(({ change }) => change.address))),
  });
  return {
    plan,
    steps: planned,
    context,
    seen: new Map(columns.map((column) => [column.kind.name, column.seen])),
    pairs: new Map(
      columns.flatMap(({ identified }) => [...identified.pairs].map(([address, live]): [string, string] => [address, live.id])),
    ),
    unmanaged,
    sides,
    impactOf,
    ownerDigest: ownerOf(columns),
    released: released(guarded, brakes, (step) => inScope(run.only, step.address)),
    faults: columns.flatMap((column) => column.seen.fault ?? []),
  };
}

/** An incomplete read is never turned into a change. */
function stepsOf({ kind, resources, seen, identified, left }: Column, run: Run, now: number): readonly Step[] {
  if (seen.state !== 'complete') return [];
  const steps = compare(kind, resources, identified, left.doomed, now);
  const owned = claimed(kind, resources, identified, steps, run.declaration.adopt, { memory: run.memory, ownership: run.target.ownership });
  return [...owned, ...left.forgets].map((step) => (writesOnService(step.action) ? attribute(step, run.base, now) : step));
}

function guardRules(run: Run, columns: readonly Column[]) {
  const { name, ownership, protect, limits, loosening } = run.target;
  const doubts = columns.flatMap(({ kind, seen }): [string, string][] => {
    const why = seen.state === 'complete' ? doubt(kind, seen.observation.objects, ownerOf(columns), run.memory) : undefined;
    return why === undefined ? [] : [[kind.name, why]];
  });
  const live = new Map(columns.map(({ kind, seen }) => [kind.name, seen.observation.objects.length]));
  return { target: name, ownership, protect, limits, loosening, allowed: run.allowed, live, doubts: new Map(doubts) };
}

function unmanagedOf(columns: readonly Column[], run: Run): Reconciled['unmanaged'] {
  return columns.flatMap((column) =>
    undeclaredAddresses(column)
      .map(({ address, live }) => ({ address, name: live.label }))
      .filter(({ address }) => inScope(run.only, address))
      .sort((a, b) => compareText(a.address, b.address)),
  );
}

function unchangedOf(columns: readonly Column[], steps: readonly Step[], run: Run): number {
  const changed = new Set(steps.filter((step) => writesOnService(step.action)).map((step) => step.address));
  const complete = columns.filter((column) => column.seen.state === 'complete');
  return complete.flatMap((column) => column.resources).filter(({ address }) => inScope(run.only, address) && !changed.has(address)).length;
}

/** The live object that has the name which a step is to get. */
function labelKeeper(columns: readonly Column[]): (step: Step) => Live | undefined {
  const unique = columns.filter((column) => column.kind.uniqueLabels);
  const keepers = new Map(unique.map(({ kind, seen }) => [kind, grouped(seen.observation.objects, (live: Live) => live.label)]));
  return (step) =>
    keepers
      .get(step.kind)
      ?.get(step.desired?.label ?? '')
      ?.find((live) => live.id !== step.live?.id);
}

function ownerOf(columns: readonly Column[]): string | null {
  const owner = columns.map((column) => column.seen.observation.owner).find((each) => each !== undefined);
  return owner === undefined ? null : ownerDigest(owner);
}

function contextOf(run: Run, now: number): PlanContext {
  const { name, baseUrl, service } = run.target;
  const settings: KindSettings = { smartStartBatch: service.smartStartBatch };
  return { target: name, baseUrl, owner: run.owner, settings, now };
}

function countingReads(service: Service): Service & { reads(): number } {
  let reads = 0;
  return {
    send(request) {
      reads += 1;
      return service.send(request);
    },
    reads: () => reads,
  };
}
