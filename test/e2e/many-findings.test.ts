/** Reports with many findings of one kind in one file: the first 100 are listed, and one more counts the others, whatever part found them. */
import { describe, expect, test } from 'vitest';
import { createTestProject } from '../support/harness.ts';
import { config } from './accounts.ts';

const MORE = '150 more findings of this kind in this file are not listed';

/** Two hundred and fifty policies, each with one setting of another type than documented. */
const configs = Array.from({ length: 250 }, (_, index) => ({ _id: `p${index}`, policy_name: `odd ${index}`, fairplay: index + 1 }));

async function withOddPolicies() {
  const project = await createTestProject(config({ drm_policies: {} }), { target: 'ownership: exclusive' });
  project.emulator.setFaults([{ method: 'GET', path: '/api/v3/drm/policies', body: { error: 0, configs } }]);
  return project;
}

describe('more than a hundred findings of one kind in one file', () => {
  test('that a plan makes are counted in every format, and the plan can be saved and shown', async () => {
    const project = await withOddPolicies();
    const { document } = await project.plan('--out', 'prometheus=upkeep.prom', '--out', 'json=plan.json');
    expect(document.findings).toHaveLength(101);
    expect(document.findings.filter(({ unlisted }) => unlisted !== undefined)).toMatchObject([
      { code: 'cannot-be-declared', severity: 'warning', unlisted: 150, summary: MORE },
    ]);
    expect(project.read('upkeep.prom')).toMatch(/^upkeep_findings\{[^}]*severity="warning"[^}]*\} 250$/m);
    for (const format of ['text', 'markdown', 'sarif', 'junit', 'ndjson', 'github']) {
      const { stdout } = await project.run('plan', '--format', format);
      expect(stdout, format).toContain(
        ['text', 'markdown'].includes(format) ? 'cannot-be-declared (250)' : '150 more findings of this kind',
      );
    }
    const shown = await project.run('show', 'plan.json', '--format', 'json');
    expect(JSON.parse(shown.stdout)).toMatchObject({ findings: document.findings });
  });

  test('that the parser makes are counted, and so is the number of errors in the summary', async () => {
    const sources = { 'config/a.yaml': `vmp_reject_statuses:\n${'  - !odd X\n'.repeat(250)}` };
    const project = await createTestProject(sources);
    const { code, stdout } = await project.run('validate');
    expect(code).toBe(8);
    expect(stdout).toContain(MORE);
    expect(stdout).toContain('250 errors');
    const refused = await project.run('plan', '--format', 'json');
    expect(JSON.parse(refused.stdout).findings).toHaveLength(101);
    expect(refused.stderr).toContain('250 errors');
  });
});
