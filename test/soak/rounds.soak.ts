/**
 * `npm run soak`: histories with fresh seeds for an hour, or for UPKEEP_SOAK_SECONDS; prints totals every minute, and ends at a
 * counterexample.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { histories, killedHistories } from '../property/histories.ts';
import { emptyTotals, runHistories, type Totals } from '../property/run-histories.ts';

const SECONDS = Number(process.env.UPKEEP_SOAK_SECONDS ?? 3600);
const MINUTE = 60_000;

/** Most runs are interrupted in process, since starting a program takes long; some are killed. */
const mixed = fc.oneof({ weight: 9, arbitrary: histories }, { weight: 1, arbitrary: killedHistories });

function printTotals(totals: Totals, startedAt: number): void {
  const { histories: count, runs, requests, writes, faults, interruptions, kills, followUpRuns } = totals;
  const minutes = ((performance.now() - startedAt) / MINUTE).toFixed(1);
  const disruptions = `${faults} faults and edits, ${interruptions} interruptions, ${kills} of them by SIGKILL`;
  const sent = `${requests} requests in disrupted runs, ${writes} writes`;
  process.stdout.write(
    `${minutes} min: ${count} histories, ${runs} runs, ${disruptions}, ${sent}, at most ${followUpRuns} undisturbed runs until the plan was empty\n`,
  );
}

test(`random histories converge for ${SECONDS} s`, { timeout: SECONDS * 1000 + 10 * MINUTE }, async () => {
  const startedAt = performance.now();
  const totals = emptyTotals();
  const clock = setInterval(printTotals, MINUTE, totals, startedAt);
  try {
    await runHistories(mixed, totals, () => performance.now() - startedAt < SECONDS * 1000);
  } finally {
    clearInterval(clock);
    printTotals(totals, startedAt);
  }
  expect(totals.histories).toBeGreaterThan(0);
});
