import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeEntry } from '../../../src/core/ledger/entry.ts';
import { LedgerError } from '../../../src/core/ledger/errors.ts';
import type { EntryCommit, Ledger } from '../../../src/core/ledger/ledger.ts';
import { ENTRY_FILE } from '../../../src/core/ledger/push-entry.ts';
import { readCommit, writeCommit } from '../../../src/core/ledger/single-file-commit.ts';
import { bare, clone, commit, emptyFolder, entry, git, hook, ledgerOf, lock, newClone, originOf, write } from './repositories.ts';

const REF = 'refs/upkeep/production';

async function all(ledger: Ledger): Promise<EntryCommit[]> {
  const found: EntryCommit[] = [];
  for await (const each of ledger.history()) found.push(each);
  return found;
}

/** Everything of a clone that its user might look at. */
function visible(folder: string): unknown {
  return [
    git(folder, 'for-each-ref'),
    git(folder, 'status', '--porcelain', '--branch'),
    git(folder, 'log', '--all', '--format=%H'),
    git(folder, 'config', '--list', '--local'),
    git(folder, 'stash', 'list'),
  ];
}

describe('Lock.pushEntry', () => {
  test('makes the entry the head of the ledger, releases the lock, and changes nothing that the user sees', async () => {
    const { at, folder, url, first } = await newClone();
    write(folder, { staged: 'x', unstaged: 'y' });
    git(folder, 'add', 'staged');
    const before = visible(folder);
    const written = entry({ config: { commit: first, digest: entry().config.digest } });
    const taken = await lock(at);
    const made = await taken.pushEntry(written, null);
    expect(await ledgerOf(at).latest()).toEqual({ commit: made, previous: null, entry: written });
    expect(git(url, 'for-each-ref', '--format=%(refname)', 'refs/upkeep')).toBe(REF);
    expect(visible(folder)).toEqual(before);
    expect(() => readFileSync(join(folder, '.git/FETCH_HEAD'))).toThrow('ENOENT');
    await taken.release();
  });

  test('writes commits that `git log` shows as an audit log with upkeep as the author', async () => {
    const { at, url, first } = await newClone();
    await (await lock(at)).pushEntry(
      entry({ by: 'ada\u001b[2J\nBy: eve', config: { commit: first, digest: entry().config.digest } }),
      null,
    );
    const [subject, author, committer, date, body] = git(
      url,
      'log',
      '-1',
      '--first-parent',
      '--format=%s%n%an <%ae>%n%cn%n%aI%n%b',
      REF,
    ).split('\n');
    expect([subject, author, committer, date]).toEqual([
      'production: 1 created',
      'upkeep <upkeep@upkeep.invalid>',
      'upkeep',
      '2026-03-01T10:00:00+00:00',
    ]);
    expect(body).toBe('By: ada [2J By: eve');
  });

  test('makes the previous entry a parent, so that history returns the newest entry first', async () => {
    const { at, url, folder, first } = await newClone();
    const commits: string[] = [];
    const configurations = [null, first, commit(folder), null];
    for (const [index, configuration] of configurations.entries()) {
      const next = entry({ by: `run-${index}`, config: { commit: configuration, digest: entry().config.digest } });
      commits.push(await (await lock(at)).pushEntry(next, commits.at(-1) ?? null));
    }
    for (const place of [at, await originOf(clone(url)), await originOf(clone(url, '--depth=1'))]) {
      const ledger = ledgerOf(place);
      const found = await all(ledger);
      expect(found.map((found) => found.commit)).toEqual([...commits].reverse());
      expect(found.map((found) => found.entry.by)).toEqual(['run-3', 'run-2', 'run-1', 'run-0']);
      expect(found.at(-1)?.previous).toBeNull();
      expect((await ledger.find(commits[1]?.slice(0, 9) ?? ''))?.entry.by).toBe('run-1');
      expect([await ledger.find('0000000'), await ledger.find(commits[1]?.slice(0, 6) ?? ''), await ledger.find('HEAD')]).toEqual([
        null,
        null,
        null,
      ]);
    }
  });

  test('reads many entries with few calls of git', async () => {
    const { at, folder } = await newClone();
    const made: string[] = [];
    for (let index = 0; index < 40; index++) {
      const note = { name: ENTRY_FILE, text: writeEntry(entry({ by: `run-${index}` })), message: 'x', at: index };
      made.push(await writeCommit(at.repository, { ...note, parents: made.slice(-1) }));
    }
    git(folder, 'push', '-q', 'origin', `${made.at(-1)}:${REF}`);
    const calls: string[] = [];
    const run: typeof at.repository.run = (args, call) => {
      calls.push(args[0] ?? '');
      return at.repository.run(args, call);
    };
    const found = await all(ledgerOf({ ...at, repository: { ...at.repository, run } }));
    expect(found.map(({ commit: each }) => each)).toEqual(made.toReversed());
    expect(calls.length).toBeLessThan(made.length);
  });

  test('records a first entry, whose only parent is the commit of the configuration, without a previous entry', async () => {
    const { at, first } = await newClone();
    await (await lock(at)).pushEntry(entry({ config: { commit: first, digest: entry().config.digest } }), null);
    expect((await all(ledgerOf(at))).map(({ previous }) => previous)).toEqual([null]);
  });

  test('rejects an entry whose previous entry is no longer the last one, and keeps the lock', async () => {
    const { at } = await newClone();
    const first = await (await lock(at)).pushEntry(entry(), null);
    const taken = await lock(at, 'bob');
    await expect(taken.pushEntry(entry({ by: 'bob' }), null)).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('stale info'),
      hint: expect.stringContaining('another run recorded its apply'),
    });
    await expect(taken.pushEntry(entry({ by: 'bob' }), '1'.repeat(40))).rejects.toMatchObject({ code: 'unknown-commit' });
    expect(await taken.held()).toBe(true);
    expect((await ledgerOf(at).latest())?.commit).toBe(first);
  });

  test('changes neither ledger nor lock where the remote rejects the push', async () => {
    const { at, url } = await newClone();
    const taken = await lock(at);
    hook(url, 'pre-receive', 'echo "read only today" >&2; exit 1');
    await expect(taken.pushEntry(entry(), null)).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('read only today'),
    });
    rmSync(join(url, 'hooks/pre-receive'));
    expect(await taken.held()).toBe(true);
    expect(await ledgerOf(at).latest()).toBeNull();
  });

  test('changes neither ledger nor lock where the remote rejects one of the two refs', async () => {
    const { at, url } = await newClone();
    const taken = await lock(at);
    hook(url, 'update', 'case "$1" in refs/upkeep/locks/*) echo "locks are for ever" >&2; exit 1;; esac');
    await expect(taken.pushEntry(entry(), null)).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringMatching(/\(hook declined\).*locks are for ever/),
      hint: expect.stringContaining('refs/upkeep/*'),
    });
    rmSync(join(url, 'hooks/update'));
    expect(await taken.held()).toBe(true);
    expect(await ledgerOf(at).latest()).toBeNull();
  });

  test('reports the error of the push where the remote is unreachable', async () => {
    const { at, folder } = await newClone();
    const taken = await lock(at);
    git(folder, 'remote', 'set-url', 'origin', `${folder}/nowhere.git`);
    await expect(taken.pushEntry(entry(), null)).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringMatching(/^git push: /),
    });
  });

  test('reads the remote where the response to the push is lost', async () => {
    const { at } = await newClone();
    const repository = {
      ...at.repository,
      run: async (...[args, call]: Parameters<typeof at.repository.run>) => {
        const output = await at.repository.run(args, call);
        return args.some((arg) => arg.endsWith(`:${REF}`)) ? await at.repository.run(['cat-file', '-e', 'lost']) : output;
      },
    };
    const made = await (await lock({ ...at, repository })).pushEntry(entry(), null);
    expect((await ledgerOf(at).latest())?.commit).toBe(made);
  });

  test('keeps the commit of the configuration through a squash, a deleted branch and garbage collection on the remote', async () => {
    const { at, url, folder } = await newClone();
    git(folder, 'checkout', '-q', '-b', 'topic');
    const applied = commit(folder, { 'upkeep.yaml': 'version: 1 # topic\n' });
    git(folder, 'push', '-q', 'origin', 'topic');
    await (await lock(at)).pushEntry(entry({ config: { commit: applied, digest: entry().config.digest } }), null);
    git(folder, 'push', '-q', 'origin', ':topic');
    git(url, 'reflog', 'expire', '--expire=now', '--all');
    git(url, 'gc', '-q', '--prune=now');
    expect(git(url, 'show', `${applied}:upkeep.yaml`)).toBe('version: 1 # topic');
  });
});

describe('openLedger', () => {
  test('returns no entry before the first apply', async () => {
    const { at } = await newClone();
    expect(await ledgerOf(at).latest()).toBeNull();
    expect(await all(ledgerOf(at))).toEqual([]);
  });

  test('fetches no history into a shallow clone, which can record entries', async () => {
    const { at, url, folder, first } = await newClone();
    const second = commit(folder);
    git(folder, 'push', '-q', 'origin', 'HEAD:main');
    const one = await (await lock(at)).pushEntry(entry({ config: { commit: first, digest: entry().config.digest } }), null);
    const shallow = clone(url, '--depth=1');
    const place = await originOf(shallow);
    expect(place.repository.shallow).toBe(true);
    expect((await ledgerOf(place).latest())?.commit).toBe(one);
    expect(() => git(shallow, 'cat-file', '-e', first)).toThrow('cat-file');
    const log = git(shallow, 'log', '--format=%H');
    const two = await (await lock(place)).pushEntry(entry({ by: 'ci', config: { commit: second, digest: entry().config.digest } }), one);
    expect(git(shallow, 'log', '--format=%H')).toBe(log);
    expect((await all(ledgerOf(at))).map(({ commit: made }) => made)).toEqual([two, one]);
    expect(git(url, 'rev-list', '--parents', '-1', two)).toBe(`${two} ${one} ${second}`);
  });

  test('works in a worktree, with a detached HEAD, in a bare mirror, in a subfolder, and with an unusual configuration of git', async () => {
    const { at, url, folder, first } = await newClone({ 'deep/er/upkeep.yaml': 'version: 1\n' });
    const worktree = join(emptyFolder(), 'tree');
    git(folder, 'worktree', 'add', '-q', '--detach', worktree);
    const mirror = clone(url, '--mirror');
    const exported = emptyFolder();
    const odd = clone(url);
    const settings = {
      'commit.gpgSign': 'true',
      'push.gpgSign': 'true',
      'gpg.program': 'false',
      'push.default': 'nothing',
      'push.followTags': 'true',
      'push.pushOption': 'ci.skip',
      'push.useForceIfIncludes': 'true',
      'push.recurseSubmodules': 'check',
      'user.useConfigOnly': 'true',
      'i18n.commitEncoding': 'ISO-8859-1',
      'fetch.prune': 'true',
      'fetch.writeCommitGraph': 'true',
      'protocol.version': '0',
      'core.hooksPath': `${odd}/hooks`,
      'core.fsmonitor': 'false',
      'remote.origin.mirror': 'true',
      'url.file:///nowhere/.insteadOf': 'nowhere:',
    };
    for (const [name, value] of Object.entries(settings)) git(odd, 'config', name, value);
    git(odd, '-c', 'user.name=u', '-c', 'user.email=u@example.com', 'tag', '--no-sign', '-a', '-m', 'x', 'v1');
    hook(odd, 'pre-push', 'exit 1');
    hook(odd, 'reference-transaction', 'exit 1');
    const places = [
      await originOf(worktree),
      await originOf(join(folder, 'deep/er')),
      await originOf(exported, { ...bare, GIT_DIR: mirror }),
      await originOf(mirror, { ...bare, GIT_DIR: mirror }),
      await originOf(odd),
    ];
    let last: string | null = null;
    for (const [index, place] of places.entries()) {
      const next = entry({ by: `ädä-${index}`, config: { commit: first, digest: entry().config.digest } });
      last = await (await lock(place)).pushEntry(next, last);
      expect((await ledgerOf(place).latest())?.commit).toBe(last);
    }
    expect(await all(ledgerOf(at))).toHaveLength(places.length);
    expect(git(url, 'for-each-ref', '--format=%(refname)')).toBe(`refs/heads/main\n${REF}`);
  });

  test('reads the latest entry where the ledger changes between two calls of git', async () => {
    const { at, url } = await newClone();
    const one = await (await lock(at)).pushEntry(entry(), null);
    const other = await originOf(clone(url, '--depth=1'));
    let two = '';
    const repository = {
      ...other.repository,
      run: async (...[args, call]: Parameters<typeof at.repository.run>) => {
        if (args.includes('fetch') && two === '') two = await (await lock(at)).pushEntry(entry({ by: 'bob' }), one);
        return await other.repository.run(args, call);
      },
    };
    expect((await ledgerOf({ ...other, repository }).latest())?.commit).toBe(two);
    expect(two).not.toBe('');
  });

  test('retries a fetch that another process prevents, up to a limit', async () => {
    const { at, url } = await newClone();
    const one = await (await lock(at)).pushEntry(entry(), null);
    for (const [obstacles, outcome] of [
      [4, one],
      [5, 'failed'],
    ] as const) {
      const other = await originOf(clone(url));
      let left = obstacles;
      const repository = {
        ...other.repository,
        run: (...[args, call]: Parameters<typeof at.repository.run>) => {
          const blocked = args.includes('fetch') && left-- > 0;
          return other.repository.run(blocked ? ['update-ref', 'no such ref', 'x'] : args, call);
        },
      };
      const found = await ledgerOf({ ...other, repository })
        .latest()
        .catch((error: unknown) => error);
      expect(found).toMatchObject(outcome === 'failed' ? { code: 'failed' } : { commit: outcome });
    }
  });
});

describe('openLedger reports a ledger that upkeep did not write and that', () => {
  const good = JSON.stringify(entry());
  const shared = newClone();
  test.each<[string, { readonly [name: string]: string }, RegExp]>([
    ['contains another file', { 'other.json': good }, /holds no entry.json/],
    ['contains a folder', { 'entry.json/x': good }, /holds no entry.json/],
    ['is not JSON', { 'entry.json': '{"schemaVersion":1,' }, /not JSON/],
    ['is a list', { 'entry.json': '[]' }, /form of an entry/],
    ['has an entry without a required member', { 'entry.json': JSON.stringify({ ...entry(), bindings: undefined }) }, /form of an entry/],
    ['has an entry with an unknown member', { 'entry.json': JSON.stringify({ ...entry(), extra: 1 }) }, /form of an entry/],
    ['has a newer version of the format', { 'entry.json': JSON.stringify({ ...entry(), schemaVersion: 3 }) }, /newer version of upkeep/],
    ['belongs to another target', { 'entry.json': JSON.stringify(entry({ target: 'staging' })) }, /belongs to the target staging/],
    [
      'has a commit name that is invalid',
      { 'entry.json': JSON.stringify(entry({ config: { commit: '--all', digest: entry().config.digest } })) },
      /form of an entry/,
    ],
  ])('%s', async (_what, files, message) => {
    const { at, folder } = await shared;
    git(folder, 'rm', '-r', '-f', '-q', '.');
    const made = commit(folder, files);
    git(folder, 'push', '-q', '-f', 'origin', `${made}:${REF}`);
    const failure = await ledgerOf(at)
      .latest()
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(LedgerError);
    expect(failure).toMatchObject({ message: expect.stringMatching(message), hint: expect.stringMatching(/./) });
    expect(failure).toMatchObject({ message: expect.stringContaining(`the ledger of production cannot be used at commit ${made}`) });
  });

  test('is too large', async () => {
    const { at } = await newClone();
    const note = { name: ENTRY_FILE, text: 'x'.repeat(100), message: 'large', parents: [], at: 0 };
    const made = await writeCommit(at.repository, note);
    expect(await readCommit(at.repository, made, ENTRY_FILE, 99)).toEqual({ text: null, parents: [] });
    expect(await readCommit(at.repository, made, ENTRY_FILE, 100)).toEqual({ text: note.text, parents: [] });
  });

  test('points to an object that is not a commit', async () => {
    const { at, folder } = await newClone();
    write(folder, { blob: 'x' });
    git(folder, 'push', '-q', 'origin', `${git(folder, 'hash-object', '-w', 'blob')}:${REF}`);
    await expect(ledgerOf(at).latest()).rejects.toThrow(LedgerError);
  });
});
