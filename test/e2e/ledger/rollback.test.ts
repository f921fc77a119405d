/** Commits that would roll back what a newer one has brought to the account (design section 12). */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Change } from '../../../src/core/model/change.ts';
import type { JsonObject } from '../../../src/core/model/json.ts';
import type { Plan } from '../../../src/core/model/plan.ts';
import { asPlan } from '../../support/documents.ts';
import { type Clone, createGitProject, type GitProject, playlistId } from '../../support/git-project.ts';
import { temporaryFolder } from '../../support/harness.ts';
import { preparedOnce } from '../../support/prepared-project.ts';
import { beams, config, declare, manyPlaylists } from '../accounts.ts';

const IDENTITY = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];

/** Three playlists, applied; then a commit that changes the first, deletes the second and adds a fourth, applied too. */
const twiceApplied = preparedOnce(async () => {
  const project = await createGitProject(config({ playlists: manyPlaylists(3) }));
  await apply(project);
  declare(project, { playlists: newer() });
  project.commit();
  await apply(project);
  return project;
});

function newer(): JsonObject {
  const { p1, p3 } = manyPlaylists(4, { repeat: 2 });
  const { p3: unchanged, p4 } = manyPlaylists(4);
  expect(p3).toBeDefined();
  return { p1: p1 ?? null, p3: unchanged ?? null, p4: p4 ?? null };
}

async function apply(project: GitProject, ...args: readonly string[]): Promise<void> {
  const { code, stderr } = await project.apply('--yes', ...args);
  expect(code, stderr).toBe(0);
  project.writes();
}

/** Commits on a branch of its own without pushing it to `main`. */
function commitOnBranch(project: Clone, branch: string): string {
  project.git('add', '-A');
  project.git(...IDENTITY, 'commit', '-q', '--allow-empty', '-m', 'on a branch');
  project.git('push', '-q', '--force', 'origin', `HEAD:refs/heads/${branch}`);
  return project.git('rev-parse', 'HEAD');
}

const lines = (changes: readonly Change[] = []) => changes.map(({ action, address }) => `${action} ${address}`).sort();

/** What a plan counts, and what it lists apart. */
function summaryOf({ changes, behind, summary: { create, update, delete: deleted, blocked } }: Plan) {
  return { changes: lines(changes), behind: lines(behind), counts: [create, update, deleted, blocked] };
}

describe('an old commit that is applied again', () => {
  test('writes nothing, and names the commit last applied and the commits that it lacks', async () => {
    const project = await twiceApplied();
    const last = project.git('rev-parse', 'HEAD');
    project.git('checkout', '-q', 'HEAD~1');
    const { code, document } = await project.refused('apply', '--yes');
    expect([code, document.error.code, project.writes()]).toEqual([4, 'blocked', []]);
    expect(document.error.summary).toContain('playlist/p1 by safety check `rollback`');
    expect(document.error.summary).toContain(
      `it would roll back repeat of commit ${last.slice(0, 12)}, which was applied (its file was changed by ${last.slice(0, 12)})`,
    );
    expect(document.error.hint).toContain('--allow rollback');
    expect(project.entries()).toHaveLength(2);
  });

  test('plans no change of its own, with exit code 0, and lists what it lacks in every format that people read', async () => {
    const project = await twiceApplied();
    project.git('checkout', '-q', 'HEAD~1');
    const { code, document } = await project.plan('--detailed-exitcode');
    expect(code).toBe(0);
    expect(summaryOf(document)).toEqual({
      changes: [],
      behind: ['create playlist/p2', 'delete playlist/p4', 'update playlist/p1'],
      counts: [0, 0, 0, 0],
    });
    expect(document.findings.filter(({ code }) => code === 'scheduled-entries')).toEqual([]);
    for (const format of ['text', 'markdown', 'html']) {
      const { stdout } = await project.run('plan', '--format', format);
      expect(stdout, format).toContain('Behind the commit last applied');
      expect(stdout, format).toContain('playlist/p4');
      expect(stdout, format).toContain('No changes of this commit, which is behind the commit last applied');
    }
    expect((await project.run('plan', '--format', 'text')).stdout).not.toContain('Origin:');
  });

  test('is applied with --allow rollback, also by its name, and can then be left again', async () => {
    const project = await twiceApplied();
    const [old, last] = [project.git('rev-parse', 'HEAD~1'), project.git('rev-parse', 'HEAD')];
    expect(await project.refused('apply', '--yes', '--ref', old)).toMatchObject({ code: 4 });
    await apply(project, '--ref', old, '--allow', 'rollback');
    expect(project.entries().at(-1)).toMatchObject({ config: { commit: old }, summary: { created: 1, updated: 1, deleted: 1 } });
    // The newer commit contains what was applied last.
    const { document } = await project.plan();
    expect(summaryOf(document)).toMatchObject({ behind: [], counts: [1, 1, 1, 0] });
    await apply(project);
    expect(project.entries().at(-1)?.config.commit).toBe(last);
  });

  test('is applied without what it lacks with --skip-blocked; the addresses stand at the newer commit', async () => {
    const project = await twiceApplied();
    const last = project.git('rev-parse', 'HEAD');
    project.git('checkout', '-q', 'HEAD~1');
    expect((await project.apply('--yes', '--skip-blocked')).code).toBe(4);
    expect(project.writes()).toEqual([]);
    expect(project.entries().at(-1)?.pendingSince).toEqual({ 'playlist/p1': last, 'playlist/p2': last, 'playlist/p4': last });
    expect(summaryOf((await project.plan()).document).behind).toEqual(['create playlist/p2', 'delete playlist/p4', 'update playlist/p1']);
    project.git('checkout', '-q', 'main');
    expect(summaryOf((await project.plan()).document)).toEqual({ changes: [], behind: [], counts: [0, 0, 0, 0] });
  });

  test('may revert what was edited by hand', async () => {
    const project = await twiceApplied();
    project.git('checkout', '-q', 'HEAD~1');
    project.editPlaylist(playlistId(project, 'p3'), { active: 0 });
    const { document } = await project.plan('--only', 'playlist/p3');
    expect(summaryOf(document)).toEqual({ changes: ['update playlist/p3'], behind: [], counts: [0, 1, 0, 0] });
  });

  test('is planned as before without a ledger, and before the first apply', async () => {
    const project = await createGitProject(config({ playlists: manyPlaylists(2) }));
    expect(summaryOf((await project.plan()).document)).toMatchObject({ behind: [], counts: [2, 0, 0, 0] });
    await apply(project);
    project.write('upkeep.yaml', project.read('upkeep.yaml').replace(/ledger: .*/, 'ledger: none'));
    declare(project, { playlists: manyPlaylists(1) });
    expect(summaryOf((await project.plan()).document)).toMatchObject({ behind: [] });
  });
});

describe('a branch', () => {
  test('shows what it lacks apart from its own changes, and its fingerprint is that after a merge', async () => {
    const project = await twiceApplied();
    const branch = project.clone();
    branch.git('checkout', '-q', '-b', 'feature', 'HEAD~1');
    branch.write(
      'config/account.yaml',
      JSON.stringify({ playlists: { ...manyPlaylists(3), p3: { active: 0, playlist: beams(3, 1003) } } }, null, 1),
    );
    const commit = commitOnBranch(branch, 'feature');
    const { code, document } = await project.plan('--ref', commit, '--detailed-exitcode');
    expect(code).toBe(2);
    expect(summaryOf(document)).toEqual({
      changes: ['update playlist/p3'],
      behind: ['create playlist/p2', 'delete playlist/p4', 'update playlist/p1'],
      counts: [0, 1, 0, 0],
    });
    expect(document.requests).toHaveLength(1);
    expect(await project.refused('apply', '--yes', '--ref', commit)).toMatchObject({ code: 4 });

    declare(project, { playlists: { ...newer(), p3: { active: 0, playlist: beams(3, 1003) } } });
    project.commit();
    const merged = await project.plan();
    expect(summaryOf(merged.document)).toMatchObject({ changes: ['update playlist/p3'], behind: [] });
    expect(merged.document.fingerprint).toBe(document.fingerprint);
  });

  test('that was merged into the other way round rolls back nothing, whichever of several merge bases counts', async () => {
    const project = await createGitProject(config({ playlists: manyPlaylists(2) }));
    await apply(project);
    const start = project.git('rev-parse', 'HEAD');
    const side = project.clone();
    side.git('checkout', '-q', '-b', 'side', start);
    side.write(
      'config/account.yaml',
      JSON.stringify({ playlists: { ...manyPlaylists(2), p2: { repeat: 5, playlist: beams(2, 1002) } } }, null, 1),
    );
    const right = commitOnBranch(side, 'side');
    declare(project, { playlists: { ...manyPlaylists(2), p1: { repeat: 3, playlist: beams(1, 1001) } } });
    const left = project.commit();
    const both = { p1: { repeat: 3, playlist: beams(1, 1001) }, p2: { repeat: 5, playlist: beams(2, 1002) } };
    const merge = (clone: Clone, other: string, sections: JsonObject) => {
      clone.git('fetch', '-q', 'origin', other);
      clone.git(...IDENTITY, 'merge', '-q', '--no-commit', '-s', 'ours', other);
      clone.write('config/account.yaml', JSON.stringify(sections, null, 1));
    };
    merge(project, right, { playlists: { ...both, p1: { repeat: 4, playlist: beams(1, 1001) } } });
    project.commit();
    await apply(project);
    merge(side, left, { playlists: both });
    const crossed = commitOnBranch(side, 'side');
    project.git('fetch', '-q', 'origin', 'side');
    expect(project.git('merge-base', '--all', 'HEAD', crossed).split('\n')).toHaveLength(2);
    const { document } = await project.plan('--ref', crossed);
    expect(summaryOf(document)).toEqual({ changes: [], behind: ['update playlist/p1'], counts: [0, 0, 0, 0] });
  });

  test('without a history in common with the commit last applied blocks every change that it cannot judge', async () => {
    const project = await twiceApplied();
    const last = project.git('rev-parse', 'HEAD').slice(0, 12);
    const other = project.clone();
    other.git('checkout', '-q', '--orphan', 'other');
    other.write('config/account.yaml', JSON.stringify({ playlists: { ...newer(), p3: { active: 0, playlist: beams(3, 1003) } } }, null, 1));
    const commit = commitOnBranch(other, 'other');
    project.editPlaylist(playlistId(project, 'p1'), { repeat: 9 });
    const { code, document } = await project.plan('--ref', commit, '--detailed-exitcode');
    expect([code, summaryOf(document)]).toEqual([
      4,
      { changes: ['update playlist/p1', 'update playlist/p3'], behind: [], counts: [0, 2, 0, 1] },
    ]);
    expect(document.changes.find(({ address }) => address === 'playlist/p3')?.blocked).toMatchObject({
      check: 'rollback',
      reason: `upkeep cannot tell whether it would roll back something of commit ${last}, which was applied: the two commits have no history in common`,
    });
    await apply(project, '--ref', commit, '--allow', 'rollback');
  });

  test('whose merge base cannot be used any more blocks what differs, with the reason', async () => {
    const project = await createGitProject(config({ playlists: manyPlaylists(2) }));
    const valid = project.read('upkeep.yaml');
    project.write('upkeep.yaml', valid.replace('version: 1', 'version: 2'));
    const base = project.commit();
    project.write('upkeep.yaml', valid);
    declare(project, { playlists: manyPlaylists(2, { repeat: 1 }) });
    project.commit();
    await apply(project);
    project.git('checkout', '-q', '-b', 'side', base);
    project.write('upkeep.yaml', valid);
    declare(project, { playlists: { ...manyPlaylists(2), p2: { repeat: 1, playlist: beams(2, 1002) } } });
    const { document } = await project.plan();
    expect(summaryOf(document)).toEqual({ changes: ['update playlist/p1'], behind: [], counts: [0, 1, 0, 1] });
    expect(document.changes[0]?.blocked?.reason).toContain(
      `: the configuration at their merge base (${base.slice(0, 12)}) cannot be used: its upkeep.yaml is not valid for this version of upkeep`,
    );
  });
});

test('a commit last applied that nobody has any more blocks every change', async () => {
  const project = await twiceApplied();
  declare(project, { playlists: { ...newer(), p3: { active: 0, playlist: beams(3, 1003) } } });
  project.commit();
  const [head = '', commit = ''] = [project.refs()['refs/upkeep/live'], project.entries().at(-1)?.config.commit ?? ''];
  // An entry that names a commit which is no parent of it, as after somebody wrote the ref anew.
  const folder = project.clone();
  folder.git('fetch', '-q', project.ledger, head);
  const text = folder.git('show', `${head}:entry.json`).replaceAll(commit, 'f'.repeat(40));
  folder.git('checkout', '-q', '--orphan', 'ledger');
  folder.git('rm', '-q', '-r', '--cached', '.');
  folder.write('entry.json', `${text}\n`);
  folder.git('add', 'entry.json');
  folder.git(...IDENTITY, 'commit', '-q', '-m', 'entry');
  folder.git('push', '-q', '--force', project.ledger, 'HEAD:refs/upkeep/live');
  const { document } = await project.plan();
  expect(summaryOf(document)).toEqual({ changes: ['update playlist/p3'], behind: [], counts: [0, 1, 0, 1] });
  expect(document.changes[0]?.blocked?.reason).toContain(
    `of commit ${'f'.repeat(12)}, which was applied: commit ${'f'.repeat(40)} is not here`,
  );
});

test('an address that was moved stays where the newer commit has moved it', async () => {
  const project = await createGitProject(config({ playlists: manyPlaylists(2) }));
  await apply(project);
  const { p1, p2 } = manyPlaylists(2);
  declare(project, { playlists: { renamed: p1 ?? null, p2: p2 ?? null }, moved: [{ from: 'playlist/p1', to: 'playlist/renamed' }] });
  project.commit();
  await apply(project);
  project.git('checkout', '-q', 'HEAD~1');
  const { document } = await project.plan();
  expect(summaryOf(document)).toEqual({ changes: [], behind: ['create playlist/p1', 'delete playlist/renamed'], counts: [0, 0, 0, 0] });
  expect((await project.apply('--yes', '--skip-blocked')).code).toBe(4);
  expect(project.playlists().map(({ desc }) => desc)).toEqual(['renamed', 'p2']);
});

describe('after an apply from a dirty work tree', () => {
  test('a commit is compared with the newest commit that was applied', async () => {
    const project = await twiceApplied();
    declare(project, { playlists: { ...newer(), p3: { active: 0, playlist: beams(3, 1003) } } });
    await apply(project, '--allow', 'dirty');
    expect(project.entries().at(-1)?.config.commit).toBeNull();
    project.git('checkout', '-q', '--', '.');
    expect(summaryOf((await project.plan()).document)).toMatchObject({ changes: ['update playlist/p3'], behind: [] });
    project.git('checkout', '-q', 'HEAD~1');
    expect(summaryOf((await project.plan()).document)).toEqual({
      changes: ['update playlist/p3'],
      behind: ['create playlist/p2', 'delete playlist/p4', 'update playlist/p1'],
      counts: [0, 1, 0, 0],
    });
  });

  test('that was the only one, nothing is compared', async () => {
    const project = await createGitProject(config({ playlists: manyPlaylists(1) }));
    declare(project, { playlists: manyPlaylists(2) });
    await apply(project, '--allow', 'dirty');
    project.git('checkout', '-q', '--', '.');
    expect(summaryOf((await project.plan()).document)).toMatchObject({ changes: ['delete playlist/p2'], behind: [] });
  });
});

test('edits that are not committed belong to the commit to be applied', async () => {
  const project = await twiceApplied();
  project.git('checkout', '-q', 'HEAD~1');
  declare(project, { playlists: { ...manyPlaylists(3), p1: { repeat: 7, playlist: beams(1, 1001) } } });
  expect(summaryOf((await project.plan()).document)).toEqual({
    changes: ['update playlist/p1'],
    behind: ['create playlist/p2', 'delete playlist/p4'],
    counts: [0, 1, 0, 0],
  });
});

test('an address that the last apply left out is compared with the commit at which it stands', async () => {
  const project = await createGitProject(config({ playlists: manyPlaylists(2) }));
  await apply(project);
  for (const repeat of [1, 2]) {
    declare(project, { playlists: manyPlaylists(2, { repeat }) });
    project.commit();
    await apply(project, ...(repeat === 1 ? [] : ['--only', 'playlist/p2']));
  }
  // The first playlist stands at the second commit, the second one at the third.
  project.git('checkout', '-q', 'HEAD~1');
  expect(summaryOf((await project.plan()).document)).toEqual({ changes: [], behind: ['update playlist/p2'], counts: [0, 0, 0, 0] });
  project.git('checkout', '-q', 'HEAD~1');
  expect(summaryOf((await project.plan()).document).behind).toEqual(['update playlist/p1', 'update playlist/p2']);
});

test('targets of one project are each compared with their own commit last applied', async () => {
  const project = await createGitProject(config({ playlists: manyPlaylists(1) }));
  const [, own = ''] = /targets:\n([\s\S]*)/.exec(project.read('upkeep.yaml')) ?? [];
  project.write('upkeep.yaml', `${project.read('upkeep.yaml')}${own.replace('live:', 'other:')}`);
  project.commit();
  await apply(project, '-t', 'other');
  declare(project, { playlists: manyPlaylists(1, { repeat: 2 }) });
  project.commit();
  // Its account has what the other target has created.
  await apply(project, '-t', 'live', '--allow', 'first-apply');
  project.git('checkout', '-q', 'HEAD~1');
  expect(summaryOf((await project.plan('-t', 'live')).document).behind).toEqual(['update playlist/p1']);
  expect(summaryOf((await project.plan('-t', 'other')).document).behind).toEqual([]);
});

describe('a clone of depth 1', () => {
  test('of an old commit is refused like a full one, and is not deepened', async () => {
    const project = await twiceApplied();
    const old = project.git('rev-parse', 'HEAD~1');
    project.git('push', '-q', 'origin', `${old}:refs/heads/old`);
    const shallow = project.clone('--depth=1', '--branch=old');
    const before = [shallow.git('rev-list', '--all'), shallow.git('config', '--list', '--local')];
    const planned = await shallow.run('plan', '--format', 'json', '--detailed-exitcode');
    expect(planned.code, planned.stderr).toBe(0);
    const document: Plan = JSON.parse(planned.stdout);
    expect(summaryOf(document)).toEqual({
      changes: [],
      behind: ['create playlist/p2', 'delete playlist/p4', 'update playlist/p1'],
      counts: [0, 0, 0, 0],
    });
    expect(document.behind?.[2]?.blocked?.reason).toContain('changed by');
    expect((await shallow.run('apply', '--yes')).code).toBe(4);
    expect(project.writes()).toEqual([]);
    expect([shallow.git('rev-list', 'HEAD'), shallow.git('config', '--list', '--local')]).toEqual([old, before[1]]);
  });

  test('undoes the last apply, and names the commits to revert', async () => {
    const project = await twiceApplied();
    const head = project.git('rev-parse', 'HEAD');
    const shallow = project.clone('--depth=1');
    const { stderr } = await shallow.run('undo');
    expect(stderr).toContain(`git revert -m 1 ${head}\n`);
    const [, words = ''] = /to apply this plan: upkeep (.*)/.exec(stderr) ?? [];
    const applied = await shallow.run(...words.split(' '));
    expect(applied.code, applied.stderr).toBe(0);
    expect(
      project
        .playlists()
        .map(({ desc, repeat }) => [desc, repeat])
        .sort(),
    ).toEqual([
      ['p1', 0],
      ['p2', 0],
      ['p3', 0],
    ]);
    expect(shallow.git('rev-list', 'HEAD')).toBe(head);
  });

  test('names what had both weakened and strengthened protection among what goes back, and says what to declare with `--only`', async () => {
    const sections = (hd: number, license: number, fill: number) => ({
      drm_policies: {
        films: { fairplay: { hd: { hdcp_enforcement: hd } }, playready: { license_duration_seconds: license } },
      },
      playlists: manyPlaylists(1, { ad_slate_fill: fill }),
    });
    const project = await createGitProject(config(sections(1, 7200, 0)));
    await apply(project, '--allow', 'weakening');
    const before = project.git('rev-parse', 'HEAD').slice(0, 12);
    declare(project, sections(0, 3600, 1));
    project.commit();
    await apply(project, '--allow', 'weakening');
    const spoken = (await project.run('undo')).stderr.replace(/\s+/g, ' ');
    expect(spoken).toContain('--only drm-policy/films');
    const part = (await project.run('undo', '--only', 'drm-policy/films')).stderr.replace(/\s+/g, ' ');
    expect(part).toContain(`declare drm-policy/films as at ${before}; a revert takes back all else that was merged`);
    expect(part).not.toContain('git revert');
  });

  test('warns of what the apply to which it goes back had left out, and names the one before which it was all there', async () => {
    const project = await createGitProject(config({ playlists: manyPlaylists(2) }));
    await apply(project);
    declare(project, { playlists: manyPlaylists(2, { repeat: 1 }) });
    project.commit();
    await apply(project, '--only', 'playlist/p1');
    await apply(project);
    const { stdout, stderr } = await project.run('undo');
    expect(stdout).toContain('Nothing to do');
    const spoken = stderr.replace(/\s+/g, ' ');
    expect(spoken).toContain('left out playlist/p2, which a later one has applied');
    const [, words = ''] = /to go back to before that commit: upkeep (undo \w+ --target live)/.exec(spoken) ?? [];
    const whole = await project.run(...words.split(' '), '--format', 'json');
    expect(asPlan(JSON.parse(whole.stdout)).changes.map(({ address }) => address)).toEqual(['playlist/p1', 'playlist/p2']);
    expect(whole.stderr).not.toContain('left out');
  });

  test('names the `undo` of nothing but what weakened or stopped, where more was applied with it', async () => {
    const project = await createGitProject(config({ playlists: manyPlaylists(4), vmp_reject_statuses: [] }));
    await apply(project);
    const playlists = {
      ...manyPlaylists(4),
      p1: { playlist: beams(1, 1001), skip_drm: 1 },
      p2: { playlist: beams(2, 1002), active: 0 },
      p3: { playlist: beams(3, 1003), ad_slate_fill: 1 },
    };
    declare(project, { playlists, vmp_reject_statuses: ['PLATFORM_TAMPERED'] });
    project.commit();
    await apply(project, '--allow', 'weakening', '--allow', 'playback-loss');
    const spoken = (await project.run('undo')).stderr.replace(/\s+/g, ' ');
    const found =
      /3 of the 4 changes that go back had weakened protection, or stopped or reduced playback, and vmp-reject-statuses had strengthened protection, which is lost again; to go back with these alone: upkeep (undo \w+ --target live (?:--only \S+ ?)+)/.exec(
        spoken,
      );
    const words = (found?.[1] ?? '').trim().split(' ');
    const back = await project.run(...words, '--format', 'json', '--allow', 'weakening');
    expect(asPlan(JSON.parse(back.stdout)).changes.map(({ address }) => address)).toEqual([
      'playlist/p1',
      'playlist/p2',
      'vmp-reject-statuses',
    ]);
    expect(back.stderr).not.toContain('that go back had');
  });

  test('of a newer commit applies it', async () => {
    const project = await twiceApplied();
    declare(project, { playlists: { ...newer(), p3: { active: 0, playlist: beams(3, 1003) } } });
    project.commit();
    const shallow = project.clone('--depth=1');
    const applied = await shallow.run('apply', '--yes');
    expect(applied.code, applied.stderr).toBe(0);
    expect(project.entries().at(-1)).toMatchObject({ summary: { updated: 1 }, config: { commit: project.git('rev-parse', 'HEAD') } });
  });
});

describe('a saved plan', () => {
  test('of a commit that is behind is refused, and applied without what it lacks, or with --allow rollback', async () => {
    const project = await twiceApplied();
    project.git('checkout', '-q', 'HEAD~1');
    const own = { ...manyPlaylists(3), p3: { active: 0, playlist: beams(3, 1003) } };
    declare(project, { playlists: own });
    commitOnBranch(project, 'side');
    await project.plan('--out', 'json=plan.json');
    expect(await project.refused('apply', '--plan', 'plan.json')).toMatchObject({ code: 4 });
    expect(project.writes()).toEqual([]);
    const copy = project.copy();
    const all = await copy.run('apply', '--plan', 'plan.json', '--allow', 'rollback', '--format', 'json');
    expect([all.code, JSON.parse(all.stdout).summary]).toMatchObject([0, { created: 1, updated: 2, deleted: 1 }]);
  });

  test('does not apply what a newer commit brought after it was made', async () => {
    const project = await createGitProject(config({ playlists: manyPlaylists(2) }));
    await apply(project);
    const saved = join(temporaryFolder(), 'plan.json');
    const changed = manyPlaylists(2, { repeat: 1 });
    declare(project, { playlists: { ...changed, ...manyPlaylists(1) } });
    project.commit();
    await project.plan('--out', `json=${saved}`);
    declare(project, { playlists: changed });
    project.commit();
    await apply(project, '--only', 'playlist/p1');
    project.git('checkout', '-q', 'HEAD~1');
    const { code, document } = await project.apply('--plan', saved);
    expect([code, document.summary.updated]).toEqual([0, 1]);
    expect(project.playlists().map(({ desc, repeat }) => [desc, repeat])).toEqual([
      ['p1', 1],
      ['p2', 1],
    ]);
  });
});

test('the change of one playlist in a commit that also takes something of it back is blocked and counted', async () => {
  const project = await twiceApplied();
  project.git('checkout', '-q', 'HEAD~1');
  declare(project, { playlists: { ...manyPlaylists(3), p1: { active: 0, playlist: beams(1, 1001) } } });
  const { code, document } = await project.plan('--detailed-exitcode');
  expect([code, document.changes.map(({ address, blocked }) => [address, blocked?.check])]).toEqual([4, [['playlist/p1', 'rollback']]]);
});
