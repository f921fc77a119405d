/** Many histories side by side, and what they came to together. */
import fc from 'fast-check';
import { converge, type Tally } from './converge.ts';
import type { History } from './histories.ts';

/** What was lived through so far; `quiet` is the most that one history needed. */
export interface Totals {
  histories: number;
  runs: number;
  requests: number;
  writes: number;
  faults: number;
  cuts: number;
  kills: number;
  quiet: number;
  /** Histories that ended with an empty plan, nothing held by identity. */
  empty: number;
}

/** Histories that run side by side, so that one works while another waits. */
const LANES = 4;

/** How many histories a lane lives through before it asks whether to go on. */
const STRETCH = 5;

/** Nothing lived through yet. */
export function nothing(): Totals {
  return { histories: 0, runs: 0, requests: 0, writes: 0, faults: 0, cuts: 0, kills: 0, quiet: 0, empty: 0 };
}

/**
 * Lives through histories while `goOn` says so; the error of a counterexample names seed and path, and shows it shrunk. Seeds are fresh,
 * or count from `first`, so that the same histories are lived through each time.
 */
export async function campaign(
  histories: fc.Arbitrary<History>,
  totals: Totals,
  goOn: (totals: Totals) => boolean,
  first?: number,
): Promise<Totals> {
  let failed = false;
  const property = fc.asyncProperty(histories, async (history) => {
    try {
      add(totals, await converge(history));
    } catch (error) {
      // Shrinking takes minutes: what it begins with is not lost when somebody stops it.
      if (!failed) process.stderr.write(`counterexample: ${String(error)}\n${fc.stringify(history)}\n`);
      failed = true;
      throw error;
    }
  });
  let stretch = 0;
  const lane = async (): Promise<void> => {
    while (!failed && goOn(totals)) {
      await fc.assert(property, { numRuns: STRETCH, ...(first === undefined ? {} : { seed: first + stretch++ }) });
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return totals;
}

function add(totals: Totals, tally: Tally): void {
  totals.histories += 1;
  totals.runs += tally.runs;
  totals.requests += tally.requests;
  totals.writes += tally.writes;
  totals.faults += tally.faults;
  totals.cuts += tally.cuts;
  totals.kills += tally.kills;
  totals.quiet = Math.max(totals.quiet, tally.quiet);
  totals.empty += tally.empty ? 1 : 0;
}
