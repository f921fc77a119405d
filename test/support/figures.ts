import { appendFileSync } from 'node:fs';

/** Whether the long versions of the proofs run (`npm run prove`); the short ones run in `npm test`. */
export const proving = process.env.UPKEEP_PROVE === '1';

/** Returns the number of rounds of a proof: `short` in `npm test`, `long` in `npm run prove`. */
export function rounds(short: number, long: number): number {
  return proving ? long : short;
}

/** One figure of a proof, as a row of the table that `npm run prove` prints. */
export interface Figure {
  /** The proof, for example `fault matrix`. */
  readonly proof: string;
  /** What was measured, for example `cells`. */
  readonly name: string;
  readonly value: number | string;
  /** What it must be, in words, for example `at least 2,000`. */
  readonly wanted: string;
  readonly holds: boolean;
}

/** Adds a figure to the table, if `UPKEEP_FIGURES` is set. A figure is no assertion: the test asserts it too. */
export function record(figure: Figure): void {
  const file = process.env.UPKEEP_FIGURES;
  if (file) appendFileSync(file, `${JSON.stringify(figure)}\n`);
}

/** Runs the check of a proof, which returns the value of its figure, and adds the figure to the table. It holds if the check passes. */
export async function recordCheck(
  figure: Omit<Figure, 'value' | 'holds'>,
  check: () => Figure['value'] | Promise<Figure['value']>,
): Promise<void> {
  try {
    record({ ...figure, value: await check(), holds: true });
  } catch (error) {
    record({ ...figure, value: 'failed', holds: false });
    throw error;
  }
}
