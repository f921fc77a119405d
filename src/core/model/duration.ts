/** Durations as they are written in upkeep.yaml: a whole number and its unit, such as 90m, 8h or 14d. A day has 24 hours. */

const UNIT_MS: { readonly [unit: string]: number } = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Converts a duration, whose form the schema has checked, to milliseconds. */
export function parseDuration(written: string): number {
  return Number(written.slice(0, -1)) * (UNIT_MS[written.slice(-1)] ?? Number.NaN);
}

/** Writes milliseconds, whole minutes, in the largest unit that needs no fraction: days from two on, then hours, then minutes. */
export function writeDuration(ms: number): string {
  if (ms >= 2 * 86_400_000 && ms % 86_400_000 === 0) return `${ms / 86_400_000}d`;
  return ms % 3_600_000 === 0 ? `${ms / 3_600_000}h` : `${ms / 60_000}m`;
}
