import { describe, expect, it } from 'vitest';
import { FakeAccount } from '../../support/fake-account.ts';
import { applyPlan, aSingle, aSong, desiredStateOf, planFor, planThenApply } from '../../support/planning.ts';

describe('a create whose response was lost', () => {
  it('is done if its object is found as desired, with its ID', async () => {
    const done = await planThenApply({}, [aSong('a')], (account) => account.fail('POST /songs', { category: 'timeout', lost: true }));
    expect(done.outcomeLines).toEqual(['created song/a']);
    expect(done.account.log()).toEqual(['POST /songs']);
    expect(done.account.songs.size).toBe(1);
    expect(done.outcome.verified).toBe(true);
    expect(done.errors.map(({ category }) => category)).toEqual(['timeout']);
  });

  it('fails as stale if another object is found, and is not sent again', async () => {
    const done = await planThenApply({}, [aSong('a')], (account) =>
      account.intercept('POST /songs', () => {
        account.songs.set('other', { title: 'a', level: 9, list: [] });
        return { category: 'timeout', mayHaveWritten: 'maybe' };
      }),
    );
    expect(done.outcomeLines).toEqual(['failed song/a']);
    expect(done.why[0]).toBe('stale: another object exists (other), which differs in /level');
    expect(done.account.log()).toEqual(['POST /songs']);
  });

  it.each([
    ['trimmed', 'song', ' song '],
    ['escaped', 'Tom & Jerry', 'Tom &amp; Jerry'],
    ['cut', 'a long name', 'a long'],
  ])('fails if its object was probably stored under another form of its name (%s)', async (_form, title, stored) => {
    const done = await planThenApply({}, [aSong('a', { title })], (account) =>
      account.intercept('POST /songs', () => {
        account.songs.set('born', { title: stored, level: 0, list: ['x', 'y'] });
        return { category: 'timeout', mayHaveWritten: 'maybe' };
      }),
    );
    expect(done.why).toEqual(['born is probably what was created, under another form of its name; if it is, name it under `adopt`']);
    expect(done.account.log()).toEqual(['POST /songs']);
  });

  it('binds the object that is found as desired, so that no other create can be bound to it', async () => {
    const account = new FakeAccount();
    const planResult = await planFor(account, desiredStateOf([aSong('a'), aSong('b')]));
    account.fail('POST /songs', { category: 'failed', lost: true });
    account.intercept('POST /songs', () => ({ body: { id: 'born-1' } }));
    const done = await applyPlan(account, planResult, { concurrency: 1 });
    expect(done.outcome.outcomes).toMatchObject([
      { result: 'created' },
      { result: 'failed', error: expect.stringContaining('the service answered with born-1, the ID of another object') },
    ]);
  });

  it('is sent again if no object is found', async () => {
    const done = await planThenApply({}, [aSong('a')], (account) =>
      account.fail('POST /songs', { category: 'unreachable', mayHaveWritten: 'maybe' }),
    );
    expect(done.outcomeLines).toEqual(['created song/a']);
    expect(done.account.log('all').slice(0, 4)).toEqual(['POST /songs', 'GET /songs', 'GET /songs', 'POST /songs']);
    expect(done.account.songs.size).toBe(1);
  });

  it('is sent at most three times', async () => {
    const done = await planThenApply({}, [aSong('a')], (account) =>
      account.fail('POST /songs', { category: 'unreachable', mayHaveWritten: 'maybe' }, 99),
    );
    expect(done.outcomeLines).toEqual(['failed song/a']);
    expect(done.account.log()).toHaveLength(3);
    expect(done.why[0]).toBe('POST /songs: it was unreachable — look again');
  });

  it('is not sent again if the read fails, too', async () => {
    const done = await planThenApply({}, [aSong('a')], (account) => {
      account.fail('POST /songs', { category: 'timeout', mayHaveWritten: 'maybe' });
      account.fail('GET /songs', { category: 'failed' });
    });
    expect(done.account.log()).toEqual(['POST /songs']);
    expect(done.why[0]).toBe('POST /songs: it was timeout — look again It is not known whether it was created.');
    expect(done.errors.map(({ category }) => category)).toEqual(['timeout', 'failed']);
  });

  it('is resolved by reading if the response cannot be parsed', async () => {
    const done = await planThenApply({}, [aSong('a')], (account) =>
      account.intercept('POST /songs', () => {
        account.songs.set('born', { title: 'a', level: 0, list: ['x', 'y'] });
        return { body: { nonsense: true } };
      }),
    );
    expect(done.outcomeLines).toEqual(['created song/a']);
    expect(done.account.log()).toEqual(['POST /songs']);
  });

  it('is neither read nor sent again if it was certainly not executed', async () => {
    const done = await planThenApply({}, [aSong('a')], (account) => account.fail('POST /songs', { category: 'rejected' }));
    expect(done.outcomeLines).toEqual(['failed song/a']);
    expect(done.account.log('all')).toEqual(['POST /songs']);
  });
});

describe('a create whose response names the ID of another object', () => {
  it('fails if that object was there before, and is not bound to it', async () => {
    const elder = { title: 'elder', level: 0, list: ['x', 'y'] };
    const done = await planThenApply({ songs: { elder } }, [aSong('elder'), aSong('a')], (account) =>
      account.intercept('POST /songs', () => ({ body: { id: 'elder' } })),
    );
    expect(done.outcomeLines).toEqual(['failed song/a']);
    expect(done.why[0]).toBe(
      'the service answered with elder, the ID of another object, which was there before; plan again, and look what was created',
    );
    expect(done.ids).toEqual(new Map());
    expect(done.account.songs.get('elder')).toEqual(elder);
  });

  it('fails if another create of the run made that object', async () => {
    const done = await planThenApply({}, [aSong('a'), aSong('b')], (account) => {
      account.intercept('POST /songs', () => {
        account.songs.set('born', { title: 'a', level: 0, list: ['x', 'y'] });
        return { body: { id: 'born' } };
      });
      account.intercept('POST /songs', () => ({ body: { id: 'born' } }));
    });
    expect(done.outcomeLines).toEqual(['created song/a', 'failed song/b']);
    expect(done.ids).toEqual(new Map([['song/a', 'born']]));
  });
});

describe('a bulk create', () => {
  const singles = ['u', 'v', 'w'].map((asset) => aSingle(asset));

  it('sends only the missing objects again', async () => {
    const done = await planThenApply({}, singles, (account) =>
      account.intercept('POST /bulk', () => {
        account.songs.set('v', { title: '', level: 0, list: ['v'] });
        return { category: 'timeout', mayHaveWritten: 'maybe' };
      }),
    );
    expect(done.outcomeLines).toEqual(['created single/u', 'created single/v', 'created single/w']);
    const sent = done.account.requests.filter(({ path }) => path === '/bulk').map(({ body }) => body);
    expect(sent).toEqual([
      { title: '', level: 0, assets: ['u', 'v', 'w'] },
      { title: '', level: 0, assets: ['u', 'w'] },
    ]);
    expect(done.outcome.verified).toBe(true);
  });

  it('finds many objects through one list', async () => {
    const assets = Array.from({ length: 40 }, (_, index) => aSingle(`asset-${index}`));
    const done = await planThenApply({}, assets, (account) => account.fail('POST /bulk', { category: 'timeout', lost: true }));
    expect(done.outcome.summary.created).toBe(40);
    expect(done.account.log('all')).toEqual(['POST /bulk', 'GET /songs', 'GET /songs']);
  });

  it('counts an existing object as that of somebody else if it is as desired, and as stale otherwise', async () => {
    const done = await planThenApply({}, singles, (account) => {
      account.songs.set('u', { title: '', level: 0, list: ['u'] });
      account.songs.set('v', { title: '', level: 5, list: ['v'] });
    });
    expect(done.outcomeLines).toEqual(['unchanged single/u', 'failed single/v', 'created single/w']);
    expect([...done.ids.keys()]).toEqual(['single/w']);
    expect(done.why[0]).toBe('the service says that it exists already, and it is as desired');
    expect(done.why[1]).toBe('stale: another object exists (v), which differs in /level');
    expect(done.account.songs.get('v')?.level).toBe(5);
  });

  it('fails a create whose object exists according to the service but cannot be found', async () => {
    const done = await planThenApply({}, singles.slice(0, 1), (account) =>
      account.intercept('POST /bulk', () => ({ body: { created: [], there: ['u'], errored: [] } })),
    );
    expect(done.outcomeLines).toEqual(['failed single/u']);
    expect(done.why[0]).toBe('stale: the service says that it exists already, but it cannot be found');
  });

  it('keeps the results of created objects if reading the others fails', async () => {
    const done = await planThenApply({}, singles, (account) => {
      account.songs.set('v', { title: '', level: 0, list: ['v'] });
      account.fail('GET /songs/v', { category: 'failed' });
    });
    expect(done.outcomeLines).toEqual(['created single/u', 'failed single/v', 'created single/w']);
    expect(done.why[1]).toBe('the service says that it exists already, and reading it failed');
    expect(done.account.log()).toEqual(['POST /bulk']);
    expect(done.errors.map(({ category }) => category)).toEqual(['failed']);
  });

  it('fails only the objects that the service could not create', async () => {
    const done = await planThenApply({}, singles, (account) =>
      account.intercept('POST /bulk', () => {
        account.songs.set('u', { title: '', level: 0, list: ['u'] });
        return { body: { created: ['u'], there: [], errored: ['v', 'w'] } };
      }),
    );
    expect(done.outcomeLines).toEqual(['created single/u', 'failed single/v', 'failed single/w']);
    expect(done.why).toEqual(['', 'the service could not make v', 'the service could not make w']);
  });
});
