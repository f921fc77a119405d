/**
 * A change that weakens protection is blocked, whatever its kind and action, with the reason and the override (design section 4, rule 9).
 */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/model/json.ts';
import { createTestProject, type TestProject } from '../support/harness.ts';
import { asset, beams, config } from './accounts.ts';

/** One weakening change: the account, the configuration, and the expected change of the plan. */
interface Weakening {
  readonly seed: JsonObject;
  readonly sections: JsonObject;
  readonly change: string;
  readonly path: string;
  readonly reason: string;
  readonly target?: string;
}

const [film] = beams(1);
const assetIdPlaylist = { id: asset(1), desc: '', playlist: [film ?? {}] };
const two = { id: 'live1', desc: 'evening', playlist: beams(1, 2) };
const evening = (more: JsonObject): JsonObject => ({ playlists: { evening: { playlist: beams(1, 2), ...more } } });
const daily = { enabled: true, frequency: 1, unit: 'd', hour: 3 };

const WEAKENINGS: readonly (readonly [name: string, weakening: Weakening])[] = [
  [
    'a playlist that needs no signature any more',
    {
      seed: { playlist: [two] },
      sections: evening({ skip_drm: 1 }),
      change: 'update playlist/evening',
      path: '/skip_drm',
      reason: 'playback will be allowed without a digital signature (running sessions keep the old setting)',
    },
  ],
  [
    'a new playlist that needs no signature',
    {
      seed: {},
      sections: evening({ skip_drm: 1 }),
      change: 'create playlist/evening',
      path: '/skip_drm',
      reason: 'playback will be allowed without a digital signature',
    },
  ],
  [
    'a smart start without studio DRM over an asset that must be under it',
    {
      seed: {},
      sections: { assets: { film: { id: asset(1), studio_drm: true } }, smart_starts: { vod: { assets: ['film'] } } },
      change: `create smart-start/vod/${asset(1)}`,
      path: '/playlist',
      reason: `\`studio_drm_required\` 0 overrides the setting of ${asset(1)}, which the catalog marks for studio DRM`,
    },
  ],
  [
    'a deleted smart start that secured its asset',
    {
      seed: { playlist: [{ ...assetIdPlaylist, skip_drm: 1, studio_drm_required: 1 }, two] },
      sections: { smart_starts: {} },
      target: 'ownership: exclusive',
      change: `delete playlist/~${asset(1)}`,
      path: '/studio_drm_required',
      reason: `asset ${asset(1)} falls back to its own settings: \`studio_drm_required\` 1 no longer applies`,
    },
  ],
  [
    'a VMP status that is rejected no longer',
    {
      seed: { 'vmp-reject-statuses': ['PLATFORM_TAMPERED', 'PLATFORM_UNVERIFIED'] },
      sections: { vmp_reject_statuses: ['PLATFORM_TAMPERED'] },
      change: 'update vmp-reject-statuses',
      path: '/vmp_reject_statuses',
      reason: 'devices with VMP status PLATFORM_UNVERIFIED get licenses again',
    },
  ],
  [
    'a slicer more under the static key',
    {
      seed: { 'static-key': { use_static_encryption_key: false, static_key_slicer_ids: ['a'] } },
      sections: { static_key: { scope: 'specific', slicer_ids: ['a', 'b'] } },
      change: 'update static-key',
      path: '/slicer_ids',
      reason: 'b will use the static key',
    },
  ],
  [
    'a rarer rotation',
    {
      seed: { 'key-rotation-schedule': daily },
      sections: { key_rotation_schedule: { ...daily, unit: 'm' } },
      change: 'update key-rotation-schedule',
      path: '/unit',
      reason: 'the static key will be rotated every month instead of every day',
    },
  ],
];

function weakeningProject({ seed, sections, target = '' }: Weakening, more = ''): Promise<TestProject> {
  return createTestProject(config(sections), { seed, target: `${target}\n${more}` });
}

describe.each(WEAKENINGS)('a weakening change: %s', (_name, weakening) => {
  const { change, path, reason } = weakening;

  test('is blocked, with reason and override in JSON and in text, and nothing is written', async () => {
    const project = await weakeningProject(weakening);
    const { code, document } = await project.plan('--detailed-exitcode');
    expect(code).toBe(4);
    expect(document.changes.map(({ action, address }) => `${action} ${address}`)).toEqual([change]);
    const blocked = { check: 'weakening', reason: `it weakens protection: ${reason}`, lift: { allow: 'weakening' } };
    expect(document.changes).toMatchObject([{ effect: 'weakens', blocked }]);
    const [field] = document.changes.flatMap(({ fields }) => fields.filter((each) => each.effect !== 'neutral'));
    expect(field).toMatchObject({ path, effect: 'weakens', reasons: [{ effect: 'weakens', text: reason }] });
    expect(document.requests).toEqual([]);
    const text = plain((await project.run('plan')).stdout);
    expect(text).toContain('blocked by safety check `weakening` to lift it: `--allow weakening`');
    expect(text).toContain(` weakens: ${reason.replaceAll('`', '')}`);
    const refused = await project.refused('apply', '--yes');
    expect(refused).toMatchObject({
      code: 4,
      document: { error: { code: 'blocked', hint: expect.stringContaining('--allow weakening') } },
    });
    expect(project.writes()).toEqual([]);
  });

  test('is applied with --allow weakening, and the next plan is empty', async () => {
    const project = await weakeningProject(weakening);
    expect(await project.apply('--yes', '--allow', 'weakening')).toMatchObject({ code: 0, document: { verified: true } });
    expect(project.writes()).not.toEqual([]);
    expect((await project.plan()).document.changes).toEqual([]);
  });

  test('is blocked by `protect` whatever --allow contains', async () => {
    const project = await weakeningProject(weakening, 'protect: ["*"]\nweakening: allow');
    const { document } = await project.plan('--allow', 'weakening');
    expect(document.changes).toMatchObject([
      { effect: 'weakens', blocked: { check: 'protect', lift: { edit: expect.stringContaining('upkeep.yaml') } } },
    ]);
    expect((await project.run('apply', '--yes', '--allow', 'weakening')).code).toBe(4);
    expect(project.writes()).toEqual([]);
  });
});

/** The words of a report, whatever lines they are broken over. */
function plain(report: string): string {
  return report.replaceAll(/\s+/g, ' ');
}

test('a change that both weakens and strengthens counts as weakening, and both reasons are shown', async () => {
  const seed = { 'vmp-reject-statuses': ['PLATFORM_UNVERIFIED'] };
  const project = await createTestProject(config({ vmp_reject_statuses: ['PLATFORM_TAMPERED'] }), { seed });
  const { document } = await project.plan();
  const [again, noMore] = [
    'devices with VMP status PLATFORM_UNVERIFIED get licenses again',
    'devices with VMP status PLATFORM_TAMPERED get no licenses any more',
  ];
  expect(document.changes).toMatchObject([
    {
      effect: 'weakens',
      blocked: { reason: `it weakens protection: ${again} (it also strengthens it: ${noMore})` },
      fields: [
        {
          reasons: [
            { effect: 'weakens', text: again },
            { effect: 'strengthens', text: noMore },
          ],
        },
      ],
    },
  ]);
});

test('drift shows the effect of an edit by hand, not of reverting it', async () => {
  const seed = { playlist: [{ ...two, skip_drm: 1 }], 'vmp-reject-statuses': [], 'key-rotation-schedule': { ...daily, frequency: 2 } };
  const sections = { ...evening({}), vmp_reject_statuses: ['PLATFORM_TAMPERED'], key_rotation_schedule: daily };
  const project = await createTestProject(config({ ...sections, smart_starts: { vod: { assets: [asset(3)] } } }), { seed });
  const { code, document } = await project.drift();
  expect(code).toBe(3);
  const formattedChanges = document.changes.flatMap(({ action, address, fields }) =>
    fields.flatMap(({ reasons = [] }) => reasons.map(({ effect, text }) => `${action} ${address} ${effect} ${text}`)),
  );
  expect(formattedChanges.sort()).toEqual([
    `delete smart-start/vod/${asset(3)} weakens asset ${asset(3)} falls back to its own settings: \`skip_drm\` 0 no longer applies`,
    'update key-rotation-schedule weakens the static key will be rotated every 2 days instead of every day',
    'update playlist/evening weakens playback will be allowed without a digital signature (running sessions keep the old setting)',
    'update vmp-reject-statuses weakens devices with VMP status PLATFORM_TAMPERED get licenses again',
  ]);
});
