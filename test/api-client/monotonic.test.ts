import { describe, expect, it } from 'vitest';
import { monotonicClock, sleep } from '../../src/api-client/monotonic.ts';
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
