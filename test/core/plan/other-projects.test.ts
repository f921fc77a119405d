// `one`, `two` and `hand` are IDs of live objects.
import { describe, expect, it } from 'vitest';
import type { Change } from '../../../src/core/model/change.ts';
import {
  type Account,
  compareAccounts,
  NO_OTHER_LEDGERS,
  type OtherLedger,
  type OtherLedgers,
} from '../../../src/core/state/other-ledgers.ts';
import { ownerDigest } from '../../../src/core/state/state.ts';
import { FakeAccount } from '../../support/fake-account.ts';
import { aSong, desiredStateOf, only, planFor, theDial } from '../../support/planning.ts';
import { type Bindings, lastAppliedOf, stateWith } from '../../support/previous-states.ts';
import { exclusive, shared, songs } from '../state/fixture.ts';

const OTHER: OtherLedger = {
  project: 'sports',
  target: 'live-sports',
  ref: 'refs/upkeep/live-sports',
  baseUrl: 'https://services.example.com',
  owner: null,
  configuredOwner: ownerDigest('the-owner'),
  bindings: new Map(),
  settings: new Set(),
};

function ledgers(bindings: { readonly [address: string]: string }, more: Partial<OtherLedger> = {}): OtherLedgers {
  return { ...NO_OTHER_LEDGERS, remote: 'origin', readable: [{ ...OTHER, ...more, bindings: stateWith(bindings).bindings }] };
}

describe('compareAccounts', () => {
  const own: Account = { service: 'https://a.example', owner: 'me', configuredOwner: 'key' };
  const other = (baseUrl: string | null, owner: string | null, configuredOwner: string | null) => ({ baseUrl, owner, configuredOwner });

  it.each([
    ['another service', own, other('https://b.example', 'me', 'key'), 'other'],
    ['this machine beside a service', own, other(null, 'me', 'key'), 'other'],
    ['this machine on both sides, with equal owners', { ...own, service: null }, other(null, 'me', null), 'same'],
    ['equal owners in responses', own, other('https://a.example', 'me', 'other key'), 'same'],
    ['different owners in responses, with one key', own, other('https://a.example', 'you', 'key'), 'other'],
    ['no owner in our responses, and one key', { ...own, owner: null }, other('https://a.example', 'you', 'key'), 'same'],
    ['no owner in their responses, and one key', own, other('https://a.example', null, 'key'), 'same'],
    ['no owner in any response, and different keys', { ...own, owner: null }, other('https://a.example', null, 'other key'), 'unknown'],
    ['no owner in our responses, and no key of theirs', { ...own, owner: null }, other('https://a.example', 'me', null), 'unknown'],
    ['no owner of theirs at all', own, other('https://a.example', null, null), 'unknown'],
  ] as const)('with %s: %#', (_what, ours, theirs, expected) => {
    expect(compareAccounts(ours, theirs)).toBe(expected);
  });
});

/** Plans with a ledger and those of others. `asked` is how often these were read. */
async function plan({
  bindings = {},
  others = NO_OTHER_LEDGERS,
  resources = [aSong('a', { level: 1 })],
  more = shared,
  state = {},
  ledger = true,
}: {
  readonly bindings?: Bindings;
  readonly others?: OtherLedgers;
  readonly resources?: Parameters<typeof desiredStateOf>[0];
  readonly more?: Parameters<typeof planFor>[2];
  readonly state?: Parameters<typeof stateWith>[1];
  readonly ledger?: boolean;
}) {
  let asked = 0;
  const result = await planFor(new FakeAccount({ songs: songs() }), desiredStateOf(resources), {
    ledgerState: ledger ? stateWith(bindings, state) : null,
    otherLedgers: async () => {
      asked += 1;
      return others;
    },
    ...more,
  });
  const blocked = (address: string) => result.plan.changes.find((change: Change) => change.address === address)?.blocked;
  return { ...result, blocked, asked };
}

describe('the ledgers of other projects', () => {
  it.each([
    ['an object is newly bound and changed', {}, 1],
    ['an object is newly bound and equal', { resources: [aSong('a')] }, 1],
    ['an object is deleted that the ledger binds', { bindings: { 'song/a': 'one', 'song/b': 'two' } }, 1],
    ['an object is deleted that nobody declares', { bindings: { 'song/a': 'one' }, more: exclusive }, 1],
    ['a setting is written for the first time', { resources: [theDial(true, [])] }, 1],
    ['a setting is written again', { resources: [theDial(true, [])], state: { settings: new Set(['dial']) } }, 0],
    ['a bound object is changed', { bindings: { 'song/a': 'one' } }, 0],
    ['an object is created', { resources: [aSong('new')] }, 0],
    ['nothing is done', { bindings: { 'song/a': 'one' }, resources: [aSong('a')] }, 0],
    ['there is no ledger', { ledger: false }, 0],
    [
      'drift is to be explained',
      {
        bindings: { 'song/a': 'one' },
        resources: [aSong('a', { level: 2 })],
        more: { ...shared, lastApplied: lastAppliedOf([aSong('a', { level: 2 })]) },
      },
      1,
    ],
    ['what is newly bound is not selected', { more: { ...shared, ...only('song/b') } }, 0],
  ] as const)('are read where they are needed: %s', async (_when, input, times) => {
    expect((await plan(input)).asked).toBe(times);
  });

  it('block by `identity` what would bind an object of another project, with both ways out', async () => {
    const { blocked } = await plan({ others: ledgers({ 'song/theirs': 'one' }) });
    expect(blocked('song/a')).toMatchObject({
      check: 'identity',
      reason: 'the ledger of the project sports binds song/~one to song/theirs (target live-sports)',
      lift: {
        edit: 'if it is yours now, name it under `removed` in the configuration of sports, and apply that first; if that project is gone, delete its ledger: `git push origin --delete refs/upkeep/live-sports`',
      },
    });
  });

  it('are told together with what `manages` does not name', async () => {
    const { changes } = await plan({
      others: ledgers({ 'song/theirs': 'one' }),
      more: { target: { ...shared.target, manages: ['song/x'] } },
    });
    expect(changes.map(({ identityProblem }) => identityProblem)).toMatchObject([
      { reason: expect.stringContaining('the project sports'), isUnmanaged: true },
    ]);
  });

  it('block a delete, whoever created the object', async () => {
    const { blocked } = await plan({ bindings: { 'song/a': 'one', 'song/b': 'two' }, others: ledgers({ 'song/theirs': 'two' }) });
    expect(blocked('song/b')?.reason).toContain('the ledger of the project sports binds song/~two');
    const undeclared = await plan({ bindings: { 'song/a': 'one' }, others: ledgers({ 'song/theirs': 'hand' }), more: exclusive });
    expect(undeclared.blocked('song/~hand')?.check).toBe('identity');
    expect(undeclared.blocked('song/~two')).toBeNull();
  });

  it('bind objects of one kind only, whatever their IDs are', async () => {
    expect((await plan({ others: ledgers({ 'rule/theirs': 'one' }) })).blocked('song/a')).toBeNull();
  });

  it('block a setting that another project has written', async () => {
    const others = ledgers({}, { settings: new Set(['dial']) });
    const resources = [theDial(true, [])];
    expect((await plan({ others, resources })).blocked('dial')?.reason).toBe(
      'the ledger of the project sports has written it (target live-sports)',
    );
    expect((await plan({ others, resources, state: { settings: new Set(['dial']) } })).blocked('dial')).toBeNull();
  });

  it('of which nobody knows the account only warn, once for all objects', async () => {
    const others = ledgers({ 'song/theirs': 'one', 'song/too': 'two' }, { configuredOwner: null });
    const { plan: document, blocked } = await plan({ others, resources: [aSong('a', { level: 1 }), aSong('b', { level: 1 })] });
    expect([blocked('song/a'), blocked('song/b')]).toEqual([null, null]);
    expect(document.findings.filter(({ code }) => code === 'other-project')).toMatchObject([
      { severity: 'warning', summary: expect.stringContaining('binds the objects of song/a, song/b, perhaps in the same account') },
    ]);
  });

  it('that are certain come before those of which nobody knows the account', async () => {
    const uncertain = { ...OTHER, project: 'unsure', configuredOwner: null, bindings: stateWith({ 'song/x': 'one' }).bindings };
    const certain = ledgers({ 'song/theirs': 'one' }).readable;
    const { blocked } = await plan({ others: { ...NO_OTHER_LEDGERS, readable: [uncertain, ...certain] } });
    expect(blocked('song/a')?.reason).toContain('the project sports');
  });

  it('of another account are in nobody’s way', async () => {
    const others = ledgers({ 'song/theirs': 'one' }, { baseUrl: 'https://elsewhere.example' });
    const { blocked, plan: document } = await plan({ others });
    expect([blocked('song/a'), document.findings]).toEqual([null, []]);
  });

  it('that cannot be read block what would be newly bound, and no delete of what the own ledger binds', async () => {
    const others = {
      ...NO_OTHER_LEDGERS,
      remote: 'origin',
      unreadable: [{ target: 'kids', ref: 'refs/upkeep/kids', reason: 'it is not JSON' }],
    };
    const { blocked } = await plan({ others, bindings: { 'song/b': 'two' } });
    expect(blocked('song/a')).toMatchObject({
      check: 'identity',
      reason: 'nobody can tell whether song/~one belongs to another project: it is not JSON',
      lift: {
        edit: 'repair the ledger of the target kids; if its project is gone, delete it: `git push origin --delete refs/upkeep/kids`',
      },
    });
    expect(blocked('song/b')).toBeNull();
    expect((await plan({ others, more: exclusive, bindings: { 'song/a': 'one' } })).blocked('song/~hand')?.check).toBe('identity');
  });

  it('explain no drift of a setting of which nobody knows the account', async () => {
    const last = lastAppliedOf([theDial(true, [])]);
    const changed = async (more: Partial<OtherLedger>) => {
      const others = ledgers({}, { settings: new Set(['dial']), ...more });
      const state = { settings: new Set(['dial']) };
      const { plan: document } = await plan({ others, state, resources: [theDial(true, [])], more: { ...shared, lastApplied: last } });
      return document.changes.map(({ origin, changedBy }) => [origin, changedBy]);
    };
    expect(await changed({})).toEqual([['drift', 'sports']]);
    expect(await changed({ configuredOwner: null })).toEqual([['drift', undefined]]);
  });

  it('explain drift of what they bind, and no change of the repository', async () => {
    const others = ledgers({ 'song/theirs': 'one' });
    const bindings = { 'song/a': 'one' };
    const changed = async (applied: number, declared: number) => {
      const last = lastAppliedOf([aSong('a', { level: applied })]);
      const { plan: document } = await plan({
        others,
        bindings,
        resources: [aSong('a', { level: declared })],
        more: { ...shared, lastApplied: last },
      });
      return document.changes.map(({ origin, changedBy }) => [origin, changedBy]);
    };
    expect(await changed(2, 2)).toEqual([['drift', 'sports']]);
    expect(await changed(0, 2)).toEqual([['change', undefined]]);
  });
});

describe('what a killed apply created', () => {
  const interrupted = [aSong('a')];

  it('is none of what another project binds, nor anything while a ledger cannot be read', async () => {
    const boundOf = async (others: OtherLedgers) => {
      const { ledgerState, blocked } = await plan({ others, resources: [aSong('a')], more: { ...shared, interrupted } });
      return [ledgerState?.bindings.get('song/a')?.origin, blocked('song/a')?.check];
    };
    expect(await boundOf(NO_OTHER_LEDGERS)).toEqual(['created', undefined]);
    expect(await boundOf(ledgers({ 'song/theirs': 'one' }))).toEqual([undefined, 'identity']);
    expect(
      await boundOf({ ...NO_OTHER_LEDGERS, unreadable: [{ target: 'kids', ref: 'refs/upkeep/kids', reason: 'it is not JSON' }] }),
    ).toEqual([undefined, 'identity']);
  });

  it('is nothing that `manages` does not name, because it may have been there before', async () => {
    const boundUnder = async (manages: readonly string[]) => {
      const more = { target: { ...shared.target, manages }, interrupted };
      const { ledgerState, blocked } = await plan({ resources: [aSong('a')], more });
      return [ledgerState?.bindings.get('song/a')?.origin, blocked('song/a')?.check];
    };
    expect(await boundUnder(['song/x', 'song/a'])).toEqual(['created', undefined]);
    expect(await boundUnder(['song/x'])).toEqual([undefined, 'identity']);
  });
});
