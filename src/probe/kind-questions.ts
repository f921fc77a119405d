/** The kinds about which a probe asks, in the order of the questions, and the requests for what holds for all kinds. */
import { drmPolicyQuestions } from '../core/kinds/drm-policy/probe.ts';
import { keyRotationScheduleQuestions } from '../core/kinds/key-rotation-schedule/probe.ts';
import { filterByName, PLAYLISTS, playlistQuestions } from '../core/kinds/playlist/probe.ts';
import type { KindQuestions, ProbedRead, Row, ScratchCollection } from '../core/kinds/probe.ts';
import { STATUS_ROW, staticKeyQuestions } from '../core/kinds/static-key/probe.ts';
import { vmpRejectStatusesQuestions } from '../core/kinds/vmp-reject-statuses/probe.ts';

/** The questions about all kinds. */
export const KIND_QUESTIONS: readonly KindQuestions[] = [
  drmPolicyQuestions,
  playlistQuestions,
  vmpRejectStatusesQuestions,
  staticKeyQuestions,
  keyRotationScheduleQuestions,
];

/** Where scratch objects are found and removed. */
export const SCRATCH_COLLECTIONS: readonly ScratchCollection[] = KIND_QUESTIONS.flatMap(({ writes }) => writes?.scratch ?? []);

/** The list by which a probe finds out what holds for every list of v4. */
export const LIST_OF_V4: ProbedRead = PLAYLISTS;

/** Returns the cheapest requests of v4 and of v3. `unknown` is a name that no object has. */
export function cheapestRequests(unknown: string): { readonly [version in 'v4' | 'v3']: Pick<Row, 'path' | 'query'> } {
  return { v4: filterByName(unknown), v3: { path: STATUS_ROW.path } };
}
