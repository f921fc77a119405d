/** The calls of git for a remote: what each is given, whatever the user has configured, and what becomes of its errors. */
import { describe, expect, test } from 'vitest';
import { GitError } from '../../../src/core/ledger/errors.ts';
import { dryRunPush, fetchHistory, fetchObjects, fetchRef, type LedgerRemote, push, refOf } from '../../../src/core/ledger/remote.ts';
import { type Script, scriptedGit } from './scripted-git.ts';

const REF = 'refs/upkeep/production';
const COMMIT = '1'.repeat(40);
const NEXT = '2'.repeat(40);
const failed = new GitError('failed', 'git broke', '');

/** The remote `origin`, or a ledger repository at an address, and the calls of git except the first, which asks for the remote. */
function remoteOf(script: Script, { shallow = false, byAddress = false } = {}) {
  const { repository, calls } = scriptedGit(script, shallow);
  const at: LedgerRemote = byAddress ? { repository, remote: '/ledger.git', byAddress: true } : { repository, remote: 'origin' };
  return { at, calls, own: () => calls.filter(([args]) => args[0] !== 'remote') };
}

describe('refOf', () => {
  test('asks the remote for the ref alone, and ignores refs whose names end like it', async () => {
    const { at, own } = remoteOf(() => `${NEXT}\trefs/x/${REF}\n${COMMIT}\t${REF}\n${NEXT}\t${REF}x\n`);
    expect(await refOf(at, REF)).toBe(COMMIT);
    expect(own()).toEqual([[['ls-remote', '--quiet', '--', 'origin', REF], { remote: true }]]);
  });

  test('returns null where the ref does not exist', async () => {
    expect(await refOf(remoteOf(() => '').at, REF)).toBeNull();
    expect(await refOf(remoteOf(() => `${NEXT}\tx/${REF}\n`).at, REF)).toBeNull();
  });
});

describe('the remote', () => {
  test('has to exist by its name, which is asked once for each name', async () => {
    const { at, calls } = remoteOf(() => '');
    for (const remote of ['origin', 'origin', 'other', 'other', 'origin']) await refOf({ ...at, remote }, REF);
    expect(calls.filter(([args]) => args[0] === 'remote')).toEqual([
      [['remote', 'get-url', '--', 'origin']],
      [['remote', 'get-url', '--', 'other']],
    ]);
  });

  test('needs no name where it is the address of a ledger repository', async () => {
    const { at, calls } = remoteOf(() => '', { byAddress: true });
    await refOf(at, REF);
    expect(calls).toEqual([[['ls-remote', '--quiet', '--', '/ledger.git', REF], { remote: true }]]);
  });

  test('that does not exist is reported with what to do', async () => {
    await expect(refOf(remoteOf(() => failed).at, REF)).rejects.toMatchObject({
      code: 'no-remote',
      message: 'the repository has no remote `origin`',
      hint: 'add it (git remote add origin <url>), name another one (`remote` of the target), or set `ledger: none`',
    });
  });

  test.each([new GitError('no-git', 'the program `git` was not found', ''), new TypeError('broken')])(
    'is asked again after an error that says nothing about it: %s',
    async (error) => {
      const { at } = remoteOf((_args, _call, count) => (count === 1 ? error : count === 2 ? failed : ''));
      await expect(refOf(at, REF)).rejects.toBe(error);
      await expect(refOf(at, REF)).rejects.toMatchObject({ code: 'no-remote' });
      expect(await refOf(at, REF)).toBeNull();
    },
  );
});

/** The options of every fetch. */
const FETCH = [
  'fetch',
  '--quiet',
  '--no-tags',
  '--no-prune',
  '--refmap=',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
  '--no-auto-gc',
];
const VERSION = ['-c', 'protocol.version=2'];

describe('fetchObjects', () => {
  test.each<[string, boolean, number | null, readonly string[]]>([
    ['so many generations into a shallow clone', true, 3, ['--depth=3']],
    ['the whole history into a shallow clone', true, null, []],
    ['everything into a full clone, which stays full', false, 3, []],
  ])('fetches %s, and changes no ref, tag or file of the clone', async (_what, shallow, depth, limit) => {
    const { at, own } = remoteOf(() => '', { shallow });
    await fetchObjects(at, COMMIT, depth);
    expect(own()).toEqual([[[...VERSION, ...FETCH, ...limit, '--', 'origin', COMMIT], { remote: true }]]);
  });
});

describe('fetchHistory', () => {
  const settings = [...VERSION, '-c', 'remote.origin.promisor=true', '-c', 'remote.origin.partialclonefilter=blob:none'];
  const call = { remote: true, env: { GIT_OBJECT_DIRECTORY: '/history', GIT_SHALLOW_FILE: '' } };

  test('fetches commits without contents into a folder of its own', async () => {
    const { at, own } = remoteOf(() => '', { shallow: true });
    await fetchHistory(at, [COMMIT, NEXT], '/history', null);
    expect(own()).toEqual([[[...settings, ...FETCH, '--', 'origin', COMMIT, NEXT], call]]);
  });

  test('tells the remote which commit is there already', async () => {
    const { at, own } = remoteOf(() => '', { shallow: true });
    await fetchHistory(at, [NEXT], '/history', COMMIT);
    expect(own()).toEqual([[[...settings, ...FETCH, `--negotiation-tip=${COMMIT}`, '--', 'origin', NEXT], call]]);
  });

  test('needs a remote', async () => {
    await expect(fetchHistory(remoteOf(() => failed).at, [COMMIT], '/history', null)).rejects.toMatchObject({ code: 'no-remote' });
    await expect(fetchObjects(remoteOf(() => failed).at, COMMIT, null)).rejects.toMatchObject({ code: 'no-remote' });
  });
});

describe('fetchRef', () => {
  /** A remote whose ref is `COMMIT`, which the clone has after so many fetches; a fetch may fail. */
  const remoteWith = (fetches: number, error?: Error, shallow = true) => {
    let made = 0;
    return remoteOf(
      (args) => {
        if (args.includes('ls-remote')) return `${COMMIT}\t${REF}\n`;
        if (args.includes('fetch')) made += 1;
        if (args.includes('fetch') && made < fetches && error !== undefined) return error;
        return args.includes('cat-file') && made < fetches ? failed : '';
      },
      { shallow },
    );
  };
  const fetchesOf = (own: ReturnType<typeof remoteOf>['own']) => own().filter(([args]) => args.includes('fetch'));

  test('returns null where the ref does not exist, and fetches nothing that is there', async () => {
    expect(await fetchRef(remoteOf(() => '').at, REF, true)).toBeNull();
    const { at, own } = remoteWith(0);
    expect(await fetchRef(at, REF, true)).toBe(COMMIT);
    expect(fetchesOf(own)).toEqual([]);
  });

  test.each([
    [true, ['--depth=1']],
    [false, []],
  ])('fetches the ref; alone: %s', async (alone, limit) => {
    const { at, own } = remoteWith(1);
    expect(await fetchRef(at, REF, alone)).toBe(COMMIT);
    expect(fetchesOf(own)).toEqual([[[...VERSION, ...FETCH, ...limit, '--', 'origin', REF], { remote: true }]]);
  });

  test.each([undefined, failed, new GitError('unknown-commit', 'git fetch: not our ref', '')])(
    'reads the ref and fetches it again up to five times: %s',
    async (error) => {
      const { at, own } = remoteWith(5, error);
      expect(await fetchRef(at, REF, true)).toBe(COMMIT);
      expect(own().filter(([args]) => args.includes('ls-remote'))).toHaveLength(5);
      const { at: sixth, own: calls } = remoteWith(6, error);
      await expect(fetchRef(sixth, REF, true)).rejects.toMatchObject(
        error === undefined
          ? { code: 'failed', message: `${REF} of the remote \`origin\` keeps moving`, hint: 'run again' }
          : { message: error.message },
      );
      expect(fetchesOf(calls)).toHaveLength(5);
    },
  );

  test.each([new GitError('unreachable', 'git fetch: no route', ''), new TypeError('broken')])(
    'does not repeat a fetch that would fail again: %s',
    async (error) => {
      const { at, own } = remoteWith(3, error);
      await expect(fetchRef(at, REF, true)).rejects.toBe(error);
      expect(fetchesOf(own)).toHaveLength(1);
    },
  );
});

describe('a push', () => {
  const changes = [
    { ref: REF, was: COMMIT, becomes: NEXT },
    { ref: 'refs/upkeep/locks/production', was: NEXT, becomes: null },
    { ref: 'refs/upkeep/new', was: null, becomes: COMMIT },
  ];
  const PLAIN = ['--porcelain', '--no-verify', '--no-follow-tags', '--no-signed', '--recurse-submodules=no', '--no-force-if-includes'];
  const leases = [
    `--force-with-lease=${REF}:${COMMIT}`,
    `--force-with-lease=refs/upkeep/locks/production:${NEXT}`,
    '--force-with-lease=refs/upkeep/new:',
  ];
  const refspecs = [`${NEXT}:${REF}`, ':refs/upkeep/locks/production', `${COMMIT}:refs/upkeep/new`];
  const pushed = (settings: readonly string[], options: readonly string[], remote: string) => [
    [
      ['-c', 'push.pushOption=', ...settings, 'push', ...options, '--atomic', ...PLAIN, ...leases, '--', remote, ...refspecs],
      { remote: true },
    ],
  ];
  const NO_MIRROR = ['-c', 'remote.origin.mirror=false'];

  test('changes its refs alone, all or none, each only from what it was', async () => {
    const { at, own } = remoteOf(() => '');
    await push(at, changes);
    expect(own()).toEqual(pushed(NO_MIRROR, [], 'origin'));
    const separate = remoteOf(() => '', { byAddress: true });
    await push(separate.at, changes);
    expect(separate.own()).toEqual(pushed([], [], '/ledger.git'));
  });

  test('is tried without changing anything by dryRunPush', async () => {
    const { at, own } = remoteOf(() => '');
    await dryRunPush(at, changes);
    expect(own()).toEqual(pushed(NO_MIRROR, ['--dry-run'], 'origin'));
  });

  test('that git reports as failed is told with its refs, and then thrown', async () => {
    const told: unknown[] = [];
    const onFailedPush: LedgerRemote['onFailedPush'] = (error, refs) => told.push([error, refs]);
    const failing = (error: Error) => ({ ...remoteOf((args) => (args.includes('push') ? error : '')).at, onFailedPush });
    await expect(push(failing(new TypeError('broken')), changes)).rejects.toThrow('broken');
    await expect(dryRunPush(failing(failed), changes)).rejects.toBe(failed);
    expect(told).toEqual([]);
    await expect(push(failing(failed), changes)).rejects.toBe(failed);
    expect(told).toEqual([[failed, changes.map(({ ref }) => ref)]]);
    await expect(push(remoteOf((args) => (args.includes('push') ? failed : '')).at, changes)).rejects.toBe(failed);
  });
});
