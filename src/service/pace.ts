import type { Brake } from './bucket.ts';

/** The pace that the service bears, learnt from its refusals. */
export interface Pace extends Brake {
  /** A request that started then was answered, and not for haste. */
  bore(time: number): void;
  /** The request that started then was refused for haste: the service does not count it. */
  uncount(start: number): void;
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
 * No second holds more requests than such gaps allow, so that after a burst it waits until the service has forgotten the burst.
 */
export function learntPace(): Pace {
  const borne: number[] = [];
  const starts: number[] = [];
  let gapMs = 0;
  let nextAt = 0;
  let successes = 0;
  return {
    earliest: (time) => Math.max(time, nextAt, roomAt()),
    took(start) {
      nextAt = start + gapMs;
      starts.push(start);
      forgetBefore(starts, start - SECOND_MS);
    },
    bore(time) {
      successes++;
      gapMs = gapMs > 1 ? gapMs * (1 - Math.min(0.02, COURAGE * successes)) : 0;
      borne.push(time);
      forgetBefore(borne, time - SECOND_MS);
    },
    uncount(start) {
      const index = starts.indexOf(start);
      if (index >= 0) starts.splice(index, 1);
    },
    refused(time) {
      forgetBefore(borne, time - SECOND_MS);
      successes = 0;
      const bearable = Math.max(SECOND_MS / borne.length, gapMs * 1.05);
      gapMs = Math.min(Math.max(gapMs * 1.5, FIRST_GAP_MS), bearable, LONGEST_GAP_MS);
      nextAt = Math.max(nextAt, time + gapMs);
    },
  };

  /** When one more request fits into the last second. */
  function roomAt(): number {
    const most = gapMs > 0 ? Math.max(1, Math.floor(SECOND_MS / gapMs)) : Number.POSITIVE_INFINITY;
    const first = starts[starts.length - most];
    return first === undefined ? 0 : first + SECOND_MS;
  }
}

function forgetBefore(times: number[], time: number): void {
  while ((times[0] ?? time) < time) times.shift();
}
