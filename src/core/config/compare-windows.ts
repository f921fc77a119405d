/** Compares the change windows of two versions of upkeep.yaml: whether an edit holds less back (design section 4, rule 13). */
import { formatInstant } from '../model/instant.ts';
import { equal, isJsonObject, isList, type Json, type JsonObject } from '../model/json.ts';
import type { WindowRule, Windows } from '../windows/windows.ts';

/** Returns the entries of a type, without their reasons; null where there is none. A `deny` that is over holds nothing back. */
export function windowEntries({ rules, timeZone }: Windows, type: WindowRule['type']): Json {
  const entries = rules
    .filter((rule) => rule.type === type && !(type === 'deny' && rule.isExpired))
    .map(
      ({ times, unless }): JsonObject => ({
        ...('cron' in times
          ? { cron: times.cron, time_zone: timeZone, minutes: times.forMs / 60_000 }
          : { from: instantOrNull(times.from), until: instantOrNull(times.until) }),
        ...(unless === null ? {} : { unless }),
      }),
    );
  return entries.length === 0 ? null : entries;
}

/** Decides whether entries of `deny` hold less back; `unknown` where they cannot be compared. */
export function deniesLess(before: Json, after: Json): boolean | 'unknown' {
  const [old, now] = [objectsOf(before), objectsOf(after)];
  const lost = old.filter(
    (entry) => !now.some((each) => covers(each, entry) && (each.unless === undefined || each.unless === entry.unless)),
  );
  if (lost.length === 0) return false;
  const added = now.filter((entry) => !old.some((each) => equal(each, entry)));
  return added.every((entry) => lost.some((each) => covers(each, entry))) || 'unknown';
}

/** Decides whether entries of `allow` let more through; `unknown` where they cannot be compared. Without any, everything gets through. */
export function allowsMore(before: Json, after: Json): boolean | 'unknown' {
  const [old, now] = [objectsOf(before), objectsOf(after)];
  if (old.length === 0 || now.length === 0) return old.length > 0;
  if (now.every((entry) => old.some((each) => covers(each, entry)))) return false;
  return old.every((entry) => now.some((each) => covers(each, entry))) || 'unknown';
}

function objectsOf(value: Json): readonly JsonObject[] {
  return isList(value) ? value.filter(isJsonObject) : [];
}

/** Decides whether an entry is active whenever another one is, as far as that can be told from one pattern, or from intervals. */
function covers(wide: JsonObject, narrow: JsonObject): boolean {
  if (wide.cron !== undefined) {
    return wide.cron === narrow.cron && wide.time_zone === narrow.time_zone && Number(wide.minutes) >= Number(narrow.minutes);
  }
  // Texts of instants in UTC have their order. A pattern has no beginning and no end.
  const isFrom = wide.from === null || (typeof narrow.from === 'string' && String(wide.from) <= narrow.from);
  const isUntil = wide.until === null || (typeof narrow.until === 'string' && String(wide.until) >= narrow.until);
  return isFrom && isUntil;
}

function instantOrNull(time: number | null): string | null {
  return time === null ? null : formatInstant(time);
}
