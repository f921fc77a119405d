import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import lockSchema from '../../schemas/lock.schema.json' with { type: 'json' };
import { unlock } from '../../src/ledger/lock.ts';
import { LockHeldError } from '../../src/ledger/lock-held-error.ts';
import { readLock } from '../../src/ledger/lock-info.ts';
import { clock, clone, commit, entry, git, hook, ledgerOf, lock, newClone, newRemote, originOf } from './repositories.ts';

const REF = 'refs/upkeep/locks/production';

async function heldBy(attempt: Promise<unknown>): Promise<LockHeldError> {
  const error = await attempt.then(
    () => new Error('nobody held it'),
    (reason: unknown) => reason,
  );
  if (error instanceof LockHeldError) return error;
  throw error;
}

describe('taking a lock', () => {
  test('creates the ref, says who holds it, and leaves the clone as it was', async () => {
    const { at, folder, url } = await newClone();
    const before = [git(folder, 'for-each-ref'), git(folder, 'status', '--porcelain'), git(folder, 'symbolic-ref', 'HEAD')];
    const taken = await lock(at);
    expect(git(url, 'rev-parse', REF).startsWith(taken.id)).toBe(true);
    expect(taken.id).toMatch(/^[0-9a-f]{12}$/);
    expect(await taken.held()).toBe(true);
    expect(await readLock(at, 'production')).toMatchObject({
      id: taken.id,
      by: 'ada',
      since: '2026-03-01T10:00:00.000Z',
      where: 'ada-machine',
    });
    expect([git(folder, 'for-each-ref'), git(folder, 'status', '--porcelain'), git(folder, 'symbolic-ref', 'HEAD')]).toEqual(before);
    await taken.release();
    expect(await readLock(at, 'production')).toBeNull();
    expect(await taken.held()).toBe(false);
  });

  test('what the lock holds has the published form', async () => {
    const { at, url } = await newClone();
    await lock(at);
    const isLock = new Ajv({ strict: true }).compile(lockSchema);
    expect(isLock(JSON.parse(git(url, 'show', `${REF}:lock.json`)))).toBe(true);
  });

  test('two locks taken in the same second by the same person differ', async () => {
    const { at } = await newClone();
    const first = await lock(at);
    await first.release();
    const second = await lock(at);
    expect(second.id).not.toBe(first.id);
    expect(await first.held()).toBe(false);
  });

  test("targets do not stand in each other's way", async () => {
    const { at } = await newClone();
    await lock(at);
    await lock(at, 'bob', { target: 'staging' });
    expect((await readLock(at, 'staging'))?.by).toBe('bob');
  });

  test('who comes second is told who, since when, where, and the way out', async () => {
    const { at, url } = await newClone();
    const { id } = await lock(at);
    const error = await heldBy(lock(await originOf(clone(url)), 'bob'));
    expect(error.message).toBe(`production is locked by ada since 2026-03-01T10:00:00.000Z, from ada-machine (lock ${id})`);
    expect(error.hint).toContain(`upkeep unlock -t production --id ${id}`);
  });

  test('ten races of two: one winner each, and the loser names the winner', async () => {
    const { url } = newRemote();
    const racers = await Promise.all(['ada', 'bob'].map(async (by) => ({ by, at: await originOf(clone(url)) })));
    for (let race = 0; race < 10; race++) {
      const results = await Promise.allSettled(racers.map(({ by, at }) => lock(at, by)));
      const winner = results.findIndex(({ status }) => status === 'fulfilled');
      const [won, lost] = [results[winner], results[1 - winner]];
      if (won?.status !== 'fulfilled' || lost?.status !== 'rejected') throw new Error(JSON.stringify(results));
      expect(lost.reason).toBeInstanceOf(LockHeldError);
      expect(lost.reason).toMatchObject({ holder: { by: racers[winner]?.by, id: won.value.id } });
      await won.value.release();
    }
  });
});

describe('waiting', () => {
  test('looks again ever more rarely, and takes the lock once it is free', async () => {
    const { at } = await newClone();
    const first = await lock(at);
    const { now, sleep, slept } = clock();
    const second = await lock(at, 'bob', {
      now,
      timeoutSeconds: 600,
      sleep: async (milliseconds) => {
        await sleep(milliseconds);
        if (slept.length === 6) await first.release();
      },
    });
    expect(slept).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
    expect(await second.held()).toBe(true);
  });

  test('gives up when the time is over, never later', async () => {
    const { at } = await newClone();
    await lock(at);
    const { now, sleep, slept } = clock();
    const error = await heldBy(lock(at, 'bob', { now, sleep, timeoutSeconds: 5 }));
    expect(error.holder.by).toBe('ada');
    expect(slept).toEqual([1_000, 2_000, 2_000]);
  });

  test('ends when the run is interrupted, and leaves no lock behind', async () => {
    const { at } = await newClone();
    const first = await lock(at);
    const stop = new AbortController();
    const sleep = async (): Promise<void> => stop.abort(new Error('stopped'));
    await expect(lock(at, 'bob', { sleep, signal: stop.signal, timeoutSeconds: 60 })).rejects.toThrow('stopped');
    await first.release();
    await expect(lock(at, 'bob', { signal: stop.signal })).rejects.toThrow('stopped');
    expect(await readLock(at, 'production')).toBeNull();
  });

  test('a run that is interrupted while it takes the lock gives it back', async () => {
    const { at } = await newClone();
    const stop = new AbortController();
    const repository = {
      ...at.repository,
      run: async (...call: Parameters<typeof at.repository.run>) => {
        const output = await at.repository.run(...call);
        if (call[0].includes('push')) stop.abort(new Error('stopped'));
        return output;
      },
    };
    await expect(lock({ ...at, repository }, 'bob', { signal: stop.signal })).rejects.toThrow('stopped');
    expect(await readLock(at, 'production')).toBeNull();
  });
});

describe('answers that were lost', () => {
  test('a lock that was taken although the push failed is ours', async () => {
    const { at } = await newClone();
    const taken = await lock({ ...at, repository: forgetful(at.repository) });
    expect(await taken.held()).toBe(true);
  });

  test('a lock that was removed although the push failed is removed', async () => {
    const { at } = await newClone();
    const taken = await lock(at);
    await unlock({ ...at, repository: forgetful(at.repository) }, 'production', taken.id);
    expect(await readLock(at, 'production')).toBeNull();
  });
});

describe('unlock', () => {
  test('refuses a wrong ID and names the real holder', async () => {
    const { at } = await newClone();
    const { id, held } = await lock(at);
    for (const wrong of ['0123456789ab', id.slice(0, 7), '', '-', `${id}0`, 'production']) {
      expect((await heldBy(unlock(at, 'production', wrong))).message).toContain(`locked by ada`);
    }
    expect(await held()).toBe(true);
  });

  test('removes the lock with the right ID; its old holder notices and takes nothing away from the next', async () => {
    const { at } = await newClone();
    const first = await lock(at);
    expect(await unlock(at, 'production', first.id)).toMatchObject({ by: 'ada' });
    const second = await lock(at, 'bob');
    expect(await first.held()).toBe(false);
    await first.release();
    expect(await second.held()).toBe(true);
    await expect(first.record(entry(), null)).rejects.toMatchObject({ code: 'refused' });
    expect(await ledgerOf(at).latest()).toBeNull();
  });

  test('without a lock there is nothing to release', async () => {
    const { at } = await newClone();
    expect(await unlock(at, 'production', '0123456789ab')).toBeNull();
  });

  test('a ref with strange contents is a lock all the same, and can be removed', async () => {
    const { at, folder, url } = await newClone();
    const strange = [
      { 'lock.json': '[1]' },
      { 'lock.json': 'not json \u001b[2J' },
      { 'lock.json': JSON.stringify({ by: 7, since: 'x\u0007\ny', where: 'https://ada:pw@example.com/run' }) },
      { other: '' },
      { 'lock.json': ' '.repeat(70_000) },
    ];
    for (const files of strange) {
      const made = commit(folder, files);
      git(folder, 'push', '-q', '-f', 'origin', `${made}:${REF}`);
      const { message, holder } = await heldBy(lock(at, 'bob'));
      expect(message).toMatch(/^production is locked by unknown since (unknown|x y), from (unknown|https:\/\/\*\*\*@example.com\/run) /);
      await unlock(at, 'production', holder.id);
      git(folder, 'rm', '-q', '-r', '--ignore-unmatch', 'lock.json', 'other');
    }
    expect(git(url, 'for-each-ref', 'refs/upkeep')).toBe('');
  });
});

describe('a remote that says no', () => {
  test('the reason of its hook and what to allow are told', async () => {
    const { at, url } = await newClone();
    hook(url, 'pre-receive', 'echo "policy: refs/upkeep is closed" >&2; exit 1');
    await expect(lock(at)).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringMatching(/pre-receive hook declined.*policy: refs\/upkeep is closed/),
      hint: expect.stringContaining('refs/upkeep/*'),
    });
  });

  test('hidden refs', async () => {
    const { at, url } = await newClone();
    git(url, 'config', 'transfer.hideRefs', 'refs/upkeep');
    await expect(lock(at)).rejects.toMatchObject({ code: 'refused', message: expect.stringContaining('hidden ref') });
  });

  test('no atomic pushes', async () => {
    const { at, url } = await newClone();
    git(url, 'config', 'receive.advertiseAtomic', 'false');
    await expect(lock(at)).rejects.toMatchObject({ code: 'refused', hint: expect.stringContaining('atomic') });
  });

  test('deletes are refused: the lock stays, and that is said', async () => {
    const { at, url } = await newClone();
    const taken = await lock(at);
    hook(url, 'update', 'case "$3" in 0000*) echo "no deletes" >&2; exit 1;; esac');
    await expect(taken.release()).rejects.toMatchObject({ code: 'refused' });
    expect(await taken.held()).toBe(true);
  });

  test('a remote that is gone', async () => {
    const { at, folder } = await newClone();
    const taken = await lock(at);
    git(folder, 'remote', 'set-url', 'origin', `${folder}/nowhere.git`);
    await expect(lock(at)).rejects.toMatchObject({ code: 'unreachable' });
    await expect(taken.held()).rejects.toMatchObject({ code: 'unreachable' });
    await expect(taken.release()).rejects.toMatchObject({ code: 'unreachable' });
  });
});

/** A repository whose pushes take place, and whose answers are lost. */
function forgetful(repository: Awaited<ReturnType<typeof originOf>>['repository']): typeof repository {
  return {
    ...repository,
    run: async (args, call) => {
      const output = await repository.run(args, call);
      if (!args.includes('push')) return output;
      return await repository.run(['cat-file', '-e', 'lost']);
    },
  };
}
