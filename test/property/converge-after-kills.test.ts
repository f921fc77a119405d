/** kill -9 at random request boundaries of the built program, over random histories: the next undisturbed runs converge. */
import { expect, test } from 'vitest';
import { record, rounds } from '../support/figures.ts';
import { atMost } from '../support/patience.ts';
import { killedHistories } from './histories.ts';
import { emptyTotals, runHistories } from './run-histories.ts';

const KILLS = rounds(2, 300);

test(`histories with at least ${KILLS} kills converge`, { timeout: atMost(KILLS * 60_000) }, async () => {
  const totals = await runHistories(killedHistories, emptyTotals(), (so) => so.kills < KILLS);
  record({ proof: 'convergence', name: 'killed runs', value: totals.kills, wanted: `at least ${KILLS}`, holds: totals.kills >= KILLS });
  expect(totals.writes).toBeGreaterThan(KILLS);
});
