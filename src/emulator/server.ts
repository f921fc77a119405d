/** Both services on this machine. It knows no kind: the routes come from the emulations. */
import { once, setMaxListeners } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Json } from '../model/json.ts';
import type { EmulatedAccount } from './authenticate.ts';
import { createAuthenticator } from './authenticate.ts';
import type { EmulatedKind, ServiceQuirks } from './contract.ts';
import type { Controlled } from './control-api.ts';
import { controls } from './control-api.ts';
import { controlEndpoint, createListener, routeEndpoint } from './endpoints.ts';
import type { FaultRule } from './faults.ts';
import { armFaults } from './faults.ts';
import type { ServerContext } from './handle-request.ts';
import { type Listener, listenerOf } from './listener.ts';
import { defaultQuirks } from './quirks.ts';
import { createRequestLog } from './request-log.ts';
import { dumpSeed, loadSeed } from './seed.ts';
import type { Store } from './store.ts';
import { openStore } from './store.ts';

export type { FaultRule } from './faults.ts';
export { parseFaults } from './faults.ts';

/** How to start; defaults in brackets. */
export interface EmulatorOptions {
  readonly emulations: readonly EmulatedKind[];
  readonly accounts: readonly EmulatedAccount[];
  /** [127.0.0.1] */
  readonly host?: string;
  /** 0 = any that is free [0] */
  readonly port?: number;
  readonly manners?: Partial<ServiceQuirks>;
  /** Where the state survives a restart and a kill; next to it `<dataFile>.journal` is kept [memory only]. */
  readonly dataFile?: string;
  /** Content of the accounts that the data file does not know yet (form: seed.ts). */
  readonly seed?: Json;
  /** Milliseconds before every answer [0] */
  readonly latencyMs?: number;
  readonly faults?: readonly FaultRule[];
  /** [300] */
  readonly timestampToleranceSeconds?: number;
  /** Whether the same `msg` and `sig` are refused the second time [true]. */
  readonly refuseReplays?: boolean;
  /** The service's clock, Unix milliseconds [Date.now] */
  readonly now?: () => number;
}

/** A running emulator. Requests are decoded and in order, `dump` has the form of a seed, by owner. */
export interface Emulator extends Controlled {
  /** `http://host:port`, without a trailing slash. */
  readonly url: string;
  /** Ends the connections, and refuses new ones for so many milliseconds. */
  refuse(ms: number): void;
  /** Ends a time of refusal. */
  listen(): Promise<void>;
  /** Resolves when nobody is connected, and what was asked for is done, whether or not somebody waited for it. */
  idle(): Promise<void>;
  /** Breaks open connections, and writes the last snapshot. */
  close(): Promise<void>;
}

/** How long a connection stays open between two requests, in milliseconds. */
const KEEP_ALIVE_MS = 72_000;

/** Starts both services. @throws Error where seed or data file cannot be used, or the port is taken */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const now = options.now ?? Date.now;
  const store = createStore(options, now());
  const closing = new AbortController();
  // Every answer that is late listens to it, and Node takes more than ten listeners for a leak.
  setMaxListeners(0, closing.signal);
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0 });
  const listener = listenerOf(server);
  const { desk, controlled } = assemble(options, store, listener, now, closing.signal);
  const routes = options.emulations.flatMap((emulatedKind) =>
    [...emulatedKind.routes, ...(emulatedKind.lookups ?? [])].map((route) => routeEndpoint(emulatedKind.name, route, desk, listener)),
  );
  const own = controls(controlled).map((control) => controlEndpoint(control, store));
  server.on('request', createListener([...routes, ...own]));
  const url = await listen(server, options, store);
  let closed: Promise<void> | undefined;
  const close = async () => {
    closing.abort();
    await listener.open();
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
    store.close();
  };
  return {
    ...controlled,
    url,
    refuse: listener.refuseConnections,
    listen: listener.open,
    idle: listener.idle,
    close() {
      closed ??= close();
      return closed;
    },
  };
}

/** The store with its seed; the seed is tried on an empty store first, so that a bad one leaves no trace in the data file. */
function createStore({ seed = {}, emulations: emulatedKinds, accounts, dataFile }: EmulatorOptions, now: number): Store {
  const owners = accounts.map(({ owner }) => owner);
  loadSeed(seed, openStore(), emulatedKinds, owners, now);
  const store = openStore(dataFile);
  loadSeed(seed, store, emulatedKinds, owners, now);
  return store;
}

function assemble(options: EmulatorOptions, store: Store, listener: Listener, now: () => number, closing: AbortSignal) {
  const { accounts, emulations: emulatedKinds, timestampToleranceSeconds = 300, refuseReplays = true, latencyMs = 0 } = options;
  const owners = accounts.map(({ owner }) => owner);
  const log = createRequestLog();
  let faults = armFaults(options.faults ?? []);
  const controlled: Controlled = {
    requests: log.list,
    clearRequests: log.clear,
    setFaults(rules) {
      faults = armFaults(rules);
    },
    dump: () => dumpSeed(store, emulatedKinds, owners),
    edit(edit, asking = owners[0] ?? '') {
      const { owner = asking, emulation } = edit;
      if (!owners.includes(owner)) throw new Error(`edit: there is no account ${owner}`);
      if (!emulatedKinds.some(({ name }) => name === emulation)) throw new Error(`edit: there is no emulation ${emulation}`);
      store.edit({ ...edit, owner });
    },
  };
  const authenticator = createAuthenticator({ accounts, timestampToleranceSeconds, refuseReplays });
  const manners = { ...defaultQuirks, ...options.manners };
  const server: ServerContext = {
    store,
    gate: authenticator,
    log,
    manners,
    latencyMs,
    now,
    closing,
    faults: () => faults,
    edit: controlled.edit,
    refuse: listener.refuseConnections,
  };
  return { desk: server, controlled };
}

async function listen(server: Server, { host = '127.0.0.1', port = 0 }: EmulatorOptions, store: Store): Promise<string> {
  try {
    server.listen({ host, port });
    await once(server, 'listening');
    return urlOf(server);
  } catch (error) {
    store.close();
    throw error;
  }
}

/** The URL at which programs on this machine reach the server. */
function urlOf(server: Server): string {
  const bound = server.address();
  if (typeof bound !== 'object' || bound === null) throw new Error('the emulator has no port');
  const { address, family, port } = bound;
  if (family === 'IPv6') return `http://[${address}]:${port}`;
  return `http://${address === '0.0.0.0' ? '127.0.0.1' : address}:${port}`;
}
