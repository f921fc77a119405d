import { ApiError, type ApiService, type Kind, type LiveResource } from '../kinds/kind.ts';
import { writesOnService } from '../model/change.ts';
import type { PlannedChange } from '../state/planned-change.ts';
import type { ObjectsOfOthers } from './objects-of-others.ts';
import { readCurrent } from './read-current.ts';

/** How long after its begin a read is fresh, in milliseconds: nothing is written later (design section 4, rule 3). */
export const FRESH_MS = 30_000;
/** How long after the end of a read a write may start in any case, in milliseconds: otherwise a slow service would never get one. */
export const AFTER_READ_MS = 5_000;

/** One read of the objects of some changes of a kind. Times in milliseconds of the clock that never goes back. */
export interface Look {
  readonly beganAt: number;
  /** Until when a write may start that rests on it. */
  readonly freshUntil: number;
  /** Why it failed; then it shows nothing. */
  readonly error?: ApiError;
  /** Returns the object of a change; null where there is none. */
  liveOf(planned: PlannedChange): LiveResource | null;
}

/** The latest look at a kind: when it began, the look, and its result once it has ended. */
interface LatestLook {
  readonly beganAt: number;
  readonly running: Promise<Look>;
  ended?: Look;
}

/** Which look is not new enough: `insteadOf`, and those that began before `notBefore`. */
interface NewerThan {
  readonly insteadOf?: Look | undefined;
  readonly notBefore: number;
}

/** What looks need: the changes of the apply, when the plan read each kind, and the service and clock of the apply. */
interface LooksInput {
  readonly changes: readonly PlannedChange[];
  readonly readByKind: ReadonlyMap<string, { readonly readAt: number }>;
  readonly service: ApiService;
  readonly elapsed: () => number;
}

/** Reads what is about to be written. All pending changes of a kind share one look. */
export class Looks {
  readonly #input: Pick<LooksInput, 'service' | 'elapsed'>;
  readonly #objectsOfOthers: ObjectsOfOthers;
  readonly #onError: (error: ApiError) => void;
  readonly #pending: Set<PlannedChange>;
  readonly #latest = new Map<Kind, LatestLook>();

  constructor(input: LooksInput, objectsOfOthers: ObjectsOfOthers, onError: (error: ApiError) => void) {
    this.#input = input;
    this.#objectsOfOthers = objectsOfOthers;
    this.#onError = onError;
    this.#pending = new Set(input.changes.filter(({ change }) => change.blocked === null && writesOnService(change)));
    for (const { kind } of input.changes) {
      const beganAt = input.readByKind.get(kind.name)?.readAt ?? Number.NEGATIVE_INFINITY;
      const ofPlan: Look = { beganAt, freshUntil: beganAt + FRESH_MS, liveOf: ({ live }) => live };
      this.#latest.set(kind, { beganAt, running: Promise.resolve(ofPlan), ended: ofPlan });
    }
  }

  /** Records that nothing more is sent of these changes. */
  end(changes: readonly PlannedChange[]): void {
    for (const planned of changes) this.#pending.delete(planned);
  }

  /** Returns the latest look at a kind, at first that of the plan. Looks again at all of its pending changes where that is not fresh. */
  latest(kind: Kind, { insteadOf, notBefore }: NewerThan): Promise<Look> {
    const latest = this.#latest.get(kind);
    const isFresh = ({ ended, beganAt }: LatestLook) =>
      beganAt >= notBefore && (ended === undefined || (ended !== insteadOf && this.#input.elapsed() <= ended.freshUntil));
    if (latest && isFresh(latest)) return latest.running;
    const pending = [...this.#pending].filter((planned) => planned.kind === kind);
    const running = this.now(kind, pending).then((ended) => {
      next.ended = ended;
      return ended;
    });
    const next: LatestLook = { beganAt: this.#input.elapsed(), running };
    this.#latest.set(kind, next);
    return next.running;
  }

  /** Looks at some changes of a kind now. With `look-up`, the reads earn no retries. */
  async now(kind: Kind, changes: readonly PlannedChange[], after?: 'look-up'): Promise<Look> {
    const { service, elapsed } = this.#input;
    const reads: ApiService = after ? { send: (request, addresses) => service.send({ ...request, after }, addresses) } : service;
    const beganAt = elapsed();
    const freshUntil = (): number => Math.max(beganAt + FRESH_MS, elapsed() + AFTER_READ_MS);
    try {
      const current = await readCurrent(kind, changes, reads, this.#objectsOfOthers);
      return { beganAt, freshUntil: freshUntil(), liveOf: ({ change }) => current.get(change.address)?.[0] ?? null };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#onError(error);
      return { beganAt, freshUntil: freshUntil(), error, liveOf: () => null };
    }
  }
}
