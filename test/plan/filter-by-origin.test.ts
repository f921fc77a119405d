import { describe, expect, it } from 'vitest';
import { assess, type DesiredResource, type Kind, loosens, tightens } from '../../src/kinds/kind.ts';
import type { JsonObject } from '../../src/model/json.ts';
import type { PlanInput } from '../../src/plan/input.ts';
import { FakeAccount, type Holdings } from '../support/fake-account.ts';
import { dial, eachField, rule, song } from '../support/fake-kinds.ts';
import { aRule, aSong, declaring, moving, target, theDial, told } from '../support/planning.ts';
import { baseOf, FIRST, knowing, lived, pastOf, recalled } from '../support/previous-states.ts';

const shared = { target: { ...target, ownership: 'shared' }, onlyOrigin: 'change' } as const;
const plain = { guard: 0, list: ['x', 'y'] };

function past(was: readonly DesiredResource[], bindings: { readonly [address: string]: string }) {
  return pastOf(was, knowing(bindings));
}

/** One song that was `was`, is `live` and is to be `wanted`. */
async function oneSong(was: JsonObject, live: JsonObject, wanted: JsonObject, more: Partial<PlanInput> = {}) {
  const account = new FakeAccount({ songs: { one: { ...plain, title: 'a', ...live } } });
  const planResult = await recalled(account, declaring([aSong('a', wanted)]), past([aSong('a', was)], { 'song/a': 'one' }), {
    ...shared,
    ...more,
  });
  return { account, reconciled: planResult, plan: planResult.plan, change: planResult.plan.changes[0] };
}

describe('--only-origin change', () => {
  it('does not send or verify a field that drifted', async () => {
    const account = new FakeAccount({ songs: { one: { ...plain, title: 'by hand' } } });
    const done = await lived(account, declaring([aSong('a', { guard: 1 })]), past([aSong('a')], { 'song/a': 'one' }), 'c2', shared);
    expect(done.told).toEqual(['updated song/a']);
    expect(account.requests.find(({ method }) => method === 'PATCH')?.body).toEqual({ guard: 1 });
    expect(done.reconciled.plan.changes[0]?.fields.map(({ path }) => path)).toEqual(['/guard']);
    const { plan } = await recalled(account, declaring([aSong('a', { guard: 1 })]), done.past, { ...shared, onlyOrigin: null });
    expect(plan.changes.map(({ origin, fields }) => [origin, ...fields.map(({ path }) => path)])).toEqual([['drift', '/title']]);
  });

  it('overwrites a field that both changed', async () => {
    const { change } = await oneSong({}, { guard: 7 }, { guard: 1 });
    expect(change?.fields).toMatchObject([{ path: '/guard', before: 7, after: 1, origin: 'both' }]);
  });

  it('leaves out updates, creates and deletes of drift, and does not count them as unchanged', async () => {
    const holdings: Holdings = { songs: { one: { ...plain, title: 'by hand' }, two: { ...plain, title: 'extra' } } };
    const was = [aSong('a'), aSong('gone')];
    const { plan } = await recalled(new FakeAccount(holdings), declaring(was), past(was, { 'song/a': 'one' }), {
      target,
      onlyOrigin: 'change',
    });
    expect(told({ plan })).toEqual([]);
    expect(plan.summary).toMatchObject({ create: 0, update: 0, delete: 0, unchanged: 0 });
  });

  it('keeps creates, deletes and changes of unknown origin', async () => {
    const holdings: Holdings = { songs: { one: { ...plain, title: 'a' }, two: { ...plain, title: 'b', guard: 3 } } };
    const desiredState = declaring([aSong('new'), aSong('b')]);
    const before = past([aSong('a')], { 'song/a': 'one', 'song/b': 'two' });
    const lastApplied = baseOf([aSong('a')], ['song/b']);
    const { plan } = await recalled(new FakeAccount(holdings), desiredState, { ...before, lastApplied }, shared);
    expect(told({ plan }).sort()).toEqual(['create song/new', 'delete song/a', 'update song/b']);
  });

  it('assesses the remaining fields with the live values of the others', async () => {
    const kind: Kind = {
      ...song,
      assessRisk: eachField(({ path }, { desired }) =>
        assess(path === '/list' && desired?.fields.guard === 0 ? loosens('unguarded') : tightens(path)),
      ),
    };
    const { change, reconciled: planResult } = await oneSong(
      { guard: 1 },
      {},
      { guard: 1, list: ['z', 'x'] },
      {
        kinds: [kind],
        target: { ...shared.target, loosening: 'block' },
      },
    );
    expect(change).toMatchObject({ effect: 'loosens', fields: [{ path: '/list', effect: 'loosens', origin: 'change' }] });
    expect(change?.blocked?.reason).toBe('it loosens protection: unguarded');
    expect(planResult.changes[0]?.desired?.fields).toMatchObject({ guard: 0, list: ['z', 'x'] });
  });

  it('does not change a name that drifted', async () => {
    const account = new FakeAccount({ songs: { one: { ...plain, title: 'by hand' } } });
    const desiredState = declaring([aSong('a', { guard: 1 }), aSong('new', { title: 'by hand' })]);
    const { changes: steps } = await recalled(account, desiredState, past([aSong('a')], { 'song/a': 'one' }), shared);
    expect(steps.map(({ change, dependsOn, desired }) => [change.address, dependsOn, desired?.label])).toEqual([
      ['song/a', null, 'by hand'],
      ['song/new', null, 'by hand'],
    ]);
  });

  it('warns where drift is overwritten because the kind has no partial updates', async () => {
    const account = () => new FakeAccount({ rules: { r: { name: 'p', strength: 7 } }, dial: { list: ['s'], open: false } });
    const before = past([aRule('p'), theDial(false, [])], { 'rule/p': 'r' });
    const renamed = { ...aRule('p'), fields: { name: 'q', strength: 1 }, label: 'q' };
    const desiredState = declaring([renamed, theDial(true, [])]);
    const { plan } = await recalled(account(), desiredState, before, shared);
    expect(plan.changes.map(({ address, fields }) => [address, ...fields.map(({ path, origin }) => `${path} ${origin}`)])).toEqual([
      ['rule/p', '/name change', '/strength drift'],
      ['dial', '/list drift', '/open change'],
    ]);
    const hint = 'Declare the live value, or accept that it is overwritten.';
    expect(plan.findings.map((finding) => [finding.code, finding.address, finding.summary, finding.hint])).toEqual([
      ['drift-overwritten', 'dial', 'dial is always sent whole, so /list cannot be left alone', hint],
      ['drift-overwritten', 'rule/p', 'rule/p is always sent whole, so /strength cannot be left alone', hint],
    ]);
    const part = await recalled(account(), desiredState, before, { ...shared, only: ['dial'] });
    expect(part.plan.findings.map(({ address }) => address)).toEqual(['dial']);
    const other = await recalled(account(), desiredState, before, { ...shared, only: ['rule/other'] });
    expect(other.plan.findings).toEqual([]);
    const quiet = await recalled(account(), desiredState, before, {
      ...shared,
      rules: { 'drift-overwritten': 'off' },
      kinds: [dial, rule],
    });
    expect(quiet.plan.findings).toEqual([]);
  });

  it('still records moves in the ledger', async () => {
    const account = new FakeAccount({ songs: { one: { ...plain, title: 'a', guard: 7 } } });
    const desiredState = moving(declaring([aSong('b', { title: 'a' })]), { 'song/a': 'song/b' });
    const { plan } = await recalled(account, desiredState, past([aSong('a')], { 'song/a': 'one' }), shared);
    expect(plan.changes).toMatchObject([{ action: 'move', address: 'song/b', movedFrom: 'song/a', fields: [] }]);
  });
});

describe('--only-origin drift', () => {
  it('reverts the drift and leaves the change of the repository pending', async () => {
    const account = new FakeAccount({ songs: { one: { ...plain, title: 'by hand' } } });
    const desiredState = declaring([aSong('a', { guard: 1 }), aSong('new')]);
    const done = await lived(account, desiredState, past([aSong('a')], { 'song/a': 'one' }), 'c2', { ...shared, onlyOrigin: 'drift' });
    expect(done.told).toEqual(['updated song/a']);
    expect(account.songs.get('one')).toMatchObject({ title: 'a', guard: 0 });
    const { plan } = await recalled(account, desiredState, done.past, { ...shared, onlyOrigin: null });
    expect(plan.changes.map(({ address, origin }) => [address, origin])).toEqual([
      ['song/a', 'change'],
      ['song/new', 'change'],
    ]);
  });
});

describe('without --only-origin', () => {
  it('all changes are kept', async () => {
    const { plan } = await recalled(new FakeAccount(), declaring([aSong('a')]), { ...FIRST, lastApplied: baseOf([aSong('a')]) });
    expect(plan.changes.map(({ origin }) => origin)).toEqual(['drift']);
  });
});
