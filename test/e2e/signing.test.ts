/**
 * Signatures and retries as the service sees them (design section 4, rules 4 and 11); the emulator refuses a signature that it has seen.
 */
import { describe, expect, test } from 'vitest';
import { API_KEY, createTestProject, OWNER } from '../support/harness.ts';
import { asset, config, manyLive, manyPlaylists, numbered, PLAYLISTS } from './accounts.ts';

const PATIENT = 'http: { concurrency: 16, requests_per_second: 0, give_up_seconds: 20 }';

test('signatures of one moment never collide, within a process or between two', async () => {
  const project = await createTestProject(config({ playlists: manyPlaylists(40) }), { target: PATIENT });
  const at = Date.now();
  const plans = await Promise.all([1, 2, 3].map(() => project.runWith({ now: () => at }, 'plan')));
  expect(plans.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect((await project.runWith({ now: () => at }, 'apply', '--yes')).code).toBe(0);
  expect(project.emulator.requests().filter(({ status }) => status !== null && status >= 400)).toEqual([]);
});

describe('a retry is signed again', () => {
  test.each([
    ['a 400 that may be a replay', { status: 400, body: { title: 'replayed' } }],
    ['a 429, which did nothing', { status: 429, headers: { 'retry-after': '0' }, body: {} }],
    ['a 503 from a gate, which names a time', { status: 503, headers: { 'retry-after': '0' }, body: {} }],
  ])('for reads, updates, creates and deletes after %s', async (_name, rule) => {
    const project = await createTestProject(
      config({ playlists: { ...manyPlaylists(1, { repeat: 2 }), new: { playlist: [{ beam: { id: asset(1) } }] } } }),
      {
        seed: { playlist: manyLive(2) },
        target: `ownership: exclusive\n${PATIENT}`,
      },
    );
    project.emulator.setFaults(['GET', 'PATCH', 'POST', 'DELETE'].map((method) => ({ method, times: 1, ...rule })));
    expect(await project.apply('--yes')).toMatchObject({
      code: 0,
      document: { verified: true, summary: { created: 1, updated: 1, deleted: 1 } },
    });
    expect(project.emulator.requests().filter(({ status }) => status === rule.status)).toHaveLength(4);
  });

  test('once after a permanent 400, and no further', async () => {
    const project = await createTestProject(config({ playlists: manyPlaylists(1, { repeat: 2 }) }), {
      seed: { playlist: manyLive(1) },
      target: PATIENT,
    });
    project.emulator.setFaults([{ method: 'PATCH', status: 400, body: { title: 'repeat is wrong' } }]);
    const { code, document } = await project.apply('--yes');
    expect([code, document.outcomes[0]?.error]).toEqual([5, expect.stringContaining('repeat is wrong')]);
    expect(project.writes()).toHaveLength(2);
  });
});

test('requests to the older API can use the other form of POST', async () => {
  const sections = { vmp_reject_statuses: ['PLATFORM_TAMPERED'], drm_policies: { hd: { fairplay: { hd: { hdcp_enforcement: 1 } } } } };
  const project = await createTestProject(config(sections), { target: 'service: { v3_post: json }' });
  expect(await project.apply('--yes')).toMatchObject({ code: 0, document: { verified: true } });
  expect((await project.plan('--detailed-exitcode')).code).toBe(0);
});

test('neither key nor signature nor the whole owner occurs in any output or saved file of a run', async () => {
  const project = await createTestProject(config({ smart_starts: { vod: { assets: numbered(3).map(asset) } } }));
  project.emulator.setFaults([{ method: 'POST', status: 500, body: { title: `key ${API_KEY} of ${OWNER} and sig=${'f'.repeat(64)}` } }]);
  const ran = await project.run(
    'apply',
    '--yes',
    '--format',
    'json',
    '--log-level',
    'trace',
    '--log-format',
    'json',
    '--out',
    'markdown=report.md',
  );
  expect(ran.code).toBe(5);
  const output = ran.stdout + ran.stderr + project.read('report.md');
  expect(output).toContain(PLAYLISTS);
  for (const secret of [API_KEY, OWNER, 'msg=', 'eN']) expect(output).not.toContain(secret);
});
