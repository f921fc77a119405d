/** A probe infers what the emulator is, or says that it did not find out, and leaves nothing behind. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseScopedKey } from '../../src/core/api-client/scoped-key.ts';
import { defaultQuirks, type ServiceQuirks } from '../../src/emulator/quirks.ts';
import type { FaultRule } from '../../src/emulator/server.ts';
import { ASSUMPTIONS } from '../../src/probe/assumptions.ts';
import type { ProbeStep } from '../../src/probe/probe-report.ts';
import { type ProbeResult, plannedSteps } from '../../src/probe/run-probe.ts';
import { recordCheck, rounds } from '../support/figures.ts';
import { OWNER } from '../support/harness.ts';
import { atMost } from '../support/patience.ts';
import { assertAsyncProperty } from '../support/property.ts';
import { ALL_SCOPES, scopedKey } from '../support/scoped-keys.ts';
import { ACCOUNT_SETTINGS, type Account, ASSET, probed, seedWith, startAccount, wrongQuirks } from './closed-loop.ts';

/** The values of each quirk that an API key shows, the default first. */
const VALUES: {
  readonly [quirk in Exclude<
    keyof ServiceQuirks,
    'scopedKeyPost' | 'scheduleResets' | 'scheduleAnswered'
  >]: readonly ServiceQuirks[quirk][];
} = {
  createdStatus: [201, 200],
  emptyLists: ['present', 'missing'],
  smartStartElements: ['ids', 'objects'],
  numericStrings: [false, true],
  switches: ['numbers', 'booleans'],
  assetIdCase: ['kept', 'folded'],
  unknownMembers: [false, true],
  abridgedPolicies: [false, true],
  unsetSchedule: ['null', 'absent', 'empty'],
  lookUps: ['list', 'object'],
  unsetSlicers: ['null', 'empty'],
  listOrder: ['insertion', 'reversed', 'shuffled'],
  patchMerges: [false, true],
  storedNames: ['asSent', 'trimmed', 'nfc', 'cut', 'escaped'],
  answeredNames: ['stored', 'asSent'],
  answeredIds: ['new', 'existing'],
  compression: ['never', 'accepted', 'always'],
  readDelayMs: [0, 3_000],
};

const SETTINGS = Object.entries(VALUES).flatMap(([quirk, values]) => values.map((value) => ({ quirk, value })));
const quirksOf = (settings: readonly { readonly quirk: string; readonly value: unknown }[]): Partial<ServiceQuirks> =>
  Object.fromEntries(settings.map(({ quirk, value }) => [quirk, value]));

/** All pairs of values of two quirks. */
const PAIRS = SETTINGS.flatMap((first, index) =>
  SETTINGS.slice(index + 1).flatMap((second) => (first.quirk === second.quirk ? [] : [quirksOf([first, second])])),
);

/** Every effect of a fault rule on one request. */
const EFFECTS: readonly FaultRule[] = [
  ...[400, 401, 403, 404, 408, 429, 500, 503].map((status): FaultRule => ({ status, body: { '@type': 'Error' } })),
  { status: 200, body: {} },
  { status: 200, body: { error: 0 } },
  { status: 204 },
  { status: 302, headers: { location: 'https://example.com/' } },
  { html: true },
  { error: { code: 7, msg: 'no' } },
  { status: 500, afterWrite: true },
  { status: 400, body: {}, afterWrite: true },
  { reset: 'before' },
  { reset: 'after' },
  { merge: true },
  { storedNames: 'cut' },
  { existingId: true },
  { truncateList: true },
  { truncateList: 1, adjustTotal: true },
  { truncateBody: true },
  { empty: true },
  { contentLength: 'long' },
  { continueFirst: true },
  { partial: true },
];

/** What the emulator does under a fault that is also a quirk. */
const QUIRK_OF_FAULT = { patchMerges: [false, true], storedNames: ['asSent', 'cut'], answeredIds: ['new', 'existing'] };

const [read, write] = plannedSteps({ steps: ['read', 'write'], asset: ASSET, hasScopedKey: false });
const REQUESTS = (read?.count ?? 0) + (write?.count ?? 0);

async function probeOf(account: Account, steps: readonly ProbeStep[] = ['read', 'write']): Promise<ProbeResult> {
  const result = await account.probe({ steps });
  if (result === 'killed') throw new Error('the probe was killed');
  return result;
}

/** Probes an account with these quirks. */
async function probeQuirks(quirks: Partial<ServiceQuirks>): Promise<void> {
  const account = await startAccount({ quirks });
  const result = await probeOf(account);
  const truth = { ...defaultQuirks, ...quirks };
  expect(wrongQuirks(result, truth)).toEqual([]);
  expect(missing(result, truth)).toEqual([]);
  expect([account.leftovers(), account.changed(), account.journal.text(), result.leftBehind]).toEqual([[], [], '', []]);
  await account.close();
}

/** Returns the quirks that were not found out although the account shows them. */
function missing(result: ProbeResult, truth: ServiceQuirks): readonly string[] {
  const found = Object.keys(probed(result).quirks);
  // Names that are stored as they are sent do not show how they would be answered otherwise.
  const hidden = [
    ...['scopedKeyPost', 'scheduleResets', 'scheduleAnswered'],
    ...(truth.storedNames === 'asSent' ? ['answeredNames'] : []),
    // An unknown member makes an empty schedule one that is set.
    ...(truth.unsetSchedule === 'empty' && truth.unknownMembers ? ['unsetSchedule'] : []),
    // Slicers that were set and emptied look alike.
    ...(truth.unsetSlicers === 'empty' ? ['unsetSlicers'] : []),
  ];
  return Object.keys(truth).filter((quirk) => !found.includes(quirk) && !hidden.includes(quirk));
}

describe('a probe of an account without faults', () => {
  test('finds out everything that it asks, as the assumptions say, and leaves nothing behind', async () => {
    const account = await startAccount();
    const { answers, settings, leftBehind, requests } = await probeOf(account);
    expect(requests).toBe(account.emulator.requests().length);
    expect(requests).toBeLessThanOrEqual(REQUESTS);
    const open = answers.filter(({ state }) => state === 'not found out').map(({ id }) => id);
    expect(open).toEqual(['scoped-key-v3-post', 'names-answered']);
    const others = answers.filter(({ state }) => !['assumed', 'measured', 'not found out'].includes(state));
    expect(others.map(({ id, found }) => [id, found])).toEqual([['signature-in-header', 'accepted']]);
    expect(answers.map(({ id }) => id)).toEqual(ASSUMPTIONS.filter(({ question }) => question).map(({ id }) => id));
    expect([settings, leftBehind, account.leftovers(), account.changed(), account.journal.text()]).toEqual([[], [], [], [], '']);
  });

  test.each([8_000, 20_000])('whose reads lag by %i milliseconds leaves nothing behind', async (readDelayMs) => {
    const account = await startAccount({ quirks: { readDelayMs } });
    const { answers, leftBehind } = await probeOf(account);
    expect(answers.find(({ id }) => id === 'read-delay')?.found).toBe('later');
    expect([leftBehind, account.leftovers(), account.changed(), account.journal.text()]).toEqual([[], [], [], '']);
  });

  test('by reads only sends no write', async () => {
    const account = await startAccount();
    await account.probe({ steps: ['read'] });
    const writes = account.emulator.requests().filter(({ method, path }) => method !== 'GET' && !path.startsWith('/api2/'));
    expect([writes, account.journal.text()]).toEqual([[], '']);
    expect(account.emulator.requests().length).toBeLessThanOrEqual(read?.count ?? 0);
  });

  test('without an asset writes only a policy, and says what needs an asset', async () => {
    const account = await startAccount();
    const result = await account.probe({ asset: null });
    if (result === 'killed') throw new Error('the probe was killed');
    const writes = account.emulator.requests().filter(({ method, path }) => method !== 'GET' && !path.startsWith('/api2/'));
    expect(new Set(writes.map(({ path }) => path.replace(/[0-9a-f]{32}/, 'ID')))).toEqual(
      new Set(['/api/v3/drm/policies/create-or-update', '/api/v3/drm/policy/ID']),
    );
    expect(result.answers.find(({ id }) => id === 'patch-list')).toMatchObject({ state: 'not found out', detail: 'needs --asset' });
  });

  test('writes nothing with an asset that has an asset playlist', async () => {
    const account = await startAccount();
    account.emulator.edit({
      emulation: 'playlist',
      collection: 'playlists',
      id: ASSET,
      document: { id: ASSET, desc: 'theirs', active: 1, playlist: [{ beam: { id: ASSET } }] },
    });
    const result = await account.probe();
    if (result === 'killed') throw new Error('the probe was killed');
    expect(result.answers.find(({ id }) => id === 'patch-list')?.detail).toBe('the asset of --asset has an asset playlist');
    expect(account.leftovers()).toEqual([`playlist ${ASSET}`]);
  });
});

test.each(['any', 'form', 'json'] as const)(
  'a probe with a scoped key finds out that a POST may carry its data as: %s',
  async (scopedKeyPost) => {
    const key = scopedKey('probe', ALL_SCOPES);
    const account = await startAccount({ scopedKeys: [key.emulated], quirks: { scopedKeyPost } });
    const { key: parsed } = parseScopedKey(key.file);
    const result = await account.probe({ credentials: { owner: OWNER, scopedKey: parsed } });
    if (result === 'killed') throw new Error('the probe was killed');
    expect(probed(result).quirks.scopedKeyPost).toBe(scopedKeyPost);
    expect(wrongQuirks(result, { ...defaultQuirks, scopedKeyPost })).toEqual([]);
    const signatures = ['signature-in-header', 'v3-post', 'replay', 'timestamp-age', 'bad-key-v4', 'bad-key-v3'];
    expect(result.answers.filter(({ id, found }) => found !== null && signatures.includes(id))).toEqual([]);
    expect([account.leftovers(), account.journal.text(), result.leftBehind]).toEqual([[], '', []]);
  },
);

test('a probe with a key that may not write does not say that the service accepts no POST', async () => {
  const account = await startAccount({ faults: [{ method: 'POST', path: '/api/v3/*', status: 403, body: {} }] });
  const { answers } = await probeOf(account);
  expect(answers.find(({ id }) => id === 'v3-post')).toMatchObject({ state: 'not found out' });
  expect(answers.filter(({ state }) => state === 'contradicted')).toEqual([]);
});

test('a probe never changes a setting of the account', async () => {
  const account = await startAccount({ seed: seedWith(ACCOUNT_SETTINGS) });
  await probeOf(account);
  const writes = account.emulator.requests().filter(({ method, path }) => method === 'POST' && /statuses|static|rotation/.test(path));
  expect([writes, account.changed()]).toEqual([[], []]);
});

test('an interrupted probe starts no further question, and still removes what it created', async () => {
  const account = await startAccount();
  const interrupt = new AbortController();
  const { append } = account.journal;
  account.journal.append = (line) => {
    append(line);
    interrupt.abort();
  };
  const result = await account.probe({ signal: interrupt.signal });
  if (result === 'killed') throw new Error('the probe was killed');
  const creates = account.emulator.requests().filter(({ method, path }) => method === 'POST' && !path.startsWith('/api2/'));
  expect(creates).toHaveLength(1);
  expect([account.leftovers(), account.journal.text(), result.leftBehind]).toEqual([[], '', []]);
});

test('a probe does not take a playlist of a killed probe for gone while every list is cut off, and the next one removes it', async () => {
  const path = '/api/v4/linear-playlist';
  const whole = await startAccount();
  await whole.probe({ steps: ['write'] });
  const create = whole.emulator.requests().findIndex((request) => request.method === 'POST' && request.path === path) + 1;

  const account = await startAccount();
  expect(await account.probe({ steps: ['write'], killAt: create, sent: true })).toBe('killed');
  const [left] = account.leftovers();
  expect(left).toMatch(/^playlist /);
  account.emulator.setFaults([{ method: 'GET', path, truncateList: true }]);
  const cut = await account.probe({ steps: ['write'], asset: null });
  if (cut === 'killed') throw new Error('the probe was killed');
  const found = [account.leftovers(), cut.leftBehind];
  expect(found, 'what is left in the account, and what the probe says of it').toEqual([[left], [expect.stringMatching(/^playlist /)]]);
  await expectNothingLeft(account, 'after a probe that got whole lists');
});

test(`a probe infers each of ${rounds(20, PAIRS.length)} pairs of quirks`, { timeout: atMost(rounds(120_000, 900_000)) }, async () => {
  const step = Math.ceil(PAIRS.length / rounds(20, PAIRS.length));
  await recordCheck({ proof: 'probe', name: 'pairs of quirks', wanted: 'each inferred' }, async () => {
    for (const [index, pair] of PAIRS.entries()) if (index % step === 0) await probeQuirks(pair);
    return Math.ceil(PAIRS.length / step);
  });
});

/** Probes an account with a fault at one request, and again without it. Returns what is wrong. */
async function probeFault(effect: FaultRule, nth: number): Promise<readonly string[]> {
  const account = await startAccount({ faults: [{ ...effect, nth }] });
  const result = await probeOf(account);
  const situation = `${JSON.stringify(effect)} at request ${nth}`;
  const allowed = (quirk: string): readonly unknown[] => ofQuirk(QUIRK_OF_FAULT, quirk) ?? [ofQuirk({ ...defaultQuirks }, quirk)];
  const wrong = Object.entries(probed(result).quirks).filter(([quirk, value]) => !allowed(quirk).includes(value));
  const contradicted = result.answers.filter(({ state, id }) => state === 'contradicted' && !['patch-list', 'ids-answered'].includes(id));
  await expectNothingLeft(account, situation);
  return [...wrong.map(([quirk]) => quirk), ...contradicted.map(({ id }) => id)].map((name) => `${name}: ${situation}`);
}

function ofQuirk<Value>(values: { readonly [name: string]: Value }, name: string): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** Expects that the next probe leaves no object behind. */
async function expectNothingLeft(account: Account, situation: string): Promise<void> {
  account.emulator.setFaults([]);
  if (account.journal.text() !== '') expect(await account.probe({ steps: ['write'] })).not.toBe('killed');
  expect([account.leftovers(), account.changed(), account.journal.text()], situation).toEqual([[], [], '']);
  await account.close();
}

test('a probe infers nothing wrong under a single fault at any request, and the next one leaves nothing behind', {
  timeout: atMost(rounds(120_000, 3_600_000)),
}, async () => {
  const cells = EFFECTS.flatMap((effect) => Array.from({ length: REQUESTS }, (_, index) => ({ effect, nth: index + 1 })));
  const step = rounds(157, 1);
  await recordCheck({ proof: 'probe', name: 'single faults', wanted: 'nothing wrong inferred' }, async () => {
    const wrong: string[] = [];
    for (const [index, { effect, nth }] of cells.entries()) if (index % step === 0) wrong.push(...(await probeFault(effect, nth)));
    expect(wrong).toEqual([]);
    return Math.ceil(cells.length / step);
  });
});

const anyQuirks = fc.record(
  Object.fromEntries(Object.entries(VALUES).map(([quirk, values]) => [quirk, fc.constantFrom<unknown>(...values)])),
);
const anyKill = fc.record({ quirks: anyQuirks, killAt: fc.integer({ min: 1, max: 160 }), sent: fc.boolean() });

test('after a probe that was killed while reads did not show yet what it created, the next one removes that', async () => {
  for (let killAt = 28; killAt <= 44; killAt += 1) {
    const account = await startAccount({ quirks: { readDelayMs: 3_000, answeredIds: 'new' } });
    await account.probe({ steps: ['read', 'write'], killAt, sent: true });
    await probeOf(account);
    expect([account.leftovers(), account.changed(), account.journal.text()], `killed at ${killAt}`).toEqual([[], [], '']);
    await account.close();
  }
});

test('after a probe that was killed at any request, the next one infers the quirks and leaves nothing behind', {
  timeout: atMost(rounds(120_000, 3_600_000)),
}, async () => {
  const numRuns = rounds(12, 1_000);
  const property = fc.asyncProperty(anyKill, async ({ quirks, killAt, sent }) => {
    const account = await startAccount({ quirks });
    await account.probe({ steps: ['read', 'write'], killAt, sent });
    const result = await probeOf(account);
    expect(wrongQuirks(result, { ...defaultQuirks, ...quirks })).toEqual([]);
    expect([account.leftovers(), account.changed(), account.journal.text()]).toEqual([[], [], '']);
    await account.close();
  });
  await recordCheck({ proof: 'probe', name: 'killed probes', wanted: 'nothing left behind' }, async () => {
    await assertAsyncProperty(property, { numRuns });
    return numRuns;
  });
});
