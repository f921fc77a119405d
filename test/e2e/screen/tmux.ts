/**
 * The built program on the screen of tmux, a terminal that tells what it shows. It is Debian's, and `.ci/run` installs it. Nothing is waited
 * for by the clock: a client in control mode is told of every output, and the screen is read anew.
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
  /** The lines that stand there now, those that have scrolled away too, without empty ones at the end. `joined` = what the terminal has wrapped is one line. */
  lines(joined?: boolean): readonly string[];
  /** All that was ever written to it, in the words of tmux's control mode: controls are octal numbers. */
  written(): string;
  /** Column of the cursor, from 0. */
  column(): number;
  /** Resolves with the lines once one of them matches. @throws where the command ends before */
  shows(pattern: RegExp): Promise<readonly string[]>;
  /** Resolves with the lines once the command has ended. */
  ended(): Promise<readonly string[]>;
}

/** What stands on the screen when the command has ended. */
const END = /^exit code (\d+)$/;

/** Runs a command of the shell on a terminal of that many columns, with exactly this environment. */
export function onScreen(command: string, columns: number, env: { readonly [name: string]: string | undefined }, cwd: string): Screen {
  const place = temporaryFolder();
  const tmux = ['-S', join(place, 'socket'), '-f', '/dev/null', '-u'];
  // The shell outlives Ctrl-C and shows how the program ended; then it waits, so that the screen can be read.
  writeFileSync(join(place, 'run'), `trap : INT\n${command}\nprintf 'exit code %s\\n' "$?"\nexec cat >/dev/null\n`);
  const size = ['-x', String(columns), '-y', '50'];
  const settings = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', TMUX_TMPDIR: place, HOME: place, ...env };
  const client = spawn('tmux', [...tmux, '-C', 'new-session', ...size, `exec sh '${join(place, 'run')}'`], {
    cwd,
    env: settings,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ask = (...args: readonly string[]) => execFileSync('tmux', [...tmux, ...args], { env: settings }).toString();
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
  const begun = new Promise<void>((resolve) => client.stdout.once('data', () => resolve()));
  const lines = (joined = false) =>
    ask('capture-pane', '-p', '-S', '-', ...(joined ? ['-J'] : []))
      .replace(/[ \n]+$/, '')
      .split('\n')
      .map((line) => line.trimEnd());
  const until = async (pattern: RegExp): Promise<readonly string[]> => {
    await begun;
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const now = lines();
        const isThere = now.some((line) => pattern.test(line));
        if (!isThere && !now.some((line) => END.test(line))) return;
        listeners.delete(look);
        if (isThere) resolve(now);
        else reject(new Error(`it ended before ${pattern} was on the screen:\n${now.join('\n')}`));
      };
      listeners.add(look);
      look();
    });
  };
  return {
    type: (keys) => void ask('send-keys', '-l', keys),
    press: (key) => void ask('send-keys', key),
    lines,
    written: () => written,
    column: () => Number(ask('display-message', '-p', '#{cursor_x}')),
    shows: until,
    ended: () => until(END),
  };
}

/** The exit code that stands on the screen. */
export function exitOn(lines: readonly string[]): number {
  return Number(lines.flatMap((line) => END.exec(line)?.[1] ?? []).at(-1));
}
