/** Counterexamples that long searches have found, shrunk. */
import { expect, test } from 'vitest';
import { converge } from './converge.ts';
import { type BadRun, BRAKES } from './disturbances.ts';
import type { History } from './histories.ts';

const PLAIN: Omit<History, 'account' | 'chapters'> = {
  manners: {},
  ownership: 'shared',
  ledger: 'none',
  concurrency: 1,
  giveUp: 0,
  look: [],
};

const GOOD_DAY: BadRun = { faults: [], edits: [], cut: null, allow: [], skipBlocked: false, saved: false };

test('a run that ends with a failed look at what it wrote, and is interrupted while its other look is in flight', async () => {
  const asset = { beam: { id: '0'.repeat(32) } };
  const history: History = {
    ...PLAIN,
    account: { 'static-key': { use_static_encryption_key: true } },
    chapters: [
      {
        byHand: [],
        run: {
          faults: [{ status: 400, body: '', nth: 11 }],
          edits: [],
          cut: { by: 'abort', nth: 11, boundary: 'before' },
          allow: BRAKES,
          skipBlocked: false,
          saved: false,
        },
        sections: { playlists: { p1: { playlist: [asset] } }, static_key: { scope: 'specific', slicer_ids: ['studio-a'] } },
      },
    ],
  };
  expect(await converge(history)).toMatchObject({ runs: 1, writes: 3, cuts: 1, quiet: 0, empty: true });
});

test('the same, where a change has failed before', async () => {
  const assets = ['1'.repeat(32), '2'.repeat(32)];
  const error = { code: 1, msg: 'not now' };
  const history: History = {
    ...PLAIN,
    account: {},
    chapters: [
      {
        byHand: [],
        run: {
          ...GOOD_DAY,
          faults: [
            { error, method: 'POST', path: '/api/v3/*', nth: 1 },
            { error, afterWrite: true, method: 'GET', path: '/api/v4/linear-playlist*', nth: 4 },
          ],
          cut: { by: 'abort', nth: 10, boundary: 'before' },
          allow: BRAKES,
        },
        sections: { smart_starts: { vod: { assets } }, drm_policies: { hd: {}, uhd: {} } },
      },
    ],
  };
  expect(await converge(history)).toMatchObject({ runs: 2, cuts: 1, quiet: 1, empty: true });
});

/** A playlist that an exclusive account has beside the declared one, and that somebody calls as that one is called while the account is read. */
function renamedMeanwhile(assetOf: (id: string) => string): History {
  const id = '1'.repeat(32);
  const beam = (asset: string) => ({ beam: { id: asset } });
  const merge = { desc: 'evening', playlist: [beam(assetOf(id))] };
  return {
    ...PLAIN,
    ownership: 'exclusive',
    account: { playlist: [{ id, playlist: [beam('2'.repeat(32))] }] },
    chapters: [
      {
        byHand: [],
        run: { ...GOOD_DAY, allow: BRAKES, edits: [{ edit: { on: 'playlist', pick: 0, merge }, after: -1, seconds: 0 }] },
        sections: { playlists: { evening: { playlist: [beam('0'.repeat(32))] } } },
      },
    ],
  };
}

test('a name that goes to another playlist while the account is read is no reason to create one, and to delete that', async () => {
  const { runs, writes, quiet } = await converge(renamedMeanwhile(() => '3'.repeat(32)));
  expect({ runs, writes, quiet }).toEqual({ runs: 2, writes: 1, quiet: 1 });
});

test('what a look for a name shows in passing is not taken for a reading of it', async () => {
  const { runs, quiet, empty } = await converge(renamedMeanwhile((id) => id));
  expect({ runs, quiet, empty }).toEqual({ runs: 1, quiet: 0, empty: true });
});
