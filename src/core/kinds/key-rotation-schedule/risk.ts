/** Assesses how a change of the schedule affects protection: a key that is in use for longer is weaker (api-notes section 5). */
import type { FieldDifference, RiskAssessment, RiskReason } from '../../model/change.ts';
import type { Json } from '../../model/json.ts';
import { assess, type LiveResource, NEUTRAL, type RiskInput, strengthens, weakens } from '../kind.ts';
import { isKnown, UNKNOWN_SCHEDULE } from './declare.ts';

/** The fields that together define how often the key is rotated. */
const FREQUENCY_FIELDS = ['/enabled', '/frequency', '/unit'];

/** Assesses the frequency fields together, at the first of them that differs. The hour is neutral. */
export function assessRisk({ before, after, fields }: RiskInput): readonly RiskAssessment[] {
  const [frequencyBefore, frequencyAfter] = [frequencyOf(before), frequencyOf(after)];
  if ([before, after].some((schedule) => schedule !== null && !isKnown(schedule.fields)))
    return fields.map((_field, index) => (index === 0 ? assess(weakens(UNKNOWN_SCHEDULE)) : NEUTRAL));
  const first = fields.find(({ path }) => FREQUENCY_FIELDS.includes(path));
  return fields.map((field) => {
    if (field === first) return assess(...reasonsOfFrequency(frequencyBefore, frequencyAfter));
    return field.path === '/next_rotation' && frequencyBefore.longest !== Infinity && frequencyAfter.longest !== Infinity
      ? assess(reasonOfNextRotation(field))
      : NEUTRAL;
  });
}

/** How often the key is rotated: the days from one rotation to the next, Infinity without rotation, NaN where the schedule does not say. */
interface Frequency {
  readonly shortest: number;
  readonly longest: number;
  readonly text: string;
}

/** Returns the frequency of a schedule. A schedule that does not exist never rotates. */
function frequencyOf(schedule: Pick<LiveResource, 'fields'> | null): Frequency {
  const { enabled = false, frequency = null, unit = null } = schedule?.fields ?? {};
  if (enabled !== true) return { shortest: Infinity, longest: Infinity, text: 'never' };
  const days = typeof frequency === 'number' && frequency > 0 ? daysOf(frequency, unit) : [];
  if (days.length === 0) return { shortest: NaN, longest: NaN, text: 'at unknown times' };
  const noun = unit === 'm' ? 'month' : 'day';
  const text = frequency === 1 ? `every ${noun}` : `every ${frequency} ${noun}s`;
  return { shortest: Math.min(...days), longest: Math.max(...days), text };
}

const MILLISECONDS_PER_DAY = 86_400_000;

/** The months of four years, one of them a leap year. */
const MONTHS = Array.from({ length: 48 }, (_month, index) => index);

/**
 * Returns how many days a number of units can have: of months, from each month of four years on. Empty for any other unit than days and
 * months.
 */
function daysOf(count: number, unit: Json): readonly number[] {
  if (unit === 'd') return [count];
  return unit === 'm' ? MONTHS.map((month) => (Date.UTC(2001, month + count) - Date.UTC(2001, month)) / MILLISECONDS_PER_DAY) : [];
}

/** A month has no fixed length, so a schedule in months can be rarer at times, and at times more frequent, than one in days. */
function reasonsOfFrequency(before: Frequency, after: Frequency): readonly RiskReason[] {
  if (before.shortest === after.shortest && before.longest === after.longest) return [];
  if (after.longest === Infinity) return [weakens(`the static key will be rotated no longer (now ${before.text})`)];
  if (before.longest === Infinity) return [strengthens(`the static key will be rotated ${after.text}`)];
  const change = `the static key will be rotated ${after.text} instead of ${before.text}`;
  const [isRarer, isMoreFrequent] = [after.longest > before.shortest, after.shortest < before.longest];
  if (isRarer && isMoreFrequent)
    return [weakens(`${change}, which is rarer at times`), strengthens(`${change}, which is more often at times`)];
  if (isRarer) return [weakens(change)];
  return [isMoreFrequent ? strengthens(change) : weakens(`${change}: one of the schedules does not say how often`)];
}

/** A later rotation keeps the old key in use for longer. Without a time, the API documents do not define when the rotation happens. */
function reasonOfNextRotation({ before, after }: FieldDifference): RiskReason {
  if (typeof before !== 'number' || typeof after !== 'number')
    return weakens('the API documents do not say when the static key is rotated next without `next_rotation`');
  return after > before
    ? weakens(`the static key stays in use for longer, until ${formatTime(after)} instead of ${formatTime(before)}`)
    : strengthens(`the static key is replaced earlier, at ${formatTime(after)} instead of ${formatTime(before)}`);
}

/** Formats a time in Unix milliseconds; a number that is no valid date stays as it is. */
export function formatTime(milliseconds: number): string {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? String(milliseconds) : date.toISOString();
}
