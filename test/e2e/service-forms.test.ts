/** Forms of values in which a service may differ from the API documents are no differences (api-notes sections 2 and 3). */
import { describe, expect, test } from 'vitest';
import { createTestProject } from '../support/harness.ts';
import { asset, beams, config } from './accounts.ts';

describe('switches that the service shows as true and false', () => {
  const quirks = { switches: 'booleans' } as const;
  const live = { id: 'live', desc: 'p', active: 1, skip_drm: 1, studio_drm_required: 0, ad_slate_fill: 1, playlist: beams(1, 2) };

  test('are equal to 1 and 0: nothing is planned, and nothing drifts', async () => {
    const project = await createTestProject(
      config({ playlists: { p: { active: 1, skip_drm: 1, ad_slate_fill: true, playlist: beams(1, 2) } } }),
      { seed: { playlist: [live] }, quirks },
    );
    expect((await project.plan('--detailed-exitcode')).document).toMatchObject({ changes: [], findings: [] });
    expect((await project.drift()).code).toBe(0);
  });

  test('give a change the reasons that 1 and 0 give, and its response and read-back agree', async () => {
    const project = await createTestProject(config({ playlists: { p: { skip_drm: 0, ad_slate_fill: 1, playlist: beams(1, 2) } } }), {
      seed: { playlist: [live] },
      quirks,
    });
    const { document } = await project.plan();
    expect(document.changes).toMatchObject([
      { fields: [{ path: '/skip_drm', before: 1, after: 0 }], effect: 'strengthens', playback: 'reduces' },
    ]);
    expect((await project.apply('--yes')).code).toBe(0);
    expect(project.playlists()).toMatchObject([{ skip_drm: 0 }]);
    expect((await project.plan()).document.changes).toEqual([]);
  });

  test('are exported as numbers, so that the plan is empty', async () => {
    const project = await createTestProject({}, { seed: { playlist: [live] }, quirks });
    expect((await project.run('export', '--dir', 'config')).code).toBe(0);
    expect(project.read('config/playlists.yaml')).toContain('skip_drm: 1');
    expect((await project.plan('--detailed-exitcode')).code).toBe(0);
  });
});

describe('asset IDs of 32 hexadecimal digits in another case', () => {
  const small = asset(1);
  const capitals = small.toUpperCase();
  const others = (id: string) => [{ beam: { id } }, { beam: { id: asset(2) } }];

  test('have a finding beside the update, at the declaration, and a playlist that is not updated has none', async () => {
    const project = await createTestProject(config({ playlists: { p: { playlist: others(capitals) }, q: { playlist: others(small) } } }), {
      seed: {
        playlist: [
          { id: 'live', desc: 'p', playlist: others(small) },
          { id: 'same', desc: 'q', playlist: others(small) },
        ],
      },
    });
    const { document } = await project.plan();
    expect(document.changes).toMatchObject([{ address: 'playlist/p', action: 'update' }]);
    expect(document.findings.filter(({ code }) => code === 'asset-id-case')).toMatchObject([
      {
        address: 'playlist/p',
        severity: 'warning',
        summary: `in the account, but for upper and lower case, ${capitals} is ${small}`,
        file: 'config/account.yaml',
      },
    ]);
  });

  test('have a finding beside the create of a smart start whose asset has a playlist in another case', async () => {
    const project = await createTestProject(config({ smart_starts: { vod: { assets: [capitals] } } }), {
      seed: { playlist: [{ id: small, playlist: [{ beam: { id: small } }] }] },
    });
    const { document } = await project.plan();
    expect(document.changes).toMatchObject([{ address: `smart-start/vod/${capitals}`, action: 'create' }]);
    expect(document.findings).toMatchObject([{ code: 'asset-id-case', address: `smart-start/vod/${capitals}` }]);
  });

  test('have none where the digits differ, or where another asset has no such form', async () => {
    const project = await createTestProject(config({ playlists: { p: { playlist: others('News') } }, assets: { News: { id: 'News' } } }), {
      seed: { playlist: [{ id: 'live', desc: 'p', playlist: others('news') }] },
    });
    const { document } = await project.plan();
    expect([document.changes.length, document.findings.map(({ code }) => code)]).toEqual([1, ['scheduled-entries']]);
  });

  test('come back with every plan where the service folds them, with the finding', async () => {
    const project = await createTestProject(config({ playlists: { p: { playlist: others(capitals) } } }), {
      seed: { playlist: [{ id: 'live', desc: 'p', playlist: others(small) }] },
      quirks: { assetIdCase: 'folded' },
    });
    expect((await project.apply('--yes')).code).toBe(5);
    const { document } = await project.plan();
    expect(document.changes).toMatchObject([{ address: 'playlist/p', action: 'update' }]);
    expect(document.findings.map(({ code }) => code)).toContain('asset-id-case');
  });
});

test('slicer IDs that differ in case are other slicers, without a finding', async () => {
  const project = await createTestProject(config({ static_key: { scope: 'specific', slicer_ids: ['NEWS'] } }), {
    seed: { 'static-key': { use_static_encryption_key: false, static_key_slicer_ids: ['news'] } },
  });
  const { document } = await project.plan();
  expect(document.changes).toMatchObject([{ fields: [{ path: '/slicer_ids' }] }]);
  expect(document.findings).toEqual([]);
});
