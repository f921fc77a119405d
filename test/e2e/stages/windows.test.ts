/** Runs in and out of change windows (design section 15). */
import { describe, expect, test } from 'vitest';
import { createTestProject } from '../../support/harness.ts';
import { waitsIn } from '../../support/waits.ts';
import { manyPlaylists } from '../accounts.ts';
import { createRings, type Rings } from './rings.ts';

const ONE = [{ name: 'production', lines: '' }];
const playlists = (repeat: number) => JSON.stringify({ playlists: manyPlaylists(1, { repeat }), vmp_reject_statuses: [] });
const FILES = { 'config/account.yaml': playlists(1) };

/** The clock of the first run stands at a Friday, 12:00 UTC. */
const WEEKEND = `windows:
  time_zone: Europe/Berlin
  deny:
    - { cron: "0 18 * * FRI", for: 62h, why: no changes at weekends }
`;
const FREEZE = 'windows:\n  deny:\n    - { why: incident 4711, unless: [strengthens] }\n';

async function apply(rings: Rings, ...argv: readonly string[]) {
  const result = await rings.run('apply', '--target', '*', '--yes', ...argv);
  return { ...result, stderr: result.stderr.replace(/\s+/g, ' ') };
}

describe('an apply while windows are closed', () => {
  test('ends with 4 and leaves no lock, names the window in its zone and in UTC, and goes on when it opens', async () => {
    const rings = await createRings(ONE, FILES, WEEKEND);
    rings.pass(6);
    const closed = await apply(rings);
    expect([closed.code, closed.stderr]).toEqual([
      4,
      expect.stringContaining('its window is closed: no changes at weekends; until 2026-11-30 08:00 Europe/Berlin (2026-11-30T07:00:00Z)'),
    ]);
    expect(rings.project.writes()).toEqual([]);
    expect(rings.project.refs()).toEqual({});
    rings.pass(62);
    expect(await apply(rings)).toMatchObject({ code: 0 });
  });

  test('writes nothing with `--skip-blocked` either, which leaves out changes and no condition', async () => {
    const rings = await createRings(ONE, FILES, WEEKEND);
    rings.pass(6);
    expect(await apply(rings, '--skip-blocked')).toMatchObject({ code: 4, stderr: expect.stringContaining('no changes at weekends') });
    expect(rings.project.writes()).toEqual([]);
  });

  test('is overridden by `--allow window`, which the entry records', async () => {
    const rings = await createRings(ONE, FILES, WEEKEND);
    rings.pass(6);
    expect(await apply(rings, '--allow', 'window')).toMatchObject({ code: 0 });
    const { stdout } = await rings.run('history', '--check', 'window', '--format', 'json');
    expect(JSON.parse(stdout)).toMatchObject({ entries: [{ overrides: [{ check: 'window', count: 1 }] }] });
  });

  test('looks again before the first write: a window that closes while the user is asked', async () => {
    const rings = await createRings(ONE, FILES, WEEKEND);
    rings.pass(4);
    async function* yesAfterHours(): AsyncIterable<string> {
      rings.pass(3);
      yield 'yes\n';
    }
    const { code, stderr } = await rings.runIn(rings.project, 'validate');
    expect([code, stderr]).toEqual([0, '']);
    const asked = await rings.asked(yesAfterHours(), 'apply');
    expect([asked.code, asked.stderr.replace(/\s+/g, ' ')]).toEqual([4, expect.stringContaining('no changes at weekends')]);
    expect(rings.project.writes()).toEqual([]);
  });

  test('lets nothing through, and does not say so, where another window without that exception is closed, too', async () => {
    const rings = await createRings(ONE, FILES, `${FREEZE}    - { why: no exception }\n`);
    const { code, stderr } = await apply(rings);
    expect([code, stderr]).toEqual([4, expect.stringContaining('incident 4711; its window is closed: no exception')]);
  });

  test('lets through what only strengthens where the window says so, and nothing else', async () => {
    const rings = await createRings(ONE, FILES);
    expect(await apply(rings)).toMatchObject({ code: 0 });
    rings.project.write('upkeep.yaml', rings.settings(ONE, FREEZE));
    rings.project.write('config/account.yaml', playlists(2));
    rings.project.commit();
    const neutral = await apply(rings);
    expect([neutral.code, neutral.stderr]).toEqual([4, expect.stringContaining('what only strengthens protection passes')]);
    const spoken = (text: string) => text.replace(/\s+/g, ' ');
    expect(spoken((await rings.run('targets')).stdout)).toContain(
      'Windows: closed: incident 4711; what only strengthens protection passes.',
    );
    expect(spoken((await rings.run('doctor')).stdout)).toContain('remedy: wait until it opens, or override');
    rings.project.write('config/account.yaml', playlists(1).replace('"vmp_reject_statuses":[]', '"vmp_reject_statuses":["TAMPERED"]'));
    rings.project.commit();
    const plan = await rings.plan();
    expect([plan.changes.map(({ effect }) => effect), waitsIn(plan)]).toEqual([['strengthens'], []]);
    expect(await apply(rings, '--allow', 'playback-loss')).toMatchObject({ code: 0 });
  });

  test('lets an edit by hand be taken back where the window says so, and nothing else with it', async () => {
    const rings = await createRings(ONE, FILES, FREEZE.replace('[strengthens]', '[strengthens, reverts]'));
    expect(await apply(rings, '--allow', 'window')).toMatchObject({ code: 0 });
    rings.project.writes();
    rings.edit('production', 'p1', { repeat: 7 });
    rings.project.write('config/account.yaml', playlists(1).replace('"vmp_reject_statuses":[]', '"vmp_reject_statuses":["TAMPERED"]'));
    rings.project.commit();
    const both = await apply(rings, '--allow', 'playback-loss', '--only', 'playlist/*');
    expect(both).toMatchObject({ code: 0, stdout: expect.stringContaining('updated playlist/p1') });
    rings.edit('production', 'p1', { repeat: 7 });
    rings.project.write('config/account.yaml', playlists(2));
    rings.project.commit();
    expect(waitsIn(await rings.plan())).toMatchObject([{ rule: 'window', unless: ['strengthens', 'reverts'] }]);
    rings.project.writes();
    const { code, stderr } = await apply(rings);
    expect([code, stderr]).toEqual([
      4,
      expect.stringContaining('incident 4711; what only strengthens protection or takes back edits by hand passes'),
    ]);
    expect(rings.project.writes()).toEqual([]);
  });

  test('is closed by the windows at the tip of the branch, although its own commit has none', async () => {
    const rings = await createRings(ONE, FILES);
    const without = rings.project.git('rev-parse', 'HEAD');
    rings.project.write('upkeep.yaml', rings.settings(ONE, FREEZE));
    rings.project.commit();
    rings.project.git('checkout', '-q', without);
    expect(await apply(rings)).toMatchObject({ code: 4, stderr: expect.stringContaining('incident 4711') });
  });
});

describe('an apply in a terminal that overrides a window', () => {
  test('names the condition in its question, which only the name of the target confirms', async () => {
    const rings = await createRings(ONE, FILES, FREEZE);
    async function* answer(text: string): AsyncIterable<string> {
      yield `${text}\n`;
    }
    const refused = await rings.asked(answer('yes'), 'apply', '--allow', 'window');
    expect([refused.code, refused.stdout + refused.stderr]).toEqual([
      4,
      expect.stringContaining('conditions by --allow: window (1 change)'),
    ]);
    expect(rings.project.writes()).toEqual([]);
    const done = await rings.asked(answer('production'), 'apply', '--allow', 'window');
    expect([done.code, done.stderr]).toEqual([0, expect.not.stringContaining('safety checks by --allow')]);
    const { stdout } = await rings.run('history', '--check', 'window', '--format', 'json');
    expect(JSON.parse(stdout)).toMatchObject({ entries: [{ overrides: [{ check: 'window', count: 1 }] }] });
  });
});

describe('a plan while windows are closed', () => {
  test('lists what an apply waits for and keeps its exit code, and says no word of it while they are open', async () => {
    const rings = await createRings(ONE, FILES, WEEKEND);
    expect((await rings.run('plan')).stdout).not.toMatch(/window|wait/i);
    rings.pass(6);
    const { code, stdout } = await rings.run('plan', '--detailed-exitcode');
    expect([code, stdout]).toEqual([2, expect.stringContaining('An apply would write nothing now:')]);
    expect(waitsIn(await rings.plan())).toEqual([
      {
        rule: 'window',
        status: 'waits',
        on: null,
        reason: 'its window is closed: no changes at weekends',
        lift: { course: 'run it again then', allow: 'window' },
        until: '2026-11-30T07:00:00.000Z',
        localUntil: '2026-11-30 08:00 Europe/Berlin',
      },
    ]);
  });

  test('needs no git for the windows of a target without a branch', async () => {
    const project = await createTestProject(FILES, { rules: 'windows: { deny: [{ why: incident 4711 }] }\n' });
    expect(waitsIn((await project.plan()).document)).toMatchObject([{ rule: 'window', until: null }]);
    expect((await project.refused('apply', '--yes')).document.error).toMatchObject({ exit: 4, code: 'waits' });
  });
});

describe('targets and doctor', () => {
  test('say whether windows are open, when that changes next, and where each target stands', async () => {
    const rings = await createRings(ONE, FILES, WEEKEND);
    expect((await rings.run('targets')).stdout).toContain('Nothing was applied yet.');
    expect(await apply(rings)).toMatchObject({ code: 0 });
    const text = (await rings.run('targets')).stdout.replace(/\s+/g, ' ');
    const commit = rings.project.git('rev-parse', 'HEAD').slice(0, 12);
    expect(text).toContain(`At commit ${commit} since 2026-11-27T12:00:00Z.`);
    expect(text).toContain('Windows: open; closes at 2026-11-27 18:00 Europe/Berlin (2026-11-27T17:00:00Z); opens again at 2026-11-30');
    rings.pass(6);
    const doctor = (await rings.run('doctor')).stdout.replace(/\s+/g, ' ');
    expect(doctor).toContain('closed: no changes at weekends; opens at 2026-11-30 08:00 Europe/Berlin');
  });

  test('say nothing of stages and windows where a target uses neither, also if its branch cannot be read', async () => {
    const away = await createRings(ONE, FILES);
    away.project.git('--git-dir', away.project.remote, 'update-ref', '-d', 'refs/heads/main');
    for (const command of ['targets', 'doctor']) {
      const { stdout, stderr } = await away.run(command);
      expect(stdout + stderr, command).not.toMatch(/window|stage|waits|promot/i);
    }
  });

  test('say nothing of stages and windows where a target uses neither', async () => {
    const rings = await createRings(ONE, FILES);
    for (const command of ['targets', 'doctor', 'plan'])
      expect((await rings.run(command)).stdout, command).not.toMatch(/window|stage|wait|promot/i);
  });
});
