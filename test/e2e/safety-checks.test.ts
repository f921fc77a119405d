/** Safety checks: which changes they block, why, and what overrides them (design section 4, rule 9). */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import { type Stage, stage } from '../support/harness.ts';
import { beams, config, manyLive, manyPlaylists, PLAYLISTS } from './accounts.ts';

const EXCLUSIVE = 'ownership: exclusive\n';

/** An account of `live` playlists of which the first `kept` are declared. */
function deletingStage(live: number, kept: number, target = ''): Promise<Stage> {
  return stage(config({ playlists: manyPlaylists(kept) }), { seed: { playlist: manyLive(live) }, target: EXCLUSIVE + target });
}

async function heldBy(set: Stage, ...flags: readonly string[]): Promise<readonly (string | undefined)[]> {
  const { document } = await set.plan(...flags);
  expect(document.summary.blocked).toBe(document.changes.filter(({ blocked }) => blocked !== null).length);
  return [...new Set(document.changes.map(({ blocked }) => blocked?.check))];
}

describe('deletes', () => {
  test.each([
    ['at the count', 40, 35, '', undefined],
    ['over the count', 40, 34, '', 'deletes'],
    ['over a count of its own', 40, 38, 'limits: { delete: { count: 1 } }', 'deletes'],
    ['below a count of its own', 40, 34, 'limits: { delete: { count: 6 } }', undefined],
    ['at the percentage, where ten are live', 10, 7, '', undefined],
    ['over the percentage, where ten are live', 10, 6, '', 'deletes'],
    ['over the percentage, where nine are live', 9, 5, '', undefined],
    ['over a percentage of its own', 10, 8, 'limits: { delete: { percent: 10 } }', 'deletes'],
    ['every one of two', 2, 0, '', 'deletes'],
    ['the only one', 1, 0, '', undefined],
    ['every one of two, where 100 percent are allowed', 2, 0, 'limits: { delete: { percent: 100 } }', undefined],
  ])('%s', async (_name, live, kept, limits, brake) => {
    expect(await heldBy(await deletingStage(live, kept, limits))).toEqual([brake]);
  });

  test('are overridden with --allow deletes, or with a number that is not below them', async () => {
    const set = await deletingStage(40, 34);
    expect(await heldBy(set, '--allow', 'deletes=5')).toEqual(['deletes']);
    expect(await heldBy(set, '--allow', 'deletes=6')).toEqual([undefined]);
    expect(await heldBy(set, '--allow', 'deletes')).toEqual([undefined]);
    const { document } = await set.plan();
    expect(document.changes[0]?.blocked).toEqual({
      check: 'deletes',
      reason: '6 deletes of playlist, over the limit of 5',
      override: '--allow deletes=6',
    });
    expect((await set.apply('--yes', '--allow', 'deletes=6')).document.summary.deleted).toBe(6);
  });
});

describe('updates', () => {
  const repeated = (count: number, all: number): JsonObject => ({ ...manyPlaylists(all), ...manyPlaylists(count, { repeat: 1 }) });

  test.each([
    ['half of ten', 5, 10, '', undefined],
    ['more than half of ten', 6, 10, '', 'updates'],
    ['all of nine', 9, 9, '', undefined],
    ['over a percentage of its own', 2, 10, 'limits: { update: { percent: 10 } }', 'updates'],
  ])('%s', async (_name, changed, all, target, brake) => {
    const set = await stage(config({ playlists: repeated(changed, all) }), { seed: { playlist: manyLive(all) }, target });
    expect(await heldBy(set)).toEqual([brake]);
    expect(await heldBy(set, '--allow', 'updates')).toEqual([undefined]);
  });
});

describe('protect', () => {
  test.each([
    ['an address', 'playlist/~live2'],
    ['a glob of addresses', 'playlist/~*'],
    ['a description', 'p2'],
    ['a glob of descriptions', 'p*'],
  ])('keeps an undeclared object from deletion by %s, whatever is allowed', async (_name, glob) => {
    const set = await deletingStage(2, 1, `protect: ["${glob}"]`);
    expect(await heldBy(set, '--allow', 'deletes', '--allow', 'loosening')).toEqual(['protect']);
    expect((await set.plan()).document.changes[0]?.blocked?.override).toContain('upkeep.yaml');
    expect((await set.run('apply', '--yes', '--allow', 'deletes')).code).toBe(4);
    expect(set.writes()).toEqual([]);
  });

  test('keeps a declared resource from loosening, but from nothing else', async () => {
    const target = 'protect: [playlist/p1]\nloosening: allow';
    const set = await stage(config({ playlists: manyPlaylists(1, { skip_drm: 1 }) }), { seed: { playlist: manyLive(1) }, target });
    expect(await heldBy(set)).toEqual(['protect']);
    const other = await stage(config({ playlists: manyPlaylists(1, { repeat: 1 }) }), { seed: { playlist: manyLive(1) }, target });
    expect(await heldBy(other)).toEqual([undefined]);
  });
});

describe('loosening', () => {
  const loose = { playlists: manyPlaylists(1, { skip_drm: 1 }) };
  const seed = { playlist: manyLive(1) };

  test('is blocked, with the reason, and overridden by a flag or by upkeep.yaml', async () => {
    const set = await stage(config(loose), { seed });
    const { document } = await set.plan();
    expect(document.changes[0]).toMatchObject({ effect: 'loosens', blocked: { check: 'loosening', override: '--allow loosening' } });
    expect(document.changes[0]?.blocked?.reason).toContain('without a digital signature');
    expect(document.changes[0]?.blocked?.reason).toContain('running sessions keep the old setting');
    expect(await heldBy(set, '--allow', 'loosening')).toEqual([undefined]);
    const open = await stage(config(loose), { seed, target: 'loosening: allow' });
    expect(await heldBy(open)).toEqual([undefined]);
  });

  test.each([
    ['skip_drm', 1, 0],
    ['studio_drm_required', 0, 1],
  ])('of %s works one way only', async (field, loosening, tightening) => {
    const set = await stage(config({ playlists: manyPlaylists(1, { [field]: loosening }) }), {
      seed: { playlist: manyLive(1, { [field]: tightening }) },
    });
    expect(await heldBy(set)).toEqual(['loosening']);
    const other = await stage(config({ playlists: manyPlaylists(1, { [field]: tightening }) }), {
      seed: { playlist: manyLive(1, { [field]: loosening }) },
    });
    expect(await heldBy(other)).toEqual([undefined]);
  });

  test('of the VMP set is a status less', async () => {
    const set = await stage(config({ vmp_reject_statuses: ['PLATFORM_TAMPERED'] }), {
      seed: { 'vmp-reject-statuses': ['PLATFORM_TAMPERED', 'PLATFORM_UNVERIFIED'] },
    });
    expect(await heldBy(set)).toEqual(['loosening']);
    const other = await stage(config({ vmp_reject_statuses: ['PLATFORM_TAMPERED'] }));
    expect(await heldBy(other)).toEqual([undefined]);
  });
});

describe('with any change blocked', () => {
  const sections = { playlists: { ...manyPlaylists(2, { repeat: 1 }), ...manyPlaylists(1, { skip_drm: 1 }) } };

  test('plan exits 0, or 4 when asked in detail; requests and cost leave it out', async () => {
    const set = await stage(config(sections), { seed: { playlist: manyLive(2) } });
    expect((await set.plan()).code).toBe(0);
    const { code, document } = await set.plan('--detailed-exitcode');
    expect(code).toBe(4);
    expect(document.summary).toMatchObject({ update: 2, blocked: 1 });
    expect(document.cost.writes).toBe(1);
    expect(document.requests).toMatchObject([{ method: 'PATCH', addresses: ['playlist/p2'] }]);
  });

  test('apply writes nothing, and exits with 4, naming reason and override', async () => {
    const set = await stage(config(sections), { seed: { playlist: manyLive(2) } });
    const refused = await set.refused('apply', '--yes');
    expect(refused).toMatchObject({ code: 4, document: { error: { exit: 4, code: 'blocked' } } });
    expect(refused.document.error.summary).toContain('playlist/p1');
    expect(refused.document.error.hint).toContain('--allow loosening');
    expect(set.writes()).toEqual([]);
  });

  test('--skip-blocked does the rest, and exits 4 all the same', async () => {
    const set = await stage(config(sections), { seed: { playlist: manyLive(2) } });
    const { code, document } = await set.apply('--yes', '--skip-blocked');
    expect(code).toBe(4);
    expect(document.outcomes).toMatchObject([
      { address: 'playlist/p2', result: 'updated' },
      { address: 'playlist/p1', result: 'skipped', because: expect.stringContaining('loosening') },
    ]);
    expect(set.writes()).toEqual([`PATCH ${PLAYLISTS}/live2`]);
  });

  test('--skip-blocked with nothing left to do asks nobody', async () => {
    const set = await stage(config({ playlists: manyPlaylists(1, { skip_drm: 1 }) }), { seed: { playlist: manyLive(1) } });
    expect(await set.apply('--skip-blocked')).toMatchObject({ code: 4, document: { summary: { skipped: 1 } } });
    expect(set.writes()).toEqual([]);
  });
});

test('an unknown safety check is a usage error', async () => {
  const set = await stage(config({ playlists: {} }));
  for (const word of ['everything', 'deletes=', 'deletes=-1', 'protect', 'identity'])
    expect((await set.run('plan', '--allow', word)).code).toBe(8);
  expect(set.emulator.requests()).toEqual([]);
});

test('two safety checks block one change: both reasons are shown, under the name of the stricter check', async () => {
  const live = [...manyLive(2), { id: 'extra', desc: 'extra', skip_drm: 0, playlist: beams(5, 6) }];
  const set = await stage(config({ playlists: {} }), { seed: { playlist: live }, target: `${EXCLUSIVE}protect: [extra]` });
  const { document } = await set.plan();
  const extra = document.changes.find(({ address }) => address === 'playlist/~extra');
  expect(extra?.blocked).toMatchObject({ check: 'protect' });
  expect(extra?.blocked?.reason).toContain('all 3 live playlist objects deleted');
});
