/** What a probe asks about the VMP reject statuses. */
import type { KindQuestions } from '../probe.ts';
import { STATUSES } from './api.ts';
import { SECTION } from './declare.ts';

/** The questions about the VMP reject statuses. */
export const vmpRejectStatusesQuestions: KindQuestions = {
  reads: [{ name: 'statuses', path: STATUSES, documented: { main: SECTION, ofItems: [] } }],
};
