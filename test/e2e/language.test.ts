/** Whole runs with defaults, templates, tables and entry lists: plan, apply, drift, its acceptance, and reports about cells. */
import { describe, expect, test } from 'vitest';
import { createGitProject, playlistId } from '../support/git-project.ts';
import { createTestProject } from '../support/harness.ts';
import { asset } from './accounts.ts';

const TEMPLATES = `
entry_lists:
  pod: [{ ad: 30 }]
templates:
  show:
    params: { title: string, first: string, break: { type: integer, default: 15 } }
    playlist:
      desc: "\${title}"
      repeat: -1
      playlist: [{ beam: "\${first}" }, { include: pod }, { beam: "${asset(9)}" }, { ad: "\${break}" }]
`;
const SHOWS = `
defaults:
  playlists: { beam_break_duration: 12 }
playlists:
  own: { template: show, with: { title: Own, first: ${asset(1)} }, active: 0 }
playlists_from:
  - { file: shows.csv, template: show, key: "\${team}-\${number}" }
`;
const CSV = `team,number,title,first,break\r\nkids,1,"Kids, one",${asset(2)},\r\nkids,2,Kids two,${asset(3)},45\r\n`;
const FILES = { 'config/a.yaml': TEMPLATES, 'config/b.yaml': SHOWS, 'config/shows.csv': CSV };

describe('a configuration of templates and tables', () => {
  test('is applied, plans nothing afterwards, and the account holds what it says', async () => {
    const project = await createGitProject(FILES);
    expect((await project.plan()).document.changes).toHaveLength(3);
    expect((await project.run('apply', '--yes')).code).toBe(0);
    expect((await project.plan()).document.changes).toEqual([]);
    const list = (first: number, pause: number) => [
      { beam: { id: asset(first) } },
      { ad: { dur: 30 } },
      { beam: { id: asset(9) } },
      { ad: { dur: pause } },
    ];
    expect(project.playlists().toSorted((a, b) => String(a.desc).localeCompare(String(b.desc)))).toMatchObject([
      { desc: 'Kids two', active: 1, repeat: -1, beam_break_duration: 12, playlist: list(3, 45) },
      { desc: 'Kids, one', active: 1, repeat: -1, beam_break_duration: 12, playlist: list(2, 15) },
      { desc: 'Own', active: 0, repeat: -1, beam_break_duration: 12, playlist: list(1, 15) },
    ]);
  });

  test('names the row of the change in a plan, and reads the table from the commit', async () => {
    const project = await createGitProject(FILES);
    await project.run('apply', '--yes');
    project.write('config/shows.csv', CSV.replace('Kids two', 'Kids 2'));
    project.commit();
    const { document } = await project.plan();
    expect(document.changes).toMatchObject([
      {
        address: 'playlist/kids-2',
        action: 'update',
        declared: { file: 'config/shows.csv', line: 3 },
        fields: [{ path: '/desc', origin: 'change' }],
      },
    ]);
    project.write('config/shows.csv', CSV.replace('Kids two', 'Kids 3'));
    expect((await project.refused('apply', '--yes')).document.error.code).toBe('dirty');
  });

  test('is edited by `drift accept`: a cell, or an override beside the template', async () => {
    const project = await createGitProject(FILES);
    await project.run('apply', '--yes');
    project.editPlaylist(playlistId(project, 'Kids two'), { desc: 'Kids "2"' });
    project.editPlaylist(playlistId(project, 'Own'), { repeat: 4 });
    expect((await project.run('drift', 'accept', 'playlist/kids-2', 'playlist/own')).code).toBe(0);
    expect(project.read('config/shows.csv')).toBe(CSV.replace('Kids two', '"Kids ""2"""'));
    expect(project.read('config/b.yaml')).toBe(SHOWS.replace('active: 0 }', 'active: 0, repeat: 4 }'));
    project.commit();
    expect((await project.plan()).document.changes).toEqual([]);
  });

  test('has an edit of the template refused for a row, with the line and what else would change', async () => {
    const project = await createGitProject(FILES);
    await project.run('apply', '--yes');
    project.editPlaylist(playlistId(project, 'Kids two'), { repeat: 4 });
    const { code, document } = await project.refused('drift', 'accept', 'playlist/kids-2');
    expect([code, document.error.summary]).toEqual([
      8,
      expect.stringMatching(
        /the template `show`, config\/a\.yaml, line 9; it is not edited there, because playlist\/own, playlist\/kids-1 would change too/,
      ),
    ]);
    expect(project.read('config/shows.csv')).toBe(CSV);
  });

  test('has its errors reported at the cell, in every format for code hosts', async () => {
    const project = await createTestProject({ ...FILES, 'config/shows.csv': CSV.replace(',45', ',0') });
    const formats = ['text', 'github', 'sarif', 'junit', 'gitlab'];
    const outputs = await Promise.all(formats.map((format) => project.run('validate', '--format', format)));
    expect(outputs.map(({ code }) => code)).toEqual(formats.map(() => 8));
    const [text, github, sarif, junit, gitlab] = outputs.map(({ stdout }) => stdout);
    expect(text).toContain('config/shows.csv:3:50');
    expect(github).toContain('file=config/shows.csv,line=3,col=50');
    expect(sarif).toMatch(/"uri":\s*"config\/shows\.csv"/);
    expect(junit).toContain('config/shows.csv');
    expect(gitlab).toContain('config/shows.csv');
  });
});
