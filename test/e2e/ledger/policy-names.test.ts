/** Playback URLs name DRM policies, so what a plan says of a name is true of the name (design section 10). */
import { describe, expect, test } from 'vitest';
import { createGitProject, type GitProject } from '../../support/git-project.ts';
import { config, declare } from '../accounts.ts';

const STRONG = {
  widevine: {
    policy_overrides: { can_play: true, license_duration_seconds: 600 },
    content_key_specs: [{ track_type: 'ALL', security_level: 5, required_output_protection: { hdcp: 'HDCP_V2_2' } }],
  },
};
const WEAK = { fairplay: { persistence: false } };

/** An account whose policies were applied once. */
async function applied(policies: { readonly [name: string]: object }): Promise<GitProject> {
  const project = await createGitProject(config({ drm_policies: JSON.parse(JSON.stringify(policies)) }), {
    target: 'playback_loss: allow',
  });
  expect((await project.apply('--yes', '--allow', 'weakening')).code).toBe(0);
  return project;
}

/** Commits other policies, and returns the checks that block the plan, by address. */
async function blockedBy(
  project: GitProject,
  policies: { readonly [name: string]: object },
  moves: readonly (readonly [string, string])[],
) {
  declare(project, {
    drm_policies: JSON.parse(JSON.stringify(policies)),
    moved: moves.map(([from, to]) => ({ from: `drm-policy/${from}`, to: `drm-policy/${to}` })),
  });
  project.commit();
  const { document } = await project.plan();
  return Object.fromEntries(document.changes.map(({ address, blocked }) => [address, blocked?.check ?? null]));
}

describe('the name of a strong policy', () => {
  test('does not pass to a weak one without consent, and nobody is left without it by --skip-blocked', async () => {
    const project = await applied({ premium: STRONG, basic: WEAK });
    const policies = { retired: STRONG, premium: WEAK };
    const moves = [
      ['premium', 'retired'],
      ['basic', 'premium'],
    ] as const;
    expect(await blockedBy(project, policies, moves)).toMatchObject({ 'drm-policy/premium': 'weakening' });
    const before = JSON.stringify(project.live('drm-policy'));
    expect((await project.run('apply', '--yes', '--skip-blocked')).code).toBe(4);
    expect(JSON.stringify(project.live('drm-policy'))).toBe(before);
    const { document } = await project.plan();
    expect(document.findings.map(({ code, summary }) => `${code}: ${summary}`)).toEqual([
      'policy-name-in-urls: playback URLs name policies, and a plan that deletes or renames one breaks them: drm-policy/premium; nobody has the name meanwhile, where another policy gets it: drm-policy/retired',
    ]);
  });

  test('is not given up without consent, and may be taken by another policy with the next commit', async () => {
    const project = await applied({ premium: STRONG, keep: WEAK });
    expect(await blockedBy(project, { retired: STRONG, keep: WEAK }, [['premium', 'retired']])).toEqual({
      'drm-policy/retired': 'weakening',
    });
    expect((await project.apply('--yes', '--allow', 'weakening=drm-policy/retired')).code).toBe(0);
    expect(await blockedBy(project, { retired: STRONG, keep: WEAK, premium: WEAK }, [])).toEqual({ 'drm-policy/premium': null });
  });

  test('passes to one as strong without a question, but not the name that nobody has afterwards', async () => {
    const project = await applied({ premium: STRONG, other: STRONG });
    const moves = [
      ['premium', 'retired'],
      ['other', 'premium'],
    ] as const;
    const blocked = await blockedBy(project, { retired: STRONG, premium: STRONG }, moves);
    expect(blocked).toMatchObject({ 'drm-policy/retired': null });
    expect(blocked['drm-policy/premium']).toBe('weakening');
  });
});
