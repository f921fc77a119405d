/** A source cannot have files shown that are none: keys beside the project, files of git, and whatever a link leads to. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createGitProject } from '../../support/git-project.ts';
import { API_KEY } from '../../support/harness.ts';

const TOKEN = 'glpat-a-token-of-the-checkout';
const FORMATS = ['text', 'json', 'html', 'sarif', 'markdown', 'github'];

/** A project with a key in a file that git ignores, and a token in the configuration of git. */
async function projectWithSecrets() {
  const project = await createGitProject({ 'config/a.yaml': 'playlists: {}\n', '.gitignore': 'secrets\n' }, { isSeparate: false });
  for (const folder of ['secrets', 'links']) mkdirSync(join(project.folder, folder));
  for (const name of ['key', 'key.csv', 'key.txt', 'key.yaml']) writeFileSync(join(project.folder, 'secrets', name), `${API_KEY}\n`);
  appendFileSync(join(project.folder, '.git/config'), `[remote "up"]\n\turl = https://ci:${TOKEN}@git.example/x\n`);
  for (const ending of ['txt', 'csv', 'yaml']) writeFileSync(join(project.folder, `.git/notes.${ending}`), `${TOKEN}\n`);
  for (const [link, target] of [
    ['key.txt', '../secrets/key'],
    ['git.txt', '../.git/notes.txt'],
    ['git.csv', '../.git/notes.csv'],
    ['git.yaml', '../.git/notes.yaml'],
    ['folder', '../.git'],
  ] as const)
    symlinkSync(target, join(project.folder, 'links', link));
  return project;
}

const assets = (file: string) => `smart_starts: { x: { assets_file: ${file} } }\n`;
const table = (file: string) =>
  `templates: { t: { params: { a: { type: string } }, playlist: { playlist: [] } } }\nplaylists_from: [{ file: ${file}, template: t, key: "\${a}" }]\n`;

describe('no report shows a line of', () => {
  test.each<[string, string]>([
    ['a key that `assets_file` names', assets('../secrets/key')],
    ['a key with the ending of a text file', assets('../secrets/key.txt')],
    ['a key behind a link', assets('../links/key.txt')],
    ['a key that a table names', table('../secrets/key')],
    ['the configuration of git, as a text file', assets('../.git/notes.txt')],
    ['a file of git in a linked folder', assets('../links/folder/notes.txt')],
    ['the configuration of git, in other letters', assets('../.GIT/config')],
    ['the configuration of git behind a link, as a text file', assets('../links/git.txt')],
    ['the configuration of git behind a link, as a table', table('../links/git.csv')],
  ])('%s', async (_what, source) => {
    const project = await projectWithSecrets();
    project.write('config/a.yaml', source);
    for (const format of FORMATS) {
      const { code, stdout, stderr } = await project.run('validate', '--format', format);
      expect([format, code]).toEqual([format, 8]);
      for (const secret of [API_KEY, TOKEN]) expect(stdout + stderr).not.toContain(secret);
    }
  });

  test.each([
    ['a file', 'secrets/key.yaml', '{ file: secrets/key }'],
    ['a file with a scoped key or another form', 'secrets/key.yaml', '{ file: ./secrets/../secrets/key.txt }'],
    ['an environment variable', 'secrets/key.yaml', '{ env: UPKEEP_API_KEY }'],
  ])('a YAML file that repeats the key of %s, before the key is used', async (_what, source, apiKey) => {
    const project = await projectWithSecrets();
    const text = project.read('upkeep.yaml').replace(/api_key: .*/, `api_key: ${apiKey}`);
    project.write('upkeep.yaml', text.replace('sources: [config]', `sources: [${source}]`));
    for (const format of FORMATS) {
      const { code, stdout, stderr } = await project.run('validate', '--format', format);
      expect([format, code]).toEqual([format, 8]);
      expect(stdout + stderr).not.toContain(API_KEY);
      if (format === 'text') expect(stdout).toContain('[hidden]');
    }
  });

  test('a YAML file that repeats the owner of an environment variable or a file, before the owner is used', async () => {
    const project = await projectWithSecrets();
    const owner = '5e0ad1b0c0ffee00c0ffee00c0ffee00';
    writeFileSync(join(project.folder, 'secrets/owner'), `${owner}\n`);
    writeFileSync(join(project.folder, 'secrets/owner.yaml'), `${owner}\n`);
    const text = project.read('upkeep.yaml').replace('sources: [config]', 'sources: [secrets/owner.yaml]');
    project.write('upkeep.yaml', text.replace(/owner: .*/, 'owner: { file: secrets/owner }'));
    for (const format of FORMATS) {
      const { code, stdout, stderr } = await project.run('validate', '--format', format);
      expect([format, code]).toEqual([format, 8]);
      expect(stdout + stderr).not.toContain(owner);
    }
  });

  test.each(['/proc/self/environ', '.git/config'])('nothing is hidden for what a branch names as a key, as %s', async (file) => {
    const project = await projectWithSecrets();
    writeFileSync(join(project.folder, '.git/config'), `[remote "up"]\n\turl = https://git.example/company-of-${'x'.repeat(40)}\n`, {
      flag: 'a',
    });
    project.write('upkeep.yaml', project.read('upkeep.yaml').replace(/api_key: .*/, `api_key: { file: ${file} }`));
    const guess = file.startsWith('/') ? readFileSync(file, 'utf8') : project.read(file);
    project.write('config/a.yaml', JSON.stringify({ playlists: { x: { wrong: guess } } }));
    expect((await project.run('validate')).stdout).not.toContain('[hidden]');
  });

  test('a credential that is missing, a pipe or a folder is passed over where it is not used', async () => {
    const project = await projectWithSecrets();
    execFileSync('mkfifo', [join(project.folder, 'pipe')]);
    for (const apiKey of ['{ file: gone }', '{ file: pipe }', '{ file: config }', '{ env: NOT_SET }', '{ command: [nobody] }']) {
      project.write('upkeep.yaml', project.read('upkeep.yaml').replace(/api_key: .*/, `api_key: ${apiKey}`));
      expect([apiKey, (await project.run('validate')).code]).toEqual([apiKey, 0]);
    }
  });

  test('what `sources` name beside YAML files', async () => {
    const project = await projectWithSecrets();
    const text = project.read('upkeep.yaml');
    for (const source of [
      'secrets/key',
      'secrets/key.txt',
      '.git/config',
      '.git/notes.yaml',
      '.git',
      'links/git.yaml',
      'links/folder',
      'links',
    ]) {
      project.write('upkeep.yaml', text.replace('sources: [config]', `sources: [${source}]`));
      const { code, stdout, stderr } = await project.run('validate');
      expect([source, code]).toEqual([source, 8]);
      for (const secret of [API_KEY, TOKEN]) expect(stdout + stderr).not.toContain(secret);
    }
  });
});
