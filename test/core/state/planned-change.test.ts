import { describe, expect, it } from 'vitest';
import type { PlaybackReason } from '../../../src/core/model/change.ts';
import { isBehind, withPlaybackReasons } from '../../../src/core/state/planned-change.ts';

describe('withPlaybackReasons', () => {
  const reduces: PlaybackReason = { playback: 'reduces', text: 'of the kind' };
  const stops: PlaybackReason = { playback: 'stops', text: 'of devices' };
  const change = { playback: 'reduces', playbackReasons: [reduces] } as const;

  it('puts the added reasons first, and takes the worst of all', () => {
    expect(withPlaybackReasons(change, [stops])).toEqual({ playback: 'stops', playbackReasons: [stops, reduces] });
  });

  it('keeps a change to which nothing is added', () => {
    expect(withPlaybackReasons(change)).toEqual(change);
    const neutral = { playback: 'neutral' } as const;
    expect(withPlaybackReasons(neutral, [])).toEqual(neutral);
  });
});

describe('isBehind', () => {
  it.each([
    [null, false],
    [{ reason: 'r', isBehind: false }, false],
    [{ reason: 'r', isBehind: true }, true],
  ])('of a change with the rollback %j is %s', (rollback, expected) => {
    expect(isBehind({ rollback })).toBe(expected);
  });
});
