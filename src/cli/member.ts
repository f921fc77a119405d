/**
 * The program of a member: the run of one of several targets, for the run over all of them, from which it has its orders. A signal that a
 * terminal sends to both is no second interrupt; that the fleet has gone is one.
 */
import { isatty } from 'node:tty';
import { EXIT } from './exit.ts';
import { memberWorld } from './fleet/member.ts';
import { isOrder, type Told } from './fleet/messages.ts';
import { main } from './main.ts';

let sent: Promise<void> = Promise.resolve();
const tell = (told: Told): void => {
  sent = new Promise((resolve) => {
    // Where nobody listens any more, there is nobody to tell.
    if (process.send && process.connected) process.send(told, undefined, undefined, () => resolve());
    else resolve();
  });
};

const [target = '', ...argv] = process.argv.slice(2);
const { world, order } = memberWorld(target, tell, { env: process.env, cwd: process.cwd(), now: Date.now, canAsk: isatty(0) });

const interrupt = (): void => order({ type: 'interrupt' });
const left = (): void => {
  if (world.signal.aborted) process.exit(EXIT.interrupted);
  interrupt();
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt);
process.on('disconnect', left);
process.on('message', (message) => {
  if (isOrder(message)) order(message);
});

process.exitCode = await main(argv, world);
await sent;
process.off('disconnect', left);
if (process.connected) process.disconnect();
