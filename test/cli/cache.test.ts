import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openCache as openBoth } from '../../src/cli/cache.ts';
import { VERSION } from '../../src/cli/version.ts';
import { type Stage, stage, temporaryFolder } from '../harness.ts';

const openCache = (...words: Parameters<typeof openBoth>) => openBoth(...words).documents;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const cacheOf = (folder: string): string => join(folder, '.upkeep/cache');
const kept = (folder: string): readonly string[] => (existsSync(cacheOf(folder)) ? readdirSync(cacheOf(folder)) : []);

/** An entry as the cache writes it, by somebody who can look at the folder; its seal may be that of another text. */
function forge(folder: string, digest: string, payload: string, sealed = payload): void {
  mkdirSync(cacheOf(folder), { recursive: true });
  const { dev, ino, birthtimeNs } = statSync(cacheOf(folder), { bigint: true });
  const seal = sha256(`${dev} ${ino} ${birthtimeNs}\n${sealed}`);
  writeFileSync(join(cacheOf(folder), digest), `upkeep ${VERSION} ${seal}\n${payload}`);
}

describe('the cache', () => {
  const digest = sha256('a file');

  test('gives back what was kept, in maps without prototype', () => {
    const folder = temporaryFolder();
    const documents = [{ a: [1, { b: null }], é: 'ü' }, true];
    openCache(folder, VERSION).keep(digest, documents);
    const got = openCache(folder, VERSION).get(digest);
    expect(got).toEqual(documents);
    expect(Object.getPrototypeOf(Object(got)[0])).toBeNull();
    expect(Object.getPrototypeOf(Object(got)[0].a[1])).toBeNull();
    expect(readFileSync(join(folder, '.upkeep/.gitignore'), 'utf8')).toBe('*\n');
  });

  test('gives back lines of text, whatever they say', () => {
    const folder = temporaryFolder();
    const lines = ['{"a":1}', 'no "JSON" \u2028 \\n', '', 'é'];
    openBoth(folder, VERSION).lines.keep(digest, lines);
    expect(openBoth(folder, VERSION).lines.get(digest)).toEqual(lines);
    expect(openBoth(folder, VERSION).lines.get(sha256('another'))).toBeUndefined();
    forge(folder, digest, 'a\nb', 'a\nc');
    expect(openBoth(folder, VERSION).lines.get(digest)).toBeUndefined();
  });

  test('knows nothing of other files, and of what another version kept', () => {
    const folder = temporaryFolder();
    openCache(folder, '0.0.9').keep(digest, [{ a: 1 }]);
    expect(openCache(folder, VERSION).get(digest)).toBeUndefined();
    expect(openCache(folder, '0.0.9').get(sha256('another'))).toBeUndefined();
  });

  test.each([
    ['a byte changed', '[{"a":2}]', '[{"a":1}]'],
    ['the end cut off', '[{"a":1', '[{"a":1}]'],
    ['no JSON', '[{"a":1', undefined],
    ['no list', '{"a":1}', undefined],
    ['a key that reaches prototypes', '[{"__proto__":{"a":1}}]', undefined],
    ['a key that no source has', '[{"a":{"constructor":1}}]', undefined],
    ['deeper than any source', `[${'['.repeat(100)}${']'.repeat(100)}]`, undefined],
    ['far deeper', `[${'['.repeat(100_000)}${']'.repeat(100_000)}]`, undefined],
    ['nothing', '', undefined],
  ])('does not take an entry with %s', (_what, payload, sealed) => {
    const folder = temporaryFolder();
    forge(folder, digest, payload, sealed);
    expect(openCache(folder, VERSION).get(digest)).toBeUndefined();
  });

  test('does not take an entry that was written into another folder, as one of a checkout was', () => {
    const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()];
    openCache(elsewhere, VERSION).keep(digest, [{ a: 1 }]);
    cpSync(join(elsewhere, '.upkeep'), join(folder, '.upkeep'), { recursive: true });
    expect(kept(folder)).toEqual([digest]);
    expect(openCache(folder, VERSION).get(digest)).toBeUndefined();
    expect(openCache(elsewhere, VERSION).get(digest)).toEqual([{ a: 1 }]);
  });

  test.each(['.upkeep', '.upkeep/cache'])('%s is not followed as a link', (link) => {
    const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()];
    openCache(elsewhere, VERSION).keep(digest, [{ a: 1 }]);
    if (link === '.upkeep/cache') mkdirSync(join(folder, '.upkeep'));
    symlinkSync(join(elsewhere, link), join(folder, link));
    rmSync(join(elsewhere, '.upkeep/.gitignore'));
    const cache = openCache(folder, VERSION);
    expect(cache.get(digest)).toBeUndefined();
    cache.keep(sha256('another'), [{ a: 1 }]);
    expect([kept(elsewhere), readdirSync(join(elsewhere, '.upkeep'))]).toEqual([[digest], ['cache']]);
  });

  test('an entry that is a link is not followed, and is replaced', () => {
    const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()];
    forge(elsewhere, digest, '[{"a":1}]');
    mkdirSync(cacheOf(folder), { recursive: true });
    symlinkSync(join(cacheOf(elsewhere), digest), join(cacheOf(folder), digest));
    expect(openCache(folder, VERSION).get(digest)).toBeUndefined();
    openCache(folder, VERSION).keep(digest, [{ a: 2 }]);
    expect(openCache(folder, VERSION).get(digest)).toEqual([{ a: 2 }]);
    expect(openCache(elsewhere, VERSION).get(digest)).toEqual([{ a: 1 }]);
  });

  test('a file where the folder should be stops nothing', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, '.upkeep'), 'not a folder');
    openCache(folder, VERSION).keep(digest, [{ a: 1 }]);
    expect(openCache(folder, VERSION).get(digest)).toBeUndefined();
    expect(readFileSync(join(folder, '.upkeep'), 'utf8')).toBe('not a folder');
  });

  test('is bounded: what was written first goes first', () => {
    const folder = temporaryFolder();
    mkdirSync(cacheOf(folder), { recursive: true });
    for (let number = 0; number < 40; number++) {
      const file = join(cacheOf(folder), String(number));
      writeFileSync(file, 'x'.repeat(1_000));
      utimesSync(file, 1_000 + number, 1_000 + number);
    }
    openCache(folder, VERSION, { entries: 40, bytes: 1_000_000 }).keep(digest, [1]);
    expect(kept(folder)).toHaveLength(31);
    expect(kept(folder)).not.toContain('9');
    expect(kept(folder)).toEqual(expect.arrayContaining(['10', '39', digest]));
    openCache(folder, VERSION, { entries: 1_000, bytes: 16_000 }).keep(digest, [1]);
    expect(kept(folder).length).toBeLessThanOrEqual(13);
    const small = openCache(folder, VERSION, { entries: 1_000, bytes: 16_000 });
    for (let number = 0; number < 40; number++) small.keep(sha256(String(number)), ['x'.repeat(1_000)]);
    expect(kept(folder).length).toBeLessThanOrEqual(17);
  });
});

describe('commands', () => {
  /** A list that only package `yaml` reads, and a file that the fast road reads. */
  const FILES = {
    'config/a.yaml': 'playlists:\n  one: { desc: "\\u004fne", playlist: [{ beam: 10c5467d77c54dc4b739db2cd832143a }, { ad: 60 }] }\n',
    'config/b.yaml': 'playlists:\n  two:\n    playlist:\n      - beam: 10c5467d77c54dc4b739db2cd832143a\n      - ad: 30\n',
  };
  const set = (): Promise<Stage> => stage(FILES);

  /** Leaves a lie under the right name: another list for `two`. */
  function poison({ folder, read }: Stage): void {
    const lie = { playlists: { two: { playlist: [{ beam: 'ffffffffffffffffffffffffffffffff' }, { ad: 30 }] } } };
    forge(folder, sha256(read('config/b.yaml')), JSON.stringify([lie]));
  }

  test('keep what they parse and declare, and plan the same with it and without it', async () => {
    const account = await set();
    const cold = await account.plan();
    expect(kept(account.folder)).toEqual(expect.arrayContaining(Object.values(FILES).map(sha256)));
    expect(kept(account.folder)).toHaveLength(3);
    const [warm, without] = [await account.plan(), await account.plan('--no-cache')];
    // When each of them was made is no part of what is planned.
    const untimed = ({ document: { run: _run, ...plan } }: typeof cold) => plan;
    expect(untimed(warm)).toEqual(untimed(cold));
    expect(untimed(without)).toEqual(untimed(cold));
  });

  test('--no-cache neither reads nor writes it', async () => {
    const account = await set();
    await account.run('validate', '--no-cache');
    await account.plan('--no-cache');
    expect(existsSync(join(account.folder, '.upkeep'))).toBe(false);
    poison(account);
    expect(JSON.stringify((await account.plan('--no-cache')).document)).not.toContain('f'.repeat(32));
  });

  test('what is wrong with a file is found every time, with its place', async () => {
    const account = await set();
    account.write('config/b.yaml', 'playlists:\n  two:\n    colour: red\n');
    const told = async () => (await account.run('validate')).stdout;
    const first = await told();
    expect(first).toContain('config/b.yaml:3:5');
    expect(await told()).toBe(first);
  });

  test('what aliases repeat is not written out', async () => {
    const account = await set();
    const beam = '{ beam: 10c5467d77c54dc4b739db2cd832143a }';
    account.write('config/b.yaml', `playlists: { two: { playlist: [&b ${beam}, *b, *b] }, three: { playlist: [*b, *b] } }\n`);
    expect((await account.run('validate')).code).toBe(0);
    expect(kept(account.folder)).toEqual([sha256(FILES['config/a.yaml'])]);
  });

  test('what was declared before is neither parsed nor declared again, and a change of the account is told with its place', async () => {
    const account = await set();
    expect((await account.apply('--yes')).code).toBe(0);
    await account.plan();
    for (const text of Object.values(FILES)) rmSync(join(cacheOf(account.folder), sha256(text)));
    account.editPlaylist(String(account.playlists()[0]?.id), { repeat: 2 });
    const { document } = await account.plan();
    expect(document.changes).toMatchObject([
      { action: 'update', declared: { file: expect.stringMatching(/^config/), line: expect.any(Number) } },
    ]);
  });

  test.each([
    ['plan', '--detailed-exitcode'],
    ['plan', '--only-origin', 'change'],
    ['plan', '--only-origin', 'drift'],
    ['drift'],
    ['explain', 'playlist/two'],
  ])('%s %s %s says the same of what was kept', async (...argv) => {
    const account = await set();
    expect((await account.apply('--yes')).code).toBe(0);
    account.editPlaylist(String(account.playlists()[0]?.id), { repeat: 2 });
    account.write('config/b.yaml', FILES['config/b.yaml'].replace('30', '45'));
    await account.plan();
    const at = Date.now();
    const options = { now: () => at };
    const [warm, without] = [await account.runWith(options, ...argv), await account.runWith(options, ...argv, '--no-cache')];
    expect(warm).toEqual(without);
    expect(warm.stdout).toMatch(/repeat|two/);
  });

  test('apply trusts no cache: a lie in it can mislead a plan, never a write', async () => {
    const account = await set();
    poison(account);
    const { document } = await account.plan();
    expect(JSON.stringify(document)).toContain('f'.repeat(32));
    expect((await account.run('apply', '--expect', document.fingerprint)).code).toBe(6);
    expect(account.writes()).toEqual([]);
    expect((await account.apply('--yes')).code).toBe(0);
    expect(JSON.stringify(account.playlists())).not.toContain('f'.repeat(32));
  });

  test('what comes out of the cache is validated as any source is', async () => {
    const account = await set();
    forge(account.folder, sha256(account.read('config/b.yaml')), JSON.stringify([{ playlists: { two: { colour: 'red' } } }]));
    const { code, stdout } = await account.run('validate');
    expect([code, stdout.includes('colour')]).toEqual([8, true]);
  });
});
