/** JSON client of a code host's API, with limits on size, time and retries. It sends a token, so it follows no redirects. */
import { STATUS_CODES } from 'node:http';
import type { AttemptFailure } from '../../core/api-client/attempts.ts';
import { sleep } from '../../core/api-client/monotonic.ts';
import { createRedactor, quoteForeignText, type Redact } from '../../core/api-client/redact.ts';
import { parseBody } from '../../core/api-client/response.ts';
import { retryAfterMs } from '../../core/api-client/retry.ts';
import { createTransport, type HttpRequest, type HttpResponse } from '../../core/api-client/transport.ts';
import { isObject } from '../../core/model/json.ts';
import { withoutTrailing } from '../../core/model/trim.ts';
import type { RequestContext } from './code-host.ts';
import { CodeHostError, unusableResponse } from './errors.ts';

/** The address of an API, without a trailing slash, and what is sent with every request. `headers` hold the token. */
export interface ApiOptions {
  readonly url: string;
  readonly token: string;
  readonly headers: { readonly [name: string]: string };
}

/** An open API. */
export interface Api {
  /**
   * Sends one request and returns the parsed response; undefined if it is empty. `path` is relative to the address of the API. @throws
   * CodeHostError
   */
  request(method: HttpRequest['method'], path: string, body?: object): Promise<unknown>;
  /** Returns the items of a list, from all its pages or from the first ones. @throws CodeHostError */
  list(path: string, firstPages?: number): Promise<readonly unknown[]>;
  close(): Promise<void>;
}

/** Maximum size of a response, MiB; a page of a hundred comments stays far below it. */
const MAX_RESPONSE_MIB = 32;
const TIMEOUT_MS = 30_000;
/** Maximum wait for a rate limit, milliseconds; a longer one is an error. */
export const MAX_RATE_LIMIT_WAIT_MS = 60_000;
/** Maximum attempts of an idempotent request. */
const MAX_ATTEMPTS = 3;
/** Milliseconds before the second attempt; twice that before the third. */
const BACKOFF_MS = 250;
/** Maximum number of pages of a list. */
const MAX_PAGES = 100;

/** Opens an API; the caller closes it. */
export function openApi(context: RequestContext, { url, token, headers }: ApiOptions): Api {
  const redact = createRedactor([token]);
  const transport = createTransport({ baseUrl: url, connections: 1, maxBodyMib: MAX_RESPONSE_MIB, proxy: context.proxyFor(url) });
  const prefix = withoutTrailing(new URL(url).pathname, '/');

  const send = async (method: HttpRequest['method'], path: string, body?: object): Promise<HttpResponse> => {
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const request = {
      method,
      path,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...content,
    };
    for (let attempt = 1; ; attempt += 1) {
      if (context.signal.aborted) throw new CodeHostError('interrupted', 'interrupted', 'interrupted', 'run again');
      const result = await transport.exchange(request, TIMEOUT_MS, redact);
      if (!('category' in result) && result.status < 300) return result;
      const wait = attempt < MAX_ATTEMPTS ? waitMs(method, result, attempt, context.now()) : null;
      if (wait === null) {
        const operation = operationOf(method, path);
        throw 'category' in result ? unreachable(operation, result.what) : refused(operation, result, context.now(), redact);
      }
      await sleep(wait, context.signal);
    }
  };

  return {
    async request(method, path, body) {
      return bodyOf(operationOf(method, path), await send(method, path, body));
    },
    async list(path, firstPages = Number.POSITIVE_INFINITY) {
      const items: unknown[] = [];
      let next: string | null = path;
      for (let page = 0; next !== null && page < firstPages; page += 1) {
        const operation = operationOf('GET', next);
        if (page === MAX_PAGES) throw unusableResponse(operation, `the list has more than ${MAX_PAGES} pages`);
        const response: HttpResponse = await send('GET', next);
        const body = bodyOf(operation, response);
        if (!Array.isArray(body)) throw unusableResponse(operation, 'it is no list');
        items.push(...body);
        next = nextPage(operation, response.header('link') ?? '', new URL(url).origin, prefix);
      }
      return items;
    },
    close: () => transport.close(),
  };
}

/** Returns a request as error messages name it: without the query. */
function operationOf(method: HttpRequest['method'], path: string): string {
  return `${method} ${path.replace(/\?.*/s, '')}`;
}

/** @throws CodeHostError if the body is not JSON */
function bodyOf(operation: string, response: HttpResponse): unknown {
  const parsed = parseBody(response);
  if ('problem' in parsed) throw unusableResponse(operation, parsed.problem);
  return parsed.body;
}

/**
 * Returns the path of the next page that a `Link` header names (RFC 8288); null if it names none. The token is sent to this API only.
 * @throws CodeHostError if the page lies elsewhere
 */
function nextPage(operation: string, header: string, origin: string, prefix: string): string | null {
  const [, link] = /<([^<>]*)>\s*;[^<]*\brel="?next"?/.exec(header) ?? [];
  if (link === undefined) return null;
  const url = URL.canParse(link) ? new URL(link) : null;
  if (url?.origin !== origin || !url.pathname.startsWith(`${prefix}/`)) throw unusableResponse(operation, 'its next page lies elsewhere');
  return url.pathname.slice(prefix.length) + url.search;
}

/**
 * Returns the milliseconds before the next attempt; null if there is none: a write that may have arrived is not repeated, and a long rate
 * limit is not waited for.
 */
function waitMs(method: HttpRequest['method'], result: HttpResponse | AttemptFailure, attempt: number, now: number): number | null {
  const backoff = BACKOFF_MS * 2 ** (attempt - 1);
  if ('category' in result)
    return result.retryClass === 'always' || (method !== 'POST' && result.retryClass === 'repeatable') ? backoff : null;
  const rateLimitWait = rateLimitWaitMs(result, now);
  if (rateLimitWait !== null) return rateLimitWait <= MAX_RATE_LIMIT_WAIT_MS ? rateLimitWait : null;
  return method !== 'POST' && [502, 503, 504].includes(result.status) ? backoff : null;
}

/**
 * Returns the wait that the host's rate limit asks for, milliseconds; null without one. GitHub also uses 403 ("Rate limits for the REST
 * API").
 */
function rateLimitWaitMs(response: HttpResponse, now: number): number | null {
  const after = retryAfterMs(response.header('retry-after'), now);
  const { status } = response;
  if (status === 429 || status === 503) return after ?? rateLimitResetMs(response, now) ?? (status === 429 ? MAX_RATE_LIMIT_WAIT_MS : null);
  if (status !== 403) return null;
  return after ?? (response.header('x-ratelimit-remaining') === '0' ? (rateLimitResetMs(response, now) ?? MAX_RATE_LIMIT_WAIT_MS) : null);
}

/** Returns the milliseconds until the host resets its rate limit; null if the response does not say. The headers are in Unix seconds. */
function rateLimitResetMs(response: HttpResponse, now: number): number | null {
  const reset = response.header('x-ratelimit-reset') ?? response.header('ratelimit-reset') ?? '';
  return /^\d{1,11}$/.test(reset) ? Math.max(0, Number(reset) * 1000 - now) : null;
}

function unreachable(operation: string, reason: string): CodeHostError {
  const hint = 'run again: comments and issues that were written already are found by their marker';
  return new CodeHostError('failed', 'host-unreachable', `${operation}: ${reason}`, hint);
}

function refused(operation: string, response: HttpResponse, now: number, redact: Redact): CodeHostError {
  const { status } = response;
  const reason = STATUS_CODES[status];
  const summary = `${operation}: HTTP ${status}${reason === undefined ? '' : ` ${reason}`}${hostMessage(response, redact)}`;
  const rateLimitWait = rateLimitWaitMs(response, now);
  if (rateLimitWait !== null) {
    const hint = `the rate limit of the host ends in ${Math.ceil(rateLimitWait / 1000)} s; run again after that`;
    return new CodeHostError('failed', 'host-busy', summary, hint, status);
  }
  if (status >= 300 && status < 400) {
    const hint = 'name the repository as it is called now';
    return new CodeHostError('failed', 'host-moved', `${summary}; redirects are never followed`, hint, status);
  }
  if (status === 401 || status === 403) return new CodeHostError('credentials', 'host-token', summary, HINTS.token, status);
  return new CodeHostError('failed', 'host-refused', summary, status === 404 || status === 410 ? HINTS.notFound : HINTS.other, status);
}

const HINTS = {
  token: 'the token is wrong, has expired, or lacks a permission; docs/ci.md lists what it needs under "Pull requests"',
  notFound:
    'check repository and number, and that the token may see them: hosts say the same where something is not there and where it may not be seen',
  other: 'see what the host objects to, and run again',
};

function hostMessage(response: HttpResponse, redact: Redact): string {
  const parsed = parseBody(response);
  const body = 'body' in parsed && isObject(parsed.body) ? parsed.body : {};
  const [message] = [body.message, body.error_description, body.error].filter((each) => each !== undefined && each !== null);
  const details = Array.isArray(body.errors) && body.errors.length > 0 ? ` ${JSON.stringify(body.errors)}` : '';
  if (message === undefined) return '';
  return `: "${quoteForeignText(`${typeof message === 'string' ? message : JSON.stringify(message)}${details}`, redact)}"`;
}

/** Returns a member of an object in a response; undefined if it is null or missing, or there is no object. */
export function member(value: unknown, name: string): unknown {
  return isObject(value) ? (value[name] ?? undefined) : undefined;
}

/** Rejects a response that lacks a member. @throws CodeHostError */
export function missingMember(operation: string, name: string): never {
  throw unusableResponse(operation, `it has no ${name}`);
}

/** Returns the hash of a commit; undefined if the value is none. */
export function asHash(value: unknown): string | undefined {
  return typeof value === 'string' && /^[0-9a-f]{40,64}$/.test(value) ? value : undefined;
}
