import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createStatus, ERASE } from '../../src/cli/status-line.ts';
import { fakeIo, TERMINAL } from './fake-io.ts';

describe('the last line of the terminal', () => {
  test('the line is erased once before other output on either stream', () => {
    const io = fakeIo({ terminal: TERMINAL });
    io.line.draw('1 of 3');
    io.stdout.write('report\n');
    io.stderr.write('warning\n');
    io.line.draw('2 of 3');
    io.stderr.write('note\n');
    expect(io.all()).toEqual([`! ${ERASE}1 of 3`, `! ${ERASE}`, 'report\n', '! warning\n', `! ${ERASE}2 of 3`, `! ${ERASE}`, '! note\n']);
  });

  test('the line stays if stdout is no terminal', () => {
    const io = fakeIo({ terminal: { ...TERMINAL, stdout: false } });
    io.line.draw('1 of 3');
    io.stdout.write('report\n');
    expect(io.all()).toEqual([`! ${ERASE}1 of 3`, 'report\n']);
  });

  test('the line is not drawn while a question waits for its answer', () => {
    const io = fakeIo({ terminal: TERMINAL });
    io.line.draw('1 of 3');
    io.line.ask('Really? ');
    io.line.draw('2 of 3');
    io.line.answered();
    io.line.draw('3 of 3');
    expect(io.all()).toEqual([`! ${ERASE}1 of 3`, `! ${ERASE}`, '! Really? ', `! ${ERASE}3 of 3`]);
  });

  test('output during a question starts on a new line, and an abandoned question leaves a complete line', () => {
    const io = fakeIo({ terminal: TERMINAL });
    io.line.ask('Really? ');
    io.stderr.write('note: interrupted\n');
    io.line.abandon();
    io.line.ask('Again? ');
    io.line.abandon();
    expect(io.err()).toBe('Really? \nnote: interrupted\nAgain? \n');
  });

  test.each([
    ['a long one', 'x'.repeat(50), 'x'.repeat(29)],
    ['wide characters', '漢'.repeat(50), '漢'.repeat(14)],
    ['combining marks', 'e\u0301'.repeat(50), 'e\u0301'.repeat(29)],
    ['hidden characters', `a\nb${'\u001b'.repeat(9)}`, 'a\\nb\\u{1b}\\u{1b}\\u{1b}\\u{1b}'],
  ])('the line never wraps: %s', (_name, text, shown) => {
    const io = fakeIo({ terminal: { ...TERMINAL, columns: 30 } });
    io.line.draw(text);
    expect(io.err()).toBe(ERASE + shown);
  });

  test('the line is clipped to the current width of the terminal', () => {
    const terminal = { ...TERMINAL, columns: 30 };
    const io = fakeIo({ terminal });
    terminal.columns = 40;
    io.line.draw('x'.repeat(50));
    expect(io.err()).toBe(ERASE + 'x'.repeat(39));
  });
});

beforeEach(() => void vi.useFakeTimers({ now: 5_000 }));
afterEach(() => void vi.useRealTimers());

const advanceClock = (ms: number): void => void vi.setSystemTime(Date.now() + ms);

function setUpStatus(more: Parameters<typeof fakeIo>[0] = {}, quiet = false) {
  const io = fakeIo({ terminal: TERMINAL, now: Date.now, ...more });
  return { io, status: createStatus(io, quiet) };
}

describe('the status line', () => {
  test('the status is not shown within the first second', () => {
    const { io, status } = setUpStatus();
    status.say('GET /a');
    advanceClock(999);
    status.say('GET /b');
    status.clear();
    expect(io.err()).toBe('');
  });

  test('the status shows the latest text in place, at most ten times a second, and is erased at the end', () => {
    const { io, status } = setUpStatus();
    advanceClock(1_000);
    status.say('GET /a');
    advanceClock(99);
    status.say('GET /b');
    advanceClock(1);
    status.say('GET /c');
    status.clear();
    status.clear();
    expect(io.err()).toBe(`${ERASE}GET /a${ERASE}GET /c${ERASE}`);
    expect(io.out()).toBe('');
  });

  test('the status is refreshed while nothing happens, until it is cleared', () => {
    const { io, status } = setUpStatus();
    status.show((now, last) => `reading ${now / 1000} ${last}`);
    vi.advanceTimersByTime(2_000);
    status.say('GET /a');
    vi.advanceTimersByTime(1_000);
    status.clear();
    vi.advanceTimersByTime(10_000);
    expect(io.err()).toBe(`${ERASE}reading 6 ${ERASE}reading 7 ${ERASE}reading 8 GET /a${ERASE}`);
  });

  test.each([
    ['on a terminal', {}],
    ['without a terminal', { terminal: { ...TERMINAL, stderr: false } }],
  ])('nothing is shown %s when it is to be quiet', (_name, more) => {
    const { io, status } = setUpStatus(more, true);
    status.show(() => 'reading');
    vi.advanceTimersByTime(60_000);
    status.say('GET /a');
    status.line('created playlist/a');
    status.clear();
    expect([io.err(), vi.getTimerCount()]).toEqual(['', 0]);
  });

  test('a single line is not shown on a terminal, where the status is', () => {
    const { io, status } = setUpStatus();
    status.line('created playlist/a');
    expect(io.err()).toBe('');
  });
});

describe.each([
  ['a pipe, a file or the log of a CI job', { terminal: { ...TERMINAL, stderr: false } }],
  ['a terminal that cannot move back', { env: { TERM: 'dumb' } }],
])('the status in %s', (_name, more) => {
  test('is a line every ten seconds, while nothing happens as well, until it is cleared', () => {
    const { io, status } = setUpStatus(more);
    status.show((now, last) => `reading · ${now / 1000 - 5} s ${last}`);
    vi.advanceTimersByTime(9_999);
    expect(io.err()).toBe('');
    vi.advanceTimersByTime(1);
    status.say('GET /a');
    vi.advanceTimersByTime(10_000);
    status.clear();
    vi.advanceTimersByTime(60_000);
    expect(io.err()).toBe('reading · 10 s \nreading · 20 s GET /a\n');
  });

  test('has single lines at once, and waits ten seconds after them', () => {
    const { io, status } = setUpStatus(more);
    status.show(() => 'applying 1/2');
    vi.advanceTimersByTime(5_000);
    status.line('created playlist/a\u001b[31m');
    vi.advanceTimersByTime(9_999);
    expect(io.err()).toBe('created playlist/a\\u{1b}[31m\n');
    vi.advanceTimersByTime(10_000);
    status.clear();
    expect(io.err()).toBe('created playlist/a\\u{1b}[31m\napplying 1/2\n');
  });
});
