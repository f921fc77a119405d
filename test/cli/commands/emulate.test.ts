import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { emulateCommand } from '../../../src/cli/commands/emulate.ts';
import { emulatedScopedKeys } from '../../../src/cli/emulated-keys.ts';
import { main } from '../../../src/cli/main.ts';
import { parseScopedKey, signToken } from '../../../src/core/api-client/scoped-key.ts';
import { emulatedKinds } from '../../../src/emulator/kinds/index.ts';
import { startEmulator } from '../../../src/emulator/server.ts';
import { temporaryFolder } from '../../support/harness.ts';
import { fakeIo } from '../fake-io.ts';

const ACCOUNT = ['--owner', 'me', '--api-key', 'CANARY'];

const cleanups: (() => unknown)[] = [];

/** Runs the emulator and interrupts it as soon as it has said that it listens. */
async function startEmulate(argv: readonly string[], cwd = temporaryFolder()) {
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

async function runWithInvalidFile(file: string, content: string, flag: string) {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, file), content);
  const io = fakeIo({ cwd });
  const code = await main(['emulate', ...ACCOUNT, flag, file], io);
  expect(io.out()).toBe('');
  return { code, err: io.err().replaceAll(cwd, '') };
}

test('emulate refuses a file of --quirks that is not the result of a probe', async () => {
  const { code, err } = await runWithInvalidFile('probe.json', '{"schemaVersion":1}', '--quirks');
  expect([code, err]).toEqual([8, expect.stringContaining('probe.json is not the result of a probe')]);
});

test('emulate takes the result of a probe', async () => {
  const cwd = temporaryFolder();
  const head = { schemaVersion: 1, target: 'live', at: '2026-01-05T12:00:00.000Z', upkeep: '0.1.0', steps: ['read'], requests: 0 };
  const answer = { id: 'integers', step: 'read', question: 'q', assumed: 'a', state: 'assumed', found: 'strings' };
  writeFileSync(join(cwd, 'probe.json'), JSON.stringify({ ...head, answers: [answer], settings: [], leftBehind: [] }));
  expect(await startEmulate(['--quirks', 'probe.json'], cwd)).toMatchObject({ code: 0, err: '' });
});

test('emulate prints one JSON line when it listens, and exits with 0 when interrupted', async () => {
  const { code, out, err } = await startEmulate([]);
  expect([code, err]).toEqual([0, '']);
  expect(out.split('\n')).toHaveLength(2);
  expect(JSON.parse(out)).toEqual({ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), owner: 'me' });
});

test('emulate keeps its state in the file of --data', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'seed.json'), '{"vmp-reject-statuses":["PLATFORM_TAMPERED"]}');
  expect((await startEmulate(['--data', 'state', '--seed', 'seed.json'], cwd)).code).toBe(0);
  expect((await startEmulate(['--data', 'state'], cwd)).code).toBe(0);
});

describe('emulate --scoped-key', () => {
  test('writes a key that only this user may read, and keeps it afterwards', async () => {
    const cwd = temporaryFolder();
    const first = await startEmulate(['--scoped-key', 'key.env'], cwd);
    expect(first).toMatchObject({ code: 0, err: expect.stringContaining('note: wrote key.env: a new scoped key') });
    const text = readFileSync(join(cwd, 'key.env'), 'utf8');
    expect(statSync(join(cwd, 'key.env')).mode & 0o777).toBe(0o600);
    expect(parseScopedKey(text).key.scopes).toEqual(expect.arrayContaining(['playlist:read', 'drm-policy:write']));
    expect(await startEmulate(['--scoped-key', 'key.env'], cwd)).toMatchObject({ code: 0, err: '' });
    expect(readFileSync(join(cwd, 'key.env'), 'utf8')).toBe(text);
  });

  test('is refused for a file that is not that of a key, or that a link leads out of the folder, which stay as they are', async () => {
    const { code, err } = await runWithInvalidFile('notes.txt', 'my notes\n', '--scoped-key');
    expect([code, err]).toEqual([8, expect.stringContaining('notes.txt is not the file of a scoped key: line 1 is not NAME=VALUE')]);
    const [cwd, elsewhere] = [temporaryFolder(), temporaryFolder()];
    symlinkSync(join(elsewhere, 'key.env'), join(cwd, 'key.env'));
    expect((await startEmulate(['--scoped-key', 'key.env'], cwd)).code).toBe(8);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  test('accepts the tokens of each key, as far as the scopes of its file go', async () => {
    const cwd = temporaryFolder();
    const io = fakeIo({ cwd, now: Date.now });
    const keys = emulatedScopedKeys(io, ['all.env'], 'me', emulatedKinds);
    const reading = readFileSync(join(cwd, 'all.env'), 'utf8').replace(/^SCP=.*$/m, 'SCP=playlist:read');
    writeFileSync(join(cwd, 'read.env'), reading);
    const [read] = emulatedScopedKeys(io, ['read.env'], 'me', emulatedKinds);
    const emulator = await startEmulator({ emulatedKinds, accounts: [], scopedKeys: [read ?? raise()] });
    cleanups.push(() => emulator.close());
    const ask = async (file: string, path: string) => {
      const { key } = parseScopedKey(readFileSync(join(cwd, file), 'utf8'));
      const headers = { 'x-auth-uplynk-jwt': signToken(key, Date.now()) };
      return (await fetch(`${emulator.url}${path}`, { headers })).status;
    };
    expect(keys[0]?.owner).toBe('me');
    expect(await ask('read.env', '/api/v4/linear-playlist')).toBe(200);
    expect(await ask('read.env', '/api/v3/drm/policies')).toBe(403);
    expect(await ask('all.env', '/api/v4/linear-playlist')).toBe(401);
    await Promise.all(cleanups.splice(0).map((cleanup) => cleanup()));
  });
});

function raise(): never {
  throw new Error('there is no key');
}

test('emulate listens on loopback by default', async () => {
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

test('emulate warns if other machines can reach it', async () => {
  const { code, err } = await startEmulate(['--host', '0.0.0.0']);
  expect(code).toBe(0);
  expect(err).toBe(
    'warning: the emulator listens on 0.0.0.0, where other machines can reach it\n' +
      '  hint: it only imitates the service: give it no real credentials\n',
  );
});

describe('emulate refuses', () => {
  test.each([
    ['--seed', '{', /^error: file cannot be read as JSON: /],
    ['--seed', '[]', /^error: the emulator cannot start: seed: must be an object\n {2}hint: fix or remove the file of --seed or --data\n$/],
    ['--seed', '{"other":{"playlist":[]}}', /^error: the emulator cannot start: seed: there is no account other\n/],
    ['--faults', 'nonsense', /^error: file cannot be read as JSON: /],
    ['--faults', '[{"colour":"red"}]', /^error: file: .*colour/],
    ['--data', 'mine', /^error: the emulator cannot start: the data file cannot be used: \/file\n/],
  ])('emulate refuses %s with %s and exits with 8', async (flag, content, message) => {
    const { code, err } = await runWithInvalidFile('file', content, flag);
    expect(code).toBe(8);
    expect(err).toMatch(message);
    expect(err.trimEnd().split('\n')).toHaveLength(2);
    expect(err).not.toContain('CANARY');
  });

  test('emulate refuses a missing file and exits with 8', async () => {
    const io = fakeIo({ cwd: temporaryFolder() });
    expect(await main(['emulate', ...ACCOUNT, '--seed', 'nowhere.json'], io)).toBe(8);
    expect(io.err()).toContain('nowhere.json cannot be read as JSON: ENOENT');
  });

  test('emulate exits with 1 if its port is in use', async () => {
    const other = createServer();
    const port = await new Promise<number>((resolve) => {
      other.listen(0, '127.0.0.1', () => {
        const address = other.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
    const options = { port, host: '127.0.0.1', owner: 'me', apiKey: 'CANARY', latency: 0, scopedKey: [] };
    await expect(emulateCommand(fakeIo(), options)).rejects.toMatchObject({ exit: 1, hint: 'choose another --port, --host or --data' });
    await new Promise((resolve) => other.close(resolve));
  });
});
