/** Counterexamples that long searches have found, shrunk. */
import { expect, test } from 'vitest';
import { converge } from './converge.ts';
import { type DisruptedRun, OVERRIDABLE_CHECKS } from './disruptions.ts';
import type { History } from './histories.ts';

const PLAIN: Omit<History, 'account' | 'steps'> = {
  quirks: {},
  ownership: 'shared',
  ledger: 'none',
  concurrency: 1,
  giveUp: 0,
  planFaults: [],
};

const GOOD_DAY: DisruptedRun = { faults: [], edits: [], interruption: null, allow: [], skipBlocked: false, useSavedPlan: false };

test('regression: a run converges that ends with a failed read of what it wrote, and is interrupted during another read', async () => {
  const asset = { beam: { id: '0'.repeat(32) } };
  const history: History = {
    ...PLAIN,
    account: { 'static-key': { use_static_encryption_key: true } },
    steps: [
      {
        handEdits: [],
        run: {
          faults: [{ status: 400, body: '', nth: 11 }],
          edits: [],
          interruption: { by: 'abort', nth: 11, boundary: 'before' },
          allow: OVERRIDABLE_CHECKS,
          skipBlocked: false,
          useSavedPlan: false,
        },
        sections: { playlists: { p1: { playlist: [asset] } }, static_key: { scope: 'specific', slicer_ids: ['studio-a'] } },
      },
    ],
  };
  expect(await converge(history)).toMatchObject({ runs: 1, writes: 3, interruptions: 1, followUpRuns: 0, empty: true });
});

test('regression: a run converges that also had a failed change before', async () => {
  const assets = ['1'.repeat(32), '2'.repeat(32)];
  const error = { code: 1, msg: 'not now' };
  const history: History = {
    ...PLAIN,
    account: {},
    steps: [
      {
        handEdits: [],
        run: {
          ...GOOD_DAY,
          faults: [
            { error, method: 'POST', path: '/api/v3/*', nth: 1 },
            { error, afterWrite: true, method: 'GET', path: '/api/v4/linear-playlist*', nth: 4 },
          ],
          interruption: { by: 'abort', nth: 10, boundary: 'before' },
          allow: OVERRIDABLE_CHECKS,
        },
        sections: { smart_starts: { vod: { assets } }, drm_policies: { hd: {}, uhd: {} } },
      },
    ],
  };
  expect(await converge(history)).toMatchObject({ runs: 2, interruptions: 1, followUpRuns: 1, empty: true });
});

/**
 * A playlist that an exclusive account has beside the declared one, and that somebody calls as that one is called while the account is
 * read.
 */
function renamedMeanwhile(assetOf: (id: string) => string): History {
  const id = '1'.repeat(32);
  const beam = (asset: string) => ({ beam: { id: asset } });
  const merge = { desc: 'evening', playlist: [beam(assetOf(id))] };
  return {
    ...PLAIN,
    ownership: 'exclusive',
    account: { playlist: [{ id, playlist: [beam('2'.repeat(32))] }] },
    steps: [
      {
        handEdits: [],
        run: { ...GOOD_DAY, allow: OVERRIDABLE_CHECKS, edits: [{ edit: { on: 'playlist', pick: 0, merge }, after: -1, seconds: 0 }] },
        sections: { playlists: { evening: { playlist: [beam('0'.repeat(32))] } } },
      },
    ],
  };
}

test('regression: a description that moves to another playlist during the read causes neither a create nor a delete', async () => {
  const { runs, writes, followUpRuns } = await converge(renamedMeanwhile(() => '3'.repeat(32)));
  expect({ runs, writes, followUpRuns }).toEqual({ runs: 2, writes: 1, followUpRuns: 1 });
});

test('regression: the result of a lookup by name is not treated as a read of the object', async () => {
  const { runs, followUpRuns, empty } = await converge(renamedMeanwhile((id) => id));
  expect({ runs, followUpRuns, empty }).toEqual({ runs: 1, followUpRuns: 0, empty: true });
});
