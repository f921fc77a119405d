/** What has happened so far in an apply, step by step: what is noted, and what that forbids. */
import { describe, expect, it } from 'vitest';
import { ApplyState } from '../../src/apply/apply-state.ts';
import type { ApplyInput } from '../../src/apply/input.ts';
import type { Change } from '../../src/model/change.ts';
import type { ExecutableChange } from '../../src/plan/plan-document.ts';
import { type ChangeParts, changeOf } from '../support/changes.ts';
import { FakeAccount } from '../support/fake-account.ts';
import { aSong, desiredStateOf, planFor } from '../support/planning.ts';

const HELD = { check: 'protect', reason: 'it is protected', override: 'edit it' } as const;

/** A neutral update of the second phase, unless `change` says otherwise. */
async function step(key: string, change: ChangeParts = {}): Promise<ExecutableChange> {
  const { changes: steps } = await planFor(new FakeAccount(), desiredStateOf([aSong(key)]));
  const [create] = steps;
  if (!create) throw new Error('a create was planned');
  return { ...create, change: changeOf({ address: create.change.address, fields: create.change.fields, ...change }) };
}

async function begun(steps: readonly ExecutableChange[], more: Partial<ApplyInput> = {}) {
  const account = new FakeAccount();
  const { context, plan, readByKind } = await planFor(account, desiredStateOf([]));
  const signal = new AbortController().signal;
  const fixed = {
    changes: steps,
    context,
    fingerprint: plan.fingerprint,
    readByKind,
    service: account,
    concurrency: 1,
    now: account.now,
    signal,
  };
  return { account, progress: new ApplyState({ ...fixed, waitPolicy: account, ...more }) };
}

const skipped = (address: string, because: string) => ({ address, result: 'skipped', because, tookMs: 0 });
const undone = (address: string) => `${address} tightens and was not applied, so nothing is loosened in this run`;

describe('what loosens', () => {
  it('is skipped where what tightens is held, even in a later phase', async () => {
    const loose = await step('loose', { effect: 'loosens', phase: 'loosen' });
    const gone = await step('gone', { action: 'delete', effect: 'tightens', phase: 'delete-policies', blocked: HELD });
    const { progress } = await begun([loose, gone]);
    expect(progress.selectApplicable([loose])).toEqual([]);
    expect(progress.selectApplicable([gone])).toEqual([]);
    expect(progress.report().outcomes).toEqual([
      skipped('song/loose', undone('song/gone')),
      skipped('song/gone', 'blocked by safety check `protect`: it is protected'),
    ]);
  });

  it.each<[string, Partial<Change>]>([
    ['what is held does not tighten', { blocked: HELD }],
    ['what tightens is not held', { effect: 'tightens' }],
  ])('may be done where %s', async (_where, change) => {
    const [loose, other] = [
      await step('loose', { effect: 'loosens', phase: 'loosen' }),
      await step('other', { phase: 'delete-policies', ...change }),
    ];
    expect((await begun([loose, other])).progress.selectApplicable([loose])).toEqual([loose]);
  });

  it('may be done where what was read back as something else does not tighten', async () => {
    const [loose, other] = [await step('loose', { effect: 'loosens', phase: 'loosen' }), await step('other')];
    const { progress } = await begun([loose, other]);
    progress.fail('song/other', 'it reads back as another');
    expect(progress.selectApplicable([loose])).toEqual([loose]);
  });

  it('is skipped once what tightens was read back as something else, or could not be read', async () => {
    const [tight, loose] = [await step('tight', { effect: 'tightens', phase: 'tighten' }), await step('loose', { phase: 'loosen' })];
    const failing = (await begun([tight, loose])).progress;
    failing.fail('song/tight', 'it reads back as another');
    expect(failing.selectApplicable([loose])).toEqual([]);
    const distrusting = (await begun([tight, loose])).progress;
    distrusting.markUnverified([]);
    expect(distrusting.selectApplicable([loose])).toEqual([loose]);
    distrusting.markUnverified([tight]);
    expect(distrusting.selectApplicable([loose])).toEqual([]);
    expect(distrusting.report().outcomes).toEqual([skipped('song/loose', undone('song/tight'))]);
  });
});

describe('a wave', () => {
  it('is not begun once the run is interrupted, or stopped for a reason, of which the first stands', async () => {
    const one = await step('one');
    const interrupted = (await begun([one], { signal: AbortSignal.abort() })).progress;
    expect(interrupted.selectApplicable([one])).toEqual([]);
    expect(interrupted.report().outcomes).toEqual([skipped('song/one', 'the run was interrupted')]);
    const stopped = (await begun([one], { signal: AbortSignal.abort() })).progress;
    for (const why of [null, 'the lock is lost', 'it is late', null]) stopped.stop(why);
    stopped.selectApplicable([one]);
    expect(stopped.report().outcomes).toEqual([skipped('song/one', 'the lock is lost')]);
  });
});

describe('what became of changes', () => {
  it.each(['create', 'update', 'delete', 'adopt', 'move', 'forget'] as const)('is told by its action: %s', async (action) => {
    const done = await step('a', { action });
    const { progress } = await begun([done]);
    progress.record([{ planned: done, state: 'done' }], 0);
    const words = { create: 'created', update: 'updated', delete: 'deleted', adopt: 'adopted', move: 'moved', forget: 'forgotten' };
    const none = { created: 0, updated: 0, deleted: 0, adopted: 0, moved: 0, forgotten: 0, failed: 0, skipped: 0 };
    expect(progress.report()).toEqual({
      outcomes: [{ address: 'song/a', result: words[action], tookMs: 1_000_000 }],
      summary: { ...none, [words[action]]: 1 },
    });
    expect(progress.written()).toEqual(['create', 'update', 'delete'].includes(action) ? [done] : []);
  });

  it('is told with why it failed or was skipped, and of what is still to come nothing is told', async () => {
    const steps = [await step('a'), await step('b'), await step('c'), await step('d'), await step('e')];
    const [a, b, c, d] = steps;
    if (!a || !b || !c || !d) throw new Error('four steps were planned');
    const { progress, account } = await begun(steps);
    const began = account.now();
    account.time += 7.6;
    progress.record(
      [
        { planned: b, state: 'skipped', reason: 'in vain' },
        { planned: a, state: 'failed', reason: 'it broke' },
      ],
      began,
    );
    progress.record(
      [
        { planned: c, state: 'failed' },
        { planned: d, state: 'skipped' },
      ],
      began + 100,
    );
    expect(progress.report().outcomes).toStrictEqual([
      { address: 'song/a', result: 'failed', error: 'it broke', tookMs: 8 },
      { address: 'song/b', result: 'skipped', because: 'in vain', tookMs: 8 },
      { address: 'song/c', result: 'failed', error: '', tookMs: 0 },
      { address: 'song/d', result: 'skipped', because: '', tookMs: 0 },
    ]);
    expect([progress.written(), progress.unverified(), progress.failed()]).toEqual([[], [], true]);
  });

  it('is told to whoever listens, at once and anew', async () => {
    const [a, b] = [await step('a'), await step('b')];
    const told: string[] = [];
    const listening = {
      onOutcome: ({ address, result, tookMs }: { address: string; result: string; tookMs: number }) =>
        void told.push(`${address} ${result} ${tookMs}`),
      onProgress: (done: number, total: number) => void told.push(`${done} of ${total}`),
    };
    const { progress, account } = await begun([a, b], listening);
    progress.record([{ planned: a, state: 'done' }], account.now() - 30);
    expect(progress.failed()).toBe(false);
    progress.fail('song/a', 'it reads back as another');
    progress.fail('song/b', 'it is not there');
    expect(told).toEqual(['song/a updated 30', '1 of 2', 'song/a failed 30', 'song/b failed 0']);
    expect(progress.report().outcomes[0]).toEqual({ address: 'song/a', result: 'failed', error: 'it reads back as another', tookMs: 30 });
  });

  it('is read back once, by the IDs that were told', async () => {
    const [a, b] = [await step('a'), await step('b')];
    const { progress } = await begun([a, b]);
    progress.record(
      [
        { planned: b, state: 'done' },
        { planned: a, state: 'done', id: 'one' },
      ],
      0,
    );
    expect(progress.ids).toEqual(new Map([['song/a', 'one']]));
    expect(progress.unverified()).toEqual([a, b]);
    progress.markVerified([a]);
    expect(progress.unverified()).toEqual([b]);
    expect(progress.written()).toEqual([a, b]);
  });
});
