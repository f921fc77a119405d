/** Reads `windows` of upkeep.yaml: when changes may be applied (design section 3). */
import { errorFinding, type UnlocatedFinding, warningFinding } from '../kinds/kind.ts';
import type { Exception } from '../model/decision.ts';
import { parseDuration } from '../model/duration.ts';
import { isDay } from '../model/instant.ts';
import type { Path } from '../model/json.ts';
import { readCron } from '../windows/cron.ts';
import { instantsOf, inZone, isTimeZone } from '../windows/local-time.ts';
import { activitiesAt, neverBegin, neverOpens, type ScopeActivities } from '../windows/window-state.ts';
import { type Interval, NO_WINDOWS, type RepeatedInterval, type WindowRule, type Windows } from '../windows/windows.ts';

/** An entry of `deny` or `allow`, valid by the schema. */
export interface RawWindowRule {
  readonly from?: string;
  readonly until?: string;
  readonly cron?: string;
  readonly for?: string;
  readonly why: string;
  readonly unless?: readonly Exception[];
}

/** `windows`, valid by the schema. */
export interface RawWindows {
  readonly time_zone?: string;
  readonly deny?: readonly RawWindowRule[];
  readonly allow?: readonly RawWindowRule[];
}

/** Converts `windows` at a path of upkeep.yaml, with the errors in it. An entry with an error is left out. `today` is the day of the run, UTC. */
export function readWindows(
  raw: RawWindows | undefined,
  path: Path,
  today: string,
): { readonly windows: Windows; readonly findings: readonly UnlocatedFinding[] } {
  if (raw === undefined) return { windows: NO_WINDOWS, findings: [] };
  const zone = zoneOf(raw.time_zone, [...path, 'time_zone']);
  const read = TYPES.flatMap((type) => (raw[type] ?? []).map((rule, index) => readRule(type, rule, zone, [...path, type, index], today)));
  return {
    windows: { timeZone: raw.time_zone ?? null, rules: read.flatMap((each) => ('rule' in each ? [each.rule] : [])) },
    findings: [...('findings' in zone ? zone.findings : []), ...read.flatMap((each) => ('findings' in each ? each.findings : []))],
  };
}

const TYPES = ['deny', 'allow'] as const;

/** The code of warnings about windows that never open. */
const NEVER_OPENS_CODE = 'window-never-opens';

/** How many targets whose windows never open are listed: to find each of them takes time. */
const MAX_LISTED_TARGETS = 20;

/**
 * Returns warnings about patterns that match no date, and about windows that are closed on a day, UTC, and ever after: those of a project, and
 * those of its targets together with them. A freeze, a `deny` that has no end, is meant so.
 */
export function windowWarnings(project: Windows, targets: readonly Windows[], day: string): readonly UnlocatedFinding[] {
  const start = Date.parse(day);
  const ofProject = activitiesAt(project, start);
  const ofTargets = targets.filter(({ rules }) => rules.length > 0).map((windows) => activitiesAt(windows, start));
  const noDate = [ofProject, ...ofTargets].flatMap(neverBegin).map(({ path }) => {
    return warningFinding(NEVER_OPENS_CODE, [...path, 'cron'], '`cron` matches no date', 'Correct day and month, or remove the entry.');
  });
  if (noDate.length > 0) return noDate;
  const general = neverOpensWarnings([ofProject]);
  if (general.length > 0) return general;
  const warnings: UnlocatedFinding[] = [];
  for (const ofTarget of ofTargets) {
    if (warnings.length < MAX_LISTED_TARGETS) warnings.push(...neverOpensWarnings([ofProject, ofTarget]));
  }
  return warnings;
}

function neverOpensWarnings(scopes: readonly ScopeActivities[]): readonly UnlocatedFinding[] {
  const never = neverOpens(scopes);
  const [first] = never?.closedBy ?? [];
  if (never === null || first === undefined || never.closedBy.some(({ isFreeze }) => isFreeze)) return [];
  const what = first.type === 'deny' ? `the \`deny\` entry (${first.why})` : '`allow`';
  const summary =
    never.knownUntil === null
      ? `\`windows\` never open again: ${what} keeps them closed`
      : `\`windows\` stay closed until ${inZone(never.knownUntil, 'UTC')} at least: ${what} keeps them closed`;
  const hint = 'Correct the times, or remove the entry. To stop all changes, write a `deny` entry with nothing but `why`.';
  return [warningFinding(NEVER_OPENS_CODE, first.path, summary, hint)];
}

/** The zone of local times, or why there is none: with findings, unless the reason is that none is written. */
type Zone = { readonly timeZone: string } | { readonly findings: readonly UnlocatedFinding[] };

function zoneOf(timeZone: string | undefined, path: Path): Zone {
  if (timeZone === undefined) return { findings: [] };
  if (isTimeZone(timeZone)) return { timeZone };
  const hint = 'Write a name of the IANA database, such as Europe/Berlin or UTC.';
  return { findings: [errorFinding('invalid-value', path, `\`${timeZone}\` is no time zone`, hint)] };
}

type ReadRule = { readonly rule: WindowRule } | { readonly findings: readonly UnlocatedFinding[] };

function readRule(type: WindowRule['type'], raw: RawWindowRule, zone: Zone, path: Path, today: string): ReadRule {
  const problem = formProblem(type, raw, path);
  if (problem !== undefined) return { findings: [problem] };
  const { cron, for: duration, why, unless = [] } = raw;
  const times =
    cron === undefined || duration === undefined ? readInterval(type, raw, zone, path) : readRepeated(cron, duration, zone, path);
  if ('findings' in times) return times;
  const isExpired = 'until' in times && times.until !== null && times.until <= Date.parse(today);
  return { rule: { type, why, unless, times, isExpired, path } };
}

/** Returns a finding about an entry that is of neither form. */
function formProblem(type: WindowRule['type'], raw: RawWindowRule, path: Path): UnlocatedFinding | undefined {
  const hasTimes = raw.from !== undefined || raw.until !== undefined;
  const isRepeated = raw.cron !== undefined || raw.for !== undefined;
  if (hasTimes && isRepeated) {
    const key = raw.cron === undefined ? 'for' : 'cron';
    const hint = 'Write two entries.';
    return { ...errorFinding('invalid-key', [...path, key], `\`${key}\` does not go with \`from\` and \`until\``, hint), part: 'key' };
  }
  if (isRepeated && raw.for === undefined) {
    return errorFinding('missing-key', path, '`cron` needs `for`: how long it lasts', 'Add for example `for: 8h`.');
  }
  if (isRepeated && raw.cron === undefined) {
    return errorFinding('missing-key', path, '`for` needs `cron`: when it begins', 'Add for example `cron: "0 9 * * MON-FRI"`.');
  }
  if (type === 'allow' && !hasTimes && !isRepeated) {
    return errorFinding('missing-key', path, 'an `allow` entry needs times', 'Add `from` and `until`, or `cron` and `for`, or remove it.');
  }
  return undefined;
}

type Read<T> = T | { readonly findings: readonly UnlocatedFinding[] };

function readRepeated(cron: string, duration: string, zone: Zone, path: Path): Read<RepeatedInterval> {
  const forMs = parseDuration(duration);
  const findings: UnlocatedFinding[] = [];
  if (forMs > MAX_DURATION) {
    findings.push(errorFinding('out-of-range', [...path, 'for'], `\`for: ${duration}\` is longer than 366 days`, 'Write from and until.'));
  }
  // The form of a pattern does not depend on the zone.
  const result = readCron(cron, 'timeZone' in zone ? zone.timeZone : 'UTC');
  if ('problem' in result) {
    const summary = `\`${cron}\` is no cron pattern: ${result.problem}`;
    const hint = 'Write minute, hour, day of the month, month and day of the week, such as "0 18 * * FRI".';
    findings.push(errorFinding('invalid-value', [...path, 'cron'], summary, hint));
  }
  if (!('timeZone' in zone) && zone.findings.length === 0) findings.push(missingZone([...path, 'cron'], 'a `cron` pattern'));
  return findings.length > 0 ? { findings } : { cron, forMs };
}

/** The longest `for`, milliseconds. */
export const MAX_DURATION = 366 * 86_400_000;

function readInterval(type: WindowRule['type'], raw: RawWindowRule, zone: Zone, path: Path): Read<Interval> {
  const from = readTime(raw.from, zone, [...path, 'from']);
  const until = readTime(raw.until, zone, [...path, 'until']);
  const findings = [from, until].flatMap((time) => (time !== null && 'findings' in time ? time.findings : []));
  if ((from !== null && 'findings' in from) || (until !== null && 'findings' in until)) return { findings };
  if (from !== null && until !== null && !isAfter(until, from)) {
    const summary = `\`until: ${raw.until}\` is not after \`from: ${raw.from}\``;
    return { findings: [errorFinding('invalid-value', [...path, 'until'], summary, 'An entry begins at `from` and ends at `until`.')] };
  }
  // Where the clocks leave a choice, more is closed.
  return type === 'deny'
    ? { from: from?.first ?? null, until: until?.last ?? null }
    : { from: from?.last ?? null, until: until?.first ?? null };
}

/** A time as written: of a local one, the time that the clocks show, as if it were UTC, and the first and last instant at which they do. */
interface WrittenTime {
  readonly local: number | null;
  readonly first: number;
  readonly last: number;
}

function isAfter(later: WrittenTime, earlier: WrittenTime): boolean {
  return later.local !== null && earlier.local !== null ? later.local > earlier.local : later.last > earlier.first;
}

const TIME = /^((?:19[7-9]|2\d\d)\d-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)?$/;

function readTime(written: string | undefined, zone: Zone, path: Path): Read<WrittenTime> | null {
  if (written === undefined) return null;
  const [, day, , , offset] = TIME.exec(written) ?? [];
  if (day === undefined || !isDay(day)) return { findings: [invalidTime(written, path)] };
  if (offset !== undefined) {
    const instant = Date.parse(written);
    return { local: null, first: instant, last: instant };
  }
  if (!('timeZone' in zone)) return { findings: zone.findings.length > 0 ? [] : [missingZone(path, `\`${written}\``)] };
  const local = Date.parse(`${written}Z`);
  return { local, ...instantsOf(local, zone.timeZone) };
}

function invalidTime(written: string, path: Path): UnlocatedFinding {
  const hint = isDay(written)
    ? `Write the time as well: ${written}T00:00.`
    : 'Write a day of the years 1970 to 2999 and a time from 00:00 to 23:59, such as 2026-12-18T18:00, or with Z or an offset at the end.';
  return errorFinding('invalid-value', path, `\`${written}\` is no date with a time`, hint);
}

function missingZone(path: Path, what: string): UnlocatedFinding {
  const hint = 'Add for example `time_zone: Europe/Berlin` to these `windows`, or write times in UTC, with Z at the end.';
  return errorFinding('missing-key', path, `${what} is local, and \`windows\` has no \`time_zone\``, hint);
}
