import { ApiError, type Kind } from '../kinds/kind.ts';
import type { ExecutableChange } from '../plan/plan-document.ts';
import { writesOnService } from '../state/change-draft.ts';
import type { ApplyContext, StepResult } from './execute.ts';
import type { ApplyInput } from './options.ts';
import { isUnchanged, readCurrent } from './read-current.ts';

/** What was last read longer ago is read again before it is written (design section 4, rule 3). Milliseconds. */
const STALE_AFTER = 30_000;

/** One reading of a kind: when it began, and what it says of the steps that were still waiting. */
interface Reading {
  readonly at: number;
  readonly verdicts: Promise<ReadonlyMap<ExecutableChange, StepResult>>;
}

/** Looks before writing: a change whose object moved since it was read, or is already there, fails as stale and nothing is overwritten. */
export class StaleCheck {
  readonly #carrier: ApplyContext;
  readonly #readings = new Map<Kind, Reading>();

  constructor({ changes, reads }: Pick<ApplyInput, 'changes' | 'reads'>, context: ApplyContext) {
    this.#carrier = context;
    const trusted = Promise.resolve(new Map<ExecutableChange, StepResult>());
    for (const { kind } of changes) this.#readings.set(kind, { at: reads.get(kind.name)?.readAt ?? 0, verdicts: trusted });
  }

  /** The verdicts on those steps that must not be written. An old reading is renewed once, for all that is `waiting`, also in later waves. */
  async stale(steps: readonly ExecutableChange[], waiting: ReadonlySet<ExecutableChange>): Promise<readonly StepResult[]> {
    const [first] = steps;
    if (!first) return [];
    const verdicts = await this.#reading(first.kind, waiting).verdicts;
    return steps.flatMap((step) => verdicts.get(step) ?? []);
  }

  #reading(kind: Kind, waiting: ReadonlySet<ExecutableChange>): Reading {
    const last = this.#readings.get(kind);
    const now = this.#carrier.now();
    if (last && now - last.at <= STALE_AFTER) return last;
    const own = [...waiting].filter((step) => step.kind === kind);
    const renewed = { at: now, verdicts: readAgain(kind, own, this.#carrier) };
    this.#readings.set(kind, renewed);
    return renewed;
  }
}

async function readAgain(
  kind: Kind,
  steps: readonly ExecutableChange[],
  context: ApplyContext,
): Promise<ReadonlyMap<ExecutableChange, StepResult>> {
  try {
    const seen = await readCurrent(kind, steps, context.service, context.known);
    return new Map(steps.flatMap((step) => entry(step, staleReason(step, seen.get(step.change.address)?.[0] ?? null))));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    context.onError(error);
    const skipped = { state: 'skipped', why: 'the run was interrupted' } as const;
    const failed = { state: 'failed', why: `it could not be read again before writing: ${error.message}` } as const;
    return new Map(steps.map((step) => [step, { step, ...(error.kind === 'interrupted' ? skipped : failed) }]));
  }
}

function entry(step: ExecutableChange, result: StepResult | null): readonly [ExecutableChange, StepResult][] {
  return result ? [[step, result]] : [];
}

function staleReason(step: ExecutableChange, live: ExecutableChange['live']): StepResult | null {
  const { action } = step.change;
  if (!writesOnService(action)) return null;
  if (action === 'create') return live ? { step, state: 'failed', why: `stale: it is already there (${live.id})` } : null;
  if (!live) return action === 'delete' ? { step, state: 'done' } : { step, state: 'failed', why: 'stale: it is gone' };
  return step.live && isUnchanged(step.live, live)
    ? null
    : { step, state: 'failed', why: 'stale: it moved since the plan was made; plan again' };
}
