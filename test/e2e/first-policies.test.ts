/** The first policies of an account are blocked where they are weaker than the default policy, which is said once, with what to type. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/model/json.ts';
import { createTestProject, type TestProject } from '../support/harness.ts';
import { applyStepOf, printedApply } from '../support/lifts.ts';
import { config } from './accounts.ts';

const WEAK = {
  downloads: { fairplay: { persistence: true } },
  kids: { playready: { can_persist: true } },
  'Kids & Co': { fairplay: { rental: true } },
};
const FLAG = "--allow 'weakening=drm-policy/*'";
const WHY = 'these are the first policies, and until one exists, playback URLs that name it may get the default policy';

function projectOf(policies: JsonObject, more: JsonObject = {}, live: readonly JsonObject[] = []): Promise<TestProject> {
  return createTestProject(config({ drm_policies: policies, ...more }), { seed: { 'drm-policy': live } });
}

/** A text as a reader sees it: without the marks and line ends of its format. */
const words = (text: string): string =>
  text
    .replaceAll(/&#(?:39|x27);/g, "'")
    .replaceAll(/<[^>]*>|[`>\\]/g, '')
    .replaceAll(/\s+/g, ' ');

test.each(['text', 'markdown', 'html'])('a plan as %s says once why the first policies are blocked, and what to type', async (format) => {
  const project = await projectOf(WEAK);
  const { stdout } = await project.runWith({ columns: 80 }, 'plan', '--format', format);
  const read = words(stdout);
  expect(read.split(WHY)).toHaveLength(2);
  expect(read).toContain(`unless no URL names it yet. ${FLAG}`);
  expect(read).toContain(`upkeep apply --target live ${FLAG} --expect sha256:`);
});

test('the printed command creates the first policies and nothing else that is blocked', async () => {
  const project = await projectOf(WEAK);
  const { document } = await project.plan();
  expect(applyStepOf(document)?.allow).toEqual(['weakening=drm-policy/*']);
  expect((await project.run('apply', '--yes')).code).toBe(4);
  expect(project.writes()).toEqual([]);
  expect((await project.run(...printedApply(document))).code).toBe(0);
  expect((await project.plan()).document.changes).toEqual([]);
});

test('the override of the first policies lets through no other change that weakens', async () => {
  const project = await projectOf(WEAK, { playlists: { trailers: { skip_drm: 1, playlist: [{ beam: 'a'.repeat(32) }, { ad: 30 }] } } });
  const { document } = await project.plan('--allow', 'weakening=drm-policy/*');
  expect(document.changes.filter(({ blocked }) => blocked !== null).map(({ address }) => address)).toEqual(['playlist/trailers']);
  const { document: both } = await project.plan();
  expect(applyStepOf(both)?.allow).toEqual(['weakening']);
  expect((await project.run(...printedApply(both))).code).toBe(0);
});

test('a policy beside others is blocked as any other change that weakens', async () => {
  const project = await projectOf(WEAK, {}, [{ _id: '1'.repeat(32), policy_name: 'of somebody else' }]);
  const { document } = await project.plan();
  expect(applyStepOf(document)?.allow).toEqual(['weakening']);
  expect((await project.run('plan')).stdout).not.toContain('first policies');
});
