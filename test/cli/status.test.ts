import { describe, expect, test } from 'vitest';
import { createStatus } from '../../src/cli/status.ts';
import { fakeIo, TERMINAL } from './fake-io.ts';

const ERASE = '\r\u001b[2K';

/** A status line and the hand of its clock, milliseconds. */
function stage(more: Parameters<typeof fakeIo>[0] = {}, quiet = false) {
  const clock = { ms: 5_000 };
  const io = fakeIo({ terminal: TERMINAL, now: () => clock.ms, ...more });
  return { clock, io, status: createStatus(io, quiet) };
}

describe('the status line', () => {
  test('shows nothing within the first second', () => {
    const { clock, io, status } = stage();
    status.say('GET /a');
    clock.ms += 999;
    status.say('GET /b');
    status.clear();
    expect(io.err()).toBe('');
  });

  test('then shows the latest text in place, at most ten times a second, and goes without a trace', () => {
    const { clock, io, status } = stage();
    clock.ms += 1_000;
    status.say('GET /a');
    clock.ms += 99;
    status.say('GET /b');
    clock.ms += 1;
    status.say('GET /c');
    status.clear();
    status.clear();
    expect(io.err()).toBe(`${ERASE}GET /a${ERASE}GET /c${ERASE}`);
    expect(io.out()).toBe('');
  });

  test('never wraps, and shows hidden characters', () => {
    const { clock, io, status } = stage({ terminal: { ...TERMINAL, columns: 30 } });
    clock.ms += 2_000;
    status.say(`a\nb${'x'.repeat(50)}`);
    expect(io.err()).toBe(`${ERASE}a\\nb${'x'.repeat(25)}`);
  });

  test.each([
    ['without a terminal', stage({ terminal: { ...TERMINAL, stderr: false } })],
    ['on a terminal that cannot move back', stage({ env: { TERM: 'dumb' } })],
    ['when it is to be quiet', stage({}, true)],
  ])('is not shown %s', (_name, { clock, io, status }) => {
    clock.ms += 60_000;
    status.say('GET /a');
    status.clear();
    expect(io.err()).toBe('');
  });
});
