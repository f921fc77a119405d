/** The order of findings in reports of a plan, what they fold, and what they only count. */
import { describe, expect, test } from 'vitest';
import { plainOptions } from '../../../src/app/run/reports.ts';
import type { Finding } from '../../../src/core/model/finding.ts';
import type { Plan } from '../../../src/core/model/plan.ts';
import type { FORMATS } from '../../../src/report/document.ts';
import { render } from '../../../src/report/index.ts';
import { change, plan } from '../documents.ts';

const finding = (summary: string, more: Partial<Finding> = {}): Finding => ({
  severity: 'warning',
  code: 'odd',
  summary,
  file: 'a.yaml',
  line: 1,
  column: 1,
  ...more,
});

const OLD = [1, 2, 3].map((number) =>
  finding(`old-${number}`, { address: `playlist/other-${number}`, code: number === 3 ? 'rare' : 'odd' }),
);
const FINDINGS = [
  ...OLD,
  finding('general'),
  finding('new-elsewhere', { address: 'playlist/other-4', isNew: true }),
  finding('old-changed', { address: 'playlist/changed' }),
  finding('new-changed', { address: 'playlist/changed', isNew: true }),
];

const report = (format: (typeof FORMATS)[number], type: 'plan' | 'drift' = 'plan', more: Partial<Plan> = {}) => {
  const document = { type, plan: plan([change('playlist/changed')], { findings: FINDINGS, ...more }) };
  return render([document], format, plainOptions({ command: 'plan', version: '1', folder: '', project: 'upkeep.yaml' }));
};

const inOrder = (text: string) => [...text.matchAll(/(?:old|new)-[a-z0-9]+|general/g)].map(([summary]) => summary);

describe('the report of a plan', () => {
  test.each(['text', 'markdown'] as const)(
    'lists findings about changed addresses first, new before old, and counts old ones elsewhere: %s',
    (format) => {
      const text = report(format);
      expect([...new Set(inOrder(text))]).toEqual(['new-changed', 'old-changed', 'new-elsewhere', 'general']);
      expect(text).toContain('Warnings about what does not change (3)');
      expect(text).toContain('odd (2), rare (1)');
      expect(text).toContain('not listed: 3');
      expect(text).toMatch(/new[^\n]*odd/);
    },
  );

  test('lists those elsewhere in HTML too, collapsed', () => {
    const html = report('html');
    const aside = html.slice(html.lastIndexOf('Warnings about what does not change'));
    expect(aside).toMatch(/<details>\n<summary>Show them<\/summary>/);
    expect(inOrder(aside)).toEqual(['old-1', 'old-2', 'old-3']);
  });

  test.each(['json', 'sarif', 'junit', 'github', 'gitlab'] as const)('lists all in a format for programs: %s', (format) => {
    expect(new Set(inOrder(report(format)))).toEqual(new Set(inOrder(JSON.stringify(FINDINGS))));
  });

  test('counts what rules accept', () => {
    const text = report('text', 'plan', { accepted: { odd: 2, rare: 1 } });
    expect(text).toContain('3 accepted findings: odd (2), rare (1).');
    expect(report('text')).not.toContain('accepted');
  });
});

test('a drift report lists findings whether or not their address has drifted', () => {
  expect(new Set(inOrder(report('text', 'drift')))).toEqual(new Set(inOrder(JSON.stringify(FINDINGS))));
});
