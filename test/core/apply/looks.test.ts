import { describe, expect, it } from 'vitest';
import type { DesiredResource } from '../../../src/core/kinds/kind.ts';
import type { JsonObject } from '../../../src/core/model/json.ts';
import type { PlanInput } from '../../../src/core/plan/input.ts';
import { FakeAccount } from '../../support/fake-account.ts';
import { applyPlan, aRule, aSong, desiredStateOf, planFor, theDial } from '../../support/planning.ts';
import { stateWith } from '../../support/previous-states.ts';

const live = (title: string, level = 0): JsonObject => ({ title, level, list: ['x', 'y'] });

/** Plans, waits `ms` milliseconds, lets `meanwhile` change the account, and applies. */
async function planAndApplyLater(
  ms: number,
  songs: { readonly [id: string]: JsonObject },
  resources: readonly DesiredResource[],
  meanwhile: (account: FakeAccount) => void,
  more: Partial<PlanInput> = {},
) {
  const account = new FakeAccount({ songs });
  const planResult = await planFor(account, desiredStateOf(resources), more);
  account.requests.length = 0;
  account.time += ms;
  meanwhile(account);
  const done = await applyPlan(account, planResult, { concurrency: 1 });
  const readsBeforeWrites = account.log('all').slice(
    0,
    account.requests.findIndex(({ method }) => method !== 'GET'),
  );
  return { account, readsBeforeWrites, ...done, why: done.outcome.outcomes.map(({ error, because }) => error ?? because ?? '') };
}

describe('a read', () => {
  it('is trusted for 30 seconds', async () => {
    const done = await planAndApplyLater(30_000, { one: live('a') }, [aSong('a', { level: 1 })], () => undefined);
    expect(done.readsBeforeWrites).toEqual([]);
    expect(done.outcomeLines).toEqual(['updated song/a']);
  });

  it('is repeated when it is older, before anything is written', async () => {
    const done = await planAndApplyLater(30_001, { one: live('a') }, [aSong('a', { level: 1 })], () => undefined);
    expect(done.readsBeforeWrites).toEqual(['GET /songs/one']);
    expect(done.outcomeLines).toEqual(['updated song/a']);
  });

  it('is repeated when it is older, whatever was done to the system clock meanwhile', async () => {
    const account = new FakeAccount({ songs: { one: live('a') } });
    let elapsed = 0;
    const planResult = await planFor(account, desiredStateOf([aSong('a', { level: 1 })]), { elapsed: () => elapsed });
    account.time -= 3_600_000;
    elapsed = 30_001;
    account.songs.set('one', live('a', 7));
    const done = await applyPlan(account, planResult, { elapsed: () => elapsed });
    expect(done.outcomeLines).toEqual(['failed song/a']);
    expect(account.songs.get('one')).toMatchObject({ level: 7 });
  });

  it('is repeated once for all pending changes, through the list where that takes fewer requests', async () => {
    const titles = Array.from({ length: 12 }, (_, index) => `t${index}`);
    const songs = Object.fromEntries(titles.map((title) => [`id-${title}`, live(title)]));
    const resources = titles.map((title) => aSong(title, { level: 1 }));
    const done = await planAndApplyLater(60_000, songs, resources, () => undefined);
    expect(done.readsBeforeWrites).toEqual(['GET /songs']);
    expect(done.outcome.summary.updated).toBe(12);
    expect(done.account.log('reads')).toEqual(['GET /songs', 'GET /songs']);
  });

  it('is repeated for later waves, too', async () => {
    const songs = { one: live('a'), two: live('b', 9), gone: live('gone') };
    const done = await planAndApplyLater(60_000, songs, [aSong('a', { level: 1 }), aSong('b', { level: 8 })], (account) => {
      account.songs.set('two', live('b', 7));
      account.songs.set('gone', live('gone', 3));
    });
    expect(done.outcomeLines).toEqual(['updated song/a', 'failed song/~gone', 'failed song/b']);
    expect(done.account.log()).toEqual(['PATCH /songs/one']);
  });

  it('is repeated again when writing takes long', async () => {
    const account = new FakeAccount({ songs: { one: live('a'), two: live('b'), three: live('c') } });
    const planResult = await planFor(account, desiredStateOf(['a', 'b', 'c'].map((key) => aSong(key, { level: 1 }))));
    account.requests.length = 0;
    account.msPerRequest = 20_000;
    account.intercept('PATCH /songs/two', () => void account.songs.set('three', live('c', 5)));
    const done = await applyPlan(account, planResult, { concurrency: 1 });
    expect(done.outcomeLines).toEqual(['updated song/a', 'updated song/b', 'failed song/c']);
    expect(account.songs.get('three')?.level).toBe(5);
  });

  it('is repeated for each kind separately', async () => {
    const done = await planAndApplyLater(60_000, {}, [aRule('p'), aSong('a'), theDial(false, ['s'])], () => undefined);
    expect(done.account.log('all').slice(0, 3)).toEqual(['GET /rules', 'GET /rules', 'POST /rules']);
    expect(done.outcomeLines).toEqual(['created rule/p', 'updated dial', 'created song/a']);
  });
});

describe('an object that was read long before it is written', () => {
  it('is not overwritten', async () => {
    const done = await planAndApplyLater(
      31_000,
      { one: live('a'), two: live('b') },
      [aSong('a', { level: 1 }), aSong('b', { level: 1 })],
      (account) => account.songs.set('one', live('a', 7)),
    );
    expect(done.outcomeLines).toEqual(['failed song/a', 'updated song/b']);
    expect(done.why[0]).toBe('stale: it changed since the plan was made; plan again');
    expect(done.account.songs.get('one')?.level).toBe(7);
  });

  it('is not updated when it is gone, and a delete of it is no delete of this run', async () => {
    const done = await planAndApplyLater(31_000, { one: live('a'), two: live('extra') }, [aSong('a', { level: 1 })], (account) =>
      account.songs.clear(),
    );
    expect(done.outcomeLines).toEqual(['failed song/a', 'unchanged song/~two']);
    expect(done.why).toEqual(['stale: it is gone', 'it was gone already']);
    expect(done.account.log()).toEqual([]);
  });

  it('is deleted after a repeated read that shows it as it was', async () => {
    const done = await planAndApplyLater(31_000, { two: live('extra') }, [], () => undefined);
    expect(done.readsBeforeWrites).toEqual(['GET /songs/two']);
    expect(done.outcomeLines).toEqual(['deleted song/~two']);
  });

  it('is not deleted when it changed', async () => {
    const done = await planAndApplyLater(31_000, { two: live('extra') }, [], (account) => account.songs.set('two', live('kept now')));
    expect(done.outcomeLines).toEqual(['failed song/~two']);
    expect(done.account.songs.has('two')).toBe(true);
  });

  it('is not created when it exists', async () => {
    const done = await planAndApplyLater(31_000, {}, [aSong('a'), aSong('s', { list: ['s'] }), aSong('t', { list: ['t'] })], (account) => {
      account.songs.set('new', live('a'));
      account.songs.set('s', { title: '', level: 0, list: ['s'] });
    });
    expect(done.outcomeLines).toEqual(['failed song/a', 'failed song/s', 'created song/t']);
    expect(done.why.slice(0, 2)).toEqual([expect.stringContaining('(new)'), expect.stringContaining('(s)')]);
    const bulk = done.account.requests.find(({ path }) => path === '/bulk');
    expect(bulk?.body).toMatchObject({ assets: ['t'] });
  });
});

it('a change that only the ledger records is never stale, because it overwrites nothing', async () => {
  const done = await planAndApplyLater(
    31_000,
    { one: live('a'), two: live('b') },
    [aSong('a'), aSong('b', { level: 1 })],
    (account) => account.songs.set('one', live('a', 7)),
    { ledgerState: stateWith({ 'song/b': 'two' }) },
  );
  expect(done.outcomeLines.sort()).toEqual(['adopted song/a', 'updated song/b']);
  expect(done.account.songs.get('one')?.level).toBe(7);
});

it('what only the ledger records is done although a repeated read fails', async () => {
  const done = await planAndApplyLater(
    31_000,
    { one: live('a'), two: live('b') },
    [aSong('a'), aSong('b', { level: 1 })],
    (account) => account.fail('GET /songs', { category: 'failed' }),
    { ledgerState: stateWith({ 'song/b': 'two' }) },
  );
  expect(done.outcomeLines.sort()).toEqual(['adopted song/a', 'failed song/b']);
});

describe('a repeated read that fails', () => {
  it('does not hide a bug in upkeep', async () => {
    const done = planAndApplyLater(31_000, { one: live('a') }, [aSong('a', { level: 1 })], (account) =>
      account.intercept('GET /songs', () => {
        throw new TypeError('oops');
      }),
    );
    await expect(done).rejects.toThrow(TypeError);
  });

  it('prevents every write of its kind', async () => {
    const done = await planAndApplyLater(31_000, { one: live('a') }, [aSong('a', { level: 1 }), aRule('p')], (account) =>
      account.fail('GET /songs', { category: 'failed' }),
    );
    expect(done.outcomeLines).toEqual(['created rule/p', 'failed song/a']);
    expect(done.why[1]).toBe('it could not be read again before writing: GET /songs/one: it was failed');
    expect(done.account.log()).toEqual(['POST /rules']);
    expect(done.errors.map(({ category }) => category)).toEqual(['failed']);
  });

  it('skips pending changes when the run was interrupted', async () => {
    const done = await planAndApplyLater(31_000, { one: live('a') }, [aSong('a', { level: 1 })], (account) =>
      account.fail('GET /songs', { category: 'interrupted' }),
    );
    expect(done.outcomeLines).toEqual(['skipped song/a']);
  });
});
