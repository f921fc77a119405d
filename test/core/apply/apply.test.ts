import { describe, expect, it } from 'vitest';
import { planDocument } from '../../../src/core/plan/plan-document.ts';
import { FakeAccount } from '../../support/fake-account.ts';
import { applyPlan, aRule, aSingle, aSong, desiredStateOf, planFor, theDial } from '../../support/planning.ts';

const many = (count: number) => Array.from({ length: count }, (_, index) => aSong(`song-${index}`));

describe('apply', () => {
  it('writes exactly the requests of the plan, in its order', async () => {
    const account = new FakeAccount({
      songs: { one: { title: 'a', level: 0, list: ['x', 'y'] }, gone: { title: 'g', level: 0, list: [] } },
      rules: { r: { name: 'p', strength: 1 } },
    });
    const resources = [aSong('a', { level: 1 }), aSong('b'), aSingle('u'), aSingle('v'), aRule('q'), theDial(true, ['s'])];
    const planResult = await planFor(account, desiredStateOf(resources));
    const { outcome } = await applyPlan(account, planResult, { concurrency: 1 });
    const sent = account.requests.filter(({ method }) => method !== 'GET');
    expect(sent.map(({ method, path, body }) => ({ method, path, body: body ?? null }))).toEqual(
      planResult.plan.requests.map(({ method, path, body }) => ({ method, path, body })),
    );
    expect(outcome).toMatchObject({ schemaVersion: 1, target: 'stage', fingerprint: planResult.plan.fingerprint, verified: true });
  });

  it('sends no write for an empty plan', async () => {
    const account = new FakeAccount();
    const { outcome } = await applyPlan(account, await planFor(account, desiredStateOf([])));
    expect(outcome).toMatchObject({ outcomes: [], verified: true });
    expect(account.log()).toEqual([]);
  });

  it.each([1, 3, 8])('sends up to %i batches at once with that concurrency', async (concurrency) => {
    const account = new FakeAccount();
    const planResult = await planFor(account, desiredStateOf(many(30)));
    account.maxConcurrent = 0;
    account.intercept('GET', () => ({ category: 'unreachable' }), 99);
    await applyPlan(account, planResult, { concurrency });
    expect(account.maxConcurrent).toBe(concurrency);
  });

  it('starts a wave only after the previous one has ended', async () => {
    const account = new FakeAccount();
    const planResult = await planFor(account, desiredStateOf([...many(6), aRule('p'), aRule('q'), theDial(true, [])]));
    await applyPlan(account, planResult);
    const paths = account.log().map((request) => request.split('/')[1]);
    expect(paths).toEqual([...paths].sort((a, b) => ORDER.indexOf(a ?? '') - ORDER.indexOf(b ?? '')));
  });

  it('starts no further change after an interrupt, and reports the outcome of every change', async () => {
    const account = new FakeAccount();
    const planResult = await planFor(account, desiredStateOf([...many(4), aRule('p'), theDial(true, [])]));
    const controller = new AbortController();
    account.intercept('POST /songs', () => void controller.abort());
    const done = await applyPlan(account, planResult, { signal: controller.signal, concurrency: 1 });
    expect(done.outcomeLines).toEqual([
      'created rule/p',
      'created song/song-0',
      'skipped song/song-1',
      'skipped song/song-2',
      'skipped song/song-3',
      'skipped dial',
    ]);
    expect(done.outcome.outcomes.at(-1)?.because).toBe('the run was interrupted');
  });

  it('verifies changes that strengthen before anything is weakened, and weakens nothing if one of them had no effect', async () => {
    const holdings = { songs: { t: { title: 't', level: 0, list: [] }, l: { title: 'l', level: 9, list: [] } } };
    const desiredState = desiredStateOf([aSong('t', { level: 5, list: [] }), aSong('l', { level: 1, list: [] })]);
    const account = new FakeAccount(holdings);
    const planResult = await planFor(account, desiredState);
    expect(planResult.plan.changes.map(({ address, phase }) => [address, phase])).toEqual([
      ['song/t', 'strengthen'],
      ['song/l', 'weaken'],
    ]);
    account.intercept('PATCH', () => ({ body: { id: 't' } }));
    const done = await applyPlan(account, planResult);
    expect(done.outcomeLines).toEqual(['unseen song/t', 'skipped song/l']);
    expect(done.outcome.outcomes[0]?.because).toBe('the service still shows the state before it: /level reads 0, not 5');
    expect(account.songs.get('l')).toMatchObject({ level: 9 });
  });

  it('weakens nothing if a change that strengthens cannot be verified', async () => {
    const holdings = { songs: { t: { title: 't', level: 0, list: [] }, l: { title: 'l', level: 9, list: [] } } };
    const account = new FakeAccount(holdings);
    const planResult = await planFor(account, desiredStateOf([aSong('t', { level: 5, list: [] }), aSong('l', { level: 1, list: [] })]));
    account.fail('GET', { category: 'unreachable' });
    const done = await applyPlan(account, planResult);
    expect(done.outcomeLines).toEqual(['updated song/t', 'skipped song/l']);
    expect(done.outcome).toMatchObject({ verified: false, unverified: { notRead: ['song'] } });
    expect(account.songs.get('l')).toMatchObject({ level: 9 });
  });

  it('reports its progress up to the end', async () => {
    const account = new FakeAccount();
    const planResult = await planFor(account, desiredStateOf([...many(3), aRule('p')]));
    const steps: string[] = [];
    await applyPlan(account, planResult, { onProgress: (done, total) => steps.push(`${done}/${total}`) });
    expect(steps.at(-1)).toBe('4/4');
    expect(steps.every((step) => step.endsWith('/4'))).toBe(true);
  });

  it('reports the outcome of each change as soon as it is known', async () => {
    const account = new FakeAccount();
    const planResult = await planFor(account, desiredStateOf([...many(3), aRule('p')]));
    const reported: string[] = [];
    const { outcome } = await applyPlan(account, planResult, {
      concurrency: 1,
      onOutcome: ({ address, result }) => reported.push(`${result} ${address}, ${account.songs.size} written`),
    });
    expect(reported.map((line) => line.split(',')[0]).sort()).toEqual(
      outcome.outcomes.map(({ address, result }) => `${result} ${address}`).sort(),
    );
    expect(reported.filter((line) => line.includes('song/')).map((line) => line.split(', ')[1])).toEqual([
      '1 written',
      '2 written',
      '3 written',
    ]);
  });

  it('applies a part of a plan', async () => {
    const account = new FakeAccount();
    const planResult = await planFor(account, desiredStateOf([aSong('a'), aSong('b')]));
    const part = planResult.changes.slice(0, 1);
    const { config, readStatus, findings } = planResult.plan;
    const rest = {
      config,
      readStatus,
      findings,
      unchanged: 0,
      undeclared: 0,
      reads: 0,
      impact: null,
      overrides: [],
      unread: [],
      ignored: [],
    };
    const plan = planDocument(part, planResult.context, rest);
    expect((await applyPlan(account, { ...planResult, plan, changes: part })).outcomeLines).toEqual(['created song/a']);
    expect(account.songs.size).toBe(1);
  });

  it('writes and verifies bulk creates without a request for each object', async () => {
    const requests = async (count: number) => {
      const account = new FakeAccount();
      const singles = Array.from({ length: count }, (_, index) => aSingle(`asset-${index}`));
      const planResult = await planFor(account, desiredStateOf(singles));
      account.requests.length = 0;
      await applyPlan(account, planResult);
      return account.requests.length;
    };
    expect(await requests(400)).toBe(4 + 1);
    expect(await requests(800)).toBe(8 + 1);
  });
});

const ORDER = ['rules', 'songs', 'dial'];
