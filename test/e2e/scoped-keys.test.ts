/** Whole runs with scoped keys: one that reads, and one that writes and verifies. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EmulatorOptions } from '../../src/emulator/server.ts';
import { expectNoLeak, textsIn } from '../support/canary.ts';
import { API_KEY, createTestProject, OWNER, type TestProject } from '../support/harness.ts';
import { stateHomeOf } from '../support/local-files.ts';
import { ALL_SCOPES, READ_SCOPES, scopedKey, type TestScopedKey } from '../support/scoped-keys.ts';
import { DESIRED } from './secrets/leak-check.ts';

const reader = scopedKey('reader', READ_SCOPES);
const writer = scopedKey('writer', ALL_SCOPES);
const OTHER_OWNER = 'fedcba9876543210fedcba9876543210';

const READING = '{ owner: { env: UPKEEP_OWNER }, scoped_key: { env: READ_KEY } }';
/** The command leaves a file, so that a test sees whether it ran. */
const WRITING = '{ owner: { env: UPKEEP_OWNER }, scoped_key: { command: [sh, get-key] } }';

/** A project with these credentials in upkeep.yaml; the key that writes comes from a command. */
async function projectWith(credentials: string, options: Partial<EmulatorOptions> & { target?: string; writing?: TestScopedKey } = {}) {
  const { writing = writer, ...more } = options;
  const scopedKeys = [reader.emulated, writer.emulated, ...(writing === writer ? [] : [writing.emulated])];
  const project = await createTestProject(DESIRED, { scopedKeys, ...more });
  const old = /credentials:\n.*\n.*\n/;
  project.write('upkeep.yaml', project.read('upkeep.yaml').replace(old, `credentials: ${credentials}\n`));
  mkdirSync(join(project.folder, 'keys'));
  writeFileSync(join(project.folder, 'keys/get'), writing.file);
  project.write('get-key', 'touch ran\ncat keys/get\n');
  const env = { READ_KEY: reader.file, UPKEEP_API_KEY: undefined };
  return { project, run: (...argv: string[]) => project.runWith({ env }, ...argv), hasRead: () => existsSync(join(project.folder, 'ran')) };
}

const BOTH = `{ read: ${READING}, write: ${WRITING} }`;
/** A report without its line breaks. */
const flat = (text: string): string => text.replace(/\s+/g, ' ');
const ALLOW = ['--yes', '--allow', 'weakening'];

describe('a scoped key', () => {
  test.each(['json', 'form'] as const)('plans, applies and reads back a whole account (v3 POST as %s)', async (post) => {
    const { project, run } = await projectWith('{ owner: { env: UPKEEP_OWNER }, scoped_key: { command: [sh, get-key] } }', {
      quirks: { scopedKeyPost: post },
      target: `service: { scoped_key_v3_post: ${post} }\ncheck: { assets: false, slicers: true }`,
      seed: { 'static-key': { live_slicers: ['studio-a'] } },
    });
    expect(await run('apply', ...ALLOW)).toMatchObject({ code: 0 });
    expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
    expect(project.emulator.requests().every(({ owner }) => owner === OWNER)).toBe(true);
  });

  test('a key that may not read a kind is told apart from a key that is rejected, each with what to do', async () => {
    const partial = scopedKey('partial', READ_SCOPES.slice(1));
    const missing = await projectWith(WRITING, { writing: partial });
    const refused = await missing.run('plan');
    expect(refused.code).toBe(7);
    expect(refused.stderr).toContain('HTTP 403 Forbidden: "the scope playlist:read is missing"');
    expect(refused.stderr).toContain('give it the scope or the permission for GET /api/v4/linear-playlist');
    const ended = scopedKey('ended', ALL_SCOPES);
    const over = await projectWith(WRITING, { writing: { ...ended, emulated: { ...ended.emulated, endsAt: 1 } } });
    const rejected = await over.run('plan');
    expect(rejected.code).toBe(7);
    expect(rejected.stderr).toContain('the key was not revoked and has not ended');
  });

  test('the header form of classic signatures applies a whole account', async () => {
    const project = await createTestProject(DESIRED, { target: 'service: { signature_in: header, v3_post: json }' });
    expect((await project.run('apply', ...ALLOW)).code).toBe(0);
    expect((await project.run('plan', '--detailed-exitcode')).code).toBe(0);
  });
});

describe('a key that writes beside a key that reads', () => {
  const tokensOf = (project: TestProject): readonly string[] => project.emulator.requests().map(({ method, path }) => `${method} ${path}`);

  test('is not read by commands that only read', async () => {
    const { run, hasRead } = await projectWith(BOTH);
    for (const argv of [['plan'], ['drift'], ['export'], ['explain', 'playlist/evening'], ['impact'], ['validate']]) {
      const { code, stderr } = await run(...argv);
      expect([argv[0], code, stderr.includes('error')]).toEqual([argv[0], argv[0] === 'drift' ? 3 : 0, false]);
    }
    expect(hasRead()).toBe(false);
  });

  test('writes and verifies, while the other one plans', async () => {
    const { project, run, hasRead } = await projectWith(BOTH);
    const { code, stderr } = await run('apply', ...ALLOW);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('403')]);
    expect(hasRead()).toBe(true);
    expect(tokensOf(project).filter((each) => !each.startsWith('GET')).length).toBeGreaterThan(3);
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
  });

  test('verifies with the key that writes: what that one may not read is written and not verified', async () => {
    const blind = scopedKey(
      'blind',
      ALL_SCOPES.filter((scope) => scope !== 'playlist:read'),
    );
    const { project, run } = await projectWith(BOTH, { writing: blind });
    const { code, stderr } = await run('apply', ...ALLOW);
    expect([code, stderr]).toEqual([7, expect.stringContaining('the scope playlist:read is missing')]);
    expect(project.playlists()).toHaveLength(4);
  });

  test('a key that only reads cannot write in its place', async () => {
    const { project, run } = await projectWith(`{ read: ${READING}, write: ${READING} }`);
    const { code, stdout } = await run('apply', ...ALLOW);
    expect([code, stdout]).toEqual([7, expect.stringContaining('HTTP 403')]);
    expect(project.playlists()).toEqual([]);
  });

  test('of another account is refused before anything is written', async () => {
    const foreign = scopedKey('foreign', ALL_SCOPES, { owner: OTHER_OWNER });
    const accounts = [OWNER, OTHER_OWNER].map((owner, index) => ({ owner, apiKey: `${API_KEY}${index}` }));
    const { project, run } = await projectWith(BOTH, { accounts, writing: foreign });
    const { code, stdout, stderr } = await run('apply', ...ALLOW);
    expect([code, stdout + stderr]).toEqual([
      7,
      expect.stringContaining('the key that writes is of another account than the key that reads'),
    ]);
    expect(project.writes()).toEqual([]);
  });

  test('with another owner in the configuration is refused before any request', async () => {
    const { project, run } = await projectWith(`{ read: ${READING}, write: { owner: { file: owner }, scoped_key: { env: READ_KEY } } }`);
    project.write('owner', OTHER_OWNER);
    const { code, stdout, stderr } = await run('apply', ...ALLOW);
    expect([code, stdout + stderr]).toEqual([8, expect.stringContaining('have different owners')]);
    expect(project.emulator.requests()).toEqual([]);
  });

  test('that is rejected stops the apply before anything is written', async () => {
    const { project, run } = await projectWith(BOTH, { writing: { ...writer, file: scopedKey('nobody', ALL_SCOPES).file } });
    const { code, stdout, stderr } = await run('apply', ...ALLOW);
    expect([code, flat(stdout + stderr)]).toEqual([7, expect.stringContaining('the key of the token is not known')]);
    expect(project.writes()).toEqual([]);
  });
});

describe('doctor', () => {
  test.each([
    [14, 'ok'],
    [13, 'warning'],
  ])('says of a key that ends in %d days: %s', async (days, state) => {
    const end = new Date(Date.now() + days * 86_400_000 + 60_000).toISOString();
    const { run } = await projectWith(BOTH, { writing: scopedKey('ending', ALL_SCOPES, { more: `EXP=${end}\n` }) });
    const { stdout } = await run('doctor', '--format', 'json');
    const [check] = [JSON.parse(stdout)]
      .flat()
      .flatMap(({ checks }) => checks.filter((each: { check: string }) => each.check === 'credential write.scoped_key'));
    expect(check).toMatchObject({ state, summary: expect.stringContaining(`in ${days} days`) });
  });

  test('says of both keys when they end, what they claim and which kinds they can read', async () => {
    const end = new Date(Date.now() + 5 * 86_400_000).toISOString();
    const ending = scopedKey('ending', ['playlist:read', 'playlist:write'], { more: `EXP=${end}\n` });
    const { run } = await projectWith(BOTH, { writing: ending });
    const result = await run('doctor');
    const [code, stdout] = [result.code, flat(result.stdout)];
    expect(code).toBe(0);
    expect(stdout).toMatch(/credential read\.scoped_key.*when it ends is unknown: its file does not say/);
    expect(stdout).toMatch(/credential write\.scoped_key.*scopes: playlist:read, playlist:write; it ends at .*, in [45] days/);
    expect(stdout).toMatch(/read playlist.*answers/);
    expect(stdout).toMatch(/key that writes.*accepted; it can read playlist, but not the rest: .*HTTP 403/);
  });

  test('fails where a key has ended', async () => {
    const { run } = await projectWith(BOTH, { writing: scopedKey('old', ALL_SCOPES, { more: 'EXP=1000\n' }) });
    const { code, stdout } = await run('doctor');
    expect([code, flat(stdout)]).toEqual([7, expect.stringContaining('the key ended at 1970-01-01T00:16:40.000Z')]);
  });
});

test('no text of a private key leaks, whatever the account repeats', async () => {
  const pem = writer.pem;
  const [base64, line] = [Buffer.from(pem).toString('base64'), pem.split('\n')[1] ?? ''];
  const texts = [pem, base64, line, Buffer.from(pem).toString('hex'), encodeURIComponent(pem), JSON.stringify(pem)];
  const { project, run } = await projectWith(WRITING, {
    seed: {
      playlist: texts.map((text, index) => ({
        id: `p${index}`,
        desc: `of ${text}`,
        playlist: [{ beam: { id: 'x' } }, { beam: { id: 'y' } }],
      })),
    },
    target: 'ownership: exclusive',
  });
  const outputs = [];
  for (const argv of [['plan', '--undeclared'], ['drift'], ['apply', ...ALLOW, '--allow', 'deletes'], ['doctor']]) {
    for (const format of ['text', 'json']) {
      const { stdout, stderr } = await run(...argv, '--format', format, '--log-level', 'trace');
      outputs.push({ where: `${argv.join(' ')} as ${format}`, text: stdout + stderr });
    }
  }
  expect(outputs.some(({ text }) => text.includes('[hidden]'))).toBe(true);
  const secrets = [
    { name: 'PRIVATE_B64', value: base64 },
    { name: 'private key', value: pem.split('\n').slice(1, -2).join('') },
  ];
  expectNoLeak([...outputs, ...textsIn(stateHomeOf(project.folder))], secrets);
});
