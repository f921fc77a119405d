import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { OpenLedger } from '../../../src/app/history/load-state.ts';
import { type HeldLock, lockLost, withLock } from '../../../src/app/history/target-lock.ts';
import type { CliContext } from '../../../src/cli/status-line.ts';
import type { Target } from '../../../src/core/config/project.ts';
import { LockHeldError } from '../../../src/core/ledger/errors.ts';
import { EXIT_CODES } from '../../../src/core/model/exit-codes.ts';
import { fakeIo } from '../../cli/fake-io.ts';
import { bare, commit, git, hook, ledgerOf, newClone } from '../../core/ledger/repositories.ts';

const LOCK = 'refs/upkeep/locks/production';

async function openRepositories(more: Partial<CliContext> = {}) {
  const { url, at, folder } = await newClone();
  const io = fakeIo({ env: { ...bare, UPKEEP_ACTOR: 'ada' }, now: () => Date.UTC(2026, 0, 1), ...more });
  const target = { name: 'production' } as Target;
  const ledger: OpenLedger = {
    remote: at,
    project: at,
    ledger: ledgerOf(at),
    projectName: 'content',
    projectOption: 'content/upkeep.yaml',
  };
  const held = () => git(url, 'for-each-ref', '--format=%(refname)', LOCK);
  const under = <Result>(work: (heldLock: HeldLock) => Promise<Result>) =>
    withLock(ledger, target, io, { timeoutSeconds: 0, configuration: null }, work);
  return { url, folder, at, io, target, held, under };
}

afterEach(() => {
  vi.useRealTimers();
});

describe('withLock', () => {
  it('the lock is held during the work and released after it, even if the work fails', async () => {
    const { held, under } = await openRepositories();
    expect(await under(async ({ whyLost, lost }) => [held(), await whyLost(), lost()])).toEqual([LOCK, null, false]);
    expect(held()).toBe('');
    await expect(under(async () => Promise.reject(new Error('work')))).rejects.toThrow('work');
    expect(held()).toBe('');
  });

  it('the lock is not released twice if the push of the entry released it', async () => {
    const { held, under } = await openRepositories();
    await under(({ lock, release }) => release(() => lock.release()));
    expect(held()).toBe('');
  });

  it('the lock does not count as lost while the push of the entry releases it', async () => {
    const { under } = await openRepositories();
    await under(async ({ lock, release, whyLost, lost, signal }) => {
      await release(async () => {
        await lock.release();
        expect(await whyLost()).toBeNull();
      });
      expect([lost(), signal.aborted]).toEqual([false, false]);
    });
  });

  it('the lock is released if the push of the entry fails', async () => {
    const { held, under } = await openRepositories();
    await expect(under(({ release }) => release(() => Promise.reject(new Error('push'))))).rejects.toThrow('push');
    expect(held()).toBe('');
  });

  it('the lock cannot be acquired twice', async () => {
    const { under } = await openRepositories();
    await under(async () => {
      await expect(under(async () => 'never')).rejects.toThrow(LockHeldError);
    });
  });
});

describe('a lost lock', () => {
  it('a lost lock aborts the signal and is a reason to start no further request', async () => {
    const { under, url } = await openRepositories();
    await under(async ({ whyLost, lost, signal }) => {
      git(url, 'update-ref', '-d', LOCK);
      expect(signal.aborted).toBe(false);
      expect(await whyLost()).toContain('lost or can no longer be read');
      expect([lost(), signal.aborted]).toEqual([true, true]);
      expect(await whyLost()).toContain('lost or can no longer be read');
    });
  });

  it('the lock is checked every ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { under, url } = await openRepositories();
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

  it('the lock is checked before a write if the last check began more than two seconds ago', async () => {
    let elapsed = 0;
    const { under, url } = await openRepositories({ elapsed: () => elapsed });
    await under(async ({ beforeWrite, lost, signal }) => {
      await beforeWrite();
      git(url, 'update-ref', '-d', LOCK);
      elapsed = 2_000;
      await beforeWrite();
      expect([lost(), signal.aborted]).toEqual([false, false]);
      elapsed = 2_001;
      await beforeWrite();
      expect([lost(), signal.aborted]).toEqual([true, true]);
    });
  });

  it('the lock is checked once more if the process stood still during the check', async () => {
    let elapsed = 0;
    let pauses: (() => void)[] = [];
    const { under, url } = await openRepositories({
      elapsed() {
        pauses.shift()?.();
        return elapsed;
      },
    });
    await under(async ({ beforeWrite, lost }) => {
      elapsed = 3_000;
      // The age is asked for, the check begins; then somebody else takes the lock away, and the age is asked for again.
      pauses = [
        () => {},
        () => {},
        () => {
          git(url, 'update-ref', '-d', LOCK);
          elapsed += 60_000;
        },
      ];
      await beforeWrite();
      expect(lost()).toBe(true);
    });
  });

  it('a remote that always takes more than two seconds is asked twice before a write, not for ever', async () => {
    let elapsed = 0;
    const { under } = await openRepositories({ elapsed: () => (elapsed += 3_000) });
    await under(async ({ beforeWrite, lost }) => {
      await beforeWrite();
      expect(lost()).toBe(false);
    });
  });

  it('the lock counts as lost if the remote cannot be read', async () => {
    const { under, folder } = await openRepositories();
    const ran = under(async ({ whyLost, lost }) => {
      git(folder, 'remote', 'set-url', 'origin', '/nowhere');
      expect([await whyLost(), lost()]).toEqual([expect.stringContaining('can no longer be read'), true]);
      return 'done';
    });
    await expect(ran).resolves.toBe('done');
  });

  it('a lost lock has the exit code 9', () => {
    expect(lockLost({ name: 'production' } as Target)).toMatchObject({ exit: EXIT_CODES.locked, code: 'lock-lost' });
  });
});

it('a lock that cannot be released is reported with the command that releases it', async () => {
  const { under, url, io, held } = await openRepositories();
  const id = await under(async ({ lock }) => {
    hook(url, 'update', 'exit 1');
    return lock.id;
  });
  expect(io.err()).toContain('error: the lock of production could not be released: ');
  expect(io.err()).toContain(`hint: upkeep unlock --project content/upkeep.yaml --target production --id ${id}`);
  expect(held()).toBe(LOCK);
});

it('an interrupt while waiting for the lock exits with 130', async () => {
  const { under, at, target, url } = await openRepositories();
  commit(at.repository.folder, { 'a.txt': 'x' });
  git(url, 'update-ref', LOCK, 'refs/heads/main');
  const stop = new AbortController();
  const io = fakeIo({ env: bare, signal: stop.signal });
  const waiting = withLock(
    { remote: at, project: at, ledger: ledgerOf(at), projectName: 'content', projectOption: 'content/upkeep.yaml' },
    target,
    io,
    { timeoutSeconds: 60, configuration: null },
    async () => 'never',
  );
  await turn();
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ exit: EXIT_CODES.interrupted });
  await expect(under(async () => 'never')).rejects.toThrow(LockHeldError);
});
