/** `npm run soak`: histories with fresh seeds for an hour, or for UPKEEP_SOAK_SECONDS; a line every minute, and a counterexample ends it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { campaign, nothing, type Totals } from '../property/campaign.ts';
import { histories, killedHistories } from '../property/histories.ts';

const SECONDS = Number(process.env.UPKEEP_SOAK_SECONDS ?? 3600);
const MINUTE = 60_000;

/** Most runs are cut in process, since starting a program takes long; some are killed. */
const mixed = fc.oneof({ weight: 9, arbitrary: histories }, { weight: 1, arbitrary: killedHistories });

function say(totals: Totals, since: number): void {
  const { histories: lived, runs, requests, writes, faults, cuts, kills, quiet } = totals;
  const minutes = ((performance.now() - since) / MINUTE).toFixed(1);
  const met = `${faults} faults and edits met, ${cuts} cuts, ${kills} of them by SIGKILL`;
  const sent = `${requests} requests in bad runs, ${writes} writes`;
  process.stdout.write(`${minutes} min: ${lived} histories, ${runs} runs, ${met}, ${sent}, at most ${quiet} quiet runs to rest\n`);
}

test(`histories for ${SECONDS} s come to rest`, { timeout: SECONDS * 1000 + 10 * MINUTE }, async () => {
  const since = performance.now();
  const totals = nothing();
  const clock = setInterval(say, MINUTE, totals, since);
  try {
    await campaign(mixed, totals, () => performance.now() - since < SECONDS * 1000);
  } finally {
    clearInterval(clock);
    say(totals, since);
  }
  expect(totals.histories).toBeGreaterThan(0);
});
