/** Reads cron patterns, and finds the times that they match. */
import { Cron } from 'croner';

/** Finds the times, Unix milliseconds, that a pattern matches; null where there is none. */
export interface CronTimes {
  /** Returns the latest time that is not after `at`. */
  latest(at: number): number | null;
  /** Returns the first time after `at`. */
  next(at: number): number | null;
}

/**
 * Reads a cron pattern of five fields: minute, hour, day of the month, month, day of the week. Where minutes and hours have neither `*` nor a
 * step, a local time that does not exist is the moment of the jump, and one that occurs twice is the first one. Otherwise each minute that
 * exists is asked.
 */
export function readCron(pattern: string, timeZone: string): { readonly times: CronTimes } | { readonly problem: string } {
  const fields = pattern.trim().split(/\s+/).length;
  if (fields !== 5) return { problem: `it has ${fields} of 5 fields` };
  try {
    const cron = new Cron(pattern, { mode: '5-part', fixedTimeRule: 'no-wildcard', paused: true, timezone: timeZone });
    return {
      times: {
        // `previousRuns` excludes the time itself.
        latest: (at) => cron.previousRuns(1, new Date(at + 1))[0]?.getTime() ?? null,
        next: (at) => cron.nextRun(new Date(at))?.getTime() ?? null,
      },
    };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { problem: error.message.replace(/^CronPattern: /, '') };
  }
}
