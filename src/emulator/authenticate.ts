/** The gate: who asks, and whether the signature holds. api-notes section 1, drm-api-v3 section 5 and playlist-api-v4 section 5 say what is signed. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { isObject } from '../model/json.ts';
import { RouteError } from './contract.ts';

/** One account: its user ID (`_owner`) and its API key as plain text. */
export interface EmulatedAccount {
  readonly owner: string;
  readonly apiKey: string;
}

/** A request as it arrived, before anything is believed. */
export interface RawRequest {
  readonly method: string;
  readonly dialect: 'v2' | 'v3' | 'v4';
  /** The query, decoded, with the signature. */
  readonly query: URLSearchParams;
  readonly contentType: string;
  /** Whether a body was announced, read or not. */
  readonly hasBody: boolean;
  /** The body's bytes; empty where none was read. */
  readonly body: Buffer;
}

/** What a request says once it is believed. */
export interface AuthenticatedRequest {
  readonly owner: string;
  /** v4: the JSON body; v3: the `item`; v2: the members of the message beside owner and time; undefined where there is none. */
  readonly body: unknown;
}

/** Settings of the gate. */
export interface AuthenticatorSettings {
  readonly accounts: readonly EmulatedAccount[];
  readonly timestampToleranceSeconds: number;
  readonly refuseReplays: boolean;
}

/** Lets a request in. @throws RouteError 400 for a request that is not well formed or was sent before, 401 for one that is not believed */
export type Authenticator = (arrival: RawRequest, now: number) => AuthenticatedRequest;

/** Most bytes that a `msg` may inflate to. */
const largestMessage = 8 * 1024 * 1024;

function refuse(code: string, title: string): never {
  throw new RouteError(400, code, title);
}

function distrust(title: string): never {
  throw new RouteError(401, 'unauthorized', title);
}

/** Makes a gate; it remembers signatures for as long as their timestamps are accepted. */
export function createAuthenticator(settings: AuthenticatorSettings): Authenticator {
  const seen = new Map<string, number>();
  const tolerance = settings.timestampToleranceSeconds * 1000;

  function refuseReplay(signature: string, time: number, now: number): void {
    for (const [old, until] of seen) {
      if (until >= now) break;
      seen.delete(old);
    }
    if (seen.has(signature)) refuse('replayed', 'this msg and sig were sent before');
    seen.set(signature, Math.max(time, now) + tolerance);
  }

  return (arrival, now) => {
    checkForm(arrival);
    const carrier = signatureCarrier(arrival);
    const msg = carrier.get('msg') ?? distrust('msg is missing');
    const sig = carrier.get('sig') ?? distrust('sig is missing');
    const signers = settings.accounts.filter(({ apiKey }) => isSignature(sig, msg, apiKey));
    if (signers.length === 0) distrust('the signature does not match');
    const message = decodeMessage(msg);
    const account = signers.find(({ owner }) => owner === message._owner) ?? distrust('the owner is not known');
    const time = timestamp(message);
    if (Math.abs(now - time) > tolerance) distrust('the timestamp is too far from the time of the service');
    if (settings.refuseReplays) refuseReplay(`${msg}.${sig}`, time, now);
    return {
      owner: account.owner,
      body: arrival.method === 'GET' || arrival.method === 'DELETE' ? undefined : payload(arrival, carrier, message),
    };
  };
}

/** A read or a delete carries no body (api-notes section 1, drm-api-v3 section 4). */
function checkForm(arrival: RawRequest): void {
  const bodiless = arrival.method === 'GET' || arrival.method === 'DELETE';
  if (bodiless && arrival.hasBody) refuse('bad_request', `${arrival.method} takes no body`);
}

/** Where `msg` and `sig` travel: a POST of v2 or v3 may bring them in a form, everything else has them in the query. */
function signatureCarrier(arrival: RawRequest): URLSearchParams {
  if (arrival.dialect === 'v4' || arrival.method !== 'POST' || arrival.query.has('msg')) return arrival.query;
  return arrival.contentType.startsWith('application/x-www-form-urlencoded') ? new URLSearchParams(decode(arrival.body)) : arrival.query;
}

function isSignature(sig: string, msg: string, apiKey: string): boolean {
  const expected = Buffer.from(createHmac('sha256', apiKey).update(msg).digest('hex'));
  const given = Buffer.from(sig);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return refuse('bad_request', 'the text is not UTF-8');
  }
}

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuse('bad_request', `${what} is not JSON`);
  }
}

/** `msg` is base64 of zlib of a JSON object (api-notes section 1). */
function decodeMessage(msg: string): { readonly [member: string]: unknown } {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(msg) || msg.length % 4 !== 0) refuse('bad_request', 'msg is not base64');
  const message = parse(decode(inflate(Buffer.from(msg, 'base64'))), 'msg');
  return isObject(message) ? message : refuse('bad_request', 'msg is not a JSON object');
}

function inflate(bytes: Buffer): Buffer {
  try {
    return inflateSync(bytes, { maxOutputLength: largestMessage });
  } catch {
    return refuse('bad_request', 'msg is not zlib, or too long');
  }
}

/** `_timestamp` in milliseconds. */
function timestamp(message: { readonly [member: string]: unknown }): number {
  const seconds = message._timestamp;
  return typeof seconds === 'number' && Number.isSafeInteger(seconds) ? seconds * 1000 : distrust('_timestamp is not an integer');
}

/** The data of a POST or PATCH: on v2 in the message itself, on v3 in `item`, or as the JSON body where the signature came in the query; on v4 the JSON body. */
function payload(arrival: RawRequest, carrier: URLSearchParams, message: { readonly [member: string]: unknown }): unknown {
  if (arrival.dialect === 'v2') return members(message);
  if (carrier !== arrival.query || (arrival.dialect === 'v3' && !arrival.hasBody)) return message.item;
  return parse(decode(arrival.body), 'the body');
}

/** What a message says beside who sent it and when. */
function members({ _owner, _timestamp, ...said }: { readonly [member: string]: unknown }): { readonly [member: string]: unknown } {
  return said;
}
