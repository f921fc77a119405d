/** Computes the status of a piece of work: how much is done, how fast, and how long it will take. */

import type { ChangeOutcome } from '../../core/model/outcome.ts';
import { outcomeKey } from '../../report/view/equal-outcomes.ts';
import { resultWords } from '../../report/view/labels.ts';
import type { StatusText } from './runtime.ts';

/** The progress of work of known size. */
export interface Progress {
  /** Updates the number of finished items and the total. */
  update(done: number, total: number): void;
  /** `applying 120/1,000 · 18/s · 49 s left`; rate and time left appear once they are known. */
  readonly text: StatusText;
}

/** The time window of the rate, milliseconds; it covers at least `MIN_SAMPLES` samples. */
const WINDOW_MS = 10_000;
const MIN_SAMPLES = 5;

/** Minimum time between two samples, milliseconds, which bounds their number. */
const SAMPLE_INTERVAL_MS = 250;

/** Minimum time before a rate is shown, milliseconds. */
const MIN_RATE_MS = 1000;

/** Maximum time left that is shown, seconds. */
const MAX_SECONDS_LEFT = 100 * 3600;

/** The number of finished items at a time (Unix milliseconds). */
interface Sample {
  readonly at: number;
  readonly done: number;
}

/** Creates the progress of work that starts now; `then` is shown when all items are done. */
export function createProgress(what: string, size: number, now: () => number, then = ''): Progress {
  let samples: readonly Sample[] = [{ at: now(), done: 0 }];
  let [done, total] = [0, size];
  return {
    update(newDone, newTotal) {
      [done, total] = [newDone, newTotal];
      const sample = { at: now(), done };
      if (sample.at - (samples.at(-1)?.at ?? 0) >= SAMPLE_INTERVAL_MS) samples = recent([...samples, sample], sample.at);
    },
    text(at) {
      const parts = [
        `${what} ${number(done)}/${number(total)}`,
        ...(done < total ? estimate(total - done, rate(samples, done, at)) : [then]),
      ];
      return parts.filter((part) => part !== '').join(' · ');
    },
  };
}

/** Maximum number of changes of which each gets a line; of more, the status tells the progress. */
export const MAX_CHANGE_LINES = 100;

/**
 * Tells changes as they are made, for a reader who sees lines only: of those that fail for the same reason, the first, and at the end how
 * many there were. `writes` are the addresses of the changes that write.
 */
export function createChangeLines(
  writes: ReadonlySet<string>,
  line: (text: string) => void,
): { tell(outcome: ChangeOutcome): void; end(): void } {
  const told = new Set<string>();
  const equal = new Map<string, { readonly first: ChangeOutcome; count: number }>();
  let lines = 0;
  const isRepeated = (outcome: ChangeOutcome): boolean => {
    const key = outcomeKey(outcome);
    if (key === undefined) return false;
    const before = equal.get(key);
    if (!before) equal.set(key, { first: outcome, count: 0 });
    else before.count += 1;
    return before !== undefined;
  };
  const tell = (outcome: ChangeOutcome): void => {
    const { address, result, error, because } = outcome;
    if (!writes.has(address)) return;
    if (isRepeated(outcome)) {
      told.add(address);
      return;
    }
    if (lines >= MAX_CHANGE_LINES) return;
    // A change that verification finds to have failed, or does not see yet, is told once more.
    const place = told.has(address) ? '' : ` (${number(told.size + 1)} of ${number(writes.size)})`;
    told.add(address);
    lines += 1;
    const reason = error ?? because;
    line(`${resultWords(result)} ${address}${place}${reason === undefined ? '' : `: ${reason}`}`);
    if (lines === MAX_CHANGE_LINES && told.size < writes.size) line('the other changes are counted from here on');
  };
  const end = (): void => {
    for (const { first, count } of equal.values())
      if (count > 0) line(`${resultWords(first.result)} for the same reason as ${first.address}: ${number(count)} more`);
    equal.clear();
  };
  return { tell, end };
}

/** Returns the status text of work of unknown size: elapsed time and last event. */
export function durationText(what: string, since: number): StatusText {
  return (now, lastEvent) =>
    [what, `${Math.max(0, Math.floor((now - since) / 1000))} s`, lastEvent].filter((part) => part !== '').join(' · ');
}

/** Returns the samples of the window and the one before it. */
function recent(samples: readonly Sample[], now: number): readonly Sample[] {
  const first = samples.findLastIndex(({ at }) => at <= now - WINDOW_MS);
  return samples.slice(Math.max(0, Math.min(first, samples.length - MIN_SAMPLES)));
}

/** Computes items per second; null if there are too few data. */
function rate(samples: readonly Sample[], done: number, now: number): number | null {
  const [first] = recent(samples, now);
  if (!first || done <= first.done || now - first.at < MIN_RATE_MS) return null;
  return (done - first.done) / ((now - first.at) / 1000);
}

/** Formats the rate and the time left; nothing if the rate is unknown. */
function estimate(rest: number, perSecond: number | null): readonly string[] {
  if (perSecond === null) return [];
  const seconds = Math.ceil(rest / perSecond);
  return [rateText(perSecond), ...(seconds > MAX_SECONDS_LEFT ? [] : [`${duration(seconds)} left`])];
}

function rateText(perSecond: number): string {
  if (perSecond >= 10) return `${number(Math.round(perSecond))}/s`;
  if (perSecond >= 1) return `${perSecond.toFixed(1)}/s`;
  return perSecond * 60 >= 1 ? `${Math.round(perSecond * 60)}/min` : `${Math.max(1, Math.round(perSecond * 3600))}/h`;
}

function duration(seconds: number): string {
  if (seconds < 100) return `${seconds} s`;
  return seconds < 100 * 60 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
