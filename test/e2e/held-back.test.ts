/** What is said before an apply is what the apply does: what is sent, and what is held back (design section 4, rule 9). */
import { expect, test } from 'vitest';
import { createGitProject } from '../support/git-project.ts';
import { createTestProject } from '../support/harness.ts';
import { asset } from './accounts.ts';

const PLAYLIST = `{ playlist: [{ beam: ${asset(1)} }, { ad: 30 }] }`;

test('a freeze that lets hardening through lets through a run whose only unsent change weakens', async () => {
  const fairplay = (enforcement: number) => ({ fairplay: { hd: { hdcp_enforcement: enforcement } } });
  const project = await createTestProject(
    {
      'config/a.yaml':
        'drm_policies:\n  hd: { fairplay: { hd: { hdcp_enforcement: 1 } } }\n  sd: { fairplay: { hd: { hdcp_enforcement: 0 } } }\nvmp_reject_statuses: [PLATFORM_TAMPERED]\n',
    },
    {
      seed: {
        'drm-policy': [
          { policy_name: 'hd', ...fairplay(0) },
          { policy_name: 'sd', ...fairplay(1) },
        ],
      },
      rules: 'windows: { deny: [{ why: incident, unless: strengthens }] }\n',
      target: 'weakening: allow\nplayback_loss: allow',
    },
  );
  const unread = [{ method: 'GET', path: '/api/v3/drm/vmp-reject-statuses', status: 400 }];
  project.emulator.setFaults(unread);
  expect((await project.plan()).document.waits).toBeUndefined();
  project.emulator.setFaults(unread);
  const { code, document } = await project.apply('--yes', '--skip-blocked');
  expect(document.outcomes.map(({ address, result }) => [address, result])).toEqual([
    ['drm-policy/hd', 'updated'],
    ['drm-policy/sd', 'skipped'],
  ]);
  expect([code, project.writes().length]).toEqual([7, 1]);
});

test('a plan that blocks only what it forgets ends with the exit code of the apply, and no format calls that no change', async () => {
  const project = await createGitProject({ 'config/a.yaml': `playlists:\n  a: ${PLAYLIST}\n  b: ${PLAYLIST}\n` });
  expect((await project.apply('--yes')).code).toBe(0);
  project.write('config/a.yaml', `playlists:\n  b: ${PLAYLIST}\nremoved: [playlist/a]\n`);
  project.write('upkeep.yaml', project.read('upkeep.yaml').replace(/^( +)base_url:/m, '$1protect: [playlist/a]\n$1base_url:'));
  project.commit();
  const { code, document } = await project.plan('--detailed-exitcode');
  expect(document.changes.map(({ action, blocked }) => [action, blocked?.check])).toEqual([['forget', 'protect']]);
  expect([code, document.summary.blocked]).toEqual([4, 1]);
  for (const format of ['text', 'markdown', 'html', 'github', 'gitlab', 'sarif', 'junit', 'ndjson', 'json']) {
    const ran = await project.run('plan', '--format', format);
    expect([ran.code, ran.stdout], format).toEqual([0, expect.stringMatching(/playlist(\/| )a\b/)]);
    expect(ran.stdout, format).not.toMatch(/no changes?\b(?! of the account)|nothing to do/i);
  }
  expect((await project.refused('apply', '--yes')).code).toBe(4);
});
