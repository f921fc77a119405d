import type { ApiRequest } from './request.ts';
import type { Members, Signature } from './sign.ts';

/** One signed attempt as it travels. `path` holds the query. */
export interface Wire {
  readonly method: ApiRequest['method'];
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly body?: string;
}

/** Why a 2xx answer is a failure all the same. */
export interface BodyError {
  readonly kind: 'rejected' | 'malformed';
  readonly what: string;
}

/** How one API version carries signature and data, and how it reports errors (api-notes section 1, point 9). */
export interface ApiVersion {
  /** The members that are signed beside owner and time. */
  signed(request: ApiRequest): Members;
  wire(request: ApiRequest, signature: Signature): Wire;
  /** Looks at the parsed body of a 2xx answer, undefined where there is none. */
  objection(body: unknown): BodyError | undefined;
}

/** Where signature and filters travel in the query, and where nothing else is sent. */
export function queryOnly(request: ApiRequest, signature: Signature): Wire {
  const query = encoded({ ...request.query, msg: signature.msg, sig: signature.sig });
  return { method: request.method, path: `${request.path}?${query}`, headers: {} };
}

/** The same with the data as a JSON body; without data there is no body. */
export function queryAndJson(request: ApiRequest, signature: Signature): Wire {
  const wire = queryOnly(request, signature);
  if (request.body === undefined) return wire;
  return { ...wire, headers: { 'content-type': 'application/json' }, body: JSON.stringify(request.body) };
}

/** Signature and data in the body of a form, and nothing in the query. */
export function signedForm(request: ApiRequest, signature: Signature): Wire {
  return {
    method: 'POST',
    path: request.path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: encoded({ msg: signature.msg, sig: signature.sig }),
  };
}

/** What v2 and v3 say by their `error`: 0 is success, another integer a failure, and anything else no answer of theirs (drm-api-v3 section 7). */
export function bodyErrorOf(body: unknown): BodyError | undefined {
  const error = memberOf(body, 'error');
  const code = typeof error === 'string' && /^\s*[+-]?\d{1,15}\s*$/.test(error) ? Number(error) : error;
  if (!Number.isSafeInteger(code)) return { kind: 'malformed', what: 'the answer has no integer `error`' };
  if (code === 0) return undefined;
  return { kind: 'rejected', what: `the service answered error ${code}` };
}

/** Whether the method carries data; GET and DELETE never do (drm-api-v3 section 4, playlist-api-v4 section 4). */
export function carriesData(request: ApiRequest): boolean {
  return request.method === 'POST' || request.method === 'PATCH';
}

/** `name=value&...`, with blanks as `%20`, which queries and forms both understand. */
export function encoded(members: { readonly [name: string]: string }): string {
  return new URLSearchParams(members).toString().replaceAll('+', '%20');
}

/** A member of an answer's object; undefined where the answer is no object or has no such member of its own. */
export function memberOf(body: unknown, name: string): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || !Object.hasOwn(body, name)) return undefined;
  return Reflect.get(body, name);
}

/** Whether a path leads where it seems to: below /api2, /api/v3 or /api/v4, without empty or dot segments, however they are encoded. */
export function isSafePath(path: string): boolean {
  if (!/^\/api(2|\/v[34])(\/[\w.~!$&'()*+,;=:@%-]+)+$/.test(path)) return false;
  const segments = path
    .replace(/%2e/gi, '.')
    .replace(/%2f|%5c/gi, '/')
    .split('/');
  return segments.every((segment) => segment !== '.' && segment !== '..');
}
