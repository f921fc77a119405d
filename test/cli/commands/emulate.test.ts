import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { emulate } from '../../../src/cli/commands/emulate.ts';
import { main } from '../../../src/cli/main.ts';
import { temporaryFolder } from '../../support/harness.ts';
import { fakeIo } from '../fake-io.ts';

const ACCOUNT = ['--owner', 'me', '--api-key', 'CANARY'];

const cleanups: (() => unknown)[] = [];

/** Runs the emulator and interrupts it as soon as it has said that it listens. */
async function listening(argv: readonly string[], cwd = temporaryFolder()) {
  const interrupt = new AbortController();
  const io = fakeIo({ cwd, now: Date.now, signal: interrupt.signal });
  const stdout = {
    write(text: string) {
      io.stdout.write(text);
      interrupt.abort();
    },
  };
  const code = await main(['emulate', ...ACCOUNT, ...argv], { ...io, stdout });
  return { code, out: io.out(), err: io.err() };
}

async function refused(file: string, content: string, flag: string) {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, file), content);
  const io = fakeIo({ cwd });
  const code = await main(['emulate', ...ACCOUNT, flag, file], io);
  expect(io.out()).toBe('');
  return { code, err: io.err().replaceAll(cwd, '') };
}

test('prints one JSON line when it listens, and ends well when interrupted', async () => {
  const { code, out, err } = await listening([]);
  expect([code, err]).toEqual([0, '']);
  expect(out.split('\n')).toHaveLength(2);
  expect(JSON.parse(out)).toEqual({ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), owner: 'me' });
});

test('keeps its state in --data', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'seed.json'), '{"vmp-reject-statuses":["PLATFORM_TAMPERED"]}');
  expect((await listening(['--data', 'state', '--seed', 'seed.json'], cwd)).code).toBe(0);
  expect((await listening(['--data', 'state'], cwd)).code).toBe(0);
});

test('listens on loopback alone, unless told otherwise', async () => {
  const interrupt = new AbortController();
  const io = fakeIo({ now: Date.now, signal: interrupt.signal });
  const began = new Promise<string>((resolve) => {
    const running = main(['emulate', ...ACCOUNT], { ...io, stdout: { write: (text: string) => resolve(text) } });
    cleanups.push(() => running);
  });
  const port = Number(new URL(JSON.parse(await began).url).port);
  // Another address of this machine, which 0.0.0.0 would include.
  const outcome = await new Promise((resolve) => {
    const socket = connect(port, '127.0.0.2', () => resolve('connected'));
    socket.once('error', (error) => resolve(error instanceof Error && 'code' in error ? error.code : error));
    cleanups.push(() => socket.destroy());
  });
  interrupt.abort();
  await Promise.all(cleanups.splice(0).map((cleanup) => cleanup()));
  expect(outcome).not.toBe('connected');
});

test('warns loudly where other machines can reach it', async () => {
  const { code, err } = await listening(['--host', '0.0.0.0']);
  expect(code).toBe(0);
  expect(err).toBe(
    'warning: the emulator listens on 0.0.0.0, where other machines can reach it\n' +
      '  hint: it is a double for trying things out: give it no real credentials\n',
  );
});

describe('refuses', () => {
  test.each([
    ['--seed', '{', /^error: file cannot be read as JSON: /],
    ['--seed', '[]', /^error: the emulator cannot start: seed: must be an object\n {2}hint: fix or remove the file of --seed or --data\n$/],
    ['--seed', '{"other":{"playlist":[]}}', /^error: the emulator cannot start: seed: there is no account other\n/],
    ['--faults', 'nonsense', /^error: file cannot be read as JSON: /],
    ['--faults', '[{"colour":"red"}]', /^error: file: .*colour/],
    ['--data', 'mine', /^error: the emulator cannot start: the data file cannot be used: \/file\n/],
  ])('%s with %s: exit 8', async (flag, content, message) => {
    const { code, err } = await refused('file', content, flag);
    expect(code).toBe(8);
    expect(err).toMatch(message);
    expect(err.trimEnd().split('\n')).toHaveLength(2);
    expect(err).not.toContain('CANARY');
  });

  test('a file that is not there: exit 8', async () => {
    const io = fakeIo({ cwd: temporaryFolder() });
    expect(await main(['emulate', ...ACCOUNT, '--seed', 'nowhere.json'], io)).toBe(8);
    expect(io.err()).toContain('nowhere.json cannot be read as JSON: ENOENT');
  });

  test('a port that is taken: exit 1', async () => {
    const other = createServer();
    const port = await new Promise<number>((resolve) => {
      other.listen(0, '127.0.0.1', () => {
        const address = other.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
    const options = { port, host: '127.0.0.1', owner: 'me', apiKey: 'CANARY', latency: 0 };
    await expect(emulate(fakeIo(), options)).rejects.toMatchObject({ exit: 1, hint: 'choose another --port, --host or --data' });
    await new Promise((resolve) => other.close(resolve));
  });
});
