/** Where names may lead: what a pull request can put into a checkout must not send a write, or a secret, anywhere else. */
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openJournal } from '../../src/app/journal.ts';
import { config, manyPlaylists } from '../e2e/accounts.ts';
import { API_KEY, type Stage, stage, temporaryFolder } from '../support/harness.ts';

/** A project, and a folder beside it that is none of its business. */
async function besides(): Promise<{ readonly set: Stage; readonly elsewhere: string }> {
  const set = await stage(config({ playlists: manyPlaylists(1) }));
  return { set, elsewhere: temporaryFolder() };
}

const at = (set: Stage, file: string) => join(set.folder, file);

describe('--out', () => {
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
  ])('%s is refused before any request is sent', async (file, why) => {
    const { set, elsewhere } = await besides();
    mkdirSync(at(set, '.git/hooks'), { recursive: true });
    symlinkSync(join('.git', 'hooks'), at(set, 'hooks'));
    writeFileSync(join(elsewhere, 'precious'), 'as it was');
    symlinkSync(join(elsewhere, 'precious'), at(set, 'link.json'));
    symlinkSync(join(elsewhere, 'new'), at(set, 'dangling.json'));
    symlinkSync(elsewhere, at(set, 'out'));
    const before = set.read('upkeep.yaml');
    const { code, stderr } = await set.run('apply', '--yes', '--out', `json=${file}`);
    expect({ code, stderr }).toEqual({ code: 8, stderr: `error: --out cannot write to ${file}: ${why}\n  hint: choose another file\n` });
    expect(set.emulator.requests()).toEqual([]);
    expect(readdirSync(elsewhere)).toEqual(['precious']);
    expect(readFileSync(join(elsewhere, 'precious'), 'utf8')).toBe('as it was');
    expect(readdirSync(at(set, '.git/hooks'))).toEqual([]);
    expect(set.read('upkeep.yaml')).toBe(before);
  });

  test('spares the lists of assets and the sources of any other name, which are known once they are read', async () => {
    const { set } = await besides();
    set.write('config/account.yaml', JSON.stringify({ smart_starts: { vod: { assets_file: 'vod.txt' } } }));
    set.write('config/vod.txt', `${'a'.repeat(32)}\n`);
    set.write('more.json', '{"playlists":{}}');
    set.write('upkeep.yaml', set.read('upkeep.yaml').replace('[config]', '[config, more.json]'));
    const { code, stderr } = await set.run('validate', '--out', 'text=config/vod.txt', '--out', 'json=more.json');
    expect(code).toBe(1);
    expect(stderr.match(/it is part of the configuration/g)).toHaveLength(2);
    expect(set.read('config/vod.txt')).toBe(`${'a'.repeat(32)}\n`);
    expect(set.read('more.json')).toBe('{"playlists":{}}');
  });

  test('goes where the user names a place: outside, and through a link that stays inside', async () => {
    const { set, elsewhere } = await besides();
    mkdirSync(at(set, 'reports'));
    symlinkSync('reports', at(set, 'latest'));
    const { code } = await set.run('plan', '--out', `json=${join(elsewhere, 'plan.json')}`, '--out', 'text=latest/plan.txt');
    expect(code).toBe(0);
    expect(JSON.parse(readFileSync(join(elsewhere, 'plan.json'), 'utf8'))).toMatchObject({ target: 'live' });
    expect(set.read('reports/plan.txt')).toContain('Plan');
    expect(readdirSync(elsewhere)).toEqual(['plan.json']);
  });

  test('replaces a report whole, and never through a second name of the same file', async () => {
    const { set } = await besides();
    set.write('plan.json', 'an older report');
    execFileSync('ln', [at(set, 'plan.json'), at(set, 'second-name')]);
    expect((await set.run('plan', '--out', 'json=plan.json')).code).toBe(0);
    expect(JSON.parse(set.read('plan.json'))).toMatchObject({ target: 'live' });
    expect(set.read('second-name')).toBe('an older report');
  });
});

describe('the folder .upkeep', () => {
  test.each(['.upkeep', '.upkeep/journal', '.upkeep/pending', '.upkeep/journal/live.jsonl'])(
    '%s is not followed as a link, and nothing is written',
    async (link) => {
      const { set, elsewhere } = await besides();
      if (link !== '.upkeep') mkdirSync(at(set, '.upkeep/journal/..'), { recursive: true });
      if (link.endsWith('.jsonl')) mkdirSync(at(set, '.upkeep/journal'), { recursive: true });
      symlinkSync(link.endsWith('.jsonl') ? join(elsewhere, 'target') : elsewhere, at(set, link));
      const { code, stderr } = await set.run('apply', '--yes');
      expect(code).toBe(1);
      expect(stderr).toContain(`${at(set, link)} is a link, and is not followed`);
      expect(set.writes()).toEqual([]);
      expect(readdirSync(elsewhere)).toEqual([]);
    },
  );

  test('a pipe in place of the journal is not waited for', async () => {
    const { set } = await besides();
    mkdirSync(at(set, '.upkeep/journal'), { recursive: true });
    execFileSync('mkfifo', [at(set, '.upkeep/journal/live.jsonl')]);
    const { code } = await set.run('apply', '--yes', '--only', 'nothing');
    expect(code).toBe(0);
  });

  test('is made where it is missing, with a file that keeps it out of git', () => {
    const folder = temporaryFolder();
    openJournal(folder, 'live', () => 0).recordIntent(['playlist/a']);
    expect(lstatSync(join(folder, '.upkeep')).isDirectory()).toBe(true);
    expect(readFileSync(join(folder, '.upkeep/.gitignore'), 'utf8')).toBe('*\n');
  });
});

describe('credentials from a file', () => {
  const withKeyIn = (set: Stage, file: string) =>
    set.write('upkeep.yaml', set.read('upkeep.yaml').replace('{ env: UPKEEP_API_KEY }', `{ file: ${JSON.stringify(file)} }`));

  test('may be mounted anywhere, behind links, as container platforms do', async () => {
    const { set, elsewhere } = await besides();
    mkdirSync(join(elsewhere, '..data'));
    writeFileSync(join(elsewhere, '..data/key'), `${API_KEY}\n`);
    symlinkSync('..data/key', join(elsewhere, 'key'));
    withKeyIn(set, join(elsewhere, 'key'));
    expect((await set.plan()).code).toBe(0);
  });

  test.each([
    ['a pipe that nobody writes to', 'pipe', 'is not a regular file'],
    ['a device without end', '/dev/zero', 'is not a regular file'],
    ['a folder', 'config', 'is not a regular file'],
    ['a file of many lines', 'many', 'holds control characters'],
    ['a file that is too long', 'long', 'is too long to be a credential'],
  ])('%s is refused in words, without its content', async (_what, file, why) => {
    const { set } = await besides();
    execFileSync('mkfifo', [at(set, 'pipe')]);
    set.write('many', 'CANARY one\nCANARY two\n');
    set.write('long', 'CANARY'.repeat(20_000));
    withKeyIn(set, file);
    const { code, stderr, stdout } = await set.run('plan');
    expect(code).toBe(8);
    expect(stderr).toContain(`the file ${file} ${why}`);
    expect(stdout + stderr).not.toContain('CANARY');
    expect(set.emulator.requests()).toEqual([]);
  });
});

describe('the other names', () => {
  test('sources and assets_file stay inside the project, whatever a link says', async () => {
    const { set, elsewhere } = await besides();
    writeFileSync(join(elsewhere, 'secret.txt'), 'CANARY\n');
    symlinkSync(join(elsewhere, 'secret.txt'), at(set, 'config/assets.txt'));
    for (const name of ['assets.txt', '../../secret.txt', join(elsewhere, 'secret.txt')]) {
      set.write('config/account.yaml', JSON.stringify({ smart_starts: { vod: { assets_file: name } } }));
      const { code, stdout } = await set.run('validate');
      expect({ name, code }).toEqual({ name, code: 8 });
      expect(stdout).toContain('outside-project');
      expect(stdout).not.toContain('CANARY');
    }
    set.write('upkeep.yaml', set.read('upkeep.yaml').replace('[config]', `[${JSON.stringify(elsewhere)}, ../x, config/assets.txt]`));
    expect((await set.run('validate')).stdout.match(/outside-project/g)).toHaveLength(3);
  });

  test('--project takes no pipe and no folder without upkeep.yaml', async () => {
    const { set, elsewhere } = await besides();
    execFileSync('mkfifo', [join(elsewhere, 'upkeep.yaml')]);
    for (const project of [elsewhere, join(elsewhere, 'upkeep.yaml'), 'config']) {
      expect(await set.run('validate', '--project', project)).toMatchObject({ code: 8 });
    }
  });

  test('export --dir writes into no folder that holds anything, a dangling link included', async () => {
    const { set, elsewhere } = await besides();
    mkdirSync(at(set, 'exported'));
    symlinkSync(join(elsewhere, 'playlists.yaml'), at(set, 'exported/playlists.yaml'));
    expect((await set.run('export', '--dir', 'exported')).code).toBe(8);
    expect(existsSync(join(elsewhere, 'playlists.yaml'))).toBe(false);
  });

  test.each(['show', 'apply'])('%s reads no saved plan from a pipe or a device', async (command) => {
    const { set } = await besides();
    execFileSync('mkfifo', [at(set, 'pipe')]);
    for (const file of ['pipe', '/dev/zero', 'config']) {
      const { code, stderr } = await set.run(command, ...(command === 'apply' ? ['--plan'] : []), file);
      expect(code).toBe(8);
      expect(stderr).toContain(`${file}: it is not a regular file`);
    }
  });
});
