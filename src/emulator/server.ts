/** Serves both services on this machine. The server knows no kind: the routes come from the emulated kinds. */
import { once, setMaxListeners } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Json } from '../core/model/json.ts';
import { createAuthenticator, type EmulatedAccount } from './authenticate.ts';
import type { EmulatedKind } from './contract.ts';
import { controlRoutes, type EmulatorControls } from './control-api.ts';
import { createFaultSelector, type FaultRule } from './faults.ts';
import type { ServerContext } from './handle-request.ts';
import { createListener, type Listener } from './listener.ts';
import { defaultQuirks, type ServiceQuirks } from './quirks.ts';
import { createRequestLog } from './request-log.ts';
import { controlEndpoint, createRequestListener, routeEndpoint } from './router.ts';
import { dumpSeed, loadSeed } from './seed.ts';
import { openStore, type Store } from './store.ts';
import type { EmulatedScopedKey } from './verify-token.ts';

export { type FaultRule, parseFaults } from './faults.ts';

/** Options of the emulator; defaults in brackets. */
export interface EmulatorOptions {
  readonly emulatedKinds: readonly EmulatedKind[];
  readonly accounts: readonly EmulatedAccount[];
  /** Scoped keys of these accounts [none] */
  readonly scopedKeys?: readonly EmulatedScopedKey[];
  /** [127.0.0.1] */
  readonly host?: string;
  /** 0 = any free port [0] */
  readonly port?: number;
  /** [defaultQuirks] */
  readonly quirks?: Partial<ServiceQuirks>;
  /** File that keeps the state across restarts and kills, together with `<dataFile>.journal` [memory only]. */
  readonly dataFile?: string;
  /** Content of the accounts that the data file does not contain yet, in the form that seed.ts documents [empty]. */
  readonly seed?: Json;
  /** Milliseconds before every response [0] */
  readonly latencyMs?: number;
  readonly faults?: readonly FaultRule[];
  /** [300] */
  readonly timestampToleranceSeconds?: number;
  /** Whether the same `msg` and `sig` are rejected the second time [true]. */
  readonly refuseReused?: boolean;
  /** Returns the time of the service, Unix milliseconds [Date.now]. */
  readonly now?: () => number;
}

/** A running emulator. `requests` are decoded and in order; `dump` returns the accounts in the form of a seed, by owner. */
export interface Emulator extends EmulatorControls {
  /** `http://host:port`, without a trailing slash. */
  readonly url: string;
  /** Closes idle connections, and refuses new ones for a number of milliseconds. */
  refuse(ms: number): void;
  /** Accepts connections again, at once. */
  listen(): Promise<void>;
  /** Resolves when there is no open connection and all requests are handled, even those whose client has gone. */
  idle(): Promise<void>;
  /** Destroys open connections, and writes the last snapshot. */
  close(): Promise<void>;
}

/** How long a connection stays open between two requests, in milliseconds. */
const KEEP_ALIVE_MS = 72_000;

/** Starts both services. @throws Error if the seed or the data file cannot be used, or the port is in use */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const now = options.now ?? Date.now;
  const store = createStore(options, now());
  const closing = new AbortController();
  // Every delayed response adds a listener, and Node reports more than ten as a leak.
  setMaxListeners(0, closing.signal);
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0 });
  const listener = createListener(server);
  const { context, controls } = createContext(options, store, listener, now, closing.signal);
  const endpoints = options.emulatedKinds.flatMap(({ name, routes, lookups = [] }) => [
    ...routes.map((route) => routeEndpoint(name, route, `${name}:${route.method === 'GET' ? 'read' : 'write'}`, context, listener)),
    // Lookups only read, also by POST.
    ...lookups.map((route) => routeEndpoint(name, route, `${name}:read`, context, listener)),
  ]);
  const controlEndpoints = controlRoutes(controls).map((control) => controlEndpoint(control, store));
  server.on('request', createRequestListener([...endpoints, ...controlEndpoints]));
  const url = await listen(server, options, store);
  const close = async () => {
    closing.abort();
    await listener.open();
    const serverClosed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await serverClosed;
    store.close();
  };
  let closed: Promise<void> | undefined;
  return {
    ...controls,
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

/** Creates the store and loads the seed, first into an empty store, so that an invalid seed leaves the data file unchanged. */
function createStore({ seed = {}, emulatedKinds, accounts, dataFile, quirks, now: clock = Date.now }: EmulatorOptions, now: number): Store {
  const owners = accounts.map(({ owner }) => owner);
  loadSeed(seed, openStore(), emulatedKinds, owners, now);
  // The seed was there long before.
  let isSeeded = false;
  const store = openStore(dataFile, { keptMs: quirks?.readDelayMs ?? 0, now: () => (isSeeded ? clock() : 0) });
  loadSeed(seed, store, emulatedKinds, owners, now);
  isSeeded = true;
  return store;
}

function createContext(options: EmulatorOptions, store: Store, listener: Listener, now: () => number, closing: AbortSignal) {
  const { accounts, scopedKeys = [], emulatedKinds, timestampToleranceSeconds = 300, refuseReused = true, latencyMs = 0 } = options;
  const owners = accounts.map(({ owner }) => owner);
  const log = createRequestLog();
  let faults = createFaultSelector(options.faults ?? []);
  const controls: EmulatorControls = {
    requests: log.list,
    clearRequests: log.clear,
    setFaults(rules) {
      faults = createFaultSelector(rules);
    },
    dump: () => dumpSeed(store, emulatedKinds, owners),
    edit(edit, defaultOwner = owners[0] ?? '') {
      const { owner = defaultOwner, emulation } = edit;
      if (!owners.includes(owner)) throw new Error(`edit: there is no account ${owner}`);
      if (!emulatedKinds.some(({ name }) => name === emulation)) throw new Error(`edit: there is no emulation ${emulation}`);
      store.edit({ ...edit, owner });
    },
  };
  const quirks = { ...defaultQuirks, ...options.quirks };
  const { scopedKeyPost } = quirks;
  const context: ServerContext = {
    store,
    authenticate: createAuthenticator({ accounts, scopedKeys, scopedKeyPost, timestampToleranceSeconds, refuseReused }),
    log,
    quirks,
    latencyMs,
    now,
    closing,
    faults: () => faults,
    edit: controls.edit,
    refuse: listener.refuseConnections,
  };
  return { context, controls };
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

/** Returns the URL at which programs on this machine reach the server. */
export function urlOf(server: Server): string {
  const bound = server.address();
  if (typeof bound !== 'object' || bound === null) throw new Error('the emulator has no port');
  const { address, family, port } = bound;
  if (family === 'IPv6') return `http://[${address}]:${port}`;
  return `http://${address === '0.0.0.0' ? '127.0.0.1' : address}:${port}`;
}
