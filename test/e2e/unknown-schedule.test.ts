/** A rotation schedule of another shape than documented is neither on nor off (design section 4, rule 1; design section 10, rule 9). */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/model/json.ts';
import { createTestProject, type TestProject } from '../support/harness.ts';
import { config } from './accounts.ts';

const EVERY_DAY = { every: 'day', on: true };
const REASON = 'the API documents do not say what a rotation schedule without `enabled` true or false means';

async function projectWith(declared: JsonObject, live: JsonObject): Promise<TestProject> {
  return createTestProject(config({ key_rotation_schedule: declared }), { seed: { 'key-rotation-schedule': live } });
}

describe('a live rotation schedule that does not say whether it is on', () => {
  test.each<JsonObject>([{ enabled: false }, { enabled: true, frequency: 3, unit: 'd', hour: 4 }])(
    'is no schedule that is off: to declare %j weakens protection, and resets members that upkeep does not know',
    async (declared) => {
      const project = await projectWith(declared, EVERY_DAY);
      const { document } = await project.plan();
      const [change] = document.changes;
      expect(change).toMatchObject({
        address: 'key-rotation-schedule',
        effect: 'weakens',
        phase: 'weaken',
        blocked: { check: 'unknown-fields', checks: [{ check: 'unknown-fields' }, { check: 'weakening' }] },
      });
      expect(change?.fields[0]).toMatchObject({ path: '/enabled', before: null, reasons: [{ effect: 'weakens', text: REASON }] });
      expect(change?.blocked?.reason).toContain('/every = "day", /on = true');
      expect((await project.refused('apply', '--yes')).code).toBe(4);
      expect(project.writes()).toEqual([]);
      expect((await project.apply('--yes', '--allow', 'unknown-fields', '--allow', 'weakening')).code).toBe(0);
    },
  );

  test('is left out of an export, with the reason', async () => {
    const project = await createTestProject({}, { seed: { 'key-rotation-schedule': EVERY_DAY } });
    const { code, stderr } = await project.run('export', '--dir', 'exported');
    expect(code).toBe(0);
    expect(stderr).toContain('Left out: 1.');
    const file = project.read('exported/key_rotation_schedule.yaml');
    expect(file).toContain(`# key-rotation-schedule is left out: ${REASON}`);
    expect(file).not.toContain('enabled: false');
    const page = await project.run('export', '--format', 'html');
    expect(page.stdout).toContain('unknown to upkeep: /every = &quot;day&quot;');
  });

  test('is drift that weakens protection, and that no declaration can accept', async () => {
    const project = await projectWith({ enabled: true, frequency: 3, unit: 'd', hour: 4 }, EVERY_DAY);
    const { document } = await project.drift();
    expect(JSON.stringify(document)).toContain(REASON);
    const accepted = await project.run('drift', 'accept', 'key-rotation-schedule', '--allow', 'weakening');
    expect(accepted.code).toBe(8);
    expect(accepted.stderr.replace(/\s+/g, ' ')).toContain(`cannot be accepted: ${REASON}`);
  });
});

describe('a member of a rotation schedule that no document names', () => {
  const daily = { enabled: true, frequency: 1, unit: 'd', hour: 4 };

  test('blocks an update, which may reset it, and is no difference by itself', async () => {
    const project = await projectWith({ ...daily, hour: 5 }, { ...daily, zone: 'UTC' });
    const { document } = await project.plan();
    expect(document.changes).toMatchObject([{ effect: 'neutral', blocked: { check: 'unknown-fields' } }]);
    expect(document.changes[0]?.blocked?.reason).toContain('/zone = "UTC"');
    expect((await (await projectWith(daily, { ...daily, zone: 'UTC' })).plan('--detailed-exitcode')).code).toBe(0);
  });
});
