/** What users install: the tarball holds the tool and all that it needs, has no script, and is the same for everybody who packs that commit. */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isObject } from '../src/core/model/json.ts';
import { asList } from '../src/core/model/json-readers.ts';
import { copyCheckout, readJson, runtimePackages } from './support/checkout.ts';
import { cleanUpAfterTest } from './support/cleanup.ts';
import { recordCheck } from './support/figures.ts';
import { createGitProject } from './support/git-project.ts';
import { API_KEY, createTestProject, OWNER } from './support/harness.ts';

const top = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);

/** What npm is told everywhere here: no script of any package runs, this version of Node must be one of `engines`, and nobody is asked. */
const QUIET = ['--ignore-scripts', '--engine-strict', '--no-audit', '--no-fund', '--offline', '--loglevel=warn'];

const REPOSITORY = 'git+https://git.example.com/media/upkeep.git';

/** Packs the checkout in a folder, without building. Returns the path of the tarball. */
function pack(checkout: string, into: string, ...more: readonly string[]): string {
  execFileSync(process.execPath, [join(checkout, 'src/build/pack.mjs'), '--into', into, '--repository', REPOSITORY, ...more], {
    stdio: 'pipe',
  });
  return join(into, `upkeep-${String(manifest.version)}.tgz`);
}

const manifest = readJson('package.json');
const dependencies = isObject(manifest.dependencies) ? manifest.dependencies : {};

describe('what it depends on', () => {
  test('every package of the run is pinned to one version', () => {
    expect(Object.keys(dependencies).length).toBeGreaterThan(0);
    for (const [name, version] of Object.entries(dependencies)) expect(String(version), name).toMatch(/^\d+\.\d+\.\d+$/);
  });

  test('no package of the run has a script that runs when it is installed, and each is locked with its hash', () => {
    expect(runtimePackages.length).toBeGreaterThan(Object.keys(dependencies).length);
    for (const [path, entry] of runtimePackages) {
      expect(entry, path).not.toHaveProperty('hasInstallScript');
      expect(entry, path).toMatchObject({ integrity: expect.stringMatching(/^sha512-/) });
    }
  });
});

describe('the tarball', () => {
  const folder = mkdtempSync(join(tmpdir(), 'upkeep-package-'));
  const program = join(folder, 'node_modules', '.bin', 'upkeep');
  let tarball = '';
  let files: readonly string[] = [];
  let said = '';

  beforeAll(async () => {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'releases', '-f', join(folder, 'release-key')]);
    tarball = pack(top, folder, '--sign', join(folder, 'release-key'));
    const { stdout } = await run('tar', ['-tzf', tarball]);
    files = stdout
      .trim()
      .split('\n')
      .map((file) => file.replace(/^package\//, ''));
    writeFileSync(join(folder, 'package.json'), '{ "name": "user", "version": "1.0.0" }');
    said = (await run('npm', ['install', tarball, ...QUIET], { cwd: folder, env: { ...process.env, NODE_ENV: 'production' } })).stderr;
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('holds the tool, its schemas and its examples, and nothing else', () => {
    const needed =
      /^(package\.json|README\.md|LICENSE|THIRD-PARTY-LICENSES\.txt|CHANGELOG\.md|dist\/[\w-]+\.m?js|dist\/types\/[\w/-]+\.d\.ts|schemas\/[\w-]+\.schema\.json|docs\/[\w-]+\.md|examples\/[\w./-]+)$/;
    expect(files.filter((file) => !needed.test(file))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(['dist/upkeep.js', 'schemas/plan.schema.json', 'examples/demo.mjs', 'LICENSE']));
  });

  test('has nothing that its linters object to; its types are those of an ES module', async () => {
    const { messages } = await publint({ strict: true, pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer } });
    expect(messages).toEqual([]);
    const { stdout } = await run('npx', ['--no-install', 'attw', '--profile=esm-only', '--format=json', tarball], { cwd: top });
    const checked: unknown = JSON.parse(stdout);
    expect(checked).toMatchObject({ analysis: { packageName: 'upkeep', types: { kind: 'included' } } });
    const entry = {
      resolutions: { 'node16-esm': { resolution: { fileName: expect.stringMatching(/dist\/types\/library\/index\.d\.ts$/) } } },
    };
    expect(checked).toMatchObject({ analysis: { entrypoints: { '.': entry } } });
    // A program that is no ES module loads it by `import()`.
    expect(Object.keys(isObject(checked) && isObject(checked.problems) ? checked.problems : {})).toEqual(['CJSResolvesToESM']);
  });

  test('has a manifest without scripts and dependencies, which names the repository that it was packed for', () => {
    const packed = readJson(join(folder, 'node_modules/upkeep/package.json'));
    for (const member of ['scripts', 'dependencies', 'devDependencies', 'private']) expect(packed).not.toHaveProperty(member);
    const { name, version, license, engines, bin } = manifest;
    expect(packed).toMatchObject({ name, version, license, engines, bin, repository: { type: 'git', url: REPOSITORY } });
  });

  test('is installed offline, with no script run, by a npm that insists on the version of Node, and brings no other package', () => {
    expect(said.split('\n').filter((line) => /EBADENGINE|install-scripts|deprecated/.test(line))).toEqual([]);
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['upkeep']);
  });

  test('imports nothing but its own files and modules of Node, because the tested versions of all packages are in it', async () => {
    const dist = join(folder, 'node_modules/upkeep/dist');
    const entryPoints = readdirSync(dist).flatMap((file) => (file.endsWith('.js') ? [join(dist, file)] : []));
    const { metafile } = await build({
      entryPoints,
      bundle: true,
      write: false,
      metafile: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      outdir: join(folder, 'unused'),
      logLevel: 'silent',
    });
    const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports.filter(({ external }) => external));
    expect(imported.length).toBeGreaterThan(0);
    expect(imported.map(({ path }) => path).filter((path) => !isBuiltin(path))).toEqual([]);
  });

  test('holds the licenses of all packages that are bundled, and comes with a bill of materials that names exactly them', async () => {
    const licenses = readFileSync(join(folder, 'node_modules/upkeep/THIRD-PARTY-LICENSES.txt'), 'utf8');
    const bundled = runtimePackages.map(([path, { version }]) => [path.replace(/^.*node_modules\//, ''), String(version)] as const);
    for (const [name, version] of bundled) expect(licenses).toContain(`\n${name} ${version} (`);

    const bill = readJson(join(folder, 'upkeep.cdx.json'));
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: expect.any(String) });
    const components = asList(bill.components) ?? [];
    const named = components.map((each) => (isObject(each) ? `${String(each.name)}@${String(each.version)}` : ''));
    expect(named.sort()).toEqual([...new Set(bundled.map((each) => each.join('@')))].sort());
  });

  test('is proven offline by its sum and the signature over all sums, as docs/install.md says; a changed byte or another key is not', () => {
    const [, check = ''] = /```sh\n(ssh-keygen -Y verify[\s\S]*?)```/.exec(readFileSync(join(top, 'docs/install.md'), 'utf8')) ?? [];
    const release = mkdtempSync(join(tmpdir(), 'upkeep-release-'));
    const bring = () => {
      for (const name of [basename(tarball), 'upkeep.cdx.json', 'SHA256SUMS', 'SHA256SUMS.sig'])
        cpSync(join(folder, name), join(release, name));
    };
    const verify = (key: string) => {
      writeFileSync(join(release, 'upkeep-signers'), `releases@example.com ${readFileSync(key, 'utf8')}`);
      return spawnSync('sh', ['-ec', check], { cwd: release }).status;
    };
    bring();
    expect(verify(join(folder, 'release-key.pub'))).toBe(0);
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'others', '-f', join(release, 'other-key')]);
    expect(verify(join(release, 'other-key.pub'))).not.toBe(0);
    for (const changed of [basename(tarball), 'SHA256SUMS']) {
      appendFileSync(join(release, changed), '\n');
      expect([changed, verify(join(folder, 'release-key.pub'))]).not.toEqual([changed, 0]);
      bring();
    }
  });

  test('is a working tool once it is installed without scripts', async () => {
    const figure = { proof: 'supply chain', name: 'files in the tarball', wanted: 'works when installed without scripts' };
    await recordCheck(figure, async () => {
      await expectToWork();
      return files.length;
    });
  });

  async function expectToWork(): Promise<void> {
    expect((await run(program, ['--version'], { cwd: folder })).stdout.trim()).toBe(manifest.version);
    const example = join(folder, 'node_modules', 'upkeep', 'examples', 'streaming-account');
    const { stdout } = await run(program, ['validate', '--project', example, '--format', 'json'], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual(expect.arrayContaining([expect.objectContaining({ valid: true })]));

    await run(program, ['init', 'new', '--base-url', 'https://services.example.com', '--name', 'live', '--ci', 'github'], { cwd: folder });
    expect(readFileSync(join(folder, 'new/.github/workflows/upkeep.yml'), 'utf8')).toContain('upkeep apply -t live ');

    const project = await createTestProject({ 'config/a.yaml': 'vmp_reject_statuses: [PLATFORM_TAMPERED]\n' });
    const env = { ...process.env, UPKEEP_OWNER: OWNER, UPKEEP_API_KEY: API_KEY };
    await run(program, ['apply', '--yes'], { cwd: project.folder, env });
    expect(project.live('vmp-reject-statuses')).toEqual(['PLATFORM_TAMPERED']);
  }

  describe('as a library', () => {
    const example = join(folder, 'library');
    const compile = (...files: readonly string[]) => {
      const settings = ['--noEmit', '--checkJs', '--strict', '--target', 'es2023', '--module', 'nodenext'];
      const types = ['--types', 'node', '--typeRoots', join(top, 'node_modules/@types')];
      return run(process.execPath, [join(top, 'node_modules/typescript/bin/tsc'), ...settings, ...types, ...files], { cwd: example });
    };

    beforeAll(() => cpSync(join(top, 'examples/library'), example, { recursive: true }));

    test('has types by which the compiler accepts the example program and its page, and refuses a key that no source has', async () => {
      const page = readFileSync(join(top, 'docs/library.md'), 'utf8');
      const snippets = [...page.matchAll(/```[jt]s\n([\s\S]*?)```/g)].map(([, code = ''], index) => ({ name: `${index}.mts`, code }));
      expect(snippets.length).toBeGreaterThan(1);
      for (const { name, code } of snippets) writeFileSync(join(example, name), code);
      await compile('apply-table.mjs', 'gate.mjs', ...snippets.map(({ name }) => name));
      const text = readFileSync(join(example, 'apply-table.mjs'), 'utf8');
      writeFileSync(join(example, 'wrong.mjs'), text.replace('{ desc, playlist:', '{ description: desc, playlist:'));
      await expect(compile('wrong.mjs')).rejects.toMatchObject({ stdout: expect.stringContaining("'description'") });
    });

    test('makes an account what the table of the example program says, and prints nothing itself', async () => {
      const { folder: place, emulator, playlists } = await createTestProject({});
      const env = { ...process.env, UPKEEP_BASE_URL: emulator.url, UPKEEP_OWNER: OWNER, UPKEEP_API_KEY: API_KEY };
      const { stdout, stderr } = await run(process.execPath, [join(example, 'apply-table.mjs'), join(place, 'program')], {
        cwd: place,
        env,
      });
      expect(
        playlists()
          .map(({ desc }) => desc)
          .sort(),
      ).toEqual(['Evening film', 'Morning news', 'Night sport']);
      expect(stdout.split('\n').slice(0, -1)).toEqual([
        'plan of live: 3 changes. No change stops or reduces playback, and none weakens protection.',
        '  create playlist/evening-film',
        '  create playlist/morning-news',
        '  create playlist/night-sport',
        'apply of live: 3 created, 0 failed',
        'drift: done',
      ]);
      expect(stderr).toBe('');
    });

    test('is enough for the example of a gate, which lets a harmless merge request pass and asks a person about any other', async () => {
      const playlist = (more: string) => `playlists:\n  news: { ${more}playlist: [{ beam: ${'b'.repeat(32)} }] }\n`;
      const project = await createGitProject({ 'config/a.yaml': playlist('') }, { target: 'branch: main\nprotect: [playlist/news]' });
      expect((await project.apply('--yes')).code).toBe(0);
      const settings = project.read('upkeep.yaml');
      const env = { ...process.env, UPKEEP_OWNER: OWNER, UPKEEP_API_KEY: API_KEY };
      const gate = async (edits: { readonly [file: string]: string }, variables: NodeJS.ProcessEnv = env) => {
        project.git('checkout', '-q', '-B', 'feature', 'origin/main');
        for (const [file, text] of Object.entries(edits)) project.write(file, text);
        if (Object.keys(edits).length > 0) project.git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-qam', 'edit');
        return run(process.execPath, [join(example, 'gate.mjs'), project.folder], { env: variables }).then(
          ({ stdout }): readonly unknown[] => [0, stdout],
          ({ code, stdout }: { readonly code: number; readonly stdout: string }): readonly unknown[] => [code, stdout],
        );
      };
      expect(await gate({})).toEqual([0, expect.stringMatching(/^live: merge: Nothing to do/)]);
      expect(await gate({ 'config/a.yaml': playlist('ad_slate_fill: true, ') })).toEqual([
        0,
        expect.stringMatching(/^live: merge: Waits until/),
      ]);
      expect(await gate({ 'config/a.yaml': playlist('active: false, ') })).toEqual([1, expect.stringMatching(/^live: ask: Blocked/)]);
      const unprotected = settings.replace(/ +protect: .*\n/, '');
      expect(await gate({ 'upkeep.yaml': unprotected })).toEqual([1, expect.stringMatching(/^live: ask: .*protect/)]);
      expect(await gate({}, { ...env, UPKEEP_API_KEY: 'another-key' })).toEqual([
        2,
        expect.stringMatching(/^live: cannot tell: Cannot tell/),
      ]);
    });
  });
});

test('two builds of one commit in two folders, at other times and with another umask, give the same bytes', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'upkeep-builds-'));
  cleanUpAfterTest(() => rmSync(scratch, { recursive: true, force: true }));
  const sums: string[] = [];
  for (const [folder, umask, year] of [
    ['one', '022', 2001],
    ['another/of them', '077', 2031],
  ] as const) {
    const checkout = join(scratch, folder);
    mkdirSync(checkout, { recursive: true });
    const time = new Date(Date.UTC(year, 1, 1));
    for (const file of copyCheckout(checkout)) {
      chmodSync(join(checkout, file), umask === '022' ? 0o644 : 0o600);
      utimesSync(join(checkout, file), time, time);
    }
    const script = `umask ${umask} && "$0" src/build/bundle.mjs && "$0" src/build/pack.mjs --into release --repository ${REPOSITORY}`;
    await run('sh', ['-c', script, process.execPath], { cwd: checkout });
    sums.push(sha256(readFileSync(join(checkout, `release/upkeep-${String(manifest.version)}.tgz`))));
  }
  expect(sums[1]).toBe(sums[0]);
});

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
