/** What becomes of a write whose read is too old by the time that it could be sent (design section 4, rule 3). */
import { describe, expect, it } from 'vitest';
import { noAttempts } from '../../../src/core/api-client/attempts.ts';
import { MAX_EXPIRIES } from '../../../src/core/apply/execute.ts';
import { AFTER_READ_MS, FRESH_MS } from '../../../src/core/apply/looks.ts';
import type { DesiredResource } from '../../../src/core/kinds/kind.ts';
import type { JsonObject } from '../../../src/core/model/json.ts';
import { FakeAccount, type Fault } from '../../support/fake-account.ts';
import { applyPlan, aSingle, aSong, desiredStateOf, planFor, theDial } from '../../support/planning.ts';

const BUDGET_MS = 10_000;
const list = ['x', 'y'];
const live = (title: string, level = 0): JsonObject => ({ title, level, list });
const expired: Fault = { category: 'expired' };

/** Plans, lets `interfere` change the account, and applies, one sequence at a time unless said. */
async function run(
  account: FakeAccount,
  resources: readonly DesiredResource[],
  interfere: () => void,
  { budgetMs = 0, concurrency = 1 } = {},
) {
  const planResult = await planFor(account, desiredStateOf(resources));
  account.requests.length = 0;
  interfere();
  const done = await applyPlan(account, planResult, { concurrency, settling: account.settling(budgetMs) });
  return { ...done, why: done.outcome.outcomes.map(({ error, because }) => error ?? because ?? '') };
}

/** An expired request after one attempt without an answer, which ended so long ago. */
function lostBefore(account: FakeAccount, ms: number): Fault {
  const endedAt = account.time - ms;
  return {
    category: 'expired',
    mayHaveWritten: 'maybe',
    attempts: { ...noAttempts, count: 1, firstAt: endedAt, endedAt, lost: true, lostAt: endedAt },
  };
}

describe('a write that expires', () => {
  it('is sent with a new limit after a look', async () => {
    const account = new FakeAccount({ songs: { one: live('a') } });
    const done = await run(account, [aSong('a', { level: 1 })], () => {
      account.fail('PATCH', expired);
      account.time += 20_000;
    });
    expect(done.outcomeLines).toEqual(['updated song/a']);
    expect(account.log('all').slice(0, 3)).toEqual(['PATCH /songs/one', 'GET /songs/one', 'PATCH /songs/one']);
    const limits = account.requests.flatMap(({ freshUntil }) => freshUntil ?? []);
    expect(limits).toEqual([1_000_000 + FRESH_MS, 1_020_000 + FRESH_MS]);
    expect(done.errors).toEqual([]);
  });

  it('shares its look with all other pending changes of the kind', async () => {
    const keys = Array.from({ length: 12 }, (_, index) => `t${index}`);
    const account = new FakeAccount({ songs: Object.fromEntries(keys.map((key) => [`id-${key}`, live(key)])) });
    const resources = keys.map((key) => aSong(key, { level: 1 }));
    const done = await run(account, resources, () => account.fail('PATCH', expired, 12), { concurrency: 12 });
    expect(done.outcome.summary.updated).toBe(12);
    // One look for all, and one read for the verification.
    expect(account.log('reads')).toEqual(['GET /songs', 'GET /songs']);
  });

  it('goes on with the attempts that it had', async () => {
    const account = new FakeAccount({ songs: { one: live('a') } });
    const attempts = { ...noAttempts, count: 3, firstAt: 5, endedAt: 9, refused: true };
    await run(account, [aSong('a', { level: 1 })], () => account.fail('PATCH', { ...expired, attempts }));
    expect(account.requests.map(({ earlier }) => earlier).filter((earlier) => earlier !== undefined)).toEqual([attempts]);
  });

  it(`fails where it expires more than ${MAX_EXPIRIES} times in a row without an attempt`, async () => {
    const account = new FakeAccount({ songs: { one: live('a') } });
    const done = await run(account, [aSong('a', { level: 1 })], () => account.fail('PATCH', expired, 99));
    expect(done.outcomeLines).toEqual(['failed song/a']);
    expect(done.why[0]).toBe('PATCH /songs/one: it was expired — look again');
    expect([account.log('reads').length, account.log().length]).toEqual([MAX_EXPIRIES, MAX_EXPIRIES + 1]);
    const patient = new FakeAccount({ songs: { one: live('a') } });
    const withAttempts = await run(patient, [aSong('a', { level: 1 })], () => {
      for (let count = 1; count <= 2 * MAX_EXPIRIES; count++) patient.fail('PATCH', { ...expired, attempts: { ...noAttempts, count } });
    });
    expect(withAttempts.outcomeLines).toEqual(['updated song/a']);
  });

  it('is skipped where the service refused the key meanwhile', async () => {
    const account = new FakeAccount({ songs: { one: live('a'), two: live('b') } });
    const done = await run(
      account,
      [aSong('a', { level: 1 }), aSong('b', { level: 1 })],
      () => {
        account.fail('PATCH /songs/one', { category: 'credentials', status: 403 });
        account.fail('PATCH /songs/two', expired);
      },
      { concurrency: 2 },
    );
    expect(done.outcomeLines).toEqual(['failed song/a', 'skipped song/b']);
    expect(account.log()).toEqual(['PATCH /songs/one', 'PATCH /songs/two']);
  });

  it('is skipped where its look is interrupted, and fails where it may have been written', async () => {
    const run1 = async (fault: (account: FakeAccount) => Fault) => {
      const account = new FakeAccount({ songs: { one: live('a') } });
      const done = await run(account, [aSong('a', { level: 1 })], () => {
        account.fail('PATCH', fault(account));
        account.fail('GET', { category: 'interrupted' });
      });
      return [done.outcomeLines[0], done.why[0]];
    };
    expect(await run1(() => expired)).toEqual(['skipped song/a', 'the run was interrupted']);
    expect(await run1((account) => lostBefore(account, 0))).toEqual([
      'failed song/a',
      'PATCH /songs/one: it was expired — look again It is not known whether it was updated.',
    ]);
  });
});

describe('a look that takes long', () => {
  it(`leaves ${AFTER_READ_MS / 1000} seconds for a write, so that a slow service gets one`, async () => {
    const account = new FakeAccount({ songs: { one: live('a') } });
    await run(account, [aSong('a', { level: 1 })], () => {
      account.time += 31_000;
      account.msPerRequest = 40_000;
    });
    const [look, write] = account.requests;
    expect([look?.method, write?.freshUntil]).toEqual(['GET', 1_031_000 + 40_000 + AFTER_READ_MS]);
  });
});

describe('somebody else who made an object as desired', () => {
  const interfere = (account: FakeAccount) => () => {
    account.time += 31_000;
    account.songs.set('one', live('a', 1));
    account.songs.delete('gone');
  };
  const accountOf = () => new FakeAccount({ songs: { one: live('a'), gone: live('gone') } });

  it('did it: nothing is sent, nothing is read back, and nothing is claimed', async () => {
    const account = accountOf();
    const done = await run(account, [aSong('a', { level: 1 })], interfere(account));
    expect(done.outcomeLines.sort()).toEqual(['unchanged song/a', 'unchanged song/~gone']);
    expect(done.why.sort()).toEqual(['it was as desired already, and nothing was sent', 'it was gone already']);
    expect(done.outcome).toMatchObject({ verified: true, summary: { updated: 0, deleted: 0, failed: 0, unchanged: 2 } });
    expect(account.log('all')).toEqual(['GET /songs/one', 'GET /songs/gone']);
  });

  it("did not create what this run creates: the new object is nobody's decision", async () => {
    const account = new FakeAccount();
    const done = await run(account, [aSong('a')], () => {
      account.time += 31_000;
      account.songs.set('hand', live('a'));
    });
    expect(done.why).toEqual(['stale: it already exists (hand)']);
  });

  it('does not keep what weakens from being applied after it', async () => {
    const account = new FakeAccount({ songs: { one: live('a'), two: live('b', 9) } });
    const done = await run(account, [aSong('a', { level: 1 }), aSong('b', { level: 8 })], () => {
      account.time += 31_000;
      account.songs.set('one', live('a', 1));
    });
    expect(done.outcomeLines).toEqual(['unchanged song/a', 'updated song/b']);
  });
});

describe('an update that expires after an attempt without an answer', () => {
  const updateOf = async (sinceMs: number, levelNow: number, budgetMs = BUDGET_MS, level = 1) => {
    const account = new FakeAccount({ songs: { one: live('a') } });
    const done = await run(
      account,
      [aSong('a', { level })],
      () => {
        account.fail('PATCH', lostBefore(account, sinceMs));
        account.songs.set('one', live('a', levelNow));
      },
      { budgetMs },
    );
    return { account, line: done.outcomeLines[0], why: done.why[0], writes: account.log().length };
  };

  it('is done where it reads as desired: this run may have been heard', async () => {
    expect(await updateOf(0, 1)).toMatchObject({ line: 'updated song/a', writes: 1 });
  });

  it('is stale where it reads otherwise', async () => {
    expect(await updateOf(0, 7)).toMatchObject({
      line: 'failed song/a',
      why: 'stale: it changed since the plan was made; plan again',
      writes: 1,
    });
  });

  it('is sent again where reads had the time to show it, and still show it as planned', async () => {
    expect(await updateOf(BUDGET_MS, 0)).toMatchObject({ line: 'updated song/a', writes: 2 });
    const { account, line } = await updateOf(0, 0);
    expect(line).toBe('updated song/a');
    expect(account.slept.reduce((sum, ms) => sum + ms, 0)).toBe(BUDGET_MS);
  });

  it('is not sent again where the budget of the run has ended before', async () => {
    const account = new FakeAccount({ songs: { one: live('a') } });
    const planResult = await planFor(account, desiredStateOf([aSong('a', { level: 1 })]));
    const settling = account.settling(BUDGET_MS);
    await settling.settle(
      async () => null,
      () => false,
    );
    account.requests.length = 0;
    account.fail('PATCH', lostBefore(account, 0));
    const done = await applyPlan(account, planResult, { settling });
    expect(done.outcome.outcomes[0]).toMatchObject({
      result: 'failed',
      error: expect.stringContaining('It is not known whether it was updated.'),
    });
    expect(account.log()).toEqual(['PATCH /songs/one']);
  });
});

describe('a delete whose answer was lost', () => {
  it('is not sent again to an object that a read still shows, as long as reads may lag', async () => {
    const account = new FakeAccount({ songs: { gone: live('gone') } });
    account.lagMs = 5000;
    account.giveUpMs = 60_000;
    const done = await run(account, [], () => account.fail('DELETE', { category: 'throttled', status: 503, lost: true }), {
      budgetMs: BUDGET_MS,
    });
    expect(done.outcomeLines).toEqual(['deleted song/~gone']);
    expect(account.log()).toEqual(['DELETE /songs/gone']);
  });

  it('is sent again after that time, with the limit of its look, and not to an object that changed', async () => {
    const deleteOf = async (edit: (account: FakeAccount) => void) => {
      const account = new FakeAccount({ songs: { gone: live('gone') } });
      account.giveUpMs = 60_000;
      const fault: Fault = { category: 'throttled', status: 503, mayHaveWritten: 'maybe', retryAfterMs: 33_000 };
      const done = await run(
        account,
        [],
        () => {
          account.fail('DELETE', fault);
          account.later(1000, () => edit(account));
        },
        { budgetMs: BUDGET_MS },
      );
      return { account, line: done.outcomeLines[0], limit: account.requests.at(2)?.freshUntil };
    };
    expect(await deleteOf(() => undefined)).toMatchObject({ line: 'deleted song/~gone', limit: 1_033_000 + FRESH_MS });
    expect((await deleteOf((account) => account.songs.set('gone', live('gone', 7)))).line).toBe('failed song/~gone');
  });
});

describe('the second request of a change', () => {
  const secondOf = async (interfere: (account: FakeAccount) => void, budgetMs = 0) => {
    const account = new FakeAccount();
    const done = await run(
      account,
      [theDial(true, ['s'])],
      () =>
        account.intercept('POST /dial/open', () => {
          interfere(account);
          return expired;
        }),
      { budgetMs },
    );
    return { line: done.outcomeLines[0], why: done.why[0], log: account.log('all').slice(0, 4), account };
  };

  it('has its own look where it expires, which counts what the first one wrote as planned', async () => {
    const { line, log } = await secondOf(() => undefined);
    expect([line, log]).toEqual(['updated dial', ['POST /dial/list', 'POST /dial/open', 'GET /dial', 'POST /dial/open']]);
  });

  it('is not sent where somebody edited what the first one wrote, or took it back', async () => {
    for (const hand of [['s', 'by hand'], []]) {
      const { line, why, log } = await secondOf((account) => account.setDial({ list: hand, open: false }));
      expect([line, why]).toEqual(['failed dial', 'stale: it changed since the plan was made; plan again']);
      expect(log.slice(0, 3)).toEqual(['POST /dial/list', 'POST /dial/open', 'GET /dial']);
    }
  });

  it('is not sent where somebody else has done it: the change is one of this run all the same', async () => {
    const { line, account } = await secondOf((each) => each.setDial({ list: ['s'], open: true }));
    expect([line, account.log()]).toEqual(['updated dial', ['POST /dial/list', 'POST /dial/open']]);
  });

  it('waits until reads show the first one', async () => {
    const { line, account } = await secondOf((each) => {
      const { dial } = each;
      each.intercept('GET /dial', () => ({ body: { list: [], open: false } }), 3);
      each.setDial(dial);
    }, BUDGET_MS);
    expect([line, account.slept.slice(0, 3)]).toEqual(['updated dial', [200, 400, 800]]);
  });
});

it('a bulk create that expires is built again from what nobody has made meanwhile', async () => {
  const account = new FakeAccount();
  const done = await run(
    account,
    ['u', 'v', 'w'].map((asset) => aSingle(asset)),
    () =>
      account.intercept('POST /bulk', () => {
        account.songs.set('v', { title: '', level: 5, list: ['v'] });
        return expired;
      }),
  );
  expect(done.outcomeLines).toEqual(['created single/u', 'failed single/v', 'created single/w']);
  const sent = account.requests.filter(({ path }) => path === '/bulk').map(({ body }) => body);
  expect(sent).toMatchObject([{ assets: ['u', 'v', 'w'] }, { assets: ['u', 'w'] }]);
});
