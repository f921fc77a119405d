/** What earlier targets must have carried before a target gets it (design section 15). */
import { beforeEach, describe, expect, test } from 'vitest';
import { waitsIn } from '../../support/waits.ts';
import { beams, manyPlaylists } from '../accounts.ts';
import { createRings, type Rings, stagingAndProduction } from './rings.ts';

const live = (repeat: number) => JSON.stringify({ playlists: { live: { repeat, playlist: beams(7) } } });

const account = (repeat: number, count = 2) => JSON.stringify({ playlists: manyPlaylists(count, { repeat }) });

/** Staging and production, both at the first commit, which is a day old. */
async function bothApplied(): Promise<Rings> {
  const rings = await createRings(stagingAndProduction(), {
    'config/account.yaml': account(1),
    'live/live.yaml': live(1),
  });
  await applied(rings, 'staging');
  rings.pass(25);
  await applied(rings, 'production');
  return rings;
}

async function applied(rings: Rings, target: string, ...argv: readonly string[]): Promise<void> {
  const { code, stderr } = await rings.run('apply', '--target', target, '--yes', ...argv);
  expect(code, stderr).toBe(0);
}

function commit({ project }: Rings, repeat: number): string {
  project.write('config/account.yaml', account(repeat));
  return project.commit();
}

const repeats = (rings: Rings, target: string) => [
  ...new Set(
    rings
      .playlists(target)
      .filter(({ desc }) => desc !== 'live')
      .map(({ repeat }) => repeat),
  ),
];

describe('a target that comes after another one', () => {
  let rings: Rings;
  beforeEach(async () => {
    rings = await bothApplied();
  });

  test('waits for what the other one has not carried: apply ends with 4 and leaves no lock, and plan exits as without it', async () => {
    commit(rings, 2);
    const plan = await rings.plan('--target', 'production');
    expect(waitsIn(plan)).toEqual([
      {
        rule: 'promotion',
        status: 'waits',
        on: null,
        target: 'staging',
        reason: 'has not carried this configuration yet',
        lift: { course: 'run it again when that has changed', allow: 'promotion' },
        until: null,
        promoted: null,
      },
    ]);
    expect([plan.summary.update, plan.summary.blocked]).toEqual([2, 0]);
    expect(await rings.run('plan', '--target', 'production', '--detailed-exitcode')).toMatchObject({ code: 2 });
    const { code, stderr } = await rings.run('apply', '--target', 'production', '--yes');
    expect(code).toBe(4);
    expect(stderr).toContain('production waits: staging has not carried this configuration yet');
    expect(stderr).toContain('--allow promotion');
    expect(rings.project.writes().filter((line) => line.startsWith('PATCH'))).toEqual([]);
    expect(Object.keys(rings.project.refs()).filter((ref) => ref.includes('locks'))).toEqual([]);
  });

  test('waits until the other one has carried it as long as `soak` says', async () => {
    const next = commit(rings, 2);
    await applied(rings, 'staging');
    rings.pass(23);
    const [wait] = waitsIn(await rings.plan('--target', 'production'));
    expect((await rings.run('targets')).stdout.replace(/\s+/g, ' ')).toContain(
      'The newest commit waits: staging carries this configuration since',
    );
    expect(wait).toMatchObject({ until: '2026-11-29T13:00:00.000Z', promoted: null });
    expect(wait?.reason).toBe('carries this configuration since 2026-11-28T13:00:00Z, and has to for 24h');
    expect(await rings.run('apply', '--target', 'production', '--yes')).toMatchObject({ code: 4 });
    rings.pass(1);
    expect(waitsIn(await rings.plan('--target', 'production'))).toEqual([]);
    await applied(rings, 'production');
    expect(repeats(rings, 'production')).toEqual([2]);
    expect(rings.project.git('rev-parse', 'HEAD')).toBe(next);
  });

  test('counts an apply of the other one that found nothing to do, and waits for no file that the other one does not read', async () => {
    rings.project.write('live/live.yaml', live(5));
    rings.project.commit();
    const plan = await rings.plan('--target', 'production');
    expect([waitsIn(plan), plan.untried]).toEqual([[], [{ target: 'staging', files: ['live/live.yaml'] }]]);
    await applied(rings, 'production');
    commit(rings, 3);
    await applied(rings, 'staging');
    rings.pass(24);
    await applied(rings, 'production');
    expect(repeats(rings, 'production')).toEqual([3]);
  });

  test('does not get what the other one has taken back since', async () => {
    const next = commit(rings, 2);
    await applied(rings, 'staging');
    rings.pass(25);
    const before = rings.project.git('rev-parse', `${next}~1`);
    await applied(rings, 'staging', '--ref', before, '--allow', 'rollback');
    const [wait] = waitsIn(await rings.plan('--target', 'production'));
    expect(wait?.reason).toBe('has changed back playlist/p1 (/repeat), playlist/p2 (/repeat)');
    expect(await rings.run('apply', '--target', 'production', '--yes')).toMatchObject({ code: 4 });
    await applied(rings, 'staging');
    await applied(rings, 'production');
  });

  test('does not get what the other one takes back while the user is asked', async () => {
    const next = commit(rings, 2);
    await applied(rings, 'staging');
    rings.pass(25);
    async function* yesAfterUndo(): AsyncIterable<string> {
      await applied(rings, 'staging', '--ref', `${next}~1`, '--allow', 'rollback');
      yield 'yes\n';
    }
    const { code, stderr } = await rings.asked(yesAfterUndo(), 'apply', '--target', 'production');
    expect([code, stderr.replace(/\s+/g, ' ')]).toEqual([4, expect.stringContaining('staging has changed back playlist/p1')]);
    expect(repeats(rings, 'production')).toEqual([1]);
  });

  test('does not get the part that the other one has taken back, which is named', async () => {
    const next = commit(rings, 2);
    await applied(rings, 'staging');
    rings.pass(25);
    const before = rings.project.git('rev-parse', `${next}~1`);
    const reasons = async () => waitsIn(await rings.plan('--target', 'production')).map(({ reason }) => reason);
    await applied(rings, 'staging', '--ref', before, '--allow', 'rollback', '--only', 'playlist/p1');
    expect(await reasons()).toEqual(['has changed back playlist/p1 (/repeat)']);
    await applied(rings, 'staging', '--ref', before, '--allow', 'rollback');
    await applied(rings, 'staging', '--only', 'playlist/p1');
    expect(await reasons()).toEqual(['has changed back playlist/p2 (/repeat)']);
  });

  test('goes back to an earlier apply in part, or to an earlier commit, only as an override, and nobody says that the other one went back', async () => {
    const first = rings.project.git('rev-parse', 'HEAD');
    commit(rings, 2);
    await applied(rings, 'staging');
    rings.pass(25);
    await applied(rings, 'production', '--only', 'playlist/p1');
    const part = rings.project.refs()['refs/upkeep/production'] ?? '';
    await applied(rings, 'production');
    commit(rings, 3);
    await applied(rings, 'staging');
    rings.pass(25);
    await applied(rings, 'production');
    for (const ref of [part, first]) {
      const [wait] = waitsIn(await rings.plan('--target', 'production', '--ref', ref, '--allow', 'rollback'));
      expect(wait).toMatchObject({ target: 'staging', reason: 'has the newer value of playlist/p1 (/repeat), playlist/p2 (/repeat)' });
    }
    expect(await rings.run('apply', '--target', 'production', '--yes', '--ref', part, '--allow', 'rollback')).toMatchObject({ code: 4 });
    await applied(rings, 'production', '--ref', part, '--allow', 'rollback', '--allow', 'promotion');
    expect(repeats(rings, 'production')).toEqual([2]);
  });

  test('takes what was carried only in part for not carried', async () => {
    commit(rings, 2);
    await applied(rings, 'staging', '--only', 'playlist/p1');
    rings.pass(25);
    const [wait] = waitsIn(await rings.plan('--target', 'production'));
    expect(wait?.reason).toContain('only in part');
  });

  test('is applied with `--allow promotion`, which its entry records, and `history --check` finds', async () => {
    commit(rings, 2);
    const plan = await rings.plan('--target', 'production', '--allow', 'promotion');
    expect([waitsIn(plan), plan.decision?.overridden]).toMatchObject([[], [{ rule: 'promotion', target: 'staging' }]]);
    const text = (await rings.run('plan', '--target', 'production', '--allow', 'promotion')).stdout.replace(/\s+/g, ' ');
    expect(text).toContain('the run overrides it: - Staging has not carried this configuration yet.');
    await applied(rings, 'production', '--allow', 'promotion');
    expect(repeats(rings, 'production')).toEqual([2]);
    const { stdout } = await rings.run('history', '--target', 'production', '--check', 'promotion', '--format', 'json');
    expect(JSON.parse(stdout)).toMatchObject({ entries: [{ overrides: [{ check: 'promotion', count: 2 }] }] });
  });

  test('counts a ledger of another target that cannot be read as closed', async () => {
    commit(rings, 2);
    await applied(rings, 'staging');
    rings.pass(25);
    const { project } = rings;
    project.git('push', '-q', '--force', project.ledger, 'HEAD:refs/upkeep/staging');
    const [wait] = waitsIn(await rings.plan('--target', 'production'));
    expect(wait?.reason).toContain('cannot be looked at, which counts as not carried');
    expect(await rings.run('apply', '--target', 'production', '--yes')).toMatchObject({ code: 4 });
    const promoted = await rings.run('plan', '--target', 'production', '--ref', 'promoted');
    expect(promoted.code).toBe(1);
    expect(promoted.stderr).toContain('nobody can tell what is promoted to production: staging cannot be looked at');
  });
});

describe('the stages that count', () => {
  test('are those at the tip of the branch, whatever the commit to be applied says of them', async () => {
    const rings = await bothApplied();
    rings.project.write('upkeep.yaml', rings.settings(stagingAndProduction().map((ring) => ({ ...ring, lines: '' }))));
    const without = commit(rings, 2);
    rings.project.write('upkeep.yaml', rings.settings(stagingAndProduction()));
    rings.project.commit();
    rings.project.git('checkout', '-q', without);
    const { code, stderr } = await rings.run('apply', '--target', 'production', '--yes');
    expect([code, stderr]).toEqual([4, expect.stringContaining('staging has not carried this configuration yet')]);
  });

  test('are closed where the branch has a file that cannot be used, for every target of that branch', async () => {
    const rings = await bothApplied();
    const good = commit(rings, 2);
    await applied(rings, 'staging');
    rings.pass(25);
    rings.project.write('upkeep.yaml', 'version: 1\ntargets: {}\n');
    rings.project.commit();
    rings.project.git('checkout', '-q', good);
    const { code, stderr } = await rings.run('apply', '--target', 'production', '--yes');
    expect([code, stderr.replace(/\s+/g, ' ')]).toEqual([4, expect.stringContaining('cannot be read, which counts as closed')]);
    // Nor is anything known of the windows there.
    for (const allow of ['promotion', 'window'])
      expect(await rings.run('apply', '--target', 'production', '--yes', '--allow', allow), allow).toMatchObject({ code: 4 });
  });
});

describe('`--ref promoted`', () => {
  test('is the newest commit of the branch that the earlier target has carried, and nothing where none is newer', async () => {
    const rings = await bothApplied();
    const second = commit(rings, 2);
    await applied(rings, 'staging');
    rings.pass(25);
    commit(rings, 3);
    await applied(rings, 'staging');
    rings.pass(5);
    const [wait] = waitsIn(await rings.plan('--target', 'production'));
    expect(wait).toMatchObject({ promoted: second });
    const plan = await rings.plan('--target', 'production', '--ref', 'promoted');
    expect([plan.config?.commit, waitsIn(plan)]).toEqual([second, []]);
    await applied(rings, 'production', '--ref', 'promoted');
    expect(repeats(rings, 'production')).toEqual([2]);
    const again = await rings.run('apply', '--target', 'production', '--yes', '--ref', 'promoted');
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('nothing to do')]);
    rings.pass(20);
    await applied(rings, 'production', '--ref', 'promoted');
    expect(repeats(rings, 'production')).toEqual([3]);
  });

  test('passes over merges that the earlier target never applied, whose files it reads alike', async () => {
    const rings = await bothApplied();
    commit(rings, 2);
    await applied(rings, 'staging');
    rings.project.write('notes.txt', 'nothing of a target');
    const newest = rings.project.commit();
    rings.pass(25);
    const plan = await rings.plan('--target', 'production', '--ref', 'promoted');
    expect(plan.config?.commit).toBe(newest);
  });

  test('is the head of a comparison with what was last applied, as `--head promoted` of diff', async () => {
    const rings = await bothApplied();
    const first = rings.project.git('rev-parse', 'HEAD');
    const second = commit(rings, 2);
    await applied(rings, 'staging');
    rings.pass(25);
    const { stdout, stderr } = await rings.run('diff', '--target', 'production', '--head', 'promoted', '--format', 'json');
    expect(JSON.parse(stdout), stderr).toMatchObject({ base: { commit: first }, config: { commit: second }, summary: { update: 2 } });
  });

  test('is the commit last applied, as long as a part of it is left out', async () => {
    const rings = await bothApplied();
    const next = commit(rings, 2);
    await applied(rings, 'staging');
    rings.pass(25);
    await applied(rings, 'production', '--only', 'playlist/p1');
    expect((await rings.plan('--target', 'production', '--ref', 'promoted')).config?.commit).toBe(next);
  });

  test('is applied in a shallow clone that lacks the commit', async () => {
    const rings = await bothApplied();
    commit(rings, 2);
    await applied(rings, 'staging');
    rings.pass(25);
    commit(rings, 3);
    const clone = rings.project.clone('--depth=1');
    const { code, stderr } = await rings.runIn(clone, 'apply', '--target', 'production', '--yes', '--ref', 'promoted');
    expect(code, stderr).toBe(0);
    expect(repeats(rings, 'production')).toEqual([2]);
  });

  test('is an error for a target that comes after none', async () => {
    const rings = await bothApplied();
    const { code, stderr } = await rings.run('plan', '--target', 'staging', '--ref', 'promoted');
    expect([code, stderr]).toEqual([8, expect.stringContaining('staging comes after no other target')]);
    expect(stderr).toContain('choose targets with `after` only');
  });
});

test('times are named by the second, and what is named as the end of a wait is one', async () => {
  const rings = await bothApplied();
  commit(rings, 2);
  rings.pass(0.0001); // 360 ms
  await applied(rings, 'staging');
  const [wait] = waitsIn(await rings.plan('--target', 'production'));
  expect([wait?.reason, wait?.until]).toEqual([expect.stringContaining('since 2026-11-28T13:00:00Z'), '2026-11-29T13:00:01.000Z']);
  expect((await rings.run('targets')).stdout).toContain('since 2026-11-28T13:00:00Z.');
});
