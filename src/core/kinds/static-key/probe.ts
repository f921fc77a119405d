/** What a probe asks about the static key. */
import type { KindQuestions, Row } from '../probe.ts';
import { notFound, unset } from '../probe-answers.ts';
import { SLICERS, STATUS } from './api.ts';

/** The request for the status: one boolean, the cheapest answer of v3. */
export const STATUS_ROW: Row = { name: 'static key', method: 'GET', path: STATUS };

/** The questions about the static key. */
export const staticKeyQuestions: KindQuestions = {
  reads: [{ name: 'slicers', path: SLICERS, documented: { main: 'static_key_slicer_ids', ofItems: [] } }],
  rows: () => [STATUS_ROW],
  readers: {
    'unset-slicers'(seen) {
      const answers = ['slicers', 'slicers again'].map((name) => seen.get(name));
      const answer = unset(answers, 'static_key_slicer_ids', 'missing');
      return answer.found === 'empty' ? notFound('an empty list, which may have been set') : answer;
    },
  },
};
