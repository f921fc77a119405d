/** Leaving `protect` takes an edit of it, whatever a declaration is called (design section 4, rule 9). */
import { describe, expect, test } from 'vitest';
import { createGitProject } from '../support/git-project.ts';
import { createTestProject, type TestProject } from '../support/harness.ts';
import { asset } from './accounts.ts';

const PLAYLIST = `{ playlist: [{ beam: ${asset(1)} }, { ad: 30 }] }`;
const POLICY = '{ widevine: { content_key_specs: [{ track_type: ALL, security_level: 2 }] } }';
const FREE = { loosening: 'weakening: allow', playback: 'playback_loss: allow', limits: 'limits: { off_air: { count: 9, percent: 100 } }' };
const settings = (protect: string): string => [`protect: ["${protect}"]`, ...Object.values(FREE)].join('\n');

/** Applies one configuration after the other, and returns the check that blocks the last one; null where nothing does. */
async function lastBlock(project: TestProject & { commit?(): string }, ...configs: readonly string[]): Promise<string | null> {
  let blocked: string | null = null;
  for (const [index, text] of configs.entries()) {
    project.write('config/a.yaml', text);
    project.commit?.();
    const { document } = await project.plan();
    blocked = document.changes.map((change) => change.blocked?.check ?? null).find((check) => check !== null) ?? null;
    const { code } = await project.run('apply', '--yes');
    if (index < configs.length - 1) expect([blocked, code]).toEqual([null, 0]);
    else expect(code).toBe(blocked === null ? 0 : 4);
  }
  return blocked;
}

describe('a protected playlist', () => {
  test('is not switched off under another key, without a ledger', async () => {
    const project = await createTestProject({}, { target: settings('playlist/main-*') });
    const before = `playlists:\n  main-a: ${PLAYLIST}\n`;
    const after = `playlists:\n  x: { desc: main-a, active: 0, playlist: [{ beam: ${asset(1)} }, { ad: 30 }] }\n`;
    expect(await lastBlock(project, before, after)).toBe('protect');
  });

  test('keeps its address, with a ledger: a move out of the list is blocked', async () => {
    const project = await createGitProject({}, { target: settings('playlist/main-*') });
    const before = `playlists:\n  main-a: ${PLAYLIST}\n`;
    const moved = `playlists:\n  x: { desc: main-a, playlist: [{ beam: ${asset(1)} }, { ad: 30 }] }\n`;
    expect(await lastBlock(project, before, moved)).toBe('protect');
    expect(await lastBlock(project, `${moved}moved: [{ from: playlist/main-a, to: playlist/x }]\n`)).toBe('protect');
  });
});

describe('a protected policy', () => {
  test('is not renamed, and so not deleted under the new name', async () => {
    const project = await createGitProject({}, { target: settings('drm-policy/premium') });
    const before = `drm_policies:\n  premium: ${POLICY}\n  keep: ${POLICY}\n`;
    const renamed = `drm_policies:\n  other: ${POLICY}\n  keep: ${POLICY}\nmoved: [{ from: drm-policy/premium, to: drm-policy/other }]\n`;
    expect(await lastBlock(project, before, renamed)).toBe('protect');
  });
});
