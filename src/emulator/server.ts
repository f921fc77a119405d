/** Both services on this machine, on fastify. It knows no kind: the routes come from the emulations. */
import { setMaxListeners } from 'node:events';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fastify } from 'fastify';
import type { Emulation, Manners } from '../kinds/emulation.ts';
import type { Json } from '../model/json.ts';
import { dialectOf, refusal } from './answer.ts';
import type { Control, Controlled } from './controls.ts';
import { controls } from './controls.ts';
import { type Door, doorOf } from './door.ts';
import type { Desk, Exchanged, Incoming } from './exchange.ts';
import { exchange } from './exchange.ts';
import type { FaultRule } from './faults.ts';
import { armFaults } from './faults.ts';
import type { Account } from './gate.ts';
import { createGate } from './gate.ts';
import { defaultManners } from './manners.ts';
import { createLog } from './requests.ts';
import { harvest, plant } from './seed.ts';
import { isSpoilt, sendSpoilt } from './sending.ts';
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

/** Longest body in bytes. */
const longestBody = 16 * 1024 * 1024;

/** Starts both services. @throws Error where seed or data file cannot be used, or the port is taken */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const now = options.now ?? Date.now;
  const store = furnish(options, now());
  const closing = new AbortController();
  // Every answer that is late listens to it, and Node takes more than ten listeners for a leak.
  setMaxListeners(0, closing.signal);
  const app = createApp();
  const door = doorOf(app.server);
  const { desk, controlled } = assemble(options, store, door, now, closing.signal);
  for (const emulation of options.emulations) addRoutes(app, emulation, desk, door);
  for (const control of controls(controlled)) addControl(app, control, store);
  const url = await listen(app, options, store);
  let closed: Promise<void> | undefined;
  const close = async () => {
    closing.abort();
    await door.open();
    await app.close();
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

function createApp(): FastifyInstance {
  const app = fastify({
    bodyLimit: longestBody,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setNotFoundHandler((request, reply) => {
    const { status, body } = refusal(dialectOf(request.url), { status: 404, code: 'not_found', title: 'Not Found' }, 404);
    return reply.code(status).send(body);
  });
  app.setErrorHandler<Error & { statusCode?: number }>((error, request, reply) => {
    const problem = { status: error.statusCode ?? 500, code: 'failed', title: error.message };
    const { status, body } = refusal(dialectOf(request.url), problem, problem.status);
    return reply.code(status).send(body);
  });
  return app;
}

function addRoutes(app: FastifyInstance, emulation: Emulation, desk: Desk, door: Door): void {
  for (const route of [...emulation.routes, ...(emulation.lookUps ?? [])]) {
    app.route<{ Params: { readonly [name: string]: string } }>({
      method: route.method,
      url: route.path,
      handler: async (request, reply) => {
        const incoming = { ...arrival(request), params: request.params, route, dialect: route.dialect, emulation: emulation.name };
        return send(reply, await door.during(exchange(desk, incoming)));
      },
    });
  }
}

function arrival(
  request: Pick<FastifyRequest, 'url' | 'method' | 'headers' | 'body'>,
): Omit<Incoming, 'params' | 'route' | 'dialect' | 'emulation'> {
  const [path = '', ...query] = request.url.split('?');
  const { headers } = request;
  return {
    method: request.method,
    path,
    query: new URLSearchParams(query.join('?')),
    contentType: headers['content-type'] ?? '',
    hasBody: Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined,
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
  };
}

function send(reply: FastifyReply, exchanged: Exchanged): FastifyReply {
  const { outgoing } = exchanged;
  if (outgoing !== 'reset' && !isSpoilt(exchanged)) return reply.code(outgoing.status).headers(outgoing.headers).send(outgoing.text);
  sendSpoilt(reply.raw, exchanged);
  return reply.hijack();
}

/** Controls are for programs on this machine: no other address, and no web page (browsers send `Origin`). */
function isTrusted(request: FastifyRequest): boolean {
  return /^(::ffff:)?127\.|^::1$/.test(request.raw.socket.remoteAddress ?? '') && request.headers.origin === undefined;
}

function addControl(app: FastifyInstance, control: Control, store: Store): void {
  app.route({
    method: control.method,
    url: control.path,
    async handler(request, reply) {
      if (!isTrusted(request)) return reply.code(403).send({ error: 'control endpoints are for programs on this machine' });
      const { status, body } = attempt(control, request.body);
      await store.durable();
      return reply.code(status).send(body);
    },
  });
}

function attempt(control: Control, body: unknown): { readonly status: number; readonly body?: unknown } {
  try {
    return control.handle(Buffer.isBuffer(body) ? JSON.parse(body.toString('utf8')) : undefined);
  } catch (error) {
    return { status: 400, body: { error: error instanceof Error ? error.message : String(error) } };
  }
}

async function listen(app: FastifyInstance, { host = '127.0.0.1', port = 0 }: EmulatorOptions, store: Store): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    store.close();
    throw error;
  }
}
