/** Counterexamples that long searches have found, shrunk. */
import { expect, test } from 'vitest';
import { BRAKES } from './bad-days.ts';
import { converge } from './converge.ts';
import type { History } from './histories.ts';

test('a run that ends with a failed look at what it wrote, and is interrupted while its other look is in flight', async () => {
  const asset = { beam: { id: '0'.repeat(32) } };
  const history: History = {
    manners: {},
    ownership: 'shared',
    ledger: 'none',
    concurrency: 1,
    giveUp: 0,
    look: [],
    account: { 'static-key': { use_static_encryption_key: true } },
    chapters: [
      {
        byHand: [],
        run: {
          faults: [{ status: 400, body: '', nth: 11 }],
          edits: [],
          cut: { by: 'abort', nth: 11, boundary: 'before' },
          allow: BRAKES,
          skipHeld: false,
          saved: false,
        },
        sections: { playlists: { p1: { playlist: [asset] } }, static_key: { scope: 'specific', slicer_ids: ['studio-a'] } },
      },
    ],
  };
  expect(await converge(history)).toMatchObject({ runs: 1, writes: 3, cuts: 1, quiet: 0, empty: true });
});
