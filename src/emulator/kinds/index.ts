import type { EmulatedKind } from '../contract.ts';
import { emulatedDrmPolicy } from './drm-policy.ts';
import { emulatedKeyRotationSchedule } from './key-rotation-schedule.ts';
import { emulatedPlaylist } from './playlist.ts';
import { emulatedStaticKey } from './static-key.ts';
import { emulatedVmpRejectStatuses } from './vmp-reject-statuses.ts';

/** All emulated kinds, in the order of their routes. */
export const emulatedKinds: readonly EmulatedKind[] = [
  emulatedDrmPolicy,
  emulatedVmpRejectStatuses,
  emulatedStaticKey,
  emulatedKeyRotationSchedule,
  emulatedPlaylist,
];
