/** References (`check`): lookups before planning, the location of errors, and warnings about failed lookups. */
import { describe, expect, test } from 'vitest';
import { createTestProject, type TestProject } from '../support/harness.ts';
import { asset, beams } from './accounts.ts';

const CHECK = 'check: { assets: true, slicers: true }';
const LISTS = `assets:
  lost: { id: ${asset(9)} }
  intro: { id: ${asset(1)} }
playlists:
  evening:
    playlist:
      - beam: intro
      - ad: 30
      - beam: lost
      - beam: { id: ${asset(8)} }
smart_starts:
  vod: { assets_file: vod.txt }
static_key: { scope: specific, slicer_ids: [studio-b, Studio-A, studio-a] }
`;
const VOD = `# films\n${asset(1)}\n  ${asset(7)}  # the second\n${asset(8)}\n`;
const FILES = { 'config/all.yaml': LISTS, 'config/vod.txt': VOD };
const LIBRARY = {
  playlist: { playlists: [], assets: [{ id: asset(1), desc: 'Intro' }, asset(2)] },
  'static-key': { live_slicers: ['studio-a', 'studio-b'] },
};

/** Returns method, path and number of IDs of the received lookups. */
function lookUps(project: TestProject): readonly string[] {
  const lookups = project.emulator.requests().filter(({ path }) => /^\/api2\/|\/assets$|\/slicers$/.test(path));
  return lookups.map(({ method, path, body }) => `${method} ${path} ${Object.values(body ?? {}).flat().length}`);
}

/** A project of one smart start of so many assets, all in the library. */
function many(count: number): Promise<TestProject> {
  const ids = Array.from({ length: count }, (_, index) => asset(index));
  const files = { 'config/all.yaml': 'smart_starts: { vod: { assets_file: vod.txt } }', 'config/vod.txt': ids.join('\n') };
  return createTestProject(files, { target: CHECK, seed: { playlist: { assets: ids } } });
}

describe('a reference to a missing object', () => {
  test.each(['list', 'object'] as const)('is reported at its location, and nothing is written (responses as %s)', async (lookUpsAs) => {
    const project = await createTestProject(FILES, { target: CHECK, seed: LIBRARY, quirks: { lookUps: lookUpsAs } });
    for (const argv of [['plan'], ['apply', '--yes', '--allow', 'weakening']]) {
      project.emulator.clearRequests();
      const refused = await project.refused(...argv);
      expect(refused).toMatchObject({ code: 8, document: { error: { exit: 8, code: 'invalid-references' } } });
      const errors = refused.document.findings.filter(({ severity }) => severity === 'error');
      expect(errors.map(({ code, file, line, column, address }) => [code, file, line, column, address])).toEqual([
        ['asset-not-found', 'config/all.yaml', 9, 15, 'playlist/evening'],
        ['asset-not-found', 'config/all.yaml', 10, 21, 'playlist/evening'],
        ['slicer-not-found', 'config/all.yaml', 13, 55, 'static-key'],
        ['asset-not-found', 'config/vod.txt', 3, 3, `smart-start/vod/${asset(7)}`],
        ['asset-not-found', 'config/vod.txt', 4, 1, `smart-start/vod/${asset(8)}`],
      ]);
      expect(errors[0]?.summary).toContain(`${asset(9)}, for which \`lost\` stands`);
      expect(errors[0]?.hint).toContain('config/all.yaml, line 2');
      expect(lookUps(project)).toEqual(expect.arrayContaining(['POST /api2/asset/get 4', 'POST /api2/slicer/status 3']));
    }
    expect(project.writes()).toEqual([]);
  });

  test('has the severity that `rules` sets, and is not checked where it is off', async () => {
    const rules = 'rules: { asset-not-found: warning, slicer-not-found: "off" }';
    const project = await createTestProject(FILES, { target: CHECK, seed: LIBRARY, rules });
    const { code, document } = await project.plan();
    expect(code).toBe(0);
    expect(document.findings.map(({ severity, code: of }) => `${severity} ${of}`)).toEqual(new Array(4).fill('warning asset-not-found'));
    expect(document.summary.create).toBe(4);
    expect(lookUps(project)).toEqual(['POST /api2/asset/get 4']);
    expect(document.cost.reads).toBe(project.emulator.requests().length);
    expect((await project.apply('--yes', '--allow', 'weakening')).code).toBe(0);
  });

  test('is found through the lists of v4 too', async () => {
    const project = await createTestProject(FILES, { target: `${CHECK}\nservice: { reference_api: v4 }`, seed: LIBRARY });
    const { document } = await project.refused('plan');
    expect(document.findings).toHaveLength(5);
    expect([...lookUps(project)].sort()).toEqual(['GET /api/v4/assets 0', 'GET /api/v4/ingest/cloud-slicers/live/slicers 0']);
  });
});

describe('the check of references', () => {
  test('is off unless the target enables it, and validate never runs it', async () => {
    const project = await createTestProject(FILES, { seed: LIBRARY });
    expect((await project.plan()).document.findings).toEqual([]);
    expect((await project.drift()).code).toBe(3);
    project.write('upkeep.yaml', project.read('upkeep.yaml').replace('sources:', `${CHECK}\n    sources:`));
    expect((await project.run('validate')).code).toBe(0);
    expect(lookUps(project)).toEqual([]);
  });

  test('is run by drift, which reports what it finds and goes on', async () => {
    const project = await createTestProject(FILES, { target: CHECK, seed: LIBRARY });
    const { code, document } = await project.drift();
    expect([code, document.changes.length]).toEqual([3, 5]);
    expect(document.findings.map(({ severity, code: of }) => `${severity} ${of}`)).toEqual([
      'error asset-not-found',
      'error asset-not-found',
      'error slicer-not-found',
      'error asset-not-found',
      'error asset-not-found',
    ]);
    expect(document.cost.reads).toBe(project.emulator.requests().length);
  });

  test('needs three requests for 2,500 assets', async () => {
    const project = await many(2500);
    expect((await project.plan()).code).toBe(0);
    expect([...lookUps(project)].sort()).toEqual(['POST /api2/asset/get 1000', 'POST /api2/asset/get 1000', 'POST /api2/asset/get 500']);
  });

  test('covers the addresses of --only, of managed kinds', async () => {
    const project = await createTestProject(FILES, { target: CHECK, seed: LIBRARY });
    expect((await project.plan('--only', 'drm-policy/*')).code).toBe(0);
    expect(lookUps(project)).toEqual([]);
    expect((await project.refused('plan', '--only', 'smart-start/*')).document.findings).toHaveLength(2);
    expect(lookUps(project)).toEqual(['POST /api2/asset/get 3']);
    project.write('config/all.yaml', `assets: { lost: { id: ${asset(9)} } }`);
    project.emulator.clearRequests();
    expect((await project.plan()).code).toBe(0);
    expect(lookUps(project)).toEqual([]);
  });

  test('skips a slicer of another user, and says so', async () => {
    const foreign = `${'ab'.repeat(16)}:studio-z`;
    const config = `static_key: { scope: specific, slicer_ids: [studio-a, "${foreign}"] }`;
    const project = await createTestProject({ 'config/all.yaml': config }, { target: CHECK, seed: LIBRARY });
    const { code, document } = await project.plan();
    expect([code, lookUps(project)]).toEqual([0, ['POST /api2/slicer/status 1']]);
    expect(document.findings).toMatchObject([{ severity: 'warning', code: 'references-not-checked', line: 1, column: 55 }]);
    expect(document.findings[0]?.summary).toContain(foreign);
  });
});

describe('a check of references that fails', () => {
  test.each([
    ['out of reach', { reset: 'before' }, /broke/],
    ['in trouble', { status: 503 }, /503/],
    ['without permission', { status: 403 }, /403/],
    ['an error of its own', { error: { code: 1, msg: 'no such call' } }, /no such call/],
    ['a web page', { html: true }, /HTML/],
    ['something else', { body: { error: 0, items: [] } }, /no `assets`/],
    ['everything it has', { body: { error: 0, assets: [{ id: asset(1) }, { id: 'other' }] } }, /not asked for/],
    ['elements without ID', { body: { error: 0, assets: [{ desc: 'x' }] } }, /has no ID/],
  ] as const)('is a warning, and the plan continues: the service is %s', async (_name, fault, why) => {
    const project = await createTestProject(FILES, { target: CHECK, seed: LIBRARY, rules: 'rules: { slicer-not-found: warning }' });
    project.emulator.setFaults([{ path: '/api2/asset/*', ...fault }]);
    const { code, document } = await project.plan();
    expect(code).toBe(0);
    const [first, other, ...rest] = document.findings;
    expect(first).toMatchObject({ severity: 'warning', code: 'references-not-checked', file: 'config/all.yaml', line: 4 });
    expect(first?.summary).toMatch(/^4 of 4 assets were not checked: POST \/api2\/asset\/get: /);
    expect(first?.summary).toMatch(why);
    expect([other?.code, rest]).toEqual(['slicer-not-found', []]);
    expect(document.summary.create).toBe(4);
  });

  test('in one of several requests keeps the results of the others', async () => {
    const project = await many(2500);
    project.emulator.setFaults([{ path: '/api2/asset/*', nth: 2, status: 404 }]);
    const { code, document } = await project.plan();
    expect(code).toBe(0);
    expect(document.findings.map(({ summary }) => summary)).toEqual([expect.stringMatching(/^(1000|500) of 2500 assets were not checked/)]);
  });

  test('with a refused key sends one lookup of each type, whatever the number of references', async () => {
    const project = await many(2500);
    project.emulator.setFaults([{ status: 401 }]);
    const { code, document } = await project.plan();
    expect([code, document.cost.reads]).toEqual([7, 2]);
    expect(lookUps(project)).toEqual(['POST /api2/asset/get 1000']);
    expect(document.findings.map(({ summary }) => summary)).toEqual([expect.stringMatching(/^2500 of 2500 assets were not checked/)]);
  });

  test('stops the run where `rules` make it an error', async () => {
    const project = await createTestProject(FILES, { target: CHECK, seed: LIBRARY, rules: 'rules: { references-not-checked: error }' });
    project.emulator.setFaults([{ path: '/api2/*', status: 403 }]);
    const { code, document } = await project.refused('apply', '--yes', '--allow', 'weakening');
    expect([code, document.findings.map(({ code: of }) => of)]).toEqual([8, ['references-not-checked', 'references-not-checked']]);
    expect(project.writes()).toEqual([]);
  });
});

describe('export --assets', () => {
  const live = [{ id: 'p', desc: 'Evening', playlist: [...beams(1, 2, 3, 4), { beam: { id: 'odd!' } }] }];
  const livePlaylists = [
    { id: asset(1), desc: 'News at ten' },
    { id: asset(2), desc: 'News at ten' },
    { id: asset(3), desc: asset(4) },
    { id: 'odd!', desc: '\u202e\n# `x`: $' + '{region}' },
  ];

  test('writes names for the assets, and a plan from it is empty', async () => {
    const project = await createTestProject({}, { seed: { playlist: { playlists: live, assets: livePlaylists } } });
    expect((await project.run('export', '--assets', '--dir', 'exported')).code).toBe(0);
    expect(project.read('exported/assets.yaml')).toBe(`# yaml-language-server: $schema=../node_modules/upkeep/schemas/source.schema.json
# The service does not report codecs. Add \`codec: AVC\` or \`codec: HEVC\` where you know it, so that upkeep finds playlists with mixed codecs.
# The service has no asset ${asset(4)}.
assets:
  ${asset(3)}:
    id: ${asset(3)}
  ${asset(4)}:
    id: ${asset(4)}
  news-at-ten-1ec54813:
    id: ${asset(2)}
  news-at-ten-7d5fbe11:
    id: ${asset(1)}
  x-region:
    id: odd!
`);
    const beamsOf = ['news-at-ten-7d5fbe11', 'news-at-ten-1ec54813', asset(3), asset(4), 'x-region'];
    expect(project.read('exported/playlists.yaml')).toContain(beamsOf.map((name) => `      - beam: ${name}\n`).join(''));
    project.write('upkeep.yaml', project.read('upkeep.yaml').replace('[config]', '[exported]'));
    expect(await project.plan('--detailed-exitcode')).toMatchObject({ code: 0, document: { changes: [], findings: [] } });
  });

  test('is needed for any lookup, and the catalog has only what needs a name where the lookup fails', async () => {
    const project = await createTestProject({}, { seed: { playlist: live } });
    expect((await project.run('export', '--dir', 'plain')).code).toBe(0);
    expect(lookUps(project)).toEqual([]);
    project.emulator.setFaults([{ path: '/api2/*', status: 503 }]);
    const ran = await project.run('export', '--assets', '--dir', 'named');
    expect([ran.code, ran.stdout]).toEqual([10, '']);
    expect(ran.stderr).toContain('/api2/asset/get');
    expect(project.read('named/playlists.yaml')).toContain(`beam: ${asset(1)}`);
    expect(project.read('named/assets.yaml')).not.toContain(asset(1));
  });
});
