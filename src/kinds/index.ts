import { drmPolicy } from './drm-policy/index.ts';
import { keyRotationSchedule } from './key-rotation-schedule/index.ts';
import type { Kind } from './kind.ts';
import { playlist } from './playlist/index.ts';
import { staticKey } from './static-key/index.ts';
import { vmpRejectStatuses } from './vmp-reject-statuses/index.ts';

/** Every kind, sorted by name. A new kind is a folder and a line here. */
export const kinds: readonly Kind[] = [drmPolicy, keyRotationSchedule, playlist, staticKey, vmpRejectStatuses];
