import type { Desired, Kind, KindSettings, Live, Service, ServiceError } from '../kinds/kind.ts';
import { compareFindings, compareText, type Finding, type Severity } from '../model/finding.ts';
import type { ConfigState, Observed, Plan } from '../model/plan.ts';
import { compare } from './compare.ts';
import type { Target } from './configuration.ts';
import type { Declaration } from './declaration.ts';
import { observe, probe, type Seen, unread } from './fetch.ts';
import { findingAt } from './findings.ts';
import { matchesGlob, mayMatchBelow } from './globs.ts';
import { grouped } from './group.ts';
import { type Allowed, guard } from './guard.ts';
import { type Identified, identify } from './identify.ts';
import { order } from './order.ts';
import { type PlanContext, type PlannedStep, planDocument, planSteps } from './plan.ts';
import type { Step } from './step.ts';

/** What a run is about. `now` gives Unix milliseconds. */
export interface Run {
  readonly target: Target;
  /** The account's user ID: part of the fingerprint, never printed. */
  readonly owner: string;
  readonly declaration: Declaration;
  readonly rules: { readonly [code: string]: Severity | 'off' };
  readonly kinds: readonly Kind[];
  readonly service: Service;
  readonly now: () => number;
  /** Address globs; empty = all. */
  readonly only: readonly string[];
  readonly allowed: Allowed;
  readonly config: ConfigState | null;
}

/** What a run came to: the document, and what carrying it out needs. */
export interface Reconciled {
  readonly plan: Plan;
  readonly steps: readonly PlannedStep[];
  readonly context: PlanContext;
  readonly seen: ReadonlyMap<string, Seen>;
  /** Live objects that nobody declares, and that stay. */
  readonly unmanaged: readonly { readonly address: string; readonly name: string }[];
  /** Why kinds are incomplete. */
  readonly faults: readonly ServiceError[];
}

/** The story of a run: look at the account, recognise what belongs to whom, compare, order, brake, and draw the plan. Writes nothing. */
export async function reconcile(run: Run): Promise<Reconciled> {
  const reader = countingReads(run.service);
  const columns = await Promise.all(run.kinds.map((kind) => lookAt(kind, run, reader)));
  const now = run.now();
  const steps = columns.flatMap((column) => stepsOf(column, run, now));
  const context = contextOf(run, now);
  const guarded = guard(order(steps, labelKeeper(columns)), {
    ...run.target,
    target: run.target.name,
    allowed: run.allowed,
    live: liveCounts(columns),
  });
  const planned = planSteps(
    guarded.filter((step) => inScope(run.only, step.address)),
    context,
  );
  const unmanaged = columns.flatMap((column) => unmanagedOf(column, run));
  const plan = planDocument(planned, context, {
    config: run.config,
    observed: Object.fromEntries(columns.map(({ kind, seen }): [string, Observed] => [kind.name, seen.state])),
    findings: [...run.declaration.findings, ...columns.flatMap((column) => liveFindings(column, run))].sort(compareFindings),
    unchanged: unchangedOf(columns, steps, run),
    unmanaged: unmanaged.length,
    reads: reader.reads(),
  });
  const seen = new Map(columns.map((column) => [column.kind.name, column.seen]));
  return { plan, steps: planned, context, seen, unmanaged, faults: columns.flatMap((column) => column.seen.fault ?? []) };
}

/** One kind on its way through the run. */
interface Column {
  readonly kind: Kind;
  readonly resources: readonly Desired[];
  readonly seen: Seen;
  readonly identified: Identified;
}

const NOBODY: Identified = { pairs: new Map(), contested: new Map(), undeclared: [], warnings: [] };

async function lookAt(kind: Kind, run: Run, service: Service): Promise<Column> {
  const resources = run.declaration.resources
    .filter((resource) => belongs(kind, resource.address))
    .sort((a, b) => compareText(a.address, b.address));
  const managed = kind.sections.some((section) => section.manages && run.declaration.present.has(section.key));
  if (!managed) return { kind, resources, seen: unread('unmanaged'), identified: NOBODY };
  if (!touches(run.only, kind)) return { kind, resources, seen: unread('skipped'), identified: NOBODY };
  const read = await observe(kind, service, run.now);
  const identified = identify(kind, resources, read.observation.objects, run.declaration.adopt);
  const missing = resources.filter(({ address }) => !identified.pairs.has(address) && !identified.contested.has(address));
  const seen = await probe(kind, read, missing, service);
  return { kind, resources, seen, identified: seen.state === 'complete' ? identified : NOBODY };
}

function belongs(kind: Kind, address: string): boolean {
  return kind.addresses.some((prefix) => (kind.singleton ? address === prefix : address.startsWith(prefix)));
}

function touches(only: readonly string[], kind: Kind): boolean {
  return (
    only.length === 0 ||
    only.some((glob) => kind.addresses.some((prefix) => (kind.singleton ? matchesGlob(glob, prefix) : mayMatchBelow(glob, prefix))))
  );
}

function inScope(only: readonly string[], address: string): boolean {
  return only.length === 0 || only.some((glob) => matchesGlob(glob, address));
}

/** An incomplete read is never turned into a change. */
function stepsOf({ kind, resources, seen, identified }: Column, run: Run, now: number): readonly Step[] {
  if (seen.state !== 'complete') return [];
  const deletes = identified.undeclared.filter((live) => mayDelete(live, run));
  return compare(kind, resources, identified, deletes, run.declaration.adopt, now);
}

/** `exclusive` deletes what nobody declares, where its section is present (design section 3, what may be deleted). */
function mayDelete(live: Live, run: Run): boolean {
  return run.target.ownership === 'exclusive' && run.declaration.present.has(live.section);
}

function unmanagedOf({ kind, identified }: Column, run: Run): Reconciled['unmanaged'] {
  return identified.undeclared
    .filter((live) => !mayDelete(live, run))
    .map((live) => ({ address: kind.undeclared(live), name: live.label }))
    .filter(({ address }) => inScope(run.only, address))
    .sort((a, b) => compareText(a.address, b.address));
}

function unchangedOf(columns: readonly Column[], steps: readonly Step[], run: Run): number {
  const changed = new Set(steps.map((step) => step.address));
  const complete = columns.filter((column) => column.seen.state === 'complete');
  return complete.flatMap((column) => column.resources).filter(({ address }) => inScope(run.only, address) && !changed.has(address)).length;
}

/** The live object that has the name which a step is to get. */
function labelKeeper(columns: readonly Column[]): (step: Step) => string | undefined {
  const unique = columns.filter((column) => column.kind.uniqueLabels);
  const keepers = new Map(unique.map(({ kind, seen }) => [kind, grouped(seen.observation.objects, (live) => live.label)]));
  return (step) => {
    const keeper = keepers
      .get(step.kind)
      ?.get(step.desired?.label ?? '')
      ?.find((live) => live.id !== step.live?.id);
    return keeper && step.kind.undeclared(keeper);
  };
}

function liveCounts(columns: readonly Column[]): ReadonlyMap<string, number> {
  return new Map(columns.map(({ kind, seen }) => [kind.name, seen.observation.objects.length]));
}

/** Warnings about the account stand at the declaration they concern. */
function liveFindings({ kind, resources, seen, identified }: Column, run: Run): readonly Finding[] {
  const paths = new Map(resources.map((resource) => [resource.address, resource.path]));
  return [...seen.observation.notes, ...identified.warnings].flatMap((note): Finding[] => {
    const severity = run.rules[note.code] ?? 'warning';
    if (severity === 'off') return [];
    const place = run.declaration.place(paths.get(note.address) ?? [kind.sections[0]?.key ?? kind.name]);
    return [findingAt(place, { ...note, severity })];
  });
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
