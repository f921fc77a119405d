/** Changes of a plan document, for tests of what is done with them. */
import type { Action, Change, UpdateChange } from '../../src/core/model/change.ts';

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
