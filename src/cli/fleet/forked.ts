/** Members as processes: this program once more, with nothing but its environment and a line to the fleet. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { codeOf } from '../exit.ts';
import { isTold, type Member, type Start, type StartMember, type Told } from './messages.ts';

/** The program of a member, which is built beside every other file. */
const PROGRAM = fileURLToPath(new URL('./member.js', import.meta.url));

/** Starts a member as a process. */
export const forkMember: StartMember = (start, hear) => {
  try {
    return memberOf(forked(start), hear);
  } catch (error) {
    return { order: () => undefined, ended: Promise.resolve(notStarted(error)) };
  }
};

/**
 * It shares the standard input, at which it looks but from which it never reads, to know whether somebody can be asked; the name of its
 * target and the arguments of the fleet are its own arguments, so that a list of processes tells which is which.
 */
function forked({ target, argv, env }: Start): ChildProcess {
  return fork(PROGRAM, [target, ...argv], { env: { ...env }, stdio: ['inherit', 'ignore', 'ignore', 'ipc'] });
}

function memberOf(child: ChildProcess, hear: (told: Told) => void): Member {
  child.on('message', (message) => {
    if (isTold(message)) hear(message);
  });
  return {
    order(order) {
      // Who has just ended needs no order any more.
      if (child.connected) child.send(order, () => undefined);
    },
    ended: endOf(child),
  };
}

/** Not before the line is closed too, since what a process said last may arrive after its end. */
function endOf(child: ChildProcess): Promise<number | string> {
  const line = new Promise<void>((resolve) => child.once('disconnect', resolve));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(notStarted(error)));
    child.once('exit', (code, signal) => void line.then(() => resolve(code ?? `was ended by ${signal}`)));
  });
}

function notStarted(error: unknown): string {
  return `could not be started (${codeOf(error)})`;
}
