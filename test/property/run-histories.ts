/** Many histories side by side, and what they came to together. */
import fc from 'fast-check';
import { rounds } from '../support/figures.ts';
import { assertAsyncProperty, replayPath, seed } from '../support/property.ts';
import { converge, type HistoryResult } from './converge.ts';
import type { History } from './histories.ts';

/** The totals so far; `followUpRuns` is the maximum of one history. */
export interface Totals {
  histories: number;
  runs: number;
  requests: number;
  writes: number;
  faults: number;
  interruptions: number;
  kills: number;
  followUpRuns: number;
  /** Histories of a service whose reads lag behind its writes. */
  lagging: number;
  /** Histories that ended with an empty plan, without changes that `identity` blocks. */
  empty: number;
}

/** Histories that run side by side, so that one works while another waits. */
const WORKERS = 4;

/** How many histories a worker runs before it checks whether to continue. */
const BATCH = rounds(1, 5);

/** Returns totals of no history. */
export function emptyTotals(): Totals {
  return { histories: 0, runs: 0, requests: 0, writes: 0, faults: 0, interruptions: 0, kills: 0, followUpRuns: 0, lagging: 0, empty: 0 };
}

/**
 * Runs histories while `shouldContinue` returns true: batches whose seeds count from the seed of this process, or only the one history of
 * `UPKEEP_PATH`. The error of a counterexample shows it shrunk, and has the line that repeats it.
 */
export async function runHistories(
  histories: fc.Arbitrary<History>,
  totals: Totals,
  shouldContinue: (totals: Totals) => boolean,
): Promise<Totals> {
  let failed = false;
  const property = fc.asyncProperty(histories, async (history) => {
    try {
      add(totals, await converge(history));
      totals.lagging += history.quirks.readDelayMs ? 1 : 0;
    } catch (error) {
      // Shrinking takes minutes: what it begins with is not lost when somebody stops it.
      if (!failed) process.stderr.write(`counterexample: ${String(error)}\n${fc.stringify(history)}\n`);
      failed = true;
      throw error;
    }
  });
  let batchSeed = seed;
  const work = async (): Promise<void> => {
    while (!failed && shouldContinue(totals)) await assertAsyncProperty(property, { numRuns: BATCH, seed: batchSeed++ });
  };
  if (replayPath === undefined) await Promise.all(Array.from({ length: WORKERS }, work));
  else await assertAsyncProperty(property);
  return totals;
}

function add(totals: Totals, tally: HistoryResult): void {
  totals.histories += 1;
  totals.runs += tally.runs;
  totals.requests += tally.requests;
  totals.writes += tally.writes;
  totals.faults += tally.faults;
  totals.interruptions += tally.interruptions;
  totals.kills += tally.kills;
  totals.followUpRuns = Math.max(totals.followUpRuns, tally.followUpRuns);
  totals.empty += tally.empty ? 1 : 0;
}
