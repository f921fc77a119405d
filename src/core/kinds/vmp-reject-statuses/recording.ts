/** The words of the VMP reject statuses that a recording keeps. */
import type { KindWords } from '../recording.ts';
import { STATUSES, UPDATE } from './api.ts';

/** The words of the VMP reject statuses. */
export const vmpRejectStatusesWords: KindWords = { paths: [STATUSES, UPDATE] };
