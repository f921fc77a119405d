/** A printed command, run as it stands, makes the changes that stand above it and no others, or none (design section 5). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writesOnService } from '../../src/core/model/change.ts';
import type { Json } from '../../src/core/model/json.ts';
import type { Plan } from '../../src/core/model/plan.ts';
import { beams, config } from '../e2e/accounts.ts';
import { asOutcome, asPlan } from '../support/documents.ts';
import { rounds } from '../support/figures.ts';
import { createTestProject, type RunResult, type TestProject } from '../support/harness.ts';
import { applyStepOf, printedApply } from '../support/lifts.ts';
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
  /** A window that is closed until Monday, with what passes all the same; null for none. */
  window: fc.constantFrom(null, '', ', unless: [strengthens]', ', unless: [strengthens, reverts]'),
});

/** A Friday evening, and the time at which the window opens. */
const FRIDAY = '2026-11-27T20:00:00Z';
const MONDAY = '2026-11-30T08:00:00.000Z';

/** A project, and runs in it at a time. */
interface Timed {
  readonly at: TestProject;
  readonly run: (time: string, ...argv: readonly string[]) => Promise<RunResult>;
}

/** The account and the declaration that lead to these changes; `keep` is declared as it is. */
async function project({ policies, playlists, limits, window }: typeof runs extends fc.Arbitrary<infer Run> ? Run : never): Promise<Timed> {
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
  const target = `ownership: exclusive\n${limits ? 'limits: { delete: { count: 0, percent: 0 }, off_air: { count: 0, percent: 0 } }' : ''}
${window === null ? '' : `windows: { deny: [{ until: 2026-11-30T08:00:00Z, why: weekend${window} }] }`}`;
  let time = FRIDAY;
  const now = () => Date.parse(time);
  const at = await createTestProject(config(sections), { seed, target, now });
  return {
    at,
    run(next, ...argv) {
      time = next;
      return at.runWith({ now }, ...argv);
    },
  };
}

/** Returns the plan with these arguments, at a time. */
async function planAt({ run }: Timed, time: string, args: readonly string[]): Promise<Plan> {
  const { code, stdout, stderr } = await run(time, 'plan', ...args, '--format', 'json');
  expect(code, stderr).toBe(0);
  return asPlan(JSON.parse(stdout));
}

/** The arguments of a printed apply that a plan has, too. */
function planArguments(argv: readonly string[]): readonly string[] {
  const expected = argv.indexOf('--expect');
  return argv.slice(1, expected);
}

test('a printed command makes exactly the changes of the plan above it, when it says, and the plan of its flags is ready then', async () => {
  const printed = { now: 0, later: 0, added: 0 };
  await assertAsyncProperty(
    fc.asyncProperty(runs, async (run) => {
      const timed = await project(run);
      const { at } = timed;
      const flags = [...run.only.flatMap((glob) => ['--only', glob]), ...run.allow.flatMap((check) => ['--allow', check])];
      const planned = await timed.run(FRIDAY, 'plan', '--project', at.folder, ...flags, '--format', 'json');
      // A glob that matches nothing is refused.
      fc.pre(planned.code === 0);
      const document = asPlan(JSON.parse(planned.stdout));
      const step = applyStepOf(document);
      const { status, next = [] } = document.decision ?? {};
      expect(step?.command === undefined).toBe(status === 'nothing');
      if (step?.command === undefined) return at.close();
      const argv = step.command.slice(1);
      const from = step.from === 'now' ? FRIDAY : String(step.from);
      expect([FRIDAY, MONDAY]).toContain(from);
      const ready = await planAt(timed, from, planArguments(argv));
      expect([ready.decision?.status, ready.fingerprint]).toEqual(['ready', argv[argv.indexOf('--expect') + 1]]);
      const added = next.flatMap(({ adds = [] }) => adds).flatMap((each) => ['--allow', each]);
      // What lets it pass now stands behind what waits.
      expect(added).toEqual(from === FRIDAY ? [] : ['--allow', 'window']);
      if (added.length > 0) {
        printed.added += 1;
        const now = await planAt(timed, FRIDAY, [...planArguments(argv), ...added]);
        expect([now.decision?.status, now.fingerprint]).toEqual(['ready', ready.fingerprint]);
      }
      printed[from === FRIDAY ? 'now' : 'later'] += 1;
      at.writes();
      if (from !== FRIDAY) expect((await timed.run(FRIDAY, ...argv)).code).toBe(4);
      expect(at.writes()).toEqual([]);
      const { code, stdout } = await timed.run(from, ...argv, '--format', 'json');
      const shown = document.changes.filter(writesOnService).map(({ address }) => address);
      const written = asOutcome(JSON.parse(stdout)).outcomes.map(({ address }) => address);
      expect([code, written.sort()]).toEqual([0, shown.sort()]);
      const rest = await planAt(timed, from, ['--project', at.folder, ...run.only.flatMap((glob) => ['--only', glob])]);
      expect(rest.changes).toEqual([]);
      await at.close();
    }),
    { numRuns: rounds(20, 400) },
  );
  expect(printed.now).toBeGreaterThan(0);
  expect(printed.added).toBeGreaterThan(0);
});

test('a printed command writes nothing once the account is another one', async () => {
  const at = await createTestProject(config({ drm_policies: { a: LOW } }), { seed: { 'drm-policy': [{ policy_name: 'a', ...HIGH }] } });
  const { document } = await at.plan();
  at.write('config/b.yaml', 'vmp_reject_statuses: [PLATFORM_TAMPERED]\n');
  expect((await at.run(...printedApply(document))).code).toBe(6);
  expect(at.writes()).toEqual([]);
});
