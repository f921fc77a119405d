import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DesiredResource } from '../../../src/core/kinds/kind.ts';
import type { JsonObject } from '../../../src/core/model/json.ts';
import { FakeAccount } from '../../support/fake-account.ts';
import { rule, song } from '../../support/fake-kinds.ts';
import { rounds } from '../../support/figures.ts';
import {
  applyPlan,
  aRule,
  aSingle,
  aSong,
  changeLines,
  desiredStateOf,
  planFor,
  target,
  theDial,
  withMoves,
} from '../../support/planning.ts';
import { EMPTY_LEDGER, type LedgerHistory, planAfter, planAndApply } from '../../support/previous-states.ts';
import { assertAsyncProperty } from '../../support/property.ts';

describe('for random accounts and declarations', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd');
  const asset = fc.constantFrom('u', 'v', 'w');
  const level = fc.nat(2);
  const list = fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 2 });
  const resource: fc.Arbitrary<DesiredResource> = fc.oneof(
    fc.tuple(key, level, list).map(([name, level, items]) => aSong(name, { level, list: items })),
    fc.tuple(asset, level).map(([id, level]) => aSingle(id, { level })),
    fc.tuple(key, level).map(([name, level]) => aRule(name, level)),
    fc.boolean().map((open) => theDial(open, ['s'])),
  );
  const resources = fc.uniqueArray(resource, { selector: ({ address }) => address });
  const song = fc.tuple(key, level, list).map(([title, level, items]): JsonObject => ({ title, level, list: items }));
  const songs = fc
    .uniqueArray(song, { selector: ({ title }) => title })
    .map((all) => all.map((each, index): [string, JsonObject] => [`id-${index}`, each]));
  const singles = fc.uniqueArray(asset).map((all) => all.map((id): [string, JsonObject] => [id, { title: '', level: 0, list: [id] }]));
  const rules = fc
    .uniqueArray(fc.tuple(key, level), { selector: ([name]) => name })
    .map((all) => Object.fromEntries(all.map(([name, strength], index): [string, JsonObject] => [`r-${index}`, { name, strength }])));
  const holdings = fc.record({ songs: fc.tuple(songs, singles).map((all) => Object.fromEntries(all.flat())), rules });
  const bindings = fc.dictionary(fc.constantFrom('song/a', 'song/b', 'rule/a', 'rule/b'), fc.constantFrom('id-0', 'id-1', 'r-0', 'r-1'));

  it('the plan after an apply is empty', async () => {
    const property = fc.asyncProperty(holdings, resources, bindings, async (account, declared, adopt) => {
      const fake = new FakeAccount(account);
      const desiredState = desiredStateOf(declared, adopt);
      const first = await planFor(fake, desiredState);
      fc.pre(first.plan.summary.blocked === 0);
      const { outcome } = await applyPlan(fake, first);
      expect(outcome.summary.failed + outcome.summary.skipped).toBe(0);
      expect(outcome.verified).toBe(true);
      fake.requests.length = 0;
      const second = await planFor(fake, desiredState);
      expect(changeLines(second)).toEqual([]);
      expect((await applyPlan(fake, second)).outcome.verified).toBe(true);
      expect(fake.log()).toEqual([]);
    });
    await assertAsyncProperty(property, { numRuns: rounds(75, 1_000) });
  });

  it('ignored fields of live objects stay as they are, everything else is applied, and the plan after an apply is empty', async () => {
    const ignorable: { readonly [kind: string]: readonly string[] } = {
      song: ['/level', '/list'],
      single: ['/title', '/level', '/list'],
      rule: ['/strength'],
      dial: ['/list', '/open'],
    };
    const ignored = fc.dictionary(
      fc.constantFrom(...Object.keys(ignorable)),
      fc.subarray(['/title', '/level', '/list', '/strength', '/open']),
      { noNullPrototype: true },
    );
    const property = fc.asyncProperty(
      holdings,
      resources,
      bindings,
      ignored,
      fc.boolean(),
      async (account, declared, adopt, paths, moves) => {
        const fake = new FakeAccount(account);
        const pathsOf = ({ address }: DesiredResource) =>
          (paths[address.split('/')[0] ?? ''] ?? []).filter((path) => ignorable[address.split('/')[0] ?? '']?.includes(path));
        const place = { declared: { file: 'a.yaml', line: 1, column: 1 } };
        const desiredState = desiredStateOf(
          declared.map((each) =>
            pathsOf(each).length === 0 ? each : { ...each, ignored: pathsOf(each).map((path) => ({ path, ...place })) },
          ),
          adopt,
        );
        const first = await planFor(fake, desiredState);
        fc.pre(first.plan.summary.blocked === 0);
        const liveValueOf = (id: string | null, path: string) =>
          (id === null ? fake.dial : (fake.songs.get(id) ?? fake.rules.get(id)))?.[path.slice(1)];
        const left = declared.flatMap((each) => {
          const id = first.remoteIdByAddress.get(each.address);
          return id === undefined ? [] : pathsOf(each).map((path) => ({ id, path }));
        });
        // Others write ignored fields between plan and apply.
        for (const { id } of moves ? left.filter((each) => each.path === '/level') : [])
          if (id !== null) fake.songs.set(id, { ...fake.songs.get(id), level: 7 });
        const before = left.map(({ id, path }) => liveValueOf(id, path));
        const { outcome } = await applyPlan(fake, first);
        expect(outcome.summary.failed + outcome.summary.skipped).toBe(0);
        expect(outcome.verified).toBe(true);
        expect(left.map(({ id, path }) => liveValueOf(id, path))).toEqual(before);
        const written = await planFor(fake, desiredStateOf(declared, adopt));
        const isLeft = (address: string, path: string) => {
          const resource = declared.find((each) => each.address === address);
          return resource !== undefined && pathsOf(resource).includes(path);
        };
        const others = written.plan.changes.flatMap(({ address, fields }) =>
          fields.flatMap(({ path }) => (isLeft(address, path) ? [] : [`${address} ${path}`])),
        );
        expect(others).toEqual([]);
        fake.requests.length = 0;
        const second = await planFor(fake, desiredState);
        expect(changeLines(second)).toEqual([]);
        expect((await applyPlan(fake, second)).outcome.verified).toBe(true);
        expect(fake.log()).toEqual([]);
      },
    );
    await assertAsyncProperty(property, { numRuns: 150 });
  });

  it('the plan does not depend on the order of objects and resources', async () => {
    const shuffled = <Item>(items: readonly Item[]) => fc.shuffledSubarray([...items], { minLength: items.length });
    const inputs = fc.tuple(holdings, resources, bindings).chain(([account, declared, adopt]) =>
      fc.record({
        account: fc.constant(account),
        declared: fc.constant(declared),
        adopt: fc.constant(adopt),
        other: shuffled(declared),
        songs: shuffled(Object.entries(account.songs)).map((entries) => Object.fromEntries(entries)),
      }),
    );
    const property = fc.asyncProperty(inputs, async ({ account, declared, adopt, other, songs: reordered }) => {
      const { plan } = await planFor(new FakeAccount(account), desiredStateOf(declared, adopt));
      const again = await planFor(new FakeAccount({ ...account, songs: reordered }), desiredStateOf(other, adopt));
      expect(again.plan).toEqual(plan);
    });
    await assertAsyncProperty(property, { numRuns: rounds(75, 1_000) });
  });
});

describe('for random histories and declarations', () => {
  const fields = fc.record({ level: fc.integer({ min: 0, max: 2 }), list: fc.constantFrom(['x', 'y'], ['z', 'x'], ['q', 'x']) });
  const keys = fc.constantFrom('a', 'b', 'c', 'd');
  const wanted = fc.record({
    songs: fc.dictionary(keys, fields, { noNullPrototype: true }),
    rules: fc.dictionary(keys, fc.integer({ min: 1, max: 2 }), { noNullPrototype: true }),
    singles: fc.subarray(['q', 'r']),
    removed: fc.subarray(['song/a', 'rule/b', 'single/q']),
    moved: fc.constantFrom<{ readonly [from: string]: string }>(
      {},
      { 'song/a': 'song/b' },
      { 'song/b': 'song/c', 'song/a': 'song/b', 'rule/c': 'rule/d' },
    ),
  });
  const manualEdits = fc.record({
    songs: fc.dictionary(
      fc.constantFrom('h1', 'h2', 'q', 'born-1', 'born-2'),
      fc.option(fields.chain((f) => keys.map((title): JsonObject => ({ ...f, title })))),
      { noNullPrototype: true },
    ),
    rules: fc.dictionary(fc.constantFrom('r1', 'r2'), fc.option(keys.map((name): JsonObject => ({ name, strength: 1 }))), {
      noNullPrototype: true,
    }),
  });

  it('the plan after an apply is empty, and every binding has its own, existing object', async () => {
    const rounds = fc.array(fc.tuple(manualEdits, wanted), { minLength: 1, maxLength: 3 });
    await assertAsyncProperty(
      fc.asyncProperty(rounds, fc.constantFrom('shared' as const, 'exclusive' as const), async (all, ownership) => {
        const account = new FakeAccount();
        const allowed = { deletes: Number.POSITIVE_INFINITY, checks: new Set(['suspicious-read'] as const) };
        const more = { target: { ...target, ownership }, overrides: allowed, kinds: [song, rule] };
        let history: LedgerHistory = EMPTY_LEDGER;
        for (const [index, [edits, want]] of all.entries()) {
          for (const [id, one] of Object.entries(edits.songs)) put(account.songs, id, one);
          for (const [id, one] of Object.entries(edits.rules)) put(account.rules, id, one);
          const desiredState = declarationOf(want);
          const done = await planAndApply(account, desiredState, history, `c${index}`, more);
          history = done.history;
          const { plan } = await planAfter(account, desiredState, history, more);
          const skipped = new Set(done.outcomeLines.flatMap((line) => (line.startsWith('skipped ') ? line.slice('skipped '.length) : [])));
          if (done.planResult.plan.summary.blocked === 0) expect(skipped.size).toBe(0);
          for (const change of done.planResult.plan.changes) {
            const from = 'movedFrom' in change ? change.movedFrom : undefined;
            if (from !== undefined && skipped.has(change.address)) skipped.add(from);
          }
          for (const [from, to] of Object.entries(want.moved).toReversed()) if (skipped.has(to)) skipped.add(from);
          for (const [from, to] of Object.entries(want.moved)) if (skipped.has(to)) skipped.add(from);
          expect(changeLines({ plan }).filter((line) => !skipped.has(line.slice(line.indexOf(' ') + 1)))).toEqual([]);
          expect([...history.pendingSince.keys()].filter((address) => !skipped.has(address))).toEqual([]);
          const songs = [...history.state.bindings].filter(([address]) => !address.startsWith('rule/') && !skipped.has(address));
          expect(new Set(songs.map(([, { id }]) => id)).size).toBe(songs.length);
          expect(songs.filter(([, { id }]) => !account.songs.has(id))).toEqual([]);
        }
      }),
      { numRuns: 100 },
    );
  });

  /** Adds, edits or deletes an object. IDs that the service has not assigned yet are ignored. */
  function put(documents: Map<string, JsonObject>, id: string, document: JsonObject | null): void {
    const isFutureId = id.startsWith('born-') && !documents.has(id);
    if (document && !isFutureId) documents.set(id, document);
    if (!document) documents.delete(id);
  }

  function declarationOf(want: {
    songs: { [key: string]: JsonObject };
    rules: { [key: string]: number };
    singles: readonly string[];
    removed: readonly string[];
    moved: { readonly [from: string]: string };
  }) {
    const songs = Object.entries(want.songs).map(([key, own]): DesiredResource => aSong(key, own));
    const resources = [
      ...songs,
      ...Object.entries(want.rules).map(([name, strength]) => aRule(name, strength)),
      ...want.singles.map((asset) => aSingle(asset)),
    ];
    const addresses = new Set(resources.map(({ address }) => address));
    const moved = Object.fromEntries(Object.entries(want.moved).filter(([, to]) => addresses.has(to)));
    return withMoves(
      desiredStateOf(resources),
      moved,
      want.removed.filter((address) => !addresses.has(address)),
    );
  }
});
