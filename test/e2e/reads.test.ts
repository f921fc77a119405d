/** The number of requests of a read, and the warnings that a read adds. */
import { expect, test } from 'vitest';
import { createTestProject } from '../support/harness.ts';
import { config, manyLive, manyPlaylists } from './accounts.ts';

test('the whole account is read with one list request per collection, and one read for each setting', async () => {
  const sections = {
    playlists: manyPlaylists(25),
    smart_starts: {},
    drm_policies: {},
    vmp_reject_statuses: [],
    static_key: { scope: 'none' },
  };
  const project = await createTestProject(config({ ...sections, key_rotation_schedule: {} }), { seed: { playlist: manyLive(25) } });
  const { code, document } = await project.plan('--detailed-exitcode');
  expect([code, document.cost]).toEqual([0, { reads: 6, writes: 0 }]);
  expect(project.emulator.requests()).toHaveLength(6);
});

test('failing rotations are a warning in every plan and drift report', async () => {
  const project = await createTestProject(config({ key_rotation_schedule: { enabled: true, frequency: 1, unit: 'd', hour: 3 } }), {
    seed: { 'key-rotation-schedule': { enabled: true, frequency: 1, unit: 'd', hour: 3, err_count: 2, err_msg: 'no key server' } },
  });
  for (const { code, document } of [await project.plan(), await project.drift()]) {
    expect(code).toBe(0);
    expect(document.findings).toMatchObject([{ code: 'rotation-failing', severity: 'warning', file: 'config/account.yaml' }]);
  }
});

test('an overdue rotation is a warning in every plan and drift report and on the page of the account, and a gauge', async () => {
  const schedule = { enabled: true, frequency: 1, unit: 'd', hour: 3 };
  const next = Date.UTC(2027, 0, 1, 3);
  const project = await createTestProject(config({ key_rotation_schedule: schedule }), {
    seed: { 'key-rotation-schedule': { ...schedule, next_rotation: next } },
  });
  project.emulator.setFaults([
    { path: '/api/v3/drm/key-rotation-schedule', body: { error: 0, key_rotation_schedule: { ...schedule, next_rotation: next } } },
  ]);
  const at = async (now: number, ...argv: string[]) => (await project.runWith({ now: () => now }, ...argv)).stdout;
  for (const command of ['plan', 'drift']) {
    expect(await at(next + 1, command)).toContain('rotation-overdue');
    expect(await at(next - 1, command)).not.toContain('rotation-overdue');
    const gauge = `upkeep_rotation_overdue{command="${command}",target="live"}`;
    expect(await at(next + 1, command, '--format', 'prometheus')).toContain(`${gauge} 1\n`);
    expect(await at(next - 1, command, '--format', 'prometheus')).toContain(`${gauge} 0\n`);
  }
  const late = await at(next + 1, 'export', '--format', 'html');
  expect(late).toContain('Key rotation is overdue: the static key was to be rotated at 2027-01-01T03:00Z');
  expect(late).toContain('<p class="alarm">Overdue since 2027-01-01T03:00Z');
  expect(await at(next - 1, 'export', '--format', 'html')).not.toMatch(/overdue/i);
});

test('`next_rotation` is compared and sent only while it is in the future', async () => {
  const next = Date.UTC(2100, 0, 1, 3);
  const declared = { enabled: true, frequency: 1, unit: 'd', hour: 3, next_rotation: next };
  const project = await createTestProject(config({ key_rotation_schedule: declared }), {
    seed: { 'key-rotation-schedule': { enabled: true, frequency: 2, unit: 'd', hour: 3, next_rotation: next - 86_400_000 } },
    target: 'weakening: allow',
  });
  const { document } = await project.plan();
  expect(document.changes[0]?.fields.map(({ path }) => path)).toEqual(['/frequency', '/next_rotation']);
  expect(document.requests[0]?.body).toEqual(declared);
  const later = await project.runWith({ now: () => next + 1 }, 'validate');
  expect(later.code).toBe(0);
});
