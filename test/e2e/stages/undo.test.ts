/** What a target itself took back is not promoted, and going back waits for no stage (design section 15, rules 11 and 12). */
import { beforeEach, describe, expect, test } from 'vitest';
import { asPlan } from '../../support/documents.ts';
import { printedApply } from '../../support/lifts.ts';
import { waitsIn } from '../../support/waits.ts';
import { beams } from '../accounts.ts';
import { applied, commit, createRings, type Rings, stagingAndProduction } from './rings.ts';

type Repeats = { readonly [name: string]: number };

/** Commits values, applies them to staging, and an hour later to production. */
async function carried(rings: Rings, repeats: Repeats): Promise<string> {
  const hash = commit(rings, repeats);
  await applied(rings, 'staging');
  rings.pass(1);
  await applied(rings, 'production');
  return hash;
}

/** Runs `undo` of production, and the command that it prints, as printed. */
async function undone(rings: Rings, ...argv: readonly string[]): Promise<string> {
  const { stderr } = await rings.run('undo', '--target', 'production', ...argv);
  const [, words = ''] = /to apply this plan: upkeep (.*)/.exec(stderr) ?? [];
  const { code, stderr: errors } = await rings.run(...words.replaceAll("'", '').split(' '));
  expect(code, `${stderr}\n${errors}`).toBe(0);
  return stderr;
}

const repeats = (rings: Rings, target: string) =>
  Object.fromEntries(rings.playlists(target).map(({ desc, repeat }) => [String(desc), repeat]));

const reasons = async (rings: Rings, ...argv: readonly string[]) =>
  waitsIn(await rings.plan('--target', 'production', ...argv)).map(({ target, reason }) => `${target} ${reason}`);

/** The job that runs every hour. */
async function hourly(rings: Rings): Promise<string> {
  rings.pass(1);
  const { code, stderr } = await rings.run('apply', '--target', 'production', '--ref', 'promoted', '--yes');
  expect(code, stderr).toBe(0);
  return stderr;
}

let rings: Rings;
beforeEach(async () => {
  rings = await createRings(stagingAndProduction('1m'), { 'live/none.yaml': '{}' });
});

describe('an undo of a target with stages', () => {
  test('is not taken back by the next hourly job, which says what the target has changed back', async () => {
    await carried(rings, { evening: 5 });
    const second = await carried(rings, { evening: 2 });
    await undone(rings);
    expect(repeats(rings, 'production')).toEqual({ evening: 5 });
    expect(await hourly(rings)).toContain('production has changed back playlist/evening (/repeat)');
    expect(repeats(rings, 'production')).toEqual({ evening: 5 });
    expect(await reasons(rings, '--ref', second)).toEqual(['production has changed back playlist/evening (/repeat)']);
    const later = commit(rings, { evening: 2, morning: 1 });
    await applied(rings, 'staging');
    await hourly(rings);
    expect(await reasons(rings, '--ref', later)).toEqual(['production has changed back playlist/evening (/repeat)']);
    expect((await rings.run('targets')).stdout.replace(/\s+/g, ' ')).toContain(
      'The newest commit waits: production has changed back playlist/evening (/repeat)',
    );
    expect(repeats(rings, 'production')).toEqual({ evening: 5 });
  });

  test('is not taken back under another key of the same object', async () => {
    await carried(rings, { evening: 5 });
    await carried(rings, { evening: 2 });
    await undone(rings);
    const night = { playlists: { night: { repeat: 2, playlist: beams(1) } }, moved: [{ from: 'playlist/evening', to: 'playlist/night' }] };
    rings.project.write('config/account.yaml', JSON.stringify(night));
    rings.project.commit();
    await applied(rings, 'staging');
    expect(await hourly(rings)).toContain('production has changed back playlist/evening (/repeat)');
    expect(repeats(rings, 'production')).toEqual({ evening: 5 });
  });

  test('of a few addresses is not taken back either', async () => {
    const before = { 'movies-a': 5, 'movies-b': 5, news: 5 };
    await carried(rings, before);
    await carried(rings, { 'movies-a': 2, 'movies-b': 2, news: 2 });
    await undone(rings, '--only', 'playlist/movies-*');
    expect(repeats(rings, 'production')).toEqual({ ...before, news: 2 });
    await hourly(rings);
    expect(repeats(rings, 'production')).toEqual({ ...before, news: 2 });
    expect(await reasons(rings)).toEqual(['production has changed back playlist/movies-a (/repeat), playlist/movies-b (/repeat)']);
  });

  test('prints a command that waits for no stage and works as printed, says nothing of staging, and names both ways on', async () => {
    await carried(rings, { evening: 5 });
    await carried(rings, { evening: 2 });
    const { stdout, stderr } = await rings.run('undo', '--target', 'production');
    expect(stdout).not.toContain('An apply would write nothing now');
    expect(stdout).not.toMatch(/staging/i);
    const [, command = ''] = /to apply this plan: (.*)/.exec(stderr) ?? [];
    expect(command).not.toContain('promotion');
    expect(command).not.toContain('wait');
    expect(stderr).toContain('git revert');
    expect(stderr).toContain('--allow promotion');
    await undone(rings);
    expect(repeats(rings, 'production')).toEqual({ evening: 5 });
  });

  test('is held through an apply of something else in part, and ends when the branch has another value, after which the value may come again', async () => {
    await carried(rings, { evening: 5, news: 1 });
    await carried(rings, { evening: 2, news: 1 });
    await undone(rings);
    commit(rings, { evening: 2, news: 3 });
    await applied(rings, 'staging');
    rings.pass(1);
    await applied(rings, 'production', '--only', 'playlist/news', '--allow', 'promotion');
    const clone = rings.project.clone('--depth=1');
    const { code, stderr } = await rings.runIn(clone, 'apply', '--target', 'production', '--ref', 'promoted', '--yes');
    expect([code, stderr]).toEqual([0, expect.stringContaining('production has changed back playlist/evening (/repeat)')]);
    expect(repeats(rings, 'production')).toEqual({ evening: 5, news: 3 });
    commit(rings, { evening: 5, news: 3 });
    await applied(rings, 'staging');
    await hourly(rings);
    commit(rings, { evening: 2, news: 3 });
    await applied(rings, 'staging');
    await hourly(rings);
    expect(repeats(rings, 'production')).toEqual({ evening: 2, news: 3 });
  });

  test('is undone itself only with `--allow promotion`, which `undo` names, and after that the branch goes on', async () => {
    await carried(rings, { evening: 5 });
    await carried(rings, { evening: 2 });
    await undone(rings);
    const { stdout } = await rings.run('undo', '--target', 'production', '--format', 'json');
    const plan = asPlan(JSON.parse(stdout));
    const command = printedApply(plan);
    expect(plan.decision?.next.at(-1)?.adds).toEqual(['promotion']);
    expect(await rings.run(...command)).toMatchObject({ code: 4 });
    expect(await rings.run(...command, '--allow', 'promotion')).toMatchObject({ code: 0 });
    expect(repeats(rings, 'production')).toEqual({ evening: 2 });
    commit(rings, { evening: 4 });
    await applied(rings, 'staging');
    await hourly(rings);
    expect(repeats(rings, 'production')).toEqual({ evening: 4 });
  });
});

test('an apply to all targets has nothing to wait for where each stands at the commit already', async () => {
  await carried(rings, { evening: 5 });
  rings.project.write('upkeep.yaml', rings.settings(stagingAndProduction('24h')));
  rings.project.commit();
  await applied(rings, 'staging');
  await applied(rings, 'production', '--allow', 'promotion');
  const { code, stderr } = await rings.run('apply', '--target', '*', '--yes');
  expect(code, stderr).toBe(0);
});
