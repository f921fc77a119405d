/** When a create or delete is sent again, and what is done before. */
import { describe, expect, it } from 'vitest';
import type { FakeAccount, Fault } from '../support/fake-account.ts';
import { aSingle, aSong, planThenApply } from '../support/planning.ts';

const made = { title: 'a', guard: 0, list: ['x', 'y'] };
const PATIENT = 20_000;

/** Creates song `a` on an account that is waited for, after some mischief. */
function creating(mischief: (account: FakeAccount) => void) {
  return planThenApply({}, [aSong('a')], (account) => {
    account.giveUpMs = PATIENT;
    mischief(account);
  });
}

function total(waits: readonly number[]): number {
  return waits.reduce((sum, ms) => sum + ms, 0);
}

describe('an answer that asks for another try', () => {
  it.each<[string, Fault]>([
    ['a 400', { kind: 'rejected', lost: true }],
    ['a busy answer', { kind: 'throttled', lost: true }],
    ['a busy answer that names a time', { kind: 'throttled', lost: true, retryAfterMs: 1000 }],
  ])('%s is not believed: what was made all the same is found', async (_what, mishap) => {
    const done = await creating((account) => account.fail('POST /songs', mishap));
    expect(done.outcomeLines).toEqual(['created song/a']);
    expect(done.account.log()).toEqual(['POST /songs']);
    expect(done.account.songs.size).toBe(1);
    expect(done.outcome.verified).toBe(true);
  });

  it.each<[string, Fault, number[]]>([
    ['a 400', { kind: 'rejected', mayHaveWritten: 'maybe' }, []],
    ['a busy answer', { kind: 'throttled', mayHaveWritten: 'maybe' }, [200]],
    ['a busy answer that names a time', { kind: 'throttled', mayHaveWritten: 'maybe', retryAfterMs: 7000 }, [7000]],
  ])('%s is obeyed after a look', async (_what, mishap, waits) => {
    const done = await creating((account) => account.fail('POST /songs', mishap));
    expect(done.outcomeLines).toEqual(['created song/a']);
    expect(done.account.log('all').slice(0, 3)).toEqual(['POST /songs', 'GET /songs', 'POST /songs']);
    expect(done.account.slept).toEqual(waits);
  });

  it('a second 400 is a refusal', async () => {
    const done = await creating((account) => account.fail('POST /songs', { kind: 'rejected', mayHaveWritten: 'maybe' }, 99));
    expect(done.outcomeLines).toEqual(['failed song/a']);
    expect(done.why[0]).toBe('POST /songs: it was rejected — look again');
    expect(done.account.log('all')).toEqual(['POST /songs', 'GET /songs', 'POST /songs', 'GET /songs']);
  });

  it('a busy service is asked until patience ends, ever more slowly', async () => {
    const done = await creating((account) => account.fail('POST /songs', { kind: 'throttled', mayHaveWritten: 'maybe' }, 99));
    expect(done.outcomeLines).toEqual(['failed song/a']);
    expect(done.account.slept).toEqual([200, 400, 800, 1600, 3200, 5000, 5000, 3800]);
    expect(done.account.log()).toHaveLength(9);
  });

  it('one that asks for more time than there is gets none, but what it made is found', async () => {
    const long: Fault = { kind: 'throttled', mayHaveWritten: 'maybe', retryAfterMs: PATIENT + 1 };
    const done = await creating((account) => account.fail('POST /songs', long));
    expect(done.outcomeLines).toEqual(['failed song/a']);
    expect(done.account.log('all')).toEqual(['POST /songs', 'GET /songs']);
    expect(done.account.slept).toEqual([]);
    const lucky = await creating((account) => account.fail('POST /songs', { ...long, lost: true }));
    expect(lucky.outcomeLines).toEqual(['created song/a']);
  });

  it('a refusal after a lost answer may mean that the first was heard', async () => {
    const done = await creating((account) => {
      account.fail('POST /songs', { kind: 'failed', mayHaveWritten: 'maybe' });
      account.intercept('POST /songs', () => {
        account.songs.set('late', made);
        return { kind: 'rejected' };
      });
    });
    expect(done.outcomeLines).toEqual(['created song/a']);
    expect(done.account.songs.size).toBe(1);
    const refused = await creating((account) => {
      account.fail('POST /songs', { kind: 'failed', mayHaveWritten: 'maybe' });
      account.fail('POST /songs', { kind: 'rejected' }, 99);
    });
    expect(refused.outcomeLines).toEqual(['failed song/a']);
    expect(refused.account.log()).toHaveLength(2);
  });

  it('a bulk create sends only what is missing again', async () => {
    const singles = ['u', 'v', 'w'].map((asset) => aSingle(asset));
    const done = await planThenApply({}, singles, (account) => {
      account.giveUpMs = PATIENT;
      account.intercept('POST /bulk', () => {
        account.songs.set('v', { title: '', guard: 0, list: ['v'] });
        return { kind: 'throttled', mayHaveWritten: 'maybe', retryAfterMs: 3000 };
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

describe('a create without an answer', () => {
  it.each(['timeout', 'unreachable'] as const)('(%s) is looked for until it is there', async (fault) => {
    const done = await creating((account) =>
      account.intercept('POST /songs', () => {
        account.later(4000, () => account.songs.set('slow', made));
        return { kind: fault, mayHaveWritten: 'maybe' };
      }),
    );
    expect(done.outcomeLines).toEqual(['created song/a']);
    expect(done.account.log()).toEqual(['POST /songs']);
    expect(done.account.slept).toEqual([200, 400, 800, 1600, 3200]);
    expect(done.outcome.verified).toBe(true);
  });

  it('is sent again when patience ended, three times in all', async () => {
    const done = await creating((account) => account.fail('POST /songs', { kind: 'timeout', mayHaveWritten: 'maybe' }, 99));
    expect(done.outcomeLines).toEqual(['failed song/a']);
    expect(done.account.log()).toHaveLength(3);
    expect(total(done.account.slept)).toBe(3 * PATIENT);
  });

  it('that takes place after the second all the same fails, and names both', async () => {
    const done = await creating((account) => {
      account.fail('POST /songs', { kind: 'timeout', mayHaveWritten: 'maybe' });
      account.intercept('GET /songs', () => undefined, 9);
      account.intercept('GET /songs', () => void account.songs.set('late', made));
    });
    expect(done.outcomeLines).toEqual(['failed song/a']);
    expect(done.why[0]).toBe(
      'inconsistent after apply: two objects exist for it, born-1 and late; delete one of them, or name the right one under `adopt`',
    );
    expect(done.outcome.verified).toBe(false);
  });

  it('keeps what was found when a later look goes wrong', async () => {
    const done = await planThenApply({}, [aSingle('u'), aSingle('v')], (account) => {
      account.giveUpMs = PATIENT;
      account.intercept('POST /bulk', () => {
        account.songs.set('u', { title: '', guard: 0, list: ['u'] });
        account.later(200, () => account.fail('GET /songs/v', { kind: 'failed' }));
        return { kind: 'timeout', mayHaveWritten: 'maybe' };
      });
    });
    expect(done.outcomeLines).toEqual(['created single/u', 'failed single/v']);
    expect(done.why[1]).toBe('POST /bulk: it was timeout — look again It is not known whether it was created.');
    expect(done.account.log()).toEqual(['POST /bulk']);
  });
});

describe('an answer that cannot be used for a change', () => {
  const singles = ['u', 'v', 'w'].map((asset) => aSingle(asset));

  it('is as good as lost for that change alone', async () => {
    const done = await planThenApply({}, singles, (account) => {
      account.intercept('POST /bulk', () => {
        for (const asset of ['u', 'v']) account.songs.set(asset, { title: '', guard: 0, list: [asset] });
        return { body: { created: ['u'], there: [], errored: [], unclear: ['v', 'w'] } };
      });
    });
    expect(done.outcomeLines).toEqual(['created single/u', 'created single/v', 'created single/w']);
    expect(done.errors.map(({ kind }) => kind)).toEqual(['malformed']);
    const sent = done.account.requests.filter(({ path }) => path === '/bulk').map(({ body }) => body);
    expect(sent).toMatchObject([{ assets: ['u', 'v', 'w'] }, { assets: ['w'] }]);
  });

  it('fails when it stays so', async () => {
    const done = await planThenApply({}, singles.slice(0, 1), (account) =>
      account.intercept('POST /bulk', () => ({ body: { created: [], there: [], errored: [], unclear: ['u'] } }), 99),
    );
    expect(done.outcomeLines).toEqual(['failed single/u']);
    expect(done.account.log()).toHaveLength(3);
  });
});

describe('a delete', () => {
  const holdings = { songs: { gone: { title: 'gone', guard: 0, list: [] } } };

  it.each<[string, Fault, number, string]>([
    ['refused once, perhaps as a replay', { kind: 'rejected', mayHaveWritten: 'maybe' }, 2, 'deleted'],
    ['put off once', { kind: 'throttled', mayHaveWritten: 'maybe' }, 2, 'deleted'],
    ['made although it was put off', { kind: 'throttled', lost: true }, 1, 'deleted'],
    ['rejected', { kind: 'rejected' }, 1, 'failed'],
    ['lost', { kind: 'timeout', mayHaveWritten: 'maybe' }, 1, 'failed'],
  ])('that was %s', async (_what, mishap, sends, told) => {
    const done = await planThenApply(holdings, [], (account) => {
      account.giveUpMs = PATIENT;
      account.fail('DELETE', mishap);
    });
    expect(done.outcomeLines).toEqual([`${told} song/~gone`]);
    expect(done.account.log()).toHaveLength(sends);
  });

  it('without an answer is looked for until it is gone', async () => {
    const done = await planThenApply(holdings, [], (account) => {
      account.giveUpMs = PATIENT;
      account.intercept('DELETE', () => {
        account.later(1000, () => account.songs.clear());
        return { kind: 'timeout', mayHaveWritten: 'maybe' };
      });
    });
    expect(done.outcomeLines).toEqual(['deleted song/~gone']);
    expect(done.account.slept).toEqual([200, 400, 800]);
  });
});
