/** The cells of the fault matrix: each use of an endpoint x each fault x the attempts that it meets. */
import type { FaultRule } from '../../../src/emulator/server.ts';
import { USES, type Use } from './uses.ts';

/**
 * What a fault looks like from the client's side:
 * - `unsent`: nothing can have arrived; `lost`: no answer, or a part that breaks off
 * - `busy`: come again; `patience`: come again in years; `failing`: the service, or a gateway before it, has failed
 * - `doubted`: a 400, which may be a replay; `credentials`, `absent`, `refused`: as they say
 * - `unreadable`: an answer that came to its end and is no JSON; `wrong`: JSON that no document describes; `oversized`; `elsewhere`: a redirect
 */
export type Nature =
  | 'unsent'
  | 'lost'
  | 'busy'
  | 'patience'
  | 'failing'
  | 'doubted'
  | 'credentials'
  | 'absent'
  | 'refused'
  | 'unreadable'
  | 'wrong'
  | 'oversized'
  | 'elsewhere';

/** What a rule needs to know of its cell. */
export interface Setting {
  /** Unix milliseconds. */
  readonly now: number;
  /** URL of another host. */
  readonly elsewhere: string;
}

/** One fault. */
export interface Fault {
  readonly name: string;
  readonly nature: Nature;
  /** Whether a write takes effect all the same. */
  readonly done: boolean;
  /** Without method, path and nth; null where the fault stands before every rule (a refused connection). */
  readonly rule: ((setting: Setting) => FaultRule) | null;
}

function fault(name: string, nature: Nature, done: boolean, rule: FaultRule | ((setting: Setting) => FaultRule) | null): Fault {
  return { name, nature, done, rule: typeof rule === 'object' && rule !== null ? () => rule : rule };
}

function refusal(code: number, headers: { readonly [name: string]: string } = {}): FaultRule {
  return { status: code, headers, body: { '@type': 'Error', error: 1, code: 'staged', status_code: code, title: `staged ${code}` } };
}

function answer(name: string, code: number, nature: Nature, headers: { readonly [name: string]: string } = {}): Fault {
  return fault(name, nature, false, refusal(code, headers));
}

/** The same answer from a proxy that has passed the request on. */
function late(code: number, nature: Nature): Fault {
  return fault(`${code} after the write`, nature, true, { ...refusal(code), afterWrite: true });
}

/** Members that the documents name, each with a value that none of them can have. */
const WRONG_SHAPE = Object.fromEntries(
  [
    ...['id', 'playlist', 'items', 'total_items', 'ss_created', 'ss_not_created', 'ss_errored'],
    ...['configs', 'vmp_reject_statuses', 'static_key_slicer_ids', 'use_static_encryption_key', 'key_rotation_schedule'],
  ].map((member) => [member, 0.5]),
);

const FOREVER = '999999999';

/** Every fault, and those answers that may come although the write took effect. */
export const FAULTS: readonly Fault[] = [
  fault('refused', 'unsent', false, null),
  fault('reset before', 'lost', false, { reset: 'before' }),
  fault('reset after the write', 'lost', true, { reset: 'after' }),
  fault('timeout of headers', 'lost', false, { delayMs: 600_000 }),
  fault('timeout after the write', 'lost', true, { stall: 'headers' }),
  fault('stalled body', 'lost', true, { stall: 'body' }),
  fault('truncated body', 'unreadable', true, { truncateBody: true }),
  answer('400', 400, 'doubted'),
  late(400, 'doubted'),
  answer('401', 401, 'credentials'),
  answer('403', 403, 'credentials'),
  answer('404', 404, 'absent'),
  answer('408', 408, 'busy'),
  late(408, 'busy'),
  answer('409', 409, 'refused'),
  answer('413', 413, 'refused'),
  answer('429, Retry-After in seconds', 429, 'busy', { 'retry-after': '1' }),
  fault('429, Retry-After as a date', 'busy', false, ({ now }) => refusal(429, { 'retry-after': new Date(now + 2000).toUTCString() })),
  answer('429, no Retry-After', 429, 'busy'),
  answer('429, absurd Retry-After', 429, 'patience', { 'retry-after': FOREVER }),
  late(429, 'busy'),
  answer('500', 500, 'failing'),
  late(500, 'failing'),
  answer('502', 502, 'failing'),
  late(502, 'failing'),
  answer('503', 503, 'busy'),
  late(503, 'busy'),
  answer('504', 504, 'failing'),
  late(504, 'failing'),
  fault('HTML with 200', 'unreadable', false, { html: true }),
  fault('empty 200', 'unreadable', true, { afterWrite: true, status: 200, body: '' }),
  fault('wrong shape', 'wrong', true, { afterWrite: true, status: 200, body: { error: 0, ...WRONG_SHAPE } }),
  fault('error with msg', 'refused', false, { error: { code: 7, msg: 'staged' } }),
  fault('error without msg', 'refused', false, { error: { code: 7 } }),
  fault('wrong total_items', 'wrong', false, { truncateList: 1 }),
  fault('100 MB', 'oversized', true, { flood: 100 }),
  fault('redirect to another host', 'elsewhere', false, ({ elsewhere }) => ({ status: 307, headers: { location: `${elsewhere}/stolen` } })),
  fault('Content-Length too short', 'unreadable', true, { contentLength: 'short' }),
  fault('Content-Length too long', 'lost', true, { contentLength: 'long' }),
];

/** Which attempts of the request meet the fault; before the second, the first is answered with 503. */
export const ATTEMPTS = ['first', 'second', 'every'] as const;
export type Attempt = (typeof ATTEMPTS)[number];

/** One cell. */
export interface Cell {
  readonly use: Use;
  readonly fault: Fault;
  readonly attempt: Attempt;
}

/** Why a fault cannot occur there, by rule; null where it can. */
export function impossible({ method, path, purpose }: Use, { name, done }: Fault): string | null {
  const reading = method === 'GET';
  if (name === 'wrong total_items' && !(purpose === 'read' && path.endsWith('/linear-playlist')))
    return '`total_items` is a member of the list of playlists (playlist-api-v4 section 2.3)';
  if (name.startsWith('error with') && path.startsWith('/api/v4/')) return '`error` is a member of v3 answers (drm-api-v3 section 7)';
  if (done && name.endsWith('after the write') && reading) return 'a read writes nothing';
  if (/truncated|stalled|Content-Length/.test(name) && method === 'DELETE' && path.startsWith('/api/v4/'))
    return 'the answer has no body (playlist-api-v4 section 4.6)';
  return null;
}

/** All cells, also those that cannot occur. */
export const CELLS: readonly Cell[] = USES.flatMap((use) =>
  FAULTS.flatMap((fault) => ATTEMPTS.map((attempt): Cell => ({ use, fault, attempt }))),
);
