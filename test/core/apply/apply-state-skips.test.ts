/** `ApplyState`, method by method: what it records, and which changes are skipped because of that. */

import { describe, expect, it } from 'vitest';
import { ApplyState } from '../../../src/core/apply/apply-state.ts';
import type { ApplyInput } from '../../../src/core/apply/input.ts';
import type { Change } from '../../../src/core/model/change.ts';
import type { PlannedChange } from '../../../src/core/state/planned-change.ts';
import { type ChangeParts, changeOf } from '../../support/changes.ts';
import { FakeAccount } from '../../support/fake-account.ts';
import { aSong, desiredStateOf, planFor } from '../../support/planning.ts';

const BLOCKED = { check: 'protect', reason: 'it is protected', lift: { edit: 'edit it' } } as const;

/** Builds a neutral update of the second phase, unless `change` says otherwise. */
async function executable(key: string, change: ChangeParts = {}): Promise<PlannedChange> {
  const {
    changes: [create],
  } = await planFor(new FakeAccount(), desiredStateOf([aSong(key)]));
  if (!create) throw new Error('a create was planned');
  return { ...create, change: changeOf({ address: create.change.address, fields: create.change.fields, ...change }) };
}

async function applyStateOf(changes: readonly PlannedChange[], more: Partial<ApplyInput> = {}) {
  const account = new FakeAccount();
  const { context, plan, readByKind } = await planFor(account, desiredStateOf([]));
  const signal = new AbortController().signal;
  const fixed = {
    changes,
    context,
    fingerprint: plan.fingerprint,
    readByKind,
    service: account,
    concurrency: 1,
    now: account.now,
    elapsed: account.now,
    settling: account.settling(),
    signal,
  };
  return { account, state: new ApplyState({ ...fixed, waitPolicy: account, whyNotDeclarable: () => new Map(), ...more }) };
}

const skipped = (address: string, because: string) => ({ address, result: 'skipped', because, tookMs: 0 });
const nothingWeakened = (address: string) =>
  `${address} strengthens protection and is not known to have taken effect, so nothing that weakens it is applied in this run`;

describe('a change that weakens', () => {
  it('is skipped if a change that strengthens is blocked, even one of a later phase', async () => {
    const loose = await executable('loose', { effect: 'weakens', phase: 'weaken' });
    const gone = await executable('gone', { action: 'delete', effect: 'strengthens', phase: 'delete-policies', blocked: BLOCKED });
    const { state } = await applyStateOf([loose, gone]);
    expect(state.selectApplicable([loose])).toEqual([]);
    expect(state.selectApplicable([gone])).toEqual([]);
    expect(state.report().outcomes).toEqual([
      skipped('song/loose', nothingWeakened('song/gone')),
      skipped('song/gone', 'blocked by safety check `protect`: it is protected'),
    ]);
  });

  it('is skipped in any phase, a delete too, if a change that strengthens is blocked or has failed', async () => {
    const gone = await executable('gone', { action: 'delete', effect: 'weakens', phase: 'delete' });
    const tight = await executable('tight', { effect: 'strengthens', phase: 'strengthen' });
    const { state } = await applyStateOf([tight, gone]);
    state.fail('song/tight', 'it differs');
    expect(state.selectApplicable([gone])).toEqual([]);
    expect(state.report().outcomes).toContainEqual(skipped('song/gone', nothingWeakened('song/tight')));
  });

  it.each<[string, Partial<Change>]>([
    ['a change that does not strengthen is blocked', { blocked: BLOCKED }],
    ['a change that strengthens is not blocked', { effect: 'strengthens' }],
  ])('may be applied if %s', async (_condition, change) => {
    const [loose, other] = [
      await executable('loose', { effect: 'weakens', phase: 'weaken' }),
      await executable('other', { phase: 'delete-policies', ...change }),
    ];
    expect((await applyStateOf([loose, other])).state.selectApplicable([loose])).toEqual([loose]);
  });

  it('may be applied if a change that failed its verification does not strengthen', async () => {
    const [loose, other] = [await executable('loose', { effect: 'weakens', phase: 'weaken' }), await executable('other')];
    const { state } = await applyStateOf([loose, other]);
    state.fail('song/other', 'it differs');
    expect(state.selectApplicable([loose])).toEqual([loose]);
  });

  it('is skipped once a change that strengthens failed its verification, or could not be verified', async () => {
    const [tight, loose] = [
      await executable('tight', { effect: 'strengthens', phase: 'strengthen' }),
      await executable('loose', { phase: 'weaken' }),
    ];
    const failed = (await applyStateOf([tight, loose])).state;
    failed.fail('song/tight', 'it differs');
    expect(failed.selectApplicable([loose])).toEqual([]);
    const unverified = (await applyStateOf([tight, loose])).state;
    unverified.markUnverified([]);
    expect(unverified.selectApplicable([loose])).toEqual([loose]);
    unverified.markUnverified([tight]);
    expect(unverified.selectApplicable([loose])).toEqual([]);
    expect(unverified.report().outcomes).toEqual([skipped('song/loose', nothingWeakened('song/tight'))]);
  });
});

describe('a wave', () => {
  it('is skipped after an interrupt or a stop; the first reason counts', async () => {
    const one = await executable('one');
    const interrupted = (await applyStateOf([one], { signal: AbortSignal.abort() })).state;
    expect(interrupted.selectApplicable([one])).toEqual([]);
    expect(interrupted.report().outcomes).toEqual([skipped('song/one', 'the run was interrupted')]);
    const stopped = (await applyStateOf([one], { signal: AbortSignal.abort() })).state;
    for (const reason of [null, 'the lock is lost', 'the time is over', null]) stopped.stop(reason);
    stopped.selectApplicable([one]);
    expect(stopped.report().outcomes).toEqual([skipped('song/one', 'the lock is lost')]);
  });
});

describe('the outcome of a change', () => {
  it.each(['create', 'update', 'delete', 'adopt', 'move', 'forget'] as const)('names the result of its action: %s', async (action) => {
    const done = await executable('a', { action });
    const { state } = await applyStateOf([done]);
    state.record([{ planned: done, state: 'done' }], 0);
    const words = { create: 'created', update: 'updated', delete: 'deleted', adopt: 'adopted', move: 'moved', forget: 'forgotten' };
    const none = { created: 0, updated: 0, deleted: 0, adopted: 0, moved: 0, forgotten: 0, failed: 0, skipped: 0 };
    expect(state.report()).toEqual({
      outcomes: [{ address: 'song/a', result: words[action], tookMs: 1_000_000 }],
      summary: { ...none, [words[action]]: 1 },
    });
    expect(state.written()).toEqual(['create', 'update', 'delete'].includes(action) ? [done] : []);
  });

  it('contains why the change failed or was skipped; a change without a result has none', async () => {
    const changes = [await executable('a'), await executable('b'), await executable('c'), await executable('d'), await executable('e')];
    const [a, b, c, d] = changes;
    if (!a || !b || !c || !d) throw new Error('expected four changes');
    const { state, account } = await applyStateOf(changes);
    const startedAt = account.now();
    account.time += 7.6;
    state.record(
      [
        { planned: b, state: 'skipped', reason: 'it is blocked' },
        { planned: a, state: 'failed', reason: 'it failed' },
      ],
      startedAt,
    );
    state.record(
      [
        { planned: c, state: 'failed' },
        { planned: d, state: 'skipped' },
      ],
      startedAt + 100,
    );
    expect(state.report().outcomes).toStrictEqual([
      { address: 'song/a', result: 'failed', error: 'it failed', tookMs: 8 },
      { address: 'song/b', result: 'skipped', because: 'it is blocked', tookMs: 8 },
      { address: 'song/c', result: 'failed', error: '', tookMs: 0 },
      { address: 'song/d', result: 'skipped', because: '', tookMs: 0 },
    ]);
    expect([state.written(), state.unverified(), state.failed()]).toEqual([[], [], true]);
  });

  it('is passed to `onOutcome` when it is recorded, and again when the verification fails', async () => {
    const [a, b] = [await executable('a'), await executable('b')];
    const calls: string[] = [];
    const callbacks = {
      onOutcome: ({ address, result, tookMs }: { address: string; result: string; tookMs: number }) =>
        void calls.push(`${address} ${result} ${tookMs}`),
      onProgress: (done: number, total: number) => void calls.push(`${done} of ${total}`),
    };
    const { state, account } = await applyStateOf([a, b], callbacks);
    state.record([{ planned: a, state: 'done' }], account.now() - 30);
    expect(state.failed()).toBe(false);
    state.fail('song/a', 'it differs');
    state.fail('song/b', 'it does not exist');
    expect(calls).toEqual(['song/a updated 30', '1 of 2', 'song/a failed 30', 'song/b failed 0']);
    expect(state.report().outcomes[0]).toEqual({ address: 'song/a', result: 'failed', error: 'it differs', tookMs: 30 });
  });

  it('is verified once, by the ID that a response named', async () => {
    const [a, b] = [await executable('a'), await executable('b')];
    const { state } = await applyStateOf([a, b]);
    state.record(
      [
        { planned: b, state: 'done' },
        { planned: a, state: 'done', id: 'one' },
      ],
      0,
    );
    expect(state.ids).toEqual(new Map([['song/a', 'one']]));
    expect(state.unverified()).toEqual([a, b]);
    state.markVerified([a]);
    expect(state.unverified()).toEqual([b]);
    expect(state.written()).toEqual([a, b]);
  });
});
