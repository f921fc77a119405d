/** What apply asks, keeps and tells between its waves: the lock, the trace of creates, old readings, and what reading back showed. */
import { describe, expect, it } from 'vitest';
import type { ApplyInput } from '../../src/apply/options.ts';
import type { DesiredResource } from '../../src/kinds/kind.ts';
import { type AccountData, FakeAccount } from '../support/fake-account.ts';
import { applyPlan, aRule, aSingle, aSong, desiredStateOf, planFor, target, theDial } from '../support/planning.ts';

const list = ['x', 'y'];
const HOUR = 3_600_000;

/** Plans, lets something happen, and applies; with why each change failed or was skipped. */
async function done(
  holdings: AccountData,
  resources: readonly DesiredResource[],
  more: Partial<ApplyInput> = {},
  meanwhile: (account: FakeAccount) => void = () => undefined,
) {
  const account = new FakeAccount(holdings);
  const planResult = await planFor(account, desiredStateOf(resources));
  account.requests.length = 0;
  meanwhile(account);
  const result = await applyPlan(account, planResult, { concurrency: 1, ...more });
  return { account, ...result, why: result.outcome.outcomes.map(({ error, because }) => error ?? because ?? '') };
}

/** A trace in memory: what was kept and when, by the number of writes that were sent by then. */
function journalOf(untraced: string | null = null) {
  const trace: string[] = [];
  const journal = {
    recordIntent: (addresses: readonly string[]) => {
      trace.push(`intend ${addresses.join(' ')}`);
      return untraced;
    },
    recordResult: (addresses: readonly string[]) => void trace.push(`settle ${addresses.join(' ')}`),
  };
  return { trace, journal };
}

describe('whoever may stop a run', () => {
  it('is asked before each wave, and begins nothing more once there is a reason', async () => {
    const answers = [null, 'the lock is lost', null];
    const { outcomeLines, why, account } = await done({}, [aRule('p'), aSong('a'), theDial(true, [])], {
      whyStop: async () => answers.shift() ?? null,
    });
    expect(outcomeLines).toEqual(['created rule/p', 'skipped song/a', 'skipped dial']);
    expect(why).toEqual(['', 'the lock is lost', 'the lock is lost']);
    expect(account.log()).toEqual(['POST /rules']);
    expect(answers).toEqual([]);
  });
});

describe('the trace of creates', () => {
  it('is kept before each of them is sent, and settled after', async () => {
    const { trace, journal } = journalOf();
    const holdings = { songs: { one: { title: 'a', guard: 0, list } } };
    const resources = [aSong('a', { guard: 1 }), aSong('b'), aSingle('u'), aSingle('v')];
    const { outcomeLines, account } = await done(holdings, resources, { journal }, (each) =>
      each.intercept('POST', ({ path }) => void trace.push(`POST ${path}`), 9),
    );
    expect(outcomeLines).toEqual(['updated song/a', 'created single/u', 'created single/v', 'created song/b']);
    expect(trace).toEqual([
      'intend song/b',
      'POST /songs',
      'settle song/b',
      'intend single/u single/v',
      'POST /bulk',
      'settle single/u single/v',
    ]);
    expect(account.log()).toEqual(['PATCH /songs/one', 'POST /songs', 'POST /bulk']);
  });

  it('is settled where a create failed, since it is known what became of it', async () => {
    const { trace, journal } = journalOf();
    const { outcomeLines } = await done({}, [aSong('a')], { journal }, (each) => each.fail('POST', { kind: 'rejected' }));
    expect(outcomeLines).toEqual(['failed song/a']);
    expect(trace).toEqual(['intend song/a', 'settle song/a']);
  });

  it('that cannot be kept keeps creates from being sent, and nothing else', async () => {
    const { trace, journal } = journalOf('the disk is full');
    const holdings = { songs: { one: { title: 'a', guard: 0, list } } };
    const { outcomeLines, why, account } = await done(holdings, [aSong('a', { guard: 1 }), aSingle('u'), aSingle('v')], { journal });
    expect(outcomeLines).toEqual(['updated song/a', 'failed single/u', 'failed single/v']);
    expect(why).toEqual(['', 'not created: the disk is full', 'not created: the disk is full']);
    expect(trace).toEqual(['intend single/u single/v']);
    expect(account.log()).toEqual(['PATCH /songs/one']);
  });
});

describe('a bulk request', () => {
  it('is sent without what is there already, and asks for the rest alone', async () => {
    const { outcomeLines, why, account } = await done({}, [aSingle('u'), aSingle('v'), aSingle('w')], {}, (each) => {
      each.time += HOUR;
      each.songs.set('v', { title: '', guard: 3, list: ['v'] });
    });
    expect(outcomeLines).toEqual(['created single/u', 'failed single/v', 'created single/w']);
    expect(why).toEqual(['', 'stale: it already exists (v)', '']);
    expect(account.requests.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
      { title: '', guard: 0, assets: ['u', 'w'] },
    ]);
  });

  it('is not sent where all of it is there', async () => {
    const { outcomeLines, account } = await done({}, [aSingle('u')], {}, (each) => {
      each.time += HOUR;
      each.songs.set('u', { title: '', guard: 0, list: ['u'] });
    });
    expect(outcomeLines).toEqual(['failed single/u']);
    expect(account.log()).toEqual([]);
  });

  it('is not sent once the run is interrupted while others of its wave are under way', async () => {
    const controller = new AbortController();
    const { outcomeLines, why, account } = await done({}, [aSong('a'), aSong('b')], { signal: controller.signal }, (each) =>
      each.intercept('POST', () => void controller.abort()),
    );
    expect(outcomeLines).toEqual(['created song/a', 'skipped song/b']);
    expect(why).toEqual(['', 'the run was interrupted']);
    expect(account.log()).toEqual(['POST /songs']);
  });
});

it('an old reading is renewed for what is not held alone', async () => {
  const songs = { one: { title: 'a', guard: 0, list }, held: { title: 'held', guard: 0, list } };
  const account = new FakeAccount({ songs });
  const resources = desiredStateOf([aSong('a', { guard: 1 })]);
  const planResult = await planFor(account, resources, { target: { ...target, protect: ['song/~held', 'held'] } });
  account.requests.length = 0;
  account.time += HOUR;
  const { outcomeLines } = await applyPlan(account, planResult);
  expect(outcomeLines).toEqual(['updated song/a', 'skipped song/~held']);
  expect(account.log('all')).toEqual(['GET /songs/one', 'PATCH /songs/one', 'GET /songs/one']);
});

describe('reading back', () => {
  const tight = { title: 't', guard: 0, list: [] };
  const loose = { title: 'l', guard: 9, list: [] };
  const both = [aSong('t', { guard: 5, list: [] }), aSong('l', { guard: 1, list: [] })];

  it('of what was tightened is not done twice', async () => {
    const { outcomeLines, account } = await done({ songs: { t: tight, l: loose } }, both);
    expect(outcomeLines).toEqual(['updated song/t', 'updated song/l']);
    expect(account.log('all')).toEqual(['PATCH /songs/t', 'GET /songs/t', 'PATCH /songs/l', 'GET /songs/l']);
  });

  it('before anything is loosened leaves what does not tighten for the end', async () => {
    const { account } = await done({ songs: { t: tight, l: loose, n: { title: 'n', guard: 0, list: ['q', 'r'] } } }, [...both, aSong('n')]);
    expect(account.log('all')).toEqual([
      'PATCH /songs/t',
      'PATCH /songs/n',
      'GET /songs/t',
      'PATCH /songs/l',
      'GET /songs/n',
      'GET /songs/l',
    ]);
  });

  it('comes at the end where nothing is loosened', async () => {
    const { account } = await done({ songs: { t: tight } }, [aSong('t', { guard: 5, list: [] }), aSong('a')]);
    expect(account.log('all')).toEqual(['PATCH /songs/t', 'POST /songs', 'GET /songs/t', 'GET /songs']);
  });

  it('that shows another thing fails the change, and nothing is verified', async () => {
    const { outcomeLines, outcome, verificationIncomplete, why } = await done(
      { songs: { t: tight } },
      [aSong('t', { guard: 5, list: [] })],
      {},
      (each) => each.intercept('PATCH', () => ({ body: { id: 't' } })),
    );
    expect(outcomeLines).toEqual(['failed song/t']);
    expect(why).toEqual(['inconsistent after apply: /guard reads 0, not 5']);
    expect([outcome.verified, verificationIncomplete]).toEqual([false, false]);
  });

  it('that fails leaves the outcome as it is, and tells the fault among those that were met', async () => {
    const { outcomeLines, outcome, verificationIncomplete, errors, ids } = await done({}, [aSong('a')], {}, (each) => {
      each.fail('POST', { kind: 'timeout', lost: true });
      each.intercept('GET', () => undefined);
      each.fail('GET', { kind: 'unreachable' });
    });
    expect(outcomeLines).toEqual(['created song/a']);
    expect([outcome.verified, verificationIncomplete, errors.map(({ kind }) => kind)]).toEqual([false, true, ['timeout', 'unreachable']]);
    expect(ids).toEqual(new Map([['song/a', 'born-1']]));
  });

  it('never takes for a new object one that was there when the plan was made', async () => {
    const twin = { title: 'other', guard: 0, list };
    const { outcomeLines, why } = await done({ songs: { old: twin } }, [aSong('a'), aSong('other')], {}, (each) => {
      each.fail('POST', { kind: 'timeout', mayHaveWritten: 'maybe' }, 3);
      each.songs.set('old', { ...twin, title: 'a' });
    });
    expect(outcomeLines).toEqual(['failed song/a']);
    expect(why[0]).toContain('it was timeout');
  });
});

it('a run of no width does one batch at a time all the same', async () => {
  const { outcomeLines } = await done({}, [aSong('a'), aSong('b')], { concurrency: 0 });
  expect(outcomeLines).toEqual(['created song/a', 'created song/b']);
});
