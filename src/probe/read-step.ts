/** The first step of a probe: reads only. It reads what the kinds ask, and asks what holds for all kinds. */
import type { Exchange, Exchanges, Found, Item, ProbedRead, Readers, Row } from '../core/kinds/probe.ts';
import {
  agreed,
  idOf,
  isSameOrder,
  isSuccess,
  MIN_ORDER_BITS,
  NO_ANSWER,
  notFound,
  orderBits,
  refusalOf,
} from '../core/kinds/probe-answers.ts';
import { isObject } from '../core/model/json.ts';
import { asInteger, asList } from '../core/model/json-readers.ts';
import { listedPointers } from '../core/model/member-pointers.ts';
import { randomHex, versionOf } from './exchange.ts';
import { cheapestRequests, KIND_QUESTIONS, LIST_OF_V4 } from './kind-questions.ts';

const READS = KIND_QUESTIONS.flatMap(({ reads }) => reads);
const LISTS = READS.flatMap(({ name, itemsIn }) => (itemsIn ? [{ name, itemsIn }] : []));
const PAGING = { limit: '1', page_size: '1', per_page: '1' };
const UNCOMPRESSED = { 'accept-encoding': 'identity' };

/** Returns the names of both readings. */
function bothReadingsOf({ name }: Pick<ProbedRead, 'name'>): readonly string[] {
  return [name, `${name} again`];
}

const READINGS_OF_V4 = bothReadingsOf(LIST_OF_V4);

/** Returns the requests of the step, in order. With a scoped key, which signs nothing, those about signatures are left out. */
export function readRows(hasScopedKey: boolean): readonly Row[] {
  return allRows().filter(({ signed }) => signed === undefined || !hasScopedKey);
}

function allRows(): readonly Row[] {
  const unknown = randomHex();
  const { v4, v3 } = cheapestRequests(unknown);
  const get = (name: string, request: Pick<Row, 'path' | 'query'>, more: Partial<Row> = {}): Row => ({
    name,
    method: 'GET',
    ...request,
    ...more,
  });
  const { path } = LIST_OF_V4;
  return [
    get('signature first', v4, { signed: { repeat: 'first' } }),
    get('signature again at once', v4, { signed: { repeat: 'first' }, twice: true }),
    ...KIND_QUESTIONS.flatMap(({ reads, rows }) => [
      ...reads.flatMap((read) => bothReadingsOf(read).map((name) => get(name, { path: read.path }))),
      ...(rows?.(unknown) ?? []),
    ]),
    get('uncompressed', { path }, { headers: UNCOMPRESSED }),
    get('paged', { path }, { query: PAGING }),
    get('paged again', { path }, { query: PAGING, fill: (seen) => (pageOf(seen, 'paged') === 'honored' ? {} : null) }),
    get('header v4', v4, { signed: 'in the header', twice: true }),
    get('header v3', v3, { signed: 'in the header', twice: true }),
    get('wrong key v4', v4, { signed: 'with a wrong key', twice: true }),
    get('wrong key v3', v3, { signed: 'with a wrong key', twice: true }),
    get('old', v3, { signed: 'ten minutes ago', twice: true }),
    get('signature again later', v4, { signed: { repeat: 'first' }, twice: true }),
  ];
}

/** The readers of the answers, by assumption. */
export const READ_READERS: Readers = {
  ...Object.assign({}, ...KIND_QUESTIONS.map(({ readers }) => readers)),
  'signature-accepted'(seen) {
    const answers = READS.flatMap(bothReadingsOf).map((name) => acceptance(seen.get(name)));
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
  'total-items': (seen) => agreed([...READINGS_OF_V4, 'uncompressed'].map((name) => totalOf(seen.get(name)))),
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
    const accepted = agreed(READINGS_OF_V4.map((name) => isCompressed(seen.get(name))));
    const plain = isCompressed(seen.get('uncompressed'));
    if (accepted.found === null || plain === undefined) return NO_ANSWER;
    if (accepted.found === 'no') return plain === 'no' ? { found: 'none' } : NO_ANSWER;
    return { found: plain === 'no' ? 'where accepted' : 'always' };
  },
  integers: (seen) =>
    agreed(
      READS.filter(({ itemsIn }) => itemsIn).flatMap((read) =>
        bothReadingsOf(read).map((name) => formOfIntegers(integersIn(read, seen.get(name)))),
      ),
      'no integer was shown',
    ),
  'unknown-members': unknownMembers,
  'resettable-members': resettableMembers,
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
};

const REQUEST_IDS = ['x-services', 'x-request-id', 'request-id', 'x-amzn-requestid', 'x-correlation-id'];

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

function totalOf(exchange: Exchange | undefined): string | undefined {
  const items = LIST_OF_V4.itemsIn?.(exchange);
  if (items === undefined || !isObject(exchange?.body) || !Array.isArray(exchange.body.items)) return undefined;
  const total = asInteger(exchange.body.total_items);
  if (total === undefined) return 'missing';
  return total === items.length ? 'counts the items' : total < items.length ? 'fewer than the items' : 'more than the items';
}

/** Returns how a list with paging parameters was answered; `few` where the account has too few playlists to tell. */
function pageOf(seen: Exchanges, name: string): 'ignored' | 'honored' | 'refused' | 'few' | undefined {
  const exchange = seen.get(name);
  const [all, page] = [seen.get(LIST_OF_V4.name), exchange].map((each) => LIST_OF_V4.itemsIn?.(each));
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

/** The readings of lists that are compared, in pairs. */
const PAIRS = [
  ...LISTS.map(({ name, itemsIn }) => ({ one: name, other: `${name} again`, itemsIn })),
  { one: `${LIST_OF_V4.name} again`, other: 'uncompressed', itemsIn: LIST_OF_V4.itemsIn },
  { one: LIST_OF_V4.name, other: 'paged', itemsIn: LIST_OF_V4.itemsIn },
];

/** Returns the lists that were read twice while nobody changed them. */
function listPairs(seen: Exchanges): readonly ListPair[] {
  return PAIRS.flatMap(({ one, other, itemsIn }): readonly ListPair[] => {
    const [a, b] = [seen.get(one), seen.get(other)];
    const [first, second] = [itemsIn?.(a), itemsIn?.(b)];
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

function integersIn({ itemsIn, integers = [] }: ProbedRead, exchange: Exchange | undefined): readonly unknown[] {
  const ofItems = (itemsIn?.(exchange) ?? []).flatMap((item) => integers.map((name) => item[name]));
  const total = isObject(exchange?.body) && isSuccess(exchange) ? [exchange.body.total_items] : [];
  return [...ofItems, ...total].filter((value) => value !== undefined && value !== null);
}

function formOfIntegers(values: readonly unknown[]): string | undefined {
  const forms = new Set(values.map((value) => (typeof value === 'number' ? 'numbers' : typeof value === 'string' ? 'strings' : 'mixed')));
  const [form] = forms;
  return forms.size > 1 ? 'mixed' : form;
}

/** The members that the documents name in every answer. */
const MEMBERS_OF_ANSWERS = { v4: ['@id', '@type', 'total_items'], v3: ['error', 'msg', 'owner'], v2: [] };

/** Returns the members that no document names, where both readings of a list show them. Names that could be data are only counted. */
function unknownMembers(seen: Exchanges): Found {
  const found = READS.flatMap((read): readonly (ReadonlySet<string> | undefined)[] => {
    const { documented } = read;
    if (documented === undefined) return [];
    const members = MEMBERS_OF_ANSWERS[versionOf(read.path)];
    const readings = bothReadingsOf(read).map((name) => unknownIn(seen.get(name), documented.main, members, documented.ofItems));
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

/** A step of a pointer that cannot be data of the account. */
const NAME = /^(@?[a-z][a-z0-9_]{0,39}|\*)$/;

/** Returns the members that no document names and that an update would reset, where both readings show them. */
function resettableMembers(seen: Exchanges): Found {
  const paths = READS.flatMap((read): readonly (readonly string[] | undefined)[] => {
    if (read.resettableIn === undefined) return [];
    const [first, second] = bothReadingsOf(read).map((name) => read.resettableIn?.(seen.get(name)));
    return [first && second && first.filter((path) => second.includes(path))];
  });
  const known = paths.filter((each) => each !== undefined);
  if (known.length < paths.length) return NO_ANSWER;
  const pointers = listedPointers(known.flat()).toSorted();
  if (pointers.length === 0) return { found: 'none' };
  const items = pointers.filter((path) =>
    path
      .slice(1)
      .split('/')
      .every((step) => NAME.test(step)),
  );
  const hidden = pointers.length - items.length;
  const shown = items.slice(0, MAX_POINTERS);
  const more = [
    ...(items.length > shown.length ? [`${items.length - shown.length} more`] : []),
    ...(hidden > 0 ? [`${hidden} that may be data`] : []),
  ];
  return { found: 'some', detail: [...shown, ...more].join(', '), items };
}

/** Number of pointers that an answer shows. */
const MAX_POINTERS = 10;

function figure(values: readonly number[], text: (values: readonly number[]) => string): Found {
  return values.length === 0 ? NO_ANSWER : { found: text(values) };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
