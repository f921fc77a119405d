import { describe, expect, it } from 'vitest';
import type { PlaybackReason } from '../../../src/core/model/change.ts';
import { isBehind, withPlaybackReasons } from '../../../src/core/state/change-draft.ts';

describe('withPlaybackReasons', () => {
  const reduces: PlaybackReason = { playback: 'reduces', text: 'of the kind' };
  const stops: PlaybackReason = { playback: 'stops', text: 'of devices' };
  const draft = { playback: 'reduces', playbackReasons: [reduces] } as const;

  it('puts the added reasons first, and takes the worst of all', () => {
    expect(withPlaybackReasons(draft, [stops])).toEqual({ playback: 'stops', playbackReasons: [stops, reduces] });
  });

  it('keeps a draft to which nothing is added', () => {
    expect(withPlaybackReasons(draft)).toEqual(draft);
    const unknown = { playback: 'unknown', playbackReasons: [] } as const;
    expect(withPlaybackReasons(unknown, [])).toEqual(unknown);
  });
});

describe('isBehind', () => {
  it.each([
    [undefined, false],
    [{ reason: 'r', isBehind: false }, false],
    [{ reason: 'r', isBehind: true }, true],
  ])('of a change with the rollback %j is %s', (rollback, expected) => {
    expect(isBehind(rollback === undefined ? {} : { rollback })).toBe(expected);
  });
});
