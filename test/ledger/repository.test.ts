import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openRepository, workTreeState } from '../../src/ledger/repository.ts';
import { temporaryFolder } from '../support/harness.ts';

const env = { PATH: process.env.PATH };

function git(folder: string, ...args: string[]): string {
  const who = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.com', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@example.com' };
  return execFileSync('git', args, { cwd: folder, env: { ...env, ...who, HOME: folder }, encoding: 'utf8' }).trim();
}

/** A repository with one commit of `project/upkeep.yaml`. */
function repository(): { readonly top: string; readonly project: string; readonly commit: string } {
  const top = temporaryFolder();
  const project = join(top, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'upkeep.yaml'), 'version: 1\n');
  git(top, 'init', '--quiet');
  git(top, 'add', '.');
  git(top, 'commit', '--quiet', '-m', 'x');
  return { top, project, commit: git(top, 'rev-parse', 'HEAD') };
}

function stage(folder: string, name: string): void {
  writeFileSync(join(folder, name), '');
  git(folder, 'add', name);
}

describe('workTreeState', () => {
  test('returns the commit of the folder', async () => {
    const { project, commit } = repository();
    expect(await workTreeState(project, env, [])).toEqual({ commit, dirty: false });
  });

  test('returns the commit with a detached HEAD, and on a branch that is behind another one', async () => {
    const { project, commit } = repository();
    git(project, 'checkout', '--quiet', '--detach');
    expect(await workTreeState(project, env, [])).toEqual({ commit, dirty: false });
    git(project, 'checkout', '--quiet', '-b', 'upper');
    git(project, 'commit', '--quiet', '--allow-empty', '-m', 'y');
    git(project, 'checkout', '--quiet', '-b', 'lower', '--track', 'upper');
    git(project, 'reset', '--quiet', '--hard', commit);
    expect(await workTreeState(project, env, [])).toEqual({ commit, dirty: false });
  });

  test.each([
    ['an edited file', (folder: string) => writeFileSync(join(folder, 'upkeep.yaml'), 'version: 2\n'), true],
    ['a new file that is not read', (folder: string) => writeFileSync(join(folder, 'plan.json'), ''), false],
    ['a deleted file', (folder: string) => rmSync(join(folder, 'upkeep.yaml')), true],
    ['a staged new file', (folder: string) => stage(folder, 'new.yaml'), true],
    ['a renamed file', (folder: string) => void git(folder, 'mv', 'upkeep.yaml', '# x.yaml'), true],
    ['a change outside the folder', (folder: string) => writeFileSync(join(folder, '../other'), ''), false],
  ])('decides whether the work tree is dirty with %s', async (_name, change, dirty) => {
    const { project } = repository();
    change(project);
    expect((await workTreeState(project, env, []))?.dirty).toBe(dirty);
  });

  test('is dirty where a file that was read is in no commit, ignored or not', async () => {
    const { top, project } = repository();
    const files = ['upkeep.yaml', 'new.yaml', 'ignored.yaml'].map((name) => join(realpathSync(project), name));
    for (const file of files.slice(1)) writeFileSync(file, '');
    writeFileSync(join(top, '.git/info/exclude'), 'ignored.yaml\n');
    const dirty = await Promise.all(files.map(async (file) => (await workTreeState(project, env, [file]))?.dirty));
    expect(dirty).toEqual([false, true, true]);
  });

  test('starts git only in or below a folder with `.git`, which is a file in a worktree', async () => {
    const bin = temporaryFolder();
    const [started, { project }] = [join(bin, 'started'), repository()];
    const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
    writeFileSync(join(bin, 'git'), `#!/bin/sh\n: > ${started}\nexec ${real} "$@"\n`, { mode: 0o755 });
    await workTreeState(temporaryFolder(), { PATH: bin }, []);
    expect(existsSync(started)).toBe(false);
    const other = join(temporaryFolder(), 'other');
    git(project, 'worktree', 'add', '--quiet', other);
    expect(await workTreeState(join(other, 'project'), { PATH: `${bin}:${env.PATH}` }, [])).toMatchObject({ dirty: false });
    expect(existsSync(started)).toBe(true);
  });

  test('is null outside git, before the first commit, and without git', async () => {
    const folder = temporaryFolder();
    expect(await workTreeState(folder, { ...env, GIT_CEILING_DIRECTORIES: join(folder, '..') }, [])).toBeNull();
    git(folder, 'init', '--quiet');
    expect(await workTreeState(folder, env, [])).toBeNull();
    expect(await workTreeState(repository().project, { PATH: '' }, [])).toBeNull();
  });

  test('reads the repository of the folder, also inside a hook of another repository', async () => {
    const { project, commit } = repository();
    const other = repository();
    const hook = { GIT_DIR: join(other.top, '.git'), GIT_INDEX_FILE: join(other.top, '.git/index'), GIT_WORK_TREE: other.top };
    expect(await workTreeState(project, { ...env, ...hook }, [])).toEqual({ commit, dirty: false });
  });

  test('runs no program that files of the folder name if they have the form of a bare repository', async () => {
    const { project } = repository();
    const ran = join(temporaryFolder(), 'ran');
    const embedded = join(temporaryFolder(), 'embedded');
    git(project, 'clone', '--quiet', '--bare', '..', embedded);
    // What a pull request can add: no file of it is called `.git`.
    for (const name of ['HEAD', 'config', 'objects', 'refs', 'packed-refs'])
      cpSync(join(embedded, name), join(project, name), { recursive: true });
    writeFileSync(join(project, '.gitattributes'), '* filter=x\n');
    const settings = { 'core.bare': 'false', 'core.worktree': '.', 'filter.x.clean': `touch ${ran}; cat` };
    for (const [name, value] of Object.entries(settings)) git(project, 'config', '--file', 'config', name, value);
    git(project, 'add', 'upkeep.yaml');
    const later = new Date(Date.now() + 60_000);
    utimesSync(join(project, 'upkeep.yaml'), later, later);
    rmSync(ran, { force: true });

    expect(await workTreeState(project, env, [])).toBeNull();
    await expect(openRepository(project, env)).rejects.toMatchObject({ code: 'no-repository', hint: expect.stringContaining('HEAD') });
    expect(existsSync(ran)).toBe(false);
    // git itself takes the folder for a repository, and runs the program.
    git(project, '-c', 'safe.bareRepository=all', 'status');
    expect(existsSync(ran)).toBe(true);
  });

  test('runs no program that the configuration of the repository names', async () => {
    const { top, project } = repository();
    git(top, 'config', 'core.fsmonitor', 'touch fsmonitor-ran; false');
    expect((await workTreeState(project, env, []))?.dirty).toBe(false);
    expect(() => execFileSync('ls', ['fsmonitor-ran'], { cwd: top, stdio: 'ignore' })).toThrow();
  });
});
