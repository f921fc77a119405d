/** The order of changes across kinds, and what a failure stops (design section 4, rules 6 to 8). */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/model/json.ts';
import type { FaultRule } from '../../src/emulator/server.ts';
import { createTestProject, type TestProject } from '../support/harness.ts';
import { asset, beams, config, manyLive, manyPlaylists, PLAYLISTS } from './accounts.ts';

const POLICY = '/api/v3/drm/policies/create-or-update';
const VMP = '/api/v3/drm/vmp-reject-statuses/update';
const STATUS = '/api/v3/drm/use-static-encryption-key/update';
const ROTATION = '/api/v3/drm/key-rotation-schedule/create-or-update';

/** One change of every phase and nearly every kind. */
const SECTIONS: JsonObject = {
  drm_policies: { fresh: {}, kept: { fairplay: { lease: true } } },
  vmp_reject_statuses: ['PLATFORM_TAMPERED'],
  static_key: { scope: 'all' },
  key_rotation_schedule: { enabled: true, frequency: 1, unit: 'd', hour: 3 },
  smart_starts: {},
  playlists: {
    tighter: { playlist: beams(1, 2) },
    neutral: { repeat: 1, playlist: beams(3, 4) },
    looser: { skip_drm: 1, playlist: beams(5, 6) },
    created: { playlist: beams(7, 8) },
    single: { playlist: beams(9) },
  },
};

const SEED: JsonObject = {
  'drm-policy': [
    { _id: 'kept', policy_name: 'kept' },
    { _id: 'stray', policy_name: 'stray' },
  ],
  playlist: [
    { id: 'tighter', desc: 'tighter', skip_drm: 1, playlist: beams(1, 2) },
    { id: 'neutral', desc: 'neutral', playlist: beams(3, 4) },
    { id: 'looser', desc: 'looser', playlist: beams(5, 6) },
    { id: 'stray', desc: 'stray', playlist: beams(10, 11) },
  ],
};

/** One request at a time, so that the order on the wire is that of the plan. */
const TARGET = 'ownership: exclusive\nweakening: allow\nhttp: { concurrency: 1, requests_per_second: 0, give_up_seconds: 0 }';

function fullProject(sections = SECTIONS): Promise<TestProject> {
  return createTestProject(config(sections), { seed: SEED, target: TARGET });
}

test('requests are sent in the order of the phases, and within a phase in the order of the kinds, what stops playback last', async () => {
  const project = await fullProject();
  const { document } = await project.plan();
  expect(document.changes.map(({ phase, address }) => `${phase} ${address}`)).toEqual([
    'strengthen drm-policy/fresh',
    'strengthen key-rotation-schedule',
    'strengthen playlist/tighter',
    'strengthen vmp-reject-statuses',
    'update playlist/created',
    'update playlist/neutral',
    'update playlist/single',
    'delete playlist/~stray',
    'weaken drm-policy/kept',
    'weaken static-key',
    'weaken playlist/looser',
    'delete-policies drm-policy/~stray',
  ]);
  const requests = document.requests.map(({ method, path }) => `${method} ${path}`);
  expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { verified: true } });
  const sent = project.writes();
  expect(sent).toEqual(requests);
  expect(sent[0]).toBe(`POST ${POLICY}`);
  expect(sent.slice(1, 4)).toEqual([`POST ${ROTATION}`, `PATCH ${PLAYLISTS}/tighter`, `POST ${VMP}`]);
  expect(sent.slice(-5)).toEqual([
    `DELETE ${PLAYLISTS}/stray`,
    `POST ${POLICY}`,
    `POST ${STATUS}`,
    `PATCH ${PLAYLISTS}/looser`,
    'DELETE /api/v3/drm/policy/stray',
  ]);
});

describe('when a change that strengthens', () => {
  const LOOSER = ['drm-policy/kept', 'static-key', 'playlist/looser'];

  test.each([
    ['fails', { method: 'PATCH', path: `${PLAYLISTS}/tighter`, status: 500, body: 'oops' }],
    ['is refused', { path: VMP, error: { code: 1, msg: 'no' } }],
  ] satisfies readonly (readonly [string, FaultRule])[])(
    '%s: the weakening phase is skipped with that reason, everything else is applied',
    async (_name, rule) => {
      const project = await fullProject();
      project.emulator.setFaults([rule]);
      const { code, document } = await project.apply('--yes');
      expect([code, document.verified, document.summary.failed]).toEqual([5, false, 1]);
      const skipped = document.outcomes.filter(({ result }) => result === 'skipped');
      expect(skipped.map(({ address }) => address)).toEqual(LOOSER);
      for (const { because } of skipped) expect(because).toContain('strengthens protection and is not known to have taken effect');
      expect(document.summary).toMatchObject({ created: 3, deleted: 2 });
      project.emulator.setFaults([]);
      expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { verified: true, summary: { updated: 4 } } });
      expect((await project.plan('--detailed-exitcode')).code).toBe(0);
    },
  );

  test('is blocked: the weakening phase is skipped too, as the plan says', async () => {
    const twins = ['one', 'two'].map((id) => ({ id, desc: 'tighter', skip_drm: 1, playlist: beams(1, 2) }));
    const tighter = { studio_drm_required: 1, playlist: beams(1, 2) };
    const project = await createTestProject(config({ static_key: { scope: 'all' }, playlists: { tighter } }), {
      seed: { playlist: twins },
      target: TARGET,
    });
    expect((await project.plan()).document).toMatchObject({ requests: [], cost: { writes: 0 } });
    const text = (await project.run('plan')).stdout.replaceAll(/\s+/g, ' ');
    expect(text).toContain('`--skip-blocked` applies nothing more; static-key must come after what is blocked.');
    expect(text).toContain('no write while changes are blocked.');
    const { code, document } = await project.apply('--yes', '--skip-blocked');
    expect(code).toBe(4);
    expect(document.outcomes.find(({ address }) => address === 'static-key')).toMatchObject({ result: 'skipped' });
    expect(project.writes()).toEqual([]);
  });
});

describe('a create with a description that a rename releases', () => {
  const sections = {
    playlists: {
      renamed: { desc: 'New name', playlist: beams(1, 2) },
      heir: { desc: 'Old name', playlist: beams(3, 4) },
    },
    adopt: { 'playlist/renamed': 'live' },
  };
  const seed = { playlist: [{ id: 'live', desc: 'Old name', playlist: beams(1, 2) }] };

  test('runs in a wave after the rename', async () => {
    const project = await createTestProject(config(sections), { seed });
    const { document } = await project.plan();
    const [first, second] = document.changes;
    expect([first?.address, second?.address]).toEqual(['playlist/renamed', 'playlist/heir']);
    expect(second?.wave).toBeGreaterThan(first?.wave ?? Number.POSITIVE_INFINITY);
    expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { verified: true } });
    expect(project.writes()).toEqual([`PATCH ${PLAYLISTS}/live`, `POST ${PLAYLISTS}`]);
  });

  test('is skipped if the rename fails', async () => {
    const project = await createTestProject(config(sections), { seed });
    project.emulator.setFaults([{ method: 'PATCH', status: 500, body: 'oops' }]);
    const { code, document } = await project.apply('--yes');
    expect(code).toBe(5);
    expect(document.outcomes).toMatchObject([
      { result: 'failed' },
      { result: 'skipped', because: expect.stringContaining('needs the name that the rename of') },
    ]);
    expect(project.writes()).toEqual([`PATCH ${PLAYLISTS}/live`]);
  });
});

test('a failure stops only changes that depend on it, and the next run converges', async () => {
  const project = await createTestProject(config({ playlists: manyPlaylists(5, { repeat: 2 }) }), { seed: { playlist: manyLive(4) } });
  project.emulator.setFaults([{ method: 'PATCH', path: `${PLAYLISTS}/live2`, status: 409, body: { title: 'in use\u001b[31m' } }]);
  const first = await project.apply('--yes');
  expect(first).toMatchObject({ code: 5, document: { verified: false, summary: { created: 1, updated: 3, failed: 1 } } });
  const failed = first.document.outcomes.find(({ result }) => result === 'failed');
  expect(failed).toMatchObject({ address: 'playlist/p2', error: expect.stringContaining('in use') });
  expect(first.stdout).not.toContain('\u001b');
  project.emulator.setFaults([]);
  project.writes();
  expect((await project.apply('--yes')).code).toBe(0);
  expect(project.writes()).toEqual([`PATCH ${PLAYLISTS}/live2`]);
});

describe('verification', () => {
  test('reports an object that reads back differently as inconsistent after apply', async () => {
    const project = await createTestProject(config({ playlists: manyPlaylists(1, { repeat: 2 }) }), { seed: { playlist: manyLive(1) } });
    const undone = { emulation: 'playlist', collection: 'playlists', id: 'live1', merge: { repeat: 7 } };
    project.emulator.setFaults([{ method: 'GET', path: `${PLAYLISTS}*`, nth: 2, edit: undone }]);
    const { code, document } = await project.apply('--yes');
    expect([code, document.verified]).toEqual([5, false]);
    expect(document.outcomes[0]).toMatchObject({ result: 'failed', error: 'inconsistent after apply: /repeat reads 7, not 2' });
  });

  test('recognizes from the response that the service merges lists', async () => {
    const project = await createTestProject(config({ playlists: { p1: { playlist: beams(1, 2) } } }), {
      seed: { playlist: [{ id: 'live1', desc: 'p1', playlist: beams(1) }] },
      quirks: { patchMerges: true },
    });
    const { code, document } = await project.apply('--yes');
    expect([code, document.verified]).toEqual([5, false]);
    expect(document.outcomes[0]?.error).toContain('merged');
  });

  test('fails with exit code 10 for an object that cannot be read back', async () => {
    const project = await createTestProject(config({ playlists: manyPlaylists(1, { repeat: 2 }) }), { seed: { playlist: manyLive(1) } });
    project.emulator.setFaults([{ method: 'GET', path: `${PLAYLISTS}*`, nth: 2, status: 500, body: 'oops' }]);
    expect(await project.apply('--yes')).toMatchObject({ code: 10, document: { verified: false, summary: { updated: 1 } } });
  });

  test('names each error of reading back once, and says that nothing read back differently', async () => {
    const schedule = { enabled: true, frequency: 1, unit: 'd', hour: 3 };
    const project = await createTestProject(config({ vmp_reject_statuses: ['PLATFORM_TAMPERED'], key_rotation_schedule: schedule }));
    const read = (path: string) => ({ method: 'GET', path: `/api/v3/drm/${path}` }) as const;
    project.emulator.setFaults([
      ...[2, 3].map((nth) => ({ ...read('vmp-reject-statuses'), nth, status: 403, body: {} })),
      { ...read('key-rotation-schedule'), nth: 2, body: { error: 7 } },
    ]);
    const { code, stdout, stderr } = await project.run('apply', '--yes');
    expect(code).toBe(7);
    const refused = 'error: GET /api/v3/drm/vmp-reject-statuses: HTTP 403 Forbidden';
    const wrong = 'error: GET /api/v3/drm/key-rotation-schedule: the service answered error 7';
    expect(
      stderr
        .split('\n')
        .filter((line) => line.startsWith('error: '))
        .toSorted(),
    ).toEqual([wrong, refused]);
    expect(stdout).toContain('Not verified: key-rotation-schedule, vmp-reject-statuses could not be read back.');
  });
});

test('a PATCH contains only the fields that differ, and a list that differs as a whole', async () => {
  const project = await createTestProject(
    config({ playlists: { p: { active: 0, repeat: -1, playlist: [...beams(1), { ad: { dur: 30 } }, ...beams(2)] } } }),
    {
      seed: { playlist: [{ id: 'live', desc: 'p', repeat: -1, playlist: beams(1, 2) }] },
      target: 'playback_loss: allow',
    },
  );
  await project.run('apply', '--yes');
  const patch = project.emulator.requests().find(({ method }) => method === 'PATCH');
  expect(patch?.body).toEqual({ active: 0, playlist: [{ beam: { id: asset(1) } }, { ad: { dur: 30 } }, { beam: { id: asset(2) } }] });
});
