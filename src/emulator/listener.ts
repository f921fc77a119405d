/** The listening socket, which can be closed for a time (whoever connects meanwhile is refused), and who is inside. */
import type { Server } from 'node:http';

/** Turns of the event loop within which whoever has knocked is let in. */
const TURNS = 3;

/** The door of an emulator that listens. */
export interface Listener {
  /** Refuses new connections for so many milliseconds; those that are open come to the end of their answer. */
  refuseConnections(ms: number): void;
  /** Listens again, at once. */
  open(): Promise<void>;
  /** Counts the work of a request, which may outlive its connection. */
  during<T>(work: Promise<T>): Promise<T>;
  /** Resolves when nobody is connected, and no request is at work. */
  idle(): Promise<void>;
}

/** The door of a server, which opens again where the server listened. */
export function listenerOf(server: Server): Listener {
  let address: { readonly port?: number; readonly host?: string } = {};
  let timer: NodeJS.Timeout | undefined;
  const inside = new Set<unknown>();
  const waiting: (() => void)[] = [];
  const leave = (who: unknown): void => {
    inside.delete(who);
    if (inside.size === 0) for (const resolve of waiting.splice(0)) resolve();
  };
  server.on('connection', (socket) => {
    inside.add(socket);
    socket.once('close', () => leave(socket));
  });
  const open = (): Promise<void> => {
    clearTimeout(timer);
    if (server.listening) return Promise.resolve();
    return new Promise((resolve, reject) => {
      server.once('error', reject).listen(address, () => {
        server.off('error', reject);
        resolve();
      });
    });
  };
  return {
    open,
    refuseConnections(ms) {
      const bound = server.address();
      if (typeof bound === 'object' && bound !== null) address = { port: bound.port, host: bound.address };
      clearTimeout(timer);
      server.close();
      // Where the port is taken meanwhile, the service stays down, which is what was asked for.
      timer = setTimeout(() => void open().catch(() => undefined), ms);
    },
    during(work) {
      inside.add(work);
      return work.finally(() => leave(work));
    },
    async idle() {
      let quiet = 0;
      while (quiet < TURNS) {
        await new Promise(setImmediate);
        quiet = inside.size === 0 ? quiet + 1 : 0;
        if (inside.size > 0) await new Promise<void>((resolve) => void waiting.push(resolve));
      }
    },
  };
}
