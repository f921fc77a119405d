import type { Brake } from './bucket.ts';

/** The pace that the service bears, learnt from its refusals. */
export interface Pace extends Brake {
  /** A request that started then was answered, and not for haste. */
  bore(time: number): void;
  /** A request was refused for haste at `time`: from now on all go slower. */
  refused(time: number): void;
}

const FIRST_GAP_MS = 20;
const LONGEST_GAP_MS = 2_000;
/** What counts as the last second, a little longer than one: the pace shall lie below what was borne, not on it. */
const SECOND_MS = 1_050;
/** By how much more each further success shortens the gap: 5 % within the first 100, half within 370. Haste is tried rarely, freedom is found soon. */
const COURAGE = 0.00001;

/**
 * The gap between two requests: none until the first refusal; then half as long again at each, or only so long that the pace is
 * what the service has borne during the last second; and shorter again with every success, at first hardly, then faster and faster.
 */
export function learntPace(): Pace {
  const borne: number[] = [];
  let gapMs = 0;
  let nextAt = 0;
  let successes = 0;
  return {
    earliest: (time) => Math.max(time, nextAt),
    took(start) {
      nextAt = start + gapMs;
    },
    bore(time) {
      successes++;
      gapMs = gapMs > 1 ? gapMs * (1 - Math.min(0.02, COURAGE * successes)) : 0;
      borne.push(time);
      forgetBefore(time - SECOND_MS);
    },
    refused(time) {
      forgetBefore(time - SECOND_MS);
      successes = 0;
      const bearable = Math.max(SECOND_MS / borne.length, gapMs * 1.05);
      gapMs = Math.min(Math.max(gapMs * 1.5, FIRST_GAP_MS), bearable, LONGEST_GAP_MS);
      nextAt = Math.max(nextAt, time + gapMs);
    },
  };

  function forgetBefore(time: number): void {
    while ((borne[0] ?? time) < time) borne.shift();
  }
}
