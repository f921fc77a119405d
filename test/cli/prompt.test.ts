import { describe, expect, test } from 'vitest';
import { createPrompt } from '../../src/cli/prompt.ts';
import { fakeIo, input, silentInput, TERMINAL } from './fake-io.ts';

const QUESTION = { question: 'Apply 2 changes to live?', facts: [], yes: 'yes' };

function setUpPrompt(...chunks: (string | Uint8Array)[]) {
  const io = fakeIo({ terminal: TERMINAL, stdin: input(...chunks) });
  return { io, ask: createPrompt(io) };
}

describe('the answer to a question', () => {
  test.each([
    ['yes\n', true],
    ['  yes \r\n', true],
    ['yes', true],
    ['y\n', false],
    ['YES\n', false],
    ['yes please\n', false],
    ['\nyes\n', false],
    ['', false],
  ])('answered with %j', async (answer, expected) => {
    const { io, ask } = setUpPrompt(answer);
    expect(await ask(QUESTION)).toBe(expected);
    expect(io.err()).toBe('Apply 2 changes to live?\nOnly `yes` is accepted: ');
    expect(io.out()).toBe('');
  });

  test('an answer may arrive in several chunks, also as bytes', async () => {
    const { ask } = setUpPrompt('y', new TextEncoder().encode('es'), '\n');
    expect(await ask(QUESTION)).toBe(true);
  });

  test('text after the line of an answer is kept for the next question', async () => {
    const { ask } = setUpPrompt('yes\nno\nyes', '\n');
    expect([await ask(QUESTION), await ask(QUESTION), await ask(QUESTION), await ask(QUESTION)]).toEqual([true, false, true, false]);
  });

  test('an answer that is far too long is not read to its end', async () => {
    async function* endless() {
      for (;;) yield 'yes yes yes ';
    }
    const io = fakeIo({ terminal: TERMINAL, stdin: endless() });
    expect(await createPrompt(io)(QUESTION)).toBe(false);
  });
});

describe('a question that the name of the target confirms', () => {
  const NAMED = { ...QUESTION, yes: 'live' };

  test.each([
    ['live\n', true],
    ['yes\n', false],
    ['Live\n', false],
    ['liv\n', false],
    ['live!\n', false],
    ['\n', false],
  ])('answered with %j', async (answer, expected) => {
    const { io, ask } = setUpPrompt(answer);
    expect(await ask(NAMED)).toBe(expected);
    expect(io.err()).toMatch(/\nOnly the name of the target, `live`, is accepted: $/);
  });
});

test('the facts of a question are shown in two columns within the width of the terminal, completely and escaped', async () => {
  const io = fakeIo({ terminal: { ...TERMINAL, columns: 60 }, stdin: input('yes\n') });
  const facts = [
    ['service', 'https://services.example.com'],
    ['weakens', `3 changes: ${['drm-policy/premium', 'drm-policy/\u202ebasic', 'static-key'].join(', ')}`],
  ] as const;
  await createPrompt(io)({ ...QUESTION, facts });
  expect(io.err()).toBe(`Apply 2 changes to live?
  service   https://services.example.com
  weakens   3 changes: drm-policy/premium,
            drm-policy/\\u{202e}basic, static-key
Only \`yes\` is accepted: `);
});

test('a label that is longer than the column widens it for all', async () => {
  const io = fakeIo({ terminal: TERMINAL, stdin: input('yes\n') });
  const facts = [
    ['service', 'https://services.example.com'],
    ['stops playback', '1 change: playlist/club'],
  ] as const;
  await createPrompt(io)({ ...QUESTION, facts });
  expect(io.err()).toContain('  service         https://services.example.com\n  stops playback  1 change: playlist/club\n');
});

describe('a prompt that is not shown', () => {
  test.each([
    ['stdin', { ...TERMINAL, stdin: false }],
    ['stderr', { ...TERMINAL, stderr: false }],
  ])('without a terminal on %s nothing is asked or read, and the answer is no', async (_name, terminal) => {
    let read = false;
    async function* watched() {
      read = true;
      yield 'yes\n';
    }
    const io = fakeIo({ terminal, stdin: watched() });
    expect(await createPrompt(io)(QUESTION)).toBe(false);
    expect([io.err(), read]).toEqual(['', false]);
  });

  test('after an interrupt nothing is asked, and the answer is no', async () => {
    const io = fakeIo({ terminal: TERMINAL, stdin: input('yes\n'), signal: AbortSignal.abort() });
    expect(await createPrompt(io)(QUESTION)).toBe(false);
    expect(io.err()).toBe('');
  });
});

test('an interrupt answers a waiting question with no and ends its line', async () => {
  const interrupt = new AbortController();
  const io = fakeIo({ terminal: TERMINAL, stdin: silentInput(), signal: interrupt.signal });
  const answer = createPrompt(io)(QUESTION);
  interrupt.abort();
  expect(await answer).toBe(false);
  expect(io.err()).toBe('Apply 2 changes to live?\nOnly `yes` is accepted: \n');
});
