/** What a change of the schedule does to protection: the longer one key is in use, the less (api-notes section 5). */
import type { FieldDifference, RiskAssessment, RiskReason } from '../../model/change.ts';
import { assess, type Comparison, type LiveResource, loosens, NEUTRAL, tightens } from '../kind.ts';

/** The fields that together say how often the key is rotated. */
const RHYTHM = ['/enabled', '/frequency', '/unit'];

const DAYS: ReadonlyMap<unknown, number> = new Map([
  ['d', 1],
  ['m', 30],
]);

/** What says how often the key is rotated is judged together, at the first of its fields that differs; the hour is neutral. */
export function assessRisk({ fields, desired, live }: Comparison): readonly RiskAssessment[] {
  const [before, after] = [rhythmOf(live), rhythmOf(desired)];
  const first = fields.find(({ path }) => RHYTHM.includes(path));
  return fields.map((field) => {
    if (field === first) return assess(...reasonsOfRhythm(before, after));
    return field.path === '/next_rotation' && before.days !== Infinity && after.days !== Infinity ? assess(reasonOfNext(field)) : NEUTRAL;
  });
}

/** How often the key is rotated. */
interface Rhythm {
  /** Days from one rotation to the next: Infinity where there is none, NaN where the schedule does not tell. */
  readonly days: number;
  readonly words: string;
}

/** A month counts as 30 days; a side that is absent rotates nothing. */
function rhythmOf(side: Pick<LiveResource, 'fields'> | null): Rhythm {
  const { enabled = false, frequency = null, unit = null } = side?.fields ?? {};
  if (enabled !== true) return { days: Infinity, words: 'never' };
  const days = typeof frequency === 'number' && frequency > 0 ? frequency * (DAYS.get(unit) ?? NaN) : NaN;
  const noun = unit === 'm' ? 'month' : 'day';
  return { days, words: Number.isNaN(days) ? 'at unknown times' : frequency === 1 ? `every ${noun}` : `every ${frequency} ${noun}s` };
}

function reasonsOfRhythm(before: Rhythm, after: Rhythm): readonly RiskReason[] {
  if (before.days === after.days) return [];
  if (after.days === Infinity) return [loosens(`the static key will be rotated no longer (now ${before.words})`)];
  if (before.days === Infinity) return [tightens(`the static key will be rotated ${after.words}`)];
  const change = `the static key will be rotated ${after.words} instead of ${before.words}`;
  if (Number.isNaN(before.days - after.days)) return [loosens(`${change}: one of the schedules does not say how often`)];
  return [after.days > before.days ? loosens(change) : tightens(change)];
}

/** A rotation put off leaves the old key in use, be it for years; without a time, the documents do not say when it comes. */
function reasonOfNext({ before, after }: FieldDifference): RiskReason {
  if (typeof before !== 'number' || typeof after !== 'number')
    return loosens('the documents do not say when the static key is rotated next without `next_rotation`');
  return after > before
    ? loosens(`the static key stays in use for longer, until ${moment(after)} instead of ${moment(before)}`)
    : tightens(`the static key is replaced earlier, at ${moment(after)} instead of ${moment(before)}`);
}

/** A time in Unix milliseconds for people; what no calendar holds as it is. */
function moment(milliseconds: number): string {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? String(milliseconds) : date.toISOString();
}
