import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isOnBranch } from '../../../src/core/ledger/commit-history.ts';
import { commitOf } from '../../../src/core/ledger/commits.ts';
import { openRepository } from '../../../src/core/ledger/repository.ts';
import { bare, clone, commit, emptyFolder, git, ledgerOf, lock, newClone, newRemote, originOf, write } from './repositories.ts';

describe('openRepository', () => {
  test('returns the path of the folder below the top of a clone and of a worktree', async () => {
    const { folder } = await newClone({ 'a folder/with\nline/upkeep.yaml': '' });
    const below = join(folder, 'a folder/with\nline');
    expect(await openRepository(folder, bare)).toMatchObject({ folder, prefix: '', shallow: false });
    expect(await openRepository(below, bare)).toMatchObject({ folder: below, prefix: 'a folder/with\nline/' });
    const link = join(emptyFolder(), 'link');
    symlinkSync(below, link);
    expect(await openRepository(link, bare)).toMatchObject({ prefix: 'a folder/with\nline/' });
    const worktree = join(emptyFolder(), 'tree');
    git(folder, 'worktree', 'add', '-q', worktree);
    expect(await openRepository(worktree, bare)).toMatchObject({ prefix: '', shallow: false });
  });

  test('detects a shallow clone', async () => {
    const { url } = newRemote();
    expect((await openRepository(clone(url, '--depth=1'), bare)).shallow).toBe(true);
  });

  test('opens the repository of the folder, whatever a hook has set', async () => {
    const { folder } = await newClone();
    const other = clone(newRemote().url);
    const hook = { GIT_DIR: join(other, '.git'), GIT_WORK_TREE: other, GIT_INDEX_FILE: join(other, '.git/index'), GIT_PREFIX: 'x/' };
    const { run } = await openRepository(folder, { ...bare, ...hook });
    expect((await run(['rev-parse', '--show-toplevel'])).toString()).toBe(`${folder}\n`);
  });

  test('uses GIT_DIR for a folder outside a repository', async () => {
    const { url, first } = newRemote({ 'project/upkeep.yaml': 'version: 1\n' });
    const mirror = clone(url, '--mirror');
    const exported = emptyFolder();
    mkdirSync(join(exported, 'project'));
    const plain = await openRepository(exported, { ...bare, GIT_DIR: mirror });
    expect(plain).toMatchObject({ prefix: '' });
    expect(await commitOf({ repository: plain, remote: 'origin' }, 'main')).toBe(first);
    git(mirror, 'config', 'core.bare', 'false');
    const placed = await openRepository(join(exported, 'project'), { ...bare, GIT_DIR: mirror, GIT_WORK_TREE: exported });
    expect(placed).toMatchObject({ prefix: 'project/' });
    await expect(openRepository(exported, { ...bare, GIT_DIR: 'mirror' })).rejects.toMatchObject({ code: 'no-repository' });
  });
});

describe('files of a checkout', () => {
  /** A clone with a project in which git would find a repository without `.git`, whose remote is a program that leaves a mark. */
  function embedded(kind: 'objects' | 'commondir'): { readonly project: string; readonly mark: string } {
    const project = join(clone(newRemote().url), 'project');
    const mark = join(emptyFolder(), 'ran');
    const config = `[core]\nrepositoryformatversion = 0\nbare = false\n[remote "origin"]\nurl = .\nuploadpack = touch ${mark};\n`;
    write(project, { HEAD: 'ref: refs/heads/main\n', 'objects/keep': '', 'refs/keep': '', config });
    if (kind === 'commondir') {
      for (const name of ['objects', 'refs', 'config']) renameSync(join(project, name), join(emptyFolder(), name));
      write(project, { commondir: 'common\n', 'common/objects/keep': '', 'common/refs/keep': '', 'common/config': config });
    }
    return { project, mark };
  }

  /** An environment with a program `git` that runs the given script around the real one. */
  function wrapped(script: (real: string) => string): typeof bare {
    const bin = emptyFolder();
    writeFileSync(join(bin, 'git'), `#!/bin/sh\n${script(`PATH='${process.env.PATH}' exec git`)}\n`, { mode: 0o755 });
    return { ...bare, PATH: `${bin}:${process.env.PATH}` };
  }

  test.each(['objects', 'commondir'] as const)('do not make a folder with %s a repository, with any version of git', async (kind) => {
    const { project, mark } = embedded(kind);
    execFileSync('sh', ['-c', 'git -c safe.bareRepository=all ls-remote origin; true'], { cwd: project, env: bare, stdio: 'ignore' });
    expect(existsSync(mark)).toBe(true);
    rmSync(mark);
    // Older versions do not know the setting.
    for (const env of [bare, wrapped((git) => `shift 2; ${git} "$@"`)]) {
      const error = await openRepository(project, env).catch((reason: unknown) => reason);
      expect(error).toMatchObject({
        code: 'no-repository',
        message: expect.stringContaining(`git would take ${project} for a repository`),
      });
    }
    expect(existsSync(mark)).toBe(false);
  });

  test('are no repository for git itself, either, which is told so in each call', async () => {
    const { folder } = await newClone();
    const seen = join(emptyFolder(), 'seen');
    const { run, runSync } = await openRepository(
      folder,
      wrapped((git) => `echo "$1 $2" >> ${seen}; ${git} "$@"`),
    );
    await run(['rev-parse', 'HEAD']);
    runSync(['rev-parse', 'HEAD']);
    expect(new Set(readFileSync(seen, 'utf8').trim().split('\n'))).toEqual(new Set(['-c safe.bareRepository=explicit']));
  });

  test('are no programs, even where PATH names the working directory', async () => {
    const { folder } = await newClone();
    const mark = join(folder, 'ran');
    writeFileSync(join(folder, 'git'), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
    for (const path of [`.:${process.env.PATH}`, `:${process.env.PATH}`, `${process.env.PATH}:`])
      expect(await openRepository(folder, { ...bare, PATH: path })).toMatchObject({ prefix: '' });
    expect(existsSync(mark)).toBe(false);
  });

  test('do not keep the credential helper of the user from being asked', async () => {
    const { at, folder } = await newClone();
    const home = emptyFolder();
    const helper = '!f() { echo username=ada; echo password=s3cret; }; f';
    git(folder, 'config', '--file', join(home, '.gitconfig'), 'credential.helper', helper);
    const received: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      received.push(request.headers.authorization);
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const address = server.address();
    git(folder, 'remote', 'set-url', 'origin', `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/x.git`);
    const repository = await openRepository(folder, { ...bare, HOME: home });
    await expect(ledgerOf({ ...at, repository }).latest()).rejects.toMatchObject({ code: 'unreachable' });
    server.close();
    expect(received).toContain(`Basic ${Buffer.from('ada:s3cret').toString('base64')}`);
  });
});

describe('git access reports in one line', () => {
  const one = (text: string): boolean => text !== '' && !text.includes('\n') && text.length < 320;

  test.each<[string, () => Promise<unknown>, string, RegExp]>([
    ['that git is not installed', async () => openRepository(emptyFolder(), { ...bare, PATH: '' }), 'no-git', /`git` was not found/],
    ['that the folder is in no repository', async () => openRepository(emptyFolder(), bare), 'no-repository', /not a git repository/],
    [
      'that the remote does not exist',
      async () => lock({ ...(await newClone()).at, remote: 'upstream' }),
      'no-remote',
      /no remote `upstream`/,
    ],
    [
      'that a remote whose name looks like an option does not exist',
      async () => lock({ ...(await newClone()).at, remote: '--upload-pack=x' }),
      'no-remote',
      /no remote/,
    ],
    [
      'that a ref does not exist',
      async () => commitOf((await newClone()).at, 'no/such/ref'),
      'unknown-commit',
      /no commit `no\/such\/ref`/,
    ],
    [
      'that a ref that looks like an option does not exist',
      async () => commitOf((await newClone()).at, '--git-dir'),
      'unknown-commit',
      /no commit `--git-dir`/,
    ],
    [
      'that a commit does not exist',
      async () => commitOf((await newClone()).at, '0123456789'.repeat(4)),
      'unknown-commit',
      /is not here, and could not be fetched/,
    ],
    [
      'that a branch does not exist',
      async () => isOnBranch((await newClone()).at, 'release', 'HEAD'),
      'unknown-commit',
      /no branch `release`/,
    ],
  ])('%s', async (_what, attempt, code, message) => {
    const error = await attempt().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'GitError', code, message: expect.stringMatching(message), hint: expect.stringMatching(/./) });
    expect(error instanceof Error && one(error.message)).toBe(true);
  });

  test('that a repository belongs to another user', async () => {
    const { folder } = await newClone();
    const error = await openRepository(folder, { ...bare, GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'refused', hint: expect.stringContaining('safe.directory') });
  });

  test('an unreachable remote without the credentials in its address', async () => {
    const { at, folder } = await newClone();
    for (const url of [
      'https://ada:s3cret@127.0.0.1:1/x.git',
      'https://127.0.0.1:1/x.git?private_token=s3cret',
      'https://ada:s3c/ret@127.0.0.1:1/x.git',
      'nosuch://ada:s3cret@host/x',
      'file:///nowhere/ada:s3cret@x',
    ]) {
      git(folder, 'remote', 'set-url', 'origin', url);
      const error = await ledgerOf(at)
        .latest()
        .catch((reason: unknown) => reason);
      expect(error).toMatchObject({ name: 'GitError' });
      expect(error).not.toHaveProperty('cause');
      expect(`${JSON.stringify(error)}${String(error)}`).not.toMatch(/s3c|ret@/);
    }
  });

  test('that a remote asks for a password, without a prompt', async () => {
    const { at, folder } = await newClone();
    git(folder, 'config', 'credential.helper', '!exit 0 #');
    const server = createServer((_request, response) => response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end());
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    git(folder, 'remote', 'set-url', 'origin', `http://127.0.0.1:${port}/x.git`);
    await expect(ledgerOf(at).latest()).rejects.toMatchObject({ code: 'unreachable', hint: expect.stringContaining('credentials') });
    server.close();
  });
});

describe('access to commits', () => {
  test('finds a commit by branch, tag and abbreviation', async () => {
    const { at, folder, first } = await newClone();
    git(folder, 'tag', '-a', '-m', 'x', 'v1');
    for (const name of ['main', 'HEAD', 'v1', 'origin/main', first, first.slice(0, 8), git(folder, 'rev-parse', 'v1')]) {
      expect(await commitOf(at, name)).toBe(first);
    }
  });

  test('fetches a commit by its full name where the clone does not have it', async () => {
    const { url, first } = newRemote();
    const writer = clone(url);
    const second = commit(writer);
    git(writer, 'push', '-q', 'origin', 'HEAD:main');
    const shallow = clone(url, '--depth=1');
    const log = git(shallow, 'log', '--all', '--format=%H');
    expect(log).toBe(second);
    expect(await commitOf(await originOf(shallow), first)).toBe(first);
    expect(git(shallow, 'log', '--all', '--format=%H')).toBe(log);
  });

  test('decides whether a commit is on a branch of the remote', async () => {
    const { at, url, folder, first } = await newClone();
    git(folder, 'checkout', '-q', '-b', 'topic');
    const topic = commit(folder, { x: '1' });
    git(folder, 'checkout', '-q', 'main');
    const other = clone(url);
    const ahead = commit(other, { y: '1' });
    git(other, 'push', '-q', 'origin', 'HEAD:main');
    const refs = git(folder, 'for-each-ref');
    expect([await isOnBranch(at, 'main', first), await isOnBranch(at, 'main', topic), await isOnBranch(at, 'main', ahead)]).toEqual([
      true,
      false,
      true,
    ]);
    expect(git(folder, 'for-each-ref')).toBe(refs);
  });

  test('fetches into a shallow clone one after another, because git does not wait for its lock', async () => {
    const { url, first } = newRemote();
    const writer = clone(url);
    const commits = Array.from({ length: 6 }, () => commit(writer));
    git(writer, 'push', '-q', 'origin', 'HEAD:main');
    const at = await originOf(clone(url, '--depth=1'));
    const asked = [first, ...commits];
    expect(await Promise.all(asked.map((name) => commitOf(at, name)))).toEqual(asked);
    // One that fails stops none of the others.
    const missing = commitOf(at, '1'.repeat(40));
    const [here] = await Promise.all([commitOf(at, first), expect(missing).rejects.toMatchObject({ code: 'unknown-commit' })]);
    expect(here).toBe(first);
  });

  test('decides in a shallow clone whether a commit is on a branch, without deepening it', async () => {
    const { url, first } = newRemote();
    const writer = clone(url);
    const second = commit(writer);
    git(writer, 'push', '-q', 'origin', 'HEAD:main');
    git(writer, 'checkout', '-q', '-b', 'topic');
    const topic = commit(writer);
    git(writer, 'push', '-q', 'origin', 'topic');
    const tip = await originOf(clone(url, '--depth=1'));
    expect(await isOnBranch(tip, 'main', second)).toBe(true);
    expect(await commitOf(tip, first)).toBe(first);
    const shallow = clone(url, '--depth=1', '--branch=topic');
    const at = await originOf(shallow);
    expect([await isOnBranch(at, 'main', first), await isOnBranch(at, 'main', topic)]).toEqual([true, false]);
    expect(git(shallow, 'rev-list', '--count', 'HEAD').trim()).toBe('1');
    await expect(isOnBranch(tip, 'release', first)).rejects.toMatchObject({ hint: 'push it, or correct `branch` of the target' });
  });

  test('writes commits with upkeep as author, whatever the environment says about the user', async () => {
    const { folder, url } = await newClone();
    const env = { ...bare, GIT_AUTHOR_NAME: 'eve', GIT_COMMITTER_EMAIL: 'eve@example.com', GIT_AUTHOR_DATE: 'yesterday' };
    await lock(await originOf(folder, env));
    expect(
      execFileSync('git', ['log', '-1', '--format=%an %ae %cn %ce', 'refs/upkeep/locks/production'], { cwd: url }).toString().trim(),
    ).toBe('upkeep upkeep@upkeep.invalid upkeep upkeep@upkeep.invalid');
  });
});
