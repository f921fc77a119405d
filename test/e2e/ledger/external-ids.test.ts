/** Assets that the configuration names by the user's own IDs, which are resolved when planning (design section 3, assets). */
import { describe, expect, test } from 'vitest';
import { isJsonObject, isList, type JsonObject } from '../../../src/core/model/json.ts';
import { createGitProject, type GitProject } from '../../support/git-project.ts';
import { createTestProject } from '../../support/harness.ts';
import { asset } from '../accounts.ts';

const SOURCE = `assets:
  final: { external_id: ep-102, studio_drm: true }
entry_lists:
  pod: [{ ad: 30 }, { beam: { external_id: promo } }]
templates:
  show:
    params: { opener: string }
    playlist: { playlist: [{ beam: { external_id: "\${opener}" } }, { beam: final }] }
playlists:
  evening: { playlist: [{ beam: { external_id: ep-101 } }, { include: pod }, { beam: final }] }
playlists_from:
  - { file: shows.csv, template: show, key: "\${name}" }
smart_starts:
  vod: { assets: [final] }
`;
const FILES = { 'config/all.yaml': SOURCE, 'config/shows.csv': 'name,opener\nmorning,ep-101\n' };

/** The library: external ID by the number of its asset. */
function library(externalIds: { readonly [number: number]: string }): readonly JsonObject[] {
  return Object.entries(externalIds).map(([number, external_id]) => ({ id: asset(Number(number)), external_id }));
}

const ASSETS = library({ 1: 'ep-101', 2: 'ep-102', 3: 'promo', 4: 'other' });

/** Replaces the library, as when assets are replaced by hand. */
function relabel(project: GitProject, items: readonly JsonObject[]): void {
  project.emulator.edit({ emulation: 'playlist', collection: 'library', id: 'assets', merge: { items } });
}

/** A project whose configuration was applied. */
async function applied(files: { readonly [name: string]: string } = FILES): Promise<GitProject> {
  const project = await createGitProject(files, { seed: { playlist: { playlists: [], assets: ASSETS } } });
  const { code, stderr } = await project.run('apply', '--yes', '--allow', 'weakening');
  expect(code, stderr).toBe(0);
  return project;
}

/** The live playlists; with a library they are a member of the seed. */
function livePlaylists(project: GitProject): readonly JsonObject[] {
  const content = project.live('playlist');
  return isJsonObject(content) && isList(content.playlists) ? content.playlists.filter(isJsonObject) : [];
}

/** The assets of a live playlist, in order. */
function assetsOf(project: GitProject, desc: string): readonly string[] {
  const live = livePlaylists(project).find((each) => each.desc === desc);
  return JSON.stringify(live?.playlist ?? []).match(/[0-9a-f]{32}/g) ?? [];
}

describe('an external ID', () => {
  test('is resolved wherever an asset can stand, in one request, and the plan and the account hold the IDs', async () => {
    const project = await applied();
    expect(assetsOf(project, 'evening')).toEqual([asset(1), asset(3), asset(2)]);
    expect(assetsOf(project, 'morning')).toEqual([asset(1), asset(2)]);
    expect(livePlaylists(project).map(({ id }) => id)).toContain(asset(2));
    project.emulator.clearRequests();
    const { document } = await project.plan();
    expect(document).toMatchObject({ changes: [], findings: [], summary: { unchanged: 3 } });
    const lookups = project.emulator.requests().filter(({ path }) => path === '/api2/asset/get');
    expect(lookups.map(({ body }) => body)).toMatchObject([{ external_ids: ['ep-101', 'ep-102', 'promo'] }]);
    expect(document.cost.reads).toBe(project.emulator.requests().length);
    expect(project.entries()[0]?.externalIds).toEqual({
      'playlist/evening': { 'ep-101': asset(1), promo: asset(3), 'ep-102': asset(2) },
      'playlist/morning': { 'ep-101': asset(1), 'ep-102': asset(2) },
      'smart-start/vod/~ep-102': { 'ep-102': asset(2) },
    });
  });

  test('is checked by validate in its form only', async () => {
    const project = await createTestProject(FILES);
    expect((await project.run('validate')).code).toBe(0);
    expect(project.emulator.requests()).toEqual([]);
    project.write(
      'config/all.yaml',
      'playlists: { a: { playlist: [{ beam: { external_id: "a b" } }] }, b: { playlist: [{ beam: { id: x, external_id: y } }] } }',
    );
    expect(await project.json('validate')).toMatchObject({ valid: false, findings: [{ code: 'invalid-value' }, { code: 'out-of-range' }] });
  });

  test.each([
    ['no asset', library({ 1: 'ep-101', 2: 'ep-102' }), 'external-id-not-found', 'no asset has the external ID `promo`'],
    [
      'two assets',
      library({ 1: 'ep-101', 2: 'ep-102', 3: 'promo', 4: 'promo' }),
      'external-id-ambiguous',
      `2 assets have the external ID \`promo\`: ${asset(3)} and ${asset(4)}`,
    ],
  ])('that names %s is an error at its place, and nothing is sent', async (_name, assets, code, summary) => {
    const project = await createTestProject(FILES, { seed: { playlist: { playlists: [], assets } } });
    for (const command of ['plan', 'drift', 'apply']) {
      const refused = await project.refused(command, ...(command === 'apply' ? ['--yes'] : []));
      expect(refused).toMatchObject({
        code: 8,
        document: { error: { code: 'invalid-references' }, findings: [{ code, summary, file: 'config/all.yaml', line: 4 }] },
      });
    }
    expect(project.writes()).toEqual([]);
  });

  test.each(['', 'check: { assets: true }'])(
    'that cannot be looked up makes playlists incomplete, and is never a change: %j',
    async (check) => {
      const project = await createTestProject(FILES, { seed: { playlist: { playlists: [], assets: ASSETS } }, target: check });
      project.emulator.setFaults([{ path: '/api2/asset/*', status: 503 }]);
      const { code, document } = await project.plan();
      expect([code, document.changes, document.readStatus.playlist]).toEqual([10, [], 'incomplete']);
      expect((await project.run('apply', '--yes')).code).toBe(10);
      expect(project.writes()).toEqual([]);
    },
  );

  test('that the ledger has resolved is compared by drift even where it cannot be looked up', async () => {
    const project = await applied();
    project.emulator.setFaults([{ path: '/api2/asset/*', status: 503 }]);
    const { code, document } = await project.drift();
    expect([code, document.changes, document.readStatus.playlist]).toEqual([0, [], 'complete']);
    expect(document.findings).toMatchObject([{ severity: 'warning', code: 'references-not-checked' }]);
    expect(document.findings[0]?.summary).toContain('whether 3 external IDs still name the same assets was not checked');
  });

  test('is found in the list of v4', async () => {
    const project = await createTestProject(FILES, {
      target: 'service: { reference_api: v4 }',
      seed: { playlist: { playlists: [], assets: ASSETS } },
    });
    expect((await project.plan()).document.summary.create).toBe(3);
  });
});

describe('an asset that was replaced', () => {
  const REPLACED = library({ 5: 'ep-101', 2: 'ep-102', 3: 'promo' });

  test('is reported, is planned as a change of the repository, and is no drift', async () => {
    const project = await applied();
    relabel(project, REPLACED);
    const { document } = await project.plan();
    expect(
      document.findings.filter(({ code }) => code === 'external-id-replaced').map(({ summary, address }) => [address, summary]),
    ).toEqual(
      ['playlist/evening', 'playlist/morning'].map((address) => [
        address,
        `the external ID \`ep-101\` names asset ${asset(5)}, and named ${asset(1)} at the last apply`,
      ]),
    );
    expect(document.changes).toMatchObject([
      { address: 'playlist/evening', action: 'update', origin: 'change' },
      { address: 'playlist/morning', action: 'update', origin: 'change' },
    ]);
    const drift = await project.drift();
    expect([drift.code, drift.document.changes]).toEqual([0, []]);
    expect(drift.document.findings.map(({ code }) => code)).toEqual(['external-id-replaced', 'external-id-replaced']);
  });

  test('is recorded for what was applied, and kept for what was left out', async () => {
    const project = await applied();
    relabel(project, REPLACED);
    expect((await project.run('apply', '--yes', '--only', 'playlist/evening', '--allow', 'playback-loss')).code).toBe(0);
    expect(assetsOf(project, 'evening')).toContain(asset(5));
    expect(project.entries().at(-1)?.externalIds).toMatchObject({
      'playlist/evening': { 'ep-101': asset(5) },
      'playlist/morning': { 'ep-101': asset(1) },
    });
    const { document } = await project.plan();
    expect(document.changes).toMatchObject([{ address: 'playlist/morning', origin: 'change' }]);
    expect((await project.drift()).document.changes).toEqual([]);
  });

  test('makes a saved plan stale that was made before', async () => {
    const project = await applied();
    project.write('config/all.yaml', SOURCE.replace('{ include: pod }', '{ ad: 90 }'));
    project.commit();
    expect((await project.run('plan', '--out', 'json=../plan.json')).code).toBe(0);
    relabel(project, REPLACED);
    project.writes();
    expect((await project.run('apply', '--plan', '../plan.json')).code).toBe(6);
    expect(project.writes()).toEqual([]);
  });

  test('of a smart start is a new playlist, and the former one is deleted', async () => {
    const project = await applied();
    relabel(project, library({ 1: 'ep-101', 6: 'ep-102', 3: 'promo' }));
    const { document } = await project.plan();
    expect(document.changes.map(({ action, address }) => [action, address]).sort()).toEqual([
      ['create', 'smart-start/vod/~ep-102'],
      ['delete', `playlist/~${asset(2)}`],
      ['update', 'playlist/evening'],
      ['update', 'playlist/morning'],
    ]);
  });
});

describe('a playlist with an external ID', () => {
  test('that was edited by hand is drift, and accepting it keeps the reference of what did not change', async () => {
    const files = { 'config/all.yaml': 'playlists: { solo: { playlist: [{ beam: { external_id: ep-101 } }, { ad: 30 }] } }' };
    const project = await applied(files);
    const [solo] = livePlaylists(project);
    project.editPlaylist(String(solo?.id), { playlist: [{ beam: { id: asset(1) } }, { ad: { dur: 45 } }] });
    const drift = await project.drift();
    expect(drift).toMatchObject({ code: 3, document: { changes: [{ address: 'playlist/solo', action: 'update', origin: 'drift' }] } });
    const accepted = await project.run('drift', 'accept', 'playlist/solo');
    expect(accepted.code, accepted.stderr).toBe(0);
    expect(project.read('config/all.yaml')).toContain('{ beam: { external_id: ep-101 } }, { ad: 45 }');
    expect((await project.plan()).document.changes).toEqual([]);
  });

  test('is explained with the asset that it names', async () => {
    const project = await applied();
    expect((await project.run('explain', 'playlist/morning')).stdout).toContain(asset(1));
  });

  test('goes back to the assets of an earlier apply with undo', async () => {
    const project = await applied();
    relabel(project, library({ 5: 'ep-101', 2: 'ep-102', 3: 'promo' }));
    expect((await project.run('apply', '--yes', '--allow', 'playback-loss')).code).toBe(0);
    expect(assetsOf(project, 'morning')).toContain(asset(5));
    const undone = await project.run('undo', '--format', 'json');
    expect(undone.stdout).toContain(asset(1));
  });

  test('is not rolled back by a commit that only lacks what another one says', async () => {
    const project = await applied();
    const base = project.git('rev-parse', 'HEAD');
    project.write('config/all.yaml', SOURCE.replace('evening: {', 'evening: { repeat: 3,'));
    project.commit();
    expect((await project.run('apply', '--yes')).code).toBe(0);
    relabel(project, library({ 5: 'ep-101', 2: 'ep-102', 3: 'promo' }));
    project.git('reset', '-q', '--hard', base);
    const { document } = await project.plan();
    const evening = [...document.changes, ...(document.behind ?? [])].find(({ address }) => address === 'playlist/evening');
    expect(evening?.blocked?.check).toBe('rollback');
    expect(document.changes.find(({ address }) => address === 'playlist/morning')).toMatchObject({ action: 'update', blocked: null });
  });
});
