import type { ChangeOutcome, Outcome, Result } from '../model/outcome.ts';
import type { ExecutableChange } from '../plan/plan-document.ts';
import { writesOnService } from '../state/change-draft.ts';
import type { StepResult } from './execute.ts';
import type { ApplyInput } from './options.ts';

/** What has happened so far in an apply, and what that forbids. */
export class ApplyState {
  /** Remote IDs of what was written, by address. */
  readonly ids = new Map<string, string>();
  readonly #application: ApplyInput;
  readonly #outcomes = new Map<string, ChangeOutcome>();
  /** A change that tightens and was not done: nothing is loosened after it (design section 4, rule 6). */
  #failedTightening: string | null;

  readonly #checked = new Set<ExecutableChange>();
  readonly #tightens: ReadonlySet<string>;
  /** Why nothing more may be begun. */
  #stopped: string | null = null;

  constructor(application: ApplyInput) {
    this.#application = application;
    this.#tightens = new Set(application.changes.filter(({ change }) => change.effect === 'tightens').map(({ change }) => change.address));
    this.#failedTightening =
      application.changes.find((step) => step.change.effect === 'tightens' && step.change.blocked)?.change.address ?? null;
  }

  /** Begins nothing more. */
  stop(why: string | null): void {
    this.#stopped ??= why;
  }

  /** The steps of a wave that may be done; the others are recorded as skipped. */
  skipBlocked(wave: readonly ExecutableChange[]): readonly ExecutableChange[] {
    return wave.filter((step) => {
      const because = this.#blocks(step);
      if (because !== undefined) this.record([{ step, state: 'skipped', why: because }], this.#application.now());
      return because === undefined;
    });
  }

  /** Notes what became of changes; `began` in Unix milliseconds. */
  record(results: readonly StepResult[], began: number): void {
    const tookMs = Math.max(0, Math.round(this.#application.now() - began));
    for (const result of results) {
      const { address, effect } = result.step.change;
      if (result.id !== undefined) this.ids.set(address, result.id);
      if (result.state !== 'done' && effect === 'tightens') this.#failedTightening ??= address;
      this.#settle(outcomeOf(result, tookMs));
    }
    this.#application.onProgress?.(this.#outcomes.size, this.#application.changes.length);
  }

  /** Turns a success into a failure. */
  fail(address: string, error: string): void {
    const tookMs = this.#outcomes.get(address)?.tookMs ?? 0;
    this.#settle({ address, result: 'failed', error, tookMs });
    if (this.#tightens.has(address)) this.#failedTightening ??= address;
  }

  /** Notes that these read back as desired, and need no second look. */
  markVerified(steps: readonly ExecutableChange[]): void {
    for (const step of steps) this.#checked.add(step);
  }

  /** Notes that nobody knows whether these took effect: nothing is loosened after them. */
  markUnverified(steps: readonly ExecutableChange[]): void {
    this.#failedTightening ??= steps[0]?.change.address ?? null;
  }

  /** What was written and not yet read back, in order. */
  unchecked(): readonly ExecutableChange[] {
    return this.written().filter((step) => !this.#checked.has(step));
  }

  /** What was written on the service, in order. */
  written(): readonly ExecutableChange[] {
    return this.#application.changes.filter(({ change }) => writesOnService(change.action) && this.#succeeded(change.address));
  }

  failed(): boolean {
    return [...this.#outcomes.values()].some((outcome) => outcome.result === 'failed');
  }

  /** The outcome of every change, in the order of the plan, and their counts. */
  report(): Pick<Outcome, 'outcomes' | 'summary'> {
    const outcomes = this.#application.changes.flatMap((step) => this.#outcomes.get(step.change.address) ?? []);
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
  #blocks({ change, dependsOn }: ExecutableChange): string | undefined {
    if (change.blocked) return `held by the brake ${change.blocked.check}: ${change.blocked.reason}`;
    if (this.#stopped !== null) return this.#stopped;
    if (this.#application.signal.aborted) return 'the run was interrupted';
    if (dependsOn !== null && !this.#succeeded(dependsOn)) return `${dependsOn} was to free its name, and did not`;
    if (change.phase === 'loosen' && this.#failedTightening !== null)
      return `${this.#failedTightening} tightens and was not done, so nothing is loosened in this run`;
    return undefined;
  }
}

const DONE: { readonly [action in ExecutableChange['change']['action']]: Result } = {
  create: 'created',
  update: 'updated',
  delete: 'deleted',
  adopt: 'adopted',
  move: 'moved',
  forget: 'forgotten',
};

function outcomeOf({ step, state, why }: StepResult, tookMs: number): ChangeOutcome {
  const { address, action } = step.change;
  if (state === 'done') return { address, result: DONE[action], tookMs };
  return state === 'failed' ? { address, result: state, error: why ?? '', tookMs } : { address, result: state, because: why ?? '', tookMs };
}
