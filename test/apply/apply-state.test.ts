import { describe, expect, it } from 'vitest';
import type { DesiredResource } from '../../src/kinds/kind.ts';
import { type AccountData, FakeAccount } from '../support/fake-account.ts';
import { applyPlan, aRule, aSong, desiredStateOf, planFor, target, theDial } from '../support/planning.ts';

type Setup = { readonly adopt?: { readonly [address: string]: string }; readonly more?: Parameters<typeof planFor>[2] };

async function run(
  holdings: AccountData,
  resources: readonly DesiredResource[],
  mischief: (account: FakeAccount) => void,
  { adopt, more }: Setup = {},
) {
  const account = new FakeAccount(holdings);
  const planResult = await planFor(account, desiredStateOf(resources, adopt), more);
  mischief(account);
  const done = await applyPlan(account, planResult);
  return { account, ...done, why: done.outcome.outcomes.map(({ error, because }) => error ?? because ?? '') };
}

const held = { target: { ...target, protect: ['*held*'] } };

describe('what loosens', () => {
  const holdings: AccountData = {
    songs: {
      one: { title: 'tight', guard: 0, list: ['x', 'y'] },
      two: { title: 'loose', guard: 9, list: ['x', 'y'] },
      gone: { title: 'gone', guard: 0, list: [] },
    },
    dial: { list: [], open: true },
  };
  const resources = [aSong('tight', { guard: 1 }), aSong('loose'), aSong('new'), theDial(true, [])];

  it('is done after what tightens', async () => {
    const done = await run(holdings, resources, () => undefined);
    expect(done.outcomeLines).toEqual(['updated song/tight', 'created song/new', 'deleted song/~gone', 'updated song/loose']);
  });

  it('is skipped when what tightens failed, and nothing else is', async () => {
    const done = await run(holdings, resources, (account) => account.fail('PATCH /songs/one', { kind: 'rejected' }));
    expect(done.outcomeLines).toEqual(['failed song/tight', 'created song/new', 'deleted song/~gone', 'skipped song/loose']);
    expect(done.why.at(-1)).toBe('song/tight tightens and was not applied, so nothing is loosened in this run');
    expect(done.account.songs.get('two')?.guard).toBe(9);
  });

  it('is skipped when what tightens is held', async () => {
    const twins = { ...holdings.songs, twin: { title: 'tight', guard: 0, list: [] } };
    const done = await run({ ...holdings, songs: twins }, resources, () => undefined);
    expect(done.outcomeLines).toContain('skipped song/tight');
    expect(done.outcomeLines).toContain('skipped song/loose');
    expect(done.outcomeLines).toContain('created song/new');
  });

  it('leaves deletes of the last phase alone', async () => {
    const rules = { r: { name: 'extra', strength: 1 } };
    const done = await run({ ...holdings, rules }, resources, (account) => account.fail('PATCH /songs/one', { kind: 'rejected' }));
    expect(done.outcomeLines.at(-1)).toBe('deleted rule/~r');
  });
});

describe('a rename that frees a name', () => {
  const rules = { r: { name: 'old', strength: 1 } };
  const resources = [aRule('old'), aRule('new'), aRule('other')];
  const adopt = { 'rule/new': 'r' };

  it('comes before the create that needs it', async () => {
    const done = await run({ rules }, resources, () => undefined, { adopt });
    expect(done.outcomeLines).toEqual(['created rule/other', 'updated rule/new', 'created rule/old']);
    expect(done.account.log()).toEqual(['POST /rules', 'PATCH /rules/r', 'POST /rules']);
    expect(done.outcome.verified).toBe(true);
  });

  it('takes the create with it when it fails', async () => {
    const done = await run({ rules }, resources, (account) => account.fail('PATCH', { kind: 'rejected' }), { adopt });
    expect(done.outcomeLines).toEqual(['created rule/other', 'failed rule/new', 'skipped rule/old']);
    expect(done.why[2]).toBe('it needs the name that the rename of rule/new frees, which was not applied');
  });

  it('takes the create with it when it is held', async () => {
    const odd = { r: { name: 'old', strength: 1, odd: true } };
    const done = await run({ rules: odd }, resources, () => undefined, { adopt });
    expect(done.outcomeLines).toEqual(['created rule/other', 'skipped rule/new', 'skipped rule/old']);
    expect(done.why[1]).toBe(
      'blocked by safety check `unknown-fields`: the update would reset fields that upkeep does not know: /odd = true',
    );
  });

  it('takes the create with it when it is not part of the run', async () => {
    const done = await run({ rules }, resources, () => undefined, { adopt, more: { only: ['rule/old'] } });
    expect(done.outcomeLines).toEqual(['skipped rule/old']);
    expect(done.account.log()).toEqual([]);
  });

  it('stops a chain behind it, and nothing else', async () => {
    const chain = { r1: { name: 'a', strength: 1 }, r2: { name: 'b', strength: 1 } };
    const chained = { adopt: { 'rule/b': 'r1', 'rule/c': 'r2' } };
    const resourcesOfChain = [aRule('a'), aRule('b'), aRule('c'), aSong('s')];
    const fine = await run({ rules: chain }, resourcesOfChain, () => undefined, chained);
    expect(fine.outcomeLines).toEqual(['created song/s', 'updated rule/c', 'updated rule/b', 'created rule/a']);
    const broken = await run(
      { rules: chain },
      resourcesOfChain,
      (account) => account.fail('PATCH /rules/r2', { kind: 'rejected' }),
      chained,
    );
    expect(broken.outcomeLines).toEqual(['created song/s', 'failed rule/c', 'skipped rule/b', 'skipped rule/a']);
  });
});

describe('a held change', () => {
  it('is skipped with its brake and reason, and the rest is done', async () => {
    const songs = { one: { title: 'held', guard: 1, list: ['x', 'y'] } };
    const done = await run({ songs }, [aSong('a')], () => undefined, { more: held });
    expect(done.outcomeLines).toEqual(['created song/a', 'skipped song/~one']);
    expect(done.why[1]).toBe('blocked by safety check `protect`: `protect` names it (*held*), and it would be deleted');
    expect(done.outcome.verified).toBe(true);
  });
});

describe('the report', () => {
  it('has an outcome for every change, in the order of the plan, and counts them', async () => {
    const done = await run({}, [aSong('b'), aSong('a'), aRule('p'), aRule('held')], (account) =>
      account.fail('POST /songs', { kind: 'rejected' }),
    );
    expect(done.outcomeLines).toEqual(['created rule/held', 'created rule/p', 'failed song/a', 'created song/b']);
    expect(done.outcome.summary).toEqual({ created: 3, updated: 0, deleted: 0, adopted: 0, moved: 0, forgotten: 0, failed: 1, skipped: 0 });
    expect(done.outcome.outcomes.every(({ tookMs }) => Number.isInteger(tookMs) && tookMs >= 0)).toBe(true);
  });

  it('measures each change by the clock', async () => {
    const account = new FakeAccount();
    const planResult = await planFor(account, desiredStateOf([theDial(true, ['s'])]));
    account.msPerRequest = 700;
    const { outcome } = await applyPlan(account, planResult);
    expect(outcome.outcomes[0]?.tookMs).toBe(1400);
  });
});
