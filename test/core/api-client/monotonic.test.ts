import { getEventListeners } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { monotonicClock, sleep } from '../../../src/core/api-client/monotonic.ts';
import { cleanUpAfterTest } from '../../support/cleanup.ts';
import { fakeClock } from './harness.ts';

describe('monotonicClock', () => {
  it('starts at zero, and never goes back with the system clock', () => {
    const clock = fakeClock();
    const elapsed = monotonicClock(clock.now);
    expect(elapsed()).toBe(0);
    clock.advance(500);
    expect(elapsed()).toBe(500);
    clock.advance(-3_600_000);
    expect(elapsed()).toBe(500);
    clock.advance(70);
    expect(elapsed()).toBe(570);
  });

  it('counts by a steady clock what passes while the system clock is set back, and by the system clock what passes while the machine sleeps', () => {
    const [system, steady] = [fakeClock(), fakeClock()];
    const elapsed = monotonicClock(system.now, steady.now);
    steady.advance(34_000);
    system.advance(34_000 - 3_600_000);
    expect(elapsed()).toBe(34_000);
    system.advance(60_000);
    expect(elapsed()).toBe(94_000);
    system.advance(10);
    steady.advance(10);
    expect(elapsed()).toBe(94_010);
  });
});

describe('sleep', () => {
  it('leaves nothing with the signal of a long run, whether it ends in time or early', async () => {
    const run = new AbortController();
    await Promise.all([sleep(0, run.signal), sleep(0, run.signal)]);
    expect(getEventListeners(run.signal, 'abort')).toHaveLength(0);
    const waiting = sleep(3_600_000, run.signal);
    expect(getEventListeners(run.signal, 'abort')).toHaveLength(1);
    run.abort();
    await waiting;
    expect(getEventListeners(run.signal, 'abort')).toHaveLength(0);
  });

  it('lasts as long as a timer of Node can be where it should last longer', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    cleanUpAfterTest(() => timers.mockRestore());
    const run = new AbortController();
    const waiting = [10 ** 12, 2 ** 31 - 1, 2 ** 31 - 2].map((ms) => sleep(ms, run.signal));
    run.abort();
    await Promise.all(waiting);
    expect(timers.mock.calls.map(([, ms]) => ms)).toEqual([2_147_483_647, 2_147_483_647, 2_147_483_646]);
  });

  it('ends when the signal is aborted, before or during the sleep', async () => {
    const run = new AbortController();
    const waiting = sleep(3_600_000, run.signal);
    run.abort();
    await waiting;
    await sleep(3_600_000, run.signal);
    await sleep(0);
    expect(run.signal.aborted).toBe(true);
  });
});
