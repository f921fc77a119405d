/** How answers look on the wire: v2 and v3 add `error` to everything, v4 has an error body of its own. */

import { isObject } from '../model/json.ts';
import type { EmulatedResponse } from './contract.ts';

/** The dialects, by the prefix of the path. */
type Dialect = 'v2' | 'v3' | 'v4';

/** The dialect of a path; what has none of the prefixes is answered as v4. */
export function dialectOf(path: string): Dialect {
  if (path.startsWith('/api2/')) return 'v2';
  return path.startsWith('/api/v3/') ? 'v3' : 'v4';
}

/** The route's answer: on v2 and v3 with `error` 0 (drm-api-v3 section 2). */
export function success(dialect: Dialect, reply: EmulatedResponse): EmulatedResponse {
  return dialect !== 'v4' && isObject(reply.body) ? { ...reply, body: { ...reply.body, error: 0 } } : reply;
}

/** What is wrong with a request. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly title: string;
}

/** A refusal: on v4 as api-notes section 2 has seen it, on v2 and v3 `error` 1 and `msg`, by default under HTTP 200. */
export function refusal(dialect: Dialect, { status, code, title }: Refusal, v3Status = 200): EmulatedResponse {
  if (dialect !== 'v4') return { status: v3Status, body: { error: 1, msg: title } };
  return { status, body: { '@type': 'Error', code, status_code: status, title } };
}
