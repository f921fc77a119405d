import { describe, expect, it } from 'vitest';
import type { DesiredResource } from '../../../src/core/kinds/kind.ts';
import { type AccountData, FakeAccount } from '../../support/fake-account.ts';
import { applyPlan, aRule, aSong, desiredStateOf, only, planFor, target, theDial } from '../../support/planning.ts';

type Setup = { readonly adopt?: { readonly [address: string]: string }; readonly more?: Parameters<typeof planFor>[2] };

/** Plans on an account, lets `interfere` change it, and applies. `reasons` say why each change failed or was skipped. */
async function run(
  holdings: AccountData,
  resources: readonly DesiredResource[],
  interfere: (account: FakeAccount) => void,
  { adopt, more }: Setup = {},
) {
  const account = new FakeAccount(holdings);
  const planResult = await planFor(account, desiredStateOf(resources, adopt), more);
  interfere(account);
  const done = await applyPlan(account, planResult);
  return { account, ...done, reasons: done.outcome.outcomes.map(({ error, because }) => error ?? because ?? '') };
}

const protectBlocked = { target: { ...target, protect: ['*blocked*'] } };

describe('a change that weakens', () => {
  const holdings: AccountData = {
    songs: {
      one: { title: 'tight', level: 0, list: ['x', 'y'] },
      two: { title: 'loose', level: 9, list: ['x', 'y'] },
      gone: { title: 'gone', level: 0, list: [] },
    },
    dial: { list: [], open: true },
  };
  const resources = [aSong('tight', { level: 1 }), aSong('loose'), aSong('new'), theDial(true, [])];

  it('is applied after the changes that strengthen', async () => {
    const done = await run(holdings, resources, () => undefined);
    expect(done.outcomeLines).toEqual(['updated song/tight', 'created song/new', 'deleted song/~gone', 'updated song/loose']);
  });

  it('is skipped when a change that strengthens failed, but all others are applied', async () => {
    const done = await run(holdings, resources, (account) => account.fail('PATCH /songs/one', { category: 'rejected' }));
    expect(done.outcomeLines).toEqual(['failed song/tight', 'created song/new', 'deleted song/~gone', 'skipped song/loose']);
    expect(done.reasons.at(-1)).toBe(
      'song/tight strengthens protection and is not known to have taken effect, so nothing that weakens it is applied in this run',
    );
    expect(done.account.songs.get('two')?.level).toBe(9);
  });

  it('is skipped when a change that strengthens is blocked', async () => {
    const twins = { ...holdings.songs, twin: { title: 'tight', level: 0, list: [] } };
    const done = await run({ ...holdings, songs: twins }, resources, () => undefined);
    expect(done.outcomeLines).toContain('skipped song/tight');
    expect(done.outcomeLines).toContain('skipped song/loose');
    expect(done.outcomeLines).toContain('created song/new');
  });

  it('is skipped, but the deletes of the last phase are applied', async () => {
    const rules = { r: { name: 'extra', strength: 1 } };
    const done = await run({ ...holdings, rules }, resources, (account) => account.fail('PATCH /songs/one', { category: 'rejected' }));
    expect(done.outcomeLines.at(-1)).toBe('deleted rule/~r');
  });
});

describe('a create that takes the former name of a rename', () => {
  const rules = { r: { name: 'old', strength: 1 } };
  const resources = [aRule('old'), aRule('new'), aRule('other')];
  const adopt = { 'rule/new': 'r' };

  it('is applied after the rename', async () => {
    const done = await run({ rules }, resources, () => undefined, { adopt });
    expect(done.outcomeLines).toEqual(['created rule/other', 'updated rule/new', 'created rule/old']);
    expect(done.account.log()).toEqual(['POST /rules', 'PATCH /rules/r', 'POST /rules']);
    expect(done.outcome.verified).toBe(true);
  });

  it('is skipped when the rename fails', async () => {
    const done = await run({ rules }, resources, (account) => account.fail('PATCH', { category: 'rejected' }), { adopt });
    expect(done.outcomeLines).toEqual(['created rule/other', 'failed rule/new', 'skipped rule/old']);
    expect(done.reasons[2]).toBe('it needs the name that the rename of rule/new frees, which was not applied');
  });

  it('is skipped when the rename is blocked', async () => {
    const odd = { r: { name: 'old', strength: 1, odd: true } };
    const done = await run({ rules: odd }, resources, () => undefined, { adopt });
    expect(done.outcomeLines).toEqual(['created rule/other', 'skipped rule/new', 'skipped rule/old']);
    expect(done.reasons[1]).toBe('blocked by safety check `unknown-fields`: the update may reset /odd = true, which upkeep does not know');
  });

  it('is skipped when the rename is not part of the run', async () => {
    const done = await run({ rules }, resources, () => undefined, { adopt, more: { ...only('rule/old') } });
    expect(done.outcomeLines).toEqual(['skipped rule/old']);
    expect(done.account.log()).toEqual([]);
  });

  it('is skipped together with the chain of renames before it when the first one fails, and no other change is', async () => {
    const chain = { r1: { name: 'a', strength: 1 }, r2: { name: 'b', strength: 1 } };
    const chained = { adopt: { 'rule/b': 'r1', 'rule/c': 'r2' } };
    const resourcesOfChain = [aRule('a'), aRule('b'), aRule('c'), aSong('s')];
    const fine = await run({ rules: chain }, resourcesOfChain, () => undefined, chained);
    expect(fine.outcomeLines).toEqual(['created song/s', 'updated rule/c', 'updated rule/b', 'created rule/a']);
    const broken = await run(
      { rules: chain },
      resourcesOfChain,
      (account) => account.fail('PATCH /rules/r2', { category: 'rejected' }),
      chained,
    );
    expect(broken.outcomeLines).toEqual(['created song/s', 'failed rule/c', 'skipped rule/b', 'skipped rule/a']);
  });
});

describe('a blocked change', () => {
  it('is skipped with its safety check and reason, but all others are applied', async () => {
    const songs = { one: { title: 'blocked', level: 1, list: ['x', 'y'] } };
    const done = await run({ songs }, [aSong('a')], () => undefined, { more: protectBlocked });
    expect(done.outcomeLines).toEqual(['created song/a', 'skipped song/~one']);
    expect(done.reasons[1]).toBe('blocked by safety check `protect`: `protect` names *blocked*, and it would be deleted');
    expect(done.outcome.verified).toBe(true);
  });
});

describe('the outcome of an apply', () => {
  it('lists every change in the order of the plan, and counts the results', async () => {
    const done = await run({}, [aSong('b'), aSong('a'), aRule('p'), aRule('q')], (account) =>
      account.fail('POST /songs', { category: 'rejected' }),
    );
    expect(done.outcomeLines).toEqual(['created rule/p', 'created rule/q', 'failed song/a', 'created song/b']);
    expect(done.outcome.summary).toEqual({ created: 3, updated: 0, deleted: 0, adopted: 0, moved: 0, forgotten: 0, failed: 1, skipped: 0 });
    expect(done.outcome.outcomes.every(({ tookMs }) => Number.isInteger(tookMs) && tookMs >= 0)).toBe(true);
  });

  it('contains how long each change took', async () => {
    const account = new FakeAccount();
    const planResult = await planFor(account, desiredStateOf([theDial(true, ['s'])]));
    account.msPerRequest = 700;
    const { outcome } = await applyPlan(account, planResult);
    expect(outcome.outcomes[0]?.tookMs).toBe(1400);
  });
});
