/** How far a work has come, in words for the status line. */
import type { Work } from './progress-display.ts';

/** A work of known size. */
export interface Progress {
  /** So much of it is done. */
  reached(done: number, total: number): void;
  /** `applying 120/1,000 · 18/s · 49 s left`; rate and time left stand there once they are known. */
  readonly line: Work;
}

/** The rate is that of this time, milliseconds, or of the last marks where they reach further back. */
const WINDOW = 10_000;
const FEWEST_MARKS = 5;

/** Two marks are at least so far apart, milliseconds, so that a window never holds many. */
const STEP = 250;

/** Before this nothing is said of the rate, milliseconds. */
const FIRST_GUESS = 1000;

/** Longest time left that is told, seconds. */
const LONGEST = 100 * 3600;

/** What was done by when. */
interface Mark {
  readonly at: number;
  readonly done: number;
}

/** Counts a work that begins now; `then` is what still goes on when all of it is done. */
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

/** A work of unknown size: how long it has taken, and what happened last. */
export function taking(what: string, since: number): Work {
  return (now, last) => [what, `${Math.max(0, Math.floor((now - since) / 1000))} s`, last].filter((part) => part !== '').join(' · ');
}

/** The marks of the window, and the one before it from which it counts. */
function recent(marks: readonly Mark[], now: number): readonly Mark[] {
  const first = marks.findLastIndex(({ at }) => at <= now - WINDOW);
  return marks.slice(Math.max(0, Math.min(first, marks.length - FEWEST_MARKS)));
}

/** Done per second; null where it cannot be told. */
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
