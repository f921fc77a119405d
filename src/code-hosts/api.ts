/** JSON client of a code host's API, with limits on size, time and retries. It sends a token, so it follows no redirects. */
import { STATUS_CODES } from 'node:http';
import type { AttemptFailure } from '../api-client/attempt-failure.ts';
import { sleep } from '../api-client/monotonic.ts';
import { createRedactor, quoteForeignText } from '../api-client/redact.ts';
import { parsedBody } from '../api-client/response.ts';
import { retryAfterMs } from '../api-client/retry.ts';
import { createTransport, type HttpRequest, type HttpResponse } from '../api-client/transport.ts';
import { EXIT_CODES, interrupted } from '../app/exit-codes.ts';
import { proxyFor } from '../app/proxy.ts';
import type { CliContext } from '../app/runtime.ts';
import { isObject } from '../model/json.ts';
import { CodeHostError, unusable } from './errors.ts';

/** The address of an API, without a trailing slash, and what is sent with every request. `headers` hold the token. */
export interface ApiOptions {
  readonly url: string;
  readonly token: string;
  readonly headers: { readonly [name: string]: string };
}

/** One API. */
export interface Api {
  /**
   * Sends one request and returns the parsed response; undefined if it is empty. `path` lies below the address of the API. @throws
   * CodeHostError, CliError
   */
  ask(method: HttpRequest['method'], path: string, body?: object): Promise<unknown>;
  /** Returns every item of a list, over all its pages. @throws CodeHostError, CliError */
  all(path: string): Promise<readonly unknown[]>;
  close(): Promise<void>;
}

/** Maximum size of a response, MiB; a page of a hundred comments stays far below it. */
const LARGEST_MIB = 32;
const TIMEOUT_MS = 30_000;
/** Maximum wait for a rate limit, milliseconds; a longer one is an error. */
const MAX_RATE_LIMIT_WAIT_MS = 60_000;
/** Maximum attempts of an idempotent request. */
const MOST_ATTEMPTS = 3;
/** Milliseconds before the second attempt; twice that before the third. */
const PAUSE_MS = 250;
/** Pages of one list. */
const MOST_PAGES = 100;

/** Opens an API for the time of a run. */
export function openApi(io: CliContext, { url, token, headers }: ApiOptions): Api {
  const hide = createRedactor([token]);
  const transport = createTransport({ baseUrl: url, connections: 1, maxBodyMib: LARGEST_MIB, proxy: proxyFor(url, io) });
  const prefix = new URL(url).pathname.replace(/\/+$/, '');

  const exchange = async (method: HttpRequest['method'], path: string, body?: object): Promise<HttpResponse> => {
    const doing = `${method} ${path.replace(/\?.*/s, '')}`;
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const sent = {
      method,
      path,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...content,
    };
    for (let attempt = 1; ; attempt += 1) {
      if (io.signal.aborted) throw interrupted();
      const got = await transport.exchange(sent, TIMEOUT_MS, hide);
      if (!('kind' in got) && got.status < 300) return got;
      const wait = attempt < MOST_ATTEMPTS ? waitMs(method, got, attempt, io.now()) : null;
      if (wait === null) throw 'kind' in got ? unreached(doing, got.what) : refused(doing, got, io.now(), hide);
      await sleep(wait, io.signal);
    }
  };

  return {
    async ask(method, path, body) {
      return contentOf(`${method} ${path.replace(/\?.*/s, '')}`, await exchange(method, path, body));
    },
    async all(path) {
      const items: unknown[] = [];
      let next: string | null = path;
      for (let page = 0; next !== null; page += 1) {
        const doing = `GET ${next.replace(/\?.*/s, '')}`;
        if (page === MOST_PAGES) throw unusable(doing, `the list has more than ${MOST_PAGES} pages`);
        const got: HttpResponse = await exchange('GET', next);
        const list = contentOf(doing, got);
        if (!Array.isArray(list)) throw unusable(doing, 'it is no list');
        items.push(...list);
        next = nextPage(doing, got.header('link') ?? '', new URL(url).origin, prefix);
      }
      return items;
    },
    close: () => transport.close(),
  };
}

function contentOf(doing: string, got: HttpResponse): unknown {
  const parsed = parsedBody(got);
  if ('flaw' in parsed) throw unusable(doing, parsed.flaw);
  return parsed.body;
}

/**
 * The path of the page that a `Link` header names as the next (RFC 8288); null where it names none. The token goes nowhere but to this
 * API.
 */
function nextPage(doing: string, header: string, origin: string, prefix: string): string | null {
  const [, link] = /<([^<>]*)>\s*;[^<]*\brel="?next"?/.exec(header) ?? [];
  if (link === undefined) return null;
  const url = URL.canParse(link) ? new URL(link) : null;
  if (url?.origin !== origin || !url.pathname.startsWith(`${prefix}/`)) throw unusable(doing, 'its next page lies elsewhere');
  return url.pathname.slice(prefix.length) + url.search;
}

/**
 * Milliseconds before the next attempt; null where there is none: a write that may have arrived is not repeated, and nobody waits for
 * ever.
 */
function waitMs(method: HttpRequest['method'], got: HttpResponse | AttemptFailure, attempt: number, now: number): number | null {
  const backoff = PAUSE_MS * 2 ** (attempt - 1);
  if ('kind' in got) return got.retryClass === 'always' || (method !== 'POST' && got.retryClass === 'repeatable') ? backoff : null;
  const asked = rateLimitWaitMs(got, now);
  if (asked !== null) return asked <= MAX_RATE_LIMIT_WAIT_MS ? asked : null;
  return method !== 'POST' && [502, 503, 504].includes(got.status) ? backoff : null;
}

/**
 * Returns the wait that the host's rate limit asks for, milliseconds; null without one. GitHub also uses 403 ("Rate limits for the REST
 * API").
 */
function rateLimitWaitMs(got: HttpResponse, now: number): number | null {
  const after = retryAfterMs(got.header('retry-after'), now);
  if (got.status === 429 || got.status === 503) return after ?? resetIn(got, now) ?? (got.status === 429 ? MAX_RATE_LIMIT_WAIT_MS : null);
  if (got.status !== 403) return null;
  return after ?? (got.header('x-ratelimit-remaining') === '0' ? (resetIn(got, now) ?? MAX_RATE_LIMIT_WAIT_MS) : null);
}

/** Milliseconds until the time, in Unix seconds, at which requests are counted anew. */
function resetIn(got: HttpResponse, now: number): number | null {
  const reset = got.header('x-ratelimit-reset') ?? got.header('ratelimit-reset') ?? '';
  return /^\d{1,11}$/.test(reset) ? Math.max(0, Number(reset) * 1000 - now) : null;
}

function unreached(doing: string, what: string): CodeHostError {
  return new CodeHostError(
    EXIT_CODES.error,
    'host-unreachable',
    `${doing}: ${what}`,
    'run again: what was written is found by its marker',
    null,
  );
}

function refused(doing: string, got: HttpResponse, now: number, hide: (text: string) => string): CodeHostError {
  const { status } = got;
  const reason = STATUS_CODES[status];
  const summary = `${doing}: HTTP ${status}${reason === undefined ? '' : ` ${reason}`}${hostMessage(got, hide)}`;
  const patience = rateLimitWaitMs(got, now);
  if (patience !== null) {
    const wait = `the rate limit of the host ends in ${Math.ceil(patience / 1000)} s; run again after that`;
    return new CodeHostError(EXIT_CODES.error, 'host-busy', summary, wait, status);
  }
  if (status >= 300 && status < 400)
    return new CodeHostError(
      EXIT_CODES.error,
      'host-moved',
      `${summary}; redirects are never followed`,
      'name the repository as it is called now',
      status,
    );
  if (status === 401 || status === 403) return new CodeHostError(EXIT_CODES.credentials, 'host-token', summary, HINTS.token, status);
  return new CodeHostError(
    EXIT_CODES.error,
    'host-refused',
    summary,
    status === 404 || status === 410 ? HINTS.absent : HINTS.other,
    status,
  );
}

const HINTS = {
  token: 'the token is wrong, has expired, or lacks a permission; docs/ci.md lists what it needs under "Pull requests"',
  absent:
    'check repository and number, and that the token may see them: hosts say the same where something is not there and where it may not be seen',
  other: 'see what the host objects to, and run again',
};

/** Returns the host's error message, quoted, to append to a sentence. */
function hostMessage(got: HttpResponse, hide: (text: string) => string): string {
  const parsed = parsedBody(got);
  const body = 'body' in parsed && isObject(parsed.body) ? parsed.body : {};
  const [said] = [body.message, body.error_description, body.error].filter((each) => each !== undefined && each !== null);
  const more = Array.isArray(body.errors) && body.errors.length > 0 ? ` ${JSON.stringify(body.errors)}` : '';
  if (said === undefined) return '';
  return `: "${quoteForeignText(`${typeof said === 'string' ? said : JSON.stringify(said)}${more}`, hide)}"`;
}
