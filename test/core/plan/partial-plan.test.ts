import { expect, it } from 'vitest';
import { withReferenceFindings } from '../../../src/core/plan/check-references.ts';
import { partialPlan } from '../../../src/core/plan/partial-plan.ts';
import { FakeAccount } from '../../support/fake-account.ts';
import { aSong, desiredStateOf, planFor, target } from '../../support/planning.ts';

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

it('the plan of some of the changes has their impact and overrides alone, and no member for what the whole plan does not have', async () => {
  const resources = [aSong('a', { level: 1 }), aSong('b', { level: 1 })];
  const songs = Object.fromEntries(['a', 'b'].map((title) => [`id-${title}`, { title, level: 2, list: ['x', 'y'] }]));
  const desiredState = desiredStateOf(resources);
  const result = await planFor(new FakeAccount({ songs }), desiredState, {
    target: { ...target, weakening: 'block' },
    overrides: { deletes: 0, checks: new Set(['weakening']) },
    analyzeImpact: ({ resourcesOf }) => {
      const notes = resourcesOf('song').flatMap(({ address, isWritten }) => (isWritten ? [address] : []));
      return { byChange: new Map(), playbackReasons: new Map(), summary: { summaries: [], matrices: [], notes } };
    },
  });
  const plan = partialPlan(result.changes.slice(0, 1), { input: { desiredState }, result, assets: new Map() });
  expect([plan.impact?.notes, plan.overrides]).toEqual([['song/a'], [{ check: 'weakening', count: 1 }]]);
  expect(['unread', 'ignored', 'leftOut', 'assets', 'assetNames', 'firstExpiry'].filter((member) => member in plan)).toEqual([]);
});

it('the plan of some of the changes names what the whole plan could not read, and the ignored fields of unchanged resources', async () => {
  const account = new FakeAccount({ songs: { one: { title: 'same', level: 7, list: ['x', 'y'] } } });
  account.fail('GET /rules', { category: 'timeout' });
  const ignored = [{ path: '/level', declared: { file: 'a.yaml', line: 7, column: 3 } }];
  const desiredState = desiredStateOf([aSong('a'), aSong('b'), { ...aSong('same'), ignored }]);
  const result = await planFor(account, desiredState);
  const plan = partialPlan(result.changes.slice(0, 1), { input: { desiredState }, result, assets: new Map() });
  expect(plan.unread).toEqual([{ kind: 'rule', refused: false, reason: 'it was timeout' }]);
  expect(plan.ignored).toEqual([{ address: 'song/same', path: '/level', live: 7 }]);
});
