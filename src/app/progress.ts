/** Progress text for the status line. */
import type { Work } from './progress-display.ts';

/** The progress of work of known size. */
export interface Progress {
  /** Updates the number of finished items and the total. */
  reached(done: number, total: number): void;
  /** `applying 120/1,000 · 18/s · 49 s left`; rate and time left appear once they are known. */
  readonly line: Work;
}

/** The time window of the rate, milliseconds; it covers at least `FEWEST_MARKS` marks. */
const WINDOW = 10_000;
const FEWEST_MARKS = 5;

/** Minimum time between two marks, milliseconds, which bounds their number. */
const STEP = 250;

/** Minimum time before a rate is shown, milliseconds. */
const FIRST_GUESS = 1000;

/** Maximum time left that is shown, seconds. */
const LONGEST = 100 * 3600;

/** The number of finished items at a time (Unix milliseconds). */
interface Mark {
  readonly at: number;
  readonly done: number;
}

/** Creates the progress of work that starts now; `then` is shown when all items are done. */
export function createProgress(what: string, size: number, now: () => number, then = ''): Progress {
  let marks: readonly Mark[] = [{ at: now(), done: 0 }];
  let [done, total] = [0, size];
  return {
    reached(reached, of) {
      [done, total] = [reached, of];
      const mark = { at: now(), done };
      if (mark.at - (marks.at(-1)?.at ?? 0) >= STEP) marks = recent([...marks, mark], mark.at);
    },
    line(at) {
      const parts = [`${what} ${number(done)}/${number(total)}`, ...(done < total ? guess(total - done, rate(marks, done, at)) : [then])];
      return parts.filter((part) => part !== '').join(' · ');
    },
  };
}

/** Returns the status text of work of unknown size: elapsed time and last event. */
export function taking(what: string, since: number): Work {
  return (now, last) => [what, `${Math.max(0, Math.floor((now - since) / 1000))} s`, last].filter((part) => part !== '').join(' · ');
}

/** Returns the marks of the window and the one before it. */
function recent(marks: readonly Mark[], now: number): readonly Mark[] {
  const first = marks.findLastIndex(({ at }) => at <= now - WINDOW);
  return marks.slice(Math.max(0, Math.min(first, marks.length - FEWEST_MARKS)));
}

/** Computes items per second; null if there are too few data. */
function rate(marks: readonly Mark[], done: number, now: number): number | null {
  const [from] = recent(marks, now);
  if (!from || done <= from.done || now - from.at < FIRST_GUESS) return null;
  return (done - from.done) / ((now - from.at) / 1000);
}

function guess(rest: number, perSecond: number | null): readonly string[] {
  if (perSecond === null) return [];
  const seconds = Math.ceil(rest / perSecond);
  return [pace(perSecond), ...(seconds > LONGEST ? [] : [`${duration(seconds)} left`])];
}

function pace(perSecond: number): string {
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
