/** Controls the listening socket, which can refuse connections for a time, and tracks open connections and running requests. */
import type { Server } from 'node:http';

/** Turns of the event loop after which a client that has connected is accepted. */
const TURNS_TO_ACCEPT = 3;

/** Controls the listening socket of a server. */
export interface Listener {
  /** Refuses new connections for a number of milliseconds; open connections may complete their response. */
  refuseConnections(ms: number): void;
  /** Accepts connections again, at once. */
  open(): Promise<void>;
  /** Tracks the work of a request, which may outlast its connection. */
  track<T>(work: Promise<T>): Promise<T>;
  /** Resolves when there is no open connection and no tracked work. */
  idle(): Promise<void>;
}

/** Creates the listener of a server. After a refusal the server listens on the same address again. */
export function createListener(server: Server): Listener {
  let address: { readonly port?: number; readonly host?: string } = {};
  let timer: NodeJS.Timeout | undefined;
  const active = new Set<unknown>();
  const waiting: (() => void)[] = [];
  const remove = (finished: unknown): void => {
    active.delete(finished);
    if (active.size === 0) for (const resolve of waiting.splice(0)) resolve();
  };
  server.on('connection', (socket) => {
    active.add(socket);
    socket.once('close', () => remove(socket));
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
      // If another process has taken the port meanwhile, connections stay refused, as the rule asks.
      timer = setTimeout(() => void open().catch(() => undefined), ms);
    },
    track(work) {
      active.add(work);
      return work.finally(() => remove(work));
    },
    async idle() {
      let idleTurns = 0;
      while (idleTurns < TURNS_TO_ACCEPT) {
        await new Promise(setImmediate);
        idleTurns = active.size === 0 ? idleTurns + 1 : 0;
        if (active.size > 0) await new Promise<void>((resolve) => void waiting.push(resolve));
      }
    },
  };
}
