/** `npm run soak`: histories with fresh seeds for an hour, or for UPKEEP_SOAK_SECONDS; a line every minute, and a counterexample ends it. */
import { expect, test } from 'vitest';
import { campaign, nothing, type Totals } from '../property/campaign.ts';
import { histories } from '../property/histories.ts';

const SECONDS = Number(process.env.UPKEEP_SOAK_SECONDS ?? 3600);
const MINUTE = 60_000;

function say(totals: Totals, since: number): void {
  const { histories: lived, runs, writes, faults, cuts, quiet } = totals;
  const minutes = ((performance.now() - since) / MINUTE).toFixed(1);
  const said = `${lived} histories, ${runs} runs, ${faults} faults and edits, ${cuts} cuts, ${writes} writes, at most ${quiet} quiet runs to rest`;
  process.stdout.write(`${minutes} min: ${said}\n`);
}

test(`histories for ${SECONDS} s come to rest`, { timeout: SECONDS * 1000 + 10 * MINUTE }, async () => {
  const since = performance.now();
  const totals = nothing();
  const clock = setInterval(say, MINUTE, totals, since);
  try {
    await campaign(histories, totals, () => performance.now() - since < SECONDS * 1000);
  } finally {
    clearInterval(clock);
    say(totals, since);
  }
  expect(totals.histories).toBeGreaterThan(0);
});
