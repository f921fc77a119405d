/** Both services on this machine. It knows no kind: the routes come from the emulations. */
import { once, setMaxListeners } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Emulation, Manners } from '../kinds/emulation.ts';
import type { Json } from '../model/json.ts';
import type { Controlled } from './controls.ts';
import { controls } from './controls.ts';
import { type Door, doorOf } from './door.ts';
import { controlEndpoint, createListener, routeEndpoint } from './endpoints.ts';
import type { Desk } from './exchange.ts';
import type { FaultRule } from './faults.ts';
import { armFaults } from './faults.ts';
import type { Account } from './gate.ts';
import { createGate } from './gate.ts';
import { defaultManners } from './manners.ts';
import { createLog } from './requests.ts';
import { harvest, plant } from './seed.ts';
import type { Store } from './store.ts';
import { openStore } from './store.ts';

export type { FaultRule } from './faults.ts';
export { parseFaults } from './faults.ts';

/** How to start; defaults in brackets. */
export interface EmulatorOptions {
  readonly emulations: readonly Emulation[];
  readonly accounts: readonly Account[];
  /** [127.0.0.1] */
  readonly host?: string;
  /** 0 = any that is free [0] */
  readonly port?: number;
  readonly manners?: Partial<Manners>;
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
  const store = furnish(options, now());
  const closing = new AbortController();
  // Every answer that is late listens to it, and Node takes more than ten listeners for a leak.
  setMaxListeners(0, closing.signal);
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0 });
  const door = doorOf(server);
  const { desk, controlled } = assemble(options, store, door, now, closing.signal);
  const routes = options.emulations.flatMap((emulation) =>
    [...emulation.routes, ...(emulation.lookUps ?? [])].map((route) => routeEndpoint(emulation.name, route, desk, door)),
  );
  const own = controls(controlled).map((control) => controlEndpoint(control, store));
  server.on('request', createListener([...routes, ...own]));
  const url = await listen(server, options, store);
  let closed: Promise<void> | undefined;
  const close = async () => {
    closing.abort();
    await door.open();
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
    store.close();
  };
  return {
    ...controlled,
    url,
    refuse: door.shut,
    listen: door.open,
    idle: door.idle,
    close() {
      closed ??= close();
      return closed;
    },
  };
}

/** The store with its seed; the seed is tried on an empty store first, so that a bad one leaves no trace in the data file. */
function furnish({ seed = {}, emulations, accounts, dataFile }: EmulatorOptions, now: number): Store {
  const owners = accounts.map(({ owner }) => owner);
  plant(seed, openStore(), emulations, owners, now);
  const store = openStore(dataFile);
  plant(seed, store, emulations, owners, now);
  return store;
}

function assemble(options: EmulatorOptions, store: Store, door: Door, now: () => number, closing: AbortSignal) {
  const { accounts, emulations, timestampToleranceSeconds = 300, refuseReplays = true, latencyMs = 0 } = options;
  const owners = accounts.map(({ owner }) => owner);
  const log = createLog();
  let faults = armFaults(options.faults ?? []);
  const controlled: Controlled = {
    requests: log.list,
    clearRequests: log.clear,
    setFaults(rules) {
      faults = armFaults(rules);
    },
    dump: () => harvest(store, emulations, owners),
    edit(edit, asking = owners[0] ?? '') {
      const { owner = asking, emulation } = edit;
      if (!owners.includes(owner)) throw new Error(`edit: there is no account ${owner}`);
      if (!emulations.some(({ name }) => name === emulation)) throw new Error(`edit: there is no emulation ${emulation}`);
      store.edit({ ...edit, owner });
    },
  };
  const gate = createGate({ accounts, timestampToleranceSeconds, refuseReplays });
  const manners = { ...defaultManners, ...options.manners };
  const desk: Desk = { store, gate, log, manners, latencyMs, now, closing, faults: () => faults, edit: controlled.edit, refuse: door.shut };
  return { desk, controlled };
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
