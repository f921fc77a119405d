/** The listening socket, which can be closed for a time: whoever connects meanwhile is refused. */
import type { Server } from 'node:http';

/** The door of an emulator that listens. */
export interface Door {
  /** Refuses new connections for so many milliseconds; those that are open come to the end of their answer. */
  shut(ms: number): void;
  /** Listens again, at once. */
  open(): Promise<void>;
}

/** The door of a server, which opens again where the server listened. */
export function doorOf(server: Server): Door {
  let address: { readonly port?: number; readonly host?: string } = {};
  let timer: NodeJS.Timeout | undefined;
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
    shut(ms) {
      const bound = server.address();
      if (typeof bound === 'object' && bound !== null) address = { port: bound.port, host: bound.address };
      clearTimeout(timer);
      server.close();
      // Where the port is taken meanwhile, the service stays down, which is what was asked for.
      timer = setTimeout(() => void open().catch(() => undefined), ms);
    },
  };
}
