/** Compares the change windows of two versions of upkeep.yaml: whether an edit holds less back (design section 4, rule 13). */
import { parseDuration, writeDuration } from '../model/duration.ts';
import { formatInstant } from '../model/instant.ts';
import { equal, isJsonObject, isList, type Json, type JsonObject } from '../model/json.ts';
import type { WindowRule, Windows } from '../windows/windows.ts';

/** Returns the entries of a type in the form of upkeep.yaml, times as instants; null where there is none. A `deny` that is over holds nothing back. */
export function windowEntries(windows: Windows, type: WindowRule['type']): Json {
  const entries = rulesInEffect(windows)
    .filter((rule) => rule.type === type)
    .map(
      ({ times, unless, why }): JsonObject => ({
        ...writtenTimes(times),
        ...(unless.length === 0 ? {} : { unless: [...unless].sort() }),
        why,
      }),
    );
  return entries.length === 0 ? null : entries;
}

/** Returns the time zone of the patterns; null where there is no pattern, so that it means nothing. */
export function zoneOfPatterns(windows: Windows): string | null {
  return rulesInEffect(windows).some(({ times }) => 'cron' in times) ? windows.timeZone : null;
}

function rulesInEffect({ rules }: Windows): readonly WindowRule[] {
  return rules.filter(({ type, isExpired }) => !(type === 'deny' && isExpired));
}

function writtenTimes(times: WindowRule['times']): JsonObject {
  if ('cron' in times) return { cron: times.cron, for: writeDuration(times.forMs) };
  const { from, until } = times;
  return { ...(from === null ? {} : { from: formatInstant(from) }), ...(until === null ? {} : { until: formatInstant(until) }) };
}

/** Decides whether entries of `deny` hold less back; `unknown` where they cannot be compared. */
export function deniesLess(before: Json, after: Json): boolean | 'unknown' {
  const [old, now] = [objectsOf(before), objectsOf(after)];
  const lost = old.filter((entry) => !now.some((each) => covers(each, entry) && letsThroughNoMore(each, entry)));
  if (lost.length === 0) return false;
  const added = now.filter((entry) => !old.some((each) => equal(each, entry)));
  return added.every((entry) => lost.some((each) => covers(each, entry))) || 'unknown';
}

function letsThroughNoMore({ unless: now }: JsonObject, { unless: before }: JsonObject): boolean {
  return !isList(now) || now.every((each) => isList(before) && before.includes(each));
}

/** Decides whether entries of `allow` let more through; `unknown` where they cannot be compared. Without any, everything gets through. */
export function allowsMore(before: Json, after: Json): boolean | 'unknown' {
  const [old, now] = [objectsOf(before), objectsOf(after)];
  if (old.length === 0 || now.length === 0) return old.length > 0;
  if (now.every((entry) => old.some((each) => covers(each, entry)))) return false;
  return old.every((entry) => now.some((each) => covers(each, entry))) || 'unknown';
}

/** Returns the entries without their reasons. */
function objectsOf(value: Json): readonly JsonObject[] {
  return isList(value) ? value.filter(isJsonObject).map(({ why: _why, ...entry }) => entry) : [];
}

/**
 * Decides whether an entry is active whenever another one is, as far as that can be told from one pattern, or from intervals. The zone of
 * patterns is compared by itself.
 */
function covers(wide: JsonObject, narrow: JsonObject): boolean {
  if (wide.cron !== undefined) return wide.cron === narrow.cron && durationIn(wide) >= durationIn(narrow);
  // Texts of instants in UTC have their order. A pattern has no beginning and no end.
  const isFrom = wide.from === undefined || (typeof narrow.from === 'string' && String(wide.from) <= narrow.from);
  const isUntil = wide.until === undefined || (typeof narrow.until === 'string' && String(wide.until) >= narrow.until);
  return isFrom && isUntil;
}

function durationIn({ for: written }: JsonObject): number {
  return parseDuration(String(written));
}
