/** Fields that are left to others (design section 3), for random accounts and configurations of every kind, in whole command lines. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OVERRIDABLE_CHECKS } from '../../src/core/model/change.ts';
import { isWithin } from '../../src/core/model/ignored-fields.ts';
import type { Json, JsonObject } from '../../src/core/model/json.ts';
import type { Plan } from '../../src/core/model/plan.ts';
import { config, declare } from '../e2e/accounts.ts';
import { createTestProject } from '../support/harness.ts';
import { assertAsyncProperty } from '../support/property.ts';
import { CASES, TIMEOUT } from './accounts.ts';
import { configuration } from './configurations.ts';

/** Fields of every kind, at every depth. */
const FIELDS = [
  '/active',
  '/repeat',
  '/playlist',
  '/fairplay',
  '/fairplay/lease_duration_seconds',
  '/widevine/content_key_specs',
  '/widevine/content_key_specs/HD',
  '/widevine/content_key_specs/HD/security_level',
  '/widevine/policy_overrides',
  '/widevine/policy_overrides/can_play',
  '/playready/hd',
  '/vmp_reject_statuses',
  '/scope',
  '/slicer_ids',
  '/enabled',
  '/frequency',
  '/hour',
];

const ALLOWED = ['deletes', ...OVERRIDABLE_CHECKS].flatMap((check) => ['--allow', check]);

test(
  'an apply leaves ignored fields of live objects as they are and applies everything else, and the plan afterwards is empty',
  async () => {
    const ignored = fc.subarray(FIELDS, { minLength: 1, maxLength: 5 });
    const property = fc.asyncProperty(configuration, configuration, ignored, async (before, after, fields) => {
      const project = await createTestProject(config(before), { target: 'playback_loss: allow' });
      await project.run('apply', '--yes', '--skip-blocked', ...ALLOWED);
      const ignoring = { ...after, ignore_changes: [{ address: '*', fields }] };
      const planOf = async (sections: JsonObject) => {
        declare(project, sections);
        return (await project.plan(...ALLOWED)).document;
      };
      const earlier = ignoredDifferences(await planOf(after), fields);
      const { changes } = await planOf(ignoring);
      const blocked = changes.filter((change) => change.blocked).map(({ address }) => address);
      const created = changes.filter(({ action }) => action === 'create').map(({ address }) => address);
      expect(
        changes.flatMap((change) => (change.action === 'update' ? change.fields.filter(({ path }) => isIn(fields, path)) : [])),
      ).toEqual([]);
      const { code, stderr } = await project.run('apply', '--yes', '--skip-blocked', ...ALLOWED);
      expect([0, 4], stderr).toContain(code);
      expect((await planOf(ignoring)).changes.map(({ address }) => address)).toEqual(blocked);
      const isKept = ([address]: readonly [string, unknown]) => !created.includes(address);
      expect(ignoredDifferences(await planOf(after), fields).filter(isKept)).toEqual(earlier.filter(isKept));
      await project.close();
    });
    await assertAsyncProperty(property, { numRuns: CASES });
  },
  TIMEOUT,
);

function isIn(fields: readonly string[], path: string): boolean {
  return fields.some((field) => isWithin(path, field));
}

/** Returns the live values of ignored fields that differ from their declared values, by address. The plan does not ignore them. */
function ignoredDifferences({ changes }: Plan, fields: readonly string[]): readonly (readonly [string, unknown])[] {
  const updates = changes.filter(({ action }) => action === 'update').toSorted((a, b) => (a.address < b.address ? -1 : 1));
  return updates.flatMap((change) =>
    change.fields.flatMap(({ path, before }) =>
      isIn(fields, path) && !wasNeverSet(change.kind, before) ? [[change.address, { path, before }] as const] : [],
    ),
  );
}

/** Decides whether a field of the schedule has no value yet: it is sent as declared with the first update. */
function wasNeverSet(kind: string, before: Json): boolean {
  return kind === 'key-rotation-schedule' && before === null;
}
