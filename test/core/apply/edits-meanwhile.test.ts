/**
 * Random waits, refusals and edits by hand around every request: no edit is overwritten, and no object deleted, that is newer than the last
 * read before the write, and that read began at most 30 seconds before it (design section 4, rule 3). The log of the service decides, which
 * knows nothing of the client.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createApiClient } from '../../../src/core/api-client/client.ts';
import type { ApplyResult } from '../../../src/core/apply/input.ts';
import { AFTER_READ_MS, FRESH_MS } from '../../../src/core/apply/looks.ts';
import type { ApiRequest, ApiService } from '../../../src/core/kinds/kind.ts';
import type { Fetch } from '../../../src/core/model/fetch.ts';
import { isObject, type JsonObject } from '../../../src/core/model/json.ts';
import { createSettling } from '../../../src/core/model/pauses.ts';
import { FakeAccount } from '../../support/fake-account.ts';
import { dial, rule, song } from '../../support/fake-kinds.ts';
import { record, rounds } from '../../support/figures.ts';
import { applyPlan, aRule, aSingle, aSong, desiredStateOf, planFor, theDial } from '../../support/planning.ts';
import { assertAsyncProperty } from '../../support/property.ts';
import { simulatedClock } from '../api-client/simulation.ts';

const RUNS = rounds(150, 5_000);
const list = ['x', 'y'];
const SETTLE_MS = 10_000;
const START = 1_700_000_000_000;
/** More than any of the runs needs: eleven changes, and 30 requests at most that come to nothing. */
const MOST_REQUESTS = 400;

/** What happens around one request. Times in milliseconds. */
interface Event {
  /** How long it takes. */
  readonly tookMs: number;
  readonly answer: 'as usual' | '429' | '503' | '500' | 'lost before' | 'lost after' | '400';
  readonly retryAfterS: number | null;
  /** What somebody edits after it, by a number. */
  readonly edit: number | null;
}

const event: fc.Arbitrary<Event> = fc.record({
  tookMs: fc.constantFrom(0, 10, 10, 500, 4_000, 22_000, 31_000),
  answer: fc.constantFrom(
    ...(['as usual', 'as usual', 'as usual', 'as usual', '429', '429', '503', '500', 'lost before', 'lost after', '400'] as const),
  ),
  retryAfterS: fc.constantFrom(null, null, 1, 16, 33),
  edit: fc.option(fc.nat(11), { freq: 2 }),
});

const scenario = fc.record({
  events: fc.array(event, { minLength: 1, maxLength: 30 }),
  giveUpSeconds: fc.constantFrom(0, 20, 120),
  requestsPerSecond: fc.constantFrom(0, 0, 10, 1, 0.1, 0.02),
  concurrency: fc.constantFrom(1, 2, 4),
  settleSeconds: fc.constantFrom(0, SETTLE_MS / 1000),
  pauseMs: fc.constantFrom(0, 20_000, 29_000, 60_000),
  /** Whether objects with names are created, too. */
  hasNames: fc.boolean(),
});

/** One request as the service got it. Times in milliseconds. */
interface Logged {
  readonly method: string;
  readonly resource: string;
  /** Empty for a list, `?` for a search. */
  readonly id: string;
  /** When it arrived, and when it was carried out. */
  readonly sentAt: number;
  readonly at: number;
  readonly isExecuted: boolean;
  /** Of a write: the documents that it changed, or created another one beside, which somebody had edited; and when. */
  readonly overwrote: ReadonlyMap<string, number>;
}

/** The service behind the client: answers as the events say, on a clock that only requests and waits advance, and logs what it does. */
function createService(events: readonly Event[], { now, sleep }: Pick<ReturnType<typeof simulatedClock>, 'now' | 'sleep'>) {
  const account = new FakeAccount({
    songs: { one: { title: 'a', level: 0, list }, two: { title: 'b', level: 0, list }, gone: { title: 'gone', level: 0, list } },
    rules: { r: { name: 'p', strength: 1 }, s: { name: 'old', strength: 1 } },
    dial: { list: [], open: false },
  });
  const queue: Event[] = [];
  const log: Logged[] = [];
  /** When somebody edited a document, as long as it is as they left it. */
  const byHand = new Map<string, number>();
  const put = (resource: 'songs' | 'rules', id: string, document: JsonObject | null): readonly string[] => {
    if (document === null) account[resource].delete(id);
    else account[resource].set(id, document);
    return [`${resource}/${id}`];
  };
  const setDial = (members: JsonObject): readonly string[] => {
    account.setDial({ ...account.dial, ...members });
    return Object.keys(members).map((member) => `dial/${member}`);
  };
  const edits: readonly (() => readonly string[])[] = [
    () => put('songs', 'one', { title: 'a', level: 7, list }),
    () => put('songs', 'two', { title: 'b', level: 7, list }),
    () => put('songs', 'two', { title: 'b', level: 2, list }),
    () => put('songs', 'gone', { title: 'gone', level: 7, list }),
    () => put('songs', 'gone', null),
    () => put('songs', 'one', null),
    () => put('rules', 'r', { name: 'p', strength: 8 }),
    () => put('rules', 's', { name: 'old', strength: 8 }),
    () => put('songs', 'hand', { title: 'new', level: 6, list }),
    () => setDial({ list: ['hand'] }),
    () => setDial({ list: [] }),
    () => setDial({ open: true, list: ['s'] }),
  ];
  const valuesOf = (): ReadonlyMap<string, string> =>
    new Map([
      ...[...account.songs].map(([id, each]) => [`songs/${id}`, JSON.stringify(each)] as const),
      ...[...account.rules].map(([id, each]) => [`rules/${id}`, JSON.stringify(each)] as const),
      ...Object.entries(account.dial).map(([member, value]) => [`dial/${member}`, JSON.stringify(value)] as const),
    ]);
  /** Carries a request out. Returns the edits that it overwrote, or created another object beside. */
  const execute = async (
    request: ApiRequest,
  ): Promise<{ readonly status: number; readonly body: unknown; readonly overwrote: ReadonlyMap<string, number> }> => {
    const before = valuesOf();
    const served = await account.send(request).catch(() => ({ status: 404, body: {} }));
    const after = valuesOf();
    const title = request.method === 'POST' && request.path === '/songs' && isObject(request.body) ? request.body.title : undefined;
    const isBeside = (document: string) =>
      title !== undefined && document.startsWith('songs/') && account.songs.get(document.slice(6))?.title === title;
    const hit = [...byHand].filter(([document]) => before.get(document) !== after.get(document) || isBeside(document));
    for (const [document] of hit) byHand.delete(document);
    return { ...served, overwrote: new Map(request.method === 'GET' ? [] : hit) };
  };
  /** Answers one request. @throws an error of the connection where the answer is lost */
  const answer = async (
    request: ApiRequest,
  ): Promise<{ readonly status: number; readonly body: unknown; readonly retryAfterS: number | null }> => {
    const { tookMs = 10, answer: how = 'as usual', retryAfterS = null, edit = null } = queue.shift() ?? {};
    const sentAt = now();
    await sleep(tookMs);
    const isExecuted = how === 'as usual' || how === 'lost after';
    const at = now();
    const { status, body, overwrote } = isExecuted
      ? await execute(request)
      : { status: Number(how), body: {}, overwrote: new Map<string, number>() };
    const [, resource = '', id = ''] = request.path.split('/');
    log.push({
      method: request.method,
      resource: resource === 'bulk' ? 'songs' : resource,
      id: resource === 'bulk' ? '' : request.query ? '?' : id,
      sentAt,
      at,
      isExecuted,
      overwrote,
    });
    const edited = edit === null ? [] : (edits[edit % edits.length]?.() ?? []);
    for (const document of edited) {
      // Who restores what was planned cannot be told from nobody.
      if (valuesOf().get(document) === planned.get(document)) byHand.delete(document);
      else byHand.set(document, now());
    }
    if (how.startsWith('lost')) throw Object.assign(new Error('broken'), { code: 'ECONNRESET' });
    return { status, body, retryAfterS };
  };
  const planned = valuesOf();
  return { account, log, answer, begin: () => void queue.push(...events) };
}

/** Sends by the service, as a program may in place of the network. */
function fetchOf(answer: ReturnType<typeof createService>['answer']): Fetch {
  return async (url, { method, body }) => {
    const { pathname, searchParams } = new URL(url);
    const query = Object.fromEntries([...searchParams].filter(([name]) => name === 'title' || name === 'name'));
    const request: ApiRequest = {
      method: method === 'PUT' ? 'PATCH' : method,
      path: decodeURIComponent(pathname).replace(/^\/api\/v4/, ''),
      ...(Object.keys(query).length === 0 ? {} : { query }),
      ...(body === undefined ? {} : { body: JSON.parse(body) }),
      repeatable: false,
    };
    const { status, body: answered, retryAfterS } = await answer(request);
    const bytes = new TextEncoder().encode(JSON.stringify(answered));
    return {
      status,
      headers: {
        get: (name) => (name.toLowerCase() === 'retry-after' && retryAfterS !== null && status > 400 ? String(retryAfterS) : null),
      },
      arrayBuffer: async () => bytes.buffer,
    };
  };
}

/** Plans and applies all kinds of changes while the events happen. */
async function play({
  events,
  giveUpSeconds,
  requestsPerSecond,
  concurrency,
  settleSeconds,
  pauseMs,
  hasNames,
}: typeof scenario extends fc.Arbitrary<infer Value> ? Value : never) {
  const clock = simulatedClock(3);
  const { account, log, answer, begin } = createService(events, clock);
  const { now: elapsed, sleep } = clock;
  // As long as nobody else does anything, it is awake at once.
  const wait = (ms: number): Promise<void> => (ms > 0 ? sleep(ms) : Promise.resolve());
  const client = createApiClient({
    baseUrl: 'https://services.example.com',
    credentials: { owner: '0123456789abcdef0123456789abcdef', apiKey: 'CanaryKey/Which+Nobody=May0See0Anywhere00' },
    v3Post: 'form',
    http: { concurrency, requestsPerSecond, timeoutSeconds: 60, giveUpSeconds, maxBodyMib: 1 },
    now: () => START + elapsed(),
    elapsed,
    sleep: wait,
    random: () => 0.5,
    fetch: fetchOf(answer),
  });
  const desired = [
    ...[aSong('a', { level: 1 }), aSong('b', { level: 2 }), aSingle('solo'), aSingle('duo'), aSingle('trio')],
    ...[aRule('p', 3), theDial(true, ['s'])],
    ...(hasNames ? [aSong('new'), aRule('q', 2)] : []),
  ];
  const service: ApiService = { send: (request, addresses) => client.send({ ...request, path: `/api/v4${request.path}` }, addresses) };
  const settling = createSettling(settleSeconds * 1000, { elapsed, sleep: wait });
  const run = async (): Promise<ApplyResult> => {
    const planResult = await planFor(account, desiredStateOf(desired), { service, kinds: [song, rule, dial], elapsed });
    await wait(pauseMs);
    begin();
    return applyPlan(account, planResult, { service, concurrency, settling, elapsed, waitPolicy: client.waitPolicy });
  };
  const running = run();
  await clock.until(running);
  const done = await running;
  await client.close();
  return { log, done };
}

/** The IDs of the objects that are there from the beginning. */
const EXISTING: readonly string[] = ['one', 'two', 'gone', 'r', 's'];

/**
 * Returns the last of some reads of its resource that shows the document of a write: by ID, or the list. A create rests on any that looks for
 * what is not there yet.
 */
function readOf({ method, id }: Logged, reads: readonly Logged[]): Logged | undefined {
  const own = reads.filter((read) => read.id === id || read.id === '' || (method === 'POST' && !EXISTING.includes(read.id)));
  // The log is in the order in which reads ended.
  return own.toSorted((a, b) => a.sentAt - b.sentAt).at(-1);
}

test(`in ${RUNS} runs nothing is written on an old read, and no edit that a read showed is overwritten`, { timeout: 600_000 }, async () => {
  const totals = { runs: 0, writes: 0, stale: 0, unchanged: 0, edits: 0, mostRequests: 0 };
  await assertAsyncProperty(
    fc.asyncProperty(scenario, async (given) => {
      const { log, done } = await play(given);
      for (const [index, write] of log.entries()) {
        if (write.method === 'GET') continue;
        totals.writes += 1;
        const what = `${write.method} /${write.resource}/${write.id}`;
        const reads = log
          .slice(0, index)
          .filter(
            ({ method, resource, isExecuted, at }) => method === 'GET' && isExecuted && resource === write.resource && at <= write.sentAt,
          );
        const own = readOf(write, reads);
        expect(own, `not read before ${what}`).toBeDefined();
        if (own === undefined) continue;
        const age = write.sentAt - own.sentAt;
        const sinceEnd = write.sentAt - (reads.at(-1)?.at ?? 0);
        expect(age <= FRESH_MS || sinceEnd <= AFTER_READ_MS, `${what} ${age} ms after the read began, ${sinceEnd} ms after it ended`).toBe(
          true,
        );
        totals.edits += write.overwrote.size;
        // The list in which names of objects to create are looked for is not read for other objects, although it shows them.
        if (given.hasNames && write.method !== 'POST') continue;
        for (const [document, editedAt] of write.overwrote)
          expect(editedAt, `${what} overwrote the edit of ${document}, which a read had shown`).toBeGreaterThanOrEqual(own.at);
      }
      for (const { address, result, error } of done.outcome.outcomes) {
        if (error?.startsWith('stale') === true) totals.stale += 1;
        if (result !== 'unchanged') continue;
        totals.unchanged += 1;
        const id = { 'song/a': 'one', 'song/b': 'two', 'song/~gone': 'gone', 'rule/p': 'r', 'rule/~s': 's' }[address];
        const own = log.filter((each) => each.method !== 'GET' && each.isExecuted && (each.id === id || address.startsWith(each.resource)));
        expect(id === undefined ? [] : own.filter(({ overwrote }) => overwrote.size > 0), address).toEqual([]);
      }
      totals.runs += 1;
      totals.mostRequests = Math.max(totals.mostRequests, log.length);
    }),
    { numRuns: RUNS },
  );
  const proof = 'no write on an old read';
  record({ proof, name: 'runs', value: totals.runs, wanted: `${RUNS}`, holds: totals.runs === RUNS });
  for (const name of ['writes', 'stale', 'unchanged', 'edits'] as const)
    record({ proof, name, value: totals[name], wanted: 'more than none', holds: totals[name] > 0 });
  record({
    proof,
    name: 'requests of one run',
    value: totals.mostRequests,
    wanted: `at most ${MOST_REQUESTS}`,
    holds: totals.mostRequests <= MOST_REQUESTS,
  });
  expect([totals.stale > 0, totals.unchanged > 0, totals.edits > 0, totals.mostRequests <= MOST_REQUESTS], JSON.stringify(totals)).toEqual([
    true,
    true,
    true,
    true,
  ]);
});
