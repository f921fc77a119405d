import { ApiError, type Kind } from '../kinds/kind.ts';
import { writesOnService } from '../model/change.ts';
import type { ExecutableChange } from '../plan/plan-document.ts';
import type { ApplyContext, ApplyInput, ChangeResult } from './input.ts';
import { isUnchanged, readCurrent } from './read-current.ts';

/** An object that was read longer ago, in milliseconds, is read again before it is written (design section 4, rule 3). */
export const STALE_AFTER_MS = 30_000;

/** The latest read of a kind: when it began, and the results of the pending changes that it shows to be stale. */
interface LatestRead {
  readonly at: number;
  readonly results: Promise<ReadonlyMap<ExecutableChange, ChangeResult>>;
}

/** Reads before writing: a change whose object changed since it was read, or already exists, fails as stale and nothing is overwritten. */
export class StaleCheck {
  readonly #context: ApplyContext;
  readonly #latestReads = new Map<Kind, LatestRead>();

  constructor({ changes, readByKind }: Pick<ApplyInput, 'changes' | 'readByKind'>, context: ApplyContext) {
    this.#context = context;
    const unchanged = Promise.resolve(new Map<ExecutableChange, ChangeResult>());
    for (const { kind } of changes)
      this.#latestReads.set(kind, { at: readByKind.get(kind.name)?.readAt ?? Number.NEGATIVE_INFINITY, results: unchanged });
  }

  /** Returns the results of changes that must not be written. Repeats an old read once for all `pending` changes, later waves included. */
  async stale(changes: readonly ExecutableChange[], pending: ReadonlySet<ExecutableChange>): Promise<readonly ChangeResult[]> {
    const [first] = changes;
    if (!first) return [];
    const results = await this.#latestRead(first.kind, pending).results;
    return changes.flatMap((planned) => results.get(planned) ?? []);
  }

  #latestRead(kind: Kind, pending: ReadonlySet<ExecutableChange>): LatestRead {
    const last = this.#latestReads.get(kind);
    const now = this.#context.elapsed();
    if (last && now - last.at <= STALE_AFTER_MS) return last;
    const pendingOfKind = [...pending].filter((planned) => planned.kind === kind);
    const latest = { at: now, results: readAgain(kind, pendingOfKind, this.#context) };
    this.#latestReads.set(kind, latest);
    return latest;
  }
}

async function readAgain(
  kind: Kind,
  changes: readonly ExecutableChange[],
  context: ApplyContext,
): Promise<ReadonlyMap<ExecutableChange, ChangeResult>> {
  try {
    const current = await readCurrent(kind, changes, context.service, context.objectsOfOthers);
    return new Map(changes.flatMap((planned) => toEntry(planned, staleResult(planned, current.get(planned.change.address)?.[0] ?? null))));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    context.onError(error);
    const skipped = { state: 'skipped', reason: 'the run was interrupted' } as const;
    const failed = { state: 'failed', reason: `it could not be read again before writing: ${error.message}` } as const;
    return new Map(changes.map((planned) => [planned, { planned, ...(error.kind === 'interrupted' ? skipped : failed) }]));
  }
}

function toEntry(planned: ExecutableChange, result: ChangeResult | null): readonly [ExecutableChange, ChangeResult][] {
  return result ? [[planned, result]] : [];
}

function staleResult(planned: ExecutableChange, live: ExecutableChange['live']): ChangeResult | null {
  const { action } = planned.change;
  if (!writesOnService(planned.change)) return null;
  if (action === 'create') return live ? { planned, state: 'failed', reason: `stale: it already exists (${live.id})` } : null;
  if (!live) return action === 'delete' ? { planned, state: 'done' } : { planned, state: 'failed', reason: 'stale: it is gone' };
  return planned.live && isUnchanged(planned.live, live)
    ? null
    : { planned, state: 'failed', reason: 'stale: it changed since the plan was made; plan again' };
}
