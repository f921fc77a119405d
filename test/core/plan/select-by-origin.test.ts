import { describe, expect, it } from 'vitest';
import { assess, type DesiredResource, type Kind, strengthens, weakens } from '../../../src/core/kinds/kind.ts';
import type { Origin } from '../../../src/core/model/change.ts';
import type { JsonObject } from '../../../src/core/model/json.ts';
import type { PlanInput } from '../../../src/core/plan/input.ts';
import { selectByOrigin } from '../../../src/core/plan/select-by-origin.ts';
import { selectionOf } from '../../../src/core/plan/selection.ts';
import { type PlannedChange, planUpdate } from '../../../src/core/state/planned-change.ts';
import { type AccountData, FakeAccount } from '../../support/fake-account.ts';
import { dial, eachField, rule, song } from '../../support/fake-kinds.ts';
import { changed, plannedOf } from '../../support/planned-changes.ts';
import { aLiveSong, aRule, aSong, changeLines, desiredStateOf, onlyOrigin, target, theDial, withMoves } from '../../support/planning.ts';
import { EMPTY_LEDGER, historyOf, lastAppliedOf, planAfter, planAndApply, stateWith } from '../../support/previous-states.ts';
import { rulesOf } from '../../support/rules.ts';

const shared = { target: { ...target, ownership: 'shared' }, ...onlyOrigin('change') } as const;
const plain = { level: 0, list: ['x', 'y'] };

function history(was: readonly DesiredResource[], bindings: { readonly [address: string]: string }) {
  return historyOf(was, stateWith(bindings));
}

/** One song that was `was`, is `live` and is to be `wanted`. */
async function oneSong(was: JsonObject, live: JsonObject, wanted: JsonObject, more: Partial<PlanInput> = {}) {
  const account = new FakeAccount({ songs: { one: { ...plain, title: 'a', ...live } } });
  const planResult = await planAfter(account, desiredStateOf([aSong('a', wanted)]), history([aSong('a', was)], { 'song/a': 'one' }), {
    ...shared,
    ...more,
  });
  return { account, planResult, plan: planResult.plan, change: planResult.plan.changes[0] };
}

describe('--only-origin change', () => {
  it('does not send or verify a field that drifted', async () => {
    const account = new FakeAccount({ songs: { one: { ...plain, title: 'by hand' } } });
    const done = await planAndApply(
      account,
      desiredStateOf([aSong('a', { level: 1 })]),
      history([aSong('a')], { 'song/a': 'one' }),
      'c2',
      shared,
    );
    expect(done.outcomeLines).toEqual(['updated song/a']);
    expect(account.requests.find(({ method }) => method === 'PATCH')?.body).toEqual({ level: 1 });
    expect(done.planResult.plan.changes[0]?.fields.map(({ path }) => path)).toEqual(['/level']);
    const { plan } = await planAfter(account, desiredStateOf([aSong('a', { level: 1 })]), done.history, { ...shared, ...onlyOrigin(null) });
    expect(plan.changes.map(({ origin, fields }) => [origin, ...fields.map(({ path }) => path)])).toEqual([['drift', '/title']]);
  });

  it('overwrites a field that was changed in the repository and by hand', async () => {
    const { change } = await oneSong({}, { level: 7 }, { level: 1 });
    expect(change?.fields).toMatchObject([{ path: '/level', before: 7, after: 1, origin: 'both' }]);
  });

  it('leaves out updates, creates and deletes of drift, and does not count them as unchanged', async () => {
    const holdings: AccountData = { songs: { one: { ...plain, title: 'by hand' }, two: { ...plain, title: 'extra' } } };
    const was = [aSong('a'), aSong('gone')];
    const { plan } = await planAfter(new FakeAccount(holdings), desiredStateOf(was), history(was, { 'song/a': 'one' }), {
      target,
      ...onlyOrigin('change'),
    });
    expect(changeLines({ plan })).toEqual([]);
    expect(plan.summary).toMatchObject({ create: 0, update: 0, delete: 0, unchanged: 0 });
    expect(plan.leftOut).toEqual({ onlyOrigin: 'change', count: 3 });
    expect(plan.risks).toBe('No change in what was looked at; what was done by hand to 3 resources is left out by `--only-origin change`.');
  });

  it('counts a resource with fields that are left out once, and says nothing where none is left out', async () => {
    const both = await oneSong({}, { title: 'by hand', list: ['z'] }, { level: 1 });
    expect([both.plan.changes.length, both.plan.leftOut]).toEqual([1, { onlyOrigin: 'change', count: 1 }]);
    expect((await oneSong({}, {}, { level: 1 })).plan.leftOut).toBeUndefined();
    expect((await oneSong({}, { title: 'by hand' }, {}, { ...onlyOrigin(null) })).plan.leftOut).toBeUndefined();
  });

  it('keeps creates and deletes of the repository, and updates of unknown origin', async () => {
    const holdings: AccountData = { songs: { one: { ...plain, title: 'a' }, two: { ...plain, title: 'b', level: 3 } } };
    const desiredState = desiredStateOf([aSong('new'), aSong('b')]);
    const before = history([aSong('a')], { 'song/a': 'one', 'song/b': 'two' });
    const lastApplied = lastAppliedOf([aSong('a')], ['song/b']);
    const { plan } = await planAfter(new FakeAccount(holdings), desiredState, { ...before, lastApplied }, shared);
    expect(changeLines({ plan }).sort()).toEqual(['create song/new', 'delete song/a', 'update song/b']);
  });

  it('assesses the remaining fields with the live values of the others', async () => {
    const kind: Kind = {
      ...song,
      assessRisk: eachField(({ path }, { after }) =>
        assess(path === '/list' && after?.fields.level === 0 ? weakens('no level') : strengthens(path)),
      ),
    };
    const { change, planResult } = await oneSong(
      { level: 1 },
      {},
      { level: 1, list: ['z', 'x'] },
      {
        kinds: [kind],
        target: { ...shared.target, weakening: 'block' },
      },
    );
    expect(change).toMatchObject({ effect: 'weakens', fields: [{ path: '/list', effect: 'weakens', origin: 'change' }] });
    expect(change?.blocked?.reason).toBe('it weakens protection: no level');
    expect(planResult.changes[0]?.desired?.fields).toMatchObject({ level: 0, list: ['z', 'x'] });
  });

  it('does not change a name that drifted', async () => {
    const account = new FakeAccount({ songs: { one: { ...plain, title: 'by hand' } } });
    const desiredState = desiredStateOf([aSong('a', { level: 1 }), aSong('new', { title: 'by hand' })]);
    const { changes } = await planAfter(account, desiredState, history([aSong('a')], { 'song/a': 'one' }), shared);
    expect(changes.map(({ change, dependsOn, desired }) => [change.address, dependsOn, desired?.remoteName])).toEqual([
      ['song/a', null, 'by hand'],
      ['song/new', null, 'by hand'],
    ]);
  });

  it('warns where drift is overwritten because the kind has no partial updates', async () => {
    const account = () => new FakeAccount({ rules: { r: { name: 'p', strength: 7 } }, dial: { list: ['s'], open: false } });
    const before = history([aRule('p'), theDial(false, [])], { 'rule/p': 'r' });
    const renamed = { ...aRule('p'), fields: { name: 'q', strength: 1 }, remoteName: 'q' };
    const desiredState = desiredStateOf([renamed, theDial(true, [])]);
    const { plan } = await planAfter(account(), desiredState, before, shared);
    expect(plan.changes.map(({ address, fields }) => [address, ...fields.map(({ path, origin }) => `${path} ${origin}`)])).toEqual([
      ['rule/p', '/name change', '/strength drift'],
      ['dial', '/list drift', '/open change'],
    ]);
    const hint = 'Apply without `--only-origin`, declare the live value, or accept that these fields are written, too.';
    expect(plan.findings.map((finding) => [finding.code, finding.address, finding.summary, finding.hint])).toEqual([
      ['sent-whole', 'dial', 'dial is always sent whole, so /list cannot be left alone', hint],
      ['sent-whole', 'rule/p', 'rule/p is always sent whole, so /strength cannot be left alone', hint],
    ]);
    const part = await planAfter(account(), desiredState, before, { ...shared, ...onlyOrigin('change', 'dial') });
    expect(part.plan.findings.map(({ address }) => address)).toEqual(['dial']);
    const other = await planAfter(account(), desiredState, before, { ...shared, ...onlyOrigin('change', 'rule/other') });
    expect(other.plan.findings).toEqual([]);
    const quiet = await planAfter(account(), desiredState, before, {
      ...shared,
      severityRules: rulesOf({ 'sent-whole': 'off' }),
      kinds: [dial, rule],
    });
    expect(quiet.plan.findings).toEqual([]);
  });

  it('does not warn where every field of such a kind is of the repository, of both or of unknown origin', async () => {
    const live = { r: { name: 'p', strength: 1 }, s: { name: 's', strength: 7 }, t: { name: 't', strength: 7 } };
    const desiredState = desiredStateOf([aRule('p', 2), aRule('s', 2), aRule('t', 2), aRule('new')]);
    const before = history([aRule('p'), aRule('s')], { 'rule/p': 'r', 'rule/s': 's', 'rule/t': 't' });
    const lastApplied = lastAppliedOf([aRule('p'), aRule('s')], ['rule/t']);
    const { plan } = await planAfter(new FakeAccount({ rules: live }), desiredState, { ...before, lastApplied }, shared);
    expect(plan.changes.map(({ action, address, origin }) => [action, address, origin])).toEqual([
      ['create', 'rule/new', 'change'],
      ['update', 'rule/p', 'change'],
      ['update', 'rule/s', 'both'],
      ['update', 'rule/t', 'unknown'],
    ]);
    expect(plan.findings).toEqual([]);
  });

  it('names every field of drift that is overwritten, and no other, at the declaration', async () => {
    const whole: Kind = { ...song, hasPartialUpdates: false };
    const { plan } = await oneSong({}, { level: 7, list: ['z', 'y'] }, { title: 'b' }, { kinds: [whole] });
    expect(plan.changes.map(({ fields }) => fields.map(({ path, origin }) => `${path} ${origin}`))).toEqual([
      ['/level drift', '/list drift', '/title change'],
    ]);
    expect(plan.findings).toMatchObject([
      { file: 'songs/a.yaml', summary: 'song/a is always sent whole, so /level, /list cannot be left alone' },
    ]);
  });

  it('gives an object its new name where another field drifted', async () => {
    const { account, planResult, plan } = await oneSong({}, { level: 7 }, { title: 'b' });
    expect(plan.changes.map(({ fields }) => fields.map(({ path }) => path))).toEqual([['/title']]);
    expect(planResult.changes[0]?.desired).toMatchObject({ remoteName: 'b', fields: { title: 'b', level: 7 } });
    expect(account.songs.get('one')).toMatchObject({ title: 'a', level: 7 });
  });

  it('still adopts in the ledger', async () => {
    const account = new FakeAccount({ songs: { one: { ...plain, title: 'a' } } });
    const { plan } = await planAfter(account, desiredStateOf([aSong('a')]), history([aSong('a')], {}), shared);
    expect(plan.changes).toMatchObject([{ action: 'adopt', address: 'song/a', adopts: 'one' }]);
  });

  it('still records moves in the ledger', async () => {
    const account = new FakeAccount({ songs: { one: { ...plain, title: 'a', level: 7 } } });
    const desiredState = withMoves(desiredStateOf([aSong('b', { title: 'a' })]), { 'song/a': 'song/b' });
    const { plan } = await planAfter(account, desiredState, history([aSong('a')], { 'song/a': 'one' }), shared);
    expect(plan.changes).toMatchObject([{ action: 'move', address: 'song/b', movedFrom: 'song/a', fields: [] }]);
  });
});

describe('--only-origin drift', () => {
  it('reverts the drift and leaves the change of the repository pending', async () => {
    const account = new FakeAccount({ songs: { one: { ...plain, title: 'by hand' } } });
    const desiredState = desiredStateOf([aSong('a', { level: 1 }), aSong('new')]);
    const done = await planAndApply(account, desiredState, history([aSong('a')], { 'song/a': 'one' }), 'c2', {
      ...shared,
      ...onlyOrigin('drift'),
    });
    expect(done.outcomeLines).toEqual(['updated song/a']);
    expect(account.songs.get('one')).toMatchObject({ title: 'a', level: 0 });
    const { plan } = await planAfter(account, desiredState, done.history, { ...shared, ...onlyOrigin(null) });
    expect(plan.changes.map(({ address, origin }) => [address, origin])).toEqual([
      ['song/a', 'change'],
      ['song/new', 'change'],
    ]);
  });
});

describe('without --only-origin', () => {
  it('all changes are kept', async () => {
    const { plan } = await planAfter(new FakeAccount(), desiredStateOf([aSong('a')]), {
      ...EMPTY_LEDGER,
      lastApplied: lastAppliedOf([aSong('a')]),
    });
    expect(plan.changes.map(({ origin }) => origin)).toEqual(['drift']);
  });
});

describe('selectByOrigin', () => {
  const ofRepository = selectionOf([], 'change');
  const live = aLiveSong('one', { title: 'live', level: 0 });
  /** An update of the title and the level, each with its origin. */
  const updateOf = (title: Origin, level: Origin): PlannedChange => {
    const differences = [
      { path: '/level', before: 0, after: 5, origin: level },
      { path: '/title', before: 'live', after: 'a', origin: title },
    ];
    return planUpdate(song, aSong('a', { level: 5 }), live, differences);
  };

  it('keeps everything where no origin is selected, and an update of which every field is', () => {
    const planned = [updateOf('drift', 'change'), plannedOf(song, 'create')];
    expect(selectByOrigin(planned, selectionOf([], null))).toEqual({ selected: planned, leftOut: [], overwriteWarnings: [] });
    const update = updateOf('change', 'both');
    const { selected, leftOut } = selectByOrigin([update], ofRepository);
    expect(selected[0]).toBe(update);
    expect(leftOut).toEqual([]);
  });

  it('keeps the name of the live object where its difference is left out, and only there', () => {
    const [name, level] = [updateOf('drift', 'change'), updateOf('change', 'drift')].map((each) => selectByOrigin([each], ofRepository));
    expect(name?.selected).toMatchObject([
      { change: { fields: [{ path: '/level' }] }, desired: { remoteName: 'live', fields: { title: 'live', level: 5 } } },
    ]);
    expect(level?.selected).toMatchObject([
      { change: { fields: [{ path: '/title' }] }, desired: { remoteName: 'a', fields: { title: 'a', level: 0 } } },
    ]);
    expect([name?.leftOut, level?.leftOut]).toMatchObject([[{ address: 'song/a' }], [{ address: 'song/a' }]]);
  });

  it('keeps what only the ledger records, whatever its origin', () => {
    const planned = (['adopt', 'move', 'forget'] as const).map((action) => changed(plannedOf(song, action), { origin: 'drift' }));
    expect(selectByOrigin(planned, ofRepository)).toMatchObject({ selected: planned, leftOut: [] });
  });
});
