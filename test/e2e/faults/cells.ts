/** The cells of the fault matrix: each use of an endpoint x each fault x the attempts that it meets. */
import type { FaultRule } from '../../../src/emulator/server.ts';
import { USES, type Use } from './uses.ts';

/**
 * The nature of a fault for the client:
 * - `unsent`: the request cannot have arrived; `lost`: no response, or an aborted one
 * - `busy`: retry later; `patience`: retry in years; `failing`: an error of the service or of a gateway
 * - `doubted`: a 400, which may be a replay; `credentials`, `absent`, `refused`: as named
 * - `renamed`: the object gets its name in another form; `confused`: the answer to a create names the ID of another object
 * - `late`: reads show writes later; `revoked`: from here on the key is refused
 * - `extended`: the response has members that no document names; `reshaped`: values have a form that no document describes
 * - `unreadable`: a complete response that is not JSON; `wrong`: undocumented JSON; `oversized`; `elsewhere`: a redirect
 */
export type FaultNature =
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
  | 'elsewhere'
  | 'late'
  | 'revoked'
  | 'extended'
  | 'reshaped'
  | 'renamed'
  | 'confused';

/** The data of a cell for its rule. */
export interface FaultContext {
  /** Unix milliseconds. */
  readonly now: number;
  /** URL of another host. */
  readonly elsewhere: string;
}

/** How far reads lag behind writes, and for how long a run waits for them, milliseconds. */
export interface Lag {
  readonly readDelayMs: number;
  readonly budgetMs: number;
}

/** One fault. */
export interface Fault {
  readonly name: string;
  readonly nature: FaultNature;
  /** Whether a write takes effect despite the fault. */
  readonly takesEffect: boolean;
  /** Without method, path and nth; null where the fault comes before every rule (a refused connection). */
  readonly rule: ((setting: FaultContext) => FaultRule) | null;
  /** That of the service during the whole cell [none]. */
  readonly lag?: Lag;
}

function fault(
  name: string,
  nature: FaultNature,
  takesEffect: boolean,
  rule: FaultRule | ((setting: FaultContext) => FaultRule) | null,
  lag?: Lag,
): Fault {
  return { name, nature, takesEffect, rule: typeof rule === 'object' && rule !== null ? () => rule : rule, ...(lag ? { lag } : {}) };
}

/** A lag that a run waits for. */
const SHORT_LAG: Lag = { readDelayMs: 200, budgetMs: 2_000 };
/** A lag that no run waits for: the clock of the service is moved when it is over. */
const LONG_LAG: Lag = { readDelayMs: 60_000, budgetMs: 100 };

/** Whether a run ends before reads show what it wrote. */
export function isBeyondBudget({ lag }: Fault): boolean {
  return lag !== undefined && lag.readDelayMs > lag.budgetMs;
}

function errorResponse(code: number, headers: { readonly [name: string]: string } = {}): FaultRule {
  return { status: code, headers, body: { '@type': 'Error', error: 1, code: 'staged', status_code: code, title: `staged ${code}` } };
}

function faultResponse(name: string, code: number, nature: FaultNature, headers: { readonly [name: string]: string } = {}): Fault {
  return fault(name, nature, false, errorResponse(code, headers));
}

/** Returns the same response from a proxy that has forwarded the request. */
function afterWriteResponse(code: number, nature: FaultNature): Fault {
  return fault(`${code} after the write`, nature, true, { ...errorResponse(code), afterWrite: true });
}

/** Members that the API documents name, each with a value that none of them can have. */
const WRONG_SHAPE = Object.fromEntries(
  [
    ...['id', 'playlist', 'items', 'total_items', 'ss_created', 'ss_not_created', 'ss_errored'],
    ...['configs', 'vmp_reject_statuses', 'static_key_slicer_ids', 'use_static_encryption_key', 'key_rotation_schedule'],
  ].map((member) => [member, 0.5]),
);

/** Members that a scene changes, each in a form that no document describes. */
const UNKNOWN_FORM: FaultRule = {
  replaceMembers: {
    repeat: { every: 2 },
    lease: 'perhaps',
    vmp_reject_statuses: { every: 'one' },
    static_key_slicer_ids: { every: 'one' },
    use_static_encryption_key: 'perhaps',
    key_rotation_schedule: { every: 'day', on: true },
  },
};

const FOREVER = '999999999';

/** Every fault, including responses after a write that took effect. */
export const FAULTS: readonly Fault[] = [
  fault('refused', 'unsent', false, null),
  fault('reset before', 'lost', false, { reset: 'before' }),
  fault('reset after the write', 'lost', true, { reset: 'after' }),
  fault('timeout of headers', 'lost', false, { delayMs: 600_000 }),
  fault('timeout after the write', 'lost', true, { stall: 'headers' }),
  fault('stalled body', 'lost', true, { stall: 'body' }),
  fault('truncated body', 'unreadable', true, { truncateBody: true }),
  faultResponse('400', 400, 'doubted'),
  afterWriteResponse(400, 'doubted'),
  faultResponse('401', 401, 'credentials'),
  faultResponse('403', 403, 'credentials'),
  faultResponse('404', 404, 'absent'),
  faultResponse('408', 408, 'busy'),
  afterWriteResponse(408, 'busy'),
  faultResponse('409', 409, 'refused'),
  faultResponse('413', 413, 'refused'),
  faultResponse('429, Retry-After in seconds', 429, 'busy', { 'retry-after': '1' }),
  fault('429, Retry-After as a date', 'busy', false, ({ now }) =>
    errorResponse(429, { 'retry-after': new Date(now + 2000).toUTCString() }),
  ),
  faultResponse('429, no Retry-After', 429, 'busy'),
  faultResponse('429, absurd Retry-After', 429, 'patience', { 'retry-after': FOREVER }),
  afterWriteResponse(429, 'busy'),
  faultResponse('500', 500, 'failing'),
  afterWriteResponse(500, 'failing'),
  faultResponse('502', 502, 'failing'),
  afterWriteResponse(502, 'failing'),
  faultResponse('503', 503, 'busy'),
  afterWriteResponse(503, 'busy'),
  faultResponse('504', 504, 'failing'),
  afterWriteResponse(504, 'failing'),
  fault('HTML with 200', 'unreadable', false, { html: true }),
  fault('empty 200', 'unreadable', true, { afterWrite: true, status: 200, body: '' }),
  fault('wrong shape', 'wrong', true, { afterWrite: true, status: 200, body: { error: 0, ...WRONG_SHAPE } }),
  fault('error with msg', 'refused', false, { error: { code: 7, msg: 'staged' } }),
  fault('error without msg', 'refused', false, { error: { code: 7 } }),
  fault('wrong total_items', 'wrong', false, { truncateList: 1 }),
  fault('100 MB', 'oversized', true, { flood: 100 }),
  fault('a bomb of 100 MB', 'oversized', true, { bomb: 100 }),
  fault('compressed twice', 'unreadable', true, { compress: 'twice' }),
  fault('truncated gzip', 'unreadable', true, { compress: 'truncated' }),
  fault('redirect to another host', 'elsewhere', false, ({ elsewhere }) => ({ status: 307, headers: { location: `${elsewhere}/stolen` } })),
  fault('Content-Length too short', 'unreadable', true, { contentLength: 'short' }),
  fault('Content-Length too long', 'lost', true, { contentLength: 'long' }),
  fault('206', 'unreadable', true, { partial: true }),
  fault('answers with an ID that exists', 'confused', true, { existingId: true }),
  fault('reads lag', 'late', false, {}, SHORT_LAG),
  fault('reads lag for longer', 'late', false, {}, LONG_LAG),
  fault('reset before, reads lag', 'lost', false, { reset: 'before' }, SHORT_LAG),
  fault('reset after the write, reads lag', 'lost', true, { reset: 'after' }, SHORT_LAG),
  fault('503, reads lag', 'busy', false, errorResponse(503), SHORT_LAG),
  fault('401 from here on', 'revoked', false, errorResponse(401)),
  fault('403 from here on', 'revoked', false, errorResponse(403)),
  fault('unknown members', 'extended', true, { unknownMembers: true }),
  fault('unknown form', 'reshaped', true, UNKNOWN_FORM),
  fault('stores another form', 'renamed', true, { storedNames: 'escaped' }),
];

/** The attempts of the request that meet the fault; before the second, the first one gets a 503. */
export const ATTEMPTS = ['first', 'second', 'every'] as const;
export type Attempt = (typeof ATTEMPTS)[number];

/** One cell. */
export interface Cell {
  readonly use: Use;
  readonly fault: Fault;
  readonly attempt: Attempt;
}

/** Returns why a fault cannot occur in a cell; null where it can. */
export function impossible({ use: { method, path, purpose, scene }, fault: { name, nature, takesEffect }, attempt }: Cell): string | null {
  const reading = method === 'GET';
  if (name === 'wrong total_items' && !(purpose === 'read' && path.endsWith('/linear-playlist')))
    return '`total_items` is a member of the list of playlists (playlist-api-v4 section 2.3)';
  if (name.startsWith('error with') && path.startsWith('/api/v4/')) return '`error` is a member of v3 answers (drm-api-v3 section 7)';
  if (takesEffect && name.includes('after the write') && reading) return 'a read writes nothing';
  if (/truncated|stalled|Content-Length|compressed/.test(name) && method === 'DELETE' && path.startsWith('/api/v4/'))
    return 'the answer has no body (playlist-api-v4 section 4.6)';
  if (/^unknown/.test(name) && method === 'DELETE' && path.startsWith('/api/v4/'))
    return 'the answer has no body (playlist-api-v4 section 4.6)';
  if ((nature === 'late' || nature === 'revoked') && attempt === 'every') return 'it lasts: every attempt meets it already';
  if (nature === 'confused' && !(purpose === 'create' && !path.endsWith('/smart-start')))
    return 'the answer names no ID that the service chooses (playlist-api-v4 sections 4.1 and 4.2)';
  if (nature === 'renamed' && !(purpose === 'create' && scene.storesNames)) return 'no name is sent that has another form';
  return null;
}

/** All cells, also those that cannot occur. */
export const CELLS: readonly Cell[] = USES.flatMap((use) =>
  FAULTS.flatMap((fault) => ATTEMPTS.map((attempt): Cell => ({ use, fault, attempt }))),
);
