/** Handles one request of the services: applies the fault rules, verifies the signature, records the request, calls the route. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '../core/model/json.ts';
import type { AuthenticatedRequest, Authenticator, RawRequest } from './authenticate.ts';
import { type EmulatedApiVersion, type EmulatedResponse, type Route, RouteError } from './contract.ts';
import type { AccountEdit } from './edits.ts';
import { cannedResponse, corruptResponse, type FaultRule, type FaultSelector, type OutgoingResponse, type SendFault } from './faults.ts';
import { applyQuirks, type ServiceQuirks } from './quirks.ts';
import type { RequestLog, RequestOutcome } from './request-log.ts';
import { newId } from './seed.ts';
import type { Store } from './store.ts';

/** A request with the route that was found for it. */
export interface RoutedRequest extends RawRequest {
  /** As received, without the query. */
  readonly path: string;
  readonly params: { readonly [name: string]: string };
  readonly route: Route;
  /** Name of the emulated kind that the route belongs to. */
  readonly emulation: string;
}

/** The parts of the emulator that requests are handled with. */
export interface ServerContext {
  readonly store: Store;
  readonly authenticate: Authenticator;
  readonly log: RequestLog;
  readonly quirks: ServiceQuirks;
  readonly latencyMs: number;
  /** Returns Unix time in milliseconds. */
  readonly now: () => number;
  /** Aborted when the emulator closes; ends all delays. */
  readonly closing: AbortSignal;
  /** Returns the selector of the current fault rules. */
  faults(): FaultSelector;
  /** Edits a document behind the client's back; `owner` is the account of an edit that names none. */
  edit(edit: AccountEdit, owner?: string): void;
  /** Refuses new connections for a number of milliseconds. */
  refuse(ms: number): void;
}

/** The part of a request's record that changes while the request is handled. */
type MutableOutcome = { -readonly [member in keyof RequestOutcome]: RequestOutcome[member] };

/** The response to a request, or `reset` to destroy the connection; `record` counts the bytes that are sent of a `flood`. */
export interface HandledRequest {
  readonly outgoing: (OutgoingResponse & { readonly fault: SendFault }) | 'reset';
  readonly record: MutableOutcome;
}

/** Handles a request. Waits until all writes so far are on disk. */
export async function handleRequest(server: ServerContext, request: RoutedRequest): Promise<HandledRequest> {
  const arrivedAt = performance.now();
  const rule: FaultRule = server.faults()(request.method, request.path) ?? {};
  const authenticated = resultOrRouteError(() => server.authenticate(request, server.now()));
  const { owner, body } = authenticated instanceof RouteError ? { owner: null, body: undefined } : authenticated;
  const { method, path, query } = request;
  const record = server.log.record({ method, path, query: withoutSignature(query), body, owner, at: server.now() });
  const delay = server.latencyMs + (rule.delayMs ?? 0);
  if (delay > 0 && (await isClosedBefore(arrivedAt + delay, server.closing))) return { outgoing: 'reset', record };
  if (rule.edit !== undefined) server.edit(rule.edit, owner ?? undefined);
  const outgoing = rule.reset === 'before' ? 'reset' : responseUnderRule(server, request, authenticated, rule, record);
  // Reads wait too: a response must not contain a write that a power cut could still undo.
  await server.store.durable();
  const sent = outgoing === 'reset' ? outgoing : withSendFault(outgoing, rule);
  record.status = sent === 'reset' ? null : sent.status;
  if (rule.refuseMs !== undefined) server.refuse(rule.refuseMs);
  return { outgoing: sent, record };
}

/** Adds the faults of sending to a response. If connections are refused afterwards, this connection must end. */
function withSendFault(outgoing: OutgoingResponse, rule: FaultRule): OutgoingResponse & { readonly fault: SendFault } {
  const headers = {
    ...outgoing.headers,
    ...(rule.refuseMs === undefined ? {} : { connection: 'close' }),
    ...(rule.partial === undefined ? {} : { 'content-range': 'bytes 0-99/1000' }),
  };
  return { ...outgoing, headers, status: rule.partial === undefined ? outgoing.status : 206, fault: rule };
}

/** Waits until a time of `performance.now()`, and not less. Resolves to true if the emulator closes before that. */
async function isClosedBefore(time: number, closing: AbortSignal): Promise<boolean> {
  try {
    // Timers count whole milliseconds, and may fire up to one millisecond early.
    await sleep(Math.max(0, time - performance.now()), undefined, { signal: closing });
    while (performance.now() < time) await nextTurn(undefined, { signal: closing });
    return false;
  } catch (error) {
    if (closing.aborted) return true;
    throw error;
  }
}

/** Returns the response of the route, or the one that the rule replaces it with. */
function responseUnderRule(
  server: ServerContext,
  request: RoutedRequest,
  authenticated: AuthenticatedRequest | RouteError,
  rule: FaultRule,
  record: MutableOutcome,
): OutgoingResponse | 'reset' {
  const canned = cannedResponse(rule);
  if (canned !== undefined && rule.afterWrite === undefined) return canned;
  const { status, body } = serviceResponse(server, request, authenticated, rule, record);
  return rule.reset === 'after' ? 'reset' : (canned ?? corruptResponse(rule, status, body));
}

function serviceResponse(
  server: ServerContext,
  request: RoutedRequest,
  authenticated: AuthenticatedRequest | RouteError,
  rule: FaultRule,
  record: MutableOutcome,
): EmulatedResponse {
  const { apiVersion } = request.route;
  // A malformed request is HTTP 400 on v3 too (api-notes section 1, point 6); an unauthorized one is `error` 1, unless it has a token.
  if (authenticated instanceof RouteError) {
    const { status } = authenticated;
    return errorResponse(apiVersion, describe(authenticated), status === 400 || request.token !== undefined ? status : 200);
  }
  const response = resultOrRouteError(() => callRoute(server, request, authenticated, rule, record));
  if (response instanceof RouteError) return errorResponse(apiVersion, describe(response));
  return successResponse(
    apiVersion,
    response.body === undefined ? response : { ...response, body: applyQuirks(response.body, quirksUnder(rule, server.quirks)) },
  );
}

function callRoute(
  server: ServerContext,
  { params, query, route, emulation }: RoutedRequest,
  { owner, body }: AuthenticatedRequest,
  rule: FaultRule,
  record: MutableOutcome,
): EmulatedResponse {
  const quirks = quirksUnder(rule, server.quirks);
  const request = { params, query: withoutSignature(query), body, owner, now: server.now(), newId, quirks };
  if (route.method === 'GET' && quirks.readDelayMs > 0) {
    const at = server.now() - quirks.readDelayMs;
    return server.store.readAsOf(at, owner, emulation, (collection) => route.handle({ ...request, collection }));
  }
  return server.store.transact(
    owner,
    emulation,
    (collection) => route.handle({ ...request, collection }),
    (count) => {
      record.changes = count;
    },
  );
}

function quirksUnder({ merge, storedNames, existingId, unknownMembers }: FaultRule, quirks: ServiceQuirks): ServiceQuirks {
  return {
    ...quirks,
    ...(merge ? { patchMerges: true } : {}),
    ...(storedNames === undefined ? {} : { storedNames }),
    ...(existingId ? { answeredIds: 'existing' } : {}),
    ...(unknownMembers ? { unknownMembers: true } : {}),
  };
}

/** Returns the result of the work, or the RouteError that it threw. */
function resultOrRouteError<T>(work: () => T): T | RouteError {
  try {
    return work();
  } catch (error) {
    if (error instanceof RouteError) return error;
    throw error;
  }
}

/** Returns the members of the query without `msg` and `sig`. */
function withoutSignature(query: URLSearchParams): { readonly [name: string]: string } {
  return Object.fromEntries(Array.from(query).filter(([name]) => name !== 'msg' && name !== 'sig'));
}

/** Returns the API version of a path; v4 if the path has no known prefix. */
export function apiVersionOf(path: string): EmulatedApiVersion {
  if (path.startsWith('/api2/')) return 'v2';
  return path.startsWith('/api/v3/') ? 'v3' : 'v4';
}

/** Returns the response of a route, on v2 and v3 with `error` 0 (drm-api-v3 section 2). */
function successResponse(apiVersion: EmulatedApiVersion, response: EmulatedResponse): EmulatedResponse {
  return apiVersion !== 'v4' && isObject(response.body) ? { ...response, body: { ...response.body, error: 0 } } : response;
}

/** Status, code and title of an error. */
interface ErrorDescription {
  readonly status: number;
  readonly code: string;
  readonly title: string;
}

function describe({ status, code, message }: RouteError): ErrorDescription {
  return { status, code, title: message };
}

/**
 * Returns an error response: on v4 in the form that api-notes section 2 readStatus, on v2 and v3 with `error` 1 and `msg`, by default with
 * HTTP status 200.
 */
export function errorResponse(apiVersion: EmulatedApiVersion, { status, code, title }: ErrorDescription, v3Status = 200): EmulatedResponse {
  if (apiVersion !== 'v4') return { status: v3Status, body: { error: 1, msg: title } };
  return { status, body: { '@type': 'Error', code, status_code: status, title } };
}
