/** Reads that lag behind writes (design section 4, rule 15). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeAccount } from '../../support/fake-account.ts';
import { applyPlan, aSong, desiredStateOf, planFor } from '../../support/planning.ts';
import { stateWith } from '../../support/previous-states.ts';
import { assertAsyncProperty } from '../../support/property.ts';

const list = ['x', 'y'];
const BUDGET_MS = 10_000;

/** An account with an object to update and one to delete, of which reads lag behind writes. */
function lagging(lagMs: number): FakeAccount {
  const account = new FakeAccount({ songs: { one: { title: 'a', level: 0, list }, gone: { title: 'g', level: 0, list } } });
  account.lagMs = lagMs;
  return account;
}

const DESIRED = desiredStateOf([aSong('a', { level: 3 }), aSong('new')]);

/** Plans and applies what creates, updates and deletes; `budgetMs` is that of the whole run. */
async function applyTo(account: FakeAccount, budgetMs = BUDGET_MS) {
  const planResult = await planFor(account, DESIRED, { settling: account.settling(budgetMs) });
  account.requests.length = 0;
  account.slept.length = 0;
  return applyPlan(account, planResult, { settling: account.settling(budgetMs) });
}

describe('reads that lag behind writes', () => {
  it('are repeated with growing pauses until they show what was written, and no longer', async () => {
    const account = lagging(1000);
    const done = await applyTo(account);
    expect(done.outcome).toMatchObject({ verified: true, summary: { created: 1, updated: 1, deleted: 1, failed: 0 } });
    expect(account.slept).toEqual([200, 400, 800]);
  });

  it('are not waited for where the service shows at once what was written', async () => {
    const account = lagging(0);
    expect((await applyTo(account)).outcome.verified).toBe(true);
    expect(account.slept).toEqual([]);
  });

  it('leave a change neither failed nor made where they do not show it by the end of the budget, and keep the ID of a create', async () => {
    const account = lagging(60_000);
    const done = await applyTo(account);
    expect(done.outcomeLines.sort()).toEqual(['unseen song/a', 'unseen song/new', 'unseen song/~gone']);
    expect(done.outcome).toMatchObject({ verified: false, summary: { created: 0, updated: 0, deleted: 0, failed: 0, unseen: 3 } });
    expect(account.slept.reduce((sum, ms) => sum + ms, 0)).toBe(BUDGET_MS);
    expect(done.ids.get('song/new')).toBe('born-1');
    expect(account.log().length).toBe(3);
  });

  it('take the waits of a run from one budget, those at the same time once', async () => {
    const account = lagging(0);
    const settling = account.settling(1000);
    const never = () =>
      settling.settle(
        async () => account.time,
        () => false,
      );
    await Promise.all([never(), never(), never()]);
    expect(account.time - 1_000_000).toBeGreaterThanOrEqual(1000);
    const before = account.time;
    await never();
    expect(account.time).toBe(before);
  });

  it('fail a change at once that shows neither the state before nor the desired one', async () => {
    const account = lagging(0);
    account.intercept('PATCH /songs', () => {
      account.songs.set('one', { title: 'a', level: 2, list });
      return { body: {} };
    });
    const done = await applyTo(account);
    expect(done.outcome.outcomes.find(({ address }) => address === 'song/a')).toMatchObject({
      result: 'failed',
      error: 'inconsistent after apply: /level reads 2, not 3',
    });
    expect(account.slept).toEqual([]);
  });
});

describe('a create whose object was not seen', () => {
  const unseen = (id: string) => {
    const bindings = new Map([['song/a', { id, origin: 'created', unseen: '2026-01-01T00:00:00.000Z' } as const]]);
    return { ...stateWith({}), bindings };
  };

  it('is waited for once more by the next plan, which then finds nothing to do', async () => {
    const account = new FakeAccount({ songs: {} });
    account.later(1000, () => account.songs.set('born', { title: 'a', level: 0, list }));
    const { plan } = await planFor(account, desiredStateOf([aSong('a')]), {
      ledgerState: unseen('born'),
      settling: account.settling(BUDGET_MS),
    });
    expect(plan.changes).toEqual([]);
  });

  it('is blocked with its ID and the time of the response where the object does not appear', async () => {
    const account = new FakeAccount();
    const plan = async (more = {}) =>
      (
        await planFor(account, desiredStateOf([aSong('a')]), {
          ledgerState: unseen('born'),
          settling: account.settling(BUDGET_MS),
          ...more,
        })
      ).plan;
    expect((await plan()).changes.map(({ action, blocked }) => [action, blocked?.check, blocked?.reason])).toEqual([
      [
        'create',
        'suspicious-read',
        'an earlier run created it (born, answered 2026-01-01T00:00:00.000Z), and the service does not show it yet',
      ],
    ]);
    expect(account.slept.reduce((sum, ms) => sum + ms, 0)).toBe(BUDGET_MS);
    const overrides = { deletes: 0, checks: new Set(['suspicious-read'] as const) };
    expect((await plan({ overrides })).changes.map(({ blocked }) => blocked)).toEqual([null]);
  });

  it('is blocked by the journal of this machine, too, and sent again where the journal has no ID', async () => {
    const planWith = async (id: string | null) => {
      const account = new FakeAccount();
      const sentCreates = new Map([['song/a', { id, at: '2026-01-01T00:00:00.000Z' }]]);
      const { plan } = await planFor(account, desiredStateOf([aSong('a')]), { sentCreates, settling: account.settling(BUDGET_MS) });
      return [plan.changes.map(({ blocked }) => blocked?.check ?? null), account.slept.reduce((sum, ms) => sum + ms, 0)];
    };
    expect(await planWith('born')).toEqual([['suspicious-read'], BUDGET_MS]);
    expect(await planWith(null)).toEqual([[null], BUDGET_MS]);
  });
});

describe('a create whose response was lost', () => {
  it('is never made twice where reads lag up to the budget', async () => {
    await assertAsyncProperty(
      fc.asyncProperty(fc.nat(BUDGET_MS), fc.integer({ min: 1, max: 4 }), async (lagMs, losses) => {
        const account = new FakeAccount();
        account.lagMs = Math.max(1, lagMs);
        account.fail('POST', { category: 'failed', lost: true }, losses);
        const planResult = await planFor(account, desiredStateOf([aSong('a'), aSong('b')]));
        await applyPlan(account, planResult, { settling: account.settling(BUDGET_MS) });
        const titles = [...account.songs.values()].map(({ title }) => title);
        expect(titles.length).toBe(new Set(titles).size);
      }),
    );
  });

  it('is not sent again where the budget had ended before, and its fate is not recorded as known', async () => {
    const account = new FakeAccount();
    account.lagMs = 60_000;
    account.fail('POST', { category: 'failed', lost: true }, 3);
    const planResult = await planFor(account, desiredStateOf([aSong('a')]));
    const settling = account.settling(1000);
    await settling.settle(
      async () => null,
      () => false,
    );
    account.requests.length = 0;
    const known: string[] = [];
    const journal = { recordIntent: () => null, recordResult: (addresses: readonly string[]) => void known.push(...addresses) };
    const done = await applyPlan(account, planResult, { settling, journal });
    expect([account.log().length, known, done.outcome.outcomes[0]?.error]).toEqual([
      1,
      [],
      expect.stringContaining('It is not known whether it was created.'),
    ]);
  });
});
