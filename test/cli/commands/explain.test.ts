/** Fields are explained by the schemas alone, resources by their plan and the places of their values. */

import { describe, expect, test } from 'vitest';
import configurationSchema from '../../../schemas/configuration.schema.json' with { type: 'json' };
import explanationSchema from '../../../schemas/explanation.schema.json' with { type: 'json' };
import planSchema from '../../../schemas/plan.schema.json' with { type: 'json' };
import { writtenSchema } from '../../../src/core/config/expand/written-schema.ts';
import { documentedFields } from '../../../src/core/explain/field-docs.ts';
import { asExplanation } from '../../support/documents.ts';
import { createGitProject } from '../../support/git-project.ts';
import { createTestProject, type ProjectFolder, projectIn, temporaryFolder } from '../../support/harness.ts';
import { sourceModel } from '../../support/source-model.ts';

const NOWHERE = () => projectIn(temporaryFolder());
const ALL = [
  ...documentedFields({ file: 'upkeep.yaml', schema: configurationSchema }).values(),
  ...documentedFields({ file: 'source file', schema: writtenSchema(sourceModel) }).values(),
];

async function runExplain(project: ProjectFolder, ...argv: string[]) {
  return asExplanation(await project.json('explain', ...argv));
}

describe('explain a field', () => {
  test('a field is explained with its type, default, values and section of the API documents', async () => {
    expect(await runExplain(NOWHERE(), 'drm_policies.widevine.content_key_specs.security_level')).toMatchObject({
      file: 'source file',
      type: 'whole number',
      default: 1,
      values: [1, 2, 3, 4, 5],
      section: 'drm-api-v3, section 2.3',
    });
  });

  test('a field is explained with its unit and bounds', async () => {
    expect(await runExplain(NOWHERE(), 'targets.http.timeout_seconds')).toMatchObject({
      file: 'upkeep.yaml',
      unit: 'seconds',
      default: 30,
      rules: ['above 0', 'at most 3600'],
    });
  });

  test('a field has the section of the nearest parent that names one', async () => {
    expect(await runExplain(NOWHERE(), 'playlists.repeat')).toMatchObject({ section: 'playlist-api-v4, section 2.1' });
    expect(await runExplain(NOWHERE(), 'playlists.playlist.ad.dur')).toMatchObject({
      section: 'playlist-api-v4, section 2.2',
      rules: ['must be written', 'at least 1'],
    });
  });

  test('a field of a form that depends on another field is explained', async () => {
    expect(await runExplain(NOWHERE(), 'devices.virtual_machine')).toMatchObject({ default: false });
  });

  test.each([
    ['asset-expires', { values: ['off', 'warning', 'error'], rules: ['reported about playlist'] }],
    [
      'rules.duplicate-key',
      { type: 'nothing: the severity of this finding cannot be set', values: [], rules: ['reported about all kinds'] },
    ],
    ['control-character', { description: 'control characters in a name; control characters in a description' }],
  ])('the code of a finding (%s) is explained with what `rules` can set', async (code, explanation) => {
    expect(await runExplain(NOWHERE(), code)).toMatchObject({ file: 'upkeep.yaml', ...explanation });
  });

  test('a field is explained as text', async () => {
    const { code, stdout } = await NOWHERE().run('explain', 'static_key');
    expect(code).toBe(0);
    expect(stdout).toBe(`Field static_key, in a source file
Which live slicers encrypt with a static key instead of changing keys.

What it may be (2)
  * type           map
  * specification  drm-api-v3, sections 2.6, 4.6 and 4.7

Below it (2)
  * scope
      all = every live slicer; specific = those in slicer_ids; none = no slicer, which is how an
      account begins.
  * slicer_ids
      The slicers, with scope specific only: a set, in any order.

Go on with: upkeep explain static_key.KEY
`);
  });

  test.each([
    ['playlists.evening-block.repeat', 'did you mean playlists.repeat?'],
    ['drm_policies.premium.widevine.content_key_specs[0].track_type', 'did you mean drm_policies.widevine.content_key_specs.track_type?'],
    ['fairplay.lease', 'did you mean drm_policies.fairplay.lease?'],
    ['drm_polices', 'did you mean drm_policies?'],
    ['targets.limts', 'did you mean targets.limits?'],
    ['lease', 'did you mean drm_policies.fairplay.lease?'],
    ['hdcpp', 'hdcp'],
    ['qqqqqqqq', '`upkeep explain` lists the keys'],
  ])('an unknown field (%s) exits with 8 and suggests a similar one', async (word, hint) => {
    const { code, document } = await NOWHERE().refused('explain', word);
    expect([code, document.error.code]).toEqual([8, 'unknown-field']);
    expect(document.error.hint).toContain(hint);
  });

  test('explain without an argument lists the keys of both files', async () => {
    const { code, stdout } = await NOWHERE().run('explain');
    expect(code).toBe(0);
    for (const key of ['targets', 'guards', 'playlists', 'smart_starts', 'adopt', 'static_key'])
      expect(stdout).toMatch(new RegExp(`^ {2}\\* ${key}$`, 'm'));
    expect(stdout).toContain('Go on with: upkeep explain KEY');
  });
});

describe('the descriptions in the schemas', () => {
  test('every field has a description and is listed once', () => {
    expect(ALL.filter(({ description }) => description === '').map(({ field }) => field)).toEqual([]);
    expect(new Set(ALL.map(({ field }) => field)).size).toBe(ALL.length);
    expect(ALL.length).toBeGreaterThan(120);
  });

  test('every field whose name contains a unit has that unit', () => {
    const named = ALL.filter(({ field }) => /_(seconds|duration)$/.test(field));
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter(({ unit }) => unit !== 'seconds').map(({ field }) => field)).toEqual([]);
  });

  test('every field of the API names a section of the API documents', () => {
    const own = /^(assets|adopt|moved|removed|ignore_changes|defaults|templates|entry_lists|\w+_from)\b|\.(template|with|include)$/;
    const lacking = ALL.filter(({ file, field, section }) => file === 'source file' && !own.test(field) && section === undefined);
    expect(lacking.map(({ field }) => field)).toEqual([]);
  });

  test('explain shows a change as the plan has it', () => {
    const { change, field, ignoredValue, reason, blocked } = planSchema.definitions;
    expect(explanationSchema.definitions).toMatchObject({ change, field, ignoredValue, reason, blocked });
  });
});

const ID = (digit: string) => digit.repeat(32);
const TWO = `{ playlist: [{ beam: ${ID('a')} }, { beam: ${ID('b')} }]`;
const SOURCES = {
  'config/a/playlists.yaml': `playlists:\n  one: ${TWO}, repeat: 1, desc: "\${channel} one" }\n  two: ${TWO} }\n`,
  'config/b/over.yaml': 'playlists:\n  one:\n    repeat: -1\n',
  'config/b/vmp.yaml':
    'vmp_reject_statuses: [PLATFORM_TAMPERED]\nsmart_starts:\n  vod:\n    assets:\n      - cccccccccccccccccccccccccccccccc\n    repeat: 3\n',
};
const OVERLAID = { target: 'vars: { channel: Harbour }' };

async function projectWithOverlay(make: typeof createTestProject | typeof createGitProject = createTestProject) {
  const project = await make(SOURCES, OVERLAID);
  project.write('upkeep.yaml', project.read('upkeep.yaml').replace('sources: [config]', 'sources: [config/a, config/b]'));
  return project;
}

describe('explain a resource', () => {
  test('a new resource is explained with the file and line of each value, overlays and variables included', async () => {
    const project = await projectWithOverlay();
    expect(await runExplain(project, 'playlist/one')).toMatchObject({
      target: 'live',
      identity: { rule: 'none', id: null },
      change: { action: 'create', blocked: null },
      values: expect.arrayContaining([
        {
          path: '/repeat',
          value: -1,
          file: 'config/b/over.yaml',
          line: 3,
          column: 13,
          layer: 'document',
          vars: [],
          overrides: [expect.objectContaining({ value: 1, file: 'config/a/playlists.yaml' })],
        },
        {
          path: '/desc',
          value: 'Harbour one',
          file: 'config/a/playlists.yaml',
          line: 2,
          column: expect.any(Number),
          layer: 'document',
          vars: ['channel'],
          overrides: [],
        },
      ]),
    });
    expect((await project.run('explain', 'playlist/one')).stdout).toContain('{channel} from vars in upkeep.yaml');
    expect(project.writes()).toEqual([]);
  });

  test('a value of a template is explained with its place, and with the defaults that it overrides', async () => {
    const files = {
      'config/t.yaml': `
templates:
  show: { params: { title: string }, playlist: { desc: "\${title}", repeat: 3, playlist: [ { beam: ${ID('a')} }, { beam: ${ID('b')} } ] } }
defaults: { playlists: { repeat: 1 } }
playlists: { one: { template: show, with: { title: One } } }
`,
    };
    const project = await createTestProject(files);
    expect(await runExplain(project, 'playlist/one')).toMatchObject({
      values: expect.arrayContaining([
        expect.objectContaining({ path: '/desc', value: 'One', line: 5, layer: 'template', template: 'show', vars: [] }),
        expect.objectContaining({
          path: '/repeat',
          value: 3,
          line: 3,
          layer: 'template',
          overrides: [expect.objectContaining({ value: 1, line: 4, layer: 'file-defaults' })],
        }),
      ]),
    });
    const { stdout } = await project.run('explain', 'playlist/one');
    expect(stdout).toMatch(/config\/t\.yaml:3:\d+, template show/);
    expect(stdout).toMatch(/instead of 1: config\/t\.yaml:4:\d+, defaults of the file/);
  });

  test('a setting of a group is explained with the line of the group', async () => {
    const explanation = await runExplain(await projectWithOverlay(), `smart-start/vod/${ID('c')}`);
    expect(explanation).toMatchObject({
      values: expect.arrayContaining([expect.objectContaining({ path: '/repeat', value: 3, file: 'config/b/vmp.yaml', line: 6 })]),
    });
  });

  test('a resource is matched by its name, by its asset, or as the only one of its kind', async () => {
    const project = await projectWithOverlay();
    expect((await project.run('apply', '--yes')).code).toBe(0);
    expect(await runExplain(project, 'playlist/two')).toMatchObject({ identity: { rule: 'name', id: expect.any(String) }, change: null });
    expect(await runExplain(project, `smart-start/vod/${ID('c')}`)).toMatchObject({ identity: { rule: 'id', id: ID('c') } });
    expect(await runExplain(project, 'vmp-reject-statuses')).toMatchObject({ identity: { rule: 'setting', id: null } });
    expect((await project.run('explain', 'playlist/two')).stdout).toContain('Nothing is planned: it is as the repository says.');
  });

  test('a resource is matched by the ledger, and its edit by hand has the origin drift', async () => {
    const project = await projectWithOverlay(createGitProject);
    expect((await project.run('apply', '--yes', '--allow', 'dirty')).code).toBe(0);
    const id = String(project.playlists().find(({ desc }) => desc === 'two')?.id);
    project.editPlaylist(id, { repeat: 7, desc: 'renamed' });
    expect(await runExplain(project, 'playlist/two')).toMatchObject({ identity: { rule: 'binding', id }, change: { action: 'update' } });
  });

  test('a resource is matched by `adopt`, and by the name before `moved`', async () => {
    const project = await projectWithOverlay();
    expect((await project.run('apply', '--yes')).code).toBe(0);
    const id = String(project.playlists().find(({ desc }) => desc === 'two')?.id);
    project.write('config/b/adopt.yaml', `adopt: { playlist/one: ${id} }\n`);
    expect(await runExplain(project, 'playlist/one')).toMatchObject({ identity: { rule: 'adopt', id } });
    project.write('config/b/adopt.yaml', 'moved: [{ from: playlist/two, to: playlist/three }]\n');
    project.write('config/a/playlists.yaml', `playlists:\n  three: ${TWO} }\n  one: ${TWO} }\n`);
    expect(await runExplain(project, 'playlist/three')).toMatchObject({ identity: { rule: 'old-key', id } });
  });

  test('a resource that two live objects match is ambiguous, with the safety check and its override', async () => {
    const project = await projectWithOverlay();
    expect((await project.run('apply', '--yes')).code).toBe(0);
    const other = project.playlists().find(({ desc }) => desc === 'Harbour one');
    project.editPlaylist(String(other?.id), { desc: 'two' });
    expect(await runExplain(project, 'playlist/two')).toMatchObject({
      identity: { rule: 'ambiguous' },
      change: { blocked: { check: 'identity' } },
    });
    expect((await project.run('explain', 'playlist/two')).stdout).toContain('to lift it: ');
  });

  test('an undeclared live object is explained as such', async () => {
    const project = await projectWithOverlay();
    expect((await project.run('apply', '--yes')).code).toBe(0);
    project.write('config/a/playlists.yaml', `playlists:\n  two: ${TWO} }\n`);
    project.write('config/b/over.yaml', 'playlists: {}\n');
    const id = String(project.playlists().find(({ desc }) => desc === 'Harbour one')?.id);
    expect(await runExplain(project, `playlist/~${id}`)).toMatchObject({ identity: { rule: 'undeclared' }, change: null, values: [] });
  });

  test('a resource of a kind that could not be read is explained as unread, with exit code 10', async () => {
    const project = await createTestProject(SOURCES, { ...OVERLAID, faults: [{ path: '*/vmp-reject-statuses', status: 500 }] });
    project.write('config/b/over.yaml', '{}\n');
    const { code, stdout } = await project.run('explain', 'vmp-reject-statuses', '--format', 'json');
    expect(code).toBe(10);
    expect(asExplanation(JSON.parse(stdout))).toMatchObject({ readStatus: 'incomplete', identity: { rule: 'not-read', id: null } });
  });

  test.each([
    ['playlist/onne', 'did you mean playlist/one?'],
    ['playlist/nothing-like-it', '`upkeep plan --target live --undeclared` lists what is there'],
    ['playlst/one', 'addresses begin with'],
  ])('an unknown address (%s) exits with 8', async (address, hint) => {
    const { code, document } = await (await projectWithOverlay()).refused('explain', address);
    expect([code, document.error.code]).toEqual([8, 'unknown-address']);
    expect(document.error.hint).toContain(hint);
  });
});

describe('explain a playlist', () => {
  const LIST = `[{ beam: ${ID('a')} }, { ad: 90 }, { beam: ${ID('b')} }]`;

  test('its run of show has offsets from the start, live and declared, and says which lengths are unknown', async () => {
    const project = await createTestProject(
      { 'config/p.yaml': `playlists: { one: { repeat: -1, playlist: ${LIST} } }\n` },
      { seed: { playlist: [{ id: 'live1', desc: 'one', playlist: [{ beam: { id: ID('a') } }] }] } },
    );
    const explanation = await runExplain(project, 'playlist/one');
    expect(explanation).toMatchObject({
      runOfShow: {
        at: null,
        live: { seconds: 0, unknown: 1, adSeconds: 0, repeat: 0, entries: [{ type: 'beam', id: ID('a'), offset: 0, seconds: null }] },
        declared: { seconds: 90, unknown: 2, adSeconds: 90, repeat: -1 },
      },
    });
    const { stdout } = await project.run('explain', 'playlist/one');
    expect(stdout).toContain('Run of show (2)');
    expect(stdout).toContain('+ ≥0:00:00  0:01:30  ad');
    expect(project.writes()).toEqual([]);
  });

  test('its lengths come from the configuration and, if assets are checked, from the service, also of assets that only the account names', async () => {
    const files = {
      'config/p.yaml': `assets: { pilot: { id: ${ID('a')}, duration: 60, available: { until: "2027-03-01T00:00:00Z" } } }
playlists: { one: { playlist: [{ beam: pilot }, { ad: 30 }, { beam: ${ID('b')} }] } }
`,
    };
    const library = [
      { id: ID('a'), duration: 1800, desc: 'not this name' },
      { id: ID('b'), duration: 600, desc: 'Film' },
      { id: ID('c'), duration: 900, desc: 'Old' },
    ];
    const seed = {
      playlist: {
        playlists: [{ id: 'live1', desc: 'one', playlist: [{ beam: { id: ID('c') } }, { beam: { id: ID('a') } }] }],
        assets: library,
      },
    };
    const unchecked = await runExplain(await createTestProject(files, { seed }), 'playlist/one', '--at', '2027-02-28');
    expect(unchecked).toMatchObject({
      runOfShow: { declared: { seconds: 90, unknown: 1 }, live: { seconds: 60, unknown: 1 }, unread: [] },
    });
    const project = await createTestProject(files, { seed, target: 'check: { assets: true }' });
    expect(await runExplain(project, 'playlist/one', '--at', '2027-03-01')).toMatchObject({
      runOfShow: {
        at: '2027-03-01',
        declared: {
          seconds: 2430,
          unknown: 0,
          entries: [{ name: 'pilot', availability: 'gone' }, {}, { name: 'Film', availability: 'unknown' }],
        },
        live: {
          seconds: 2700,
          entries: [
            { name: 'Old', offset: 0 },
            { name: 'pilot', offset: 900, availability: 'gone' },
          ],
        },
      },
    });
    const { stdout } = await project.run('explain', 'playlist/one', '--at', '2027-03-01');
    expect(stdout).toContain('At 2027-03-01: 1 asset will be gone, with 0:30:00 of what is planned');
    expect(stdout).toMatch(/^ +0:00:00 {2}0:30:00 {2}beam {2}pilot {2}gone$/m);
    expect(project.writes()).toEqual([]);
  });

  test('a look-up of its assets that fails is reported, and what the configuration says is shown', async () => {
    const files = {
      'config/p.yaml': `assets: { pilot: { id: ${ID('a')}, duration: 60 } }\nplaylists: { one: { playlist: [{ beam: pilot }, { beam: ${ID('b')} }] } }\n`,
    };
    const project = await createTestProject(files, {
      target: 'check: { assets: true }',
      faults: [{ path: '/api2/asset/get', status: 500 }],
    });
    const { code, stdout } = await project.run('explain', 'playlist/one');
    expect(code).toBe(0);
    expect(stdout).toContain('The service did not tell about 1 of 1 assets');
    expect(stdout).toContain('2 entries, at least 0:01:00');
  });

  test('a policy has no run of show', async () => {
    const project = await createTestProject({ 'config/p.yaml': 'drm_policies: { p: {} }\n' });
    expect(await runExplain(project, 'drm-policy/p')).not.toHaveProperty('runOfShow');
  });

  test.each(['2027-02-30', '2027-13-01', 'tomorrow', '2027-03-01T18:00'])('a date that is none (%s) exits with 8', async (date) => {
    const { code, stderr } = await NOWHERE().run('explain', 'playlist/one', '--at', date);
    expect(code).toBe(8);
    expect(stderr).toContain('it is a date or an instant');
  });
});
