/** How long a test waits at most, on a machine that may be busy. */

const factor = Number(process.env.UPKEEP_PATIENCE ?? '1');
if (!(factor > 0)) throw new Error('UPKEEP_PATIENCE is a number above 0');

/** Returns the longest time that a test waits for something, milliseconds: `ms` on this machine, times `UPKEEP_PATIENCE`. */
export function atMost(ms: number): number {
  return ms * factor;
}
