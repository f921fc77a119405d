import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createStatus } from '../../src/app/progress-display.ts';
import { ERASE } from '../../src/app/status-line.ts';
import { fakeIo, TERMINAL } from '../cli/fake-io.ts';

beforeEach(() => void vi.useFakeTimers({ now: 5_000 }));
afterEach(() => void vi.useRealTimers());

const pass = (ms: number): void => void vi.setSystemTime(Date.now() + ms);

function stage(more: Parameters<typeof fakeIo>[0] = {}, quiet = false) {
  const io = fakeIo({ terminal: TERMINAL, now: Date.now, ...more });
  return { io, status: createStatus(io, quiet) };
}

describe('the status line', () => {
  test('shows nothing within the first second', () => {
    const { io, status } = stage();
    status.say('GET /a');
    pass(999);
    status.say('GET /b');
    status.clear();
    expect(io.err()).toBe('');
  });

  test('then shows the latest text in place, at most ten times a second, and goes without a trace', () => {
    const { io, status } = stage();
    pass(1_000);
    status.say('GET /a');
    pass(99);
    status.say('GET /b');
    pass(1);
    status.say('GET /c');
    status.clear();
    status.clear();
    expect(io.err()).toBe(`${ERASE}GET /a${ERASE}GET /c${ERASE}`);
    expect(io.out()).toBe('');
  });

  test('goes on by itself while nothing happens, until it is cleared', () => {
    const { io, status } = stage();
    status.show((now, last) => `reading ${now / 1000} ${last}`);
    vi.advanceTimersByTime(2_000);
    status.say('GET /a');
    vi.advanceTimersByTime(1_000);
    status.clear();
    vi.advanceTimersByTime(10_000);
    expect(io.err()).toBe(`${ERASE}reading 6 ${ERASE}reading 7 ${ERASE}reading 8 GET /a${ERASE}`);
  });

  test.each([
    ['without a terminal', { terminal: { ...TERMINAL, stderr: false } }, false],
    ['on a terminal that cannot move back', { env: { TERM: 'dumb' } }, false],
    ['when it is to be quiet', {}, true],
  ])('is not shown %s', (_name, more, quiet) => {
    const { io, status } = stage(more, quiet);
    status.show(() => 'reading');
    vi.advanceTimersByTime(60_000);
    status.say('GET /a');
    status.clear();
    expect([io.err(), vi.getTimerCount()]).toEqual(['', 0]);
  });
});
