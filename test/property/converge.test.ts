/** Whatever happened to an account: after at most three quiet runs it is as the repository says, and no run did harm on the way. */
import { expect, test } from 'vitest';
import { proving, record, rounds } from '../support/figures.ts';
import { campaign, nothing } from './campaign.ts';
import { histories } from './histories.ts';

const HISTORIES = rounds(200, 2000);

test(`${HISTORIES} histories of faults, cuts and edits by hand come to rest`, { timeout: HISTORIES * 5000 }, async () => {
  const totals = await campaign(histories, nothing(), (so) => so.histories < HISTORIES, proving ? undefined : 1);
  const proof = 'convergence';
  record({ proof, name: 'histories', value: totals.histories, wanted: `at least ${HISTORIES}`, holds: totals.histories >= HISTORIES });
  record({
    proof,
    name: 'faults and edits that came to pass',
    value: totals.faults,
    wanted: 'more than histories',
    holds: totals.faults > HISTORIES,
  });
  record({ proof, name: 'quiet runs until the plan is empty', value: totals.quiet, wanted: 'at most 3', holds: totals.quiet <= 3 });
  expect(totals.faults).toBeGreaterThan(HISTORIES);
  expect(totals.cuts).toBeGreaterThan(HISTORIES / 10);
  expect(totals.writes).toBeGreaterThan(HISTORIES);
  expect(totals.empty).toBeGreaterThan(HISTORIES / 2);
});
