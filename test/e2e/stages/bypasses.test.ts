/** Ways past the stages of a target, and what closes them (design section 15). */
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { LedgerEntry } from '../../../src/core/ledger/entry.ts';
import type { JsonObject } from '../../../src/core/model/json.ts';
import { waitsIn } from '../../support/waits.ts';
import { beams, manyPlaylists } from '../accounts.ts';
import { createRings, type Ring, type Rings, stagingAndProduction } from './rings.ts';

const FILE = 'config/account.yaml';

const account = (repeat: number, more: JsonObject = {}) => JSON.stringify({ playlists: manyPlaylists(2, { repeat }), ...more });

async function applied(rings: Rings, target: string, ...argv: readonly string[]): Promise<void> {
  const { code, stderr } = await rings.run('apply', '--target', target, '--yes', ...argv);
  expect(code, stderr).toBe(0);
}

/** Staging and production, both at the first commit. */
async function bothApplied(rungs = stagingAndProduction(), first = account(1)): Promise<Rings> {
  const rings = await createRings(rungs, {
    [FILE]: first,
    'live/live.yaml': JSON.stringify({ playlists: { live: { playlist: beams(7) } } }),
  });
  await applied(rings, 'staging');
  rings.pass(24);
  await applied(rings, 'production');
  return rings;
}

function commit({ project }: Rings, text: string): string {
  project.write(FILE, text);
  return project.commit();
}

/** Commits a configuration, which staging applies and carries for as long as it has to. */
async function carried(rings: Rings, text: string): Promise<string> {
  const hash = commit(rings, text);
  await applied(rings, 'staging');
  rings.pass(24);
  return hash;
}

const reasons = async (rings: Rings, ...argv: readonly string[]) =>
  waitsIn(await rings.plan('--target', 'production', ...argv)).map(({ reason }) => reason);

/** Adds an entry to the ledger of staging, as somebody could who may push to it, from its last one. */
function forge({ project }: Rings, change: (last: LedgerEntry) => object): void {
  const git = (input: string, ...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], { cwd: project.ledger, env: project.env, input })
      .toString()
      .trim();
  const last: LedgerEntry = JSON.parse(git('', 'show', 'refs/upkeep/staging:entry.json'));
  const blob = git(JSON.stringify({ ...last, ...change(last) }), 'hash-object', '-w', '--stdin');
  const tree = git(`100644 blob ${blob}\tentry.json\n`, 'mktree');
  git('', 'update-ref', 'refs/upkeep/staging', git('', 'commit-tree', '-p', 'refs/upkeep/staging', '-m', 'x', tree));
}

describe('what an earlier target carried', () => {
  test('is carried since the apply that could not read it back was repeated, and found nothing to do', async () => {
    const rings = await bothApplied();
    commit(rings, account(2));
    rings.project.emulator.setFaults([{ method: 'GET', nth: [2, 3, 4, 5, 6, 7, 8], status: 400 }]);
    expect((await rings.run('apply', '--target', 'staging', '--yes')).code).not.toBe(0);
    rings.project.emulator.setFaults([]);
    rings.pass(24);
    expect(await reasons(rings)).toEqual([expect.stringContaining('did not read it back')]);
    await applied(rings, 'staging');
    rings.pass(24);
    expect(await reasons(rings)).toEqual([]);
  });

  test('is not known to stand after an apply that was killed, whatever the entry of that one says', async () => {
    const rings = await bothApplied();
    await carried(rings, account(2));
    expect(await reasons(rings)).toEqual([]);
    const at = new Date(rings.now() + 1_000).toISOString();
    forge(rings, ({ config }) => ({ at, fingerprint: null, verified: false, outcomes: [], interrupted: [config.commit] }));
    expect(await reasons(rings)).toEqual([expect.stringContaining('its last apply was interrupted')]);
    await applied(rings, 'staging');
    expect(await reasons(rings)).toEqual([]);
  });

  test('is closed where the time of an entry is none', async () => {
    const rings = await bothApplied();
    await carried(rings, account(2));
    const next = commit(rings, account(3));
    forge(rings, ({ config }) => ({ at: '2026-99-99T00:00:00Z', config: { ...config, commit: next } }));
    const { code, stderr } = await rings.run('apply', '--target', 'production', '--yes');
    expect([code, stderr]).toEqual([4, expect.stringContaining('whether production has to wait: staging cannot')]);
  });

  test('is not promoted where it was a section without resources that was taken back', async () => {
    const rings = await bothApplied();
    const next = await carried(rings, account(1, { drm_policies: {} }));
    expect(await reasons(rings)).toEqual([]);
    await applied(rings, 'staging', '--ref', `${next}~1`, '--allow', 'rollback');
    expect(await reasons(rings)).toEqual([expect.stringContaining('has changed back')]);
  });

  test('is not promoted where it was a field left to others, and that was taken back', async () => {
    const rings = await bothApplied();
    const text = account(1, { ignore_changes: [{ address: 'playlist/p1', fields: ['/repeat'], until: '2027-03-31', why: 'test' }] });
    const next = await carried(rings, text);
    expect(await reasons(rings)).toEqual([]);
    await applied(rings, 'staging', '--ref', `${next}~1`, '--allow', 'rollback');
    expect(await reasons(rings)).toEqual([expect.stringContaining('has changed back')]);
  });
});

describe('the stages that count', () => {
  test('are those of the branch for a job of a branch that names itself as `branch`', async () => {
    const rings = await bothApplied();
    const { project } = rings;
    const own = stagingAndProduction().map((ring): Ring => ({ ...ring, lines: '' }));
    project.git('checkout', '-q', '-b', 'topic');
    project.write('upkeep.yaml', rings.settings(own).replaceAll('branch: main', 'branch: topic'));
    project.write(FILE, account(9));
    project.git('-c', 'user.name=x', '-c', 'user.email=x@example.com', 'commit', '-q', '-am', 'x');
    project.git('push', '-q', 'origin', 'topic');
    const { code, stderr } = await rings.run('apply', '--target', 'production', '--yes');
    expect([code, stderr]).toEqual([4, expect.stringContaining('staging has not carried this configuration yet')]);
    project.git('--git-dir', project.remote, 'update-ref', '-d', 'refs/heads/main');
    await applied(rings, 'production');
  });

  test('are those of the branch for a job of a commit that had neither branch nor stages yet', async () => {
    const [staging, production] = stagingAndProduction();
    if (staging === undefined || production === undefined) throw new Error('no targets');
    const rungs: readonly Ring[] = [staging, { ...production, lines: '' }];
    const rings = await createRings(rungs, { [FILE]: account(1), 'live/live.yaml': '{}' });
    rings.project.write('upkeep.yaml', rings.settings(rungs).replaceAll('    branch: main\n', ''));
    const old = commit(rings, account(5));
    rings.project.write('upkeep.yaml', rings.settings(stagingAndProduction()));
    await carried(rings, account(1));
    await applied(rings, 'production');
    rings.project.git('checkout', '-q', old);
    const { code, stderr } = await rings.run('apply', '--target', 'production', '--yes', '--allow', 'rollback');
    expect([code, stderr]).toEqual([4, expect.stringContaining('production waits')]);
  });
});
