/** Change windows: when changes may be applied (design section 3). */
import type { Exception } from '../model/decision.ts';
import type { Path } from '../model/json.ts';

/** A single interval, Unix milliseconds: with its beginning, without its end. Null is open at that end. */
export interface Interval {
  readonly from: number | null;
  readonly until: number | null;
}

/** Intervals of one length, milliseconds, each of which begins where a cron pattern of five fields matches. */
export interface RepeatedInterval {
  readonly cron: string;
  readonly forMs: number;
}

/** An entry of `deny` or `allow`. */
export interface WindowRule {
  readonly type: 'deny' | 'allow';
  readonly why: string;
  /** What gets through all the same: a plan each change of which is one of these. Of `deny` only. */
  readonly unless: readonly Exception[];
  readonly times: Interval | RepeatedInterval;
  /** Whether its end is before the day of the run, UTC, or at its beginning. */
  readonly isExpired: boolean;
  /** Its path in upkeep.yaml. */
  readonly path: Path;
}

/** The windows of a project or of a target. Without rules they are always open. */
export interface Windows {
  /** The time zone of local times and of cron patterns; null where nothing needs one. */
  readonly timeZone: string | null;
  readonly rules: readonly WindowRule[];
}

/** The windows of a project or a target that has none. */
export const NO_WINDOWS: Windows = { timeZone: null, rules: [] };
