import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { EXIT } from '../../src/cli/exit.ts';
import { type Holding, lockLost, underLock } from '../../src/cli/lock.ts';
import type { LedgerOf } from '../../src/cli/memory.ts';
import type { Target } from '../../src/engine/desired/configuration.ts';
import { LockHeld } from '../../src/ledger/held.ts';
import { bare, commit, git, hook, ledgerOf, newClone } from '../ledger/world.ts';
import { fakeIo } from './fake-io.ts';

const LOCK = 'refs/upkeep/locks/production';

async function opened() {
  const { url, at, folder } = await newClone();
  const io = fakeIo({ env: { ...bare, UPKEEP_ACTOR: 'ada' }, now: () => Date.UTC(2026, 0, 1) });
  const target = { name: 'production' } as Target;
  const ledger: LedgerOf = { at, ledger: ledgerOf(at) };
  const held = () => git(url, 'for-each-ref', '--format=%(refname)', LOCK);
  const under = <Result>(work: (holding: Holding) => Promise<Result>) => underLock(ledger, target, io, 0, work);
  return { url, folder, at, io, target, held, under };
}

afterEach(() => {
  vi.useRealTimers();
});

describe('a lock is held while the work runs', () => {
  it('and given back after it, also when the work fails', async () => {
    const { held, under } = await opened();
    expect(await under(async ({ mayGoOn, lost }) => [held(), await mayGoOn(), lost()])).toEqual([LOCK, null, false]);
    expect(held()).toBe('');
    await expect(under(async () => Promise.reject(new Error('work')))).rejects.toThrow('work');
    expect(held()).toBe('');
  });

  it('and not given back a second time where the record took it along', async () => {
    const { held, under } = await opened();
    await under(({ lock, handBack }) => handBack(() => lock.release()));
    expect(held()).toBe('');
  });

  it('and is not lost where the watch looks while the record takes it along', async () => {
    const { under } = await opened();
    await under(async ({ lock, handBack, mayGoOn, lost, signal }) => {
      await handBack(async () => {
        await lock.release();
        expect(await mayGoOn()).toBeNull();
      });
      expect([lost(), signal.aborted]).toEqual([false, false]);
    });
  });

  it('and is still given back where the record could not be pushed', async () => {
    const { held, under } = await opened();
    await expect(under(({ handBack }) => handBack(() => Promise.reject(new Error('push'))))).rejects.toThrow('push');
    expect(held()).toBe('');
  });

  it('and nobody else gets it', async () => {
    const { under } = await opened();
    await under(async () => {
      await expect(under(async () => 'never')).rejects.toThrow(LockHeld);
    });
  });
});

describe('a lock that is lost', () => {
  it('stops the work: a reason to begin nothing more, and the signal', async () => {
    const { under, url } = await opened();
    await under(async ({ mayGoOn, lost, signal }) => {
      git(url, 'update-ref', '-d', LOCK);
      expect(signal.aborted).toBe(false);
      expect(await mayGoOn()).toContain('taken away');
      expect([lost(), signal.aborted]).toEqual([true, true]);
      expect(await mayGoOn()).toContain('taken away');
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
    const ran = under(async ({ mayGoOn, lost }) => {
      git(folder, 'remote', 'set-url', 'origin', '/nowhere');
      expect([await mayGoOn(), lost()]).toEqual([expect.stringContaining('cannot be seen'), true]);
      return 'done';
    });
    await expect(ran).resolves.toBe('done');
  });

  it('is told as an exit of its own', () => {
    expect(lockLost({ name: 'production' } as Target)).toMatchObject({ exit: EXIT.locked, code: 'lock-lost' });
  });
});

it('a lock that cannot be given back is named, with the command that releases it', async () => {
  const { under, url, io, held } = await opened();
  const id = await under(async ({ lock }) => {
    hook(url, 'update', 'exit 1');
    return lock.id;
  });
  expect(io.err()).toContain('error: the lock of production could not be given back: ');
  expect(io.err()).toContain(`hint: upkeep unlock -t production --id ${id}`);
  expect(held()).toBe(LOCK);
});

it('an interrupt while another holds the lock is an interrupt', async () => {
  const { under, at, target, url } = await opened();
  commit(at.repository.folder, { 'a.txt': 'x' });
  git(url, 'update-ref', LOCK, 'refs/heads/main');
  const stop = new AbortController();
  const io = fakeIo({ env: bare, signal: stop.signal });
  const waiting = underLock({ at, ledger: ledgerOf(at) }, target, io, 60, async () => 'never');
  await turn();
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ exit: EXIT.interrupted });
  await expect(under(async () => 'never')).rejects.toThrow(LockHeld);
});
