/**
 * Authenticates requests by their signature. api-notes section 1, drm-api-v3 section 5 and playlist-api-v4 section 5 define what is signed.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { isObject } from '../core/model/json.ts';
import { badRequest, type EmulatedApiVersion, RouteError } from './contract.ts';
import type { ServiceQuirks } from './quirks.ts';
import { type EmulatedScopedKey, verifyToken } from './verify-token.ts';

/** One account: its user ID (`_owner`) and its API key as plain text. */
export interface EmulatedAccount {
  readonly owner: string;
  readonly apiKey: string;
}

/** A request as it arrived, before its signature is verified. */
export interface RawRequest {
  readonly method: string;
  readonly apiVersion: EmulatedApiVersion;
  /** The decoded query, with the signature. */
  readonly query: URLSearchParams;
  readonly contentType: string;
  /** The header `Authorization`: `msg` and `sig`, with a space between them; undefined = not sent. */
  readonly authorization: string | undefined;
  /** The token of a scoped key; undefined = not sent. */
  readonly token: string | undefined;
  /** The scope that the request needs with a scoped key. */
  readonly scope: string;
  /** Whether the headers announce a body, read or not. */
  readonly hasBody: boolean;
  /** The bytes of the body; empty if none was read. */
  readonly body: Buffer;
}

/** The account and the data of a request with a valid signature. */
export interface AuthenticatedRequest {
  readonly owner: string;
  /** v4: the JSON body; v3: the `item`; v2: the members of the message except owner and time; undefined if there is none. */
  readonly body: unknown;
}

/** Settings of an authenticator. */
export interface AuthenticatorSettings {
  readonly accounts: readonly EmulatedAccount[];
  readonly scopedKeys: readonly EmulatedScopedKey[];
  /** How a POST of v3 or v2 with a scoped key must carry its data. */
  readonly scopedKeyPost: ServiceQuirks['scopedKeyPost'];
  readonly timestampToleranceSeconds: number;
  readonly refuseReused: boolean;
}

/**
 * Verifies the signature of a request; `now` is Unix time in milliseconds.
 * @throws RouteError 400 for a malformed request or a reused signature, 401 for an invalid signature, 415 for a v4 body of another content type
 */
export type Authenticator = (request: RawRequest, now: number) => AuthenticatedRequest;

/** Largest size of an inflated `msg`, in bytes. */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

function unauthorized(title: string): never {
  throw new RouteError(401, 'unauthorized', title);
}

/** Creates an authenticator. It keeps each signature for as long as its timestamp is accepted, to reject one that is reused. */
export function createAuthenticator(settings: AuthenticatorSettings): Authenticator {
  const expiryBySignature = new Map<string, number>();
  const tolerance = settings.timestampToleranceSeconds * 1000;

  function rejectReused(signature: string, time: number, now: number): void {
    for (const [old, expiry] of expiryBySignature) {
      if (expiry >= now) break;
      expiryBySignature.delete(old);
    }
    if (expiryBySignature.has(signature)) throw new RouteError(400, 'reused', 'this msg and sig were sent before');
    expiryBySignature.set(signature, Math.max(time, now) + tolerance);
  }

  function authenticateToken(request: RawRequest, token: string, now: number): AuthenticatedRequest {
    const claims = verifyToken(token, settings, now);
    if (settings.refuseReused) rejectReused(token, now, now);
    if (!claims.scopes.includes(request.scope)) throw new RouteError(403, 'forbidden', `the scope ${request.scope} is missing`);
    return { owner: claims.owner, body: carriesData(request) ? tokenPayload(request, settings.scopedKeyPost) : undefined };
  }

  return (request, now) => {
    checkForm(request);
    if (request.token !== undefined) return authenticateToken(request, request.token, now);
    const parameters = signatureParameters(request);
    const msg = parameters.get('msg') ?? unauthorized('msg is missing');
    const sig = parameters.get('sig') ?? unauthorized('sig is missing');
    const signers = settings.accounts.filter(({ apiKey }) => isSignature(sig, msg, apiKey));
    if (signers.length === 0) unauthorized('the signature does not match');
    const message = decodeMessage(msg);
    const account = signers.find(({ owner }) => owner === message._owner) ?? unauthorized('the owner is not known');
    const time = timestamp(message);
    if (Math.abs(now - time) > tolerance) unauthorized('the timestamp is too far from the time of the service');
    if (settings.refuseReused) rejectReused(`${msg}.${sig}`, time, now);
    return {
      owner: account.owner,
      body: carriesData(request) ? payload(request, message) : undefined,
    };
  };
}

/**
 * Returns the data of a request whose proof is checked for its form only: a replay knows no key. Where it stands is not checked.
 * @throws RouteError 400 or 401
 */
export function readUnverified(request: RawRequest): unknown {
  checkForm(request);
  if (request.token !== undefined) {
    if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(request.token)) unauthorized('the token is not a JWT');
    return carriesData(request) ? tokenPayload(request, 'any') : undefined;
  }
  const parameters = signatureParameters(request);
  if (!/^[0-9a-f]{64}$/.test(parameters.get('sig') ?? '')) unauthorized('sig is not an HMAC-SHA256 in hexadecimal');
  const message = decodeMessage(parameters.get('msg') ?? unauthorized('msg is missing'));
  timestamp(message);
  if (typeof message._owner !== 'string') unauthorized('the owner is missing');
  return carriesData(request) ? payload(request, message) : undefined;
}

/** Rejects a GET or DELETE with a body (api-notes section 1, drm-api-v3 section 4). */
function checkForm(request: RawRequest): void {
  const takesNoBody = request.method === 'GET' || request.method === 'DELETE';
  if (takesNoBody && request.hasBody) badRequest(`${request.method} takes no body`);
}

/** Decides whether a request carries data: on v2 every one does, in its message; on v3 and v4 no GET and no DELETE does. */
function carriesData({ apiVersion, method }: RawRequest): boolean {
  return apiVersion === 'v2' || (method !== 'GET' && method !== 'DELETE');
}

/** Returns the parameters with `msg` and `sig`: a POST of v2 or v3 may send them in a form, every other request sends them in the query. */
function signatureParameters(request: RawRequest): URLSearchParams {
  const [, msg, sig] = /^(\S+) (\S+)$/.exec(request.authorization ?? '') ?? [];
  if (msg !== undefined && sig !== undefined) return new URLSearchParams({ msg, sig });
  if (request.apiVersion === 'v4' || request.method !== 'POST' || request.query.has('msg')) return request.query;
  return request.contentType.startsWith('application/x-www-form-urlencoded') ? new URLSearchParams(decode(request.body)) : request.query;
}

function isSignature(sig: string, msg: string, apiKey: string): boolean {
  const expected = Buffer.from(createHmac('sha256', apiKey).update(msg).digest('hex'));
  const received = Buffer.from(sig);
  return received.length === expected.length && timingSafeEqual(received, expected);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return badRequest('the text is not UTF-8');
  }
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return badRequest(`${name} is not JSON`);
  }
}

/** Decodes `msg`: base64 of zlib of a JSON object (api-notes section 1). */
function decodeMessage(msg: string): { readonly [member: string]: unknown } {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(msg) || msg.length % 4 !== 0) badRequest('msg is not base64');
  const message = parse(decode(inflate(Buffer.from(msg, 'base64'))), 'msg');
  return isObject(message) ? message : badRequest('msg is not a JSON object');
}

function inflate(bytes: Buffer): Buffer {
  try {
    return inflateSync(bytes, { maxOutputLength: MAX_MESSAGE_BYTES });
  } catch {
    return badRequest('msg is not zlib, or too long');
  }
}

/** Returns `_timestamp` in milliseconds. */
function timestamp(message: { readonly [member: string]: unknown }): number {
  const seconds = message._timestamp;
  return typeof seconds === 'number' && Number.isSafeInteger(seconds) ? seconds * 1000 : unauthorized('_timestamp is not an integer');
}

/**
 * Returns the data of a POST or PATCH: on v2 in the message itself; on v3 in `item`, or the JSON body if the signature is in the query; on
 * v4 the JSON body (playlist-api-v4 section 1), which the vendor's own tool sends without a content type.
 */
function payload(request: RawRequest, message: { readonly [member: string]: unknown }): unknown {
  if (request.apiVersion === 'v2') return dataMembers(message);
  if (request.apiVersion === 'v4' && !/^(application\/json\s*(;|$)|$)/i.test(request.contentType)) {
    throw new RouteError(415, 'unsupported_media_type', 'the body must be sent as application/json');
  }
  const isForm = request.contentType.startsWith('application/x-www-form-urlencoded');
  if (isForm || (request.apiVersion === 'v3' && !request.hasBody)) return message.item;
  return parse(decode(request.body), 'the body');
}

/** Returns the data of a request with a token: on v3 and v2 in the message of a form, or the JSON body; on v4 the JSON body. */
function tokenPayload(request: RawRequest, expected: ServiceQuirks['scopedKeyPost']): unknown {
  const isForm = request.contentType.startsWith('application/x-www-form-urlencoded');
  if (request.apiVersion === 'v4') {
    if (isForm) throw new RouteError(415, 'unsupported_media_type', 'the body must be sent as application/json');
    return parse(decode(request.body), 'the body');
  }
  if (expected !== 'any' && (expected === 'form') !== isForm) badRequest(`the data must be sent as ${expected}`);
  if (!isForm) return request.hasBody ? parse(decode(request.body), 'the body') : undefined;
  const message = decodeMessage(new URLSearchParams(decode(request.body)).get('msg') ?? '');
  return request.apiVersion === 'v2' ? dataMembers(message) : message.item;
}

/** Returns the members of a message except owner and time. */
function dataMembers({ _owner, _timestamp, ...data }: { readonly [member: string]: unknown }): { readonly [member: string]: unknown } {
  return data;
}
