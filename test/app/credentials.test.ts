import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { credentialsOf } from '../../src/app/credentials.ts';
import { CliError } from '../../src/app/exit-codes.ts';
import type { CredentialSource, Target } from '../../src/config/project.ts';
import { type FakeIo, fakeIo } from '../cli/fake-io.ts';
import { temporaryFolder } from '../support/harness.ts';
import { target as plain } from '../support/planning.ts';

function targetWith(apiKey: CredentialSource): Target {
  return { ...plain, name: 'live', credentials: { owner: { env: 'OWNER' }, apiKey } };
}

function world(env: { readonly [name: string]: string } = {}, signal = new AbortController().signal): FakeIo {
  return fakeIo({ env: { PATH: process.env.PATH, OWNER: 'the-owner', ...env }, signal });
}

async function keyFrom(source: CredentialSource, io = world(), folder = temporaryFolder(), timeoutMs?: number): Promise<string> {
  const target = targetWith(source);
  return (await credentialsOf(target, { folder, project: { targets: [target] } }, io, timeoutMs)).apiKey;
}

async function refusal(...args: Parameters<typeof keyFrom>): Promise<CliError> {
  const error = await keyFrom(...args).then(
    () => 'no error',
    (reason: unknown) => reason,
  );
  if (error instanceof CliError) return error;
  throw new Error(`expected a Stop, got ${String(error)}`);
}

/** A command that runs this script. */
function node(script: string): CredentialSource {
  return { command: [process.execPath, '-e', script] };
}

describe('from the environment', () => {
  test('gives owner and key', async () => {
    const credentials = await credentialsOf(targetWith({ env: 'KEY' }), { folder: '/', project: { targets: [] } }, world({ KEY: 'k/+=' }));
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
  ])('%s: says which variable of which target, and never the value', async (_name, value, why) => {
    const error = await refusal({ env: 'KEY' }, world(value === undefined ? {} : { KEY: value }));
    expect(error).toMatchObject({
      exit: 8,
      code: 'credentials',
      message: `credential api_key of target live: the environment variable KEY ${why}`,
      hint: 'set it, or change targets.live.credentials.api_key in upkeep.yaml',
    });
    expect(`${error.message}${error.hint}`).not.toContain('CANARY');
  });

  test('one final line break is not part of it, whoever wrote it', async () => {
    const text = fc
      .string({ minLength: 1, unit: fc.constantFrom('a', 'Z', '9', '/', '+', '=', '"', ' ') })
      .filter((key) => key.trim() !== '');
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom('', '\n', '\r\n'), async (key, end) => {
        expect(await keyFrom({ env: 'KEY' }, world({ KEY: key + end }), '/')).toBe(key);
      }),
    );
  });
});

describe('from a file', () => {
  test('beside upkeep.yaml, or anywhere by its absolute path', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'secrets'));
    writeFileSync(join(folder, 'secrets/key'), 'from-file\n');
    expect(await keyFrom({ file: 'secrets/key' }, world(), folder)).toBe('from-file');
    expect(await keyFrom({ file: join(folder, 'secrets/key') }, world())).toBe('from-file');
  });

  test.each([
    ['missing', 'nowhere', 'cannot be read (ENOENT)'],
    ['a folder', 'folder', 'is not a regular file'],
    ['too long', 'long', 'is too long to be a credential'],
    ['empty', 'empty', 'is empty'],
    ['not UTF-8', 'binary', 'holds control characters or several lines, and so no credential'],
  ])('%s', async (_name, file, why) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'folder'));
    writeFileSync(join(folder, 'long'), 'CANARY'.repeat(20_000));
    writeFileSync(join(folder, 'empty'), '\n');
    writeFileSync(join(folder, 'binary'), Buffer.from([0x43, 0x41, 0xff]));
    const error = await refusal({ file }, world(), folder);
    expect(error.message).toBe(`credential api_key of target live: the file ${file} ${why}`);
    expect(error.hint).toContain('put the value there');
  });

  test('a device that never ends is not read', async () => {
    expect((await refusal({ file: '/dev/zero' })).message).toContain('the file /dev/zero is not a regular file');
  });
});

describe('from a command', () => {
  test('runs in the folder of upkeep.yaml, with the environment, without a shell', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'get-key'), '#!/bin/sh\nprintf "%s-%s" "$1" "$STAGE"\n');
    chmodSync(join(folder, 'get-key'), 0o755);
    expect(await keyFrom({ command: ['./get-key', '$HOME;*'] }, world({ STAGE: 'x' }), folder)).toBe('$HOME;*-x');
  });

  test('has no input to wait for', async () => {
    expect(await keyFrom(node("process.stdin.on('end', () => console.log('done')).resume()"))).toBe('done');
  });

  test.each([
    ['that fails', "console.log('CANARY'); console.error('CANARY'); process.exit(3)", 'ended with exit code 3'],
    ['that prints nothing', "console.error('CANARY')", 'is empty'],
    ['that prints without end', "process.stdout.write('CANARY'.repeat(20000))", 'prints too much to be a credential'],
  ])('%s', async (_name, script, why) => {
    const error = await refusal(node(script));
    expect(error.message).toBe(`credential api_key of target live: the command ${process.execPath} ${why}`);
    expect(`${error.message}${error.hint}`).not.toContain('CANARY');
  });

  test('that does not exist', async () => {
    const error = await refusal({ command: ['no-such-program-of-upkeep', 'CANARY'] });
    expect(error.message).toBe('credential api_key of target live: the command no-such-program-of-upkeep cannot be started (ENOENT)');
  });

  test('that never ends, and refuses to be ended, is killed', async () => {
    const stubborn = node("process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)");
    expect((await refusal(stubborn, world(), temporaryFolder(), 50)).message).toContain('took too long');
  });

  test('that is given up takes along what it has started', async () => {
    const folder = temporaryFolder();
    // The grandchild holds a pipe of which this test has the other end, and which closes with it.
    execFileSync('/bin/sh', ['-c', 'mkfifo alive'], { cwd: folder });
    const alive = readFile(join(folder, 'alive'), 'utf8');
    const source = { command: ['/bin/sh', '-c', 'sh -c "echo begun; exec sleep 600" >alive & wait'] };
    expect((await refusal(source, world(), folder, 200)).message).toContain('took too long');
    expect(await alive).toBe('begun\n');
  });

  test('that is ended by a signal', async () => {
    expect((await refusal(node("process.kill(process.pid, 'SIGTERM')"))).message).toContain('was ended by SIGTERM');
  });

  test('has no terminal to ask on', async () => {
    const asking = { command: ['/bin/sh', '-c', '(: </dev/tty) 2>/dev/null && echo terminal || echo none'] };
    expect(await keyFrom(asking)).toBe('none');
  });

  test('an interrupt ends it, and is told as one', async () => {
    const interrupt = new AbortController();
    const waiting = refusal(node('setInterval(() => {}, 1000)'), world({}, interrupt.signal));
    interrupt.abort();
    expect((await waiting).exit).toBe(130);
  });
});
