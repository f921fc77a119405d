/** What a commit says of the configuration in the work tree: what is applied is what was committed (design section 5, apply). */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asset } from '../../e2e/accounts.ts';
import { asPlan } from '../../support/documents.ts';
import { createGitProject, type GitProject } from '../../support/git-project.ts';
import { createTestProject, temporaryFolder } from '../../support/harness.ts';

const FILES = {
  'config/a.yaml': `playlists:\n  one: { playlist: [{ beam: ${asset(1)} }, { ad: 30 }] }\nsmart_starts:\n  vod:\n    assets_file: vod.txt\n`,
  'config/b.yaml': `playlists:\n  two: { playlist: [{ beam: ${asset(2)} }, { ad: 30 }] }\n`,
  'config/vod.txt': `${asset(3)}\n`,
  'config/t.yaml': `templates:
  t: { params: { n: integer }, playlist: { playlist: [{ beam: ${asset(5)} }, { ad: "\${n}" }] } }
playlists_from:
  - { file: t.csv, template: t, key: "row-\${id}" }
`,
  'config/t.csv': 'id,n\n1,30\n',
  'README.md': 'nothing of the configuration\n',
};
const EDITED = FILES['config/b.yaml'].replace('ad: 30', 'ad: 60');

async function dirtyOf(project: Pick<GitProject, 'plan'>): Promise<boolean | undefined> {
  return (await project.plan()).document.config?.dirty;
}

/** Asserts that `plan` reports the project as dirty because of these files, and that `apply` refuses it without a write. */
async function expectDirty(project: GitProject, ...files: readonly string[]): Promise<void> {
  expect(await dirtyOf(project)).toBe(true);
  const { code, document } = await project.refused('apply', '--yes');
  expect([code, document.error.code]).toEqual([4, 'dirty']);
  expect(document.error.summary).toMatch(new RegExp(`^the work tree differs from commit [0-9a-f]{12}: ${files.join(', ')}$`));
  expect(project.writes()).toEqual([]);
}

const edit = (project: GitProject, file = 'config/b.yaml', text = EDITED): void => project.write(file, text);

describe('a work tree is dirty where its configuration differs from the commit', () => {
  test.each<[string, (project: GitProject) => void, string]>([
    ['an edited source', edit, 'config/b.yaml'],
    ['an edited list of assets', (project) => edit(project, 'config/vod.txt', `${asset(4)}\n`), 'config/vod.txt'],
    ['an edited table', (project) => edit(project, 'config/t.csv', 'id,n\n1,60\n'), 'config/t.csv'],
    ['a deleted source', ({ folder }) => rmSync(join(folder, 'config/b.yaml')), 'config/b.yaml'],
    ['a new source', (project) => edit(project, 'config/c.yaml', 'drm_policies: {}\n'), 'config/c.yaml'],
    [
      'a new source that git ignores',
      (project) => {
        edit(project, '.git/info/exclude', 'c.yaml\n');
        edit(project, 'config/c.yaml', 'drm_policies: {}\n');
      },
      'config/c.yaml',
    ],
    [
      'a new staged source',
      (project) => {
        edit(project, 'config/c.yaml', 'drm_policies: {}\n');
        project.git('add', 'config/c.yaml');
      },
      'config/c.yaml',
    ],
    ['a renamed source', (project) => void project.git('mv', 'config/b.yaml', 'config/c.yaml'), 'config/b.yaml, config/c.yaml'],
    [
      'a source that a link replaces',
      ({ folder }) => {
        cpSync(join(folder, 'config/b.yaml'), join(folder, 'b.txt'));
        writeFileSync(join(folder, 'b.txt'), EDITED);
        rmSync(join(folder, 'config/b.yaml'));
        symlinkSync('../b.txt', join(folder, 'config/b.yaml'));
      },
      'config/b.yaml',
    ],
    [
      'an edit under assume-unchanged',
      (project) => {
        project.git('update-index', '--assume-unchanged', 'config/b.yaml');
        edit(project);
      },
      'config/b.yaml',
    ],
    [
      'an edit under skip-worktree',
      (project) => {
        project.git('update-index', '--skip-worktree', 'config/b.yaml');
        edit(project);
      },
      'config/b.yaml',
    ],
    [
      'an edit under core.ignoreStat',
      (project) => {
        project.git('config', 'core.ignoreStat', 'true');
        project.git('update-index', '--really-refresh');
        rmSync(join(project.folder, '.git/index'));
        project.git('reset', '-q');
        edit(project);
      },
      'config/b.yaml',
    ],
    [
      'an edit of upkeep.yaml under assume-unchanged',
      (project) => {
        project.git('update-index', '--assume-unchanged', 'upkeep.yaml');
        edit(project, 'upkeep.yaml', project.read('upkeep.yaml').replace('ledger: git', 'ledger: git\n    weakening: allow'));
      },
      'upkeep.yaml',
    ],
  ])('%s', async (_what, change, files) => {
    const project = await createGitProject(FILES);
    expect(await dirtyOf(project)).toBe(false);
    change(project);
    await expectDirty(project, ...files.split(', '));
  });

  test('an edit of a source below .upkeep', async () => {
    const project = await createGitProject({ ...FILES, '.upkeep/sources/c.yaml': FILES['config/b.yaml'].replace('two', 'three') });
    edit(project, 'upkeep.yaml', project.read('upkeep.yaml').replace('[config]', '[config/a.yaml, .upkeep/sources]'));
    project.commit();
    expect(await dirtyOf(project)).toBe(false);
    edit(project, '.upkeep/sources/c.yaml', EDITED.replace('two', 'three'));
    await expectDirty(project, '.upkeep/sources/c.yaml');
  });

  test('a source in a submodule, whatever .gitmodules says about it', async () => {
    const project = await createGitProject(FILES);
    const other = await createGitProject({ 'c.yaml': FILES['config/b.yaml'].replace('two', 'three') });
    project.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other.remote, 'sub');
    project.git('config', '-f', '.gitmodules', 'submodule.sub.ignore', 'all');
    edit(project, 'upkeep.yaml', project.read('upkeep.yaml').replace('[config]', '[config, sub/c.yaml]'));
    project.commit();
    await expectDirty(project, 'sub/c.yaml');
    edit(project, 'sub/c.yaml', EDITED.replace('two', 'three'));
    await expectDirty(project, 'sub/c.yaml');
  });
});

describe('a work tree is not dirty', () => {
  test.each<[string, (project: GitProject) => void]>([
    ['where only a file differs that the configuration does not read', (project) => edit(project, 'README.md', 'edited\n')],
    ['where a report lies in it', (project) => edit(project, 'plan.json', '{}')],
    ['with a detached HEAD', (project) => void project.git('checkout', '-q', '--detach')],
    [
      'where its files have other ends of lines',
      ({ folder }) => {
        for (const name of ['upkeep.yaml', ...Object.keys(FILES)])
          writeFileSync(join(folder, name), readFileSync(join(folder, name), 'utf8').replaceAll('\n', '\r\n'));
      },
    ],
  ])('%s', async (_what, change) => {
    const project = await createGitProject(FILES);
    change(project);
    expect(await dirtyOf(project)).toBe(false);
    expect((await project.run('apply', '--yes')).code).toBe(0);
    expect(project.entries()).toMatchObject([{ config: { commit: project.git('rev-parse', 'HEAD') } }]);
  });

  test('in a repository with SHA-256 names', async () => {
    const project = await createGitProject(FILES);
    rmSync(join(project.folder, '.git'), { recursive: true });
    project.git('init', '-q', '-b', 'main', '--object-format=sha256');
    project.git('add', '-A');
    project.git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-q', '-m', 'x');
    edit(project, 'upkeep.yaml', project.read('upkeep.yaml').replace('ledger: git', 'ledger: none'));
    project.git('add', '-A');
    project.git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-q', '-m', 'y');
    expect(await dirtyOf(project)).toBe(false);
    edit(project);
    expect(await dirtyOf(project)).toBe(true);
  });
});

test('apply reads the files of the commit, so that the digest of a checkout with other ends of lines is that of the commit', async () => {
  const project = await createGitProject(FILES);
  const { document } = await project.plan();
  for (const name of ['upkeep.yaml', 'config/a.yaml', 'config/b.yaml']) edit(project, name, project.read(name).replaceAll('\n', '\r\n'));
  expect((await project.plan()).document.config?.digest).not.toBe(document.config?.digest);
  expect((await project.apply('--yes')).code).toBe(0);
  expect(project.entries()[0]?.config.digest).toBe(document.config?.digest);
});

test('--allow dirty applies what is in the work tree', async () => {
  const project = await createGitProject(FILES);
  edit(project);
  expect((await project.apply('--yes', '--allow', 'dirty')).code).toBe(0);
  expect(JSON.stringify(project.playlists())).toContain('60');
  expect(project.entries()).toMatchObject([{ config: { commit: null } }]);
});

test('a target with a branch and without a ledger takes only what is committed, too', async () => {
  const project = await createGitProject(FILES);
  edit(project, 'upkeep.yaml', project.read('upkeep.yaml').replace('ledger: git', 'ledger: none\n    branch: main'));
  project.commit();
  project.git('update-index', '--assume-unchanged', 'config/b.yaml');
  edit(project);
  await expectDirty(project, 'config/b.yaml');
});

test('plan has no commit outside git, before the first commit, and without git', async () => {
  const project = await createTestProject(FILES);
  const configOf = async (env = {}) => asPlan(JSON.parse((await project.runWith({ env }, 'plan', '--format', 'json')).stdout)).config;
  expect(await configOf()).toBeNull();
  execFileSync('git', ['init', '-q'], { cwd: project.folder });
  expect(await configOf()).toBeNull();
  const committed = await createGitProject(FILES);
  renameSync(join(committed.folder, '.git'), join(project.folder, '.git2'));
  rmSync(join(project.folder, '.git'), { recursive: true });
  renameSync(join(project.folder, '.git2'), join(project.folder, '.git'));
  expect(await configOf()).toMatchObject({ dirty: true });
  expect(await configOf({ PATH: '' })).toBeNull();
});

test('git is started only in or below a folder with .git', async () => {
  const bin = temporaryFolder();
  const started = join(bin, 'started');
  writeFileSync(join(bin, 'git'), `#!/bin/sh\n: > ${started}\nPATH='${process.env.PATH}' exec git "$@"\n`, { mode: 0o755 });
  const env = { PATH: bin };
  const project = await createTestProject(FILES);
  expect((await project.runWith({ env }, 'plan')).code).toBe(0);
  expect(existsSync(started)).toBe(false);
  execFileSync('git', ['init', '-q'], { cwd: project.folder });
  expect((await project.runWith({ env }, 'plan')).code).toBe(0);
  expect(existsSync(started)).toBe(true);
});
