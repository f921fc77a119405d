import { emulation as drmPolicy } from './drm-policy/emulated.ts';
import type { Emulation } from './emulation.ts';
import { emulation as keyRotationSchedule } from './key-rotation-schedule/emulated.ts';
import { emulation as playlist } from './playlist/emulated.ts';
import { emulation as staticKey } from './static-key/emulated.ts';
import { emulation as vmpRejectStatuses } from './vmp-reject-statuses/emulated.ts';

/** The emulator's side of every kind. */
export const emulations: readonly Emulation[] = [drmPolicy, vmpRejectStatuses, staticKey, keyRotationSchedule, playlist];
