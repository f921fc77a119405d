/** A ledger belongs to one project (design section 6): another one with a target of its name is refused before anything is planned. */
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createGitProject, type GitProject } from '../../support/git-project.ts';
import { type ProjectFolder, projectFile, projectIn } from '../../support/harness.ts';
import { asset } from '../accounts.ts';

const LEDGER = 'ledger: git';
const playlists = (...names: readonly string[]): string =>
  `playlists:\n${names.map((name, index) => `  ${name}: { playlist: [{ beam: ${asset(name.length * 10 + index)} }, { ad: 30 }] }\n`).join('')}`;

/** Two projects of one repository, with one account and targets of one name; the one in `sports` is applied. */
async function twoProjects(rules: { readonly sports?: string; readonly kids?: string } = {}) {
  const repository = await createGitProject({}, { isSeparate: false });
  const at = (folder: string, rule = ''): ProjectFolder => {
    repository.write(`${folder}/upkeep.yaml`, projectFile(repository.emulator.url, LEDGER, rule));
    return projectIn(join(repository.folder, folder), repository.env);
  };
  const [sports, kids] = [at('sports', rules.sports), at('kids', rules.kids)];
  repository.write('sports/config/a.yaml', playlists('sports-a', 'sports-b'));
  repository.write('kids/config/a.yaml', playlists('kids-a'));
  repository.commit();
  expect((await sports.run('apply', '--yes')).code).toBe(0);
  return { repository, sports, kids };
}

const names = (project: GitProject) => project.playlists().map(({ desc }) => desc);

describe('another project with a target of the same name', () => {
  test('is refused before anything is planned, with both ways out', async () => {
    const { repository, kids } = await twoProjects();
    for (const argv of [['plan'], ['apply', '--yes'], ['drift']]) {
      const { document, code } = await kids.refused(...argv);
      expect([code, document.error]).toEqual([
        8,
        {
          exit: 8,
          code: 'other-project',
          summary: 'the ledger of live belongs to the project sports, and this is kids',
          hint: expect.stringMatching(/another name or a ledger of its own.*write `project: sports` in upkeep\.yaml, under review/),
        },
      ]);
    }
    expect(names(repository)).toEqual(['sports-a', 'sports-b']);
  });

  test('is seen by validate, at the target, and by doctor', async () => {
    const { kids } = await twoProjects();
    expect(await kids.run('validate')).toMatchObject({
      code: 8,
      stdout: expect.stringMatching(/upkeep\.yaml:\d+:3 +shared-ledger\s+sports\/upkeep\.yaml.* has a target live with the same ledger/),
    });
    const { code, stdout } = await kids.run('doctor');
    expect([code, stdout]).toEqual([8, expect.stringContaining('sports/upkeep.yaml has a target live with the same ledger')]);
  });

  test('is refused by the names that both give themselves, and not by their folders', async () => {
    const { repository, sports } = await twoProjects({ sports: 'project: sport' });
    expect(repository.entries()).toMatchObject([{ schemaVersion: 2, project: 'sport' }]);
    sports.write('upkeep.yaml', projectFile(repository.emulator.url, LEDGER, 'project: other'));
    repository.commit();
    expect((await sports.refused('plan')).document.error.code).toBe('other-project');
  });

  test('takes the ledger over where a reviewed edit says that it is the same one', async () => {
    const { kids, repository } = await twoProjects({ kids: 'project: sports' });
    expect((await kids.plan()).document.changes.map(({ action, address }) => `${action} ${address}`)).toEqual([
      'create playlist/kids-a',
      'delete playlist/sports-a',
      'delete playlist/sports-b',
    ]);
    expect(names(repository)).toEqual(['sports-a', 'sports-b']);
  });
});

describe('a project that moves to another folder', () => {
  const moved = (repository: GitProject, to: string): ProjectFolder => {
    mkdirSync(join(repository.folder, to, '..'), { recursive: true });
    renameSync(join(repository.folder, 'sports'), join(repository.folder, to));
    return projectIn(join(repository.folder, to), repository.env);
  };

  test('keeps its ledger and its objects, and the next entry names the new folder', async () => {
    const { repository } = await twoProjects();
    const project = moved(repository, 'content/sports');
    repository.commit();
    expect((await project.plan()).document.changes).toEqual([]);
    project.write('config/a.yaml', playlists('sports-a', 'sports-b', 'sports-c'));
    repository.commit();
    expect((await project.apply('--yes')).code).toBe(0);
    expect(repository.entries().map(({ project: name }) => name)).toEqual(['sports', 'content/sports']);
  });

  test('does not keep it where the old folder still has a project', async () => {
    const { repository } = await twoProjects();
    const project = moved(repository, 'content/sports');
    repository.write('sports/upkeep.yaml', projectFile(repository.emulator.url, LEDGER));
    repository.commit();
    expect((await project.refused('plan')).document.error.code).toBe('other-project');
  });

  test('does not keep it where its commit does not contain the commit last applied', async () => {
    const { repository } = await twoProjects();
    const project = moved(repository, 'content/sports');
    repository.git('checkout', '-q', '--orphan', 'other');
    repository.commit();
    expect((await project.refused('plan')).document.error.code).toBe('other-project');
  });

  test('does not take the ledger of the project that moved into the folder of another one', async () => {
    const { repository, kids } = await twoProjects();
    repository.git('rm', '-q', '-r', 'sports');
    repository.commit();
    expect((await kids.refused('plan')).document.error.code).toBe('other-project');
  });
});

test('a ledger in a repository of its own needs the name of the project', async () => {
  const project = await createGitProject({}, { isSeparate: true });
  project.write('upkeep.yaml', project.read('upkeep.yaml').replace('project: content\n', ''));
  expect(await project.run('validate')).toMatchObject({ code: 8, stderr: expect.stringContaining('needs `project`') });
});
