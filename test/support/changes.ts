/** Changes of a plan document, for tests of what is done with them. */
import { vmpRejectStatuses } from '../../src/core/kinds/vmp-reject-statuses/index.ts';
import type { Action, Change, PlaybackReason, UpdateChange } from '../../src/core/model/change.ts';

/** What a test says about a change; everything else is neutral. */
export interface ChangeParts extends Partial<Omit<UpdateChange, 'action'>> {
  readonly action?: Action;
}

/** Builds a change of `song/a`, by default a neutral update. */
export function changeOf({ action = 'update', movedFrom, adopts, ...parts }: ChangeParts = {}): Change {
  const plain = {
    address: 'song/a',
    kind: 'song',
    name: 'a',
    origin: 'unknown',
    effect: 'neutral',
    playback: 'neutral',
    fields: [],
    phase: 'update',
    wave: 0,
    digest: 'sha256:',
    blocked: null,
    ...parts,
  } as const;
  switch (action) {
    case 'update':
      return { ...plain, action, ...(movedFrom === undefined ? {} : { movedFrom }), ...(adopts === undefined ? {} : { adopts }) };
    case 'adopt':
      return { ...plain, action, adopts: adopts ?? 'one' };
    case 'move':
      return { ...plain, action, movedFrom: movedFrom ?? 'song/before' };
    default:
      return { ...plain, action };
  }
}

/** Returns why it stops playback to reject these VMP statuses from now on. */
export function rejectionReasons(statuses: readonly string[]): readonly PlaybackReason[] {
  const sets = { before: { id: null, fields: { vmp_reject_statuses: [] } }, after: { fields: { vmp_reject_statuses: statuses } } };
  return vmpRejectStatuses.assessPlayback?.({ action: 'update', ...sets, fields: [] }) ?? [];
}
