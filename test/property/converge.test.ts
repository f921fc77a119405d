/** For any history of an account: at most three undisturbed runs converge, and no run violates an invariant. */
import { expect, test } from 'vitest';
import { record, rounds } from '../support/figures.ts';
import { atMost } from '../support/patience.ts';
import { histories } from './histories.ts';
import { emptyTotals, runHistories } from './run-histories.ts';

const HISTORIES = rounds(8, 2000);

test(`${HISTORIES} histories of faults, interrupted runs and edits by hand converge`, { timeout: atMost(HISTORIES * 10_000) }, async () => {
  const totals = await runHistories(histories, emptyTotals(), (so) => so.histories < HISTORIES);
  const proof = 'convergence';
  record({ proof, name: 'histories', value: totals.histories, wanted: `at least ${HISTORIES}`, holds: totals.histories >= HISTORIES });
  record({
    proof,
    name: 'faults and edits that took place',
    value: totals.faults,
    wanted: 'more than histories',
    holds: totals.faults > HISTORIES,
  });
  record({ proof, name: 'histories with lag', value: totals.lagging, wanted: 'more than none', holds: totals.lagging > 0 });
  record({
    proof,
    name: 'undisturbed runs until the plan is empty',
    value: totals.followUpRuns,
    wanted: 'at most 3',
    holds: totals.followUpRuns <= 3,
  });
  expect(totals.faults).toBeGreaterThan(HISTORIES);
  expect(totals.lagging).toBeGreaterThan(0);
  expect(totals.interruptions).toBeGreaterThan(HISTORIES / 10);
  expect(totals.writes).toBeGreaterThan(HISTORIES);
  expect(totals.empty).toBeGreaterThan(HISTORIES / 2);
});
