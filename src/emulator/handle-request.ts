/** One request from its arrival to its answer: fault, gate, record, route. */
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import type { AuthenticatedRequest, Authenticator, RawRequest } from './authenticate.ts';
import type { EmulatedResponse, Route, ServiceQuirks } from './contract.ts';
import { RouteError } from './contract.ts';
import type { DocumentEdits } from './edits.ts';
import { refusal, success } from './error-response.ts';
import type { FaultRule, Faults, OutgoingResponse, Transit } from './faults.ts';
import { cannedResponse, corruptResponse } from './faults.ts';
import { applyQuirks } from './quirks.ts';
import type { RequestLog, RequestOutcome } from './request-log.ts';
import { newId } from './seed.ts';
import type { Store } from './store.ts';

/** A request with the route that was found for it. */
export interface Incoming extends RawRequest {
  /** As received, without the query. */
  readonly path: string;
  readonly params: { readonly [name: string]: string };
  readonly route: Route;
  /** The emulation that the route belongs to. */
  readonly emulation: string;
}

/** What the exchange works with. */
export interface ServerContext {
  readonly store: Store;
  readonly gate: Authenticator;
  readonly log: RequestLog;
  readonly manners: ServiceQuirks;
  readonly latencyMs: number;
  /** Unix time in milliseconds. */
  readonly now: () => number;
  /** Ends all waiting. */
  readonly closing: AbortSignal;
  /** The rules in force. */
  faults(): Faults;
  /** Carries out a change behind the client's back; `owner` is the account where the edit names none. */
  edit(edit: DocumentEdits, owner?: string): void;
  /** Refuses new connections for so many milliseconds. */
  refuse(ms: number): void;
}

/** The record of a request, to be kept up. */
type Entry = { -readonly [member in keyof RequestOutcome]: RequestOutcome[member] };

/** What came of a request: `reset` asks for the connection to be destroyed; `entry` counts what is sent of a flood. */
export interface Exchanged {
  readonly outgoing: (OutgoingResponse & { readonly transit: Transit }) | 'reset';
  readonly entry: Entry;
}

/** Answers a request. */
export async function handleRequest(server: ServerContext, incoming: Incoming): Promise<Exchanged> {
  const arrived = performance.now();
  const rule: FaultRule = server.faults()(incoming.method, incoming.path) ?? {};
  const admission = refusable(() => server.gate(incoming, server.now()));
  const { owner, body } = admission instanceof RouteError ? { owner: null, body: undefined } : admission;
  const { method, path, query } = incoming;
  const entry = server.log.record({ method, path, query: withoutSignature(query), body, owner, at: server.now() });
  const delay = server.latencyMs + (rule.delayMs ?? 0);
  if (delay > 0 && (await interrupted(arrived + delay, server.closing))) return { outgoing: 'reset', entry };
  if (rule.edit !== undefined) server.edit(rule.edit, owner ?? undefined);
  const outgoing = rule.reset === 'before' ? 'reset' : play(server, incoming, admission, rule, entry);
  // Reads wait too: nobody may be told of a write that a power cut could still take back.
  await server.store.durable();
  entry.status = outgoing === 'reset' ? null : outgoing.status;
  if (rule.refuseMs !== undefined) server.refuse(rule.refuseMs);
  return { outgoing: outgoing === 'reset' ? outgoing : inTransit(outgoing, rule), entry };
}

/** An answer with what its rule does to it on its way; before connections are refused, this one must end. */
function inTransit(outgoing: OutgoingResponse, rule: FaultRule): OutgoingResponse & { readonly transit: Transit } {
  const headers = rule.refuseMs === undefined ? outgoing.headers : { ...outgoing.headers, connection: 'close' };
  return { ...outgoing, headers, transit: rule };
}

/** Waits until then, by `performance.now()`, and no less; says whether the emulator closed meanwhile. */
async function interrupted(due: number, closing: AbortSignal): Promise<boolean> {
  try {
    // Timers count whole milliseconds, and the last one may be cut short.
    await wait(Math.max(0, due - performance.now()), undefined, { signal: closing });
    while (performance.now() < due) await turn(undefined, { signal: closing });
    return false;
  } catch (error) {
    if (closing.aborted) return true;
    throw error;
  }
}

/** The route's answer, or what the rule puts in its place. */
function play(
  server: ServerContext,
  incoming: Incoming,
  admission: AuthenticatedRequest | RouteError,
  rule: FaultRule,
  entry: Entry,
): OutgoingResponse | 'reset' {
  const instead = cannedResponse(rule);
  if (instead !== undefined && rule.afterWrite === undefined) return instead;
  const reply = respond(server, incoming, admission, rule, entry);
  return rule.reset === 'after' ? 'reset' : (instead ?? corruptResponse(rule, reply.status, reply.body));
}

/** The work's result, or the RouteError that it threw. */
function refusable<T>(work: () => T): T | RouteError {
  try {
    return work();
  } catch (error) {
    if (error instanceof RouteError) return error;
    throw error;
  }
}

function respond(
  server: ServerContext,
  incoming: Incoming,
  admission: AuthenticatedRequest | RouteError,
  rule: FaultRule,
  entry: Entry,
): EmulatedResponse {
  const { apiVersion } = incoming.route;
  // A request that is not well formed is HTTP 400 on v3 too (api-notes section 1, point 6); one that is not believed is `error` 1.
  if (admission instanceof RouteError) return refusal(apiVersion, describe(admission), admission.status === 400 ? 400 : 200);
  const reply = refusable(() => handle(server, incoming, admission, rule, entry));
  if (reply instanceof RouteError) return refusal(apiVersion, describe(reply));
  return success(apiVersion, reply.body === undefined ? reply : { ...reply, body: applyQuirks(reply.body, server.manners) });
}

function describe({ status, code, message }: RouteError) {
  return { status, code, title: message };
}

function handle(
  server: ServerContext,
  incoming: Incoming,
  { owner, body }: AuthenticatedRequest,
  rule: FaultRule,
  entry: Entry,
): EmulatedResponse {
  const quirks = rule.merge ? { ...server.manners, patchMerges: true } : server.manners;
  const { params, query, route, emulation } = incoming;
  const call = { params, query: withoutSignature(query), body, owner, now: server.now(), newId, quirks };
  return server.store.transact(
    owner,
    emulation,
    (collection) => route.handle({ ...call, collection }),
    (count) => {
      entry.changes = count;
    },
  );
}

/** The query's members but for `msg` and `sig`. */
function withoutSignature(query: URLSearchParams): { readonly [name: string]: string } {
  return Object.fromEntries(Array.from(query).filter(([name]) => name !== 'msg' && name !== 'sig'));
}
