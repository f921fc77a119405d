import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { EXIT_CODES } from '../../src/app/exit-codes.ts';
import type { OpenLedger } from '../../src/app/load-state.ts';
import { type HeldLock, lockLost, withLock } from '../../src/app/target-lock.ts';
import type { Target } from '../../src/config/project.ts';
import { LockHeldError } from '../../src/ledger/lock-held-error.ts';
import { fakeIo } from '../cli/fake-io.ts';
import { bare, commit, git, hook, ledgerOf, newClone } from '../ledger/repositories.ts';

const LOCK = 'refs/upkeep/locks/production';

async function opened() {
  const { url, at, folder } = await newClone();
  const io = fakeIo({ env: { ...bare, UPKEEP_ACTOR: 'ada' }, now: () => Date.UTC(2026, 0, 1) });
  const target = { name: 'production' } as Target;
  const ledger: OpenLedger = { at, ledger: ledgerOf(at) };
  const held = () => git(url, 'for-each-ref', '--format=%(refname)', LOCK);
  const under = <Result>(work: (heldLock: HeldLock) => Promise<Result>) => withLock(ledger, target, io, 0, work);
  return { url, folder, at, io, target, held, under };
}

afterEach(() => {
  vi.useRealTimers();
});

describe('a lock is held while the work runs', () => {
  it('and given back after it, also when the work fails', async () => {
    const { held, under } = await opened();
    expect(await under(async ({ isStillHeld, lost }) => [held(), await isStillHeld(), lost()])).toEqual([LOCK, null, false]);
    expect(held()).toBe('');
    await expect(under(async () => Promise.reject(new Error('work')))).rejects.toThrow('work');
    expect(held()).toBe('');
  });

  it('and not given back a second time where the record took it along', async () => {
    const { held, under } = await opened();
    await under(({ lock, release }) => release(() => lock.release()));
    expect(held()).toBe('');
  });

  it('and is not lost where the watch looks while the record takes it along', async () => {
    const { under } = await opened();
    await under(async ({ lock, release, isStillHeld, lost, signal }) => {
      await release(async () => {
        await lock.release();
        expect(await isStillHeld()).toBeNull();
      });
      expect([lost(), signal.aborted]).toEqual([false, false]);
    });
  });

  it('and is still given back where the record could not be pushed', async () => {
    const { held, under } = await opened();
    await expect(under(({ release }) => release(() => Promise.reject(new Error('push'))))).rejects.toThrow('push');
    expect(held()).toBe('');
  });

  it('and nobody else gets it', async () => {
    const { under } = await opened();
    await under(async () => {
      await expect(under(async () => 'never')).rejects.toThrow(LockHeldError);
    });
  });
});

describe('a lock that is lost', () => {
  it('stops the work: a reason to begin nothing more, and the signal', async () => {
    const { under, url } = await opened();
    await under(async ({ isStillHeld, lost, signal }) => {
      git(url, 'update-ref', '-d', LOCK);
      expect(signal.aborted).toBe(false);
      expect(await isStillHeld()).toContain('lost or can no longer be read');
      expect([lost(), signal.aborted]).toEqual([true, true]);
      expect(await isStillHeld()).toContain('lost or can no longer be read');
    });
  });

  it('is noticed every ten seconds without being asked', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { under, url } = await opened();
    await under(async ({ lost, signal }) => {
      git(url, 'update-ref', '-d', LOCK);
      vi.advanceTimersByTime(9_999);
      expect(vi.getTimerCount()).toBe(1);
      vi.advanceTimersByTime(1);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      expect(lost()).toBe(true);
    });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('counts as lost where the remote cannot be seen', async () => {
    const { under, folder } = await opened();
    const ran = under(async ({ isStillHeld, lost }) => {
      git(folder, 'remote', 'set-url', 'origin', '/nowhere');
      expect([await isStillHeld(), lost()]).toEqual([expect.stringContaining('can no longer be read'), true]);
      return 'done';
    });
    await expect(ran).resolves.toBe('done');
  });

  it('is told as an exit of its own', () => {
    expect(lockLost({ name: 'production' } as Target)).toMatchObject({ exit: EXIT_CODES.locked, code: 'lock-lost' });
  });
});

it('a lock that cannot be given back is named, with the command that releases it', async () => {
  const { under, url, io, held } = await opened();
  const id = await under(async ({ lock }) => {
    hook(url, 'update', 'exit 1');
    return lock.id;
  });
  expect(io.err()).toContain('error: the lock of production could not be released: ');
  expect(io.err()).toContain(`hint: upkeep unlock -t production --id ${id}`);
  expect(held()).toBe(LOCK);
});

it('an interrupt while another holds the lock is an interrupt', async () => {
  const { under, at, target, url } = await opened();
  commit(at.repository.folder, { 'a.txt': 'x' });
  git(url, 'update-ref', LOCK, 'refs/heads/main');
  const stop = new AbortController();
  const io = fakeIo({ env: bare, signal: stop.signal });
  const waiting = withLock({ at, ledger: ledgerOf(at) }, target, io, 60, async () => 'never');
  await turn();
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ exit: EXIT_CODES.interrupted });
  await expect(under(async () => 'never')).rejects.toThrow(LockHeldError);
});
