/** What a person or a pipeline reads: text, markdown and JSON of the same run (design section 5). */
import { describe, expect, test } from 'vitest';
import { anonymous } from '../support/anonymous.ts';
import { asOutcome, asPlan } from '../support/documents.ts';
import { createTestProject, type TestProject } from '../support/harness.ts';
import { beams, config, manyLive, manyPlaylists, PLAYLISTS } from './accounts.ts';

function changedProject(): Promise<TestProject> {
  const rules = 'rules: { scheduled-entries: off }';
  return createTestProject(config({ playlists: manyPlaylists(2, { repeat: 3 }) }), { seed: { playlist: manyLive(3) }, rules });
}

describe('reports', () => {
  test('are written by --out in the same run, and show renders a saved plan like plan', async () => {
    const project = await changedProject();
    const text = await project.runWith(
      { columns: 80 },
      'plan',
      '--requests',
      '--out',
      'json=plan.json',
      '--out',
      'markdown=plan.md',
      '--out',
      'text=plan.txt',
      '--out',
      'html=plan.html',
    );
    expect(text.code).toBe(0);
    expect(text.stdout).toContain('playlist/p1');
    expect(text.stdout).toContain(`PATCH ${PLAYLISTS}/live1`);
    expect(text.stdout).not.toContain('\u001b');
    expect(project.read('plan.txt')).toBe(text.stdout);
    expect((await project.runWith({ columns: 80 }, 'show', 'plan.json', '--requests')).stdout).toBe(text.stdout);
    const markdown = await project.run('show', 'plan.json', '--format', 'markdown', '--requests');
    expect(markdown.stdout).toBe(project.read('plan.md'));
    const { run: writer } = asPlan(JSON.parse(project.read('plan.json')));
    if (writer?.by === undefined) throw new Error('the plan does not say who made it');
    expect((await project.run('show', 'plan.json', '--format', 'json')).stdout).toBe(anonymous(project.read('plan.json'), writer));
    expect(project.read('plan.html')).toMatch(
      /^<!doctype html>\n[\s\S]*<h3 id="c-[0-9a-f]{12}"><a href="#c-[0-9a-f]{12}" title="playlist\/p1">[^<]+<\/a><\/h3>[\s\S]*<\/html>\n$/,
    );
    expect((await project.run('show', 'plan.json', '--format', 'html', '--requests')).stdout).toBe(
      anonymous(project.read('plan.html'), writer),
    );
  });

  test('of an outcome are rendered by show, which refuses any other file', async () => {
    const project = await changedProject();
    const applied = await project.run('apply', '--yes', '--out', 'json=outcome.json');
    expect(applied.code).toBe(0);
    asOutcome(JSON.parse(project.read('outcome.json')));
    const shown = await project.run('show', 'outcome.json');
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain('playlist/p2');
    project.write('other.json', '{"changes":[]}');
    for (const command of ['drift', 'targets']) {
      const { stdout } = await project.run(command, '--out', 'json=saved.json');
      expect((await project.run('show', 'saved.json')).stdout).toBe(stdout);
    }
    expect(await project.refused('show', 'other.json')).toMatchObject({ code: 8 });
    expect(await project.refused('show', 'missing.json')).toMatchObject({ code: 8 });
  });

  test('have color on a terminal only, and not where it is disabled', async () => {
    const project = await changedProject();
    expect((await project.runWith({ terminal: true }, 'plan')).stdout).toContain('\u001b[');
    expect((await project.runWith({ terminal: true }, 'plan', '--no-color')).stdout).not.toContain('\u001b[');
    expect((await project.runWith({ terminal: true, env: { NO_COLOR: '1' } }, 'plan')).stdout).not.toContain('\u001b[');
    expect((await project.run('plan')).stdout).not.toContain('\u001b[');
  });

  test('escape the text of the account for terminals', async () => {
    const project = await createTestProject(config({ playlists: {} }), {
      seed: { playlist: [{ id: 'x', desc: '\u001b]0;owned\u0007\r\n::error::boo', playlist: beams(1, 2) }] },
    });
    const { stdout } = await project.runWith({ terminal: true }, 'plan', '--undeclared', '--no-color');
    expect(stdout).toContain('playlist/~x');
    expect(stdout).not.toMatch(/[\u001b\u0007\r]|^::/m);
  });

  test('list undeclared objects with --undeclared', async () => {
    const project = await changedProject();
    expect((await project.run('plan')).stdout).not.toContain('playlist/~live3');
    expect((await project.run('plan', '--undeclared')).stdout).toContain('playlist/~live3');
  });
});
