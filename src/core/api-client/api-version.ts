import type { Proof } from './proof.ts';
import type { ApiRequest } from './request.ts';
import type { Members } from './sign.ts';

/** One signed attempt as it is sent. `path` includes the query. */
export interface Wire {
  readonly method: ApiRequest['method'];
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly body?: string;
}

/** An error that a 2xx response reports in its body. */
export interface BodyError {
  readonly category: 'rejected' | 'malformed';
  readonly what: string;
}

/** How one API version transmits signature and data, and how it reports errors (api-notes section 1, point 9). */
export interface ApiVersion {
  /** Returns the members that are signed beside owner and time. */
  signed(request: ApiRequest): Members;
  /** Decides whether signature and data stand in a form body. */
  usesForm(request: ApiRequest): boolean;
  wire(request: ApiRequest, proof: Proof): Wire;
  /** Returns the error in the parsed body of a 2xx response (undefined without a body), if any. */
  bodyError(body: unknown): BodyError | undefined;
}

/** Builds an attempt with proof and filters in query and headers, and no body. */
function queryOnly(request: ApiRequest, { parameters, headers }: Proof): Wire {
  const query = encoded({ ...request.query, ...parameters });
  return { method: request.method, path: query === '' ? request.path : `${request.path}?${query}`, headers };
}

/** Builds an attempt with proof and filters in query and headers, and the data, if any, as a JSON body. */
function queryAndJson(request: ApiRequest, proof: Proof): Wire {
  const wire = queryOnly(request, proof);
  if (request.body === undefined) return wire;
  return { ...wire, headers: { ...wire.headers, 'content-type': 'application/json' }, body: JSON.stringify(request.body) };
}

/** Builds an attempt with proof and data in a form body, and no query. */
function signedForm(request: ApiRequest, { parameters, headers }: Proof): Wire {
  return {
    method: 'POST',
    path: request.path,
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: encoded(parameters),
  };
}

/**
 * Reads the `error` of v2 and v3: 0 is success, another integer is a failure, anything else is a malformed response (drm-api-v3 section 7).
 */
function bodyErrorOf(body: unknown): BodyError | undefined {
  const error = memberOf(body, 'error');
  const code = typeof error === 'string' && /^\s*[+-]?\d{1,15}\s*$/.test(error) ? Number(error) : error;
  if (!Number.isSafeInteger(code)) return { category: 'malformed', what: 'the answer has no integer `error`' };
  if (code === 0) return undefined;
  return { category: 'rejected', what: `the service answered error ${code}` };
}

/** Returns the method that is sent: the reads of v2 are POSTs. */
export function sentMethod({ method, path }: Pick<ApiRequest, 'method' | 'path'>): ApiRequest['method'] {
  return path.startsWith('/api2/') ? 'POST' : method;
}

/** Decides whether a request carries data; GET and DELETE never do (drm-api-v3 section 4, playlist-api-v4 section 4). */
function carriesData(request: ApiRequest): boolean {
  return request.method === 'POST' || request.method === 'PATCH';
}

/** Encodes members as `name=value&...`, with spaces as `%20`, which both queries and forms accept. */
export function encoded(members: { readonly [name: string]: string }): string {
  return new URLSearchParams(members).toString().replaceAll('+', '%20');
}

/** Returns a member of a response body; undefined where the body is not an object or has no such own member. */
export function memberOf(body: unknown, name: string): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || !Object.hasOwn(body, name)) return undefined;
  return Reflect.get(body, name);
}

/** Decides whether a path is below /api2, /api/v3 or /api/v4, and has no empty or dot segments, in any encoding. */
export function isSafePath(path: string): boolean {
  if (!/^\/api(2|\/v[34])(\/[\w.~!$&'()*+,;=:@%-]+)+$/.test(path)) return false;
  const segments = path
    .replace(/%2e/gi, '.')
    .replace(/%2f|%5c/gi, '/')
    .split('/');
  return segments.every((segment) => segment !== '.' && segment !== '..');
}

/** How a POST of v2 or v3 carries its data (api-notes section 1, points 9 and 12). */
export type PostForm = 'form' | 'json';

/**
 * API version 2, which upkeep uses only for reading (api-notes section 7): the signed message contains the query beside owner and time.
 * It is sent as a form, because a URL with a thousand IDs would be too long. Every response has an integer `error`. With a scoped key the
 * query may be a JSON body instead.
 */
export function v2(post: PostForm): ApiVersion {
  const usesForm = (): boolean => post === 'form';
  return {
    signed: ({ body }) => (post === 'form' && isMembers(body) ? body : {}),
    usesForm,
    wire: (request, proof) => (usesForm() ? signedForm(request, proof) : { ...queryAndJson(request, proof), method: sentMethod(request) }),
    bodyError: bodyErrorOf,
  };
}

function isMembers(body: unknown): body is Members {
  return typeof body === 'object' && body !== null && !Array.isArray(body);
}

/**
 * API version 3: a POST carries its data as `item` inside the signed message of a form (drm-api-v3 section 4), or, where the setting
 * says `json`, as a JSON body (api-notes section 1, points 9 and 12). Every response has an integer `error`.
 */
export function v3(post: PostForm): ApiVersion {
  const usesForm = (request: ApiRequest): boolean => carriesData(request) && post === 'form';
  return {
    signed: (request) => (usesForm(request) ? { item: request.body } : {}),
    usesForm,
    wire(request, proof) {
      if (!carriesData(request)) return queryOnly(request, proof);
      return usesForm(request) ? signedForm(request, proof) : queryAndJson(request, proof);
    },
    bodyError: bodyErrorOf,
  };
}

/**
 * API version 4: the signature in the query or in headers on every method, data as JSON, errors by HTTP status alone (playlist-api-v4
 * sections 1 and 5).
 */
export const v4: ApiVersion = {
  signed: () => ({}),
  usesForm: () => false,
  wire: (request, proof) => (carriesData(request) ? queryAndJson(request, proof) : queryOnly(request, proof)),
  bodyError: () => undefined,
};
