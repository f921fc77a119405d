/** Decides whether change windows are open, and when that changes (design section 3). */
import type { Path } from '../model/json.ts';
import { type CronTimes, readCron } from './cron.ts';
import type { WindowRule, Windows } from './windows.ts';

/** What closes: a `deny` that is active, or an `allow` list of which no entry is. */
export interface Closure {
  readonly type: WindowRule['type'];
  /** The reason of the `deny`; of an `allow` list the reasons of its entries, each once. */
  readonly why: string;
  /** Null for an `allow` list. */
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
  /** Whether they are open to a plan that only strengthens protection: nothing else than rules with `unless: strengthens` closes them. */
  readonly isOpenToStrengthening: boolean;
  /** When they close or open next; null where they never do, or where the limit was reached first. */
  readonly changesAt: number | null;
  /** When they are again as they are now; null where that never happens, or where the limit was reached first. */
  readonly changesBackAt: number | null;
  /** Where the limit was reached: up to when `isOpen`, or its opposite from `changesAt` on, is known to last. Else null. */
  readonly knownUntil: number | null;
}

/** How many times rules are asked after the present state, before the next changes count as unknown. */
const MAX_STEPS = 1_000;

/** Returns the state of windows at `now`. All scopes must be open. What cannot be computed is closed. */
export function windowState(scopes: readonly Windows[], now: number): WindowState {
  const timeline = createTimeline(scopes, now);
  const closedBy = timeline.closedBy();
  const isOpen = closedBy.length === 0;
  const changesAt = timeline.nextChange();
  const changesBackAt = changesAt === null ? null : timeline.nextChange();
  return {
    isOpen,
    closedBy,
    isOpenToStrengthening: closedBy.every(({ unless }) => unless === 'strengthens'),
    changesAt,
    changesBackAt,
    knownUntil: timeline.knownUntil(),
  };
}

/** Returns null where windows are open at `from` or some time later; else what closes them in the end, and up to when that is known. */
export function neverOpens(
  scopes: readonly Windows[],
  from: number,
): { readonly closedBy: readonly Closure[]; readonly knownUntil: number | null } | null {
  const timeline = createTimeline(scopes, from);
  if (timeline.closedBy().length === 0 || timeline.nextChange() !== null) return null;
  return { closedBy: timeline.closedBy(), knownUntil: timeline.knownUntil() };
}

/** Whether a rule is active, and up to when that is so at least. */
interface Activity {
  readonly isActive: boolean;
  readonly until: number;
}

/** A rule on its way through time. */
interface Track {
  readonly rule: WindowRule;
  activityAt(at: number): Activity;
  activity: Activity;
}

/** Windows at a time that only moves forward. */
interface Timeline {
  closedBy(): readonly Closure[];
  /** Moves to the next time at which they close or open, and returns it. */
  nextChange(): number | null;
  /** Where the limit was reached: the time up to which the timeline got. */
  knownUntil(): number | null;
}

function createTimeline(scopes: readonly Windows[], start: number): Timeline {
  const tracksOfScopes = scopes.map(({ timeZone, rules }) => ({
    timeZone,
    tracks: rules.map((rule): Track => {
      const activityAt = activityOf(rule, timeZone);
      return { rule, activityAt, activity: activityAt(start) };
    }),
  }));
  const tracks = tracksOfScopes.flatMap((scope) => scope.tracks);
  const closedBy = () => tracksOfScopes.flatMap(({ timeZone, tracks }) => closuresOf(timeZone, tracks));
  let steps = 0;
  let knownUntil: number | null = null;
  return {
    closedBy,
    knownUntil: () => knownUntil,
    nextChange() {
      const isOpen = closedBy().length === 0;
      for (;;) {
        const at = Math.min(...tracks.map(({ activity }) => activity.until));
        if (at === Number.POSITIVE_INFINITY) return null;
        if (steps >= MAX_STEPS) {
          knownUntil = at;
          return null;
        }
        for (const track of tracks.filter(({ activity }) => activity.until <= at)) {
          track.activity = track.activityAt(at);
          steps += 1;
        }
        if ((closedBy().length === 0) !== isOpen) return at;
      }
    },
  };
}

function closuresOf(timeZone: string | null, tracks: readonly Track[]): readonly Closure[] {
  const denials = tracks.flatMap(({ rule: { type, why, unless, times, path }, activity }): Closure[] =>
    type === 'deny' && activity.isActive ? [{ type, why, unless, isFreeze: 'until' in times && times.until === null, timeZone, path }] : [],
  );
  const allows = tracks.filter(({ rule }) => rule.type === 'allow');
  const [first] = allows;
  if (first === undefined || allows.some(({ activity }) => activity.isActive)) return denials;
  const why = [...new Set(allows.map(({ rule }) => rule.why))].join(', ');
  return [...denials, { type: 'allow', why, unless: null, isFreeze: false, timeZone, path: first.rule.path.slice(0, -1) }];
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
