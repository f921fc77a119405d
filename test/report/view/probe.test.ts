/** What a report of a probe shows of questions that were not asked. */
import { expect, test } from 'vitest';
import { PROBE_STEPS, type ProbeAnswer, type ProbeReport } from '../../../src/probe/probe-report.ts';
import { render } from '../../../src/report/index.ts';
import { OPTIONS } from '../documents.ts';

const answers = PROBE_STEPS.flatMap((step): ProbeAnswer[] =>
  ['one', 'two'].map((name) => ({
    id: `${step}-${name}`,
    step,
    question: `${step} ${name}?`,
    assumed: 'a',
    state: 'not found out',
    found: null,
  })),
);

const probe: ProbeReport = {
  schemaVersion: 1,
  target: 'production',
  at: '2026-11-01T00:00:00.000Z',
  upkeep: '0.1.0',
  steps: ['read'],
  requests: 20,
  answers,
  settings: [],
  leftBehind: [],
};

test('questions of steps that were not taken are counted with the flag that asks them, and JSON lists them', () => {
  const text = render([{ type: 'probe', probe }], 'text', OPTIONS);
  expect(text).toContain('read one?');
  expect(text).not.toContain('write one?');
  expect(text).toMatch(/2 questions\s+asked only with `--write`/);
  expect(render([{ type: 'probe', probe }], 'json', OPTIONS)).toContain('write two?');
});
