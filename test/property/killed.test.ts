/** kill -9 at random request boundaries of the built program, over random histories: the next quiet runs bring the account to rest. */
import { expect, test } from 'vitest';
import { proving, record, rounds } from '../support/figures.ts';
import { campaign, nothing } from './campaign.ts';
import { killedHistories } from './histories.ts';

const KILLS = rounds(10, 300);

test(`killed at least ${KILLS} times, histories come to rest`, { timeout: KILLS * 20_000 }, async () => {
  const totals = await campaign(killedHistories, nothing(), (so) => so.kills < KILLS, proving ? undefined : 1);
  record({ proof: 'convergence', name: 'killed runs', value: totals.kills, wanted: `at least ${KILLS}`, holds: totals.kills >= KILLS });
  expect(totals.writes).toBeGreaterThan(KILLS);
});
