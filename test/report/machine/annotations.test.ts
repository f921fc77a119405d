import { expect, test } from 'vitest';
import { annotationsOf } from '../../../src/report/machine/diagnostics.ts';
import { change, finding, plan, SITE } from '../documents.ts';

test('annotations are the notices at their places from the top of the work tree, risk first, in one harmless line each', () => {
  const held = { check: 'protect', reason: 'named\n::error::x', override: 'edit upkeep.yaml' } as const;
  const declared = { file: 'config/main.yaml', line: 4, column: 3 };
  const document = {
    type: 'plan',
    plan: plan(
      [change('playlist/x', { action: 'delete', blocked: held, declared }), change('playlist/y', { action: 'delete', blocked: held })],
      {
        findings: [finding({ severity: 'warning', code: 'odd', summary: 'a doubt', file: 'config/a.yaml', line: 9, column: 1 })],
      },
    ),
  } as const;
  expect(annotationsOf([document], SITE)).toEqual([
    {
      path: 'accounts/eu/config/main.yaml',
      line: 4,
      column: 3,
      level: 'error',
      title: 'upkeep: blocked-protect',
      message: expect.stringContaining('playlist/x is blocked by safety check `protect`: named\\n::error::x'),
    },
    {
      path: 'accounts/eu/upkeep.yaml',
      line: 1,
      column: 1,
      level: 'error',
      title: 'upkeep: blocked-protect',
      message: expect.stringContaining('playlist/y'),
    },
    {
      path: 'accounts/eu/config/a.yaml',
      line: 9,
      column: 1,
      level: 'warning',
      title: 'upkeep: odd',
      message: expect.stringContaining('a doubt'),
    },
  ]);
});
