/** What users install: the tarball holds the tool and nothing else, and works without running any script of a package. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isObject } from '../src/model/json.ts';
import { asList } from '../src/model/json-readers.ts';
import { record } from './support/figures.ts';
import { API_KEY, createTestProject, OWNER } from './support/harness.ts';

const top = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);

/** What npm is told everywhere here: no script of any package runs, and nobody is asked. */
const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];

function json(path: string): { readonly [member: string]: unknown } {
  const value: unknown = JSON.parse(readFileSync(join(top, path), 'utf8'));
  return isObject(value) ? value : {};
}

const manifest = json('package.json');
const dependencies = isObject(manifest.dependencies) ? manifest.dependencies : {};
const locked = json('package-lock.json').packages;
const runtime = Object.entries(isObject(locked) ? locked : {}).filter(
  ([path, entry]) => path !== '' && isObject(entry) && entry.dev !== true,
);

describe('what it depends on', () => {
  test('every package of the run is pinned to one version', () => {
    expect(Object.keys(dependencies).length).toBeGreaterThan(0);
    for (const [name, version] of Object.entries(dependencies)) expect(String(version), name).toMatch(/^\d+\.\d+\.\d+$/);
  });

  test('no package of the run has a script that runs when it is installed, and each is locked with its hash', () => {
    expect(runtime.length).toBeGreaterThan(Object.keys(dependencies).length);
    for (const [path, entry] of runtime) {
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

  beforeAll(async () => {
    const { stdout } = await run('npm', ['pack', '--json', `--pack-destination=${folder}`, ...QUIET], { cwd: top });
    const [packed] = asList(JSON.parse(stdout)) ?? [];
    if (!isObject(packed)) throw new Error('npm pack named no package');
    tarball = join(folder, String(packed.filename));
    files = (asList(packed.files) ?? []).map((file) => (isObject(file) ? String(file.path) : ''));
    writeFileSync(join(folder, 'package.json'), '{ "name": "user", "version": "1.0.0" }');
    await run('npm', ['install', tarball, ...QUIET], { cwd: folder });
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('holds the tool, its schemas and its examples, and nothing else', () => {
    const needed =
      /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|dist\/[\w-]+\.m?js|dist\/types\/[\w/-]+\.d\.ts|schemas\/[\w-]+\.schema\.json|examples\/[\w./-]+)$/;
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

  test('has a bill of materials that names every package which its users get', async () => {
    const { stdout } = await run('npm', ['sbom', '--sbom-format=cyclonedx'], { cwd: folder });
    const bill: unknown = JSON.parse(stdout);
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: expect.any(String) });
    const components = asList(isObject(bill) ? bill.components : undefined) ?? [];
    const named = components.map((each) => (isObject(each) ? `${String(each.name)}@${String(each.version)}` : ''));
    const locked = runtime.map(([path, entry]) => `${path.replace(/^.*node_modules\//, '')}@${String(isObject(entry) && entry.version)}`);
    for (const name of Object.keys(dependencies)) expect(named).toContain(`${name}@${String(dependencies[name])}`);
    expect(named).toContain(`upkeep@${String(manifest.version)}`);
    expect(named.length).toBeGreaterThanOrEqual(new Set(locked).size);
  });

  test('is a working tool once it is installed without scripts', async () => {
    expect((await run(program, ['--version'], { cwd: folder })).stdout.trim()).toBe(manifest.version);
    const example = join(folder, 'node_modules', 'upkeep', 'examples', 'streaming-account');
    const { stdout } = await run(program, ['validate', '--project', example, '--format', 'json'], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual(expect.arrayContaining([expect.objectContaining({ valid: true })]));

    const project = await createTestProject({ 'config/a.yaml': 'vmp_reject_statuses: [PLATFORM_TAMPERED]\n' });
    const env = { ...process.env, UPKEEP_OWNER: OWNER, UPKEEP_API_KEY: API_KEY };
    await run(program, ['apply', '--yes'], { cwd: project.folder, env });
    expect(project.live('vmp-reject-statuses')).toEqual(['PLATFORM_TAMPERED']);
    record({
      proof: 'supply chain',
      name: 'files in the tarball',
      value: files.length,
      wanted: 'works when installed without scripts',
      holds: true,
    });
  });

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
      await compile('apply-table.mjs', ...snippets.map(({ name }) => name));
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
        'plan of live: 3 changes. No change stops or reduces playback, and none loosens protection.',
        '  create playlist/evening-film',
        '  create playlist/morning-news',
        '  create playlist/night-sport',
        'apply of live: 3 created, 0 failed',
        'drift: done',
      ]);
      expect(stderr).toBe('');
    });
  });
});
