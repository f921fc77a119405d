/** Where names may lead: what a pull request can put into a checkout must not send a write, or a secret, anywhere else. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { openJournal } from '../../src/app/history/apply-journal.ts';
import { config, manyPlaylists } from '../e2e/accounts.ts';
import { createGitProject } from '../support/git-project.ts';
import { API_KEY, createTestProject, projectIn, type TestProject, temporaryFolder } from '../support/harness.ts';
import { localFile, writeLocalFileOf } from '../support/local-files.ts';

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
    ['out/.upkeep/report.json', 'a link on the way leaves the working directory'],
    ['.git/.upkeep/report.json', 'it belongs to git'],
    ['nowhere/report.json', 'its folder does not exist'],
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

  test('--out does not overwrite asset files and tables', async () => {
    const { project } = await projectAndOtherFolder();
    const table = 'templates: { t: { params: { a: { type: string } }, playlist: { desc: "${a}", playlist: [] } } }\n';
    project.write(
      'config/account.yaml',
      `smart_starts: { vod: { assets_file: vod.txt } }\n${table}playlists_from: [{ file: t.csv, template: t, key: "\${a}" }]\n`,
    );
    project.write('config/vod.txt', `${'a'.repeat(32)}\n`);
    project.write('config/t.csv', 'a\n');
    const { code, stderr } = await project.run('validate', '--out', 'text=config/vod.txt', '--out', 'json=config/t.csv');
    expect(code).toBe(1);
    expect(stderr.match(/it is part of the configuration/g)).toHaveLength(2);
    expect(project.read('config/vod.txt')).toBe(`${'a'.repeat(32)}\n`);
    expect(project.read('config/t.csv')).toBe('a\n');
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

describe('the local files of the target', () => {
  test.each(['', '..', '../..', 'journal.jsonl'])(
    'a symbolic link in their path (%j) is not followed, and nothing is written',
    async (place) => {
      const { project, elsewhere } = await projectAndOtherFolder();
      const link = join(dirname(localFile(project.folder, 'journal.jsonl')), place);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(place === 'journal.jsonl' ? join(elsewhere, 'target') : elsewhere, link);
      const { code, document } = await project.refused('apply', '--yes');
      expect([code, document.error.summary]).toEqual([1, `${link} is a link, and is not followed`]);
      expect(project.writes()).toEqual([]);
      expect(readdirSync(elsewhere)).toEqual([]);
    },
  );

  test('a pipe in place of the journal stops the run and does not block it', async () => {
    const { project } = await projectAndOtherFolder();
    const journal = localFile(project.folder, 'journal.jsonl');
    mkdirSync(dirname(journal), { recursive: true });
    execFileSync('mkfifo', [journal]);
    const { code, document } = await project.refused('apply', '--yes');
    expect([code, document.error.summary]).toEqual([1, `${journal} is not a regular file`]);
    expect(project.writes()).toEqual([]);
  });

  test('the folders of the records are accessible for their user alone, even where they were not', () => {
    const records = join(temporaryFolder(), 'upkeep', 'project', 'live');
    mkdirSync(records, { recursive: true, mode: 0o777 });
    chmodSync(dirname(records), 0o777);
    const journal = openJournal(records, () => 0);
    journal.recordIntent(['playlist/a']);
    const modes = [records, dirname(records), dirname(dirname(records))].map((folder) => lstatSync(folder).mode & 0o777);
    expect([...modes, lstatSync(join(records, 'journal.jsonl')).mode & 0o777]).toEqual([0o700, 0o700, 0o700, 0o600]);
  });

  test('records of another user are refused', async () => {
    const { project } = await projectAndOtherFolder();
    writeLocalFileOf(project.folder, 'journal.jsonl', '{"at":"x","intend":["playlist/p1"]}\n');
    const anotherUser = vi.spyOn(process, 'getuid').mockReturnValue(4242);
    const { code, document } = await project.refused('plan');
    anotherUser.mockRestore();
    expect([code, document.error.summary]).toEqual([1, expect.stringMatching(/^\/.*\/upkeep belongs to another user$/)]);
  });

  test('a project in a work tree has its records in the git directory, by its path in the work tree, and shares them between worktrees', async () => {
    const project = await createGitProject(config({ playlists: manyPlaylists(1) }));
    const below = join(project.folder, 'a/b');
    cpSync(join(project.folder, 'upkeep.yaml'), join(below, 'upkeep.yaml'));
    cpSync(join(project.folder, 'config'), join(below, 'config'), { recursive: true });
    project.commit();
    const hash = createHash('sha256').update('a/b/').digest('hex');
    const records = join(project.folder, '.git/upkeep', hash, 'live');
    mkdirSync(records, { recursive: true });
    writeFileSync(join(records, 'journal.jsonl'), '{"at":"2026-01-02T03:04:05.000Z","intend":["playlist/p1"]}\n');
    project.git('worktree', 'add', '-q', '--detach', '../tree');
    for (const cwd of [below, join(project.folder, '../tree/a/b')])
      expect((await project.runWith({ cwd }, 'plan')).stderr).toContain('was interrupted at 2026-01-02T03:04:05.000Z');
    expect((await project.run('plan')).stderr).not.toContain('was interrupted');
    rmSync(join(project.folder, '../tree'), { recursive: true });
  });

  test('a project beside an absolute GIT_DIR has its records there, by its real path', async () => {
    const { project } = await projectAndOtherFolder();
    const mirror = join(temporaryFolder(), 'mirror.git');
    execFileSync('git', ['init', '-q', '--bare', mirror]);
    const hash = createHash('sha256').update(realpathSync(project.folder)).digest('hex');
    const records = join(mirror, 'upkeep', hash, 'live');
    mkdirSync(records, { recursive: true });
    writeFileSync(join(records, 'journal.jsonl'), '{"at":"2026-01-02T03:04:05.000Z","intend":["playlist/p1"]}\n');
    expect((await project.runWith({ env: { GIT_DIR: mirror } }, 'plan')).stderr).toContain('was interrupted at 2026-01-02');
    expect((await project.run('plan')).stderr).not.toContain('was interrupted');
  });

  test('nothing in the work tree is read as a local file, as earlier versions did', async () => {
    const project = await createGitProject(config({ playlists: manyPlaylists(1) }));
    expect((await project.apply('--yes')).code).toBe(0);
    const [entry] = project.entries();
    const foreign = { ...entry, bindings: { ...entry?.bindings, 'playlist/foreign': { id: 'theirs', origin: 'created' } } };
    project.write('.upkeep/pending/live.json', JSON.stringify({ previous: project.refs()['refs/upkeep/live'], entry: foreign }));
    project.write('.upkeep/journal/live.jsonl', '{"at":"2026-01-02T03:04:05.000Z","intend":["playlist/p1"]}\n');
    project.write('.upkeep/drift/live.json', '[["playlist/p1","playlist","2026-01-02T03:04:05.000Z"]]');
    project.git('add', '-f', '.upkeep');
    project.commit();
    const { code, stderr } = await project.run('apply', '--yes');
    expect([code, stderr]).toEqual([0, expect.not.stringMatching(/interrupted|not in the ledger/)]);
    expect(project.entries().flatMap(({ bindings }) => Object.keys(bindings))).not.toContain('playlist/foreign');
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

  test.each([
    ['init', 'config', ['init', '--base-url', 'https://services.example.com']],
    ['init', '.vscode', ['init', '--base-url', 'https://services.example.com']],
    ['init with a recipe', '.github', ['init', '--base-url', 'https://services.example.com', '--ci', 'github']],
    ['init of a folder below', 'below', ['init', 'below', '--base-url', 'https://services.example.com']],
    ['init of a new folder', 'below', ['init', 'below/new', '--base-url', 'https://services.example.com']],
  ])('%s follows no link %s out of the project, and writes nothing', async (_what, link, argv) => {
    const { elsewhere } = await projectAndOtherFolder();
    const at = projectIn(temporaryFolder());
    symlinkSync(elsewhere, join(at.folder, link));
    const { code, stderr } = await at.run(...argv);
    expect([code, stderr]).toEqual([8, expect.stringMatching(/cannot write to .*: a link on the way leaves the working directory/)]);
    expect([readdirSync(elsewhere), readdirSync(at.folder)]).toEqual([[], [link]]);
  });

  test('export --dir, emulate --data and --out from a folder below follow no link out of the project', async () => {
    const { project, elsewhere } = await projectAndOtherFolder();
    symlinkSync(elsewhere, pathIn(project, 'out'));
    symlinkSync(join(elsewhere, 'journal'), pathIn(project, 'data.journal'));
    mkdirSync(pathIn(project, 'below'));
    const cwd = pathIn(project, 'below');
    const runs = [
      await project.run('export', '--dir', 'out'),
      await project.run('export', '--dir', 'out/new'),
      await project.runWith({ cwd }, 'export', '--dir', '../out'),
      await project.runWith({ cwd }, 'plan', '--out', 'json=../out/plan.json'),
      await project.run('plan', '--out', 'json=out/plan.json'),
      await project.runWith({ signal: AbortSignal.abort() }, 'emulate', '--owner', 'o', '--api-key', 'k', '--data', 'data'),
      await project.runWith({ signal: AbortSignal.abort() }, 'emulate', '--owner', 'o', '--api-key', 'k', '--data', 'out/data'),
    ];
    expect(runs.map(({ code, stderr }) => [code, /a link on the way leaves/.test(stderr)])).toEqual(runs.map(() => [8, true]));
    expect(readdirSync(elsewhere)).toEqual([]);
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
