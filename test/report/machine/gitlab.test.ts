import { expect, it } from 'vitest';
import { render } from '../../../src/report/index.ts';
import { change, finding, OPTIONS, plan } from '../documents.ts';
import { readCodeQuality } from '../languages/code-quality.ts';

it('renderGitlab renders diagnostics by severity, with their lines', () => {
  const changes = [
    change('playlist/a', { declared: { file: 'config/a.yaml', line: 9, column: 3 } }),
    change('playlist/~1', { action: 'create' }),
  ];
  const findings = [finding({ severity: 'warning' }), finding()];
  const report = render([{ type: 'drift', plan: plan(changes, { findings }) }], 'gitlab', OPTIONS);
  const shown = readCodeQuality(report).map(({ severity, check_name, location }) => [
    severity,
    check_name,
    location.path,
    location.lines.begin,
  ]);
  expect(shown).toEqual([
    ['critical', 'unknown-key', 'accounts/eu/config/common.yaml', 12],
    ['minor', 'drift', 'accounts/eu/config/a.yaml', 9],
    ['minor', 'drift', 'accounts/eu/upkeep.yaml', 1],
    ['minor', 'unknown-key', 'accounts/eu/config/common.yaml', 12],
  ]);
  expect(render([{ type: 'plan', plan: plan([]) }], 'gitlab', OPTIONS)).toBe('[]\n');
});
