/** Safety checks: which changes they block, why, and what overrides them (design section 4, rule 9). */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/model/json.ts';
import { createTestProject, type TestProject } from '../support/harness.ts';
import { liftOf } from '../support/lifts.ts';
import { beams, config, manyLive, manyPlaylists, PLAYLISTS } from './accounts.ts';

const EXCLUSIVE = 'ownership: exclusive\nplayback_loss: allow\n';

/** Sets up an account of `live` playlists of which the first `kept` are declared. */
function deletingProject(live: number, declaredCount: number, target = ''): Promise<TestProject> {
  return createTestProject(config({ playlists: manyPlaylists(declaredCount) }), {
    seed: { playlist: manyLive(live) },
    target: EXCLUSIVE + target,
  });
}

async function blockingChecks(project: TestProject, ...flags: readonly string[]): Promise<readonly (string | undefined)[]> {
  const { document } = await project.plan(...flags);
  expect(document.summary.blocked).toBe(document.changes.filter(({ blocked }) => blocked !== null).length);
  return [...new Set(document.changes.map(({ blocked }) => blocked?.check))];
}

describe('safety check `deletes`', () => {
  test.each([
    ['at the default count', 40, 35, '', undefined],
    ['over the default count', 40, 34, '', 'deletes'],
    ['over the configured count', 40, 38, 'limits: { delete: { count: 1 } }', 'deletes'],
    ['at the configured count', 40, 34, 'limits: { delete: { count: 6 } }', undefined],
    ['at the percentage, where ten are live', 10, 7, '', undefined],
    ['over the percentage, where ten are live', 10, 6, '', 'deletes'],
    ['over the percentage, where nine are live', 9, 5, '', undefined],
    ['over the configured percentage', 10, 8, 'limits: { delete: { percent: 10 } }', 'deletes'],
    ['every one of two', 2, 0, '', 'deletes'],
    ['the only one', 1, 0, '', undefined],
    ['every one of two, where 100 percent are allowed', 2, 0, 'limits: { delete: { percent: 100 } }', undefined],
  ])('considers %s', async (_name, live, declaredCount, limits, check) => {
    expect(await blockingChecks(await deletingProject(live, declaredCount, limits))).toEqual([check]);
  });

  test('is overridden with --allow deletes, or with a number that is not below the count', async () => {
    const project = await deletingProject(40, 34);
    expect(await blockingChecks(project, '--allow', 'deletes=5')).toEqual(['deletes']);
    expect(await blockingChecks(project, '--allow', 'deletes=6')).toEqual([undefined]);
    expect(await blockingChecks(project, '--allow', 'deletes')).toEqual([undefined]);
    const { document } = await project.plan();
    expect(document.changes[0]?.blocked).toMatchObject({
      check: 'deletes',
      reason: '6 deletes of playlist, over the limit of 5',
      lift: { allow: 'deletes=6' },
    });
    expect((await project.apply('--yes', '--allow', 'deletes=6')).document.summary.deleted).toBe(6);
  });
});

describe('safety check `updates`', () => {
  const repeated = (count: number, all: number): JsonObject => ({ ...manyPlaylists(all), ...manyPlaylists(count, { repeat: 1 }) });

  test.each([
    ['half of ten', 5, 10, '', undefined],
    ['more than half of ten', 6, 10, '', 'updates'],
    ['all of nine', 9, 9, '', undefined],
    ['over the configured percentage', 2, 10, 'limits: { update: { percent: 10 } }', 'updates'],
  ])('considers %s', async (_name, changed, all, target, check) => {
    const project = await createTestProject(config({ playlists: repeated(changed, all) }), { seed: { playlist: manyLive(all) }, target });
    expect(await blockingChecks(project)).toEqual([check]);
    expect(await blockingChecks(project, '--allow', 'updates')).toEqual([undefined]);
  });
});

describe('safety check `protect`', () => {
  test.each([
    ['an address', 'playlist/~live2'],
    ['a glob of addresses', 'playlist/~*'],
    ['a description', 'p2'],
    ['a glob of descriptions', 'p*'],
  ])('blocks the deletion of an undeclared object by %s, whatever --allow contains', async (_name, glob) => {
    const project = await deletingProject(2, 1, `protect: ["${glob}"]`);
    expect(await blockingChecks(project, '--allow', 'deletes', '--allow', 'weakening')).toEqual(['protect']);
    expect(liftOf((await project.plan()).document.changes[0]?.blocked)).toContain('upkeep.yaml');
    expect((await project.run('apply', '--yes', '--allow', 'deletes')).code).toBe(4);
    expect(project.writes()).toEqual([]);
  });

  test('blocks the weakening of a declared resource, and no other change', async () => {
    const target = 'protect: [playlist/p1]\nweakening: allow';
    const project = await createTestProject(config({ playlists: manyPlaylists(1, { skip_drm: 1 }) }), {
      seed: { playlist: manyLive(1) },
      target,
    });
    expect(await blockingChecks(project)).toEqual(['protect']);
    const other = await createTestProject(config({ playlists: manyPlaylists(1, { repeat: 1 }) }), {
      seed: { playlist: manyLive(1) },
      target,
    });
    expect(await blockingChecks(other)).toEqual([undefined]);
  });
});

describe('safety check `weakening`', () => {
  const loose = { playlists: manyPlaylists(1, { skip_drm: 1 }) };
  const seed = { playlist: manyLive(1) };

  test('blocks with a reason, and is overridden by a flag or by upkeep.yaml', async () => {
    const project = await createTestProject(config(loose), { seed });
    const { document } = await project.plan();
    expect(document.changes[0]).toMatchObject({ effect: 'weakens', blocked: { check: 'weakening', lift: { allow: 'weakening' } } });
    expect(document.changes[0]?.blocked?.reason).toContain('without a digital signature');
    expect(document.changes[0]?.blocked?.reason).toContain('running sessions keep the old setting');
    expect(await blockingChecks(project, '--allow', 'weakening')).toEqual([undefined]);
    const allowing = await createTestProject(config(loose), { seed, target: 'weakening: allow' });
    expect(await blockingChecks(allowing)).toEqual([undefined]);
  });

  test.each([
    ['skip_drm', 1, 0],
    ['studio_drm_required', 0, 1],
  ])('blocks a change of %s in one direction only', async (field, weakening, strengthening) => {
    const project = await createTestProject(config({ playlists: manyPlaylists(1, { [field]: weakening }) }), {
      seed: { playlist: manyLive(1, { [field]: strengthening }) },
    });
    expect(await blockingChecks(project)).toEqual(['weakening']);
    const other = await createTestProject(config({ playlists: manyPlaylists(1, { [field]: strengthening }) }), {
      seed: { playlist: manyLive(1, { [field]: weakening }) },
    });
    expect(await blockingChecks(other)).toEqual([undefined]);
  });

  test('blocks the removal of a VMP status', async () => {
    const project = await createTestProject(config({ vmp_reject_statuses: ['PLATFORM_TAMPERED'] }), {
      seed: { 'vmp-reject-statuses': ['PLATFORM_TAMPERED', 'PLATFORM_UNVERIFIED'] },
    });
    expect(await blockingChecks(project)).toEqual(['weakening']);
    const other = await createTestProject(config({ vmp_reject_statuses: ['PLATFORM_TAMPERED'] }));
    expect(await blockingChecks(other)).toEqual([undefined]);
  });
});

describe('with a blocked change', () => {
  const sections = { playlists: { ...manyPlaylists(2, { repeat: 1 }), ...manyPlaylists(1, { skip_drm: 1 }) } };

  test('plan exits 0, or 4 with --detailed-exitcode; requests and cost leave it out', async () => {
    const project = await createTestProject(config(sections), { seed: { playlist: manyLive(2) } });
    expect((await project.plan()).code).toBe(0);
    const { code, document } = await project.plan('--detailed-exitcode');
    expect(code).toBe(4);
    expect(document.summary).toMatchObject({ update: 2, blocked: 1 });
    expect(document.cost.writes).toBe(1);
    expect(document.requests).toMatchObject([{ method: 'PATCH', addresses: ['playlist/p2'] }]);
  });

  test('apply writes nothing, and exits 4, with reason and override', async () => {
    const project = await createTestProject(config(sections), { seed: { playlist: manyLive(2) } });
    const refused = await project.refused('apply', '--yes');
    expect(refused).toMatchObject({ code: 4, document: { error: { exit: 4, code: 'blocked' } } });
    expect(refused.document.error.summary).toContain('playlist/p1');
    expect(refused.document.error.hint).toContain('--allow weakening');
    expect(project.writes()).toEqual([]);
  });

  test('--skip-blocked applies the rest, and exits 4 all the same', async () => {
    const project = await createTestProject(config(sections), { seed: { playlist: manyLive(2) } });
    const { code, document } = await project.apply('--yes', '--skip-blocked');
    expect(code).toBe(4);
    expect(document.outcomes).toMatchObject([
      { address: 'playlist/p2', result: 'updated' },
      { address: 'playlist/p1', result: 'skipped', because: expect.stringContaining('weakening') },
    ]);
    expect(project.writes()).toEqual([`PATCH ${PLAYLISTS}/live2`]);
  });

  test('--skip-blocked asks nothing where no change is left', async () => {
    const project = await createTestProject(config({ playlists: manyPlaylists(1, { skip_drm: 1 }) }), { seed: { playlist: manyLive(1) } });
    expect(await project.apply('--skip-blocked')).toMatchObject({ code: 4, document: { summary: { skipped: 1 } } });
    expect(project.writes()).toEqual([]);
  });
});

test('an unknown safety check in --allow is a usage error', async () => {
  const project = await createTestProject(config({ playlists: {} }));
  for (const word of ['everything', 'deletes=', 'deletes=-1', 'protect', 'identity'])
    expect((await project.run('plan', '--allow', word)).code).toBe(8);
  expect(project.emulator.requests()).toEqual([]);
});

test('two safety checks block one change with both reasons, under the name of the stricter check', async () => {
  const live = [...manyLive(2), { id: 'extra', desc: 'extra', skip_drm: 0, playlist: beams(5, 6) }];
  const project = await createTestProject(config({ playlists: {} }), { seed: { playlist: live }, target: `${EXCLUSIVE}protect: [extra]` });
  const { document } = await project.plan();
  const extra = document.changes.find(({ address }) => address === 'playlist/~extra');
  expect(extra?.blocked).toMatchObject({ check: 'protect' });
  expect(extra?.blocked?.reason).toContain('all 3 live playlist objects deleted');
});
