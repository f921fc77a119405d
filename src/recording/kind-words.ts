import { drmPolicyWords } from '../core/kinds/drm-policy/recording.ts';
import { keyRotationScheduleWords } from '../core/kinds/key-rotation-schedule/recording.ts';
import { playlistWords } from '../core/kinds/playlist/recording.ts';
import type { KindWords } from '../core/kinds/recording.ts';
import { staticKeyWords } from '../core/kinds/static-key/recording.ts';
import { vmpRejectStatusesWords } from '../core/kinds/vmp-reject-statuses/recording.ts';

/** The words of all kinds. */
export const KIND_WORDS: readonly KindWords[] = [
  drmPolicyWords,
  keyRotationScheduleWords,
  playlistWords,
  staticKeyWords,
  vmpRejectStatusesWords,
];
