/**
 * An error is never an empty list, and an incomplete list never a complete one (design section 4, rule 1). Possible responses to reads are
 * tested per kind in the contract suite.
 */
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/core/model/json.ts';
import type { FaultRule } from '../../src/emulator/server.ts';
import { asPlan, fingerprintOf } from '../support/documents.ts';
import { createGitProject } from '../support/git-project.ts';
import { createTestProject, type TestProject } from '../support/harness.ts';
import { asset, beams, config, manyLive, manyPlaylists, numbered, PLAYLISTS } from './accounts.ts';

const LIST: FaultRule = { method: 'GET', path: PLAYLISTS };

function playlistProject(live: readonly JsonObject[], sections: JsonObject, target = ''): Promise<TestProject> {
  return createTestProject(config(sections), { seed: { playlist: live }, target });
}

/** Runs plan, apply and apply --skip-blocked under the same fault, and expects that no change follows from the response. */
async function expectNothingConcluded(project: TestProject, rules: readonly FaultRule[], code = 10): Promise<void> {
  const before = project.live('playlist');
  project.emulator.setFaults(rules);
  expect(await project.plan()).toMatchObject({ code, document: { changes: [], requests: [], readStatus: { playlist: 'incomplete' } } });
  project.emulator.setFaults(rules);
  expect((await project.drift()).code).toBe(code);
  for (const flags of [['--yes'], ['--yes', '--skip-blocked', '--allow', 'deletes']]) {
    project.emulator.setFaults(rules);
    expect((await project.run('apply', ...flags)).code).toBe(code);
  }
  expect(project.writes()).toEqual([]);
  expect(project.live('playlist')).toEqual(before);
}

test('while a kind could not be read, --skip-blocked weakens nothing, and the plan has no request for it', async () => {
  const seed = { 'vmp-reject-statuses': ['PLATFORM_TAMPERED'] };
  const schedule = { enabled: true, frequency: 3, unit: 'd', hour: 4 };
  const sections = { vmp_reject_statuses: [], key_rotation_schedule: schedule, drm_policies: { premium: {} } };
  const project = await createTestProject(config(sections), { seed });
  const unread = [{ method: 'GET', path: '/api/v3/drm/policies', status: 403, body: {} }];
  project.emulator.setFaults(unread);
  const planned = await project.plan('--allow', 'weakening');
  expect(planned.document.changes.map(({ address }) => address).sort()).toEqual(['key-rotation-schedule', 'vmp-reject-statuses']);
  expect(planned.document.requests.flatMap(({ addresses }) => addresses)).toEqual(['key-rotation-schedule']);
  project.emulator.setFaults(unread);
  const { code, stdout } = await project.run('apply', '--yes', '--skip-blocked', '--allow', 'weakening');
  expect([code, project.writes()]).toEqual([7, ['POST /api/v3/drm/key-rotation-schedule/create-or-update']]);
  expect(stdout.replace(/\s+/g, ' ')).toContain('drm-policy could not be read, so nothing that weakens protection is applied in this run');
});

test('404 for everything that is read leads to base_url, and is not taken for something that was deleted', async () => {
  const project = await playlistProject([], { playlists: manyPlaylists(1), drm_policies: {} });
  for (const command of ['plan', 'drift']) {
    project.emulator.setFaults([{ status: 404, body: {} }]);
    const { code, stdout, stderr } = await project.run(command);
    expect(code).toBe(10);
    expect(stdout).toContain('Check base_url: the service answers, and has nothing at the addresses of the API.');
    expect(stderr).toContain('hint: Check base_url, which is the address of the service without /api');
    expect(`${stdout}${stderr}`).not.toMatch(/deleted in the meantime|when the service answers|No changes|No drift|Fingerprint/);
  }
  project.emulator.setFaults([{ ...LIST, status: 404, body: {} }]);
  expect((await project.plan()).document.unread).toEqual([
    { kind: 'playlist', refused: false, notFound: true, reason: 'HTTP 404 Not Found' },
  ]);
});

describe('a cut or malformed list of playlists makes the read incomplete and leads to no change:', () => {
  test.each([
    ['fewer items than total_items says', { truncateList: 2 }],
    ['no items, although total_items is not 0', { truncateList: 0 }],
    [
      'too few items, with a total that agrees: a look-up by description finds one that it lacks',
      { truncateList: 2, adjustTotal: true, nth: 1 },
    ],
    ['no items, with a total of 0: a look-up by description finds one', { truncateList: 0, adjustTotal: true, nth: 1 }],
    ['without total_items', { body: { items: [] } }],
    ['with a total that is no number', { body: { items: [], total_items: 'all' } }],
    ['without items', { body: { total_items: 0 } }],
    ['with items that are no list', { body: { items: {}, total_items: 0 } }],
    ['with an item that is no playlist', { body: { items: [7], total_items: 1 } }],
    ...[{ next: '/api/v4/linear-playlist?page=2' }, { has_more: true }, { pages: 2 }, { total_items: -1 }, { total_items: 0.5 }].map(
      (members): readonly [string, FaultRule] => [
        `that says itself that it is not whole, with ${JSON.stringify(members)}`,
        { body: { items: [], total_items: 0, ...members } },
      ],
    ),
    [
      'with a link to the next page',
      { headers: { link: '</api/v4/linear-playlist?page=2>; rel=next' }, body: { items: [], total_items: 0 } },
    ],
    ['with one playlist twice', { body: { items: [{ id: 'a' }, { id: 'a' }], total_items: 2 } }],
  ] satisfies readonly (readonly [string, FaultRule])[])('leads to no change: %s', async (_name, rule) => {
    const project = await playlistProject(manyLive(4), { playlists: manyPlaylists(4) }, 'ownership: exclusive');
    await expectNothingConcluded(project, [{ ...LIST, ...rule }]);
  });

  test('with a matching total, where a lookup by ID finds the missing smart start', async () => {
    const live = numbered(3).map((n) => ({ id: asset(n), playlist: beams(n) }));
    const project = await playlistProject(live, { smart_starts: { vod: { assets: numbered(3).map(asset) } } });
    await expectNothingConcluded(project, [{ ...LIST, truncateList: 1, adjustTotal: true }]);
  });

  test('where a lookup finds a playlist beyond the first page, wherever the list was cut', async () => {
    const project = await playlistProject(manyLive(60), { playlists: manyPlaylists(61) });
    project.emulator.setFaults([{ ...LIST, truncateList: 30, adjustTotal: true, nth: 1 }]);
    expect((await project.plan()).code).toBe(10);
  });

  test('checked with at most twenty lookups', async () => {
    const project = await playlistProject([], { playlists: manyPlaylists(50) });
    const { code, document } = await project.plan();
    expect([code, document.summary.create, document.cost.reads]).toEqual([0, 50, 21]);
    const queries = project.emulator.requests().flatMap(({ query }) => query.desc ?? []);
    expect(new Set(queries).size).toBe(20);
  });

  test('except where the total is below the number of items received', async () => {
    const project = await playlistProject([], { playlists: {} });
    project.emulator.setFaults([{ ...LIST, body: { items: [{ id: 'a', playlist: beams(1) }], total_items: 0 } }]);
    expect(await project.plan()).toMatchObject({ code: 0, document: { summary: { undeclared: 1 } } });
  });
});

describe('a lookup that fails makes the read incomplete:', () => {
  const SINGLE: FaultRule = { method: 'GET', path: `${PLAYLISTS}/*` };

  test.each([
    ['500', { status: 500, body: 'oops' }, 10],
    ['HTML', { html: true }, 10],
    ['no body', { status: 200, body: '' }, 10],
    ['half a body', { status: 200, body: '{"id": "' }, 10],
    ['another playlist', { body: { id: 'other', playlist: [] } }, 10],
    ['a broken connection', { reset: 'before' }, 10],
    ['401', { status: 401, body: {} }, 7],
    ['403', { status: 403, body: {} }, 7],
  ] satisfies readonly (readonly [string, FaultRule, number])[])(
    'a lookup answered with %s makes the read incomplete',
    async (_name, rule, code) => {
      const project = await playlistProject([], { smart_starts: { vod: { assets: [asset(1)] } } });
      await expectNothingConcluded(project, [{ ...SINGLE, ...rule }], code);
    },
  );

  test('but 404 means that the object does not exist', async () => {
    const project = await playlistProject([], { smart_starts: { vod: { assets: [asset(1)] } } });
    expect(await project.plan()).toMatchObject({ code: 0, document: { summary: { create: 1 } } });
  });
});

describe('optional and required members of a response:', () => {
  const SECTIONS: readonly (readonly [section: string, value: Json, path: string, body: Json, code: number])[] = [
    ['static_key', { scope: 'none' }, '/api/v3/drm/static-key-slicer-ids', { error: 0, static_key_slicer_ids: null }, 0],
    ['static_key', { scope: 'none' }, '/api/v3/drm/static-key-slicer-ids', { error: 0 }, 10],
    ['static_key', { scope: 'none' }, '/api/v3/drm/static-key-slicer-ids', { static_key_slicer_ids: [] }, 10],
    ['static_key', { scope: 'none' }, '/api/v3/drm/use-static-encryption-key', { error: 0, use_static_encryption_key: null }, 10],
    ['static_key', { scope: 'none' }, '/api/v3/drm/use-static-encryption-key', { error: 0, use_static_encryption_key: 'no' }, 10],
    ['key_rotation_schedule', { enabled: false }, '/api/v3/drm/key-rotation-schedule', { error: 0 }, 0],
    ['key_rotation_schedule', { enabled: false }, '/api/v3/drm/key-rotation-schedule', { error: 0, key_rotation_schedule: null }, 0],
    ['key_rotation_schedule', { enabled: false }, '/api/v3/drm/key-rotation-schedule', { error: 0, key_rotation_schedule: {} }, 0],
    ['key_rotation_schedule', { enabled: false }, '/api/v3/drm/key-rotation-schedule', { error: 0, key_rotation_schedule: [] }, 10],
    ['key_rotation_schedule', { enabled: false }, '/api/v3/drm/key-rotation-schedule', {}, 10],
    ['vmp_reject_statuses', [], '/api/v3/drm/vmp-reject-statuses', { error: 0, vmp_reject_statuses: null }, 10],
    ['vmp_reject_statuses', [], '/api/v3/drm/vmp-reject-statuses', { error: '0', vmp_reject_statuses: [] }, 0],
    ['drm_policies', {}, '/api/v3/drm/policies', { error: 0, configs: null }, 10],
    ['drm_policies', {}, '/api/v3/drm/policies', { error: 1, configs: [] }, 10],
    ['drm_policies', {}, '/api/v3/drm/policies', { error: null, configs: [] }, 10],
  ];

  test.each(SECTIONS)('%s %j, where %s returns %j', async (section, value, path, body, code) => {
    const project = await createTestProject(config({ [section]: value }));
    project.emulator.setFaults([{ method: 'GET', path, body }]);
    expect(await project.plan('--detailed-exitcode')).toMatchObject({ code, document: { changes: [] } });
  });
});

describe('an incomplete kind', () => {
  const sections = { playlists: manyPlaylists(1), vmp_reject_statuses: ['PLATFORM_UNVERIFIED'] };
  const broken: FaultRule = { ...LIST, status: 500, body: 'oops' };

  test('does not stop the plan of other kinds, but nothing is written', async () => {
    const project = await playlistProject([], sections);
    project.emulator.setFaults([broken]);
    expect(await project.plan('--detailed-exitcode')).toMatchObject({
      code: 10,
      document: { readStatus: { playlist: 'incomplete', 'vmp-reject-statuses': 'complete' }, summary: { create: 0, update: 1 } },
    });
    expect(await project.refused('apply', '--yes')).toMatchObject({ code: 10, document: { error: { exit: 10 } } });
    expect(project.writes()).toEqual([]);
  });

  test('lets other kinds be applied with --skip-blocked, and the exit code shows that something is missing', async () => {
    const project = await playlistProject([], sections);
    project.emulator.setFaults([broken]);
    expect(await project.apply('--yes', '--skip-blocked')).toMatchObject({
      code: 10,
      document: { verified: true, summary: { updated: 1 } },
    });
    expect(project.writes()).toEqual(['POST /api/v3/drm/vmp-reject-statuses/update']);
  });

  test('does not hide rejected credentials behind another error', async () => {
    const project = await playlistProject([], sections);
    project.emulator.setFaults([broken, { method: 'GET', path: '/api/v3/*', status: 403, body: {} }]);
    expect((await project.plan()).code).toBe(7);
    expect((await project.run('apply', '--yes', '--skip-blocked')).code).toBe(7);
  });

  test('takes precedence over drift in the exit code', async () => {
    const project = await playlistProject([], sections);
    expect((await project.drift()).code).toBe(3);
    project.emulator.setFaults([broken]);
    expect(await project.drift()).toMatchObject({ code: 10, document: { summary: { update: 1 } } });
  });
});

describe('a plan that did not read everything', () => {
  const refused: FaultRule = { ...LIST, status: 400, body: { title: 'bad signature' } };
  const sections = { playlists: {}, vmp_reject_statuses: ['PLATFORM_TAMPERED'] };

  test('has a fingerprint of its own where it read something', async () => {
    const project = await playlistProject([], sections);
    const { document: complete } = await project.plan();
    project.emulator.setFaults([refused]);
    const { document: partial } = await project.plan();
    expect(fingerprintOf(partial)).not.toBe(fingerprintOf(complete));
  });

  test('has no fingerprint in any format where it read nothing, and cannot be approved', async () => {
    const project = await playlistProject([], { playlists: {} });
    const { document: complete } = await project.plan();
    project.emulator.setFaults([refused]);
    for (const format of ['json', 'ndjson', 'text', 'markdown', 'html', 'github', 'junit', 'sarif', 'gitlab', 'prometheus']) {
      const { code, stdout } = await project.run('plan', '--format', format, '--out', 'json=plan.json');
      expect(code, format).toBe(7);
      expect(stdout, format).not.toMatch(/sha256:/);
      if (format !== 'sarif' && format !== 'gitlab') expect(stdout, format).not.toMatch(/fingerprint/i);
    }
    project.emulator.setFaults([]);
    const stale = await project.refused('apply', '--plan', 'plan.json');
    expect(stale).toMatchObject({ code: 6, document: { error: { summary: 'the plan is stale: nothing was read when it was made' } } });
    const expected = await project.refused('apply', '--plan', 'plan.json', '--expect', fingerprintOf(complete));
    expect(expected).toMatchObject({ code: 6 });
    expect(expected.document.error.summary).toContain('the file holds a plan for which nothing was read, not sha256:');
  });

  test('is recorded by no apply where it read nothing', async () => {
    const project = await createGitProject(config({ playlists: {} }));
    project.emulator.setFaults([{ ...LIST, status: 500, body: 'oops' }]);
    const { code, document } = await project.apply('--skip-blocked');
    expect([code, document.fingerprint]).toEqual([10, undefined]);
    expect(project.entries()).toEqual([]);
  });

  test('is recorded where there was nothing to read, so that later targets can follow the commit', async () => {
    const project = await createGitProject({ 'config/a.yaml': '{}' });
    const { document: plan } = await project.plan();
    expect([plan.fingerprint, new Set(Object.values(plan.readStatus))]).toEqual([undefined, new Set(['unmanaged'])]);
    expect((await project.apply('--yes')).code).toBe(0);
    expect(project.entries()).toMatchObject([{ config: { commit: project.git('rev-parse', 'HEAD') }, fingerprint: expect.any(String) }]);
  });

  test('has its reason at the beginning of every format and of the JSON', async () => {
    const project = await playlistProject([], { playlists: {} });
    project.emulator.setFaults([refused]);
    expect((await project.run('plan', '--out', 'json=plan.json')).code).toBe(7);
    const { unread, risks } = asPlan(JSON.parse(project.read('plan.json')));
    expect(unread).toMatchObject([{ kind: 'playlist', refused: true, reason: expect.stringContaining('bad signature') }]);
    expect(risks).toMatch(/^Credentials refused \(HTTP 400 .*bad signature.*\)\. Nothing was planned\.$/);
    for (const format of ['text', 'markdown', 'html', 'github', 'sarif']) {
      const { stdout } = await project.run('show', 'plan.json', '--format', format);
      expect(stdout, format).toMatch(/Credentials\s+refused[\s\S]*Nothing\s+was\s+planned/);
    }
    for (const format of ['text', 'markdown', 'html']) {
      const { stdout } = await project.run('show', 'plan.json', '--format', format);
      expect(stdout, format).toContain('Check the owner and');
    }
    for (const format of ['junit', 'gitlab']) {
      const { stdout } = await project.run('show', 'plan.json', '--format', format);
      expect(stdout, format).toMatch(/playlist (was not|could not be read completely): HTTP 400 .*bad signature/);
    }
  });

  test('is not the plan that was approved: --expect with the fingerprint of the whole plan is refused', async () => {
    const project = await playlistProject([], sections);
    const { document: complete } = await project.plan();
    project.emulator.setFaults([{ ...LIST, status: 500, body: 'oops' }]);
    expect((await project.run('apply', '--expect', fingerprintOf(complete), '--skip-blocked')).code).toBe(10);
    expect(project.writes()).toEqual([]);
  });

  test('says what was planned for the kinds that were read', async () => {
    const project = await playlistProject([], sections);
    project.emulator.setFaults([{ ...LIST, status: 500, body: 'oops' }]);
    const { document } = await project.plan();
    expect(document.risks).toMatch(/^The account could not be read: HTTP 500 .*\. Nothing was planned for playlist\. \d change/);
    expect(document.changes).toHaveLength(1);
  });
});

test('an unreachable account is an incomplete read, and export writes nothing of it', async () => {
  const project = await playlistProject([], { playlists: {} });
  await project.emulator.close();
  expect((await project.plan()).code).toBe(10);
  expect(await project.run('export')).toMatchObject({ code: 10, stdout: '' });
});

test.each([
  ['playlists', { playlists: {} }],
  ['kinds of v3 only', { drm_policies: {}, vmp_reject_statuses: [] }],
])('rejected credentials lead to exit code 7 for %s, and the message names clock and key', async (_name, sections) => {
  const project = await playlistProject([], sections);
  const ran = await project.runWith({ env: { UPKEEP_API_KEY: 'another-key' } }, 'plan');
  expect(ran.code).toBe(7);
  expect(ran.stdout).toMatch(/^Cannot tell: nothing could be read\.\nCredentials refused \([\s\S]+\)\.\s+Nothing\s+was\s+planned\.\n/);
  expect(ran.stderr).toMatch(/owner and key/);
  expect(ran.stderr).toMatch(/clock/);
  const wrongClock = await project.runWith({ now: () => Date.now() - 3_600_000 }, 'plan');
  expect(wrongClock.code).toBe(7);
  expect(wrongClock.stderr).toMatch(/3[56]\d\d s behind/);
});
