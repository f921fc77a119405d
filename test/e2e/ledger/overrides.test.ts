/** A safety check is overridden by a reviewed act, and everybody can see by whom (design section 4, rules 2 and 9). */
import { describe, expect, test } from 'vitest';
import type { Plan } from '../../../src/core/model/plan.ts';
import { asHistory, asOutcome, asPlan, fingerprintOf } from '../../support/documents.ts';
import { createGitProject } from '../../support/git-project.ts';
import { projectIn } from '../../support/harness.ts';
import { preparedOnce } from '../../support/prepared-project.ts';
import { config, declare, manyPlaylists } from '../accounts.ts';

const CI = { UPKEEP_ACTOR: 'ada', CI_JOB_URL: 'https://ci.example/job/7' };
const OVERRIDES = [{ check: 'weakening', count: 2 }] as const;

/** Two playlists of which both will need no signature any more, and a plan of that which overrides the check. */
const plannedProject = preparedOnce(async () => {
  const created = await createGitProject(config({ playlists: manyPlaylists(2) }));
  const project = { ...created, ...projectIn(created.folder, { ...created.env, ...CI }) };
  expect((await project.apply('--yes')).code).toBe(0);
  declare(project, { playlists: manyPlaylists(2, { skip_drm: 1 }) });
  project.commit();
  project.writes();
  expect((await project.run('plan', '--allow', 'weakening', '--out', 'json=plan.json')).code).toBe(0);
  return { ...project, saved: asPlan(JSON.parse(project.read('plan.json'))) };
});

const SAVED = ['--plan', 'plan.json'] as const;

describe('a plan that overrides a safety check', () => {
  test('says which, for how many changes, and in the report of the run itself by whom and where, and has another fingerprint', async () => {
    const project = await plannedProject();
    expect(project.saved.overrides).toEqual(OVERRIDES);
    expect(project.saved.run).toMatchObject({ by: 'ada', where: 'https://ci.example/job/7' });
    const { document: blocked } = await project.plan();
    expect(blocked).not.toHaveProperty('overrides');
    expect(blocked.changes.map(({ digest }) => digest)).toEqual(project.saved.changes.map(({ digest }) => digest));
    expect(blocked.fingerprint).not.toBe(project.saved.fingerprint);
    const line = 'Overridden safety checks: weakening (2 changes)';
    for (const format of ['text', 'html', 'markdown']) {
      const own = await project.run('plan', '--allow', 'weakening', '--format', format);
      expect(own.stdout, format).toContain(`${line}, by ada`);
      const shown = await project.run('show', 'plan.json', '--format', format);
      expect(shown.stdout, format).toContain(`${line}.`);
      expect(shown.stdout, format).not.toMatch(/\bada\b|ci\.example/);
    }
    expect(JSON.parse((await project.run('show', 'plan.json', '--format', 'json')).stdout).run).not.toHaveProperty('by');
  });

  test('overrides nothing as a file alone', async () => {
    const project = await plannedProject();
    const refused = await project.refused('apply', ...SAVED);
    expect(refused).toMatchObject({ code: 4, document: { error: { code: 'override-not-approved' } } });
    expect(refused.document.error.summary).toContain('weakening (2 changes)');
    expect(refused.document.error.hint).toContain('--allow weakening');
    expect(await project.refused('apply', ...SAVED, '--allow', 'updates')).toMatchObject({ code: 4 });
    expect(project.writes()).toEqual([]);
  });

  test.each([
    ['the approved fingerprint', (saved: Plan) => ['--expect', fingerprintOf(saved)]],
    ['the same override', () => ['--allow', 'weakening']],
  ])('is applied with %s; ledger, history and outcome name the check, who overrode it and where', async (_name, flags) => {
    const project = await plannedProject();
    const applied = await project.apply(...SAVED, ...flags(project.saved));
    const { fingerprint } = project.saved;
    expect(applied).toMatchObject({ code: 0, document: { fingerprint, overrides: OVERRIDES, run: { by: 'ada' } } });
    const who = { by: 'ada', where: 'https://ci.example/job/7' };
    expect(project.entries().at(-1)).toMatchObject({ fingerprint, overrides: OVERRIDES, ...who });
    const [latest, first] = asHistory(await project.json('history')).entries;
    expect(latest).toMatchObject({ overrides: OVERRIDES, ...who });
    expect(first).not.toHaveProperty('overrides');
    expect((await project.run('history')).stdout).toContain('overridden: weakening (2 changes)');
    expect(asOutcome(await project.json('history', latest?.id.slice(0, 7) ?? ''))).toMatchObject({ overrides: OVERRIDES });
  });

  test('is refused with the fingerprint of another plan, and where its overrides were edited', async () => {
    const project = await plannedProject();
    const { document: blocked } = await project.plan();
    expect(await project.refused('apply', ...SAVED, '--expect', fingerprintOf(blocked))).toMatchObject({ code: 6 });
    for (const edit of [{ overrides: [{ check: 'weakening', count: 1 }] }, { overrides: undefined, fingerprint: fingerprintOf(blocked) }]) {
      const edited = { ...project.saved, ...edit };
      project.write('plan.json', JSON.stringify(edited));
      expect(await project.refused('apply', ...SAVED, '--expect', fingerprintOf(edited))).toMatchObject({ code: 6 });
    }
    expect(project.writes()).toEqual([]);
  });

  test('is applied without its file, where the override is given and the fingerprint is the same', async () => {
    const project = await plannedProject();
    expect(await project.refused('apply', '--expect', fingerprintOf(project.saved))).toMatchObject({ code: 6 });
    expect((await project.apply('--expect', fingerprintOf(project.saved), '--allow', 'weakening')).code).toBe(0);
  });

  test('applies none of its overrides to changes that came later', async () => {
    const project = await plannedProject();
    declare(project, { playlists: manyPlaylists(3, { skip_drm: 1 }) });
    project.commit();
    const applied = await project.apply(...SAVED, '--expect', fingerprintOf(project.saved));
    expect(applied).toMatchObject({ code: 0, document: { overrides: OVERRIDES, summary: { updated: 2, created: 0 } } });
    expect((await project.plan()).document.changes).toMatchObject([{ address: 'playlist/p3', blocked: { check: 'weakening' } }]);
  });
});
