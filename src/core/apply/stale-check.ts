import { ApiError, type DesiredResource, type Kind, type LiveResource, type WhyNotDeclarable } from '../kinds/kind.ts';
import { writesOnService } from '../model/change.ts';
import { copyFields, isIgnored } from '../model/ignored-fields.ts';
import { equal } from '../model/json.ts';
import { sendsIgnored, whyNotSendable, withLiveValues } from '../plan/ignored-fields.ts';
import { resetMembers } from '../safety/reset-members.ts';
import type { PlannedChange } from '../state/planned-change.ts';
import { assessChange } from '../state/planned-change.ts';
import type { ApplyContext, ApplyInput, ChangeResult } from './input.ts';
import { type CurrentObjects, readCurrent } from './read-current.ts';

/** An object that was read longer ago, in milliseconds, is read again before it is written (design section 4, rule 3). */
export const STALE_AFTER_MS = 30_000;

/** The latest read of a kind: when it began, and the results of the pending changes that it shows to be stale. */
interface LatestRead {
  readonly at: number;
  readonly results: Promise<ReadonlyMap<PlannedChange, ChangeResult>>;
}

/** The changes of a sequence that may be written, as they are sent, and the results of the others. */
export interface CheckedChanges {
  readonly ready: readonly PlannedChange[];
  readonly results: readonly ChangeResult[];
}

/**
 * Reads before writing: a change whose object changed since it was read, or already exists, fails as stale and nothing is overwritten. A
 * change that is sent with the live values of ignored fields is always read again, and gets the values of that read.
 */
export class StaleCheck {
  readonly #context: ApplyContext;
  readonly #whyNotDeclarable: WhyNotDeclarable;
  readonly #resettable: readonly string[];
  readonly #latestReads = new Map<Kind, LatestRead>();

  constructor(
    {
      changes,
      readByKind,
      whyNotDeclarable,
      context: { resettableMembers },
    }: Pick<ApplyInput, 'changes' | 'readByKind' | 'whyNotDeclarable' | 'context'>,
    context: ApplyContext,
  ) {
    this.#context = context;
    this.#whyNotDeclarable = whyNotDeclarable;
    this.#resettable = resettableMembers;
    const unchanged = Promise.resolve(new Map<PlannedChange, ChangeResult>());
    for (const { kind } of changes)
      this.#latestReads.set(kind, { at: readByKind.get(kind.name)?.readAt ?? Number.NEGATIVE_INFINITY, results: unchanged });
  }

  /** Checks changes of one sequence. Repeats an old read once for all `pending` changes, later waves included. */
  async check(changes: readonly PlannedChange[], pending: ReadonlySet<PlannedChange>): Promise<CheckedChanges> {
    const [first] = changes;
    if (!first) return { ready: [], results: [] };
    if (changes.some((planned) => sendsIgnored(planned.kind, planned))) return this.#readNow(first.kind, changes);
    const stale = await this.#latestRead(first.kind, pending).results;
    return { ready: changes.filter((planned) => !stale.has(planned)), results: changes.flatMap((planned) => stale.get(planned) ?? []) };
  }

  /** Reads changes of one sequence now. Returns the others with the live values of this read. */
  async #readNow(kind: Kind, changes: readonly PlannedChange[]): Promise<CheckedChanges> {
    const { current, stale } = await readAgain(kind, changes, this.#resettable, this.#context);
    const checked = changes.map((planned) => stale.get(planned) ?? this.#withValues(planned, current.get(planned.change.address)?.[0]));
    return {
      ready: checked.filter((each) => 'change' in each),
      results: checked.filter((each) => 'planned' in each),
    };
  }

  /** Returns a change with the ignored fields of a live resource; or its result, where that is not what was planned. */
  #withValues(planned: PlannedChange, live: LiveResource | undefined): PlannedChange | ChangeResult {
    const { kind, desired, change } = planned;
    if (!desired || !live || change.action !== 'update') return planned;
    const fresh = { ...planned, desired: withLiveValues(kind, desired, live), live };
    const invalid = whyNotSendable(kind, fresh, this.#whyNotDeclarable, this.#context.now());
    if (invalid === undefined) return fresh;
    return { planned, state: 'failed', reason: `stale: with the ignored fields as they are now, it could not be declared: ${invalid}` };
  }

  #latestRead(kind: Kind, pending: ReadonlySet<PlannedChange>): LatestRead {
    const last = this.#latestReads.get(kind);
    const now = this.#context.elapsed();
    if (last && now - last.at <= STALE_AFTER_MS) return last;
    const pendingOfKind = [...pending].filter((planned) => planned.kind === kind);
    const latest = { at: now, results: readAgain(kind, pendingOfKind, this.#resettable, this.#context).then(({ stale }) => stale) };
    this.#latestReads.set(kind, latest);
    return latest;
  }
}

/**
 * Reads the objects of changes again. Returns them, and the results of the changes that must not be written. A change that only the ledger
 * records overwrites nothing, so it is never stale, whatever the read shows.
 */
async function readAgain(
  kind: Kind,
  all: readonly PlannedChange[],
  resettable: readonly string[],
  context: ApplyContext,
): Promise<{ readonly current: CurrentObjects; readonly stale: ReadonlyMap<PlannedChange, ChangeResult> }> {
  const changes = all.filter(({ change }) => writesOnService(change));
  try {
    const current = await readCurrent(kind, changes, context.service, context.objectsOfOthers);
    const currentOf = ({ change }: PlannedChange) => current.get(change.address)?.[0] ?? null;
    const entries = changes.flatMap((planned) => toEntry(planned, staleResult(planned, currentOf(planned), resettable)));
    return { current, stale: new Map(entries) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    context.onError(error);
    const skipped = { state: 'skipped', reason: 'the run was interrupted' } as const;
    const failed = { state: 'failed', reason: `it could not be read again before writing: ${error.message}` } as const;
    const stale = new Map(changes.map((planned) => [planned, { planned, ...(error.category === 'interrupted' ? skipped : failed) }]));
    return { current: new Map(), stale };
  }
}

function toEntry(planned: PlannedChange, result: ChangeResult | null): readonly [PlannedChange, ChangeResult][] {
  return result ? [[planned, result]] : [];
}

function staleResult(planned: PlannedChange, live: PlannedChange['live'], resettable: readonly string[]): ChangeResult | null {
  const { action } = planned.change;
  if (action === 'create') return live ? { planned, state: 'failed', reason: `stale: it already exists (${live.id})` } : null;
  if (!live) return action === 'delete' ? { planned, state: 'done' } : { planned, state: 'failed', reason: 'stale: it is gone' };
  if (!isUnchanged(planned, live, resettable))
    return { planned, state: 'failed', reason: 'stale: it changed since the plan was made; plan again' };
  return hasOtherRisk(planned, live)
    ? { planned, state: 'failed', reason: 'stale: with the ignored fields as they are now, it would have another effect; plan again' }
    : null;
}

/**
 * Decides whether an object is as it was planned, whatever others did to its ignored fields. Members that upkeep does not know count where the
 * change would reset them, unless the target accepts that.
 */
export function isUnchanged(
  { kind, change, desired, live: planned }: PlannedChange,
  current: LiveResource,
  resettable: readonly string[],
): boolean {
  if (!planned) return false;
  const ignored = desired?.ignored ?? [];
  const lost = (live: LiveResource) =>
    resetMembers(kind, live, change.fields, resettable)
      .others.filter(({ path }) => !isIgnored(ignored, path))
      .map(({ path, value }) => ({ path, value }));
  return (
    equal(planned.fields, copyFields({ into: current.fields, from: planned.fields, paths: ignored })) && equal(lost(planned), lost(current))
  );
}

/** Decides whether an update has another effect on protection or playback than planned, because others changed its ignored fields. */
function hasOtherRisk({ kind, desired, live, change }: PlannedChange, current: LiveResource): boolean {
  if (!desired || !live || equal(live.fields, current.fields)) return false;
  const assessed = (before: LiveResource, after: DesiredResource) => assessChange({ kind, action: 'update', before, after }, change.fields);
  const [planned, now] = [assessed(live, desired), assessed(current, withLiveValues(kind, desired, current))];
  return planned.effect !== now.effect || planned.playback !== now.playback;
}
