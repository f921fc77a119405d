/** `diff` of two commits says what `plan` says against an account that holds what the first one declares, and nothing else. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Plan } from '../../src/core/model/plan.ts';
import { rounds } from '../support/figures.ts';
import { createGitProject } from '../support/git-project.ts';
import { applyStepOf } from '../support/lifts.ts';
import { atMost } from '../support/patience.ts';
import { assertAsyncProperty } from '../support/property.ts';
import { configuration } from './configurations.ts';

/** Settings of a target under which the first configuration can be applied, whatever it declares. */
const PERMISSIVE =
  'ownership: shared\nweakening: allow\nplayback_loss: allow\nlimits: { delete: { count: 1000, percent: 100 }, update: { percent: 100 } }';

const PAIRS = rounds(12, 2_000);

/**
 * The settings of an account, which it has whether or not anybody declares them. Of one that only the second commit declares, a comparison
 * says that it does not know; so these pairs have none (test/e2e/diff.test.ts has it).
 */
const SETTINGS = ['vmp_reject_statuses', 'static_key', 'key_rotation_schedule'];

const pairs = fc
  .record({ base: configuration, head: configuration, ownership: fc.constantFrom('shared', 'exclusive', 'observe') })
  .map(({ base, head, ownership }) => {
    const known = Object.entries(head).filter(([section]) => !SETTINGS.includes(section) || Object.hasOwn(base, section));
    return { base, head: Object.fromEntries(known), ownership };
  });

/** What a plan says of its changes, but for their digests, which hold the IDs of the account. */
function said(plan: Plan): unknown {
  const { changes, summary, impact } = plan;
  return { changes: changes.map(({ digest: _digest, ...rest }) => rest), summary, impact, allow: applyStepOf(plan)?.allow };
}

test(
  'a comparison of two commits has the changes, effects and blocks of the plan against an account that equals the first one',
  async () => {
    await assertAsyncProperty(
      fc.asyncProperty(pairs, async ({ base, head, ownership }) => {
        const project = await createGitProject({ 'config/a.yaml': JSON.stringify(base) }, { target: PERMISSIVE });
        expect(await project.run('apply', '--yes')).toMatchObject({ code: 0 });
        project.write('upkeep.yaml', project.read('upkeep.yaml').replace(/ownership: [\s\S]*/, `ownership: ${ownership}\n`));
        project.commit();
        project.write('config/a.yaml', JSON.stringify(head));
        project.commit();
        const planned = await project.plan();
        const compared = await project.diff('--base', 'HEAD~1');
        expect(said(compared.document)).toEqual(said(planned.document));
        await project.close();
      }),
      { numRuns: PAIRS },
    );
  },
  atMost(PAIRS * 6_000),
);
