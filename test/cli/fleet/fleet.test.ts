/** The fleet with members that a test plays: what becomes of what they say, and of how they end. */
import { describe, expect, test } from 'vitest';
import type { Exit } from '../../../src/cli/exit.ts';
import { runFleet, TOGETHER } from '../../../src/cli/fleet/fleet.ts';
import type { Member, Order, Start, Told } from '../../../src/cli/fleet/messages.ts';
import { createReports } from '../../../src/cli/output.ts';
import { openSession } from '../../../src/cli/session.ts';
import { projectIn, temporaryFolder } from '../../harness.ts';
import { type FakeIo, fakeIo, input, TERMINAL } from '../fake-io.ts';

/** A member that is played. */
interface Played extends Start {
  tell(told: Told): void;
  /** Resolves with the next order. */
  ordered(): Promise<Order>;
}

/** What a member does; it ends with an exit code, or otherwise. */
type Script = (member: Played) => Promise<number | string> | number | string;

interface Course {
  readonly io: FakeIo;
  readonly exits: readonly Exit[];
  readonly documents: readonly unknown[];
}

/** Has a member played. */
function cast(start: Start, tell: Played['tell'], script: Script): Member {
  const orders: Order[] = [];
  const hands: ((order: Order) => void)[] = [];
  const ordered = async (): Promise<Order> => orders.shift() ?? new Promise((resolve) => hands.push(resolve));
  const order = (given: Order): void => {
    const hand = hands.shift();
    if (hand) hand(given);
    else orders.push(given);
  };
  return { order, ended: Promise.resolve(script({ ...start, tell, ordered })) };
}

/** Runs a fleet of these targets to its end. */
async function played(names: readonly string[], script: Script, more: Partial<FakeIo> = {}, asks = false): Promise<Course> {
  const project = projectIn(temporaryFolder());
  const target = (name: string) =>
    `  ${name}:\n    base_url: http://127.0.0.1:9\n    sources: [config]\n` +
    `    credentials: { owner: { env: OWNER }, api_key: { env: KEY_${name} } }\n`;
  project.write('upkeep.yaml', `version: 1\ntargets:\n${names.map(target).join('')}`);
  const io = fakeIo({
    cwd: project.folder,
    argv: ['plan', '-t', '*'],
    members: async () => (start, tell) => cast(start, tell, script),
    ...more,
  });
  const session = openSession(io, {});
  const reports = createReports(io, { format: 'json', out: [], color: false, logLevel: 'warn', logFormat: 'text' });
  const exits = await runFleet(io, { session, targets: session.project.targets, quiet: false, asks }, reports);
  await reports.finish();
  return { io, exits, documents: JSON.parse(io.out()) };
}

/** Reports something that bears the name of the target, and gives the exit code. */
function report({ target, tell }: Pick<Played, 'target' | 'tell'>, exit = 0): number {
  tell({ type: 'add', document: { type: 'history', history: { schemaVersion: 1, target, entries: [] } }, look: {} });
  return exit;
}

/** A promise, and what resolves it. */
function signal(): { readonly given: Promise<void>; give(): void } {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give() };
}

const NAMES = Array.from({ length: 20 }, (_, index) => `t${index}`);
const named = (documents: readonly unknown[], names: readonly string[] = NAMES) =>
  expect(documents).toMatchObject(names.map((target) => ({ target })));

describe('members', () => {
  test('are given the arguments of the fleet, and no variable from which only another target takes a credential', async () => {
    const seen = new Map<string, Start>();
    const env = { PATH: '/bin', OWNER: 'shared', KEY_a: 'of a', KEY_b: 'of b', KEY_c: undefined };
    await played(
      ['a', 'b'],
      (member) => {
        seen.set(member.target, member);
        return report(member);
      },
      { env },
    );
    expect(seen.get('a')).toMatchObject({ argv: ['plan', '-t', '*'], env: { PATH: '/bin', OWNER: 'shared', KEY_a: 'of a' } });
    expect(seen.get('a')?.env).not.toHaveProperty('KEY_b');
    expect(seen.get('b')?.env).toEqual({ PATH: '/bin', OWNER: 'shared', KEY_b: 'of b', KEY_c: undefined });
  });

  test('run side by side, but never more than so many, and all of them', async () => {
    let [running, most] = [0, 0];
    const full = signal();
    const { documents } = await played(NAMES, async (member) => {
      most = Math.max(most, ++running);
      if (running === TOGETHER) full.give();
      await full.given;
      running--;
      return report(member);
    });
    expect(most).toBe(TOGETHER);
    named(documents);
  });

  test('report in the order of the targets although the first ends last, as text at once', async () => {
    const others = signal();
    const course = await played(['a', 'b'], async (member) => {
      if (member.target === 'a') await others.given;
      report(member);
      if (member.target === 'b') others.give();
      return 0;
    });
    named(course.documents, ['a', 'b']);
  });

  test('have their words signed: before a line of text, within a log entry', async () => {
    const { io } = await played(['a', 'b'], (member) => {
      if (member.target === 'b') member.tell({ type: 'say', text: 'warning: one\n  hint: two\n' });
      if (member.target === 'b') member.tell({ type: 'say', text: '{"level":20,"msg":"request"}\n' });
      return report(member);
    });
    expect(io.err()).toBe('b: warning: one\nb:   hint: two\n{"target":"b","level":20,"msg":"request"}\n');
  });

  test('give each its exit code', async () => {
    const { exits } = await played(['a', 'b', 'c'], (member) => report(member, { a: 0, b: 10, c: 4 }[member.target]));
    expect([...exits].sort()).toEqual([0, 10, 4]);
  });
});

describe('a member that is lost', () => {
  test.each([
    ['was ended by SIGKILL', 'was ended by SIGKILL'],
    [134, 'ended with exit code 134'],
    ['could not be started (EAGAIN)', 'could not be started (EAGAIN)'],
  ])('%j: stands in its place as an error, and stops no other', async (how, words) => {
    const { exits, documents, io } = await played(['a', 'b', 'c'], (member) => {
      report(member);
      return member.target === 'b' ? how : 0;
    });
    expect([...exits].sort()).toEqual([0, 0, 1]);
    expect(documents).toMatchObject([
      { target: 'a', entries: [] },
      { target: 'b', entries: [] },
      {
        target: 'b',
        error: {
          exit: 1,
          code: 'member-lost',
          summary: `the process for b ${words} before all was said`,
          hint: 'see where it stands with `upkeep plan -t b`',
        },
      },
      { target: 'c', entries: [] },
    ]);
    expect(io.err()).toContain(words);
  });

  test('even where it ends well, if it has reported nothing', async () => {
    const { exits, documents } = await played(['a'], () => 0);
    expect([exits, documents]).toMatchObject([[1], { target: 'a', error: { code: 'member-lost' } }]);
  });
});

describe('questions', () => {
  const asking: Script = async (member) => {
    member.tell({ type: 'ask', question: { question: `Apply to ${member.target}?`, facts: [], yes: 'yes' } });
    const order = await member.ordered();
    return report(member, order.type === 'answer' && order.yes ? 0 : 4);
  };

  test('are asked in the order of the targets, one member at a time, and each has its own answer', async () => {
    let running = 0;
    const script: Script = async (member) => {
      expect(++running).toBe(1);
      const exit = await asking(member);
      running--;
      return exit;
    };
    const { io, exits } = await played(['a', 'b', 'c'], script, { terminal: TERMINAL, stdin: input('yes\nno\nyes\n') }, true);
    expect(exits).toEqual([0, 4, 0]);
    expect(io.err()).toMatch(/Apply to a\?.*Apply to b\?.*Apply to c\?/s);
  });

  test('have the answer no where nobody can be asked', async () => {
    const { io, exits } = await played(['a', 'b'], asking);
    expect([exits, io.err()]).toEqual([[4, 4], '']);
  });
});

describe('an interrupt', () => {
  test('reaches every member that runs; the others are not begun, and every target has its document', async () => {
    const interrupt = new AbortController();
    const begun: string[] = [];
    const script: Script = async (member) => {
      begun.push(member.target);
      if (begun.length === TOGETHER) interrupt.abort();
      expect(await member.ordered()).toEqual({ type: 'interrupt' });
      return report(member, 130);
    };
    const { exits, documents } = await played(NAMES, script, { signal: interrupt.signal });
    expect(begun).toEqual(NAMES.slice(0, TOGETHER));
    expect(new Set(exits)).toEqual(new Set([130]));
    named(documents);
    expect(documents.slice(TOGETHER)).toMatchObject(NAMES.slice(TOGETHER).map(() => ({ error: { code: 'interrupted' } })));
  });
});

test('a question that cannot be asked is answered no, and is told when all members have ended', async () => {
  const answers: Order[] = [];
  const script: Script = async (member) => {
    member.tell({ type: 'ask', question: { question: 'Well?', facts: [], yes: 'yes' } });
    answers.push(await member.ordered());
    return report(member, 4);
  };
  const next = () => Promise.reject(new TypeError('no input'));
  const stdin = { [Symbol.asyncIterator]: () => ({ next }) };
  await expect(played(['a', 'b', 'c'], script, { terminal: TERMINAL, stdin }, true)).rejects.toThrow('no input');
  expect(answers).toEqual(['a', 'b', 'c'].map(() => ({ type: 'answer', yes: false })));
});

test('a line on the terminal counts the targets, and makes way for what is said', async () => {
  let time = 0;
  const now = () => (time += 2_000);
  const { io } = await played(NAMES.slice(0, 3), (member) => report(member), { terminal: TERMINAL, now });
  expect(io.err()).toContain('targets 1/3');
  expect(io.err().endsWith('\r\u001b[2K')).toBe(true);
});
