import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reportOriginOf } from '../../src/app/report-origin.ts';
import { VERSION } from '../../src/app/version.ts';
import { temporaryFolder } from '../support/harness.ts';

/** A folder `accounts/eu` with a project in it, below the folder that is given. */
function project(top: string, name = 'upkeep.yaml'): string {
  const folder = join(top, 'accounts', 'eu');
  mkdirSync(join(folder, 'config'), { recursive: true });
  writeFileSync(join(folder, name), 'version: 1\n');
  return folder;
}

describe('the site of a report', () => {
  test('tells the way from the top of the work tree, wherever below the project the command runs', () => {
    const top = realpathSync(temporaryFolder());
    const folder = project(top);
    mkdirSync(join(top, '.git'));
    const expected = { command: 'plan', version: VERSION, folder: 'accounts/eu/', project: 'upkeep.yaml' };
    expect(reportOriginOf({ cwd: folder, argv: ['plan'] }, undefined)).toEqual(expected);
    expect(reportOriginOf({ cwd: join(folder, 'config'), argv: ['plan'] }, undefined)).toEqual(expected);
    expect(reportOriginOf({ cwd: top, argv: ['plan'] }, 'accounts/eu')).toEqual(expected);
  });

  test('knows other work trees, where `.git` is a file, and links', () => {
    const top = realpathSync(temporaryFolder());
    const folder = project(top, 'other.yaml');
    writeFileSync(join(top, '.git'), 'gitdir: elsewhere\n');
    const link = join(temporaryFolder(), 'link');
    symlinkSync(folder, link);
    expect(reportOriginOf({ cwd: link, argv: ['x'] }, 'other.yaml')).toMatchObject({ folder: 'accounts/eu/', project: 'other.yaml' });
  });

  test('is the folder of upkeep.yaml itself where there is no work tree, or no project', () => {
    expect(reportOriginOf({ cwd: project(temporaryFolder()), argv: ['x'] }, undefined)).toMatchObject({
      folder: '',
      project: 'upkeep.yaml',
    });
    const top = temporaryFolder();
    mkdirSync(join(top, '.git'));
    expect(reportOriginOf({ cwd: top, argv: ['x'] }, undefined)).toMatchObject({ folder: '' });
    expect(reportOriginOf({ cwd: top, argv: ['x'] }, 'nowhere')).toMatchObject({ folder: '' });
  });
});
