/** Who may say yes: a person at a terminal, or a flag; with nothing to do nobody is asked (design section 5, apply). */
import { describe, expect, test } from 'vitest';
import { type Stage, stage } from '../support/harness.ts';
import { config, manyLive, manyPlaylists, PLAYLISTS } from './accounts.ts';

function changedStage(): Promise<Stage> {
  return stage(config({ playlists: manyPlaylists(1, { repeat: 1 }) }), { seed: { playlist: manyLive(1) } });
}

describe('at a terminal', () => {
  test('the plan is shown, the question names count and target, and `yes` applies', async () => {
    const set = await changedStage();
    const ran = await set.runWith({ terminal: true, stdin: 'yes\n' }, 'apply');
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('playlist/p1');
    expect(ran.stderr).toMatch(/Apply 1 change to live\?/);
    expect(set.writes()).toEqual([`PATCH ${PLAYLISTS}/live1`]);
  });

  test.each(['no\n', 'y\n', 'YES\n', '\n', '', 'yes please\n', 'no\nyes\n'])('%j is no', async (stdin) => {
    const set = await changedStage();
    const ran = await set.runWith({ terminal: true, stdin }, 'apply');
    expect(ran.code).toBe(4);
    expect(ran.stderr).toContain('not confirmed');
    expect(set.writes()).toEqual([]);
  });

  test('--yes asks nobody', async () => {
    const set = await changedStage();
    const ran = await set.runWith({ terminal: true }, 'apply', '--yes');
    expect([ran.code, ran.stderr.includes('?')]).toEqual([0, false]);
  });
});

test('without a terminal and without a flag nothing is written, whatever stdin says', async () => {
  const set = await changedStage();
  const ran = await set.runWith({ stdin: 'yes\n' }, 'apply', '--format', 'json');
  expect(ran.code).toBe(4);
  expect(JSON.parse(ran.stdout)).toMatchObject({ error: { exit: 4, code: 'not-confirmed', hint: expect.stringContaining('--yes') } });
  expect(set.writes()).toEqual([]);
});

test.each([false, true])('with nothing to do nobody is asked (terminal: %s)', async (terminal) => {
  const set = await stage(config({ playlists: manyPlaylists(1) }), { seed: { playlist: manyLive(1) } });
  const ran = await set.runWith({ terminal }, 'apply');
  expect(ran.code).toBe(0);
  expect(ran.stderr).not.toContain('?');
  expect(set.writes()).toEqual([]);
});
