/** The first step of a probe: reads only. */
import { isObject } from '../core/model/json.ts';
import { asInteger, asList, asString, asStringArray } from '../core/model/json-readers.ts';
import { agreed, type Found, NO_ANSWER, notFound, type Reader, type Row } from './answers.ts';
import { type Exchange, type Exchanges, isSuccess, randomHex, refusalOf } from './exchange.ts';
import { type Item, idOf, PLAYLISTS, POLICIES, playlistPath, playlistsIn, policiesIn, policyPath } from './scratch.ts';

const VMP = '/api/v3/drm/vmp-reject-statuses';
const SLICERS = '/api/v3/drm/static-key-slicer-ids';
const STATUS = '/api/v3/drm/use-static-encryption-key';
const SCHEDULE = '/api/v3/drm/key-rotation-schedule';
const PAGING = { limit: '1', page_size: '1', per_page: '1' };
const UNCOMPRESSED = { 'accept-encoding': 'identity' };

/** Returns the requests of the step, in order. With a scoped key, which signs nothing, those about signatures are left out. */
export function readRows(hasScopedKey: boolean): readonly Row[] {
  return allRows().filter(({ signed }) => signed === undefined || !hasScopedKey);
}

function allRows(): readonly Row[] {
  const unknown = randomHex();
  const get = (name: string, path: string, more: Partial<Row> = {}): Row => ({ name, method: 'GET', path, ...more });
  // A filter that finds nothing is the cheapest answer of v4.
  const nothing = { query: { desc: unknown } };
  return [
    get('signature first', PLAYLISTS, { ...nothing, signed: { repeat: 'first' } }),
    get('signature again at once', PLAYLISTS, { ...nothing, signed: { repeat: 'first' }, twice: true }),
    get('policies', POLICIES),
    get('policies again', POLICIES),
    get('playlists', PLAYLISTS),
    get('playlists again', PLAYLISTS),
    get('uncompressed', PLAYLISTS, { headers: UNCOMPRESSED }),
    get('paged', PLAYLISTS, { query: PAGING }),
    get('paged again', PLAYLISTS, { query: PAGING, fill: (seen) => (pageOf(seen, 'paged') === 'honored' ? {} : null) }),
    get('statuses', VMP),
    get('statuses again', VMP),
    get('static key', STATUS),
    get('slicers', SLICERS),
    get('slicers again', SLICERS),
    get('schedule', SCHEDULE),
    get('schedule again', SCHEDULE),
    get('header v4', PLAYLISTS, { ...nothing, signed: 'in the header', twice: true }),
    get('header v3', STATUS, { signed: 'in the header', twice: true }),
    get('wrong key v4', PLAYLISTS, { ...nothing, signed: 'with a wrong key', twice: true }),
    get('wrong key v3', STATUS, { signed: 'with a wrong key', twice: true }),
    get('old', STATUS, { signed: 'ten minutes ago', twice: true }),
    get('unknown playlist', playlistPath(unknown), { twice: true }),
    get('unknown policy', policyPath(unknown), { twice: true }),
    {
      name: 'lookup',
      method: 'POST',
      path: '/api2/asset/get',
      fill(seen) {
        const [asset] = assetsIn(playlistsIn(seen.get('playlists')) ?? []);
        return asset === undefined ? null : { body: { ids: [asset] } };
      },
    },
    get('signature again later', PLAYLISTS, { ...nothing, signed: { repeat: 'first' }, twice: true }),
  ];
}

function assetsIn(playlists: readonly Item[]): readonly string[] {
  return playlists.flatMap(({ playlist }) =>
    (asList(playlist) ?? []).flatMap((entry) => (isObject(entry) && isObject(entry.beam) ? (asString(entry.beam.id) ?? []) : [])),
  );
}

/** The readers of the answers, by assumption. */
export const READ_READERS: { readonly [id: string]: Reader } = {
  'signature-accepted'(seen) {
    const reads = ['policies', 'playlists', 'statuses', 'slicers', 'policies again', 'playlists again'];
    const answers = reads.map((name) => acceptance(seen.get(name)));
    // A key may lack the permission for one kind.
    return answers.includes('accepted') ? { found: 'accepted' } : agreed(answers);
  },
  'signature-in-header'(seen) {
    const [v4, v3] = ['header v4', 'header v3'].map((name) => acceptance(seen.get(name)));
    if (v4 === undefined || v3 === undefined) return NO_ANSWER;
    if (v4 === v3) return { found: v4 };
    return { found: v4 === 'accepted' ? 'on v4 only' : 'on v3 only' };
  },
  'reused-signature'(seen) {
    if (acceptance(seen.get('signature first')) !== 'accepted') return notFound('the signature was not accepted the first time');
    const [atOnce, later] = ['signature again at once', 'signature again later'].map((name) => acceptance(seen.get(name)));
    if (atOnce === undefined || later === undefined) return NO_ANSWER;
    if (atOnce === later) return { found: atOnce };
    return atOnce === 'refused' ? { found: 'refused for a time' } : NO_ANSWER;
  },
  'timestamp-age': (seen) => agreed([acceptance(seen.get('old'))]),
  clock,
  'bad-key-v4': (seen) => wrongKey(seen.get('wrong key v4')),
  'bad-key-v3': (seen) => wrongKey(seen.get('wrong key v3')),
  'unknown-id-v4': (seen) => unknownId(seen.get('unknown playlist'), ['HTTP 404']),
  'unknown-id-v3'(seen) {
    const exchange = seen.get('unknown policy');
    return policiesIn(exchange)?.length === 0 ? { found: 'no policy' } : unknownId(exchange, ['HTTP 404', 'error']);
  },
  'total-items': (seen) => agreed(['playlists', 'playlists again', 'uncompressed'].map((name) => totalOf(seen.get(name)))),
  paging(seen) {
    const first = pageOf(seen, 'paged');
    if (first === 'few') return notFound('the account has fewer than two playlists');
    return first === 'honored' ? agreed([first, pageOf(seen, 'paged again') ?? 'no answer']) : agreed([first]);
  },
  'list-order'(seen) {
    const orders = listPairs(seen).map(({ first, second }) => ({ same: isSameOrder(first, second), bits: orderBits(first.length) }));
    if (orders.some(({ same }) => !same)) return { found: 'changes' };
    const bits = orders.reduce((sum, order) => sum + order.bits, 0);
    return bits >= MIN_ORDER_BITS ? { found: 'same' } : notFound('the lists are too short');
  },
  'list-bytes': (seen) =>
    listPairs(seen).some(({ isEqual }) => !isEqual)
      ? { found: 'different' }
      : agreed(
          listPairs(seen).map(() => 'equal'),
          'no list was read twice',
        ),
  etag(seen) {
    const pairs = listPairs(seen).filter(({ compares }) => compares);
    const tags = pairs.flatMap(({ tags }) => [tags]);
    if (tags.length === 0) return notFound('no list was read twice');
    if (tags.every(([first, second]) => first === undefined && second === undefined)) return { found: 'none' };
    return agreed(
      tags.map(([first, second]) => (first === undefined || second === undefined ? undefined : first === second ? 'same' : 'changes')),
    );
  },
  compression(seen) {
    const accepted = agreed(['playlists', 'playlists again'].map((name) => isCompressed(seen.get(name))));
    const plain = isCompressed(seen.get('uncompressed'));
    if (accepted.found === null || plain === undefined) return NO_ANSWER;
    if (accepted.found === 'no') return plain === 'no' ? { found: 'none' } : NO_ANSWER;
    return { found: plain === 'no' ? 'where accepted' : 'always' };
  },
  integers: (seen) =>
    agreed(
      ['playlists', 'playlists again', 'policies', 'policies again'].map((name) => formOfIntegers(integersIn(seen.get(name)))),
      'no integer was shown',
    ),
  'unknown-members': unknownMembers,
  'answer-time': (seen) =>
    figure(
      [...seen.values()].map(({ tookMs }) => tookMs),
      (times) => `${Math.round(median(times))} ms`,
    ),
  'answer-size': (seen) =>
    figure(
      [...seen.values()].map(({ bytes }) => bytes.length),
      (sizes) => `${(Math.max(...sizes) / 1024).toFixed(1)} KiB`,
    ),
  'request-id'(seen) {
    const answers = [...seen.values()];
    if (answers.length === 0) return NO_ANSWER;
    const names = REQUEST_IDS.filter((name) => answers.every(({ header }) => header(name) !== undefined));
    return names.length === 0 ? { found: 'none' } : { found: 'some', detail: names.join(', ') };
  },
  'unset-slicers'(seen) {
    const answers = ['slicers', 'slicers again'].map((name) => seen.get(name));
    const answer = unset(answers, 'static_key_slicer_ids', 'missing');
    return answer.found === 'empty' ? notFound('an empty list, which may have been set') : answer;
  },
  'unset-schedule': (seen) =>
    unset(
      ['schedule', 'schedule again'].map((name) => seen.get(name)),
      'key_rotation_schedule',
      'absent',
    ),
  'lookup-form'(seen) {
    const exchange = seen.get('lookup');
    if (exchange === undefined) return notFound('no playlist shows an asset, or there was no usable answer');
    if (!isSuccess(exchange)) return refusalOf(exchange) === undefined ? NO_ANSWER : { found: 'refused' };
    const assets = isObject(exchange.body) ? exchange.body.assets : undefined;
    return Array.isArray(assets) ? { found: 'list' } : isObject(assets) ? { found: 'object' } : NO_ANSWER;
  },
};

const REQUEST_IDS = ['x-services', 'x-request-id', 'request-id', 'x-amzn-requestid', 'x-correlation-id'];

/** Decides whether an answer was compressed. */
function isCompressed(exchange: Exchange | undefined): 'yes' | 'no' | undefined {
  if (exchange?.status !== 200) return undefined;
  const encoding = exchange.header('content-encoding')?.trim().toLowerCase() ?? '';
  return encoding === '' || encoding === 'identity' ? 'no' : 'yes';
}

/** A minute, milliseconds. */
const MAX_SKEW_MS = 60_000;

function clock(seen: Exchanges): Found {
  const skews = [...seen.values()].flatMap(({ header, at }) => {
    const time = Date.parse(header('date') ?? '');
    return Number.isNaN(time) ? [] : [at - time];
  });
  if (skews.length === 0) return notFound('no answer shows the time of the service');
  const skew = median(skews);
  const detail = `${Math.round(Math.abs(skew) / 1000)} s${Math.abs(skew) < 1000 ? '' : skew > 0 ? ', this machine ahead' : ', this machine behind'}`;
  return { found: Math.abs(skew) <= MAX_SKEW_MS ? 'within a minute' : 'more than a minute', detail };
}

function isCredentialRefusal(exchange: Exchange): boolean {
  return ['HTTP 400', 'HTTP 401', 'HTTP 403', 'error'].includes(refusalOf(exchange) ?? '');
}

function acceptance(exchange: Exchange | undefined): 'accepted' | 'refused' | undefined {
  if (exchange === undefined) return undefined;
  if (isSuccess(exchange)) return 'accepted';
  return isCredentialRefusal(exchange) ? 'refused' : undefined;
}

function wrongKey(exchange: Exchange | undefined): Found {
  if (exchange === undefined) return NO_ANSWER;
  if (isSuccess(exchange)) return { found: 'accepted' };
  const refusal = refusalOf(exchange);
  if (refusal === undefined) return NO_ANSWER;
  if (!isCredentialRefusal(exchange)) return { found: 'another status', detail: refusal };
  return refusal === 'error'
    ? { found: refusal, detail: `error ${asInteger(isObject(exchange.body) ? exchange.body.error : undefined)}` }
    : { found: refusal };
}

function unknownId(exchange: Exchange | undefined, expected: readonly string[]): Found {
  if (exchange === undefined) return NO_ANSWER;
  const refusal = refusalOf(exchange);
  if (refusal !== undefined && expected.includes(refusal)) return { found: refusal };
  return { found: 'another answer', detail: refusal ?? `HTTP ${exchange.status}` };
}

function totalOf(exchange: Exchange | undefined): string | undefined {
  const items = playlistsIn(exchange);
  if (items === undefined || !isObject(exchange?.body) || !Array.isArray(exchange.body.items)) return undefined;
  const total = asInteger(exchange.body.total_items);
  if (total === undefined) return 'missing';
  return total === items.length ? 'counts the items' : total < items.length ? 'fewer than the items' : 'more than the items';
}

/** Returns how a list with paging parameters was answered; `few` where the account has too few playlists to tell. */
function pageOf(seen: Exchanges, name: string): 'ignored' | 'honored' | 'refused' | 'few' | undefined {
  const exchange = seen.get(name);
  const [all, page] = [playlistsIn(seen.get('playlists')), playlistsIn(exchange)];
  if (exchange !== undefined && refusalOf(exchange) === 'HTTP 400') return 'refused';
  if (all === undefined || page === undefined) return undefined;
  if (all.length < 2) return 'few';
  return page.length === all.length ? 'ignored' : page.length === 1 ? 'honored' : undefined;
}

/** Two answers with the same list, in any order. */
interface ListPair {
  readonly first: readonly string[];
  readonly second: readonly string[];
  /** Whether the answers are equal byte by byte. */
  readonly isEqual: boolean;
  readonly tags: readonly [string | undefined, string | undefined];
  /** Whether both were asked for with the same headers. */
  readonly compares: boolean;
}

const LISTS = [
  ['policies', 'policies again', policiesIn],
  ['playlists', 'playlists again', playlistsIn],
  ['playlists again', 'uncompressed', playlistsIn],
  ['playlists', 'paged', playlistsIn],
] as const;

/** Returns the lists that were read twice while nobody changed them. */
function listPairs(seen: Exchanges): readonly ListPair[] {
  return LISTS.flatMap(([one, other, itemsIn]): readonly ListPair[] => {
    const [a, b] = [seen.get(one), seen.get(other)];
    const [first, second] = [itemsIn(a), itemsIn(b)];
    if (a === undefined || b === undefined || first === undefined || second === undefined || !isSameSet(first, second)) return [];
    const ids = (items: readonly Item[]) => items.map((item) => idOf(item) ?? '');
    const compares = other.endsWith('again');
    const isEqual = !compares || Buffer.compare(a.bytes, b.bytes) === 0;
    return [{ first: ids(first), second: ids(second), isEqual, tags: [a.header('etag'), b.header('etag')], compares }];
  });
}

function isSameSet(first: readonly Item[], second: readonly Item[]): boolean {
  const sorted = (items: readonly Item[]) =>
    items
      .map((item) => JSON.stringify(item))
      .sort()
      .join('\n');
  return first.length === second.length && sorted(first) === sorted(second);
}

/** Decides whether two lists of the same IDs have the same order. */
export function isSameOrder(first: readonly string[], second: readonly string[]): boolean {
  return first.every((id, index) => id === second[index]);
}

/** How improbable an equal order by chance must be, as a power of two, before the order counts as kept. */
export const MIN_ORDER_BITS = 20;

/** Returns how improbable it is that a list of this length has the same order twice by chance: the logarithm of its permutations. */
export function orderBits(length: number): number {
  return Array.from({ length }, (_, index) => Math.log2(index + 1)).reduce((sum, bits) => sum + bits, 0);
}

function integersIn(exchange: Exchange | undefined): readonly unknown[] {
  const playlists = (playlistsIn(exchange) ?? []).flatMap(({ active, repeat }) => [active, repeat]);
  const policies = (policiesIn(exchange) ?? []).flatMap(({ created, lastmod }) => [created, lastmod]);
  const total = isObject(exchange?.body) && isSuccess(exchange) ? [exchange.body.total_items] : [];
  return [...playlists, ...policies, ...total].filter((value) => value !== undefined && value !== null);
}

function formOfIntegers(values: readonly unknown[]): string | undefined {
  const forms = new Set(values.map((value) => (typeof value === 'number' ? 'numbers' : typeof value === 'string' ? 'strings' : 'mixed')));
  const [form] = forms;
  return forms.size > 1 ? 'mixed' : form;
}

const PLAYLIST_MEMBERS = [
  ...['@id', '@type', 'id', 'desc', 'active', 'ad_slate_fill', 'beam_break_duration', 'repeat', 'skip_drm', 'studio_drm_required'],
  ...['profile', 'playlist'],
];
const POLICY_MEMBERS = ['_id', 'policy_name', 'created', 'lastmod', 'lmsig', 'owner', 'fairplay', 'widevine', 'playready'];

/** The members of the answers that the API documents name: of the answer, and of each of its items. */
const DOCUMENTED: readonly (readonly [name: string, main: string, members: readonly string[], ofItems: readonly string[]])[] = [
  ['playlists', 'items', ['@id', '@type', 'total_items'], PLAYLIST_MEMBERS],
  ['policies', 'configs', ['error', 'msg', 'owner'], POLICY_MEMBERS],
  ['statuses', 'vmp_reject_statuses', ['error', 'msg', 'owner'], []],
  ['slicers', 'static_key_slicer_ids', ['error', 'msg', 'owner'], []],
];

/** Returns the members that no document names, where both readings of a list show them. Names that could be data are only counted. */
function unknownMembers(seen: Exchanges): Found {
  const found = DOCUMENTED.flatMap(([name, main, members, ofItems]): readonly (ReadonlySet<string> | undefined)[] => {
    const readings = [name, `${name} again`].map((reading) => unknownIn(seen.get(reading), main, members, ofItems));
    const [first, second] = readings;
    if (first === undefined || second === undefined) return [];
    return [first.size === second.size && [...first].every((member) => second.has(member)) ? first : undefined];
  });
  if (found.length === 0 || found.includes(undefined)) return NO_ANSWER;
  const names = [...new Set(found.flatMap((members) => [...(members ?? [])]))].sort();
  if (names.length === 0) return { found: 'none' };
  const shown = names.filter((member) => /^@?[a-z][a-z_]{0,39}$/.test(member)).slice(0, 10);
  return { found: 'some', detail: shown.length === 0 ? `${names.length}` : shown.join(', ') };
}

function unknownIn(
  exchange: Exchange | undefined,
  main: string,
  members: readonly string[],
  ofItems: readonly string[],
): ReadonlySet<string> | undefined {
  if (exchange === undefined || !isSuccess(exchange) || !isObject(exchange.body) || !(main in exchange.body)) return undefined;
  const items = ofItems.length === 0 ? [] : (asList(exchange.body[main]) ?? []).filter(isObject);
  const top = Object.keys(exchange.body).filter((member) => member !== main && !members.includes(member));
  return new Set([...top, ...items.flatMap((item) => Object.keys(item).filter((member) => !ofItems.includes(member)))]);
}

/** Returns how a setting is shown that was never set, where all readings agree. */
function unset(exchanges: readonly (Exchange | undefined)[], member: string, missing: string): Found {
  const forms = exchanges.map((exchange) => {
    if (exchange === undefined || !isSuccess(exchange) || !isObject(exchange.body)) return undefined;
    const value = exchange.body[member];
    if (value === undefined) return missing;
    if (value === null) return 'null';
    const isEmpty = asStringArray(value)?.length === 0 || (isObject(value) && Object.keys(value).length === 0);
    return isEmpty ? 'empty' : 'set';
  });
  return forms.includes('set') ? notFound('it is set in this account') : agreed(forms);
}

function figure(values: readonly number[], text: (values: readonly number[]) => string): Found {
  return values.length === 0 ? NO_ANSWER : { found: text(values) };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
