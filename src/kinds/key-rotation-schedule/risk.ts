/** Assesses how a change of the schedule affects protection: a key that is in use for longer is weaker (api-notes section 5). */
import type { FieldDifference, RiskAssessment, RiskReason } from '../../model/change.ts';
import { assess, type LiveResource, loosens, NEUTRAL, type RiskInput, tightens } from '../kind.ts';

/** The fields that together define how often the key is rotated. */
const FREQUENCY_FIELDS = ['/enabled', '/frequency', '/unit'];

/** Length of a month in comparisons, days. */
export const DAYS_PER_MONTH = 30;

const DAYS: ReadonlyMap<unknown, number> = new Map([
  ['d', 1],
  ['m', DAYS_PER_MONTH],
]);

/** Assesses the frequency fields together, at the first of them that differs. The hour is neutral. */
export function assessRisk({ before, after, fields }: RiskInput): readonly RiskAssessment[] {
  const [frequencyBefore, frequencyAfter] = [frequencyOf(before), frequencyOf(after)];
  const first = fields.find(({ path }) => FREQUENCY_FIELDS.includes(path));
  return fields.map((field) => {
    if (field === first) return assess(...reasonsOfFrequency(frequencyBefore, frequencyAfter));
    return field.path === '/next_rotation' && frequencyBefore.days !== Infinity && frequencyAfter.days !== Infinity
      ? assess(reasonOfNextRotation(field))
      : NEUTRAL;
  });
}

/** How often the key is rotated. */
interface Frequency {
  /** Days from one rotation to the next: Infinity without rotation, NaN where the schedule does not define it. */
  readonly days: number;
  readonly text: string;
}

/** Returns the frequency of a schedule. A schedule that does not exist never rotates. */
function frequencyOf(schedule: Pick<LiveResource, 'fields'> | null): Frequency {
  const { enabled = false, frequency = null, unit = null } = schedule?.fields ?? {};
  if (enabled !== true) return { days: Infinity, text: 'never' };
  const days = typeof frequency === 'number' && frequency > 0 ? frequency * (DAYS.get(unit) ?? NaN) : NaN;
  const noun = unit === 'm' ? 'month' : 'day';
  return { days, text: Number.isNaN(days) ? 'at unknown times' : frequency === 1 ? `every ${noun}` : `every ${frequency} ${noun}s` };
}

function reasonsOfFrequency(before: Frequency, after: Frequency): readonly RiskReason[] {
  if (before.days === after.days) return [];
  if (after.days === Infinity) return [loosens(`the static key will be rotated no longer (now ${before.text})`)];
  if (before.days === Infinity) return [tightens(`the static key will be rotated ${after.text}`)];
  const change = `the static key will be rotated ${after.text} instead of ${before.text}`;
  if (Number.isNaN(before.days - after.days)) return [loosens(`${change}: one of the schedules does not say how often`)];
  return [after.days > before.days ? loosens(change) : tightens(change)];
}

/** A later rotation keeps the old key in use for longer. Without a time, the API documents do not define when the rotation happens. */
function reasonOfNextRotation({ before, after }: FieldDifference): RiskReason {
  if (typeof before !== 'number' || typeof after !== 'number')
    return loosens('the API documents do not say when the static key is rotated next without `next_rotation`');
  return after > before
    ? loosens(`the static key stays in use for longer, until ${formatTime(after)} instead of ${formatTime(before)}`)
    : tightens(`the static key is replaced earlier, at ${formatTime(after)} instead of ${formatTime(before)}`);
}

/** Formats a time in Unix milliseconds; a number that is no valid date stays as it is. */
function formatTime(milliseconds: number): string {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? String(milliseconds) : date.toISOString();
}
