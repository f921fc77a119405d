/** A printed command, run as it stands, makes the changes that stand above it and no others, or none (design section 5). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writesOnService } from '../../src/core/model/change.ts';
import type { Json } from '../../src/core/model/json.ts';
import { beams, config } from '../e2e/accounts.ts';
import { asPlan } from '../support/documents.ts';
import { rounds } from '../support/figures.ts';
import { createTestProject, type TestProject } from '../support/harness.ts';
import { assertAsyncProperty } from '../support/property.ts';

const LOW = { widevine: { content_key_specs: [{ track_type: 'ALL', security_level: 1 }] } };
const HIGH = { widevine: { content_key_specs: [{ track_type: 'ALL', security_level: 2 }] } };
const NAMES = ['a', 'b', 'c', 'd'];

/** What becomes of each policy and playlist, and what the plan is told. */
const runs = fc.record({
  policies: fc.tuple(...NAMES.map(() => fc.constantFrom('weaken', 'strengthen', 'keep', 'delete'))),
  playlists: fc.tuple(...NAMES.map(() => fc.constantFrom('stop', 'repeat', 'keep', 'delete'))),
  only: fc.subarray(['drm-policy/a', 'drm-policy/*', 'playlist/*', 'playlist/b', 'playlist/c']),
  allow: fc.subarray(['weakening', 'deletes=1', 'updates', 'weakening=drm-policy/a', 'playback-loss=playlist/*']),
  limits: fc.boolean(),
});

/** The account and the declaration that lead to these changes; `keep` is declared as it is. */
function project({ policies, playlists, limits }: typeof runs extends fc.Arbitrary<infer Run> ? Run : never): Promise<TestProject> {
  const declared = (of: readonly string[], make: (what: string, name: string, index: number) => Json) =>
    Object.fromEntries(NAMES.flatMap((name, index) => (of[index] === 'delete' ? [] : [[name, make(of[index] ?? '', name, index)]])));
  const sections = {
    drm_policies: declared(policies, (what) => (what === 'strengthen' ? HIGH : LOW)),
    playlists: declared(playlists, (what, _name, index) => ({
      playlist: beams(index + 1),
      ...(what === 'stop' ? { active: 0 } : what === 'repeat' ? { repeat: 2 } : {}),
    })),
  };
  const seed = {
    'drm-policy': NAMES.map((name, index) => ({ policy_name: name, ...(policies[index] === 'weaken' ? HIGH : LOW) })),
    playlist: NAMES.map((name, index) => ({ id: `${index}`.repeat(32), desc: name, playlist: beams(index + 1) })),
  };
  const target = `ownership: exclusive\n${limits ? 'limits: { delete: { count: 0, percent: 0 }, off_air: { count: 0, percent: 0 } }' : ''}`;
  return createTestProject(config(sections), { seed, target });
}

test('a printed command makes exactly the changes of the blocked plan above it', async () => {
  let printed = 0;
  await assertAsyncProperty(
    fc.asyncProperty(runs, async (run) => {
      const at = await project(run);
      const flags = [...run.only.flatMap((glob) => ['--only', glob]), ...run.allow.flatMap((check) => ['--allow', check])];
      const planned = await at.run('plan', '--project', at.folder, ...flags, '--format', 'json');
      // A glob that matches nothing is refused.
      fc.pre(planned.code === 0);
      const document = asPlan(JSON.parse(planned.stdout));
      const command = document.unblock?.command;
      expect(command !== undefined).toBe(document.summary.blocked > 0);
      if (command === undefined) return at.close();
      printed += 1;
      at.writes();
      const applied = await at.apply(...command.slice(2));
      const shown = document.changes.filter(writesOnService).map(({ address }) => address);
      const written = applied.document.outcomes.map(({ address }) => address);
      expect([applied.code, written.sort()]).toEqual([0, shown.sort()]);
      const rest = await at.plan('--project', at.folder, ...run.only.flatMap((glob) => ['--only', glob]));
      expect(rest.document.changes).toEqual([]);
      await at.close();
    }),
    { numRuns: rounds(12, 400) },
  );
  expect(printed).toBeGreaterThan(3);
});

test('a printed command writes nothing once the account is another one', async () => {
  const at = await createTestProject(config({ drm_policies: { a: LOW } }), { seed: { 'drm-policy': [{ policy_name: 'a', ...HIGH }] } });
  const { document } = await at.plan();
  at.write('config/b.yaml', 'vmp_reject_statuses: [PLATFORM_TAMPERED]\n');
  expect((await at.run('apply', ...(document.unblock?.command ?? []).slice(2))).code).toBe(6);
  expect(at.writes()).toEqual([]);
});
