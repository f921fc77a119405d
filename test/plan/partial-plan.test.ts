import { expect, it } from 'vitest';
import { withReferenceFindings } from '../../src/plan/check-references.ts';
import { partialPlan } from '../../src/plan/partial-plan.ts';
import { FakeAccount } from '../support/fake-account.ts';
import { aSong, desiredStateOf, planFor } from '../support/planning.ts';

const firstExpiry = { asset: 'z', at: '2027-01-01T00:00:00Z' };
const assets = new Map(['w', 'x', 'y', 'z'].map((id) => [id, { name: `the ${id}`, durationSeconds: 60 }]));
const named = (key: string, list: readonly string[]) => ({ ...aSong(key, { list }), kindData: { names: { x: 'film', z: 'news' } } });

async function planned() {
  const desiredState = desiredStateOf([named('a', ['x', 'y']), named('b', ['z', 'w'])]);
  const result = await planFor(new FakeAccount(), desiredState);
  const plan = withReferenceFindings(result.plan, { findings: [], reads: 1, facts: assets, firstExpiry });
  return { input: { desiredState }, result: { ...result, plan }, assets };
}

it('the plan of some of the changes says what is known of the assets that they name, and which asset of all is gone first', async () => {
  const all = await planned();
  const only = all.result.changes.filter(({ change }) => change.address === 'song/a');
  const plan = partialPlan(only, all);
  expect(plan.changes.map(({ address }) => address)).toEqual(['song/a']);
  expect(plan.assets).toEqual({ x: { name: 'the x', durationSeconds: 60 }, y: { name: 'the y', durationSeconds: 60 } });
  expect([plan.assetNames, plan.firstExpiry]).toEqual([{ x: 'film' }, firstExpiry]);
  expect(plan.cost.reads).toBe(all.result.plan.cost.reads);
});

it('the plan of all changes is the plan itself', async () => {
  const all = await planned();
  expect(partialPlan(all.result.changes, all)).toBe(all.result.plan);
});
