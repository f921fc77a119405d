import { describe, expect, it } from 'vitest';
import { driftOf } from '../../src/engine/drift.ts';
import { FakeAccount } from './fake-account.ts';
import { dial } from './fakes.ts';
import { aRule, aSong, declaring, planned, target, theDial } from './runs.ts';

describe('driftOf', () => {
  const account = () =>
    new FakeAccount({
      songs: { one: { title: 'a', guard: 0, list: ['x', 'y'] }, two: { title: 'extra', guard: 0, list: [] } },
      dial: { list: [], open: true },
    });
  const declaration = declaring([aSong('a', { guard: 2 }), aRule('p'), theDial(false, [])]);

  it('shows the plan from the other end', async () => {
    const { plan } = await planned(account(), declaration);
    const drift = driftOf(plan);
    expect(drift.changes.map(({ action, address, effect }) => `${action} ${address} ${effect}`)).toEqual([
      'delete rule/p neutral',
      'update dial loosens',
      'update song/a loosens',
      'create song/~two neutral',
    ]);
    expect(drift.changes[2]?.fields).toEqual([{ path: '/guard', before: 2, after: 0, origin: 'unknown', effect: 'loosens' }]);
    expect(drift.changes[0]?.fields).toEqual([{ path: '/name', before: 'p', after: null, origin: 'unknown', effect: 'neutral' }]);
    expect(drift.summary).toEqual({ ...plan.summary, create: 1, update: 2, delete: 1, held: 0 });
  });

  it('writes nothing, and no brake but identity concerns it', async () => {
    const { plan } = await planned(account(), declaration, { target: { ...target, ownership: 'observe' } });
    expect(plan.summary.held).toBe(3);
    const drift = driftOf(plan);
    expect(drift.summary.held).toBe(0);
    expect(drift.requests).toEqual([]);
    expect(drift.cost).toEqual({ reads: plan.cost.reads, writes: 0 });
  });

  it('keeps saying where an object cannot be told', async () => {
    const twins = new FakeAccount({ songs: { one: { title: 'a', guard: 0, list: [] }, two: { title: 'a', guard: 0, list: [] } } });
    const { plan } = await planned(twins, declaring([aSong('a')]));
    const drift = driftOf(plan);
    expect(drift.changes[0]?.held?.brake).toBe('identity');
    expect(drift.summary.held).toBe(1);
  });

  it('lets loosening win from the other end, too', async () => {
    const both = {
      ...dial,
      effect: ({ field }: { field: { path: string } }) => ({
        effect: field.path === '/open' ? ('loosens' as const) : ('tightens' as const),
      }),
    };
    const { plan } = await planned(new FakeAccount(), declaring([theDial(true, ['s'])]), { kinds: [both] });
    expect(plan.changes[0]?.effect).toBe('loosens');
    expect(driftOf(plan).changes[0]?.effect).toBe('loosens');
  });
});
