/** `drift accept` by example: the live value comes into the YAML that declares it, and the diff touches nothing else. */
import { lstatSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EVENING } from '../core/drift/accept/project.ts';
import { asAcceptance } from '../support/documents.ts';
import { gitApply } from '../support/git-apply.ts';
import { createGitProject, playlistId } from '../support/git-project.ts';
import { API_KEY, createTestProject, type TestProject } from '../support/harness.ts';
import { asset } from './accounts.ts';

async function applied(files: { readonly [name: string]: string }, target = ''): Promise<TestProject> {
  const project = await createTestProject(files, { target: `weakening: allow\n${target}` });
  expect(await project.run('apply', '--yes')).toMatchObject({ code: 0 });
  return project;
}

/** Accepts addresses. Expects that git makes the same files of the diff of a dry run, and that the plan about them is empty then. */
async function accept(project: TestProject, ...addresses: readonly string[]): Promise<void> {
  const bytesOf = (file: string) => readFileSync(join(project.folder, file));
  const { stdout } = await project.run('drift', 'accept', ...addresses, '--dry-run', '--format', 'json');
  const { files } = asAcceptance(JSON.parse(stdout));
  expect(files).not.toEqual([]);
  const applied = gitApply(Object.fromEntries(files.map(({ file }) => [file, bytesOf(file)])), files.map(({ diff }) => diff).join(''));
  expect(await project.run('drift', 'accept', ...addresses)).toMatchObject({ code: 0, stderr: '' });
  expect(Object.fromEntries(files.map(({ file }) => [file, bytesOf(file)]))).toEqual(applied);
  const only = addresses.flatMap((address) => ['--only', address]);
  expect((await project.plan(...only)).document.changes).toEqual([]);
  expect((await project.run('drift', ...only)).code).toBe(0);
}

describe('`drift accept` of a playlist', () => {
  test('writes settings and entries, and keeps comments, quotes, order and spaces', async () => {
    const project = await applied({ 'config/a.yaml': EVENING });
    project.editPlaylist(playlistId(project, 'Evening block'), {
      repeat: -1,
      skip_drm: 1,
      active: 0,
      playlist: [{ beam: { id: asset(1) } }, { ad: { dur: 60 } }, { beam: { id: asset(5) } }, { beam: { id: asset(2) } }],
    });
    await accept(project, 'playlist/evening');
    expect(project.read('config/a.yaml')).toBe(
      EVENING.replace('repeat: 3 ', 'repeat: -1 ')
        .replace('skip_drm: false', 'skip_drm: true\n    active: 0')
        .replace('ad: 90', `ad: 60\n      - beam:\n          id: ${asset(5)}`),
    );
  });

  test('keeps flow style', async () => {
    const project = await applied({ 'config/a.yaml': EVENING });
    project.editPlaylist(playlistId(project, 'other'), { repeat: 2, playlist: [3, 6, 4].map((id) => ({ beam: { id: asset(id) } })) });
    await accept(project, 'playlist/other');
    expect(project.read('config/a.yaml')).toBe(
      EVENING.replace(`beam: ${asset(3)}, beam`, `beam: ${asset(3)}, { beam: ${asset(6)} }, beam`).replace(
        `${asset(4)}] }`,
        `${asset(4)}], repeat: 2 }`,
      ),
    );
  });

  test('keeps Windows line ends, a byte order mark and a missing last line break', async () => {
    const text = `\ufeffplaylists:\r\n  a:\r\n    repeat: 1\r\n    playlist:\r\n    - beam: ${asset(1)}\r\n    - beam: ${asset(2)}`;
    const project = await applied({ 'config/a.yaml': text });
    project.editPlaylist(playlistId(project, 'a'), {
      repeat: 2,
      active: 0,
      playlist: [1, 2, 3].map((id) => ({ beam: { id: asset(id) } })),
    });
    await accept(project, 'playlist/a');
    expect(project.read('config/a.yaml')).toBe(`${text.replace('repeat: 1', 'repeat: 2\r\n    active: 0')}\r\n    - beam: ${asset(3)}`);
  });

  test.each([['config/two words.yaml'], ['config/\u00fcbersicht.yaml'], ['config/"quoted".yaml']])(
    'gives a diff that git applies to the file %s',
    async (file) => {
      const project = await applied({ [file]: EVENING });
      project.editPlaylist(playlistId(project, 'Evening block'), { repeat: 5 });
      await accept(project, 'playlist/evening');
      expect(project.read(file)).toBe(EVENING.replace('repeat: 3', 'repeat: 5'));
    },
  );

  test('keeps the short or long form of each entry, and uses it for an entry that replaces another', async () => {
    const text = (first: number) =>
      `playlists:\n  a:\n    playlist:\n      - beam: ${asset(1)}\n      - ad: { dur: ${first} }\n      - beam: ${asset(2)}\n      - ad: 90\n      - beam: ${asset(3)}\n`;
    const project = await applied({ 'config/a.yaml': text(90) });
    const [one, two, three] = [1, 2, 3].map((id) => ({ beam: { id: asset(id) } }));
    project.editPlaylist(playlistId(project, 'a'), {
      playlist: JSON.parse(JSON.stringify([one, { ad: { dur: 95 } }, two, { ad: { dur: 90 } }, three])),
    });
    await accept(project, 'playlist/a');
    expect(project.read('config/a.yaml')).toBe(text(95));
  });

  test('writes assets by their alias', async () => {
    const assets = `assets: { intro: { id: ${asset(1)} }, film: { id: ${asset(2)} }, outro: { id: ${asset(3)} } }\n`;
    const text = `${assets}playlists:\n  a:\n    playlist:\n      - beam: intro\n      - beam: film\n`;
    const project = await applied({ 'config/a.yaml': text });
    project.editPlaylist(playlistId(project, 'a'), { playlist: [1, 2, 3].map((id) => ({ beam: { id: asset(id) } })) });
    await accept(project, 'playlist/a');
    expect(project.read('config/a.yaml')).toBe(`${text}      - beam: outro\n`);
  });
});

test('`drift accept` of a policy writes only the settings that differ, tracks by their type, and settings that the schema requires beside them', async () => {
  const text = `drm_policies:
  premium:
    fairplay: { persistence: true, sd: { allow_airplay: false } } # phones
    widevine:
      content_key_specs:
        - track_type: SD # the small one
          security_level: 1
        - track_type: HD
          security_level: 1
        - track_type: AUDIO
        - track_type: UHD1
        - track_type: UHD2
`;
  const project = await applied({ 'config/a.yaml': text });
  const [policy] = [project.live('drm-policy')].flat();
  const id = String((policy as { readonly _id?: unknown })._id);
  project.emulator.edit({
    emulation: 'drm-policy',
    collection: 'policies',
    id,
    merge: {
      fairplay: { persistence: true, lease: true, sd: { allow_airplay: false } },
      widevine: {
        content_key_specs: [
          { track_type: 'SD', security_level: 1 },
          { track_type: 'HD', security_level: 3 },
          { track_type: 'AUDIO' },
          { track_type: 'UHD1' },
          { track_type: 'UHD2' },
        ],
      },
      playready: { can_play: false },
    },
  });
  await accept(project, 'drm-policy/premium');
  expect(project.read('config/a.yaml')).toBe(
    `${text
      .replace('allow_airplay: false } }', 'allow_airplay: false }, lease: true }')
      .replace(
        'HD\n          security_level: 1',
        'HD\n          security_level: 3\n          required_output_protection:\n            hdcp: HDCP_NONE',
      )}    playready:\n      can_play: false\n`,
  );
});

describe('`drift accept` of account settings', () => {
  test('keeps the order of a set, and adds new elements last', async () => {
    const text = `vmp_reject_statuses:\n  - PLATFORM_UNVERIFIED # phones\n  - PLATFORM_TAMPERED\nstatic_key: { scope: specific, slicer_ids: [studio-b, studio-a] }\nkey_rotation_schedule: {}\n`;
    const project = await applied({ 'config/a.yaml': text });
    const edit = (emulation: string, collection: string, id: string, document: object) =>
      project.emulator.edit({ emulation, collection, id, document: JSON.parse(JSON.stringify(document)) });
    edit('vmp-reject-statuses', 'settings', 'current', { vmp_reject_statuses: ['PLATFORM_HARDWARE_VERIFIED', 'PLATFORM_UNVERIFIED'] });
    edit('static-key', 'settings', 'slicers', { static_key_slicer_ids: ['studio-a', 'studio-c', 'studio-b'] });
    edit('key-rotation-schedule', 'schedule', 'current', { enabled: true, frequency: 2, unit: 'd', hour: 4 });
    await accept(project, '*');
    expect(project.read('config/a.yaml')).toBe(
      `vmp_reject_statuses:\n  - PLATFORM_UNVERIFIED # phones\n  - PLATFORM_HARDWARE_VERIFIED\nstatic_key: { scope: specific, slicer_ids: [studio-b, studio-a, studio-c] }\nkey_rotation_schedule: { enabled: true, frequency: 2, unit: d, hour: 4 }\n`,
    );
    edit('static-key', 'settings', 'slicers', { static_key_slicer_ids: [] });
    edit('static-key', 'settings', 'status', { use_static_encryption_key: true });
    edit('vmp-reject-statuses', 'settings', 'current', { vmp_reject_statuses: [] });
    await accept(project, 'static-key', 'vmp-reject-statuses');
    expect(project.read('config/a.yaml')).toMatch(/^vmp_reject_statuses: \[\]\nstatic_key: \{ scope: all \}\n/);
  });
});

describe('`drift accept` edits the location of a value', () => {
  const list = `playlist: [beam: ${asset(1)}, beam: ${asset(2)}]`;

  test('in the last source that defines it, and adds a new field beside it', async () => {
    const common = `playlists:\n  a:\n    repeat: 1\n    ${list}\n`;
    const over = 'playlists: { a: { repeat: 2 } }\n';
    const project = await applied({ 'config/a.yaml': common, 'over/a.yaml': over }, '');
    project.write('upkeep.yaml', project.read('upkeep.yaml').replace('[config]', '[config, over]'));
    expect(await project.run('apply', '--yes')).toMatchObject({ code: 0 });
    project.editPlaylist(playlistId(project, 'a'), { repeat: 5, active: 0 });
    await accept(project, 'playlist/a');
    expect([project.read('config/a.yaml'), project.read('over/a.yaml')]).toEqual([common, 'playlists: { a: { repeat: 5, active: 0 } }\n']);
  });

  test('by replacing an alias with a value, and keeps the anchor', async () => {
    const text = `playlists:\n  a:\n    repeat: &times 2\n    ${list}\n  b:\n    repeat: *times # as above\n    playlist: [beam: ${asset(3)}, beam: ${asset(4)}]\n`;
    const project = await applied({ 'config/a.yaml': text });
    project.editPlaylist(playlistId(project, 'b'), { repeat: 7 });
    await accept(project, 'playlist/b');
    expect(project.read('config/a.yaml')).toBe(text.replace('*times', '7'));
    project.editPlaylist(playlistId(project, 'a'), { repeat: 9 });
    await accept(project, 'playlist/a');
    expect(project.read('config/a.yaml')).toBe(text.replace('*times', '7').replace('&times 2', '&times 9'));
  });

  test('unless an alias repeats the value elsewhere or a variable makes it', async () => {
    const text = `playlists:\n  a:\n    desc: \${region} a\n    repeat: &times 2\n    ${list}\n  b:\n    repeat: *times\n    playlist: [beam: ${asset(3)}, beam: ${asset(4)}]\n`;
    const project = await applied({ 'config/a.yaml': text }, 'vars: { region: eu }');
    project.editPlaylist(playlistId(project, 'eu a'), { repeat: 7 });
    const { code, document } = await project.refused('drift', 'accept', 'playlist/a');
    expect([code, document.error.code, document.error.summary]).toEqual([
      8,
      'not-acceptable',
      expect.stringContaining('playlist/b would change too'),
    ]);
    expect(document.findings).toMatchObject([{ file: 'config/a.yaml', address: 'playlist/a' }]);
    expect(project.read('config/a.yaml')).toBe(text);
  });

  test('unless other targets read it too, which are named, or with --shared', async () => {
    const text = `playlists:\n  a:\n    repeat: 1\n    ${list}\n`;
    const project = await applied({ 'config/a.yaml': text });
    const projectText = project.read('upkeep.yaml');
    project.write('upkeep.yaml', projectText + projectText.slice(projectText.indexOf('  live:')).replace('live:', 'staging:'));
    project.editPlaylist(playlistId(project, 'a'), { repeat: 4 });
    const refused = await project.refused('drift', 'accept', 'playlist/a', '-t', 'live');
    expect([refused.code, refused.document.error]).toMatchObject([
      8,
      { code: 'shared-source', summary: expect.stringContaining('staging') },
    ]);
    expect(project.read('config/a.yaml')).toBe(text);
    const ran = await project.run('drift', 'accept', 'playlist/a', '-t', 'live', '--shared');
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('staging')]);
    expect(project.read('config/a.yaml')).toBe(text.replace('repeat: 1', 'repeat: 4'));
  });

  test('unless the file is behind a symbolic link', async () => {
    const text = `playlists:\n  a:\n    repeat: 1\n    ${list}\n`;
    const project = await applied({ 'config/a.yaml': text });
    renameSync(join(project.folder, 'config/a.yaml'), join(project.folder, 'real.yaml'));
    symlinkSync('../real.yaml', join(project.folder, 'config/a.yaml'));
    project.editPlaylist(playlistId(project, 'a'), { repeat: 4 });
    expect(await project.run('drift', 'accept', 'playlist/a')).toMatchObject({ code: 8, stderr: expect.stringContaining('link') });
    expect([project.read('real.yaml'), lstatSync(join(project.folder, 'config/a.yaml')).isSymbolicLink()]).toEqual([text, true]);
  });
});

describe('`drift accept` of smart starts', () => {
  const ids = [asset(1), asset(2)];

  test('refuses one of a group, whose settings are shared, and accepts the whole group', async () => {
    const text = `smart_starts:\n  vod:\n    assets:\n      - ${ids[0]} # first\n      - ${ids[1]}\n    repeat: 0\n`;
    const project = await applied({ 'config/a.yaml': text });
    project.editPlaylist(asset(1), { repeat: 2 });
    expect(await project.run('drift', 'accept', `smart-start/vod/${ids[0]}`)).toMatchObject({
      code: 8,
      stderr: expect.stringContaining(`smart-start/vod/${ids[1]} would change too`),
    });
    project.editPlaylist(asset(2), { repeat: 2 });
    await accept(project, 'smart-start/vod/*');
    expect(project.read('config/a.yaml')).toBe(text.replace('repeat: 0', 'repeat: 2'));
  });
});

describe('`drift accept` with a ledger', () => {
  const playlists = `playlists:
  first:
    playlist: [beam: ${asset(1)}, beam: ${asset(2)}]

  # goes
  second: # quite
    playlist:
      - beam: ${asset(3)}
      - beam: ${asset(4)}
  third:
    playlist: [beam: ${asset(5)}, beam: ${asset(6)}]
`;
  const smart = `smart_starts:\n  vod: { assets_file: vod.txt }\n`;
  const assets = `# all\n${asset(7)}\n${asset(8)} # late\n${asset(9)}\n`;

  test('removes the entry of an object that was deleted by hand, with its own comment; drift is empty after the next apply', async () => {
    const project = await createGitProject({ 'config/a.yaml': playlists, 'config/b.yaml': smart, 'config/vod.txt': assets });
    expect((await project.apply('--yes')).code).toBe(0);
    project.editPlaylist(playlistId(project, 'second'), null);
    project.editPlaylist(asset(8), null);
    const ran = await project.run(
      'drift',
      'accept',
      'playlist/second',
      `smart-start/vod/${asset(8)}`,
      '--allow',
      'weakening',
      '--format',
      'json',
    );
    expect(asAcceptance(JSON.parse(ran.stdout))).toMatchObject({
      written: true,
      accepted: [{ address: 'playlist/second', result: 'removed' }, { result: 'removed' }],
      files: [{ file: 'config/a.yaml' }, { file: 'config/vod.txt', lines: [3] }],
    });
    expect(project.read('config/a.yaml')).toBe(playlists.replace(/ {2}# goes[\s\S]*(?= {2}third)/, ''));
    expect(project.read('config/vod.txt')).toBe(assets.replace(/.*late\n/, ''));
    expect((await project.plan('--detailed-exitcode')).code).toBe(0);
    project.commit();
    expect((await project.apply('--yes')).code).toBe(0);
    expect((await project.drift()).code).toBe(0);
  });

  test('writes null where an earlier source declares the entry too, and removes the line of a listed asset', async () => {
    const over = `playlists:\n  second: # tonight\n    repeat: 2\n    active: 0\n  third:\n    repeat: 1\n`;
    const group = `smart_starts:\n  vod:\n    assets:\n    - ${asset(7)}\n    # late\n    - ${asset(8)}\n    - ${asset(9)} # last\n`;
    const project = await createGitProject({ 'config/a.yaml': playlists, 'config/b.yaml': group, 'over/a.yaml': over });
    project.write('upkeep.yaml', project.read('upkeep.yaml').replace('[config]', '[config, over]'));
    project.commit();
    expect((await project.apply('--yes')).code).toBe(0);
    project.editPlaylist(playlistId(project, 'second'), null);
    project.editPlaylist(asset(8), null);
    expect(await project.run('drift', 'accept', '*', '--allow', 'weakening')).toMatchObject({ code: 0 });
    expect(project.read('over/a.yaml')).toBe('playlists:\n  second: null # tonight\n  third:\n    repeat: 1\n');
    expect(project.read('config/b.yaml')).toBe(group.replace(/ +# late\n.*\n/, ''));
    expect([project.read('config/a.yaml'), (await project.plan('--detailed-exitcode')).code]).toEqual([playlists, 0]);
  });

  test('accepts nothing from a suspicious read, which lacks most of what was applied', async () => {
    const project = await createGitProject({ 'config/a.yaml': playlists });
    expect((await project.apply('--yes')).code).toBe(0);
    for (const desc of ['first', 'second']) project.editPlaylist(playlistId(project, desc), null);
    const refused = await project.refused('drift', 'accept', 'playlist/*', '--allow', 'weakening');
    expect(refused.document.error).toMatchObject({ exit: 4, code: 'blocked', hint: expect.stringContaining('suspicious-read') });
    expect(project.read('config/a.yaml')).toBe(playlists);
  });

  test('writes no text that repeats a credential', async () => {
    const project = await createGitProject({ 'config/a.yaml': playlists });
    expect((await project.apply('--yes')).code).toBe(0);
    project.editPlaylist(playlistId(project, 'second'), { desc: `see ${API_KEY}` });
    const ran = await project.run('drift', 'accept', 'playlist/second');
    expect([ran.code, ran.stdout + ran.stderr]).toEqual([8, expect.stringContaining('repeats its owner or its API key')]);
    expect(ran.stdout + ran.stderr).not.toContain(API_KEY);
    expect(project.read('config/a.yaml')).toBe(playlists);
  });

  test('leaves values that the repository has changed since as pending', async () => {
    const project = await createGitProject({ 'config/a.yaml': playlists });
    expect((await project.apply('--yes')).code).toBe(0);
    project.editPlaylist(playlistId(project, 'first'), { repeat: 4 });
    project.write(
      'config/a.yaml',
      playlists.replace('first:\n', 'first:\n    active: 0\n').concat(`  fourth: { playlist: [beam: ${asset(7)}, beam: ${asset(8)}] }\n`),
    );
    project.commit();
    const ran = await project.run('drift', 'accept', 'playlist/first', 'playlist/fourth', '--format', 'json');
    expect(asAcceptance(JSON.parse(ran.stdout))).toMatchObject({
      accepted: [{ address: 'playlist/first', fields: ['/repeat'] }],
      pending: [{ address: 'playlist/fourth' }, { address: 'playlist/first', fields: ['/active'] }],
    });
    expect(project.read('config/a.yaml')).toContain('first:\n    active: 0\n    repeat: 4\n');
    expect((await project.plan()).document.changes.flatMap(({ fields }) => fields.map(({ path }) => path))).toContain('/active');
  });
});

describe('`drift accept` refuses, without writing anything,', () => {
  const text = `playlists:\n  a:\n    repeat: 1\n    playlist: [beam: ${asset(1)}, beam: ${asset(2)}]\n`;

  test('an address that the configuration does not declare, and gives a hint', async () => {
    const project = await applied({ 'config/a.yaml': text });
    const { code, document } = await project.refused('drift', 'accept', 'playlist/b');
    expect([code, document.error]).toMatchObject([8, { code: 'not-declared', hint: expect.stringContaining('playlist/a') }]);
  });

  test('a missing object where no ledger shows whether it ever existed', async () => {
    const project = await applied({ 'config/a.yaml': text });
    project.editPlaylist(playlistId(project, 'a'), null);
    expect(await project.run('drift', 'accept', 'playlist/a')).toMatchObject({ code: 8, stderr: expect.stringContaining('never applied') });
    expect(project.read('config/a.yaml')).toBe(text);
  });

  test('a value that no configuration can declare', async () => {
    const project = await applied({ 'config/a.yaml': text });
    project.editPlaylist(playlistId(project, 'a'), { repeat: -9 });
    expect(await project.run('drift', 'accept', 'playlist/a')).toMatchObject({
      code: 8,
      stderr: expect.stringContaining('`repeat` is -9'),
    });
  });

  test('an account that cannot be read', async () => {
    const project = await applied({ 'config/a.yaml': text });
    project.emulator.setFaults([{ method: 'GET', path: '/api/v4/linear-playlist', status: 500 }]);
    expect((await project.run('drift', 'accept', 'playlist/a')).code).toBe(10);
  });

  test('drift that weakens protection, unless it is allowed by name or by the target', async () => {
    const project = await createTestProject({ 'config/a.yaml': EVENING.replace('repeat: 3 ', 'studio_drm_required: 1 ') });
    expect((await project.run('apply', '--yes')).code).toBe(0);
    project.editPlaylist(playlistId(project, 'Evening block'), { studio_drm_required: 0 });
    const before = project.read('config/a.yaml');
    const refused = await project.refused('drift', 'accept', 'playlist/*');
    expect(refused.document.error).toMatchObject({ exit: 4, code: 'blocked', hint: expect.stringContaining('--allow weakening') });
    expect(refused.document.error.summary).toContain('playlist/evening');
    expect(project.read('config/a.yaml')).toBe(before);
    const allowed = await project.run('drift', 'accept', 'playlist/*', '--allow', 'weakening', '--format', 'json');
    expect(asAcceptance(JSON.parse(allowed.stdout)).accepted).toMatchObject([{ address: 'playlist/evening', effect: 'weakens' }]);
    expect(project.read('config/a.yaml')).toContain('studio_drm_required: 0 ');
  });

  test('flags before the name of the subcommand', async () => {
    const project = await applied({ 'config/a.yaml': text });
    expect(await project.run('drift', '-t', 'live', 'accept', 'playlist/a')).toMatchObject({
      code: 8,
      stderr: expect.stringContaining('--target'),
    });
  });
});

test('`drift accept --dry-run` prints a diff that git applies, and writes nothing; without drift it succeeds', async () => {
  const text = `playlists:\n  a:\n    repeat: 1\n    playlist: [beam: ${asset(1)}, beam: ${asset(2)}]\n`;
  const project = await applied({ 'config/a.yaml': text });
  expect(await project.run('drift', 'accept', 'playlist/a')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Nothing to accept'),
  });
  project.editPlaylist(playlistId(project, 'a'), { repeat: 4 });
  const ran = await project.run('drift', 'accept', 'playlist/a', '--dry-run');
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^--- a\/config\/a\.yaml\n\+\+\+ b\/config\/a\.yaml\n@@ /) });
  expect(ran.stdout).toContain('-    repeat: 1\n+    repeat: 4\n');
  const edited = gitApply({ 'config/a.yaml': new TextEncoder().encode(text) }, ran.stdout);
  expect(new TextDecoder().decode(edited['config/a.yaml'])).toBe(text.replace('repeat: 1', 'repeat: 4'));
  expect(project.read('config/a.yaml')).toBe(text);
  expect((await project.run('drift', 'accept', 'playlist/a')).stdout).toContain('config/a.yaml:3');
});
