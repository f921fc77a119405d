/** What of a playlist decides what plays. */
import { describe, expect, test } from 'vitest';
import { contentOf } from '../../../../src/core/kinds/playlist/content.ts';
import { DEFAULTS } from '../../../../src/core/kinds/playlist/model.ts';
import type { Json } from '../../../../src/core/model/json.ts';

describe('what a playlist plays', () => {
  test('is its list, with the seconds of breaks within assets, and how often it is repeated', () => {
    const playlist = [{ beam: { id: 'a' } }, { ad: { dur: 60 } }, { odd: ['x'] }];
    expect(contentOf({ ...DEFAULTS, beam_break_duration: 30, repeat: 2, playlist })).toStrictEqual({
      entries: [
        { type: 'beam', id: 'a' },
        { type: 'ad', seconds: 60 },
        { type: 'odd', text: '["x"]' },
      ],
      breakSeconds: 30,
      repeat: 2,
    });
  });

  test.each<[Json, Json]>([
    ['often', 'x'],
    [null, true],
  ])('has the defaults where a setting is no integer, such as %j', (beam_break_duration, repeat) => {
    expect(contentOf({ ...DEFAULTS, beam_break_duration, repeat })).toStrictEqual({ entries: [], breakSeconds: 0, repeat: 0 });
  });

  test('counts a negative length of a break as no time', () => {
    expect(contentOf({ ...DEFAULTS, beam_break_duration: -30, playlist: [{ ad: { dur: -1 } }] })).toStrictEqual({
      entries: [{ type: 'ad', seconds: 0 }],
      breakSeconds: 0,
      repeat: 0,
    });
  });
});
