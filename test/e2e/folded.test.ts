/** A first apply mostly adopts existing objects: many equal lines, so text and Markdown show only the first ones. */
import { describe, expect, test } from 'vitest';
import { createGitProject, type GitProject } from '../support/git-project.ts';
import { config, manyLive, manyPlaylists } from './accounts.ts';

const COUNT = 12;

function adopting(count: number): Promise<GitProject> {
  return createGitProject(config({ playlists: manyPlaylists(count) }), { seed: { playlist: manyLive(count) } });
}

const rowsOf = (text: string) => text.match(/playlist\/p\d+/g) ?? [];

describe('adopted objects', () => {
  test('are folded in the plan, with their number, while JSON and HTML have all', async () => {
    const project = await adopting(COUNT);
    for (const format of ['text', 'markdown']) {
      const { stdout } = await project.run('plan', '--format', format);
      expect(stdout).toContain(`For the ledger only (${COUNT})`);
      expect(stdout).toMatch(/and 7 more.*the JSON document has all/);
      expect(rowsOf(stdout)).toHaveLength(5);
    }
    expect(new Set(rowsOf((await project.run('plan', '--format', 'html')).stdout)).size).toBe(COUNT);
    expect((await project.plan()).document.changes).toHaveLength(COUNT);
  });

  test('are folded in the outcome, and need no line of their own on the way', async () => {
    const project = await adopting(COUNT);
    const { stdout, stderr } = await project.run('apply', '--yes');
    expect(stdout.slice(stdout.indexOf('Apply to live'))).toMatch(/For the ledger only \(12\)[\s\S]*and 7 more/);
    expect(stderr).toBe('');
  });

  test('are not folded if that would hide only one object', async () => {
    const project = await adopting(6);
    const { stdout } = await project.run('plan');
    expect(rowsOf(stdout)).toHaveLength(6);
    expect(stdout).not.toContain('more');
  });
});
