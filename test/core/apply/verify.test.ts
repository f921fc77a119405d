import { describe, expect, it } from 'vitest';
import { FakeAccount } from '../../support/fake-account.ts';
import { applyPlan, aRule, aSingle, aSong, desiredStateOf, planFor, theDial } from '../../support/planning.ts';

async function run(account: FakeAccount, desiredState: ReturnType<typeof desiredStateOf>) {
  const planResult = await planFor(account, desiredState);
  account.requests.length = 0;
  return applyPlan(account, planResult);
}

describe('verify', () => {
  it('reads back few written objects one by one', async () => {
    const account = new FakeAccount({
      songs: { one: { title: 'a', level: 0, list: ['x', 'y'] }, gone: { title: 'g', level: 0, list: [] } },
    });
    const done = await run(account, desiredStateOf([aSong('a', { level: 1 }), aSong('b')]));
    // `GET /songs` is the search for the created object: the log leaves out its query.
    expect(account.log('reads').sort()).toEqual(['GET /songs', 'GET /songs/gone', 'GET /songs/one']);
    expect(done.outcome).toMatchObject({ verified: true, summary: { created: 1, updated: 1, deleted: 1, failed: 0 } });
  });

  it.each([5, 6, 300])('reads %i objects with few requests', async (count) => {
    const account = new FakeAccount();
    const done = await run(account, desiredStateOf(Array.from({ length: count }, (_, index) => aSingle(`asset-${index}`))));
    expect(account.log('reads').length).toBe(count <= 5 ? count : 1);
    expect(done.outcome.verified).toBe(true);
  });

  it('reads nothing where nothing was written', async () => {
    const account = new FakeAccount();
    account.fail('POST', { category: 'rejected' });
    const done = await run(account, desiredStateOf([aSong('a')]));
    expect(account.log('reads')).toEqual([]);
    expect(done.outcome.verified).toBe(false);
  });

  it('reports what does not read back as desired', async () => {
    const account = new FakeAccount({ songs: { one: { title: 'a', level: 0, list: ['x', 'y'] } } });
    account.intercept('PATCH', () => {
      account.songs.set('one', { title: 'a', level: 2, list: ['x', 'y'] });
      return { body: {} };
    });
    const done = await run(account, desiredStateOf([aSong('a', { level: 3 })]));
    expect(done.outcome.outcomes).toMatchObject([{ result: 'failed', error: 'inconsistent after apply: /level reads 2, not 3' }]);
    expect(done.outcome).toMatchObject({ verified: false, summary: { failed: 1, updated: 0 } });
    expect(done.verificationErrors).toEqual([]);
    expect(done.outcome.unverified).toEqual({ differs: ['song/a'], notRead: [] });
  });

  it('reports objects missing after a create or present after a delete as not seen yet', async () => {
    const account = new FakeAccount({ songs: { gone: { title: 'g', level: 0, list: [] } } });
    account.intercept('POST', () => ({ body: { id: 'nowhere' } }));
    account.intercept('DELETE', () => ({ body: null }));
    const done = await run(account, desiredStateOf([aSong('a')]));
    expect(done.outcome.outcomes.map(({ result, because }) => [result, because])).toEqual([
      ['unseen', 'the service still shows the state before it: it does not exist'],
      ['unseen', 'the service still shows the state before it: it still exists (gone)'],
    ]);
    expect(done.outcome).toMatchObject({ verified: false, summary: { created: 0, deleted: 0, failed: 0, unseen: 2 } });
  });

  it('reports that it could not read back, and keeps the results', async () => {
    const account = new FakeAccount();
    account.fail('GET /songs', { category: 'unreachable' });
    const planResult = await planFor(new FakeAccount(), desiredStateOf([aSong('a'), aRule('p'), theDial(true, [])]));
    const done = await applyPlan(account, planResult, { now: () => 0 });
    expect(done.outcomeLines).toEqual(['created rule/p', 'created song/a', 'updated dial']);
    expect(done.outcome).toMatchObject({ verified: false, unverified: { differs: [], notRead: ['song'] } });
    expect(done.errors.map(({ category }) => category)).toEqual(['unreachable']);
  });

  it('names what differs, and what could not be read', async () => {
    const account = new FakeAccount({ songs: { a: { title: 'a', level: 0, list: [] } } });
    const planResult = await planFor(account, desiredStateOf([aSong('a', { level: 3 }), aRule('p')]));
    account.intercept('PATCH', () => {
      account.songs.set('a', { title: 'a', level: 2, list: [] });
      return { body: { id: 'a' } };
    });
    account.fail('GET /rules', { category: 'credentials' });
    const done = await applyPlan(account, planResult, { now: () => 0 });
    expect(done.outcome).toMatchObject({ verified: false, unverified: { differs: ['song/a'], notRead: ['rule'] } });
    expect(done.verificationErrors.map(({ category }) => category)).toEqual(['credentials']);
  });

  it('does not catch a bug in upkeep', async () => {
    const account = new FakeAccount();
    const planResult = await planFor(account, desiredStateOf([aSong('a')]));
    account.intercept('GET', () => {
      throw new TypeError('oops');
    });
    await expect(applyPlan(account, planResult)).rejects.toThrow(TypeError);
  });
});
