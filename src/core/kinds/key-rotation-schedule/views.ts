/** What reports draw of the rotation schedule: changed settings, and the schedule in one sentence (api-notes section 5). */
import type { KindOverview, OverviewMark } from '../../model/account-overview.ts';
import type { Change } from '../../model/change.ts';
import type { Diagram } from '../../model/diagram.ts';
import type { JsonObject } from '../../model/json.ts';
import type { KindViews, LiveResource } from '../views.ts';
import { isKnown, UNSET } from './declare.ts';
import { overdueSince, shortTime } from './next-rotation.ts';

/** The views of the rotation schedule. */
export const keyRotationScheduleViews = { overview, diagram } satisfies KindViews;

function diagram({ fields }: Change): Diagram {
  return { type: 'account-setting', fields };
}

const UNITS: ReadonlyMap<unknown, string> = new Map([
  ['d', 'day'],
  ['m', 'month'],
]);

function overview([live]: readonly LiveResource[], now: number): KindOverview {
  return { type: 'setting', title: 'Key rotation', summary: summaryOf(live?.fields ?? UNSET, now), members: [] };
}

function summaryOf(fields: JsonObject, now: number): OverviewMark {
  const { enabled, frequency, unit, hour, next_rotation: next } = fields;
  if (!isKnown(fields)) return { style: 'warning', text: 'It is not known whether the static key is rotated: `enabled` is not shown.' };
  if (enabled !== true) return { style: 'quiet', text: 'The static key is not rotated.' };
  const noun = UNITS.get(unit) ?? `\`${JSON.stringify(unit ?? null)}\``;
  const every = frequency === 1 ? `every ${noun}` : `every ${JSON.stringify(frequency ?? null)} ${noun}s`;
  const at = typeof hour === 'number' ? ` at ${`${hour}`.padStart(2, '0')}:00 UTC` : '';
  const overdue = overdueSince(fields, now);
  if (overdue !== null)
    return { style: 'alarm', text: `Overdue since ${shortTime(overdue)}: the static key is to be rotated ${every}${at}.` };
  return {
    style: 'good',
    text: `The static key is rotated ${every}${at}${typeof next === 'number' ? `, next at ${shortTime(next)}` : ''}.`,
  };
}
