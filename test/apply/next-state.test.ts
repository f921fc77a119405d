import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextState } from '../../src/apply/next-state.ts';
import type { DesiredResource, Kind } from '../../src/kinds/kind.ts';
import { movedFrom } from '../../src/model/change.ts';
import type { JsonObject } from '../../src/model/json.ts';
import type { Result } from '../../src/model/outcome.ts';
import { buildPlan } from '../../src/plan/build-plan.ts';
import type { PlanInput } from '../../src/plan/input.ts';
import { FakeAccount } from '../support/fake-account.ts';
import { dial, rule, song } from '../support/fake-kinds.ts';
import { aRule, aSingle, aSong, declaring, moving, runOf, target, theDial, told } from '../support/planning.ts';
import { FIRST, knowing, known, lived, type Past, pastOf, recalled } from '../support/previous-states.ts';

const plain = { guard: 0, list: ['x', 'y'] };
const shared = { target: { ...target, ownership: 'shared' } } as const;
const ab = () => new FakeAccount({ songs: { one: { ...plain, title: 'a' }, two: { ...plain, title: 'b' } } });

/** Remembers what came, without an apply. */
async function came(
  past: Past,
  desiredState: Parameters<typeof recalled>[1],
  results: { readonly [address: string]: Result },
  more: Partial<PlanInput> = shared,
  account = ab(),
) {
  const input = runOf(account, desiredState, { state: past.state, lastApplied: past.lastApplied, ...more });
  const later = nextState(past, input, await buildPlan(input), { results: new Map(Object.entries(results)), ids: new Map() });
  return { bindings: known(later.state), pendingSince: Object.fromEntries(later.pendingSince), state: later.state };
}

describe('bindings after an apply', () => {
  it('are of what was created, adopted, moved; not of what was deleted or forgotten, nor of what there is only one of', async () => {
    const songs = {
      one: { ...plain, title: 'a' },
      two: { ...plain, title: 'b' },
      three: { ...plain, title: 'c' },
      four: { ...plain, title: 'd' },
    };
    const account = new FakeAccount({ songs });
    const past = pastOf([aSong('b'), aSong('c'), aSong('d')], knowing({ 'song/b': 'two', 'song/c': 'three', 'song/d': 'four+' }));
    const desiredState = moving(
      declaring([aSong('a'), aSong('bb', { title: 'b' }), aSingle('q'), theDial(true, [])]),
      { 'song/b': 'song/bb' },
      ['song/d'],
    );
    const done = await lived(account, desiredState, past, 'c2', shared);
    expect(done.told.sort()).toEqual([
      'adopted song/a',
      'created single/q',
      'deleted song/c',
      'forgotten song/d',
      'moved song/bb',
      'updated dial',
    ]);
    expect(known(done.past.state)).toEqual({ 'single/q': 'q', 'song/a': 'one+', 'song/bb': 'two' });
    expect([...done.past.state.forgotten]).toEqual(['four']);
    expect(told(await recalled(account, desiredState, done.past, shared))).toEqual([]);
  });

  it('stay where the change failed or was skipped, and nothing is adopted then', async () => {
    const past = pastOf([aSong('b')], knowing({ 'song/b': 'two' }));
    const desiredState = declaring([aSong('a', { guard: 1 })]);
    for (const result of ['failed', 'skipped'] as const) {
      const after = await came(past, desiredState, { 'song/a': result, 'song/b': result });
      expect(after.bindings).toEqual({ 'song/b': 'two' });
      expect(after.pendingSince).toEqual({ 'song/a': 'c1', 'song/b': 'c1' });
    }
  });

  it('stay where a change of the plan was not carried out at all', async () => {
    const past = pastOf([aSong('b')], knowing({ 'song/b': 'two' }));
    const after = await came(past, declaring([aSong('a')]), { 'song/a': 'adopted' });
    expect(after).toMatchObject({ bindings: { 'song/a': 'one+', 'song/b': 'two' }, pendingSince: { 'song/b': 'c1' } });
  });

  it('hold what was created, also where it did not read back as desired', async () => {
    const account = new FakeAccount();
    account.trap('POST /songs', () => {
      account.songs.set('odd', { ...plain, title: 'other' });
      return { body: { id: 'odd' } };
    });
    const done = await lived(account, declaring([aSong('a')]), FIRST, 'c1', shared);
    expect(done.told).toEqual(['failed song/a']);
    expect(known(done.past.state)).toEqual({ 'song/a': 'odd' });
    expect([...done.past.pendingSince]).toEqual([['song/a', null]]);
    expect(told(await recalled(account, declaring([aSong('a')]), done.past, shared))).toEqual(['update song/a']);
  });

  it('drop an object that somebody deleted when nothing declares it any more, and keep it where something does', async () => {
    const past = pastOf([aSong('a'), aSong('b'), aSong('z')], knowing({ 'song/a': 'one', 'song/b': 'two', 'song/z': 'gone' }));
    expect((await came(past, declaring([aSong('a'), aSong('b')]), {})).bindings).toEqual({ 'song/a': 'one', 'song/b': 'two' });
    expect((await came(past, declaring([aSong('a'), aSong('b'), aSong('z')]), { 'song/z': 'failed' })).bindings).toHaveProperty('song/z');
  });

  it('of other kinds do not mix, though they bear one ID', async () => {
    const account = new FakeAccount({ songs: { one: { ...plain, title: 'a' } }, rules: { one: { name: 'p', strength: 1 } } });
    const past = pastOf([aSong('a')], knowing({ 'song/a': 'one' }));
    const done = await lived(account, declaring([aSong('a'), aRule('p')]), past, 'c2', shared);
    expect(done.told).toEqual(['adopted rule/p']);
    expect(known(done.past.state)).toEqual({ 'rule/p': 'one+', 'song/a': 'one' });
    const gone = await lived(account, declaring([aSong('a')]), done.past, 'c3', shared);
    expect(gone.told).toEqual(['deleted rule/p']);
    expect(known(gone.past.state)).toEqual({ 'song/a': 'one' });
  });

  it('survive a kind that was not read, not managed, or out of scope', async () => {
    const bindings = { 'song/a': 'one', 'song/z': 'gone', 'rule/p': 'r' };
    const past = pastOf([aSong('a'), aSong('z'), aRule('p')], knowing(bindings));
    const failing = ab();
    failing.fail('GET /songs', { kind: 'failed' });
    const incomplete = await came(past, declaring([aSong('a')]), {}, shared, failing);
    expect(incomplete.bindings).toMatchObject({ 'song/a': 'one', 'song/z': 'gone' });
    expect((await came(past, declaring([], {}, ['dial']), {})).bindings).toEqual(bindings);
    expect((await came(past, declaring([aSong('a')]), {}, { ...shared, only: ['song/a'] })).bindings).toEqual(bindings);
  });

  it('and the base stay as they are in `observe`', async () => {
    const past = pastOf([aSong('z')], knowing({ 'song/z': 'gone' }));
    const after = await came(past, declaring([aSong('a')]), {}, { target: { ...target, ownership: 'observe' } });
    expect(after).toMatchObject({ bindings: { 'song/z': 'gone' }, pendingSince: { 'song/a': 'c1', 'song/z': 'c1' } });
  });
});

describe('a chain of moves that is made only in part', () => {
  const past = pastOf([aSong('a'), aSong('b')], knowing({ 'song/a': 'one', 'song/b': 'two' }));
  const desiredState = moving(declaring([aSong('b', { title: 'a' }), aSong('c')]), { 'song/a': 'song/b', 'song/b': 'song/c' });

  it('loses no object when its free end fails', async () => {
    const account = ab();
    account.fail('PATCH /songs/two', { kind: 'rejected' });
    const done = await lived(account, desiredState, past, 'c2', shared);
    expect(done.told).toEqual(['failed song/c', 'moved song/b']);
    expect(known(done.past.state)).toEqual({ 'song/b': 'one', 'song/c': 'two' });
    const again = await lived(account, desiredState, done.past, 'c3', shared);
    expect(again.told).toEqual(['updated song/c']);
    expect(account.songs.get('two')?.title).toBe('c');
  });

  it('loses no object to `--only`, or to a create in its old place', async () => {
    const part = await lived(ab(), desiredState, past, 'c2', { ...shared, only: ['song/b'] });
    expect(part.told).toEqual(['moved song/b']);
    expect(known(part.past.state)).toEqual({ 'song/b': 'one', 'song/c': 'two' });
    const taken = moving(declaring([aSong('a'), aSong('b', { title: 'new' }), aSong('c', { title: 'b' })]), { 'song/b': 'song/c' });
    const created = await lived(ab(), taken, past, 'c2', { ...shared, only: ['song/b'] });
    expect(created.told).toEqual(['created song/b']);
    expect(known(created.past.state)).toEqual({ 'song/a': 'one', 'song/b': 'born-1', 'song/c': 'two' });
  });

  it('does not take what was created in its old place, while it has no object itself', async () => {
    const twins = { one: { ...plain, title: 'c' }, two: { ...plain, title: 'c' } };
    const account = new FakeAccount({ songs: twins });
    const own = moving(declaring([aSong('b'), aSong('c')]), { 'song/b': 'song/c' });
    const done = await lived(account, own, FIRST, 'c1', shared);
    expect(done.told).toEqual(['created song/b', 'skipped song/c']);
    expect(told(await recalled(account, own, done.past, shared)).sort()).toEqual(['adopt song/b', 'create song/c']);
    account.songs.delete('two');
    const settled = await lived(account, own, done.past, 'c2', shared);
    expect(known(settled.past.state)).toEqual({ 'song/b': 'born-1+', 'song/c': 'one+' });
    expect(told(await recalled(account, own, settled.past, shared))).toEqual([]);
  });

  it('does not take what was created in its old place, while its own object has moved on and the next cannot be told', async () => {
    const account = new FakeAccount({
      songs: { was: { ...plain, title: 'b' }, one: { ...plain, title: 'b' }, two: { ...plain, title: 'b' } },
    });
    const chain = moving(declaring([aSong('a'), aSong('b'), aSong('c')]), { 'song/b': 'song/c', 'song/a': 'song/b' });
    const exclusive = { target: { ...target, ownership: 'exclusive' } } as const;
    const done = await lived(account, chain, pastOf([aSong('b')], knowing({ 'song/b': 'was' })), 'c2', exclusive);
    expect(done.told).toEqual(['created song/a', 'updated song/c', 'skipped song/b']);
    expect(known(done.past.state)).toEqual({ 'song/c': 'was' });
    expect(told(await recalled(account, chain, done.past, exclusive)).sort()).toEqual(['adopt song/a', 'create song/b']);
  });

  it('knows the origin of a moved one that failed by its old address', async () => {
    const account = new FakeAccount({ songs: { one: { ...plain, title: 'a', guard: 7 } } });
    const moved = moving(declaring([aSong('b')]), { 'song/a': 'song/b' });
    account.fail('PATCH', { kind: 'rejected' });
    const done = await lived(account, moved, pastOf([aSong('a')], knowing({ 'song/a': 'one' })), 'c2', shared);
    expect(known(done.past.state)).toEqual({ 'song/a': 'one' });
    const { plan } = await recalled(account, moved, done.past, shared);
    expect(plan.changes[0]?.fields.map(({ path, origin }) => [path, origin])).toEqual([
      ['/guard', 'drift'],
      ['/title', 'change'],
    ]);
  });
});

describe('where addresses stand', () => {
  const past = pastOf([aSong('a'), aSong('b')], knowing({ 'song/a': 'one', 'song/b': 'two' }));

  it('is the commit just applied where all was done, also where nothing was to do', async () => {
    expect((await came(past, declaring([aSong('a'), aSong('b')]), {})).pendingSince).toEqual({});
    expect((await came(past, declaring([aSong('a', { guard: 1 }), aSong('b')]), { 'song/a': 'updated' })).pendingSince).toEqual({});
  });

  it('is the commit before where the repository moved and the run did not reach it', async () => {
    const desiredState = declaring([aSong('a', { guard: 1 }), aSong('b', { guard: 1 }), aSong('c'), aRule('p')]);
    const after = await came(past, desiredState, { 'song/a': 'updated' }, { ...shared, only: ['song/a'] });
    expect(after.pendingSince).toEqual({ 'rule/p': 'c1', 'song/b': 'c1', 'song/c': 'c1' });
  });

  it('is the commit at which an address first stood still, until it is done', async () => {
    const older: Past = {
      ...past,
      commit: 'c5',
      pendingSince: new Map([
        ['song/b', 'c3'],
        ['song/a', null],
      ]),
    };
    const desiredState = declaring([aSong('a', { guard: 1 }), aSong('b', { guard: 1 })]);
    expect((await came(older, desiredState, { 'song/a': 'failed', 'song/b': 'skipped' })).pendingSince).toEqual({
      'song/a': null,
      'song/b': 'c3',
    });
    expect((await came(older, desiredState, { 'song/a': 'updated', 'song/b': 'failed' })).pendingSince).toEqual({ 'song/b': 'c3' });
    expect((await came(older, desiredState, { 'song/a': 'updated', 'song/b': 'updated' })).pendingSince).toEqual({});
  });

  it('is the commit before for all that an incomplete or vanished kind declares anew', async () => {
    const failing = ab();
    failing.fail('GET /songs', { kind: 'failed' });
    const after = await came(past, declaring([aSong('a'), aSong('b', { guard: 1 })]), {}, shared, failing);
    expect(after.pendingSince).toEqual({ 'song/b': 'c1' });
    expect((await came(past, declaring([], {}, ['rules']), {})).pendingSince).toEqual({ 'song/a': 'c1', 'song/b': 'c1' });
  });

  it('includes drift that a brake held', async () => {
    const account = new FakeAccount({ songs: { one: { ...plain, title: 'a', guard: 9 }, two: { ...plain, title: 'b' } } });
    const held = { target: { ...shared.target, loosening: 'block' } } as const;
    const done = await lived(account, declaring([aSong('a'), aSong('b')]), past, 'c2', held);
    expect(done.told).toEqual(['skipped song/a']);
    expect([...done.past.pendingSince]).toEqual([['song/a', 'c1']]);
  });
});

describe('the owner', () => {
  const owned = (owner: string): Kind => ({ ...rule, read: async (service) => ({ ...(await rule.read(service)), owner }) });
  const withOwner = (owner: string) => ({ ...shared, kinds: [song, owned(owner), dial] });
  const desiredState = declaring([aSong('a', { guard: 1 }), aRule('p')]);

  it('is remembered as a digest, and another one makes every reading doubtful', async () => {
    const account = new FakeAccount({ rules: { r: { name: 'p', strength: 1 } } });
    const { past } = await lived(account, desiredState, FIRST, 'c1', withOwner('me'));
    expect(past.state.owner).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(told(await recalled(account, desiredState, past, withOwner('me')))).toEqual([]);
    const elsewhere = new FakeAccount();
    const other = await recalled(elsewhere, desiredState, past, withOwner('you'));
    expect(other.plan.changes.map(({ address, blocked }) => [address, blocked?.check])).toEqual([
      ['rule/p', 'suspicious-read'],
      ['song/a', 'suspicious-read'],
    ]);
  });

  it('stays in doubt until somebody allows it, and so does what is gone', async () => {
    const me = await lived(new FakeAccount(), desiredState, FIRST, 'c1', withOwner('me'));
    const skipped = await lived(new FakeAccount(), declaring([]), me.past, 'c2', withOwner('you'));
    expect(skipped.past.state).toEqual(me.past.state);
    const allowed = { deletes: 0, checks: new Set(['suspicious-read'] as const) };
    const sure = await lived(new FakeAccount(), declaring([]), me.past, 'c2', { ...withOwner('you'), overrides: allowed });
    expect(sure.past.state.owner).not.toBe(me.past.state.owner);
    expect(known(sure.past.state)).toEqual({});
  });
});

describe('whatever was, and whatever is wanted', () => {
  const fields = fc.record({ guard: fc.integer({ min: 0, max: 2 }), list: fc.constantFrom(['x', 'y'], ['z', 'x'], ['q', 'x']) });
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
  const hand = fc.record({
    songs: fc.dictionary(
      fc.constantFrom('h1', 'h2', 'q', 'born-1', 'born-2'),
      fc.option(fields.chain((f) => keys.map((title): JsonObject => ({ ...f, title })))),
      { noNullPrototype: true },
    ),
    rules: fc.dictionary(fc.constantFrom('r1', 'r2'), fc.option(keys.map((name): JsonObject => ({ name, strength: 1 }))), {
      noNullPrototype: true,
    }),
  });

  it('after an apply nothing is left to do or to say, and what is bound is there and bound once', async () => {
    const rounds = fc.array(fc.tuple(hand, wanted), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(rounds, fc.constantFrom('shared' as const, 'exclusive' as const), async (all, ownership) => {
        const account = new FakeAccount();
        const overrides = { deletes: Number.POSITIVE_INFINITY, checks: new Set(['suspicious-read'] as const) };
        const more = { target: { ...target, ownership }, overrides, kinds: [song, rule] };
        let past: Past = FIRST;
        for (const [index, [meddling, want]] of all.entries()) {
          for (const [id, one] of Object.entries(meddling.songs)) put(account.songs, id, one);
          for (const [id, one] of Object.entries(meddling.rules)) put(account.rules, id, one);
          const desiredState = declarationOf(want);
          const done = await lived(account, desiredState, past, `c${index}`, more);
          past = done.past;
          const { plan } = await recalled(account, desiredState, past, more);
          const left = new Set(done.told.flatMap((line) => (line.startsWith('skipped ') ? line.slice('skipped '.length) : [])));
          if (done.reconciled.plan.summary.blocked === 0) expect(left.size).toBe(0);
          for (const change of done.reconciled.plan.changes) {
            const from = movedFrom(change);
            if (from !== undefined && left.has(change.address)) left.add(from);
          }
          for (const [from, to] of Object.entries(want.moved).toReversed()) if (left.has(to)) left.add(from);
          for (const [from, to] of Object.entries(want.moved)) if (left.has(to)) left.add(from);
          expect(told({ plan }).filter((line) => !left.has(line.slice(line.indexOf(' ') + 1)))).toEqual([]);
          expect([...past.pendingSince.keys()].filter((address) => !left.has(address))).toEqual([]);
          const songs = [...past.state.bindings].filter(([address]) => !address.startsWith('rule/') && !left.has(address));
          expect(new Set(songs.map(([, { id }]) => id)).size).toBe(songs.length);
          expect(songs.filter(([, { id }]) => !account.songs.has(id))).toEqual([]);
        }
      }),
      { numRuns: 100 },
    );
  });

  /** Nobody can make an object under an ID that the service is yet to give. */
  function put(documents: Map<string, JsonObject>, id: string, document: JsonObject | null): void {
    const alien = id.startsWith('born-') && !documents.has(id);
    if (document && !alien) documents.set(id, document);
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
    return moving(
      declaring(resources),
      moved,
      want.removed.filter((address) => !addresses.has(address)),
    );
  }
});
