/** What a person or a pipeline reads: text, markdown and JSON of the same run (design section 5). */
import { describe, expect, test } from 'vitest';
import { asOutcome } from '../support/documents.ts';
import { type Stage, stage } from '../support/harness.ts';
import { beams, config, manyLive, manyPlaylists, PLAYLISTS } from './accounts.ts';

function changedStage(): Promise<Stage> {
  return stage(config({ playlists: manyPlaylists(2, { repeat: 3 }) }), { seed: { playlist: manyLive(3) } });
}

describe('reports', () => {
  test('are written by --out in the same run, and show renders a saved plan like plan', async () => {
    const set = await changedStage();
    const text = await set.run(
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
    expect(set.read('plan.txt')).toBe(text.stdout);
    expect((await set.run('show', 'plan.json', '--requests')).stdout).toBe(text.stdout);
    const markdown = await set.run('show', 'plan.json', '--format', 'markdown', '--requests');
    expect(markdown.stdout).toBe(set.read('plan.md'));
    expect((await set.run('show', 'plan.json', '--format', 'json')).stdout).toBe(set.read('plan.json'));
    expect(set.read('plan.html')).toMatch(/^<!doctype html>\n[\s\S]*<h3 id="r1-1-1">playlist\/p1<\/h3>[\s\S]*<\/html>\n$/);
    expect((await set.run('show', 'plan.json', '--format', 'html', '--requests')).stdout).toBe(set.read('plan.html'));
  });

  test('of an outcome are rendered by show, which refuses any other file', async () => {
    const set = await changedStage();
    const applied = await set.run('apply', '--yes', '--out', 'json=outcome.json');
    expect(applied.code).toBe(0);
    asOutcome(JSON.parse(set.read('outcome.json')));
    const shown = await set.run('show', 'outcome.json');
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain('playlist/p2');
    set.write('other.json', '{"changes":[]}');
    expect(await set.refused('show', 'other.json')).toMatchObject({ code: 8 });
    expect(await set.refused('show', 'missing.json')).toMatchObject({ code: 8 });
  });

  test('have color on a terminal only, and not where it is disabled', async () => {
    const set = await changedStage();
    expect((await set.runWith({ terminal: true }, 'plan')).stdout).toContain('\u001b[');
    expect((await set.runWith({ terminal: true }, 'plan', '--no-color')).stdout).not.toContain('\u001b[');
    expect((await set.runWith({ terminal: true, env: { NO_COLOR: '1' } }, 'plan')).stdout).not.toContain('\u001b[');
    expect((await set.run('plan')).stdout).not.toContain('\u001b[');
  });

  test('escape the text of the account for terminals', async () => {
    const set = await stage(config({ playlists: {} }), {
      seed: { playlist: [{ id: 'x', desc: '\u001b]0;owned\u0007\r\n::error::boo', playlist: beams(1, 2) }] },
    });
    const { stdout } = await set.runWith({ terminal: true }, 'plan', '--unmanaged', '--no-color');
    expect(stdout).toContain('playlist/~x');
    expect(stdout).not.toMatch(/[\u001b\u0007\r]|^::/m);
  });

  test('list unmanaged objects with --unmanaged', async () => {
    const set = await changedStage();
    expect((await set.run('plan')).stdout).not.toContain('playlist/~live3');
    expect((await set.run('plan', '--unmanaged')).stdout).toContain('playlist/~live3');
  });
});
