import { describe, expect, it } from 'vitest';
import type { Kind } from '../../../src/core/kinds/kind.ts';
import { returnToBindings, suspiciousReadReason } from '../../../src/core/state/bindings.ts';
import type { LedgerState } from '../../../src/core/state/state.ts';
import { FakeAccount } from '../../support/fake-account.ts';
import { dial, rule, song } from '../../support/fake-kinds.ts';
import { aLiveSong, aRule, aSingle, aSong, changeLines, desiredStateOf, theDial } from '../../support/planning.ts';
import { adopted, type Bindings, bindingsOf, EMPTY_LEDGER, planAfter, planAndApply, stateWith } from '../../support/previous-states.ts';
import { planWithBindings, shared, songs } from './fixture.ts';

describe('a binding', () => {
  it('matches an object whatever its name, and the object is updated in place', async () => {
    const {
      lines,
      changes: [first],
    } = await planWithBindings(desiredStateOf([aSong('renamed')]), { 'song/renamed': 'two' });
    expect(lines).toEqual(['update song/renamed']);
    expect(first?.fields).toMatchObject([{ path: '/title', before: 'b', after: 'renamed' }]);
  });

  it('counts as no binding if its object is gone', async () => {
    expect((await planWithBindings(desiredStateOf([aSong('a')]), { 'song/a': 'gone' })).lines).toEqual(['adopt song/a']);
    expect((await planWithBindings(desiredStateOf([aSong('new')]), { 'song/new': 'gone' })).lines).toEqual(['create song/new']);
  });

  it('is blocked, together with an `adopt` of the same object for another address', async () => {
    const { changes } = await planWithBindings(desiredStateOf([aSong('a'), aSong('b')], { 'song/b': 'one' }), { 'song/a': 'one' });
    expect(changes.map(({ address, blocked }) => [address, blocked?.check])).toEqual([
      ['song/a', 'identity'],
      ['song/b', 'identity'],
    ]);
  });
});

describe('the first apply with a ledger', () => {
  it('adopts matched objects, writes nothing, and the next plan is empty', async () => {
    const account = new FakeAccount({
      songs: { ...songs(), q: { title: '', level: 0, list: ['q'] } },
      rules: { one: { name: 'p', strength: 1 } },
    });
    const desiredState = desiredStateOf([aSong('a'), aSong('b'), aSingle('q'), aRule('p'), theDial(false, [])]);
    const first = await planAndApply(account, desiredState, EMPTY_LEDGER, 'c1', shared);
    expect(first.outcomeLines.sort()).toEqual(['adopted rule/p', 'adopted single/q', 'adopted song/a', 'adopted song/b']);
    expect(first.planResult.plan).toMatchObject({ summary: { create: 0, update: 0, delete: 0, blocked: 0, unchanged: 5 }, requests: [] });
    expect(account.log()).toEqual([]);
    expect(bindingsOf(first.history.state)).toEqual({
      'rule/p': adopted('one'),
      'single/q': adopted('q'),
      'song/a': adopted('one'),
      'song/b': adopted('two'),
    });
    expect(changeLines(await planAfter(account, desiredState, first.history, shared))).toEqual([]);
  });

  it('marks an update with the object that it adopts', async () => {
    const { changes } = await planWithBindings(desiredStateOf([aSong('a', { level: 1 })]), {});
    expect(changes).toMatchObject([{ action: 'update', adopts: 'one' }]);
  });

  it('adopts nothing without a ledger', async () => {
    const { plan: result } = await planAfter(new FakeAccount({ songs: songs() }), desiredStateOf([aSong('a')]), EMPTY_LEDGER, {
      ...shared,
      ledgerState: null,
    });
    expect(result.changes).toEqual([]);
  });

  it('marks without a ledger only the updates of objects that `adopt` names', async () => {
    const desiredState = desiredStateOf([aSong('a', { level: 1 }), aSong('b', { level: 1 })], { 'song/b': 'two' });
    const withoutLedger = { ...shared, ledgerState: null };
    const { plan } = await planAfter(new FakeAccount({ songs: songs() }), desiredState, EMPTY_LEDGER, withoutLedger);
    expect(plan.changes.map((change) => [change.address, 'adopts' in change ? change.adopts : null])).toEqual([
      ['song/a', null],
      ['song/b', 'two'],
    ]);
  });
});

describe('an object that the ledger binds to no address', () => {
  const MANAGED = ['song/a'];
  const facts = {
    'nothing is known of it': {},
    '`adopt` names its ID': { adopt: true },
    'its section was managed completely': { managedSection: true },
    '`manages` names its live name': { manages: [...MANAGED, 'song/b'] },
    '`manages` names its ID': { manages: [...MANAGED, 'song/~two'] },
    'the apply to which the plan goes back had it at this address': { earlier: 'song/a' },
    'the apply to which the plan goes back had it at another address': { earlier: 'song/c' },
    'it was forgotten since': { forgotten: true },
    'an earlier run on this machine has sent its create': { sent: null },
    'an earlier run on this machine has created another object': { sent: 'three' },
    'an earlier run on this machine has created it': { sent: 'two' },
  } as const;
  type Facts = {
    readonly adopt?: boolean;
    readonly managedSection?: boolean;
    readonly manages?: readonly string[];
    readonly earlier?: string;
    readonly forgotten?: boolean;
    readonly sent?: string | null;
  };

  /** The rule, by its text. */
  function expected({ adopt, managedSection, manages = MANAGED, earlier, forgotten, sent }: Facts, isChanged: boolean) {
    if (earlier === 'song/a' && !forgotten) return 'bound';
    if (sent === 'two' || (sent === null && !isChanged && !adopt)) return 'bound';
    if (manages.length === 1) return 'outside of `manages`';
    return isChanged && managedSection && !adopt ? 'taken over' : 'bound';
  }

  async function decided({ adopt, managedSection, manages = MANAGED, earlier, forgotten, sent }: Facts, isChanged: boolean) {
    const desired = aSong('a', { title: 'b', ...(isChanged ? { level: 1 } : {}) });
    const state = stateWith(
      {},
      { managedSections: new Set(managedSection ? ['songs'] : []), forgotten: new Set(forgotten ? ['two'] : []) },
    );
    const { plan } = await planAfter(
      new FakeAccount({ songs: songs() }),
      desiredStateOf([desired], adopt ? { 'song/a': 'two' } : {}),
      { ...EMPTY_LEDGER, state },
      {
        target: { ...shared.target, manages },
        earlierBindings: earlier === undefined ? null : new Map([[earlier, { id: 'two', origin: 'created' as const }]]),
        sentCreates: new Map(sent === undefined ? [] : [['song/a', { id: sent, at: '2026-01-01T00:00:00Z' }]]),
      },
    );
    const change = plan.changes.find(({ address }) => address === 'song/a');
    const reason = change?.blocked?.reason;
    if (reason === undefined) return 'bound';
    return reason.includes('`manages` names neither song/~two nor its live name, "b"') ? 'outside of `manages`' : 'taken over';
  }

  const names = Object.keys(facts) as readonly (keyof typeof facts)[];
  const pairs = names.flatMap((a, index) => names.slice(index).map((b) => [a, b] as const));

  it.each(pairs)('is bound, or not, where %s, and %s', async (a, b) => {
    const both: Facts = { ...facts[a], ...facts[b] };
    for (const isChanged of [true, false])
      expect([isChanged, await decided(both, isChanged)]).toEqual([isChanged, expected(both, isChanged)]);
  });
});

it.each([
  ['another kind', 'rule/b', ['rule/*']],
  ['an ID', '~two', ['song/~two']],
])('a live name that looks like an address of %s is not named by it', async (_what, title, globs) => {
  const account = new FakeAccount({ songs: { hand: { ...songs().hand, title } } });
  const desired = desiredStateOf([aSong('a', { title, level: 1 })], { 'song/a': 'hand' });
  const named = async (manages: readonly string[]) =>
    (await planAfter(account, desired, EMPTY_LEDGER, { target: { ...shared.target, manages } })).plan.changes[0]?.blocked?.check;
  expect(await named(globs)).toBe('identity');
  expect(await named(['song/~hand'])).toBeUndefined();
});

describe('a suspicious read', () => {
  const objects = ['1', '2', '3'].map((id) => aLiveSong(id));
  const account = (ownerDigest: string | null, baseUrl = 'https://services.example.com/v1') => ({ ownerDigest, baseUrl });
  const bound = (...ids: string[]) => stateWith(Object.fromEntries(ids.map((id) => [`song/${id}`, id])), { ownerDigest: 'me' });
  const reasonOf = (kind: Kind, shown: typeof objects, of: ReturnType<typeof account>, state: LedgerState | null) =>
    suspiciousReadReason(kind, { objects: shown }, of, state, new Set());

  it.each([
    ['one of one object gone', ['x'], false],
    ['half of them gone', ['x', 'y', '1', '2'], false],
    ['two of three gone', ['x', 'y', '1'], true],
    ['both gone', ['x', 'y'], true],
    ['none gone', ['1', '2', '3'], false],
  ])('is detected with %s: %j', (_what, ids, suspicious) => {
    expect(reasonOf(song, objects, account(null), bound(...ids)) !== undefined).toBe(suspicious);
    expect(reasonOf(rule, [], account(null), bound(...ids))).toBeUndefined();
  });

  it.each<[what: string, ids: readonly string[], declared: readonly string[], isCounted: boolean, reason: string | undefined]>([
    ['what nobody declares may be gone', ['x', 'y', 'z', '1'], ['1'], true, undefined],
    ['also where nothing is declared', ['x', 'y', 'z', '1'], [], true, undefined],
    ['not where the list has no count', ['x', 'y', 'z', '1'], ['1'], false, '3 of 4'],
    ['not where it shows no bound object', ['x', 'y', 'z'], [], true, '3 of 3'],
    ['what is declared must be there', ['x', 'y', 'z', '1'], ['x', 'y', '1'], true, '2 of 3'],
    ['one that is declared may be gone as ever', ['x', 'y', 'z', '1'], ['x', '1'], true, undefined],
    ['half of what is declared may be gone as ever', ['x', 'y', 'z', '1', '2'], ['x', 'y', '1', '2'], true, undefined],
    ['what nobody declares and is there counts as before', ['x', 'y', '1', '2', '3'], ['x', 'y', '1'], true, undefined],
  ])('looks at declarations where the list is counted: %s', (_what, ids, declared, isCounted, reason) => {
    const read = isCounted ? ({ objects, isCounted } as const) : { objects };
    const addresses = new Set(declared.map((id) => `song/${id}`));
    expect(suspiciousReadReason(song, read, account(null), bound(...ids), addresses)).toBe(
      reason === undefined ? undefined : `${reason} objects that were applied are gone`,
    );
  });

  it('names how many objects are gone', () => {
    expect(reasonOf(song, objects, account(null), bound('x', 'y', '1'))).toBe('2 of 3 objects that were applied are gone');
  });

  it('is detected with another owner, if both owners are known', () => {
    expect(reasonOf(dial, [], account('you'), bound())).toBe('the account answers with another owner than at the last apply');
    expect(reasonOf(dial, [], account('me'), bound())).toBeUndefined();
    expect(reasonOf(dial, [], account(null), bound())).toBeUndefined();
    expect(reasonOf(dial, [], account('you'), stateWith({}))).toBeUndefined();
    expect(reasonOf(dial, [], account('you'), null)).toBeUndefined();
  });

  it('is detected at another service than that of the last apply, but not on this machine', () => {
    const applied = stateWith({}, { baseUrl: 'https://services.example.com' });
    const reason = (baseUrl: string) => reasonOf(dial, [], account(null, baseUrl), applied);
    expect(reason('https://services.example.com/other/path')).toBeUndefined();
    expect(reason('https://staging.example.com/v1')).toBe(
      'the last apply wrote to https://services.example.com, and this is https://staging.example.com',
    );
    expect(reason('https://services.example.com:8443')).toBeDefined();
    expect(reason('http://127.0.0.1:8080')).toBeUndefined();
    expect(reasonOf(dial, [], account(null, 'https://staging.example.com'), stateWith({}))).toBeUndefined();
  });

  it('blocks every change of its kind until it is allowed', async () => {
    const bindings = { 'song/c': 'gone', 'song/d': 'gone too', 'song/a': 'one' };
    const desiredState = desiredStateOf([aSong('a', { level: 1 }), aSong('c'), aSong('d'), aRule('p')]);
    const { changes } = await planWithBindings(desiredState, bindings);
    expect(changes.map(({ address, blocked }) => [address, blocked?.check])).toEqual([
      ['rule/p', undefined],
      ['song/a', 'suspicious-read'],
      ['song/c', 'suspicious-read'],
      ['song/d', 'suspicious-read'],
    ]);
    const allowed = { deletes: 0, checks: new Set(['suspicious-read'] as const) };
    expect(
      (await planWithBindings(desiredState, bindings, { ...shared, overrides: allowed })).changes.every(({ blocked }) => blocked === null),
    ).toBe(true);
  });
});

describe('the bindings by which an earlier configuration is matched', () => {
  const current = stateWith({ 'song/a': 'one', 'song/b': 'two', 'rule/p': 'r' }).bindings;
  const returned = (earlier: Bindings, live = ['one', 'two', 'three', 'r']) => {
    const bindings = returnToBindings(song, current, stateWith(earlier).bindings, (id) => live.includes(id));
    return bindingsOf({ ...stateWith({}), bindings });
  };

  it.each<[string, Bindings, Bindings]>([
    ['the current ones, where that apply had none', {}, { 'song/a': 'one', 'song/b': 'two', 'rule/p': 'r' }],
    ['the object of that apply instead of the current one', { 'song/a': 'three' }, { 'song/a': 'three', 'song/b': 'two', 'rule/p': 'r' }],
    ['the address of that apply instead of the current one', { 'song/c': 'two' }, { 'song/a': 'one', 'song/c': 'two', 'rule/p': 'r' }],
    ['nothing of another kind', { 'rule/q': 'r' }, { 'song/a': 'one', 'song/b': 'two', 'rule/p': 'r' }],
    ['no object of that apply that is gone', { 'song/a': 'gone' }, { 'song/a': 'one', 'song/b': 'two', 'rule/p': 'r' }],
  ])('are %s', (_what, earlier, expected) => {
    expect(returned(earlier)).toEqual(expected);
  });
});
