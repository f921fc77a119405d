import type { ChangeOutcome, Outcome, Result } from '../../model/outcome.ts';
import type { PlannedStep } from '../plan.ts';
import { writesOnService } from '../step.ts';
import type { Application } from './application.ts';
import type { Verdict } from './carry.ts';

/** What has happened so far in an apply, and what that forbids. */
export class Progress {
  /** Remote IDs of what was written, by address. */
  readonly ids = new Map<string, string>();
  readonly #application: Application;
  readonly #outcomes = new Map<string, ChangeOutcome>();
  /** A change that tightens and was not done: nothing is loosened after it (design section 4, rule 6). */
  #undone: string | null;

  readonly #checked = new Set<PlannedStep>();
  readonly #tightens: ReadonlySet<string>;
  /** Why nothing more may be begun. */
  #stopped: string | null = null;

  constructor(application: Application) {
    this.#application = application;
    this.#tightens = new Set(application.steps.filter(({ change }) => change.effect === 'tightens').map(({ change }) => change.address));
    this.#undone = application.steps.find((step) => step.change.effect === 'tightens' && step.change.held)?.change.address ?? null;
  }

  /** Begins nothing more. */
  stop(why: string | null): void {
    this.#stopped ??= why;
  }

  /** The steps of a wave that may be done; the others are recorded as skipped. */
  skipBlocked(wave: readonly PlannedStep[]): readonly PlannedStep[] {
    return wave.filter((step) => {
      const because = this.#blocks(step);
      if (because !== undefined) this.record([{ step, state: 'skipped', why: because }], this.#application.now());
      return because === undefined;
    });
  }

  /** Notes what became of changes; `began` in Unix milliseconds. */
  record(verdicts: readonly Verdict[], began: number): void {
    const tookMs = Math.max(0, Math.round(this.#application.now() - began));
    for (const verdict of verdicts) {
      const { address, effect } = verdict.step.change;
      if (verdict.id !== undefined) this.ids.set(address, verdict.id);
      if (verdict.state !== 'done' && effect === 'tightens') this.#undone ??= address;
      this.#settle(outcomeOf(verdict, tookMs));
    }
    this.#application.onProgress?.(this.#outcomes.size, this.#application.steps.length);
  }

  /** Turns a success into a failure. */
  fail(address: string, error: string): void {
    const tookMs = this.#outcomes.get(address)?.tookMs ?? 0;
    this.#settle({ address, result: 'failed', error, tookMs });
    if (this.#tightens.has(address)) this.#undone ??= address;
  }

  /** Notes that these read back as desired, and need no second look. */
  checked(steps: readonly PlannedStep[]): void {
    for (const step of steps) this.#checked.add(step);
  }

  /** Notes that nobody knows whether these took effect: nothing is loosened after them. */
  distrust(steps: readonly PlannedStep[]): void {
    this.#undone ??= steps[0]?.change.address ?? null;
  }

  /** What was written and not yet read back, in order. */
  unchecked(): readonly PlannedStep[] {
    return this.written().filter((step) => !this.#checked.has(step));
  }

  /** What was written on the service, in order. */
  written(): readonly PlannedStep[] {
    return this.#application.steps.filter(({ change }) => writesOnService(change.action) && this.#succeeded(change.address));
  }

  failed(): boolean {
    return [...this.#outcomes.values()].some((outcome) => outcome.result === 'failed');
  }

  /** The outcome of every change, in the order of the plan, and their counts. */
  report(): Pick<Outcome, 'outcomes' | 'summary'> {
    const outcomes = this.#application.steps.flatMap((step) => this.#outcomes.get(step.change.address) ?? []);
    const summary = { created: 0, updated: 0, deleted: 0, adopted: 0, moved: 0, forgotten: 0, failed: 0, skipped: 0 };
    for (const { result } of outcomes) summary[result] += 1;
    return { outcomes, summary };
  }

  #settle(outcome: ChangeOutcome): void {
    this.#outcomes.set(outcome.address, outcome);
    this.#application.onOutcome?.(outcome);
  }

  #succeeded(address: string): boolean {
    const result = this.#outcomes.get(address)?.result;
    return result !== undefined && result !== 'failed' && result !== 'skipped';
  }

  /** Why a step must not be done; undefined = it may. */
  #blocks({ change, after }: PlannedStep): string | undefined {
    if (change.held) return `held by the brake ${change.held.brake}: ${change.held.reason}`;
    if (this.#stopped !== null) return this.#stopped;
    if (this.#application.signal.aborted) return 'the run was interrupted';
    if (after !== null && !this.#succeeded(after)) return `${after} was to free its name, and did not`;
    if (change.phase === 4 && this.#undone !== null) return `${this.#undone} tightens and was not done, so nothing is loosened in this run`;
    return undefined;
  }
}

const DONE: { readonly [action in PlannedStep['change']['action']]: Result } = {
  create: 'created',
  update: 'updated',
  delete: 'deleted',
  adopt: 'adopted',
  move: 'moved',
  forget: 'forgotten',
};

function outcomeOf({ step, state, why }: Verdict, tookMs: number): ChangeOutcome {
  const { address, action } = step.change;
  if (state === 'done') return { address, result: DONE[action], tookMs };
  return state === 'failed' ? { address, result: state, error: why ?? '', tookMs } : { address, result: state, because: why ?? '', tookMs };
}
