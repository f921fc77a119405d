/** Confirmation: by a person at a terminal, or by a flag; without changes nothing is asked (design section 5, apply). */
import { describe, expect, test } from 'vitest';
import { createTestProject, type TestProject } from '../support/harness.ts';
import { config, manyLive, manyPlaylists, PLAYLISTS } from './accounts.ts';

function changedProject(): Promise<TestProject> {
  return createTestProject(config({ playlists: manyPlaylists(1, { repeat: 1 }) }), { seed: { playlist: manyLive(1) } });
}

describe('apply at a terminal', () => {
  test('shows the plan, asks with count and target, and applies after `yes`', async () => {
    const project = await changedProject();
    const ran = await project.runWith({ terminal: true, stdin: 'yes\n' }, 'apply');
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('playlist/p1');
    expect(ran.stderr).toMatch(/Apply 1 change to live\?/);
    expect(project.writes()).toEqual([`PATCH ${PLAYLISTS}/live1`]);
  });

  test.each(['no\n', 'y\n', 'YES\n', '\n', '', 'yes please\n', 'no\nyes\n'])('applies nothing after the answer %j', async (stdin) => {
    const project = await changedProject();
    const ran = await project.runWith({ terminal: true, stdin }, 'apply');
    expect(ran.code).toBe(4);
    expect(ran.stderr).toContain('not confirmed');
    expect(project.writes()).toEqual([]);
  });

  test('does not repeat the plan after `yes`; a file of the report has everything', async () => {
    const project = await changedProject();
    const ran = await project.runWith({ terminal: true, stdin: 'yes\n' }, 'apply', '--no-color', '--out', 'markdown=report.md');
    expect(ran.stdout.match(/Fingerprint:/g)).toHaveLength(1);
    expect(ran.stdout.slice(ran.stdout.indexOf('Apply to live'))).toBe(
      'Apply to live\n\nApply: 1 updated.\nVerified: all that was written reads back as desired.\n',
    );
    expect(project.read('report.md')).toMatch(/### Done \(1\)[\s\S]*`playlist\/p1`/);
  });

  test('lists after `yes` what was skipped, and with --full what was done, too', async () => {
    const playlists = { ...manyPlaylists(2, { repeat: 1 }), open: { skip_drm: 1, playlist: [{ beam: 'f'.repeat(32) }] } };
    const reportOf = async (...flags: readonly string[]) => {
      const project = await createTestProject(config({ playlists }), { seed: { playlist: manyLive(2) } });
      const { stdout } = await project.runWith({ terminal: true, stdin: 'yes\n' }, 'apply', '--skip-blocked', '--no-color', ...flags);
      return stdout.slice(stdout.indexOf('Apply to live'));
    };
    const brief = await reportOf();
    expect(brief).toContain('skipped playlist/open');
    expect(brief).not.toContain('playlist/p1');
    expect(await reportOf('--full')).toContain('updated playlist/p1');
  });

  test('asks nothing with --yes', async () => {
    const project = await changedProject();
    const ran = await project.runWith({ terminal: true }, 'apply', '--yes');
    expect([ran.code, ran.stderr.includes('?')]).toEqual([0, false]);
  });
});

test('apply without a terminal and without a flag writes nothing, whatever stdin contains', async () => {
  const project = await changedProject();
  const ran = await project.runWith({ stdin: 'yes\n' }, 'apply', '--format', 'json');
  expect(ran.code).toBe(4);
  expect(JSON.parse(ran.stdout)).toMatchObject({ error: { exit: 4, code: 'not-confirmed', hint: expect.stringContaining('--yes') } });
  expect(project.writes()).toEqual([]);
});

test.each([false, true])('apply asks nothing where there is no change (terminal: %s)', async (terminal) => {
  const project = await createTestProject(config({ playlists: manyPlaylists(1) }), { seed: { playlist: manyLive(1) } });
  const ran = await project.runWith({ terminal }, 'apply');
  expect(ran.code).toBe(0);
  expect(ran.stderr).not.toContain('?');
  expect(project.writes()).toEqual([]);
});
