/** The words of the rotation schedule that a recording keeps. */
import type { KindWords } from '../recording.ts';
import { CREATE_OR_UPDATE, SCHEDULE } from './api.ts';

/** The words of the rotation schedule. */
export const keyRotationScheduleWords: KindWords = {
  paths: [SCHEDULE, CREATE_OR_UPDATE],
  texts: ['last_err', 'err_msg'],
  numbers: ['last_rotation', 'err_count'],
  errorTexts: ['last_err', 'err_msg'],
};
