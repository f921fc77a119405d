import { describe, expect, it } from 'vitest';
import type { ApiService, Kind } from '../../../src/core/kinds/kind.ts';
import { type AccountData, FakeAccount } from '../../support/fake-account.ts';
import { dial, song } from '../../support/fake-kinds.ts';
import { applyPlan, aRule, aSingle, aSong, desiredStateOf, planFor, planThenApply, theDial } from '../../support/planning.ts';

describe('a delete', () => {
  const holdings: AccountData = { songs: { gone: { title: 'gone', level: 0, list: [] } } };

  it.each([
    ['lost after the write', { category: 'timeout', lost: true }, 'deleted song/~gone'],
    ['lost before the write', { category: 'timeout', mayHaveWritten: 'maybe' }, 'failed song/~gone'],
    ['rejected', { category: 'rejected' }, 'failed song/~gone'],
    ['rejected because its object is gone', { category: 'rejected', lost: true }, 'deleted song/~gone'],
  ] as const)('that is %s is resolved by reading', async (_what, fault, outcomeLine) => {
    const done = await planThenApply(holdings, [], (account) => account.fail('DELETE', fault));
    expect(done.outcomeLines).toEqual([outcomeLine]);
    expect(done.account.log()).toEqual(['DELETE /songs/gone']);
  });

  it.each(['unreachable', 'deadline'] as const)('that was never sent (%s) is not read', async (category) => {
    const done = await planThenApply(holdings, [], (account) => account.fail('DELETE', { category }));
    expect(done.outcomeLines).toEqual(['failed song/~gone']);
    expect(done.account.log('all')).toEqual(['DELETE /songs/gone']);
  });

  it('of an object that is already gone is no delete of this run', async () => {
    const done = await planThenApply(holdings, [], (account) => account.songs.clear());
    expect(done.outcomeLines).toEqual(['unchanged song/~gone']);
    expect(done.why).toEqual(['it was gone already']);
    expect(done.account.log('all')).toEqual(['DELETE /songs/gone', 'GET /songs/gone']);
    expect(done.errors.map(({ category }) => category)).toEqual(['not-found']);
  });

  it('of an object that the service does not find, and shows all the same, fails', async () => {
    const done = await planThenApply(holdings, [], (account) => account.fail('DELETE', { category: 'not-found' }));
    expect(done.outcomeLines).toEqual(['failed song/~gone']);
    expect(done.why).toEqual(['DELETE /songs/gone: it was not-found — look again']);
  });

  it('that is certainly rejected is none of this run if somebody else deleted its object meanwhile', async () => {
    const done = await planThenApply(holdings, [], (account) =>
      account.intercept('DELETE', () => {
        account.songs.clear();
        return { category: 'rejected', mayHaveWritten: 'no' };
      }),
    );
    expect(done.outcomeLines).toEqual(['unchanged song/~gone']);
  });

  it('fails if its response is lost and the read fails', async () => {
    const done = await planThenApply(holdings, [], (account) => {
      account.fail('DELETE', { category: 'timeout', lost: true });
      account.fail('GET', { category: 'unreachable' });
    });
    expect(done.outcomeLines).toEqual(['failed song/~gone']);
    expect(done.errors).toHaveLength(2);
  });
});

describe('an update', () => {
  const holdings: AccountData = { songs: { one: { title: 'a', level: 0, list: ['x', 'y'] } } };

  it('that failed is neither read nor sent again', async () => {
    const done = await planThenApply(holdings, [aSong('a', { level: 1 })], (account) =>
      account.fail('PATCH', { category: 'timeout', mayHaveWritten: 'maybe' }),
    );
    expect(done.outcomeLines).toEqual(['failed song/a']);
    expect(done.account.log('all')).toEqual(['PATCH /songs/one']);
  });
});

describe('an object that the service does not find', () => {
  it('fails its update, with the reason that the service gave', async () => {
    const holdings: AccountData = { songs: { one: { title: 'a', level: 0, list: ['x', 'y'] } } };
    const done = await planThenApply(holdings, [aSong('a', { level: 1 })], (account) => account.songs.clear());
    expect(done.outcomeLines).toEqual(['failed song/a']);
    expect(done.why).toEqual(['PATCH /songs/one: it was not-found — look again']);
  });

  it('fails a create, because something that the create refers to is gone', async () => {
    const done = await planThenApply({}, [aSong('a')], (account) => account.fail('POST', { category: 'not-found' }));
    expect(done.why).toEqual(['POST /songs: it was not-found — look again']);
  });
});

describe('an interrupt', () => {
  const holdings: AccountData = { songs: { one: { title: 'a', level: 0, list: ['x', 'y'] } } };

  it('after a lost response fails the change instead of skipping it', async () => {
    const done = await planThenApply(holdings, [aSong('a', { level: 1 })], (account) =>
      account.fail('PATCH', { category: 'interrupted', mayHaveWritten: 'maybe' }),
    );
    expect(done.outcomeLines).toEqual(['failed song/a']);
  });
});

describe('the two requests of one change', () => {
  const holdings: AccountData = { dial: { list: [], open: false } };

  it('are sent in order', async () => {
    const done = await planThenApply(holdings, [theDial(true, ['s'])], () => undefined);
    expect(done.outcomeLines).toEqual(['updated dial']);
    expect(done.account.log()).toEqual(['POST /dial/list', 'POST /dial/open']);
  });

  it('stop at the first that fails', async () => {
    const done = await planThenApply(holdings, [theDial(true, ['s'])], (account) =>
      account.fail('POST /dial/list', { category: 'failed' }),
    );
    expect(done.outcomeLines).toEqual(['failed dial']);
    expect(done.account.log()).toEqual(['POST /dial/list']);
    expect(done.account.dial).toEqual({ list: [], open: false });
  });

  it('fail the change if the run was interrupted between them', async () => {
    const done = await planThenApply(holdings, [theDial(true, ['s'])], (account) =>
      account.fail('POST /dial/open', { category: 'interrupted' }),
    );
    expect(done.outcomeLines).toEqual(['failed dial']);
    expect(done.why[0]).toBe('the run was interrupted, and it was written in part');
  });

  it('keep the ID that the first response named', async () => {
    const twice: Kind = {
      ...song,
      requests: (plan, settings, now) => [
        ...song.requests(plan, settings, now),
        { method: 'POST', path: '/dial/list', body: { list: [] }, repeatable: true },
      ],
      parseWriteResponse: (plan, write, body) => (write.path === '/songs' ? song.parseWriteResponse(plan, write, body) : { state: 'done' }),
    };
    const done = await planThenApply({}, [aSong('a')], () => undefined, [twice]);
    expect(done.account.log()).toEqual(['POST /songs', 'POST /dial/list']);
    expect(done.ids).toEqual(new Map([['song/a', 'born-1']]));
    expect(done.account.log('reads')).toEqual(['GET /songs']);
    expect(done.outcome.verified).toBe(true);
  });
});

describe('executeSequence', () => {
  it('names the addresses that a request writes, for logs', async () => {
    const account = new FakeAccount();
    const planResult = await planFor(account, desiredStateOf([aSong('a'), aSingle('u'), aSingle('v')]));
    const sent: (readonly string[] | undefined)[] = [];
    const service: ApiService = {
      send: (request, addresses) => {
        if (request.method === 'POST') sent.push(addresses);
        return account.send(request);
      },
    };
    await applyPlan(account, planResult, { service });
    expect(sent).toEqual([['song/a'], ['single/u', 'single/v']]);
  });

  it('skips a change that was interrupted before it was sent', async () => {
    const done = await planThenApply({}, [aSong('a')], (account) => account.fail('POST', { category: 'interrupted' }));
    expect(done.outcomeLines).toEqual(['skipped song/a']);
    expect(done.why[0]).toBe('the run was interrupted');
  });

  it('returns a change that needs no request as done', async () => {
    const silent: Kind = { ...dial, requests: () => [] };
    const done = await planThenApply({}, [theDial(false, ['s'])], (account) => account.setDial({ list: ['s'], open: false }), [silent]);
    expect(done.outcomeLines).toEqual(['updated dial']);
    expect(done.account.log()).toEqual([]);
  });

  it('does not catch a bug in upkeep', async () => {
    const broken: Kind = {
      ...song,
      parseWriteResponse: () => {
        throw new TypeError('oops');
      },
    };
    await expect(planThenApply({}, [aSong('a')], () => undefined, [broken])).rejects.toThrow(TypeError);
    const blind: Kind = { ...song, spotChecksPerPlan: 0, find: () => Promise.reject(new TypeError('oops')) };
    const lost = planThenApply({}, [aSong('a')], (account) => account.fail('POST', { category: 'timeout', lost: true }), [blind]);
    await expect(lost).rejects.toThrow(TypeError);
  });

  it('reports a failed and a created rule of one wave', async () => {
    const done = await planThenApply({}, [aRule('p'), aRule('q')], (account) => account.fail('POST /rules', { category: 'rejected' }));
    expect(done.outcomeLines).toEqual(['failed rule/p', 'created rule/q']);
  });
});
