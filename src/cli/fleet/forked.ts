/** Members as processes: this program once more, with nothing but its environment and a line to the fleet. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { codeOf } from '../exit.ts';
import { isTold, type StartMember } from './messages.ts';

/** The program of a member, which is built beside every other file. */
const PROGRAM = fileURLToPath(new URL('./member.js', import.meta.url));

/**
 * Starts a member as a process. It shares the standard input, which it looks at but never reads, to know whether somebody can be asked;
 * the name of its target and the arguments of the fleet are its own arguments, so that a list of processes tells which is which.
 */
export const forkMember: StartMember = ({ target, argv, env }, hear) => {
  const child = fork(PROGRAM, [target, ...argv], { env: { ...env }, stdio: ['inherit', 'ignore', 'ignore', 'ipc'] });
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
};

/** Not before the line is closed too, since what a process said last may arrive after its end. */
function endOf(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve) => {
    let how: number | string | null = null;
    let isOpen = true;
    const look = (): void => {
      if (how !== null && !isOpen) resolve(how);
    };
    child.once('error', (error) => resolve(`could not be started (${codeOf(error)})`));
    child.once('exit', (code, signal) => {
      how = code ?? `was ended by ${signal}`;
      look();
    });
    child.once('disconnect', () => {
      isOpen = false;
      look();
    });
  });
}
