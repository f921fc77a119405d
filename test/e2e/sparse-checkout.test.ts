/** Files that git has not checked out: a sparse checkout is no edit of the configuration. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createGitProject, type GitProject } from '../support/git-project.ts';
import { beams } from './accounts.ts';

const A = JSON.stringify({ playlists: { a: { playlist: beams(1) } } });
const B = JSON.stringify({ playlists: { b: { playlist: beams(2) } } });

async function appliedProject(): Promise<GitProject> {
  const project = await createGitProject({ 'config/a.yaml': A, 'config/deep/b.yaml': B });
  expect((await project.apply('--yes')).code).toBe(0);
  project.writes();
  return project;
}

describe.each<readonly [string, (project: GitProject) => void]>([
  ['a sparse checkout', (project) => project.git('sparse-checkout', 'set', '--no-cone', '/upkeep.yaml', '/config/a.yaml')],
  [
    'skip-worktree',
    (project) => {
      project.git('update-index', '--skip-worktree', 'config/deep/b.yaml');
      rmSync(join(project.folder, 'config/deep'), { recursive: true });
    },
  ],
])('a source that %s leaves out', (_what, leaveOut) => {
  test.each(['plan', 'validate', 'apply', 'drift accept playlist/a'])(
    'is an error of %s with its name and the ways out, and no edit',
    async (command) => {
      const project = await appliedProject();
      leaveOut(project);
      const { code, stdout, stderr } = await project.run(...command.split(' '), ...(command === 'apply' ? ['--yes'] : []));
      expect([command, code]).toEqual([command, 8]);
      const text = (stdout + stderr).replace(/\s+/g, ' ');
      expect(text).toContain('`config/deep/b.yaml` cannot be read: git has not checked it out');
      expect(text).toContain('or plan the commit: plan --ref HEAD');
      expect(text).not.toContain('dirty');
      expect(project.writes()).toEqual([]);
      expect((await project.plan('--ref', 'HEAD')).document.changes).toEqual([]);
    },
  );

  test('counts where it is the source that upkeep.yaml names', async () => {
    const project = await appliedProject();
    project.write('upkeep.yaml', project.read('upkeep.yaml').replace('sources: [config]', 'sources: [config/a.yaml, config/deep/b.yaml]'));
    project.commit();
    leaveOut(project);
    expect((await project.run('validate')).stdout).toContain('not-checked-out');
  });
});

test('a file that was deleted is an uncommitted edit', async () => {
  const project = await appliedProject();
  rmSync(join(project.folder, 'config/deep/b.yaml'));
  const { code, document } = await project.plan();
  expect([code, document.config?.dirty, document.summary.delete]).toEqual([0, true, 1]);
});

test('a file that is marked and on disk is read from disk', async () => {
  const project = await appliedProject();
  project.git('update-index', '--skip-worktree', 'config/deep/b.yaml');
  expect((await project.plan()).document.changes).toEqual([]);
});
