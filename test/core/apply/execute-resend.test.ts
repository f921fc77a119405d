/** When a create or a delete is sent again, and what is read before. */
import { describe, expect, it } from 'vitest';
import type { FakeAccount, Fault } from '../../support/fake-account.ts';
import { aSingle, aSong, planThenApply } from '../../support/planning.ts';

const created = { title: 'a', level: 0, list: ['x', 'y'] };
const GIVE_UP_MS = 20_000;

/** Creates the song `a` on an account that `interfere` changed, with time to wait for it. */
function createSong(interfere: (account: FakeAccount) => void) {
  return planThenApply({}, [aSong('a')], (account) => {
    account.giveUpMs = GIVE_UP_MS;
    interfere(account);
  });
}

function total(waits: readonly number[]): number {
  return waits.reduce((sum, ms) => sum + ms, 0);
}

describe('a response that asks for a retry', () => {
  it.each<[string, Fault]>([
    ['a 400', { category: 'rejected', lost: true }],
    ['a 429', { category: 'throttled', lost: true }],
    ['a 429 with Retry-After', { category: 'throttled', lost: true, retryAfterMs: 1000 }],
  ])('%s: an object that was created all the same is found, and nothing is sent again', async (_what, fault) => {
    const done = await createSong((account) => account.fail('POST /songs', fault));
    expect(done.outcomeLines).toEqual(['created song/a']);
    expect(done.account.log()).toEqual(['POST /songs']);
    expect(done.account.songs.size).toBe(1);
    expect(done.outcome.verified).toBe(true);
  });

  it.each<[string, Fault, number[]]>([
    ['a 400', { category: 'rejected', mayHaveWritten: 'maybe' }, []],
    ['a 429', { category: 'throttled', mayHaveWritten: 'maybe' }, [200]],
    ['a 429 with Retry-After', { category: 'throttled', mayHaveWritten: 'maybe', retryAfterMs: 7000 }, [7000]],
  ])('%s: the create is sent again after a read', async (_what, fault, waits) => {
    const done = await createSong((account) => account.fail('POST /songs', fault));
    expect(done.outcomeLines).toEqual(['created song/a']);
    expect(done.account.log('all').slice(0, 4)).toEqual(['POST /songs', 'GET /songs', 'GET /songs', 'POST /songs']);
    expect(done.account.slept).toEqual(waits);
  });

  it('a second 400 fails the create', async () => {
    const done = await createSong((account) => account.fail('POST /songs', { category: 'rejected', mayHaveWritten: 'maybe' }, 99));
    expect(done.outcomeLines).toEqual(['failed song/a']);
    expect(done.why[0]).toBe('POST /songs: it was rejected — look again');
    expect(done.account.log('all')).toEqual(['POST /songs', 'GET /songs', 'GET /songs', 'POST /songs', 'GET /songs', 'GET /songs']);
  });

  it('a throttled create is repeated with growing delays until the time limit of retries', async () => {
    const done = await createSong((account) => account.fail('POST /songs', { category: 'throttled', mayHaveWritten: 'maybe' }, 99));
    expect(done.outcomeLines).toEqual(['failed song/a']);
    expect(done.account.slept).toEqual([200, 400, 800, 1600, 3200, 5000, 5000, 3800]);
    expect(done.account.log()).toHaveLength(9);
  });

  it('a Retry-After beyond the time to give up ends the retries, but a created object is found', async () => {
    const long: Fault = { category: 'throttled', mayHaveWritten: 'maybe', retryAfterMs: GIVE_UP_MS + 1 };
    const done = await createSong((account) => account.fail('POST /songs', long));
    expect(done.outcomeLines).toEqual(['failed song/a']);
    expect(done.account.log('all')).toEqual(['POST /songs', 'GET /songs', 'GET /songs']);
    expect(done.account.slept).toEqual([]);
    const found = await createSong((account) => account.fail('POST /songs', { ...long, lost: true }));
    expect(found.outcomeLines).toEqual(['created song/a']);
  });

  it('a rejection after a lost response may mean that the first request was executed', async () => {
    const done = await createSong((account) => {
      account.fail('POST /songs', { category: 'failed', mayHaveWritten: 'maybe' });
      account.intercept('POST /songs', () => {
        account.songs.set('late', created);
        return { category: 'rejected' };
      });
    });
    expect(done.outcomeLines).toEqual(['created song/a']);
    expect(done.account.songs.size).toBe(1);
    const rejected = await createSong((account) => {
      account.fail('POST /songs', { category: 'failed', mayHaveWritten: 'maybe' });
      account.fail('POST /songs', { category: 'rejected' }, 99);
    });
    expect(rejected.outcomeLines).toEqual(['failed song/a']);
    expect(rejected.account.log()).toHaveLength(2);
  });

  it('a bulk create sends only the missing objects again', async () => {
    const singles = ['u', 'v', 'w'].map((asset) => aSingle(asset));
    const done = await planThenApply({}, singles, (account) => {
      account.giveUpMs = GIVE_UP_MS;
      account.intercept('POST /bulk', () => {
        account.songs.set('v', { title: '', level: 0, list: ['v'] });
        return { category: 'throttled', mayHaveWritten: 'maybe', retryAfterMs: 3000 };
      });
    });
    expect(done.outcome.summary.created).toBe(3);
    expect(done.account.requests.filter(({ path }) => path === '/bulk').map(({ body }) => body)).toMatchObject([
      { assets: ['u', 'v', 'w'] },
      { assets: ['u', 'w'] },
    ]);
    expect(done.account.slept).toEqual([3000]);
  });
});

describe('a create without a response', () => {
  it.each(['timeout', 'unreachable'] as const)('(%s) is read until its object exists', async (category) => {
    const done = await createSong((account) =>
      account.intercept('POST /songs', () => {
        account.later(4000, () => account.songs.set('slow', created));
        return { category, mayHaveWritten: 'maybe' };
      }),
    );
    expect(done.outcomeLines).toEqual(['created song/a']);
    expect(done.account.log()).toEqual(['POST /songs']);
    expect(done.account.slept).toEqual([200, 400, 800, 1600, 3200]);
    expect(done.outcome.verified).toBe(true);
  });

  it('is sent again after the time to give up, three times in all', async () => {
    const done = await createSong((account) => account.fail('POST /songs', { category: 'timeout', mayHaveWritten: 'maybe' }, 99));
    expect(done.outcomeLines).toEqual(['failed song/a']);
    expect(done.account.log()).toHaveLength(3);
    expect(total(done.account.slept)).toBe(3 * GIVE_UP_MS);
  });

  it('is read only once more where the second request was certainly not executed', async () => {
    const done = await createSong((account) => {
      account.fail('POST /songs', { category: 'failed', mayHaveWritten: 'maybe' });
      account.fail('POST /songs', { category: 'unreachable', mayHaveWritten: 'no' });
    });
    expect(done.outcomeLines).toEqual(['failed song/a']);
    expect(done.account.log()).toHaveLength(2);
    expect(done.account.slept).toEqual([]);
  });

  it('fails if both the first and the second request are executed, and names both objects', async () => {
    const done = await createSong((account) => {
      account.fail('POST /songs', { category: 'timeout', mayHaveWritten: 'maybe' });
      account.intercept('GET /songs', () => undefined, 18);
      account.intercept('GET /songs', () => void account.songs.set('late', created));
    });
    expect(done.outcomeLines).toEqual(['failed song/a']);
    expect(done.why[0]).toBe(
      'inconsistent after apply: two objects exist for it, born-1 and late; delete one of them, or name the right one under `adopt`',
    );
    expect(done.outcome.verified).toBe(false);
  });

  it('keeps the objects that were found when a later read fails', async () => {
    const done = await planThenApply({}, [aSingle('u'), aSingle('v')], (account) => {
      account.giveUpMs = GIVE_UP_MS;
      account.intercept('POST /bulk', () => {
        account.songs.set('u', { title: '', level: 0, list: ['u'] });
        account.later(200, () => account.fail('GET /songs/v', { category: 'failed' }));
        return { category: 'timeout', mayHaveWritten: 'maybe' };
      });
    });
    expect(done.outcomeLines).toEqual(['created single/u', 'failed single/v']);
    expect(done.why[1]).toBe('POST /bulk: it was timeout — look again It is not known whether it was created.');
    expect(done.account.log()).toEqual(['POST /bulk']);
  });
});

describe('a response that cannot be used for a change', () => {
  const singles = ['u', 'v', 'w'].map((asset) => aSingle(asset));

  it('counts as lost for that change alone', async () => {
    const done = await planThenApply({}, singles, (account) => {
      account.intercept('POST /bulk', () => {
        for (const asset of ['u', 'v']) account.songs.set(asset, { title: '', level: 0, list: [asset] });
        return { body: { created: ['u'], there: [], errored: [], unclear: ['v', 'w'] } };
      });
    });
    expect(done.outcomeLines).toEqual(['created single/u', 'created single/v', 'created single/w']);
    expect(done.errors.map(({ category }) => category)).toEqual(['malformed']);
    const sent = done.account.requests.filter(({ path }) => path === '/bulk').map(({ body }) => body);
    expect(sent).toMatchObject([{ assets: ['u', 'v', 'w'] }, { assets: ['w'] }]);
  });

  it('fails the change after three requests', async () => {
    const done = await planThenApply({}, singles.slice(0, 1), (account) =>
      account.intercept('POST /bulk', () => ({ body: { created: [], there: [], errored: [], unclear: ['u'] } }), 99),
    );
    expect(done.outcomeLines).toEqual(['failed single/u']);
    expect(done.account.log()).toHaveLength(3);
  });
});

describe('a delete', () => {
  const holdings = { songs: { gone: { title: 'gone', level: 0, list: [] } } };

  it.each<[string, Fault, number, string]>([
    ['rejected once, perhaps as a replay', { category: 'rejected', mayHaveWritten: 'maybe' }, 2, 'deleted'],
    ['throttled once', { category: 'throttled', mayHaveWritten: 'maybe' }, 2, 'deleted'],
    ['executed although it was throttled', { category: 'throttled', lost: true }, 1, 'deleted'],
    ['rejected', { category: 'rejected' }, 1, 'failed'],
    ['timed out and not executed', { category: 'timeout', mayHaveWritten: 'maybe' }, 1, 'failed'],
  ])('that was %s is sent as often as is safe', async (_what, fault, sends, result) => {
    const done = await planThenApply(holdings, [], (account) => {
      account.giveUpMs = GIVE_UP_MS;
      account.fail('DELETE', fault);
    });
    expect(done.outcomeLines).toEqual([`${result} song/~gone`]);
    expect(done.account.log()).toHaveLength(sends);
  });

  it('without a response is read until its object is gone', async () => {
    const done = await planThenApply(holdings, [], (account) => {
      account.giveUpMs = GIVE_UP_MS;
      account.intercept('DELETE', () => {
        account.later(1000, () => account.songs.clear());
        return { category: 'timeout', mayHaveWritten: 'maybe' };
      });
    });
    expect(done.outcomeLines).toEqual(['deleted song/~gone']);
    expect(done.account.slept).toEqual([200, 400, 800]);
  });
});
