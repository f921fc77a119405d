import { describe, expect, it } from 'vitest';
import { withFields } from '../../../src/core/ledger/recorded-fields.ts';
import type { FieldChange } from '../../../src/core/model/change.ts';
import type { ChangeOutcome, Result } from '../../../src/core/model/outcome.ts';

function fieldOf(path: string, after: string): FieldChange {
  return { path, before: null, after, origin: 'change', effect: 'weakens' };
}

function outcomeOf(address: string, result: Result = 'updated'): ChangeOutcome {
  return { address, result, tookMs: 1 };
}

const SIZE = Buffer.byteLength(JSON.stringify([fieldOf('/a', 'é')]));

describe('withFields', () => {
  it('adds the fields of each change, without their reasons', () => {
    const field: FieldChange = { ...fieldOf('/a', 'x'), reasons: [{ effect: 'weakens', text: 'less' }] };
    const changes = new Map([['playlist/a', { fields: [field] }]]);
    expect(withFields([outcomeOf('playlist/a', 'failed')], changes)).toEqual([
      { ...outcomeOf('playlist/a', 'failed'), fields: [fieldOf('/a', 'x')] },
    ]);
  });

  it('adds nothing to what was skipped, and to what has no field', () => {
    const outcomes = [outcomeOf('a', 'skipped'), outcomeOf('b', 'adopted')];
    const changes = new Map([
      ['a', { fields: [fieldOf('/a', 'x')] }],
      ['b', { fields: [] }],
    ]);
    expect(withFields(outcomes, changes)).toEqual(outcomes);
  });

  it('adds paths from the first change on that does not fit, counted in bytes', () => {
    const outcomes = ['a', 'b', 'c'].map((address) => outcomeOf(address));
    const changes = new Map(['a', 'b', 'c'].map((address) => [address, { fields: [fieldOf('/a', 'é')] }]));
    const kinds = (most: number) => withFields(outcomes, changes, most).map(({ fields, paths }) => (fields ? 'fields' : paths?.join()));
    expect(kinds(3 * SIZE)).toEqual(['fields', 'fields', 'fields']);
    expect(kinds(3 * SIZE - 1)).toEqual(['fields', 'fields', '/a']);
    expect(kinds(SIZE)).toEqual(['fields', '/a', '/a']);
    expect(kinds(0)).toEqual(['/a', '/a', '/a']);
  });

  it('records no later change with values once one did not fit, however small it is', () => {
    const changes = new Map([
      ['a', { fields: [fieldOf('/a', 'x'.repeat(100))] }],
      ['b', { fields: [fieldOf('/a', 'x')] }],
    ]);
    const recorded = withFields([outcomeOf('a'), outcomeOf('b')], changes, 150);
    expect(recorded.map(({ paths }) => paths)).toEqual([['/a'], ['/a']]);
  });
});
