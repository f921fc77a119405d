import { STATUS_CODES } from 'node:http';
import { type ApiVersion, memberOf } from './api-version.ts';
import { type AttemptFailure, unusable } from './attempt-failure.ts';
import { quoteForeignText, type Redact } from './redact.ts';
import type { ApiRequest, ApiResponse } from './request.ts';
import { httpDate, retryAfterMs } from './retry.ts';
import type { HttpResponse } from './transport.ts';

/** No document of the two APIs nests deeper than eight levels; a hostile one could exhaust the stack of whoever walks it. */
const DEEPEST = 64;
/** By how much two clocks may differ before it is spoken of, milliseconds. */
export const SKEW_MS = 60_000;

/** What an answer says: a success, or why not. `now` in Unix milliseconds, for `Retry-After` and the clock. */
export function classifyResponse(
  request: ApiRequest,
  received: HttpResponse,
  dialect: ApiVersion,
  now: number,
  hide: Redact,
): ApiResponse | AttemptFailure {
  const { status } = received;
  if (status >= 300 && status < 400) return redirected(received, hide);
  const parsed = parsedBody(received);
  if (status < 200 || status >= 400) return unsuccessful(request, received, 'body' in parsed ? ownWords(parsed.body, hide) : '', now);
  if ('flaw' in parsed) return unusable(`the answer (HTTP ${status}) cannot be used: ${parsed.flaw}`, 'reads', status);
  const objection = dialect.objection(parsed.body);
  if (objection === undefined) return { status, body: parsed.body };
  if (objection.kind === 'malformed') return unusable(`the answer (HTTP ${status}) cannot be used: ${objection.what}`, 'reads', status);
  return objected(request, `${objection.what}${ownWords(parsed.body, hide)}`, status, clockAdvice(received, now));
}

/**
 * A v3 `error`. This API has no code for a refused signature (api-notes section 1, point 7); a read that it objects to while the
 * clocks disagree is taken for one, as a 400 to a read is.
 */
function objected(request: ApiRequest, what: string, status: number, clock: string): AttemptFailure {
  return request.method === 'GET' && clock !== '' ? credentials(what, status, 'never', clock) : refused(what, status, clock);
}

/** The JSON of a body, or what is wrong with it. What Content-Type says is not believed. */
export function parsedBody(received: HttpResponse): { readonly body: unknown } | { readonly flaw: string } {
  if (received.status === 204) return { body: undefined };
  if (received.bytes.length === 0) return { flaw: 'the body is empty' };
  if (nestsTooDeep(received.bytes)) return { flaw: `the body nests deeper than ${DEEPEST} levels` };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(received.bytes);
  } catch {
    return { flaw: 'the body is not UTF-8' };
  }
  try {
    return { body: JSON.parse(text) };
  } catch {
    // The parser's own message quotes the body, which may repeat the signature.
    return { flaw: text.trimStart().startsWith('<') ? 'the body is HTML or XML, not JSON' : 'the body is not JSON, or is cut off' };
  }
}

/** Counts brackets outside strings; works on bytes because no part of a longer UTF-8 character looks like one. */
function nestsTooDeep(bytes: Uint8Array): boolean {
  let depth = 0;
  for (let index = 0; index < bytes.length && depth <= DEEPEST; index++) {
    const byte = bytes[index];
    if (byte === 0x22) index = endOfString(bytes, index);
    else if (byte === 0x5b || byte === 0x7b) depth++;
    else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  return depth > DEEPEST;
}

function endOfString(bytes: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < bytes.length && bytes[index] !== 0x22) index += bytes[index] === 0x5c ? 2 : 1;
  return index;
}

/** The service's own error text, `title` or `msg` (api-notes section 2), fit to stand behind a sentence; empty where it says nothing. */
function ownWords(body: unknown, hide: Redact): string {
  const text = [memberOf(body, 'title'), memberOf(body, 'msg')].find((value) => typeof value === 'string' && value.trim() !== '');
  return typeof text === 'string' ? `: "${quoteForeignText(text, hide)}"` : '';
}

function redirected(received: HttpResponse, hide: Redact): AttemptFailure {
  const location = received.header('location') ?? '';
  const target = URL.canParse(location) ? `${new URL(location).origin}${new URL(location).pathname}` : location.replace(/[?#].*/s, '');
  const where = target === '' ? 'without saying where' : `to ${quoteForeignText(target, hide)}`;
  const failure = unusable(
    `the service redirects (HTTP ${received.status}) ${where}; redirects are never followed`,
    'never',
    received.status,
  );
  return { ...failure, advice: 'Set base_url to where the service really is.' };
}

/** Faults by status (design section 5, exit codes; api-notes sections 1 and 2). */
function unsuccessful(request: ApiRequest, received: HttpResponse, words: string, now: number): AttemptFailure {
  const { status } = received;
  const reason = STATUS_CODES[status];
  const what = `HTTP ${status}${reason === undefined ? '' : ` ${reason}`}${words}`;
  if (status === 401 || status === 403) return credentials(what, status, 'never', clockAdvice(received, now));
  if (status === 400 && request.method === 'GET') return credentials(what, status, 'once', clockAdvice(received, now));
  if (status === 400) return { ...refused(what, status, clockAdvice(received, now)), retryClass: 'once', notReceived: false };
  if (status === 404) return absent(what);
  if (status === 408 || status === 429 || status === 503) return busy(what, status, retryAfterMs(received.header('retry-after'), now));
  return status >= 500 ? failed(what, status) : refused(what, status, '');
}

function credentials(what: string, status: number, again: 'never' | 'once', clock: string): AttemptFailure {
  const advice = `Check that owner and api_key belong to this account, are complete and may use this API, and that this machine's clock is right.${clock}`;
  return { kind: 'credentials', what, advice, retryClass: again, notReceived: true, status };
}

function refused(what: string, status: number, clock: string): AttemptFailure {
  const advice = `Correct what the service objects to, then plan again.${clock}`;
  return { kind: 'rejected', what, advice, retryClass: 'never', notReceived: true, status };
}

function absent(what: string): AttemptFailure {
  const advice = 'Plan again: it may have been deleted in the meantime. If nothing is found at all, check base_url.';
  return { kind: 'not-found', what, advice, retryClass: 'never', notReceived: true, status: 404 };
}

function busy(what: string, status: number, retryAfter: number | undefined): AttemptFailure {
  const failure: AttemptFailure = {
    kind: 'throttled',
    what: retryAfter === undefined ? what : `${what}; it asks to wait ${Math.ceil(retryAfter / 1000)} s`,
    advice: 'Run again later; where it happens often, lower http.requests_per_second or http.concurrency.',
    retryClass: 'repeatable',
    notReceived: false,
    status,
  };
  return retryAfter === undefined ? failure : { ...failure, retryAfterMs: retryAfter };
}

/** What a gateway says of the service behind it, which may still be at work. */
const GATEWAY: { readonly [status: number]: AttemptFailure['kind'] } = { 502: 'unreachable', 504: 'timeout' };

function failed(what: string, status: number): AttemptFailure {
  const fault = GATEWAY[status] ?? 'failed';
  const again = status === 500 || status in GATEWAY ? 'repeatable' : 'never';
  const advice = 'The fault is on the side of the service: run again later, and show its operators this message if it stays.';
  return { kind: fault, what, advice, retryClass: again, notReceived: false, status };
}

/** By how much this machine's clock differs from the answer's `Date`, where that can spoil a signature. */
function clockAdvice(received: HttpResponse, now: number): string {
  const theirs = httpDate(received.header('date'));
  if (theirs === undefined || Math.abs(now - theirs) <= SKEW_MS) return '';
  const side = now > theirs ? 'ahead of' : 'behind';
  return ` The clock of this machine is ${Math.round(Math.abs(now - theirs) / 1000)} s ${side} that of the service.`;
}
