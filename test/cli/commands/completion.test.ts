/** Completion comes from the command tree itself; test/e2e/shells.test.ts has real shells complete. */

import { describe, expect, test } from 'vitest';
import { wholeCommandLine } from '../../../src/cli/command-line.ts';
import { SCRIPTS } from '../../../src/cli/completion/scripts.ts';
import { SHELLS } from '../../../src/cli/flags.ts';
import { FORMATS } from '../../../src/report/document.ts';
import { type ProjectFolder, projectFile, projectIn, temporaryFolder } from '../../support/harness.ts';

const LISTS = `{ playlist: [{ beam: ${'a'.repeat(32)} }, { beam: ${'b'.repeat(32)} }] }`;

function project(): ProjectFolder {
  const made = projectIn(temporaryFolder());
  const second = projectFile('https://example.com')
    .replace(/^[\s\S]*?targets:\n/, '')
    .replace('  live:', '  staging:')
    .replace('[config]', '[staging]');
  made.write('upkeep.yaml', projectFile('https://example.com') + second);
  made.write('config/a.yaml', `playlists:\n  evening: ${LISTS}\n  morning: ${LISTS}\ndrm_policies: { "a b'c": {} }\n`);
  made.write('staging/a.yaml', `playlists:\n  rehearsal: ${LISTS}\n`);
  return made;
}

async function candidatesOf(at: ProjectFolder, ...words: string[]): Promise<readonly string[]> {
  const { code, stdout, stderr } = await at.run('complete', '--', ...words);
  expect([code, stderr]).toEqual([0, '']);
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.replace(/\t.*/, ''));
}

describe('the candidates of a completion', () => {
  test('the candidates of the first word are all commands but the hidden one', async () => {
    const names = wholeCommandLine('0').commands.map((command) => command.name());
    const found = await candidatesOf(project(), '');
    expect(found).toEqual(expect.arrayContaining(names.filter((name) => name !== 'complete')));
    expect(found).not.toContain('complete');
    expect(await candidatesOf(project(), 'pl')).toEqual(['plan']);
  });

  test('the candidates of a dash are the flags of the command', async () => {
    for (const command of wholeCommandLine('0').commands) {
      const flags = command.options.flatMap(({ long }) => long ?? []);
      expect(await candidatesOf(project(), command.name(), '--')).toEqual(expect.arrayContaining(flags));
    }
  });

  test.each([
    [['plan', '--format', ''], [...FORMATS]],
    [
      ['plan', '--format=j'],
      ['--format=json', '--format=junit'],
    ],
    [
      ['plan', '--format', '=', 'j'],
      ['json', 'junit'],
    ],
    [['plan', '--format', '='], [...FORMATS]],
    [
      ['plan', '--out', 'j'],
      ['json=', 'junit='],
    ],
    [['plan', '--log-level', 'w'], ['warn']],
    [
      ['plan', '-t', ''],
      ['live', 'staging'],
    ],
    [['plan', '--target', 's'], ['staging']],
    [
      ['plan', '--only', 'playlist/'],
      ['playlist/evening', 'playlist/morning', 'playlist/rehearsal'],
    ],
    [['plan', '-t', 'staging', '--only', ''], ['playlist/rehearsal']],
    [['plan', '--target=staging', '--only', ''], ['playlist/rehearsal']],
    [['impact', ''], ['drm-policy/a%20b%27c']],
    [['drift', 'a'], ['accept']],
    [['drift', 'accept', 'playlist/e'], ['playlist/evening']],
    [
      ['drift', 'accept', 'x', '-t', 'live', 'playlist/'],
      ['playlist/evening', 'playlist/morning'],
    ],
    [['drift', 'accept', '--dr'], ['--dry-run']],
    [['explain', 'playlist/e'], ['playlist/evening']],
    [['history', 'playlist/e'], ['playlist/evening']],
    [['explain', 'drm_policies.fair'], ['drm_policies.fairplay']],
    [
      ['explain', 'targets.limits.'],
      ['targets.limits.off_air', 'targets.limits.delete', 'targets.limits.update'],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['plan', '--project', ''], []],
    [['nonsense', ''], []],
    [['plan', 'more', ''], []],
  ])('the candidates of %j are %j', async (words, candidates) => {
    const found = await candidatesOf(project(), ...words);
    expect(found.filter((word) => !word.includes(`/${'a'.repeat(3)}`))).toEqual(candidates);
  });

  test('an invalid configuration gives no candidates and no message', async () => {
    const broken = project();
    broken.write('upkeep.yaml', 'version: [');
    expect(await candidatesOf(broken, 'plan', '-t', '')).toEqual([]);
    expect(await candidatesOf(projectIn(temporaryFolder()), 'plan', '--only', '')).toEqual([]);
    expect(await candidatesOf(broken, 'val')).toEqual(['validate']);
  });
});

describe.each(SHELLS)('the script for %s', (shell) => {
  test('the script is printed and names the command that loads it', async () => {
    const { code, stdout } = await projectIn(temporaryFolder()).run('completion', shell);
    expect([code, stdout]).toEqual([0, SCRIPTS[shell]]);
    expect(stdout).toMatch(new RegExp(`^# .*upkeep completion ${shell}`, 'm'));
  });

  test('the script names no command and no flag, since it asks the program for them', () => {
    const tree = wholeCommandLine('0');
    const names = tree.commands.map((command) => command.name()).filter((name) => !['complete', 'completion'].includes(name));
    for (const name of names) expect(SCRIPTS[shell]).not.toMatch(new RegExp(`\\bupkeep ${name}\\b`));
    for (const flag of tree.commands.flatMap(({ options }) => options)) expect(SCRIPTS[shell]).not.toContain(flag.long);
  });
});

test('a shell without a script exits with 8', async () => {
  const { code, stderr } = await projectIn(temporaryFolder()).run('completion', 'tcsh');
  expect(code).toBe(8);
  expect(stderr).toContain('bash');
});
