/** Tests what `apply` does between its waves: it checks the lock, writes the journal, repeats reads that are too old, and verifies. */
import { describe, expect, it } from 'vitest';
import type { ApplyInput } from '../../../src/core/apply/input.ts';
import type { DesiredResource } from '../../../src/core/kinds/kind.ts';
import { type AccountData, FakeAccount } from '../../support/fake-account.ts';
import { applyPlan, aRule, aSingle, aSong, desiredStateOf, planFor, target, theDial } from '../../support/planning.ts';

const list = ['x', 'y'];
const HOUR = 3_600_000;

/** Plans on an account, lets `meanwhile` change it, and applies. `reasons` say why each change failed or was skipped. */
async function planAndApply(
  data: AccountData,
  resources: readonly DesiredResource[],
  more: Partial<ApplyInput> = {},
  meanwhile: (account: FakeAccount) => void = () => undefined,
) {
  const account = new FakeAccount(data);
  const planResult = await planFor(account, desiredStateOf(resources));
  account.requests.length = 0;
  meanwhile(account);
  const result = await applyPlan(account, planResult, { concurrency: 1, ...more });
  return { account, ...result, reasons: result.outcome.outcomes.map(({ error, because }) => error ?? because ?? '') };
}

/** A journal in memory. `lines` are its records, in order; `error` is why it cannot be written. */
function journalOf(error: string | null = null) {
  const lines: string[] = [];
  const journal = {
    recordIntent: (addresses: readonly string[]) => {
      lines.push(`intent ${addresses.join(' ')}`);
      return error;
    },
    recordResult: (addresses: readonly string[]) => void lines.push(`result ${addresses.join(' ')}`),
  };
  return { lines, journal };
}

describe('`whyStop`', () => {
  it('is called before each wave; once it returns a reason, all further changes are skipped', async () => {
    const answers = [null, 'the lock is lost', null];
    const { outcomeLines, reasons, account } = await planAndApply({}, [aRule('p'), aSong('a'), theDial(true, [])], {
      whyStop: async () => answers.shift() ?? null,
    });
    expect(outcomeLines).toEqual(['created rule/p', 'skipped song/a', 'skipped dial']);
    expect(reasons).toEqual(['', 'the lock is lost', 'the lock is lost']);
    expect(account.log()).toEqual(['POST /rules']);
    expect(answers).toEqual([]);
  });
});

describe('the journal', () => {
  it('records creates before they are sent, and their results after', async () => {
    const { lines, journal } = journalOf();
    const data = { songs: { one: { title: 'a', level: 0, list } } };
    const resources = [aSong('a', { level: 1 }), aSong('b'), aSingle('u'), aSingle('v')];
    const { outcomeLines, account } = await planAndApply(data, resources, { journal }, (account) =>
      account.intercept('POST', ({ path }) => void lines.push(`POST ${path}`), 9),
    );
    expect(outcomeLines).toEqual(['updated song/a', 'created single/u', 'created single/v', 'created song/b']);
    expect(lines).toEqual([
      'intent song/b',
      'POST /songs',
      'result song/b',
      'intent single/u single/v',
      'POST /bulk',
      'result single/u single/v',
    ]);
    expect(account.log()).toEqual(['PATCH /songs/one', 'POST /songs', 'POST /bulk']);
  });

  it('records the result of a create that failed, because it is known that nothing was created', async () => {
    const { lines, journal } = journalOf();
    const { outcomeLines } = await planAndApply({}, [aSong('a')], { journal }, (account) => account.fail('POST', { category: 'rejected' }));
    expect(outcomeLines).toEqual(['failed song/a']);
    expect(lines).toEqual(['intent song/a', 'result song/a']);
  });

  it('makes creates fail, and no other change, where it cannot be written', async () => {
    const { lines, journal } = journalOf('the disk is full');
    const data = { songs: { one: { title: 'a', level: 0, list } } };
    const { outcomeLines, reasons, account } = await planAndApply(data, [aSong('a', { level: 1 }), aSingle('u'), aSingle('v')], {
      journal,
    });
    expect(outcomeLines).toEqual(['updated song/a', 'failed single/u', 'failed single/v']);
    expect(reasons).toEqual(['', 'not created: the disk is full', 'not created: the disk is full']);
    expect(lines).toEqual(['intent single/u single/v']);
    expect(account.log()).toEqual(['PATCH /songs/one']);
  });
});

describe('a bulk request', () => {
  it('is sent without the assets whose objects exist already', async () => {
    const { outcomeLines, reasons, account } = await planAndApply({}, [aSingle('u'), aSingle('v'), aSingle('w')], {}, (account) => {
      account.time += HOUR;
      account.songs.set('v', { title: '', level: 3, list: ['v'] });
    });
    expect(outcomeLines).toEqual(['created single/u', 'failed single/v', 'created single/w']);
    expect(reasons).toEqual(['', 'stale: it already exists (v)', '']);
    expect(account.requests.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
      { title: '', level: 0, assets: ['u', 'w'] },
    ]);
  });

  it('is not sent where all its objects exist already', async () => {
    const { outcomeLines, account } = await planAndApply({}, [aSingle('u')], {}, (account) => {
      account.time += HOUR;
      account.songs.set('u', { title: '', level: 0, list: ['u'] });
    });
    expect(outcomeLines).toEqual(['failed single/u']);
    expect(account.log()).toEqual([]);
  });

  it('is not sent after the run was interrupted during another request of its wave', async () => {
    const controller = new AbortController();
    const { outcomeLines, reasons, account } = await planAndApply({}, [aSong('a'), aSong('b')], { signal: controller.signal }, (account) =>
      account.intercept('POST', () => void controller.abort()),
    );
    expect(outcomeLines).toEqual(['created song/a', 'skipped song/b']);
    expect(reasons).toEqual(['', 'the run was interrupted']);
    expect(account.log()).toEqual(['POST /songs']);
  });
});

it('repeats an old read only for changes that are not blocked', async () => {
  const songs = { one: { title: 'a', level: 0, list }, blocked: { title: 'blocked', level: 0, list } };
  const account = new FakeAccount({ songs });
  const resources = desiredStateOf([aSong('a', { level: 1 })]);
  const planResult = await planFor(account, resources, { target: { ...target, protect: ['song/~blocked', 'blocked'] } });
  account.requests.length = 0;
  account.time += HOUR;
  const { outcomeLines } = await applyPlan(account, planResult);
  expect(outcomeLines).toEqual(['updated song/a', 'skipped song/~blocked']);
  expect(account.log('all')).toEqual(['GET /songs/one', 'PATCH /songs/one', 'GET /songs/one']);
});

describe('verification', () => {
  const tight = { title: 't', level: 0, list: [] };
  const loose = { title: 'l', level: 9, list: [] };
  const both = [aSong('t', { level: 5, list: [] }), aSong('l', { level: 1, list: [] })];

  it('does not read a strengthening change a second time at the end', async () => {
    const { outcomeLines, account } = await planAndApply({ songs: { t: tight, l: loose } }, both);
    expect(outcomeLines).toEqual(['updated song/t', 'updated song/l']);
    expect(account.log('all')).toEqual(['PATCH /songs/t', 'GET /songs/t', 'PATCH /songs/l', 'GET /songs/l']);
  });

  it('reads changes that strengthen before anything is weakened, and all others at the end', async () => {
    const { account } = await planAndApply({ songs: { t: tight, l: loose, n: { title: 'n', level: 0, list: ['q', 'r'] } } }, [
      ...both,
      aSong('n'),
    ]);
    expect(account.log('all')).toEqual([
      'PATCH /songs/t',
      'PATCH /songs/n',
      'GET /songs/t',
      'PATCH /songs/l',
      'GET /songs/n',
      'GET /songs/l',
    ]);
  });

  it('reads everything at the end where nothing is weakened', async () => {
    const { account } = await planAndApply({ songs: { t: tight } }, [aSong('t', { level: 5, list: [] }), aSong('a')]);
    expect(account.log('all')).toEqual(['PATCH /songs/t', 'POST /songs', 'GET /songs/t', 'GET /songs']);
  });

  it('does not count a change as made whose object is as before, and reports the apply as not verified', async () => {
    const { outcomeLines, outcome, verificationErrors, reasons } = await planAndApply(
      { songs: { t: tight } },
      [aSong('t', { level: 5, list: [] })],
      {},
      (account) => account.intercept('PATCH', () => ({ body: { id: 't' } })),
    );
    expect(outcomeLines).toEqual(['unseen song/t']);
    expect(reasons).toEqual(['the service still shows the state before it: /level reads 0, not 5']);
    expect([outcome.verified, outcome.unverified, verificationErrors]).toEqual([false, undefined, []]);
  });

  it('keeps the outcome of a change that it cannot read, and reports the error after the earlier ones', async () => {
    const { outcomeLines, outcome, verificationErrors, errors, ids } = await planAndApply({}, [aSong('a')], {}, (account) => {
      account.fail('POST', { category: 'timeout', lost: true });
      account.intercept('GET', () => undefined);
      account.fail('GET', { category: 'unreachable' });
    });
    expect(outcomeLines).toEqual(['created song/a']);
    expect([outcome.verified, verificationErrors.length, errors.map(({ category }) => category)]).toEqual([
      false,
      1,
      ['timeout', 'unreachable'],
    ]);
    expect(ids).toEqual(new Map([['song/a', 'born-1']]));
  });

  it('does not take an object that existed when the plan was made for the created one', async () => {
    const twin = { title: 'other', level: 0, list };
    const { outcomeLines, reasons } = await planAndApply({ songs: { old: twin } }, [aSong('a'), aSong('other')], {}, (account) => {
      account.fail('POST', { category: 'timeout', mayHaveWritten: 'maybe' }, 3);
      account.songs.set('old', { ...twin, title: 'a' });
    });
    expect(outcomeLines).toEqual(['failed song/a']);
    expect(reasons[0]).toContain('it was timeout');
  });
});

it('applies one batch at a time with concurrency 0', async () => {
  const { outcomeLines } = await planAndApply({}, [aSong('a'), aSong('b')], { concurrency: 0 });
  expect(outcomeLines).toEqual(['created song/a', 'created song/b']);
});
