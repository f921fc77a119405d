/**
 * The built program on the screen of tmux, a terminal whose content can be read. It is Debian's, and `.ci/run` installs it. Nothing waits
 * for the clock: a client in control mode receives every output, and the screen is read again.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../../support/harness.ts';

/** Whether tmux is installed. */
export const hasTmux = spawnSync('tmux', ['-V']).status === 0;

/** A terminal with a shell command in it. */
export interface Screen {
  /** Types keys as they are. */
  type(keys: string): void;
  /** Presses a key that tmux names, for example `C-c` or `Enter`. */
  press(key: string): void;
  /** The lines of the terminal, including those scrolled away, without empty ones at the end. `joined` = wrapped lines are joined. */
  lines(joined?: boolean): readonly string[];
  /** All that was ever written to it, in the words of tmux's control mode: controls are octal numbers. */
  written(): string;
  /** Column of the cursor, from 0. */
  column(): number;
  /** Resolves with the lines once one of them matches. @throws where the command ends before */
  waitFor(pattern: RegExp): Promise<readonly string[]>;
  /** Resolves with the lines once the command has ended. */
  waitForExit(): Promise<readonly string[]>;
}

/** The last line on the screen after the command has ended. */
const END = /^exit code (\d+)$/;

/** Runs a command of the shell on a terminal of that many columns, with exactly this environment. */
export function onScreen(command: string, columns: number, env: { readonly [name: string]: string | undefined }, cwd: string): Screen {
  const folder = temporaryFolder();
  const tmux = ['-S', join(folder, 'socket'), '-f', '/dev/null', '-u'];
  // The shell outlives Ctrl-C and shows how the program ended; then it waits, so that the screen can be read.
  writeFileSync(join(folder, 'run'), `trap : INT\n${command}\nprintf 'exit code %s\\n' "$?"\nexec cat >/dev/null\n`);
  const size = ['-x', String(columns), '-y', '50'];
  // Without SHELL, tmux starts the login shell of the user, which may be none.
  const settings = { PATH: process.env.PATH, SHELL: '/bin/sh', LC_ALL: 'C.UTF-8', TMUX_TMPDIR: folder, HOME: folder, ...env };
  const client = spawn('tmux', [...tmux, '-C', 'new-session', ...size, `exec sh '${join(folder, 'run')}'`], {
    cwd,
    env: settings,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const runTmux = (...args: readonly string[]) => execFileSync('tmux', [...tmux, ...args], { env: settings }).toString();
  // Over the client, for the socket may be gone with its folder.
  onTestFinished(() => {
    const closed = new Promise<void>((resolve) => client.once('close', () => resolve()));
    client.stdin.end('kill-server\n');
    return closed;
  });
  const listeners = new Set<() => void>();
  let written = '';
  client.stdout.setEncoding('utf8').on('data', (text) => {
    written += text;
    for (const listener of listeners) listener();
  });
  const started = new Promise<void>((resolve) => client.stdout.once('data', () => resolve()));
  const lines = (joined = false) =>
    runTmux('capture-pane', '-p', '-S', '-', ...(joined ? ['-J'] : []))
      .replace(/[ \n]+$/, '')
      .split('\n')
      .map((line) => line.trimEnd());
  const waitForLine = async (pattern: RegExp): Promise<readonly string[]> => {
    await started;
    return new Promise((resolve, reject) => {
      const check = (): void => {
        const shownLines = lines();
        const isShown = shownLines.some((line) => pattern.test(line));
        if (!isShown && !shownLines.some((line) => END.test(line))) return;
        listeners.delete(check);
        if (isShown) resolve(shownLines);
        else reject(new Error(`it ended before ${pattern} was on the screen:\n${shownLines.join('\n')}`));
      };
      listeners.add(check);
      check();
    });
  };
  return {
    type: (keys) => void runTmux('send-keys', '-l', keys),
    press: (key) => void runTmux('send-keys', key),
    lines,
    written: () => written,
    column: () => Number(runTmux('display-message', '-p', '#{cursor_x}')),
    waitFor: waitForLine,
    waitForExit: () => waitForLine(END),
  };
}

/** Returns the exit code on the screen. */
export function exitCodeIn(lines: readonly string[]): number {
  return Number(lines.flatMap((line) => END.exec(line)?.[1] ?? []).at(-1));
}
