import { describe, expect, test } from 'vitest';
import { ERASE } from '../../src/app/status-line.ts';
import { fakeIo, TERMINAL } from '../cli/fake-io.ts';

describe('the last line of the terminal', () => {
  test('is taken away before anything else is written, on either stream, and not twice', () => {
    const io = fakeIo({ terminal: TERMINAL });
    io.line.draw('1 of 3');
    io.stdout.write('report\n');
    io.stderr.write('warning\n');
    io.line.draw('2 of 3');
    io.stderr.write('note\n');
    expect(io.all()).toEqual([`! ${ERASE}1 of 3`, `! ${ERASE}`, 'report\n', '! warning\n', `! ${ERASE}2 of 3`, `! ${ERASE}`, '! note\n']);
  });

  test('stays where stdout goes elsewhere', () => {
    const io = fakeIo({ terminal: { ...TERMINAL, stdout: false } });
    io.line.draw('1 of 3');
    io.stdout.write('report\n');
    expect(io.all()).toEqual([`! ${ERASE}1 of 3`, 'report\n']);
  });

  test('is never drawn into a question, until that is answered', () => {
    const io = fakeIo({ terminal: TERMINAL });
    io.line.draw('1 of 3');
    io.line.ask('Really? ');
    io.line.draw('2 of 3');
    io.line.answered();
    io.line.draw('3 of 3');
    expect(io.all()).toEqual([`! ${ERASE}1 of 3`, `! ${ERASE}`, '! Really? ', `! ${ERASE}3 of 3`]);
  });

  test('what is said while a question waits stands below it, and an abandoned question leaves a whole line', () => {
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
  ])('never wraps: %s', (_name, text, shown) => {
    const io = fakeIo({ terminal: { ...TERMINAL, columns: 30 } });
    io.line.draw(text);
    expect(io.err()).toBe(ERASE + shown);
  });

  test('follows the width of the terminal', () => {
    const terminal = { ...TERMINAL, columns: 30 };
    const io = fakeIo({ terminal });
    terminal.columns = 40;
    io.line.draw('x'.repeat(50));
    expect(io.err()).toBe(ERASE + 'x'.repeat(39));
  });
});
