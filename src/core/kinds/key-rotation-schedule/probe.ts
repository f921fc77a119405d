/** What a probe asks about the rotation schedule. */
import { isObject } from '../../model/json.ts';
import type { Exchange, KindQuestions } from '../probe.ts';
import { isSuccess, unset } from '../probe-answers.ts';
import { SCHEDULE, unknownMembersOf } from './api.ts';
import { SECTION } from './declare.ts';

/** The questions about the rotation schedule. */
export const keyRotationScheduleQuestions: KindQuestions = {
  reads: [{ name: 'schedule', path: SCHEDULE, resettableIn }],
  readers: {
    'unset-schedule': (seen) =>
      unset(
        ['schedule', 'schedule again'].map((name) => seen.get(name)),
        SECTION,
        'absent',
      ),
  },
};

function resettableIn(exchange: Exchange | undefined): readonly string[] | undefined {
  if (exchange === undefined || !isSuccess(exchange) || !isObject(exchange.body)) return undefined;
  const schedule = exchange.body[SECTION] ?? {};
  return isObject(schedule) ? unknownMembersOf(schedule).map(({ path }) => path) : undefined;
}
