import { describe, expect, it } from 'vitest';
import { driftReport } from '../../../src/core/drift/drift-report.ts';
import { assess, type Kind, NEUTRAL, strengthens, weakens } from '../../../src/core/kinds/kind.ts';
import type { Change } from '../../../src/core/model/change.ts';
import { FakeAccount } from '../../support/fake-account.ts';
import { dial, eachField, song } from '../../support/fake-kinds.ts';
import { aRule, aSingle, aSong, desiredStateOf, planFor, target, theDial } from '../../support/planning.ts';
import { EMPTY_LEDGER, planAfter, stateWith } from '../../support/previous-states.ts';

describe('driftReport', () => {
  const account = () =>
    new FakeAccount({
      songs: { one: { title: 'a', level: 0, list: ['x', 'y'] }, two: { title: 'extra', level: 0, list: [] } },
      dial: { list: [], open: true },
    });
  const desiredState = desiredStateOf([aSong('a', { level: 2 }), aRule('p'), theDial(false, [])]);

  it('inverts the changes of the plan', async () => {
    const planResult = await planFor(account(), desiredState);
    const drift = driftReport(planResult);
    expect(drift.changes.map(({ action, address, effect }) => `${action} ${address} ${effect}`)).toEqual([
      'delete rule/p neutral',
      'update dial weakens',
      'update song/a weakens',
      'create song/~two neutral',
    ]);
    expect(drift.changes[2]?.fields).toEqual([
      { path: '/level', before: 2, after: 0, origin: 'unknown', effect: 'weakens', reasons: [weakens('level falls to 0')] },
    ]);
    expect(drift.changes[0]?.fields).toEqual([{ path: '/name', before: 'p', after: null, origin: 'unknown', effect: 'neutral' }]);
    expect(drift.summary).toEqual({ ...planResult.plan.summary, create: 1, update: 2, delete: 1, blocked: 0 });
  });

  it('writes nothing, and keeps no safety check but `identity`', async () => {
    const planResult = await planFor(account(), desiredState, { target: { ...target, ownership: 'observe' } });
    const { plan } = planResult;
    expect(plan.summary.blocked).toBe(3);
    const drift = driftReport(planResult);
    expect(drift.summary.blocked).toBe(0);
    expect(drift.requests).toEqual([]);
    expect(drift.cost).toEqual({ reads: plan.cost.reads, writes: 0 });
  });

  it('keeps the block of an object with an identity problem', async () => {
    const twins = new FakeAccount({ songs: { one: { title: 'a', level: 0, list: [] }, two: { title: 'a', level: 0, list: [] } } });
    const drift = driftReport(await planFor(twins, desiredStateOf([aSong('a')])));
    expect(drift.changes[0]?.blocked?.check).toBe('identity');
    expect(drift.summary.blocked).toBe(1);
  });

  it('assesses an inverted change that does both as weakening', async () => {
    const both = {
      ...dial,
      assessRisk: eachField(({ path }, { after }) =>
        assess((path === '/open') === (after?.fields.open === true) ? weakens(path) : strengthens(path)),
      ),
    };
    const planResult = await planFor(new FakeAccount(), desiredStateOf([theDial(true, ['s'])]), { kinds: [both] });
    const verdicts = (change: Change | undefined) => [change?.effect, ...(change?.fields ?? []).flatMap(({ reasons }) => reasons ?? [])];
    expect(verdicts(planResult.plan.changes[0])).toEqual(['weakens', strengthens('/list'), weakens('/open')]);
    expect(verdicts(driftReport(planResult).changes[0])).toEqual(['weakens', weakens('/list'), strengthens('/open')]);
  });

  it('lets the kind assess the inverted change, because a delete is not the opposite of a create', async () => {
    const falling = {
      ...song,
      assessRisk: eachField(({ path }, { action, before, after }) =>
        action === 'delete' && path === '/list' ? assess(weakens(`${before?.id} falls back, ${after}`)) : NEUTRAL,
      ),
    };
    const planResult = await planFor(new FakeAccount(), desiredStateOf([aSingle('x')]), { kinds: [falling] });
    expect(planResult.plan.changes).toMatchObject([{ action: 'create', effect: 'neutral' }]);
    expect(driftReport(planResult).changes).toMatchObject([
      { action: 'delete', effect: 'weakens', fields: [{ path: '/list', reasons: [weakens('x falls back, null')] }] },
    ]);
  });

  it('passes no remote ID to the kind for a resource that has none', async () => {
    const falling = { ...song, assessRisk: eachField((_field, { before }) => assess(weakens(`of ${before?.id}`))) };
    const { changes } = driftReport(await planFor(new FakeAccount(), desiredStateOf([aSong('a')]), { kinds: [falling] }));
    expect(changes[0]?.fields.map(({ reasons }) => reasons)).toEqual([[weakens('of null')], [weakens('of null')]]);
  });

  it('hands on what the kind knows beyond the fields, as far as something is still there', async () => {
    const seen: unknown[] = [];
    const curious: Kind = {
      ...song,
      assessRisk: ({ after, fields }) => {
        seen.push(after);
        return fields.map(() => NEUTRAL);
      },
    };
    const resources = [
      { ...aSong('a', { level: 2 }), kindData: { codec: 'AVC' } },
      { ...aSong('b'), kindData: { codec: 'HEVC' } },
      aSong('extra', { level: 1, list: [] }),
    ];
    const planResult = await planFor(account(), desiredStateOf(resources), { kinds: [curious] });
    seen.length = 0;
    driftReport(planResult);
    expect(seen).toStrictEqual([
      { fields: { title: 'a', level: 0, list: ['x', 'y'] }, kindData: { codec: 'AVC' } },
      null,
      { fields: { title: 'extra', level: 0, list: [] } },
    ]);
  });

  it('omits changes that only the ledger records', async () => {
    const songs = { one: { title: 'a', level: 0, list: ['x', 'y'] } };
    const planResult = await planAfter(new FakeAccount({ songs }), desiredStateOf([aSong('a')]), EMPTY_LEDGER);
    expect(planResult.plan.changes.map(({ action }) => action)).toEqual(['adopt']);
    expect(driftReport(planResult).changes).toEqual([]);
  });

  it('keeps the block of a suspicious read', async () => {
    const history = { ...EMPTY_LEDGER, state: stateWith({ 'song/a': 'gone-1', 'song/b': 'gone-2' }) };
    const drift = driftReport(await planAfter(new FakeAccount(), desiredStateOf([aSong('a')]), history));
    expect(drift.changes.map(({ blocked }) => blocked?.check)).toEqual(['suspicious-read']);
    expect(drift.summary.blocked).toBe(1);
  });
});
