import { type SentSoFar, type WhyNotSent, whyNotSent } from '../decide/sent.ts';
import { writesOnService } from '../model/change.ts';
import { type ChangeOutcome, isDone, isMade, type Outcome, type Result } from '../model/outcome.ts';
import type { PlannedChange } from '../state/planned-change.ts';
import type { ApplyInput, ChangeResult } from './input.ts';

/** The outcomes of an apply so far, and which changes must be skipped because of them. */
export class ApplyState {
  /** Remote IDs of the objects that were written, by address. */
  readonly ids = new Map<string, string>();
  readonly #input: ApplyInput;
  readonly #outcomes = new Map<string, ChangeOutcome>();
  /**
   * The address of a change that strengthens protection and is not known to have taken effect: nothing that weakens it is applied after it
   * (design section 4, rule 6).
   */
  #failedStrengthening: string | null = null;

  readonly #whyNotSent: WhyNotSent;
  readonly #verified = new Set<PlannedChange>();
  readonly #strengthens: ReadonlySet<string>;
  /** Why all further changes are skipped; null where they are not. */
  #stopReason: string | null = null;

  constructor(input: ApplyInput) {
    this.#input = input;
    this.#strengthens = new Set(input.changes.filter(({ change }) => change.effect === 'strengthens').map(({ change }) => change.address));
    const unread = [...input.readByKind].flatMap(([kind, { status }]) => (status === 'incomplete' ? [kind] : []));
    this.#whyNotSent = whyNotSent(input.changes, unread);
  }

  /** Skips all further changes for this reason; null has no effect. */
  stop(reason: string | null): void {
    this.#stopReason ??= reason;
  }

  /** Returns the changes of a wave that may be applied. Records the others as skipped. */
  selectApplicable(wave: readonly PlannedChange[]): readonly PlannedChange[] {
    return wave.filter((planned) => {
      const reason = this.#whyNotSent(planned, this.#soFar());
      if (reason !== null) this.record([{ planned, state: 'skipped', reason }], this.#input.now());
      return reason === null;
    });
  }

  /** Records the results of changes; `began` in Unix milliseconds. */
  record(results: readonly ChangeResult[], began: number): void {
    const tookMs = Math.max(0, Math.round(this.#input.now() - began));
    for (const result of results) {
      const { address, effect } = result.planned.change;
      if (result.id !== undefined) this.ids.set(address, result.id);
      if (result.state !== 'done' && result.state !== 'unchanged' && effect === 'strengthens') this.#failedStrengthening ??= address;
      this.#setOutcome(outcomeOf(result, tookMs));
    }
    this.#input.onProgress?.(this.#outcomes.size, this.#input.changes.length);
  }

  /** Records that a change which succeeded has failed its verification. */
  fail(address: string, error: string): void {
    const tookMs = this.#outcomes.get(address)?.tookMs ?? 0;
    this.#setOutcome({ address, result: 'failed', error, tookMs });
    if (this.#strengthens.has(address)) this.#failedStrengthening ??= address;
  }

  /** Records that the service does not show yet what a change wrote. */
  setUnseen(address: string, because: string): void {
    this.#setOutcome({ address, result: 'unseen', because, tookMs: this.#outcomes.get(address)?.tookMs ?? 0 });
    if (this.#strengthens.has(address)) this.#failedStrengthening ??= address;
  }

  /** Records that these changes read back as desired. They are not verified again. */
  markVerified(changes: readonly PlannedChange[]): void {
    for (const planned of changes) this.#verified.add(planned);
  }

  /** Records that it is unknown whether these changes took effect: nothing that weakens protection is applied after them. */
  markUnverified(changes: readonly PlannedChange[]): void {
    this.#failedStrengthening ??= changes[0]?.change.address ?? null;
  }

  /** Returns the changes that were written and not yet verified, in the order of the plan. */
  unverified(): readonly PlannedChange[] {
    return this.written().filter((planned) => !this.#verified.has(planned));
  }

  /** Returns the changes that were written on the service, in the order of the plan. */
  written(): readonly PlannedChange[] {
    return this.#input.changes.filter(({ change }) => writesOnService(change) && this.#is(change.address, isMade));
  }

  failed(): boolean {
    return [...this.#outcomes.values()].some((outcome) => outcome.result === 'failed');
  }

  /** Returns the outcome of every change, in the order of the plan, and their counts. */
  report(): Pick<Outcome, 'outcomes' | 'summary'> {
    const outcomes = this.#input.changes.flatMap((planned) => this.#outcomes.get(planned.change.address) ?? []);
    const counts = {
      created: 0,
      updated: 0,
      deleted: 0,
      adopted: 0,
      moved: 0,
      forgotten: 0,
      failed: 0,
      skipped: 0,
      unseen: 0,
      unchanged: 0,
    };
    for (const { result } of outcomes) counts[result] += 1;
    const { unseen, unchanged, ...summary } = counts;
    return { outcomes, summary: { ...summary, ...(unseen === 0 ? {} : { unseen }), ...(unchanged === 0 ? {} : { unchanged }) } };
  }

  #setOutcome(outcome: ChangeOutcome): void {
    this.#outcomes.set(outcome.address, outcome);
    this.#input.onOutcome?.(outcome);
  }

  #is(address: string, isSo: (result: Result) => boolean): boolean {
    const result = this.#outcomes.get(address)?.result;
    return result !== undefined && isSo(result);
  }

  #soFar(): SentSoFar {
    return {
      isDone: (address) => this.#is(address, isDone),
      notStrengthened: this.#failedStrengthening,
      stopped: this.#stopReason ?? (this.#input.signal.aborted ? 'the run was interrupted' : null),
    };
  }
}

/** The result of each action that succeeds. */
export const RESULTS: { readonly [action in PlannedChange['change']['action']]: Result } = {
  create: 'created',
  update: 'updated',
  delete: 'deleted',
  adopt: 'adopted',
  move: 'moved',
  forget: 'forgotten',
};

function outcomeOf({ planned, state, reason }: ChangeResult, tookMs: number): ChangeOutcome {
  const { address, action } = planned.change;
  if (state === 'done') return { address, result: RESULTS[action], tookMs };
  return state === 'failed'
    ? { address, result: state, error: reason ?? '', tookMs }
    : { address, result: state, because: reason ?? '', tookMs };
}
