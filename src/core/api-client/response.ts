import { STATUS_CODES } from 'node:http';
import { type ApiVersion, memberOf, sentMethod } from './api-version.ts';
import type { AttemptFailure } from './attempts.ts';
import { unusable } from './errors.ts';
import { whyIncomplete } from './incomplete-list.ts';
import { quoteForeignText, type Redact } from './redact.ts';
import type { ApiRequest, ApiResponse } from './request.ts';
import { httpDate, retryAfterMs } from './retry.ts';
import type { HttpResponse } from './transport.ts';

/** Maximum nesting of a body. The APIs use at most eight levels; a hostile response could exhaust the stack. */
const MAX_DEPTH = 64;
/** Clock difference that is reported, in milliseconds. */
export const SKEW_MS = 60_000;

/** Classifies a response as success or failure. `now` in Unix milliseconds, for `Retry-After` and the clock difference. */
export function classifyResponse(
  request: ApiRequest,
  response: HttpResponse,
  version: ApiVersion,
  now: number,
  redact: Redact,
): ApiResponse | AttemptFailure {
  const { status } = response;
  if (status >= 300 && status < 400) return redirectFailure(response, redact);
  const parsed = parseBody(response);
  if (status < 200 || status >= 400)
    return statusFailure(request, response, 'body' in parsed ? serviceMessage(parsed.body, redact) : '', now);
  if (isPartial(response)) {
    const what = `the answer (HTTP ${status}) cannot be used: it is only a part of the answer, and the whole was asked for`;
    return unusable(what, 'reads', status);
  }
  if ('problem' in parsed) return unusable(`the answer (HTTP ${status}) cannot be used: ${parsed.problem}`, 'reads', status);
  const bodyError = version.bodyError(parsed.body);
  if (bodyError === undefined) {
    const why = request.isList ? whyIncomplete(parsed.body, response.header('link')) : undefined;
    return why === undefined ? { status, body: parsed.body } : incompleteList(why, status);
  }
  if (bodyError.category === 'malformed') return unusable(`the answer (HTTP ${status}) cannot be used: ${bodyError.what}`, 'reads', status);
  return bodyErrorFailure(request, bodyError.what, serviceMessage(parsed.body, redact), status, clockAdvice(response, now));
}

/** Builds the failure for a list that is not whole. Every attempt would give the same part of it. */
function incompleteList(why: string, status: number): AttemptFailure {
  const failure = unusable(`the answer (HTTP ${status}) cannot be used: it is not the whole list: ${why}`, 'never', status);
  const advice =
    'Ask the vendor how to get the whole list with one request: the API documents know no pages. Nothing is concluded from a part.';
  return { ...failure, advice };
}

/** Words by which a service says that it does not accept who asks. */
const ABOUT_CREDENTIALS = /signature|api.?key|credential|authenti|authori[sz]|\bowner\b|timestamp|forbidden|permission|access denied/i;

/**
 * Builds the failure for a v3 `error`. This API has no code for a rejected signature (api-notes section 1, point 7); an error of a read
 * counts as one, as a 400 of a read does, where its text says so or the clocks differ.
 */
function bodyErrorFailure(request: ApiRequest, what: string, message: string, status: number, clock: string): AttemptFailure {
  const isAboutCredentials = request.method === 'GET' && (clock !== '' || ABOUT_CREDENTIALS.test(message));
  return isAboutCredentials
    ? credentialsFailure(what + message, status, 'never', `${CHECK_CREDENTIALS}${clock}`)
    : rejectedFailure(what + message, status, clock);
}

/** Decides whether a successful response is only a part of the answer, although the whole was asked for. */
function isPartial({ status, header }: HttpResponse): boolean {
  return status === 206 || header('content-range') !== undefined;
}

/** Parses a JSON body, or returns what is wrong with it. Ignores Content-Type. */
export function parseBody(response: HttpResponse): { readonly body: unknown } | { readonly problem: string } {
  if (response.status === 204) return { body: undefined };
  if (response.problem !== undefined) return { problem: response.problem };
  if (response.bytes.length === 0) return { problem: 'the body is empty' };
  const { isTooDeep, members } = measure(response.bytes);
  if (isTooDeep) return { problem: `the body nests deeper than ${MAX_DEPTH} levels` };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(response.bytes);
  } catch {
    return { problem: 'the body is not UTF-8' };
  }
  try {
    const body: unknown = JSON.parse(text);
    // The parser keeps the last one of two members, and drops the other.
    return membersOf(body) === members ? { body } : { problem: 'an object in the body has two members of one name' };
  } catch {
    // The parser's own message quotes the body, which may contain the signature.
    return { problem: text.trimStart().startsWith('<') ? 'the body is HTML or XML, not JSON' : 'the body is not JSON, or is cut off' };
  }
}

/**
 * Counts brackets and colons outside strings: whether a body nests too deep, and how many members its objects have. Works on bytes, since no
 * part of a multi-byte UTF-8 character equals one of them.
 */
function measure(bytes: Uint8Array): { readonly isTooDeep: boolean; readonly members: number } {
  let depth = 0;
  let members = 0;
  for (let index = 0; index < bytes.length && depth <= MAX_DEPTH; index++) {
    const byte = bytes[index];
    if (byte === 0x22) index = endOfString(bytes, index);
    else if (byte === 0x5b || byte === 0x7b) depth++;
    else if (byte === 0x5d || byte === 0x7d) depth--;
    else if (byte === 0x3a) members++;
  }
  return { isTooDeep: depth > MAX_DEPTH, members };
}

/** Returns how many members the objects of a parsed body have, all together. */
function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const values: readonly unknown[] = Object.values(value);
  return values.reduce<number>((sum, each) => sum + membersOf(each), Array.isArray(value) ? 0 : values.length);
}

function endOfString(bytes: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < bytes.length && bytes[index] !== 0x22) index += bytes[index] === 0x5c ? 2 : 1;
  return index;
}

/** Returns the service's error text, `title` or `msg` (api-notes section 2), to append to a sentence; empty where there is none. */
function serviceMessage(body: unknown, redact: Redact): string {
  const text = [memberOf(body, 'title'), memberOf(body, 'msg')].find((value) => typeof value === 'string' && value.trim() !== '');
  return typeof text === 'string' ? `: "${quoteForeignText(text, redact)}"` : '';
}

function redirectFailure(response: HttpResponse, redact: Redact): AttemptFailure {
  const location = response.header('location') ?? '';
  const target = URL.canParse(location) ? `${new URL(location).origin}${new URL(location).pathname}` : location.replace(/[?#].*/s, '');
  const where = target === '' ? 'without saying where' : `to ${quoteForeignText(target, redact)}`;
  const failure = unusable(
    `the service redirects (HTTP ${response.status}) ${where}; redirects are never followed`,
    'never',
    response.status,
  );
  return { ...failure, advice: 'Set base_url to where the service really is.' };
}

/** Builds the failure for a status other than 2xx (design section 5, exit codes; api-notes sections 1 and 2). */
function statusFailure(request: ApiRequest, response: HttpResponse, message: string, now: number): AttemptFailure {
  const { status } = response;
  const reason = STATUS_CODES[status];
  const what = `HTTP ${status}${reason === undefined ? '' : ` ${reason}`}${message}`;
  const clock = clockAdvice(response, now);
  if (status === 401) return credentialsFailure(what, status, 'never', `${REJECTED_KEY}${clock}`);
  if (status === 403) return credentialsFailure(what, status, 'never', `${missingScope(request)}${clock}`);
  if (status === 400 && request.method === 'GET') return credentialsFailure(what, status, 'once', `${CHECK_CREDENTIALS}${clock}`);
  if (status === 400) return { ...rejectedFailure(what, status, clock), retryClass: 'once', notReceived: false };
  if (status === 404) return notFoundFailure(request, what);
  if (status === 408 || status === 429 || status === 503)
    return throttledFailure(what, status, retryAfterMs(response.header('retry-after'), now));
  return status >= 500 ? serverFailure(what, status) : rejectedFailure(what, status, '');
}

const CHECK_CREDENTIALS =
  "Check that owner and key belong to this account, are complete and may use this API, and that this machine's clock is right.";

const REJECTED_KEY =
  "The key was rejected: check that owner and key belong together and are complete, that the key was not revoked and has not ended, and that this machine's clock is right.";

/** Returns the advice for a key that is accepted, but not for this request. */
function missingScope(request: ApiRequest): string {
  return `The key may not do this: give it the scope or the permission for ${sentMethod(request)} ${request.path}, or use another key.`;
}

function credentialsFailure(what: string, status: number, again: 'never' | 'once', advice: string): AttemptFailure {
  return { category: 'credentials', what, advice, retryClass: again, notReceived: true, status };
}

function rejectedFailure(what: string, status: number, clock: string): AttemptFailure {
  const advice = `Correct what the service objects to, then plan again.${clock}`;
  return { category: 'rejected', what, advice, retryClass: 'never', notReceived: true, status };
}

/** Builds the failure for a 404. A kind takes it for a missing object where it asks for one by its ID; what else is read always exists. */
function notFoundFailure({ method }: ApiRequest, what: string): AttemptFailure {
  const advice =
    method === 'GET'
      ? 'Check base_url, which is the address of the service without /api: the service has nothing at this path.'
      : 'Plan again: it, or what it names, may have been deleted in the meantime.';
  return { category: 'not-found', what, advice, retryClass: 'never', notReceived: true, status: 404 };
}

function throttledFailure(what: string, status: number, retryAfter: number | undefined): AttemptFailure {
  const failure: AttemptFailure = {
    category: 'throttled',
    what: retryAfter === undefined ? what : `${what}; it asks to wait ${Math.ceil(retryAfter / 1000)} s`,
    advice: 'Run again later; where it happens often, lower http.requests_per_second or http.concurrency.',
    retryClass: 'repeatable',
    notReceived: false,
    status,
  };
  return retryAfter === undefined ? failure : { ...failure, retryAfterMs: retryAfter };
}

/** Kinds by the status of a gateway; the service behind it may still execute the request. */
const GATEWAY: { readonly [status: number]: AttemptFailure['category'] } = { 502: 'unreachable', 504: 'timeout' };

function serverFailure(what: string, status: number): AttemptFailure {
  const category = GATEWAY[status] ?? 'failed';
  const again = status === 500 || status in GATEWAY ? 'repeatable' : 'never';
  const advice = 'The fault is on the side of the service: run again later, and show its operators this message if it stays.';
  return { category, what, advice, retryClass: again, notReceived: false, status };
}

/** Returns advice where this machine's clock differs from the response's `Date` so much that signatures may be rejected. */
function clockAdvice(response: HttpResponse, now: number): string {
  const serverTime = httpDate(response.header('date'));
  if (serverTime === undefined || Math.abs(now - serverTime) <= SKEW_MS) return '';
  const side = now > serverTime ? 'ahead of' : 'behind';
  return ` The clock of this machine is ${Math.round(Math.abs(now - serverTime) / 1000)} s ${side} that of the service.`;
}
