/** Where names may lead: what a pull request can put into a checkout must not send a write, or a secret, anywhere else. */
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openJournal } from '../../src/app/apply-journal.ts';
import { config, manyPlaylists } from '../e2e/accounts.ts';
import { API_KEY, createTestProject, type TestProject, temporaryFolder } from '../support/harness.ts';

/** A project, and a folder beside it that is none of its business. */
async function projectAndOtherFolder(): Promise<{ readonly project: TestProject; readonly elsewhere: string }> {
  const project = await createTestProject(config({ playlists: manyPlaylists(1) }));
  return { project, elsewhere: temporaryFolder() };
}

const pathIn = (project: TestProject, file: string) => join(project.folder, file);

describe('the path of --out', () => {
  test.each([
    ['upkeep.yaml', 'files of this name hold configuration'],
    ['config/account.yaml', 'files of this name hold configuration'],
    ['config/new.YML', 'files of this name hold configuration'],
    ['.git/hooks/post-checkout', 'it belongs to git'],
    ['.git', 'it belongs to git'],
    ['hooks/post-checkout', 'it belongs to git'],
    ['link.json', 'what is there is not a regular file'],
    ['dangling.json', 'what is there is not a regular file'],
    ['config', 'what is there is not a regular file'],
    ['out/report.json', 'a link on the way leaves the working directory'],
    ['/dev/null', 'what is there is not a regular file'],
  ])('--out refuses %s before any request is sent', async (file, why) => {
    const { project, elsewhere } = await projectAndOtherFolder();
    mkdirSync(pathIn(project, '.git/hooks'), { recursive: true });
    symlinkSync(join('.git', 'hooks'), pathIn(project, 'hooks'));
    writeFileSync(join(elsewhere, 'precious'), 'as it was');
    symlinkSync(join(elsewhere, 'precious'), pathIn(project, 'link.json'));
    symlinkSync(join(elsewhere, 'new'), pathIn(project, 'dangling.json'));
    symlinkSync(elsewhere, pathIn(project, 'out'));
    const before = project.read('upkeep.yaml');
    const { code, stderr } = await project.run('apply', '--yes', '--out', `json=${file}`);
    expect({ code, stderr }).toEqual({ code: 8, stderr: `error: --out cannot write to ${file}: ${why}\n  hint: choose another file\n` });
    expect(project.emulator.requests()).toEqual([]);
    expect(readdirSync(elsewhere)).toEqual(['precious']);
    expect(readFileSync(join(elsewhere, 'precious'), 'utf8')).toBe('as it was');
    expect(readdirSync(pathIn(project, '.git/hooks'))).toEqual([]);
    expect(project.read('upkeep.yaml')).toBe(before);
  });

  test('--out does not overwrite asset files and sources of any name', async () => {
    const { project } = await projectAndOtherFolder();
    project.write('config/account.yaml', JSON.stringify({ smart_starts: { vod: { assets_file: 'vod.txt' } } }));
    project.write('config/vod.txt', `${'a'.repeat(32)}\n`);
    project.write('more.json', '{"playlists":{}}');
    project.write('upkeep.yaml', project.read('upkeep.yaml').replace('[config]', '[config, more.json]'));
    const { code, stderr } = await project.run('validate', '--out', 'text=config/vod.txt', '--out', 'json=more.json');
    expect(code).toBe(1);
    expect(stderr.match(/it is part of the configuration/g)).toHaveLength(2);
    expect(project.read('config/vod.txt')).toBe(`${'a'.repeat(32)}\n`);
    expect(project.read('more.json')).toBe('{"playlists":{}}');
  });

  test('--out writes outside the working directory, and through a link that stays inside', async () => {
    const { project, elsewhere } = await projectAndOtherFolder();
    mkdirSync(pathIn(project, 'reports'));
    symlinkSync('reports', pathIn(project, 'latest'));
    const { code } = await project.run('plan', '--out', `json=${join(elsewhere, 'plan.json')}`, '--out', 'text=latest/plan.txt');
    expect(code).toBe(0);
    expect(JSON.parse(readFileSync(join(elsewhere, 'plan.json'), 'utf8'))).toMatchObject({ target: 'live' });
    expect(project.read('reports/plan.txt')).toContain('Plan');
    expect(readdirSync(elsewhere)).toEqual(['plan.json']);
  });

  test('--out replaces a report atomically and does not write through a hard link', async () => {
    const { project } = await projectAndOtherFolder();
    project.write('plan.json', 'an older report');
    execFileSync('ln', [pathIn(project, 'plan.json'), pathIn(project, 'second-name')]);
    expect((await project.run('plan', '--out', 'json=plan.json')).code).toBe(0);
    expect(JSON.parse(project.read('plan.json'))).toMatchObject({ target: 'live' });
    expect(project.read('second-name')).toBe('an older report');
  });
});

describe('the folder .upkeep', () => {
  test.each(['.upkeep', '.upkeep/journal', '.upkeep/pending', '.upkeep/journal/live.jsonl'])(
    'a symbolic link at %s is not followed, and nothing is written',
    async (link) => {
      const { project, elsewhere } = await projectAndOtherFolder();
      if (link !== '.upkeep') mkdirSync(pathIn(project, '.upkeep/journal/..'), { recursive: true });
      if (link.endsWith('.jsonl')) mkdirSync(pathIn(project, '.upkeep/journal'), { recursive: true });
      symlinkSync(link.endsWith('.jsonl') ? join(elsewhere, 'target') : elsewhere, pathIn(project, link));
      const { code, stderr } = await project.run('apply', '--yes');
      expect(code).toBe(1);
      expect(stderr).toContain(`${pathIn(project, link)} is a link, and is not followed`);
      expect(project.writes()).toEqual([]);
      expect(readdirSync(elsewhere)).toEqual([]);
    },
  );

  test('a pipe in place of the journal does not block the run', async () => {
    const { project } = await projectAndOtherFolder();
    mkdirSync(pathIn(project, '.upkeep/journal'), { recursive: true });
    execFileSync('mkfifo', [pathIn(project, '.upkeep/journal/live.jsonl')]);
    const { code } = await project.run('apply', '--yes', '--only', 'nothing');
    expect(code).toBe(0);
  });

  test('.upkeep is created with a .gitignore that excludes it', () => {
    const folder = temporaryFolder();
    openJournal(folder, 'live', () => 0).recordIntent(['playlist/a']);
    expect(lstatSync(join(folder, '.upkeep')).isDirectory()).toBe(true);
    expect(readFileSync(join(folder, '.upkeep/.gitignore'), 'utf8')).toBe('*\n');
  });
});

describe('credentials from a file', () => {
  const withKeyIn = (project: TestProject, file: string) =>
    project.write('upkeep.yaml', project.read('upkeep.yaml').replace('{ env: UPKEEP_API_KEY }', `{ file: ${JSON.stringify(file)} }`));

  test('a credential file may be mounted anywhere and reached through symbolic links', async () => {
    const { project, elsewhere } = await projectAndOtherFolder();
    mkdirSync(join(elsewhere, '..data'));
    writeFileSync(join(elsewhere, '..data/key'), `${API_KEY}\n`);
    symlinkSync('..data/key', join(elsewhere, 'key'));
    withKeyIn(project, join(elsewhere, 'key'));
    expect((await project.plan()).code).toBe(0);
  });

  test.each([
    ['a pipe that nobody writes to', 'pipe', 'is not a regular file'],
    ['a device without end', '/dev/zero', 'is not a regular file'],
    ['a folder', 'config', 'is not a regular file'],
    ['a file of many lines', 'many', 'holds control characters'],
    ['a file that is too long', 'long', 'is too long to be a credential'],
  ])('%s is refused as a credential file, without its content in the message', async (_what, file, why) => {
    const { project } = await projectAndOtherFolder();
    execFileSync('mkfifo', [pathIn(project, 'pipe')]);
    project.write('many', 'CANARY one\nCANARY two\n');
    project.write('long', 'CANARY'.repeat(20_000));
    withKeyIn(project, file);
    const { code, stderr, stdout } = await project.run('plan');
    expect(code).toBe(8);
    expect(stderr).toContain(`the file ${file} ${why}`);
    expect(stdout + stderr).not.toContain('CANARY');
    expect(project.emulator.requests()).toEqual([]);
  });
});

describe('other paths', () => {
  test('sources and assets_file stay inside the project, even through symbolic links', async () => {
    const { project, elsewhere } = await projectAndOtherFolder();
    writeFileSync(join(elsewhere, 'secret.txt'), 'CANARY\n');
    symlinkSync(join(elsewhere, 'secret.txt'), pathIn(project, 'config/assets.txt'));
    for (const name of ['assets.txt', '../../secret.txt', join(elsewhere, 'secret.txt')]) {
      project.write('config/account.yaml', JSON.stringify({ smart_starts: { vod: { assets_file: name } } }));
      const { code, stdout } = await project.run('validate');
      expect({ name, code }).toEqual({ name, code: 8 });
      expect(stdout).toContain('outside-project');
      expect(stdout).not.toContain('CANARY');
    }
    project.write(
      'upkeep.yaml',
      project.read('upkeep.yaml').replace('[config]', `[${JSON.stringify(elsewhere)}, ../x, config/assets.txt]`),
    );
    expect((await project.run('validate')).stdout.match(/outside-project/g)).toHaveLength(3);
  });

  test('--project refuses a pipe and a folder without upkeep.yaml', async () => {
    const { project, elsewhere } = await projectAndOtherFolder();
    execFileSync('mkfifo', [join(elsewhere, 'upkeep.yaml')]);
    for (const argument of [elsewhere, join(elsewhere, 'upkeep.yaml'), 'config']) {
      expect(await project.run('validate', '--project', argument)).toMatchObject({ code: 8 });
    }
  });

  test('export --dir refuses a folder that contains anything, even a dangling link', async () => {
    const { project, elsewhere } = await projectAndOtherFolder();
    mkdirSync(pathIn(project, 'exported'));
    symlinkSync(join(elsewhere, 'playlists.yaml'), pathIn(project, 'exported/playlists.yaml'));
    expect((await project.run('export', '--dir', 'exported')).code).toBe(8);
    expect(existsSync(join(elsewhere, 'playlists.yaml'))).toBe(false);
  });

  test.each(['show', 'apply'])('%s refuses a saved plan in a pipe or a device', async (command) => {
    const { project } = await projectAndOtherFolder();
    execFileSync('mkfifo', [pathIn(project, 'pipe')]);
    for (const file of ['pipe', '/dev/zero', 'config']) {
      const { code, stderr } = await project.run(command, ...(command === 'apply' ? ['--plan'] : []), file);
      expect(code).toBe(8);
      expect(stderr).toContain(`${file}: it is not a regular file`);
    }
  });
});
