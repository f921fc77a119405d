import type { EmulatedKind } from '../contract.ts';
import { emulation as drmPolicy } from './drm-policy.ts';
import { emulation as keyRotationSchedule } from './key-rotation-schedule.ts';
import { emulation as playlist } from './playlist.ts';
import { emulation as staticKey } from './static-key.ts';
import { emulation as vmpRejectStatuses } from './vmp-reject-statuses.ts';

/** The emulator's side of every kind. */
export const emulatedKinds: readonly EmulatedKind[] = [drmPolicy, vmpRejectStatuses, staticKey, keyRotationSchedule, playlist];
