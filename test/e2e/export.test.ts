/**
 * `export` by example: sorted files without defaults, what needs `adopt`, and what is a comment with its reason. Any account:
 * test/property/export.test.ts.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/model/json.ts';
import { asAccountExport } from '../support/documents.ts';
import { API_KEY, createTestProject, OWNER, projectFile, type TestProject } from '../support/harness.ts';
import { asset, beams, manyLive } from './accounts.ts';

async function exported(seed: JsonObject): Promise<TestProject> {
  const project = await createTestProject({}, { seed });
  expect(await project.run('export', '--dir', 'exported')).toMatchObject({ code: 0, stdout: '' });
  return project;
}

async function expectEmptyPlan(project: TestProject): Promise<void> {
  project.write('upkeep.yaml', projectFile(project.emulator.url).replace('[config]', '[exported]'));
  expect(await project.plan('--detailed-exitcode')).toMatchObject({ code: 0, document: { changes: [] } });
}

describe('the export of playlists', () => {
  test('is sorted, without defaults, and with a description only where it differs from the key', async () => {
    const live = [
      { id: 'z', desc: 'zebra', active: 1, repeat: 0, playlist: [...beams(1, 2), { ad: { dur: 30 } }] },
      { id: 'b', desc: 'Evening block', active: 0, repeat: -1, playlist: beams(3, 4) },
    ];
    const project = await exported({ playlist: live });
    expect(project.read('exported/playlists.yaml')).toBe(`# yaml-language-server: $schema=../node_modules/upkeep/schemas/source.schema.json
playlists:
  evening-block:
    desc: Evening block
    active: 0
    repeat: -1
    playlist:
      - beam: ${asset(3)}
      - beam: ${asset(4)}
  zebra:
    playlist:
      - beam: ${asset(1)}
      - beam: ${asset(2)}
      - ad: 30
`);
    await expectEmptyPlan(project);
  });

  test('with an entry that cannot be read has a comment for that one, and declares the others', async () => {
    const odd = { id: 'odd', desc: 'odd', playlist: [...beams(1), { ad: { dur: 30.5 } }] };
    const project = await exported({ playlist: [odd, { id: 'b', desc: 'plain', playlist: beams(1, 2) }] });
    const text = project.read('exported/playlists.yaml');
    expect(text).toMatch(/^# playlist\/~odd "odd" is left out: entry 2 of its list is neither an asset nor an ad break of whole seconds$/m);
    expect(text).toMatch(/^ {2}plain:$/m);
    await expectEmptyPlan(project);
  });

  test('without a description adopts them', async () => {
    const project = await exported({ playlist: [{ id: 'nameless', desc: '', playlist: beams(1, 2) }] });
    expect(project.read('exported/adopt.yaml')).toContain(': nameless');
    await expectEmptyPlan(project);
  });

  test('with IDs of digits and a variable in the description reads back unchanged', async () => {
    const variable = `$${'{region}'}`;
    const digits = '12345678901234567890123456789012';
    const live = [
      { id: 'x', desc: `${variable} $${variable}`, playlist: [{ beam: { id: digits } }, ...beams(1)] },
      { id: digits, desc: '', playlist: [{ beam: { id: digits } }] },
    ];
    const project = await exported({ playlist: live });
    expect(project.read('exported/playlists.yaml')).toContain(`desc: $${variable} $$${variable}`);
    expect(project.read('exported/playlists.yaml')).toContain(`- beam: "${digits}"`);
    expect(project.read('exported/smart_starts.yaml')).toContain(`- "${digits}"`);
    await expectEmptyPlan(project);
  });

  test('with the ID of their asset has smart starts, in one group for equal settings', async () => {
    const live = [1, 2, 3].map((n) => ({ id: asset(n), desc: 'vod', repeat: n === 3 ? 1 : 0, playlist: beams(n) }));
    const project = await exported({ playlist: live });
    expect(project.read('exported/smart_starts.yaml').match(/^ {2}\S+:/gm)).toEqual(['  vod:', '  vod-repeat-1:']);
    await expectEmptyPlan(project);
  });

  test('escapes text that would break a line or a terminal', async () => {
    const project = await exported({ playlist: [{ id: 'x', desc: 'a\u202e\u2028# b', playlist: beams(1, 2) }] });
    expect(project.read('exported/playlists.yaml')).toContain('desc: "a\\u202e\\u2028# b"');
    await expectEmptyPlan(project);
  });
});

describe('the export of policies', () => {
  test('contains only settings that differ from the default and settings that a declaration requires', async () => {
    const widevine = { policy_overrides: { can_renew: true }, content_key_specs: [{ track_type: 'ALL', security_level: 5 }] };
    const project = await exported({ 'drm-policy': [{ policy_name: 'premium', widevine, playready: { hd: { security_level: 3000 } } }] });
    const text = project.read('exported/drm_policies.yaml');
    expect(text).toContain('can_play: true');
    expect(text).toContain('hdcp: HDCP_NONE');
    expect(text).not.toMatch(/fairplay|license_duration_seconds|digital_video/);
    await expectEmptyPlan(project);
  });

  test('that is left out says which rule manages it, and is exported with that rule', async () => {
    const live = { 'drm-policy': [{ policy_name: 'odd', widevine: { content_key_specs: [{ track_type: 'HD' }] } }] };
    const rule = 'rules: { tracks-not-covered: warning }';
    const project = await exported(live);
    expect(project.read('exported/drm_policies.yaml')).toContain(`\`${rule}\` in upkeep.yaml, and export again.`);
    const { stdout } = await project.run('export', '--dir', 'once-more', '--format', 'json');
    const { leftOut } = asAccountExport(JSON.parse(stdout));
    expect(leftOut).toMatchObject([{ name: 'odd', hint: expect.stringContaining(rule) }]);
    expect((await project.run('export', '--dir', 'as-text')).stderr).toContain(`\`${rule}\``);

    project.write('upkeep.yaml', projectFile(project.emulator.url, '', rule));
    expect(await project.run('export', '--dir', 'managed')).toMatchObject({ code: 0 });
    expect(project.read('managed/drm_policies.yaml')).toContain('track_type: HD');
  });

  test.each([
    ['a value outside the tables', { fairplay: { sd: { hdcp_enforcement: 7 } } }, /hdcp_enforcement = 7/],
    ['tracks that are not covered', { widevine: { content_key_specs: [{ track_type: 'HD' }] } }, /must cover all tracks/],
    ['a duration without its switch', { fairplay: { lease_duration_seconds: 60 } }, /needs persistence/],
    ['a track named twice', { widevine: { content_key_specs: [{ track_type: 'ALL' }, { track_type: 'ALL' }] } }, /ALL \(2\)/],
  ])('with %s has comments with the reason', async (_name, settings, reason) => {
    const project = await exported({ 'drm-policy': [{ policy_name: 'odd', ...settings }, { policy_name: 'plain' }] });
    const [, comment = '', ...rest] = project.read('exported/drm_policies.yaml').split('\n');
    expect(comment).toMatch(/^# drm-policy\/~\S+ "odd" is left out: /);
    expect(comment).toMatch(reason);
    expect(rest.join('\n')).toBe('drm_policies:\n  plain: {}\n');
    await expectEmptyPlan(project);
  });
});

test('a setting that cannot be declared is exported as undeclared, with the reason', async () => {
  const project = await exported({ 'key-rotation-schedule': { enabled: true } });
  expect(project.read('exported/key_rotation_schedule.yaml')).toMatch(
    /\n# key-rotation-schedule is left out: the schedule needs [^\n]*\n$/,
  );
  await expectEmptyPlan(project);
});

test('an empty account is exported as managed and empty', async () => {
  const project = await exported({});
  expect(readdirSync(join(project.folder, 'exported')).sort()).toEqual([
    'drm_policies.yaml',
    'key_rotation_schedule.yaml',
    'playlists.yaml',
    'smart_starts.yaml',
    'static_key.yaml',
    'vmp_reject_statuses.yaml',
  ]);
  await expectEmptyPlan(project);
});

/** Playlists that differ in their title and their first asset, and one of another form. */
const shows = [
  ...Array.from({ length: 12 }, (_, index) => ({
    desc: `Kids "${index + 1}", the\nshow $\{x}`,
    repeat: -1,
    playlist: [...beams(index + 1), { ad: { dur: 60 } }, ...beams(99)],
  })),
  { desc: 'News', playlist: beams(1, 2) },
].map((each, index) => ({ id: `show-${index + 1}`, ...each }));

describe('the layout of an export', () => {
  test('has a template and a CSV table with --templates, from which the plan is empty', async () => {
    const project = await createTestProject({}, { seed: { playlist: shows }, target: 'vars: { desc: taken }' });
    const ran = await project.run('export', '--dir', 'exported', '--templates');
    expect(ran).toMatchObject({ code: 0, stdout: '' });
    expect(project.read('exported/templates.yaml')).toBe(`# yaml-language-server: $schema=../node_modules/upkeep/schemas/source.schema.json
templates:
  kids:
    params:
      desc_: string
      beam_1: string
    playlist:
      desc: \${desc_}
      repeat: -1
      playlist:
        - beam: \${beam_1}
        - ad: 60
        - beam: ${asset(99)}
playlists_from:
  - file: kids.csv
    template: kids
    key: \${key}
`);
    expect(project.read('exported/kids.csv').split('\n').slice(0, 3)).toEqual([
      'key,desc_,beam_1',
      'kids-1-the-show-x,"Kids ""1"", the',
      `show \${x}",${asset(1)}`,
    ]);
    expect(project.read('exported/playlists.yaml').match(/^ {2}\S+:/gm)).toEqual(['  News:']);
    await expectEmptyPlan(project);
    project.write('upkeep.yaml', projectFile(project.emulator.url, 'vars: { desc: taken }').replace('[config]', '[exported]'));
    const codes = (await project.run('validate')).stdout.match(/^ +(?:warning|error) .*/gm) ?? [];
    expect(codes.filter((line) => !line.includes('control-character'))).toEqual([]);
  });

  test('has a file for each common beginning of keys with --group-by prefix, or for each playlist with --group-by file', async () => {
    const live = ['kids-01', 'kids-02', 'Kids.03', 'news', 'sport_1'].map((desc) => ({ id: desc, desc, playlist: beams(1, 2) }));
    const project = await createTestProject(
      {},
      { seed: { playlist: live, 'drm-policy': [{ policy_name: 'kids-hd' }, { policy_name: 'kids-sd' }] } },
    );
    for (const [way, names, own] of [
      ['prefix', ['kids.yaml'], true],
      ['file', ['kids-01.yaml', 'kids-02.yaml', 'kids.03.yaml', 'news.yaml', 'sport_1.yaml'], false],
    ] as const) {
      expect((await project.run('export', '--dir', way, '--group-by', way)).code).toBe(0);
      expect(readdirSync(join(project.folder, way, 'playlists')).sort()).toEqual(names);
      expect(existsSync(join(project.folder, way, 'playlists.yaml'))).toBe(own);
      expect(readdirSync(join(project.folder, way))).toContain('drm_policies.yaml');
      const [first = ''] = names;
      expect(
        project
          .read(join(way, 'playlists', first))
          .split('\n')
          .slice(0, 3),
      ).toEqual([
        '# yaml-language-server: $schema=../../node_modules/upkeep/schemas/source.schema.json',
        'playlists:',
        way === 'prefix' ? '  Kids.03:' : '  kids-01:',
      ]);
      project.write('upkeep.yaml', projectFile(project.emulator.url).replace('[config]', `[${way}]`));
      expect(await project.plan('--detailed-exitcode')).toMatchObject({ code: 0, document: { changes: [] } });
    }
  });

  test('uses the names of the catalog with --assets', async () => {
    const project = await createTestProject(
      {},
      {
        seed: {
          playlist: { playlists: [{ id: 'a', desc: 'a', playlist: beams(1, 2) }], assets: [{ id: asset(1), desc: 'Intro' }, asset(2)] },
        },
      },
    );
    expect((await project.run('export', '--dir', 'exported', '--assets', '--templates')).code).toBe(0);
    expect(project.read('exported/playlists.yaml')).toMatch(new RegExp(`- beam: Intro\\n +- beam: ${asset(2)}`));
    await expectEmptyPlan(project);
  });

  test('writes what it could read where the look-up of assets is refused, and names that look-up', async () => {
    const seed = { playlist: { playlists: [{ id: 'a', desc: 'a', playlist: beams(1) }], assets: [{ id: asset(1), desc: 'Intro' }] } };
    const project = await createTestProject({}, { seed });
    project.emulator.setFaults([{ path: '/api2/asset/get', status: 403, body: {} }]);
    const { code, stderr } = await project.run('export', '--dir', 'exported', '--assets');
    expect(code).toBe(7);
    expect(stderr).toContain('warning: not all assets could be looked up, so the files name those by their IDs');
    expect(stderr).toContain('error: POST /api2/asset/get: HTTP 403 Forbidden');
    expect(project.read('exported/playlists.yaml')).toContain(`beam: ${asset(1)}`);
    project.emulator.setFaults([]);
    await expectEmptyPlan(project);
  });

  test.each([[['--templates']], [['--group-by', 'file']], [['--format', 'json']]])('needs a folder with %s', async (flags) => {
    const project = await createTestProject({});
    const ran = await project.run('export', ...flags);
    expect(ran).toMatchObject({ code: 8, stderr: expect.stringContaining('needs --dir') });
    expect(project.emulator.requests()).toEqual([]);
  });
});

describe('the report of an export', () => {
  const seed = {
    playlist: [
      { id: 'empty', desc: 'Empty', playlist: [] },
      { id: 'b', desc: ' padded', playlist: beams(1, 2) },
      { id: 'c', desc: 'c', playlist: beams(2, 3) },
    ],
    'drm-policy': [{ policy_name: 'premium' }],
  };

  test('says on stderr how many objects were written, and why the others were left out', async () => {
    const project = await createTestProject({}, { seed });
    const ran = await project.run('export');
    expect(ran.code).toBe(0);
    expect(ran.stderr).toMatch(/left out +playlist\/~empty +"Empty"\n +it holds no asset/);
    expect(ran.stderr.replaceAll(/\s+/g, ' ')).toContain(
      'Written: 6 objects (1 drm-policy, 1 key-rotation-schedule, 2 playlist, 1 static-key, 1 vmp-reject-statuses). Left out: 1.',
    );
    expect(ran.stdout).not.toContain('Left out: 1');
  });

  test('is a document with --format json, and names what validation warns about at its place', async () => {
    const project = await createTestProject({}, { seed });
    const ran = await project.run('export', '--dir', 'exported', '--format', 'json');
    const document = asAccountExport(JSON.parse(ran.stdout));
    expect(document).toMatchObject({
      target: 'live',
      folder: 'exported',
      written: { playlist: 2, 'drm-policy': 1 },
      leftOut: [{ address: 'playlist/~empty', name: 'Empty', reason: 'it holds no asset' }],
    });
    expect(document.files).toEqual(
      readdirSync(join(project.folder, 'exported')).toSorted((a, b) => document.files.indexOf(a) - document.files.indexOf(b)),
    );
    const [finding, ...others] = document.findings;
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ code: 'name-spaces', file: 'exported/playlists.yaml' });
    expect(project.read('exported/playlists.yaml').split('\n')[Number(finding?.line) - 1]).toContain('" padded"');
  });

  test('is written with --out beside YAML on stdout', async () => {
    const project = await createTestProject({}, { seed });
    const ran = await project.run('export', '--out', 'json=report.json');
    expect(ran.stdout).toContain('playlists:');
    expect(asAccountExport(JSON.parse(project.read('report.json')))).toMatchObject({
      folder: null,
      leftOut: [{ address: 'playlist/~empty' }],
    });
  });

  test('is a failure in JSON where the account could not be read', async () => {
    const project = await createTestProject({}, { seed });
    project.emulator.setFaults([{ path: '/api/v3/drm/policies', status: 500, body: 'oops' }]);
    const { code, document } = await project.refused('export', '--dir', 'exported');
    expect([code, document.error.code, readdirSync(join(project.folder, 'exported'))]).toEqual([10, 'unread', []]);
  });

  test('is that of the export where `init` starts from the account', async () => {
    const project = await createTestProject({}, { seed });
    const flags = ['init', 'new', '--base-url', project.emulator.url, '--ci', 'none', '--from-live'];
    const credentials = { env: { UPKEEP_OWNER: OWNER, UPKEEP_API_KEY: API_KEY } };
    const text = await project.runWith(credentials, ...flags);
    expect(text).toMatchObject({ code: 0, stderr: expect.stringContaining('Left out: 1.') });
    expect(text.stdout).toContain('wrote    upkeep.yaml');
    const json = await project.runWith(credentials, ...flags.with(1, 'other'), '--format', 'json');
    expect(asAccountExport(JSON.parse(json.stdout))).toMatchObject({
      target: 'production',
      folder: 'other/config',
      leftOut: [{ address: 'playlist/~empty' }],
    });
    const grouped = await project.runWith(credentials, ...flags.with(1, 'grouped'), '--group-by', 'file', '--format', 'json');
    expect(asAccountExport(JSON.parse(grouped.stdout)).files).toContain('playlists/c.yaml');
    const refused = await project.runWith(credentials, ...flags.with(1, 'refused').slice(0, -1), '--templates');
    expect(refused).toMatchObject({ code: 8, stderr: expect.stringContaining('--templates needs --from-live') });
    expect(existsSync(join(project.folder, 'refused'))).toBe(false);
    const empty = await project.runWith(credentials, ...flags.with(1, 'third').slice(0, -1), '--format', 'json');
    expect(asAccountExport(JSON.parse(empty.stdout))).toMatchObject({ files: [], written: {}, leftOut: [] });
  });
});

describe('the command `export`', () => {
  test('prints the files where no folder is named', async () => {
    const project = await createTestProject({}, { seed: { playlist: manyLive(1) } });
    const ran = await project.run('export');
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('playlists:\n  p1:\n');
    project.write('config/all.yaml', ran.stdout);
    expect(await project.plan('--detailed-exitcode')).toMatchObject({ code: 0, document: { changes: [] } });
  });

  test('does not overwrite files', async () => {
    const project = await createTestProject({ 'kept/notes.txt': 'mine' });
    const ran = await project.run('export', '--dir', 'kept');
    expect([ran.code, readdirSync(join(project.folder, 'kept'))]).toEqual([8, ['notes.txt']]);
  });

  test('writes no file where a kind could not be read', async () => {
    const project = await createTestProject({}, { seed: { playlist: manyLive(1) } });
    project.emulator.setFaults([{ path: '/api/v3/drm/policies', status: 500, body: 'oops' }]);
    expect((await project.run('export', '--dir', 'exported')).code).toBe(10);
    expect(readdirSync(join(project.folder, 'exported'))).toEqual([]);
  });
});
