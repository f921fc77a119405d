/** kill -9 at random request boundaries of the built program, over random histories: the next undisturbed runs converge. */
import { expect, test } from 'vitest';
import { proving, record, rounds } from '../support/figures.ts';
import { killedHistories } from './histories.ts';
import { emptyTotals, runHistories } from './run-histories.ts';

const KILLS = rounds(1, 300);

test(`histories with at least ${KILLS} killed ${KILLS === 1 ? 'run' : 'runs'} converge`, {
  timeout: 120_000 + KILLS * 20_000,
}, async () => {
  const totals = await runHistories(killedHistories, emptyTotals(), (so) => so.kills < KILLS, proving ? undefined : 1);
  record({ proof: 'convergence', name: 'killed runs', value: totals.kills, wanted: `at least ${KILLS}`, holds: totals.kills >= KILLS });
  expect(totals.writes).toBeGreaterThan(KILLS);
});
