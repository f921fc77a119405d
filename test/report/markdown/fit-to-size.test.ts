import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Plan } from '../../../src/core/model/plan.ts';
import { render } from '../../../src/report/index.ts';
import { fitMarkdown, type MarkdownBudget } from '../../../src/report/markdown/fit-to-size.ts';
import { assertProperty } from '../../support/property.ts';
import { change, failure, field, finding, OPTIONS, plan } from '../documents.ts';
import { hostileDocument } from '../hostile.ts';

const characters = (most: number): MarkdownBudget => ({ most, unit: 'characters', size: (text) => [...text].length });
const many = Array.from({ length: 60 }, (_, index) => change(`playlist/p${index}`, { fields: [field('/repeat', 0, index)] }));
const blocked = { check: 'deletes', reason: 'too many', lift: { allow: 'deletes' } } as const;
const MIXED: Plan = plan([...many, change('playlist/gone', { action: 'delete', blocked, fields: [field('/repeat', 0, null)] })], {
  findings: [finding({ severity: 'warning', summary: 'a doubt' })],
});

const WHOLE = render([{ type: 'plan', plan: MIXED }], 'markdown', OPTIONS);

describe('fitMarkdown', () => {
  test('returns the whole report if it fits', () => {
    expect(fitMarkdown({ type: 'plan', plan: MIXED }, OPTIONS, characters(WHOLE.length))).toBe(WHOLE);
    expect(fitMarkdown({ type: 'plan', plan: MIXED }, OPTIONS, characters(WHOLE.length - 1))).not.toBe(WHOLE);
  });

  test('omits the details of the last items first', () => {
    const report = fitMarkdown({ type: 'plan', plan: MIXED }, OPTIONS, characters(WHOLE.length - 300));
    expect(report).toContain('- playlist/gone\n-   repeat: 0');
    expect(report).toContain('| update | `playlist/p59` |');
    expect(report).toMatch(
      /\*\*Left out, because no more than \d+ characters fit here: the details of \d+ of 60 under "Other changes"; the details of 1 of 1 under "Warnings"\.\*\*\n$/,
    );
    expect(report).toContain('a doubt');
  });

  test('omits rows after the details and keeps the first rows of each section', () => {
    const report = fitMarkdown({ type: 'plan', plan: MIXED }, OPTIONS, characters(3_200));
    expect(report).toContain('`playlist/gone`');
    expect(report).toContain('| update | `playlist/p4` |');
    expect(report).toContain('a doubt');
    expect(report).toMatch(/\d+ of 60 under "Other changes"; the details of 60 of 60 under/);
    expect(report).toContain('Plan: 0 to create, 60 to update, 1 to delete; 1 of them blocked');
  });

  test('measures the size in the unit of the budget', () => {
    const wide = plan([change('playlist/x', { fields: [field('/desc', '漢'.repeat(60), '字'.repeat(60))] })]);
    const most = render([{ type: 'plan', plan: wide }], 'markdown', OPTIONS).length;
    const bytes: MarkdownBudget = { most, unit: 'bytes', size: (text) => Buffer.byteLength(text) };
    const report = fitMarkdown({ type: 'plan', plan: wide }, OPTIONS, bytes);
    expect(Buffer.byteLength(report)).toBeLessThanOrEqual(most);
    expect(report).toContain(`no more than ${most} bytes fit here`);
    expect(fitMarkdown({ type: 'plan', plan: wide }, OPTIONS, characters(most))).not.toContain('Left out');
  });

  test('omits sentences that are too long and counts them', () => {
    const failed = failure([], 'production');
    const longHint = { ...failed, error: { ...failed.error, hint: 'x '.repeat(50_000) } };
    const report = fitMarkdown({ type: 'failure', failure: longHint }, OPTIONS, characters(2_000));
    expect([...report].length).toBeLessThanOrEqual(2_000);
    expect(report).toContain('Left out, because no more than 2000 characters fit here: 1 sentence.');
  });

  test('stays within the budget for hostile documents', () => {
    assertProperty(
      fc.property(hostileDocument, fc.integer({ min: 15_000, max: 40_000 }), (document, most) => {
        const report = fitMarkdown(document, { ...OPTIONS, requests: true }, characters(most));
        expect([...report].length).toBeLessThanOrEqual(most);
        expect(report.split('\n').some((line) => line.startsWith('<!--') || line.startsWith('/'))).toBe(false);
      }),
      { numRuns: 60 },
    );
  });
});
