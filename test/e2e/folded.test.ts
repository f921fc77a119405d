/** A first apply mostly adopts existing objects: they are one entry, and text and Markdown name only the first ones. */
import { describe, expect, test } from 'vitest';
import { createGitProject, type GitProject } from '../support/git-project.ts';
import { config, manyLive, manyPlaylists } from './accounts.ts';

const COUNT = 30;

function adopting(count: number): Promise<GitProject> {
  return createGitProject(config({ playlists: manyPlaylists(count) }), { seed: { playlist: manyLive(count) } });
}

const namesIn = (text: string) => new Set(text.match(/(?<!Playlist )\bp\d+\b/g));

describe('adopted objects', () => {
  test('are folded in the plan, with their number, while JSON and HTML have all', async () => {
    const project = await adopting(COUNT);
    for (const format of ['text', 'markdown']) {
      const { stdout } = await project.run('plan', '--format', format, '--allow', 'first-apply');
      expect(stdout).toContain(`For the ledger only (${COUNT})`);
      expect(stdout).toContain('and 18 more');
      expect(stdout).toContain('Folded: 30 similar ones in 1 entry;');
      expect(namesIn(stdout).size).toBe(12);
    }
    expect(namesIn((await project.run('plan', '--format', 'html')).stdout).size).toBe(COUNT);
    expect((await project.plan()).document.changes).toHaveLength(COUNT);
  });

  test('are folded where one check blocks all of them alike, and its reason stands above them only', async () => {
    const { stdout } = await (await adopting(COUNT)).run('plan');
    expect(stdout).toContain(`Blocked (${COUNT})`);
    expect(stdout).toContain('Folded: 30 similar ones in 1 entry;');
    expect(stdout.match(/blocked by safety check `first-apply`/g)).toHaveLength(1);
    expect(stdout.slice(stdout.indexOf('Plan for'))).not.toContain('is recorded');
  });

  test('are folded in the outcome, and need no line of their own on the way', async () => {
    const project = await adopting(COUNT);
    const { stdout, stderr } = await project.run('apply', '--yes', '--allow', 'first-apply');
    expect(stdout.slice(stdout.indexOf('Apply to live'))).toMatch(/For the ledger only \(30\)[\s\S]*and 18 more/);
    expect(stderr).toBe('');
  });

  test('are not folded if that would hide only one object', async () => {
    const project = await adopting(13);
    const { stdout } = await project.run('plan');
    expect(namesIn(stdout).size).toBe(13);
    expect(stdout).not.toContain('more');
    expect(stdout).not.toContain('Folded');
  });

  test('are listed one by one with `--full`', async () => {
    const project = await adopting(COUNT);
    const { stdout } = await project.run('plan', '--full');
    expect(stdout.match(/^ {2}\S playlist\/p\d+/gm)).toHaveLength(COUNT);
  });
});
