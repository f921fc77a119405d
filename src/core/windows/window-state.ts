/** Decides whether change windows are open, and when that changes (design section 3). */
import { EXCEPTIONS, type Exception } from '../model/decision.ts';
import type { Path } from '../model/json.ts';
import { type CronTimes, readCron } from './cron.ts';
import type { WindowRule, Windows } from './windows.ts';

/** What closes: a `deny` that is active, or an `allow` list of which no entry is. */
export interface Closure {
  readonly type: WindowRule['type'];
  /** The reason of the `deny`; null for an `allow` list, of which no entry says why it closes. */
  readonly why: string | null;
  /** When the `deny` ends, or an entry of the `allow` list begins, Unix milliseconds; null where that is never, or not soon. */
  readonly endsAt: number | null;
  /** Empty for an `allow` list. */
  readonly unless: WindowRule['unless'];
  /** Whether it is a `deny` with no end. */
  readonly isFreeze: boolean;
  /** The time zone of its scope. */
  readonly timeZone: string | null;
  /** The path in upkeep.yaml of the entry, or of the list. */
  readonly path: Path;
}

/** The state of all scopes together at one time. Times are Unix milliseconds. */
export interface WindowState {
  readonly isOpen: boolean;
  /** Empty where they are open. */
  readonly closedBy: readonly Closure[];
  /** What gets through: all that closes them has it in `unless`. All where they are open. */
  readonly exceptions: readonly Exception[];
  /** When they close or open next; null where they never do, or where the limit was reached first. */
  readonly changesAt: number | null;
  /** When they are again as they are now; null where that never happens, or where the limit was reached first. */
  readonly changesBackAt: number | null;
  /** Where the limit was reached: up to when `isOpen`, or its opposite from `changesAt` on, is known to last. Else null. */
  readonly knownUntil: number | null;
}

/** How many times rules are asked after the present state, before the next changes count as unknown. */
export const MAX_STEPS = 1_000;

/** Returns the state of windows at `now`. All scopes must be open. What cannot be computed is closed. */
export function windowState(scopes: readonly Windows[], now: number): WindowState {
  const timeline = createTimeline(scopes.map((windows) => activitiesAt(windows, now)));
  const closedBy = timeline.closedBy();
  const changesAt = timeline.nextChange();
  const changesBackAt = changesAt === null ? null : timeline.nextChange();
  return {
    isOpen: closedBy.length === 0,
    closedBy,
    exceptions: EXCEPTIONS.filter((exception) => closedBy.every(({ unless }) => unless.includes(exception))),
    changesAt,
    changesBackAt,
    knownUntil: timeline.knownUntil(),
  };
}

/** Windows that are closed for ever, as far as that is known. */
export interface ClosedForEver {
  /** What closes them in the end. */
  readonly closedBy: readonly Closure[];
  /** Where the limit was reached: up to when it is known. Else null. */
  readonly knownUntil: number | null;
}

/** Returns null where scopes are open together at the time of their activities or some time later. */
export function neverOpens(scopes: readonly ScopeActivities[]): ClosedForEver | null {
  const timeline = createTimeline(scopes);
  if (timeline.isOpen() || timeline.nextChange() !== null) return null;
  return { closedBy: timeline.closedBy(), knownUntil: timeline.knownUntil() };
}

/** Whether a rule is active, and up to when that is so at least. */
interface Activity {
  readonly isActive: boolean;
  readonly until: number;
}

/** A rule at a time. */
interface RuleActivity extends Activity {
  readonly rule: WindowRule;
  activityAt(at: number): Activity;
}

/** The rules of a project or of a target at a time. */
export interface ScopeActivities {
  readonly timeZone: string | null;
  readonly rules: readonly RuleActivity[];
}

/** Returns the activity of each rule at a time, Unix milliseconds. */
export function activitiesAt({ timeZone, rules }: Windows, at: number): ScopeActivities {
  return {
    timeZone,
    rules: rules.map((rule) => {
      const activityAt = activityOf(rule, timeZone);
      return { rule, activityAt, ...activityAt(at) };
    }),
  };
}

/** Returns the rules that are repeated and never begin again. */
export function neverBegin({ rules }: ScopeActivities): readonly WindowRule[] {
  return rules.flatMap(({ rule, isActive, until }) =>
    'cron' in rule.times && !isActive && until === Number.POSITIVE_INFINITY ? [rule] : [],
  );
}

/** Windows at a time that only moves forward. */
interface Timeline {
  isOpen(): boolean;
  closedBy(): readonly Closure[];
  /** Moves to the next time at which they close or open, and returns it. */
  nextChange(): number | null;
  /** Where the limit was reached: the time up to which the timeline got. */
  knownUntil(): number | null;
}

function createTimeline(start: readonly ScopeActivities[]): Timeline {
  let scopes = start;
  let steps = 0;
  let knownUntil: number | null = null;
  const isOpen = () => scopes.every(isOpenScope);
  return {
    isOpen,
    closedBy: () => scopes.flatMap(closuresOf),
    knownUntil: () => knownUntil,
    nextChange() {
      const wasOpen = isOpen();
      for (;;) {
        const at = Math.min(...scopes.flatMap(({ rules }) => rules.map(({ until }) => until)));
        if (at === Number.POSITIVE_INFINITY) return null;
        if (steps >= MAX_STEPS) {
          knownUntil = at;
          return null;
        }
        scopes = scopes.map(({ timeZone, rules }) => ({
          timeZone,
          rules: rules.map((each) => {
            if (each.until > at) return each;
            steps += 1;
            return { ...each, ...each.activityAt(at) };
          }),
        }));
        if (isOpen() !== wasOpen) return at;
      }
    },
  };
}

/** Decides whether no `deny` is active, and an entry of `allow` is, where there is one. */
function isOpenScope({ rules }: ScopeActivities): boolean {
  const allows = rules.filter(({ rule }) => rule.type === 'allow');
  return (
    rules.every(({ rule, isActive }) => rule.type === 'allow' || !isActive) &&
    (allows.length === 0 || allows.some(({ isActive }) => isActive))
  );
}

function closuresOf({ timeZone, rules }: ScopeActivities): readonly Closure[] {
  const denials = rules.flatMap((each): Closure[] => {
    const { type, why, unless, times, path } = each.rule;
    if (type !== 'deny' || !each.isActive) return [];
    return [{ type, why, endsAt: endOf(each), unless, isFreeze: 'until' in times && times.until === null, timeZone, path }];
  });
  const allows = rules.filter(({ rule }) => rule.type === 'allow');
  const [first] = allows;
  if (first === undefined || allows.some(({ isActive }) => isActive)) return denials;
  const endsAt = finiteOrNull(Math.min(...allows.map(({ until }) => until)));
  return [...denials, { type: 'allow', why: null, endsAt, unless: [], isFreeze: false, timeZone, path: first.rule.path.slice(0, -1) }];
}

/** How many intervals of one rule are followed that begin where the one before ends. */
const MAX_ADJOINING = 50;

/** Returns when an active rule ends, which may begin again at the end of an interval; null where it does not end, or not soon. */
function endOf({ until: first, activityAt }: RuleActivity): number | null {
  let until = first;
  for (let steps = 0; steps < MAX_ADJOINING && until !== Number.POSITIVE_INFINITY; steps += 1) {
    const next = activityAt(until);
    if (!next.isActive) return until;
    until = next.until;
  }
  return null;
}

function finiteOrNull(time: number): number | null {
  return Number.isFinite(time) ? time : null;
}

/** Returns the function that tells the activity of a rule at a time. */
function activityOf({ type, times }: WindowRule, timeZone: string | null): (at: number) => Activity {
  if (!('cron' in times))
    return (at) => activityOfInterval(times.from ?? Number.NEGATIVE_INFINITY, times.until ?? Number.POSITIVE_INFINITY, at);
  const cron = timeZone === null ? null : readCron(times.cron, timeZone);
  if (cron === null || 'problem' in cron) return () => ({ isActive: type === 'deny', until: Number.POSITIVE_INFINITY });
  return (at) => activityOfCron(cron.times, times.forMs, at);
}

function activityOfInterval(from: number, until: number, at: number): Activity {
  if (until <= from || at >= until) return { isActive: false, until: Number.POSITIVE_INFINITY };
  return at < from ? { isActive: false, until: from } : { isActive: true, until };
}

function activityOfCron(times: CronTimes, forMs: number, at: number): Activity {
  const end = (times.latest(at) ?? Number.NEGATIVE_INFINITY) + forMs;
  return end > at ? { isActive: true, until: end } : { isActive: false, until: times.next(at) ?? Number.POSITIVE_INFINITY };
}
