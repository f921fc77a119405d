/** What one call of git gets and returns: with programs in the place of git, each a few lines of a shell. */
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type GitCall, runGit, runGitSync } from '../../../src/core/ledger/git-process.ts';
import { bare, emptyFolder } from './repositories.ts';

/** An environment in which `git` is this script of a shell. */
function gitThat(script: string): { readonly PATH: string } {
  const bin = emptyFolder();
  writeFileSync(join(bin, 'git'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { PATH: `${bin}:${bare.PATH}` };
}

const FIXED = [
  'safe.bareRepository=explicit',
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'submodule.recurse=false',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting]);

type Run = (env: { readonly PATH: string }, args: readonly string[], call?: GitCall) => Promise<string>;

describe.each<[string, Run]>([
  ['runGit', async (env, args, call) => (await runGit(emptyFolder(), env, args, call)).toString()],
  ['runGitSync', async (env, args, call) => runGitSync(emptyFolder(), env, args, call).toString()],
])('%s', (name, run) => {
  test('gives git the settings that nobody can change, and then the arguments', async () => {
    const args = ['status', '--porcelain', 'a b', ''];
    expect(await run(gitThat(`printf '%s\\n' "$@"`), args)).toBe([...FIXED, ...args, ''].join('\n'));
  });

  test('passes the input to git, and closes it where there is none', async () => {
    const env = gitThat('exec cat');
    expect(await run(env, ['hash-object'], { input: 'ä\0b' })).toBe('ä\0b');
    expect(await run(env, ['hash-object'], { input: Buffer.from('bytes') })).toBe('bytes');
    expect(await run(env, ['hash-object'])).toBe('');
  });

  test('passes more variables, which take precedence', async () => {
    const env = gitThat(`printf '%s' "$GIT_DIR $LC_ALL $GIT_PAGER"`);
    expect(await run(env, ['status'], { env: { GIT_DIR: '/x', LC_ALL: 'POSIX' } })).toBe('/x POSIX cat');
  });

  test('looks for git in the absolute folders of PATH only', async () => {
    const { PATH } = gitThat(`printf '%s' "$PATH"`);
    expect(await run({ PATH: `.:${PATH}::bin` }, ['status'])).toBe(PATH);
    await expect(run({ PATH: '.:bin' }, ['status'])).rejects.toMatchObject({ code: 'no-git' });
  });

  test('returns as many bytes of output as allowed, and fails for one more', async () => {
    const env = gitThat('printf 12345');
    expect(await run(env, ['show'], { maxBytes: 5 })).toBe('12345');
    const message = name === 'runGit' ? 'git show: ERR_CHILD_PROCESS_STDIO_MAXBUFFER' : 'git show: ENOBUFS';
    await expect(run(env, ['show'], { maxBytes: 4 })).rejects.toMatchObject({ code: 'failed', message });
  });

  test('fails for too many bytes of messages as well', async () => {
    await expect(run(gitThat('printf 12345 >&2'), ['show'], { maxBytes: 4 })).rejects.toMatchObject({ code: 'failed' });
  });

  test.each([
    [['status'], 'git status: it broke'],
    [['-c', 'a=b', '--bare', 'status', 'x'], 'git status: it broke'],
    [['-c', 'a=b'], 'git : it broke'],
  ])('names in an error the command of %j', async (args, message) => {
    const error = await run(gitThat('echo "fatal: it broke" >&2; exit 3'), args).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'GitError', code: 'failed', message });
  });

  test('reports rejected refs, which git prints to its output', async () => {
    const env = gitThat(`printf '!\\ta:b\\t[rejected] (stale info)\\n'; exit 1`);
    await expect(run(env, ['push'])).rejects.toMatchObject({ code: 'refused', message: 'git push: [rejected] (stale info)' });
  });

  test('fails where a signal ended git', async () => {
    await expect(run(gitThat('kill -TERM $$'), ['gc'])).rejects.toMatchObject({
      code: 'failed',
      message: 'git gc: failed without a message',
    });
  });

  test('reports a missing git, and one that may not be run', async () => {
    await expect(run({ PATH: emptyFolder() }, ['gc'])).rejects.toMatchObject({ code: 'no-git' });
    const bin = emptyFolder();
    writeFileSync(join(bin, 'git'), '', { mode: 0o644 });
    await expect(run({ PATH: bin }, ['gc'])).rejects.toMatchObject({ code: 'failed', message: 'git gc: EACCES' });
  });
});

test('a git that cannot be started leaves no timer, which would hold the process', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  const folder = emptyFolder();
  await expect(runGit(folder, { PATH: folder }, ['gc'])).rejects.toMatchObject({ code: 'no-git' });
  expect(timers()).toBeLessThanOrEqual(before);
});

test('git runs in the folder, by its real path', async () => {
  const folder = emptyFolder();
  const env = gitThat('pwd -P');
  expect((await runGit(folder, env, ['status'])).toString()).toBe(`${realpathSync(folder)}\n`);
  expect(runGitSync(folder, env, ['status']).toString()).toBe(`${realpathSync(folder)}\n`);
});

test('runGit does not fail where git succeeds without reading its input', async () => {
  expect((await runGit(emptyFolder(), gitThat('exec printf done'), ['gc'], { input: 'x'.repeat(1024 * 1024) })).toString()).toBe('done');
});

test('no git of the work tree is started, also behind a link, wherever PATH names it', async () => {
  const top = emptyFolder();
  const link = join(emptyFolder(), 'link');
  for (const folder of ['.git', 'bin', 'project']) mkdirSync(join(top, folder));
  writeFileSync(join(top, 'bin/git'), '#!/bin/sh\necho of the branch\n', { mode: 0o755 });
  symlinkSync(join(top, 'bin'), link);
  const { PATH } = gitThat('echo of the machine');
  for (const run of [runGit, runGitSync]) {
    const output = await run(join(top, 'project'), { PATH: `${top}/bin:${link}:${PATH}` }, ['status']);
    expect(output.toString()).toBe('of the machine\n');
  }
});
