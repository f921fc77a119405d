/** `--trust-from`: a branch changes what is declared, but not where requests go, nor what is checked. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listening } from '../core/api-client/servers.ts';
import { createGitProject, type GitProject } from '../support/git-project.ts';
import { API_KEY, projectIn, temporaryFolder } from '../support/harness.ts';
import { applyStepOf, printedApply } from '../support/lifts.ts';
import { asset } from './accounts.ts';

const SOURCE = `playlists:\n  one: { desc: "\${title}", playlist: [{ beam: ${asset(1)} }, { beam: ${asset(2)} }] }\n`;

async function projectOnMain(): Promise<GitProject> {
  const project = await createGitProject({ 'config/a.yaml': SOURCE }, { target: 'vars: { title: One }' });
  expect((await project.run('apply', '--yes')).code).toBe(0);
  project.writes();
  project.git('branch', 'trusted');
  return project;
}

const edit = (project: GitProject, ...replacements: readonly (readonly [string | RegExp, string])[]): void =>
  project.write(
    'upkeep.yaml',
    replacements.reduce((text, [from, to]) => text.replace(from, to), project.read('upkeep.yaml')),
  );

/** Returns a PATH whose `git` appends its environment to a file before it runs, and that file. */
function recordingGit(): { readonly path: string; readonly seen: string } {
  const folder = temporaryFolder();
  const seen = join(folder, 'seen');
  const git = execFileSync('sh', ['-c', 'command -v git']).toString().trim();
  writeFileSync(join(folder, 'git'), `#!/bin/sh\nenv >> '${seen}'\nexec '${git}' "$@"\n`, { mode: 0o755 });
  return { path: `${folder}:${process.env.PATH}`, seen };
}

describe('plan --trust-from', () => {
  test('takes sources and vars from the branch, and nothing warns', async () => {
    const project = await projectOnMain();
    edit(project, ['title: One', 'title: Two'], ['sources: [config]', 'sources: [config, more]']);
    project.write('more/b.yaml', 'vmp_reject_statuses: [PLATFORM_TAMPERED]\n');
    project.commit();
    const { code, document } = await project.plan('--trust-from', 'refs/heads/trusted');
    expect([code, document.findings]).toEqual([0, []]);
    expect(document.changes.map(({ address }) => address).sort()).toEqual(['playlist/one', 'vmp-reject-statuses']);
  });

  test('takes no file of the work tree that the branch does not hold', async () => {
    const project = await projectOnMain();
    project.write('config/a.yaml', SOURCE.replace('${title}', 'Three'));
    project.commit();
    project.write('.git/info/exclude', 'config/ignored.yaml\n');
    project.write('config/ignored.yaml', 'drm_policies: { ignored: {} }\n');
    project.write('config/new.yaml', 'drm_policies: { added: {} }\n');
    project.write('config/a.yaml', 'playlists: {}\n');
    edit(project, ['sources: [config]', 'sources: [elsewhere]']);
    const { code, document } = await project.plan('--trust-from', 'refs/heads/trusted');
    expect([code, document.config?.dirty, document.findings]).toEqual([0, false, []]);
    expect(document.changes.map(({ action, address, fields }) => [action, address, fields[0]?.after])).toEqual([
      ['update', 'playlist/one', 'Three'],
    ]);
  });

  test('refuses where the branch does not hold upkeep.yaml', async () => {
    const project = await projectOnMain();
    project.git('rm', '-q', '--cached', 'upkeep.yaml');
    project.git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-q', '-m', 'without');
    const { code, document } = await project.refused('plan', '--trust-from', 'refs/heads/trusted');
    expect([code, document.error.code, document.error.summary]).toEqual([8, 'trust-from', 'upkeep.yaml is not committed']);
  });

  test('fetches nothing: a commit that only the remote has is refused with the command that fetches it', async () => {
    const project = await projectOnMain();
    const other = project.clone();
    other.write('note.txt', 'x');
    const hash = other.commit();
    other.git('push', '-q', 'origin', 'HEAD:refs/heads/side');
    const { code, document } = await project.refused('plan', '--trust-from', hash);
    expect([code, document.error.summary, document.error.hint]).toEqual([
      8,
      `the commit ${hash} is not in this clone`,
      `--trust-from fetches nothing: fetch it first (git fetch origin ${hash})`,
    ]);
    expect(() => project.git('cat-file', '-e', hash)).toThrow();
    project.git('fetch', '-q', 'origin', hash);
    expect((await project.plan('--trust-from', hash)).code).toBe(0);
  });

  test('prints the overrides to approve, and no command, because its run cannot apply', async () => {
    const project = await projectOnMain();
    project.write('config/a.yaml', 'playlists: {}\n');
    project.commit();
    const { stdout } = await project.run('plan', '--trust-from', 'refs/heads/trusted');
    expect(stdout.replace(/\s+/g, ' ')).toContain('overrides: `playback-loss`');
    expect(stdout).not.toContain('upkeep apply');
    const { document } = await project.plan('--trust-from', 'refs/heads/trusted');
    expect(applyStepOf(document)).toMatchObject({ allow: ['playback-loss'] });
    expect(printedApply(document)).toEqual([]);
    expect(printedApply((await project.plan()).document)[0]).toBe('apply');
  });

  test('sends the key where the trusted commit says, and never where the branch says', async () => {
    const project = await projectOnMain();
    const requests: string[] = [];
    const stranger = await listening((request, response) => {
      requests.push(String(request.url));
      response.end();
    });
    edit(project, [/base_url: .*/, `base_url: ${stranger}`], ['title: One', 'title: Two']);
    project.commit();
    const { code, document } = await project.plan('--trust-from', 'refs/heads/trusted');
    expect([code, document.changes.map(({ address }) => address)]).toEqual([0, ['playlist/one']]);
    expect(document.findings).toEqual([
      expect.objectContaining({ code: 'settings-not-trusted', severity: 'warning', file: 'upkeep.yaml' }),
      expect.objectContaining({ code: 'safeguard-lowered', summary: expect.stringContaining(`\`targets.live.base_url\``) }),
    ]);
    expect(requests).toEqual([]);
  });

  test.each([
    ['names other variables for the credentials', 'UPKEEP_API_KEY', 'UPKEEP_OTHER_KEY'],
    ['removes the target to which the credentials belong', '  secret:', '  renamed:'],
  ])('starts git without the credentials of the trusted commit where the branch %s', async (_what, from, to) => {
    const project = await projectOnMain();
    const text = project.read('upkeep.yaml');
    const target = text.slice(text.indexOf('  live:')).replace('  live:', '  secret:').replace('UPKEEP_API_KEY', 'UPKEEP_SECRET_KEY');
    project.write('upkeep.yaml', text + target);
    project.commit();
    project.git('branch', '-f', 'trusted');
    edit(project, ['title: One', 'title: Two'], [from, to]);
    project.commit();
    const { path, seen } = recordingGit();
    const env = { PATH: path, UPKEEP_SECRET_KEY: `${API_KEY}-of-secret`, UPKEEP_KEPT: 'kept' };
    const { code, stderr } = await project.runWith({ env }, 'plan', '--trust-from', 'refs/heads/trusted', '--target', 'live');
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('error')]);
    expect(readFileSync(seen, 'utf8')).toContain('UPKEEP_KEPT=kept');
    expect(readFileSync(seen, 'utf8')).not.toContain(API_KEY);
  });

  test('keeps the safety checks, guards and rules of the trusted commit', async () => {
    const project = await projectOnMain();
    edit(project, ['title: One', 'title: Two'], ['sources: [config]', 'protect: ["*"]\n    sources: [config]']);
    project.commit();
    project.git('branch', '-f', 'trusted');
    edit(project, ['protect: ["*"]\n    ', '']);
    project.write('config/a.yaml', 'playlists: {}\n');
    project.commit();
    const { document } = await project.plan('--trust-from', 'refs/heads/trusted');
    expect(document.changes).toMatchObject([{ address: 'playlist/one', action: 'delete', blocked: { check: 'protect' } }]);
  });

  test('leaves out targets that only the branch has, and refuses where none is left', async () => {
    const project = await projectOnMain();
    const text = project.read('upkeep.yaml');
    project.write('upkeep.yaml', text + text.slice(text.indexOf('  live:')).replace('  live:', '  other:'));
    project.commit();
    expect((await project.plan('--trust-from', 'refs/heads/trusted')).document.target).toBe('live');
    edit(project, ['  live:', '  renamed:']);
    project.commit();
    const { code, document } = await project.refused('plan', '--trust-from', 'refs/heads/trusted');
    expect([code, document.error.code]).toEqual([8, 'trust-from']);
  });

  test('takes full names of branches and whole hashes, and answers any other name with the full one', async () => {
    const project = await projectOnMain();
    edit(project, [/base_url: .*/, 'base_url: https://stranger.example.com'], ['title: One', 'title: Two']);
    project.commit();
    for (const tag of ['origin/main', 'trusted', 'main']) project.git('tag', tag);
    project.git('update-ref', 'refs/remotes/origin/main', 'refs/heads/trusted');
    for (const ref of ['main', 'origin/main', 'trusted', 'origin/main~0', 'refs/tags/main', 'refs/remotes/origin/main~0', 'HEAD', '@', ''])
      expect([ref, (await project.refused('plan', `--trust-from=${ref}`)).document.error]).toEqual([
        ref,
        expect.objectContaining({
          exit: 8,
          code: 'trust-from',
          summary: `${ref} is not the full name of a branch, nor the whole hash of a commit`,
        }),
      ]);
    const { document } = await project.refused('plan', '--trust-from', 'main');
    expect(document.error.hint).toBe('write --trust-from refs/remotes/origin/main or --trust-from refs/heads/main');
    const hash = project.git('rev-parse', 'refs/heads/trusted');
    for (const ref of ['refs/remotes/origin/main', 'refs/heads/trusted', hash]) {
      const { code, document } = await project.plan('--trust-from', ref);
      expect([code, ...document.findings.map((finding) => finding.code)]).toEqual([0, 'settings-not-trusted', 'safeguard-lowered']);
    }
    expect((await project.refused('plan', '--trust-from', hash.slice(0, 12))).code).toBe(8);
    // As long as the hashes of a repository with SHA-256, and in this one the name of a tag.
    const name = `${hash}${'0'.repeat(24)}`;
    project.git('tag', name);
    expect((await project.refused('plan', '--trust-from', name)).document.error.summary).toBe(
      `${name} is not the full name of a branch, nor the whole hash of a commit`,
    );
  });

  test('finds upkeep.yaml at its own path: behind no link, and in no folder above', async () => {
    const project = await projectOnMain();
    project.write('sandbox/upkeep.yaml', project.read('upkeep.yaml'));
    project.write('sandbox/config/a.yaml', SOURCE);
    project.commit();
    project.git('branch', '-f', 'trusted');
    symlinkSync('sandbox', join(project.folder, 'production'));
    mkdirSync(join(project.folder, 'below'));
    const planIn = (cwd: string, ...args: readonly string[]) =>
      projectIn(join(project.folder, cwd), project.env).run('plan', '--trust-from', 'refs/heads/trusted', ...args);
    const atTop = 'upkeep runs at the top of the work tree: a folder below it may be a link of the branch';
    const ownPath = 'is not searched in the folders above, and no link of the work tree leads to it';
    for (const [reason, cwd, ...args] of [
      [ownPath, '.', '--project', 'production'],
      [ownPath, '.', '--project', 'production/upkeep.yaml'],
      [ownPath, 'below', '--project', join(project.folder, 'production')],
      [atTop, 'production'],
      [atTop, 'sandbox'],
      [atTop, 'below', '--project', '../sandbox/upkeep.yaml'],
    ] as const) {
      const { code, stderr } = await planIn(cwd, ...args);
      expect([cwd, code, stderr.replace(/\s+/g, ' ')]).toEqual([cwd, 8, expect.stringContaining(reason)]);
    }
    for (const [cwd, named] of [
      ['.', 'sandbox'],
      ['below', join(project.folder, 'sandbox')],
    ] as const)
      expect((await planIn(cwd, '--project', named)).stderr).not.toMatch(/is not\s+searched|at the top/);
  });

  test('says that a project is planned once its upkeep.yaml is merged, where the trusted commit has none', async () => {
    const project = await projectOnMain();
    const tree = project.git('hash-object', '-t', 'tree', '-w', '/dev/null').trim();
    const commit = project.git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit-tree', '-m', 'begin', tree).trim();
    const { code, document } = await project.refused('plan', '--trust-from', commit);
    expect([code, document.error]).toEqual([8, expect.objectContaining({ summary: `upkeep.yaml does not exist at ${commit}` })]);
    expect(document.error.hint).toContain('merge upkeep.yaml first');
  });

  test.each([
    ['a branch that does not exist', 'refs/heads/nowhere', 8],
    ['a commit that does not exist', '0'.repeat(40), 8],
    ['a ref that looks like a flag', '--upload-pack=touch', 8],
  ])('refuses %s', async (_what, ref, exit) => {
    const project = await projectOnMain();
    const { code, stdout } = await project.run('plan', `--trust-from=${ref}`, '--format', 'json');
    expect([code, stdout.includes(API_KEY)]).toEqual([exit, false]);
  });

  test('validates with the rules of the trusted commit', async () => {
    const project = await projectOnMain();
    edit(project, ['version: 1', 'version: 1\nrules: { ad-first: off }']);
    project.commit();
    project.write('config/a.yaml', SOURCE.replace('[{ beam', '[{ ad: 30 }, { beam'));
    project.commit();
    expect((await project.run('validate')).stdout).not.toContain('ad-first');
    expect((await project.run('validate', '--trust-from', 'refs/heads/trusted')).stdout).toContain('ad-first');
  });
});
