/** What init writes is valid at once, and nothing that was there is touched. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { EXAMPLE_VALUES } from '../../../src/cli/init/recipes.ts';
import { createGitProject } from '../../support/git-project.ts';
import { createTestProject, type ProjectFolder, projectIn, temporaryFolder } from '../../support/harness.ts';

const ADDRESS = 'https://services.example.com';
const VMP = { 'config/a.yaml': 'vmp_reject_statuses: [PLATFORM_TAMPERED]\n' };

function emptyProject(): ProjectFolder {
  return projectIn(temporaryFolder());
}

function filesIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('.git/'))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

describe('init', () => {
  test.each([
    ['github', '.github/workflows/upkeep.yml'],
    ['gitlab', '.gitlab-ci.yml'],
  ])('a new project with a recipe for %s is valid', async (ci, recipe) => {
    const at = emptyProject();
    const { code, stdout, stderr } = await at.run('init', '--base-url', ADDRESS, '--name', 'live', '--ci', ci);
    expect([code, stderr]).toEqual([0, '']);
    expect(filesIn(at.folder)).toEqual(['.gitignore', '.vscode/extensions.json', recipe, 'config/account.yaml', 'upkeep.yaml'].sort());
    for (const file of filesIn(at.folder)) expect(stdout).toContain(`wrote    ${file}\n`);
    const validated = await at.run('validate');
    expect([validated.code, validated.stdout]).toEqual([0, 'Validation of live\n\nValid.\n']);
    expect(parse(at.read('upkeep.yaml')).targets.live).toMatchObject({ base_url: ADDRESS, ownership: 'observe', ledger: 'none' });
    expect(Object.keys(parse(at.read(recipe)))).toEqual(
      expect.arrayContaining(ci === 'github' ? ['on', 'jobs'] : ['plan', 'apply', 'drift']),
    );
  });

  test('a new project stays valid when all commented lines are uncommented', async () => {
    const at = emptyProject();
    await at.run('init', '--base-url', ADDRESS, '--ci', 'none');
    const taken = at
      .read('config/account.yaml')
      .replace(/^# ((?:playlists|drm_policies|vmp_reject_statuses|static_key|key_rotation_schedule):| {2})/gm, '$1');
    at.write('config/account.yaml', taken);
    const { code, stdout } = await at.run('validate');
    expect([code, stdout.replace(/\s+/g, ' ')]).toEqual([
      0,
      expect.stringContaining('Valid. Declared: 1 drm-policy, 1 key-rotation-schedule, 1 playlist, 1 static-key, 1 vmp-reject-statuses.'),
    ]);
    at.write('upkeep.yaml', at.read('upkeep.yaml').replace(/^( +)# (protect|limits):/gm, '$1$2:'));
    expect((await at.run('validate')).code).toBe(0);
  });

  test('a new project in another folder begins its next steps with cd', async () => {
    const at = emptyProject();
    const { code, stdout } = await at.run('init', 'new/place', '--base-url', ADDRESS);
    expect([code, stdout]).toEqual([0, expect.stringContaining('  cd new/place\n')]);
    expect((await at.run('validate', '--project', 'new/place')).code).toBe(0);
  });

  test('the files name the schemas by their path in the installed package', async () => {
    const at = emptyProject();
    await at.run('init', '--base-url', ADDRESS);
    for (const [file, way] of [
      ['upkeep.yaml', ''],
      ['config/account.yaml', '../'],
    ] as const) {
      const schema = /^# yaml-language-server: \$schema=(\S+)\n/.exec(at.read(file))?.[1] ?? '';
      expect(schema.startsWith(`${way}node_modules/upkeep/schemas/`)).toBe(true);
      expect(existsSync(new URL(schema.replace(/.*schemas\//, '../../../schemas/'), import.meta.url))).toBe(true);
    }
  });
});

describe('init in a folder with a configuration', () => {
  test.each([
    ['upkeep.yaml', 'version: 1'],
    ['config/playlists.yaml', 'playlists: {}'],
  ])('that has %s leaves no sample behind', async (name, text) => {
    const at = emptyProject();
    at.write(name, text);
    expect(await at.run('init', '--base-url', ADDRESS, '--name', 'live', '--ci', 'none')).toMatchObject({ code: 0 });
    expect(filesIn(at.folder)).not.toContain('config/account.yaml');
  });
});

describe('what the jobs of a recipe write into the work tree', () => {
  test.each([
    ['github', '.github/workflows/upkeep.yml'],
    ['gitlab', '.gitlab-ci.yml'],
  ])('is ignored by git in a project with the recipe for %s', async (ci, recipe) => {
    const at = emptyProject();
    expect(await at.run('init', '--base-url', ADDRESS, '--name', 'live', '--ci', ci)).toMatchObject({ code: 0 });
    const written = [...at.read(recipe).matchAll(/--out \w+=([\w.-]+\.\w+)|> ([\w-]+\.\w+)/g)].map(
      ([, out, redirected]) => out ?? redirected ?? '',
    );
    expect(new Set(written).size).toBeGreaterThan(4);
    execFileSync('git', ['init', '-q'], { cwd: at.folder });
    // Ends with an error where one of them is not ignored.
    const ignored = execFileSync('git', ['check-ignore', '--no-index', ...new Set(written)], { cwd: at.folder }).toString();
    expect(ignored.trim().split('\n')).toEqual([...new Set(written)]);
  });
});

describe('the CI recipe of init', () => {
  const SHA256 = 'fedcba9876543210'.repeat(4);
  const TARBALL = 'https://releases.example/upkeep.tgz';
  const NO_ADDRESS = 'UPKEEP_TARBALL is no http(s) address without user';

  test.each([
    ['github', '.github/workflows/upkeep.yml', (text: string) => parse(text).env],
    ['gitlab', '.gitlab-ci.yml', (text: string) => assignmentsOf(parse(text).default.before_script[0])],
  ])('for %s installs the release tarball that the environment of init names', async (ci, recipe, releaseIn) => {
    const at = emptyProject();
    const { stdout } = await at.runWith(
      { env: { UPKEEP_TARBALL: TARBALL, UPKEEP_SHA256: SHA256 } },
      'init',
      '--base-url',
      ADDRESS,
      '--name',
      'live',
      '--ci',
      ci,
    );
    expect(stdout).not.toContain('UPKEEP_TARBALL');
    expect(releaseIn(at.read(recipe))).toEqual({ UPKEEP_TARBALL: TARBALL, UPKEEP_SHA256: SHA256 });
    expect(at.read(recipe)).not.toMatch(/npm install[^\n]*upkeep@/);
    for (const value of Object.values(EXAMPLE_VALUES)) expect(at.read(recipe)).not.toContain(value);
  });

  /** The variables that a script sets to a text in quotes. */
  function assignmentsOf(script: string) {
    return Object.fromEntries([...script.matchAll(/^(\w+)='([^']*)'$/gm)].map(([, name, value]) => [name, value]));
  }

  test('without a release tarball is written with empty variables, and the next steps say what to set', async () => {
    const at = emptyProject();
    const { code, stdout } = await at.run('init', '--base-url', ADDRESS, '--ci', 'github');
    expect([code, stdout]).toEqual([0, expect.stringContaining('  set UPKEEP_TARBALL and UPKEEP_SHA256 ')]);
    expect(parse(at.read('.github/workflows/upkeep.yml')).env).toEqual({ UPKEEP_TARBALL: '', UPKEEP_SHA256: '' });
  });

  test.each([
    [{ UPKEEP_TARBALL: TARBALL }, 'UPKEEP_SHA256 is not set'],
    [{ UPKEEP_SHA256: SHA256 }, 'UPKEEP_TARBALL is not set'],
    [{ UPKEEP_TARBALL: TARBALL, UPKEEP_SHA256: SHA256.toUpperCase() }, 'UPKEEP_SHA256 is not 64 digits of lower-case hexadecimal'],
    [{ UPKEEP_TARBALL: 'upkeep@0.1.0', UPKEEP_SHA256: SHA256 }, NO_ADDRESS],
    [{ UPKEEP_TARBALL: "https://releases.example/'\n  EVIL: 'a", UPKEEP_SHA256: SHA256 }, NO_ADDRESS],
    [{ UPKEEP_TARBALL: 'https://user:password@releases.example/upkeep.tgz', UPKEEP_SHA256: SHA256 }, NO_ADDRESS],
    [{ UPKEEP_TARBALL: 'no', UPKEEP_SHA256: 'no' }, `${NO_ADDRESS}; UPKEEP_SHA256 is not 64 digits of lower-case hexadecimal`],
  ])('is not written where the environment names no whole release tarball, and says which part is wrong: %j', async (env, problem) => {
    const at = emptyProject();
    const { code, stderr } = await at.runWith({ env }, 'init', '--base-url', ADDRESS);
    expect([code, stderr]).toEqual([8, expect.stringContaining(`the environment names no release tarball: ${problem}\n`)]);
    expect(filesIn(at.folder)).toEqual([]);
    expect(stderr).not.toContain('password');
  });
});

describe('init in a git repository', () => {
  test('a new project in a repository has a git ledger that doctor accepts', async () => {
    const project = await createGitProject({ 'README.md': '# new\n' });
    const at = project.clone();
    at.git('rm', '-q', 'upkeep.yaml');
    expect((await at.run('init', '--base-url', project.emulator.url)).code).toBe(0);
    at.commit();
    const { code, stdout } = await at.run('doctor');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Ready: \d+ ok, 1 skipped\.$/m)]);
  });

  test('init names the missing remote of the ledger', async () => {
    const project = await createGitProject({ 'README.md': '# new\n' });
    const at = project.clone();
    at.git('rm', '-q', 'upkeep.yaml');
    at.git('remote', 'remove', 'origin');
    expect((await at.run('init', '--base-url', ADDRESS)).stdout).toContain('  git remote add origin ');
  });

  test('init below the root of a repository omits the CI recipe and says so', async () => {
    const project = await createGitProject({ 'README.md': '# new\n' });
    const { code, stdout } = await project.run('init', 'below', '--base-url', ADDRESS);
    expect([code, stdout]).toEqual([0, expect.stringContaining('only at the top of the repository')]);
    expect(filesIn(join(project.folder, 'below'))).toEqual(['.gitignore', '.vscode/extensions.json', 'config/account.yaml', 'upkeep.yaml']);
  });
});

describe('init with existing files', () => {
  test('existing files stay unchanged and are named', async () => {
    const at = emptyProject();
    at.write('upkeep.yaml', 'mine\n');
    at.write('.gitignore', 'mine too\n');
    const { code, stdout } = await at.run('init', '--base-url', ADDRESS);
    expect(code).toBe(0);
    expect([at.read('upkeep.yaml'), at.read('.gitignore')]).toEqual(['mine\n', 'mine too\n']);
    expect(stdout).toContain('left     upkeep.yaml, which is there already\n');
    expect(stdout).toContain('it should hold .upkeep/');
  });

  test('a file in the place of the folder is an error of one line without a stack trace', async () => {
    const at = emptyProject();
    at.write('taken', '');
    const { code, stderr } = await at.run('init', 'taken', '--base-url', ADDRESS);
    expect([code, stderr]).toEqual([1, expect.stringContaining('cannot write to taken')]);
  });
});

describe('the answers of init', () => {
  test('the user answers on a terminal, and an empty answer is the default', async () => {
    const at = emptyProject();
    const { code, stderr } = await at.runWith({ terminal: true, stdin: `${ADDRESS}/\nstudio\n\n\n` }, 'init');
    expect(code).toBe(0);
    expect(stderr).toContain('Name of the target [production]: ');
    expect(parse(at.read('upkeep.yaml')).targets).toMatchObject({ studio: { base_url: ADDRESS } });
    expect(filesIn(at.folder)).toContain('.github/workflows/upkeep.yml');
  });

  test.each([
    [[], 'init needs --base-url'],
    [['--base-url', 'http://example.com'], 'it is an https address'],
    [['--base-url', ADDRESS, '--name', 'Not This'], 'lower-case letters'],
    [['--base-url', ADDRESS, '--name', 'locks'], 'not `locks`'],
    [['--base-url', ADDRESS, '--ci', 'jenkins'], 'it is one of github, gitlab, none'],
  ])('init refuses the answers %j, exits with 8 and writes nothing', async (flags, telling) => {
    const at = emptyProject();
    const { code, stderr } = await at.run('init', ...flags);
    expect([code, stderr]).toEqual([8, expect.stringContaining(telling)]);
    expect(filesIn(at.folder)).toEqual([]);
  });

  test('an interrupted question of init writes nothing', async () => {
    const at = emptyProject();
    const { code } = await at.runWith({ terminal: true, signal: AbortSignal.abort() }, 'init');
    expect([code, filesIn(at.folder)]).toEqual([130, []]);
  });
});

describe('init --from-live', () => {
  test('the plan of a project from the live account is empty', async () => {
    const project = await createTestProject(VMP);
    expect((await project.run('apply', '--yes')).code).toBe(0);
    const at = emptyProject();
    const { code, stderr } = await at.run('init', '--base-url', project.emulator.url, '--ci', 'none', '--from-live');
    expect(code, stderr).toBe(0);
    expect(filesIn(at.folder).some((file) => file.startsWith('config/'))).toBe(true);
    expect((await at.run('validate')).code).toBe(0);
    const { code: planned, stdout } = await at.run('plan', '--detailed-exitcode');
    expect([planned, stdout]).toEqual([0, expect.stringContaining('No changes.')]);
  });

  test('init --from-live reports missing credentials', async () => {
    const at = emptyProject();
    const { code, stderr } = await at.runWith({ env: { UPKEEP_API_KEY: undefined } }, 'init', '--base-url', ADDRESS, '--from-live');
    expect([code, stderr]).toEqual([8, expect.stringContaining('UPKEEP_API_KEY is not set')]);
  });
});
