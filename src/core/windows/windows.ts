/** Change windows: when changes may be applied (design section 3). */
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
  /** `strengthens`: a plan that only strengthens protection gets through. Of `deny` only. */
  readonly unless: 'strengthens' | null;
  readonly times: Interval | RepeatedInterval;
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
