import { chmodSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { credentialsOf } from '../../../src/app/account/credentials.ts';
import { CliError } from '../../../src/app/run/exit-codes.ts';
import type { CredentialSource, Target } from '../../../src/core/config/project.ts';
import { type FakeIo, fakeIo } from '../../cli/fake-io.ts';
import { temporaryFolder } from '../../support/harness.ts';
import { target as plain } from '../../support/planning.ts';
import { assertAsyncProperty } from '../../support/property.ts';

function targetWith(apiKey: CredentialSource): Target {
  return { ...plain, name: 'live', credentials: { owner: { env: 'OWNER' }, apiKey } };
}

function context(env: { readonly [name: string]: string } = {}, signal = new AbortController().signal): FakeIo {
  return fakeIo({ env: { PATH: process.env.PATH, OWNER: 'the-owner', ...env }, signal });
}

async function keyFrom(
  source: CredentialSource,
  io = context(),
  folder = temporaryFolder(),
  untrustedFolder: string | null = null,
): Promise<string> {
  const target = targetWith(source);
  const credentials = await credentialsOf(target, { folder, untrustedFolder, project: { targets: [target], notify: [] } }, io);
  return 'apiKey' in credentials ? credentials.apiKey : '';
}

async function credentialError(...args: Parameters<typeof keyFrom>): Promise<CliError> {
  const error = await keyFrom(...args).then(
    () => 'no error',
    (reason: unknown) => reason,
  );
  if (error instanceof CliError) return error;
  throw new Error(`expected a CliError, got ${String(error)}`);
}

/** A command that runs this script. */
function node(script: string): CredentialSource {
  return { command: [process.execPath, '-e', script] };
}

describe('credentials from the environment', () => {
  test('owner and API key are read from environment variables', async () => {
    const credentials = await credentialsOf(
      targetWith({ env: 'KEY' }),
      { folder: '/', untrustedFolder: null, project: { targets: [], notify: [] } },
      context({ KEY: 'k/+=' }),
    );
    expect(credentials).toEqual({ owner: 'the-owner', apiKey: 'k/+=' });
  });

  test.each([
    ['missing', undefined, 'is not set'],
    ['empty', '', 'is empty'],
    ['blank', ' \t ', 'is empty'],
    ['several lines', 'CANARY\nCANARY', 'holds control characters or several lines, and so no credential'],
    ['a control character', 'CANARY\u0007', 'holds control characters or several lines, and so no credential'],
    ['an invisible character', '\ufeffCANARY', 'holds control characters or several lines, and so no credential'],
    ['too long', 'CANARY'.repeat(20_000), 'is too long to be a credential'],
    ['a space at its end', 'CANARY ', 'begins or ends with white space, which is no part of a credential'],
    ['a no-break space', '\u00a0CANARY', 'begins or ends with white space, which is no part of a credential'],
    ['quotes', '"CANARY"', 'is in quotes, which are no part of a credential'],
    ['an expression of GitHub', '${{ secrets.CANARY }}', 'looks like a placeholder that nothing has replaced by a value'],
    ['a variable of a shell', '$CANARY', 'looks like a placeholder that nothing has replaced by a value'],
    ['a variable in braces', '${CANARY}', 'looks like a placeholder that nothing has replaced by a value'],
    ['a blank to fill in', '<CANARY>', 'looks like a placeholder that nothing has replaced by a value'],
  ])('an unusable value (%s) is reported with the variable and the target, never with the value', async (_name, value, why) => {
    const error = await credentialError({ env: 'KEY' }, context(value === undefined ? {} : { KEY: value }));
    expect(error).toMatchObject({
      exit: 8,
      code: 'credentials',
      message: `credential api_key of target live: the environment variable KEY ${why}`,
      hint: 'set it, or change targets.live.credentials.api_key in upkeep.yaml',
    });
    expect(`${error.message}${error.hint}`).not.toContain('CANARY');
  });

  test('one final line break is not part of a credential', async () => {
    const text = fc
      .string({ minLength: 1, unit: fc.constantFrom('a', 'Z', '9', '/', '+', '=', '"', ' ') })
      .filter((key) => key.trim() === key && key !== '' && !/^".*"$/.test(key));
    await assertAsyncProperty(
      fc.asyncProperty(text, fc.constantFrom('', '\n', '\r\n'), async (key, end) => {
        expect(await keyFrom({ env: 'KEY' }, context({ KEY: key + end }), '/')).toBe(key);
      }),
    );
  });
});

describe('credentials from a file', () => {
  test('a credential is read from a file beside upkeep.yaml, or from an absolute path', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'secrets'));
    writeFileSync(join(folder, 'secrets/key'), 'from-file\n');
    expect(await keyFrom({ file: 'secrets/key' }, context(), folder)).toBe('from-file');
    expect(await keyFrom({ file: join(folder, 'secrets/key') }, context())).toBe('from-file');
  });

  test.each([
    ['missing', 'nowhere', 'cannot be read (ENOENT)'],
    ['a folder', 'folder', 'is not a regular file'],
    ['too long', 'long', 'is too long to be a credential'],
    ['empty', 'empty', 'is empty'],
    ['not UTF-8', 'binary', 'holds control characters or several lines, and so no credential'],
  ])('a credential file that is unusable is refused with the reason: %s', async (_name, file, why) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'folder'));
    writeFileSync(join(folder, 'long'), 'CANARY'.repeat(20_000));
    writeFileSync(join(folder, 'empty'), '\n');
    writeFileSync(join(folder, 'binary'), Buffer.from([0x43, 0x41, 0xff]));
    const error = await credentialError({ file }, context(), folder);
    expect(error.message).toBe(`credential api_key of target live: the file ${file} ${why}`);
    expect(error.hint).toContain('put the value there');
  });

  test('the size of a credential file is limited in bytes, and a longer one is never cut', async () => {
    const folder = temporaryFolder();
    const limit = 'é'.repeat(32 * 1024);
    writeFileSync(join(folder, 'longest'), limit);
    writeFileSync(join(folder, 'longer'), `a${limit}`);
    expect(await keyFrom({ file: 'longest' }, context(), folder)).toBe(limit);
    expect((await credentialError({ file: 'longer' }, context(), folder)).message).toContain('is too long to be a credential');
  });

  test('a device file is refused without being read', async () => {
    expect((await credentialError({ file: '/dev/zero' })).message).toContain('the file /dev/zero is not a regular file');
  });
});

describe('credentials from a command', () => {
  test('a credential command runs in the folder of upkeep.yaml, with the environment, without a shell', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'get-key'), '#!/bin/sh\nprintf "%s-%s" "$1" "$STAGE"\n');
    chmodSync(join(folder, 'get-key'), 0o755);
    expect(await keyFrom({ command: ['./get-key', '$HOME;*'] }, context({ STAGE: 'x' }), folder)).toBe('$HOME;*-x');
  });

  test('git in a credential command takes no files of the project for a repository, and keeps the settings of the environment', async () => {
    const folder = temporaryFolder();
    for (const name of ['objects', 'refs']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/main\n');
    const command = ['sh', '-c', 'echo "$(git rev-parse --absolute-git-dir || echo none), $(git config upkeep.test)"'];
    const settings = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'upkeep.test', GIT_CONFIG_VALUE_0: 'kept' };
    expect(await keyFrom({ command }, context({ HOME: folder, ...settings }), folder)).toBe('none, kept');
    expect(await keyFrom({ command }, context({ HOME: folder, ...settings }), temporaryFolder())).toBe('none, kept');
  });

  test('a credential command has an empty stdin', async () => {
    expect(await keyFrom(node("process.stdin.on('end', () => console.log('done')).resume()"))).toBe('done');
  });

  test.each([
    ['that fails', "console.log('CANARY'); console.error('CANARY'); process.exit(3)", 'ended with exit code 3'],
    ['that prints nothing', "console.error('CANARY')", 'is empty'],
    ['that prints without end', "process.stdout.write('CANARY'.repeat(20000))", 'prints too much to be a credential'],
  ])('a credential command %s is refused without its output', async (_name, script, why) => {
    const error = await credentialError(node(script));
    expect(error.message).toBe(`credential api_key of target live: the command ${process.execPath} ${why}`);
    expect(`${error.message}${error.hint}`).not.toContain('CANARY');
  });

  test('a credential command that does not exist is an error', async () => {
    const error = await credentialError({ command: ['no-such-program-of-upkeep', 'CANARY'] }, context({ PATH: temporaryFolder() }));
    expect(error.message).toBe('credential api_key of target live: the command no-such-program-of-upkeep cannot be started (ENOENT)');
  });

  test('a credential command that a signal ended is an error', async () => {
    expect((await credentialError(node("process.kill(process.pid, 'SIGTERM')"))).message).toContain('was ended by SIGTERM');
  });

  test('a credential command has no terminal', async () => {
    const asking = { command: ['/bin/sh', '-c', '(: </dev/tty) 2>/dev/null && echo terminal || echo none'] };
    expect(await keyFrom(asking)).toBe('none');
  });

  test('an interrupt ends a credential command and exits with 130', async () => {
    const interrupt = new AbortController();
    const waiting = credentialError(node('setInterval(() => {}, 1000)'), context({}, interrupt.signal));
    interrupt.abort();
    expect((await waiting).exit).toBe(130);
  });
});

describe('with --trust-from, of which the work tree is not trusted,', () => {
  const script = '#!/bin/sh\necho the-key\n';

  /** A work tree with a program and a key in a project below its top. */
  function workTree() {
    const top = realpathSync(temporaryFolder());
    const folder = join(top, 'project');
    mkdirSync(join(folder, 'bin'), { recursive: true });
    for (const name of ['get-key.sh', 'bin/company-vault']) writeFileSync(join(folder, name), script, { mode: 0o755 });
    writeFileSync(join(folder, 'key'), 'the-key');
    return { top, folder };
  }

  test.each<[string, (folder: string) => CredentialSource]>([
    ['a relative program', () => ({ command: ['./get-key.sh'] })],
    ['an absolute program', (folder) => ({ command: [join(folder, 'get-key.sh')] })],
    ['a relative argument', () => ({ command: ['sh', 'get-key.sh'] })],
    ['an argument above the project', () => ({ command: ['sh', '../project/get-key.sh'] })],
    ['the value of an option', () => ({ command: ['sh', '-c', 'echo the-key', '--config=get-key.sh'] })],
    ['an argument that begins with @', () => ({ command: ['sh', '-c', 'echo the-key', '@get-key.sh'] })],
    ['an absolute one that begins with @', (folder) => ({ command: ['sh', '-c', 'echo the-key', `--data=@${folder}/get-key.sh`] })],
    ['a folder given as an option', (folder) => ({ command: ['sh', '-c', 'echo the-key', `--config=${folder}/bin/`] })],
    ['a credential file', () => ({ file: 'key' })],
    ['an absolute credential file', (folder) => ({ file: join(folder, 'key') })],
    ['a credential file that is not there', () => ({ file: 'other' })],
  ])('%s of the work tree is refused', async (_what, source) => {
    const { top, folder } = workTree();
    const error = await credentialError(source(folder), context(), folder, top);
    expect([error.exit, error.message]).toEqual([8, expect.stringContaining(`uses ${folder}/`)]);
    expect(error.message).toContain('which is a file of the work tree, and --trust-from does not trust its files');
  });

  test('a program that an absolute PATH finds in the work tree, or behind a link, is refused', async () => {
    const { top, folder } = workTree();
    const elsewhere = temporaryFolder();
    symlinkSync(join(folder, 'bin/company-vault'), join(elsewhere, 'company-vault'));
    symlinkSync(join(folder, 'key'), join(elsewhere, 'key'));
    for (const path of [join(folder, 'bin'), elsewhere]) {
      const io = context({ PATH: `${path}:${process.env.PATH}` });
      expect((await credentialError({ command: ['company-vault', 'read', 'key'] }, io, folder, top)).message).toContain(
        'a file of the work tree',
      );
    }
    expect((await credentialError({ file: join(elsewhere, 'key') }, context(), folder, top)).message).toContain('a file of the work tree');
  });

  test('a program of the work tree is not started where PATH has one before it that cannot be run, nor by another program', async () => {
    const { top, folder } = workTree();
    const elsewhere = temporaryFolder();
    writeFileSync(join(elsewhere, 'company-vault'), 'no program', { mode: 0o644 });
    const io = context({ PATH: `${elsewhere}:${join(folder, 'bin')}:${process.env.PATH}` });
    expect((await credentialError({ command: ['company-vault'] }, io, folder, top)).message).toContain('cannot be started');
    expect((await credentialError({ command: ['sh', '-c', 'company-vault'] }, io, folder, top)).message).toContain('exit code 12');
  });

  test('an argument that holds the path of the work tree is refused, and one that holds that of a neighbor is not', async () => {
    const { top, folder } = workTree();
    mkdirSync(`${top}-2`);
    for (const argument of [`. ${folder}/get-key.sh`, `-I${top}`, `--folders=/usr:${top}`]) {
      const { message } = await credentialError({ command: ['sh', '-c', 'echo the-key', argument] }, context(), folder, top);
      expect(message).toContain(`has the argument ${argument}, which leads into the work tree`);
    }
    expect(await keyFrom({ command: ['sh', '-c', `echo ${top}-2`] }, context(), folder, top)).toBe(`${top}-2`);
  });

  test('a program sees no variable that leads into the work tree', async () => {
    const { top, folder } = workTree();
    const io = context({ GITHUB_WORKSPACE: folder, HOME: top, OTHER: `${top}-2`, PATH: process.env.PATH ?? '' });
    const names = await keyFrom(
      node('console.log(["GITHUB_WORKSPACE", "HOME", "OTHER"].filter((name) => name in process.env))'),
      io,
      folder,
      top,
    );
    expect(names).toBe("[ 'OTHER' ]");
  });

  test('no program starts where the folder for temporary files lies in the work tree', async () => {
    const { top, folder } = workTree();
    vi.stubEnv('TMPDIR', folder);
    const { message } = await credentialError({ command: ['sh', '-c', 'echo the-key'] }, context(), folder, top);
    vi.unstubAllEnvs();
    expect(message).toContain(`would start in ${folder}, which lies in the work tree: set TMPDIR to a folder outside of it`);
  });

  test('other programs start in an empty folder, which is removed', async () => {
    const { top, folder } = workTree();
    const where = await keyFrom(node('console.log(process.cwd() + " " + fs.readdirSync(".").length)'), context(), folder, top);
    const [cwd = '', entries] = where.split(' ');
    expect([cwd.startsWith(top), entries, existsSync(cwd)]).toEqual([false, '0', false]);
  });

  test('words that are no files, and folders, are no files of the work tree', async () => {
    const { top, folder } = workTree();
    expect(await keyFrom({ command: ['sh', '-c', 'echo "$0 $1"', 'read', 'bin'] }, context(), folder, top)).toBe('read bin');
  });
});

test('a credential command is not searched in relative folders of PATH, nor in an empty one', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'bin'));
  for (const name of ['bin/company-vault', 'company-vault'])
    writeFileSync(join(folder, name), '#!/bin/sh\necho the-key\n', { mode: 0o755 });
  for (const path of ['bin', './bin', '', '.']) {
    const io = context({ PATH: `${path}:${process.env.PATH}` });
    expect((await credentialError({ command: ['company-vault'] }, io, folder)).message).toContain('cannot be started (ENOENT)');
  }
});
