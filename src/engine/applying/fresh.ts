import { type Kind, ServiceError } from '../../kinds/kind.ts';
import type { PlannedStep } from '../plan.ts';
import { writesOnService } from '../step.ts';
import type { Application } from './application.ts';
import type { Carrier, Verdict } from './carry.ts';
import { look, unmoved } from './look.ts';

/** What was last read longer ago is read again before it is written (design section 4, rule 3). Milliseconds. */
const STALE_AFTER = 30_000;

/** One reading of a kind: when it began, and what it says of the steps that were still waiting. */
interface Reading {
  readonly at: number;
  readonly verdicts: Promise<ReadonlyMap<PlannedStep, Verdict>>;
}

/** Looks before writing: a change whose object moved since it was read, or is already there, fails as stale and nothing is overwritten. */
export class Freshness {
  readonly #carrier: Carrier;
  readonly #readings = new Map<Kind, Reading>();

  constructor({ steps, seen }: Pick<Application, 'steps' | 'seen'>, carrier: Carrier) {
    this.#carrier = carrier;
    const trusted = Promise.resolve(new Map<PlannedStep, Verdict>());
    for (const { kind } of steps) this.#readings.set(kind, { at: seen.get(kind.name)?.readAt ?? 0, verdicts: trusted });
  }

  /** The verdicts on those steps that must not be written. An old reading is renewed once, for all that is `waiting`, also in later waves. */
  async stale(steps: readonly PlannedStep[], waiting: ReadonlySet<PlannedStep>): Promise<readonly Verdict[]> {
    const [first] = steps;
    if (!first) return [];
    const verdicts = await this.#reading(first.kind, waiting).verdicts;
    return steps.flatMap((step) => verdicts.get(step) ?? []);
  }

  #reading(kind: Kind, waiting: ReadonlySet<PlannedStep>): Reading {
    const last = this.#readings.get(kind);
    const now = this.#carrier.now();
    if (last && now - last.at <= STALE_AFTER) return last;
    const own = [...waiting].filter((step) => step.kind === kind);
    const renewed = { at: now, verdicts: readAgain(kind, own, this.#carrier) };
    this.#readings.set(kind, renewed);
    return renewed;
  }
}

async function readAgain(kind: Kind, steps: readonly PlannedStep[], carrier: Carrier): Promise<ReadonlyMap<PlannedStep, Verdict>> {
  try {
    const seen = await look(kind, steps, carrier.service, carrier.known);
    return new Map(steps.flatMap((step) => entry(step, freshness(step, seen.get(step.change.address)?.[0] ?? null))));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    carrier.onFault(error);
    const skipped = { state: 'skipped', why: 'the run was interrupted' } as const;
    const failed = { state: 'failed', why: `it could not be read again before writing: ${error.message}` } as const;
    return new Map(steps.map((step) => [step, { step, ...(error.fault === 'interrupted' ? skipped : failed) }]));
  }
}

function entry(step: PlannedStep, verdict: Verdict | null): readonly [PlannedStep, Verdict][] {
  return verdict ? [[step, verdict]] : [];
}

function freshness(step: PlannedStep, live: PlannedStep['live']): Verdict | null {
  const { action } = step.change;
  if (!writesOnService(action)) return null;
  if (action === 'create') return live ? { step, state: 'failed', why: `stale: it is already there (${live.id})` } : null;
  if (!live) return action === 'delete' ? { step, state: 'done' } : { step, state: 'failed', why: 'stale: it is gone' };
  return step.live && unmoved(step.live, live)
    ? null
    : { step, state: 'failed', why: 'stale: it moved since the plan was made; plan again' };
}
