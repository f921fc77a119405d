/**
 * Ctrl-C on a real terminal: the built program under `script` of util-linux, which is part of every Debian, in the foreground of a
 * pseudo-terminal. The key is typed, and the terminal's line discipline makes the signal of it.
 */

import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { GitProject } from '../support/git-project.ts';
import { API_KEY, OWNER, temporaryFolder } from '../support/harness.ts';
import { signalUntilItEnds } from '../support/signals.ts';
import { duringFirstRequest, INTERRUPTED, interruptProject, LOCK, PROGRAM } from './interrupt-project.ts';

const CTRL_C = '\u0003';

/** A run on a terminal. */
interface Session {
  type(keys: string): void;
  /** Resolves once the screen shows this. */
  shows(words: string): Promise<void>;
  /** The exit code of upkeep, all that was on the screen, and the settings of the terminal before and after it. */
  readonly ended: Promise<{ readonly code: number; readonly screen: string; readonly before: string; readonly after: string }>;
}

/**
 * The shell outlives the interrupt, so that the terminal can be inspected after upkeep has ended. What inspects it ignores keys that
 * were typed late.
 */
const UNDER_SHELL = `trap : INT
stty -a >"$PLACE/before"
"$NODE" "$PROGRAM" "$@"
echo $? >"$PLACE/code"
trap '' INT
stty -a >"$PLACE/after"
`;

function onTerminal(project: GitProject, command: string): Session {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'run'), UNDER_SHELL);
  const env = {
    ...project.env,
    UPKEEP_OWNER: OWNER,
    UPKEEP_API_KEY: API_KEY,
    NODE: process.execPath,
    PROGRAM,
    PLACE: folder,
    SHELL: '/bin/sh',
    TERM: 'xterm',
  };
  const child = spawn('script', ['-q', '-e', '-c', `sh '${join(folder, 'run')}' ${command}`, '/dev/null'], { cwd: project.folder, env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    screen += text;
  });
  const readOutput = (name: string) => readFileSync(join(folder, name), 'utf8');
  return {
    type: (keys) => void child.stdin.write(keys),
    shows: (words) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (screen.includes(words)) resolve();
        };
        child.stdout.on('data', check);
        check();
      }),
    ended: new Promise((resolve, reject) => {
      child.once('error', reject);
      // Keys may come between the end of the program and that of its terminal.
      child.stdin.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE') reject(error);
      });
      child.once('close', () =>
        resolve({ code: Number(readOutput('code')), screen, before: readOutput('before'), after: readOutput('after') }),
      );
    }),
  };
}

/** No stack trace, no cursor that stays hidden, no colour that stays on, and the settings of before. */
function expectTerminalRestored({ screen, before, after }: Awaited<Session['ended']>): void {
  expect(before).toMatch(/ icanon .* echo /s);
  expect(after).toBe(before);
  expect(screen).not.toMatch(/^\s+at /m);
  expect(screen.split('\u001b[?25l').length).toBe(screen.split('\u001b[?25h').length);
  const colours = [...screen.matchAll(/\u001b\[(\d+)m/g)].map(([, code]) => Number(code));
  expect(colours.at(-1) ?? 0).toSatisfy((code: number) => [0, 22, 39, 49].includes(code));
  expect(screen.endsWith('\n')).toBe(true);
}

test('Ctrl-C at the prompt exits 130, writes nothing, releases the lock, and restores the terminal', async () => {
  const { project } = await interruptProject();
  const run = onTerminal(project, 'apply');
  await run.shows('Only `yes` is accepted: ');
  run.type(CTRL_C);
  const ended = await run.ended;
  expect(ended.code).toBe(130);
  expectTerminalRestored(ended);
  expect(project.writes()).toEqual([]);
  expect([project.entries(), project.refs()]).toEqual([[], {}]);
  expect((await project.apply('--yes')).document.verified).toBe(true);
});

test('Ctrl-C in the middle of an answer discards the typed characters', async () => {
  const { project } = await interruptProject();
  const run = onTerminal(project, 'apply');
  await run.shows('is accepted: ');
  run.type(`yes${CTRL_C}`);
  const ended = await run.ended;
  expect(ended.code).toBe(130);
  expectTerminalRestored(ended);
  expect(project.writes()).toEqual([]);
});

test('Ctrl-C during an apply lets requests in flight finish, prints and records all, and exits 130', async () => {
  const { project, proxy } = await interruptProject();
  const run = duringFirstRequest(proxy, 'POST', onTerminal(project, 'apply'), async (each) => {
    each.type(CTRL_C);
    await each.shows(INTERRUPTED);
  });
  await run.shows('is accepted: ');
  run.type('yes\n');
  const ended = await run.ended;
  expect(ended.code).toBe(130);
  expectTerminalRestored(ended);
  expect(ended.screen).toContain('Apply: 1 created, 3 skipped.');
  expect(project.writes()).toHaveLength(1);
  expect(project.entries().map(({ summary }) => summary)).toMatchObject([{ created: 1, skipped: 3 }]);
  expect(project.refs()).not.toHaveProperty(LOCK);
});

test('Ctrl-C more than a second after the first ends the program at once, although a request hangs', async () => {
  const { project, proxy } = await interruptProject();
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const run = duringFirstRequest(proxy, 'POST', onTerminal(project, 'apply --yes'), async (each) => {
    each.type(CTRL_C);
    await each.shows(INTERRUPTED);
    signalUntilItEnds({ ended: each.ended, signal: () => each.type(CTRL_C) }, 'SIGINT');
    await released;
  });
  const ended = await run.ended;
  expect(ended.code).toBe(130);
  expect(ended.after).toBe(ended.before);
  release();
  await proxy.idle();
  expect(project.refs()).toHaveProperty(LOCK);
});
