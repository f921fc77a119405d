/** What a probe asks about the rotation schedule. */
import type { KindQuestions } from '../probe.ts';
import { unset } from '../probe-answers.ts';
import { SCHEDULE } from './api.ts';
import { SECTION } from './declare.ts';

/** The questions about the rotation schedule. */
export const keyRotationScheduleQuestions: KindQuestions = {
  reads: [{ name: 'schedule', path: SCHEDULE }],
  readers: {
    'unset-schedule': (seen) =>
      unset(
        ['schedule', 'schedule again'].map((name) => seen.get(name)),
        SECTION,
        'absent',
      ),
  },
};
