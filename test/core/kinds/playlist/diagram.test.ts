import { describe, expect, it } from 'vitest';
import { diagram } from '../../../../src/core/kinds/playlist/diagram.ts';
import type { FieldChange } from '../../../../src/core/model/change.ts';
import { change, field } from '../../../report/documents.ts';

const diagramOf = (...fields: readonly FieldChange[]) => diagram(change('playlist/a', { fields }));

describe('the diagram of a playlist', () => {
  it('contains the assets and ad breaks of the list, before and after', () => {
    const list = field('/playlist', [{ beam: { id: 'a' } }], [{ beam: { id: 'a' } }, { ad: { dur: 90 } }]);
    const a = { type: 'beam', label: 'a' };
    const break90 = { type: 'ad', label: '90 s', seconds: 90 };
    expect(diagramOf(field('/desc', 'x', 'y'), list)).toEqual({ type: 'playlist', field: list, before: [a], after: [a, break90] });
  });

  it('has an empty list where the field is null or empty', () => {
    const list = [{ beam: { id: 'a' } }];
    expect(diagramOf(field('/playlist', null, list))).toMatchObject({ before: [], after: [{ label: 'a' }] });
    expect(diagramOf(field('/playlist', list, []))).toMatchObject({ before: [{ label: 'a' }], after: [] });
  });

  it.each([
    [null, null],
    [[], []],
    ['x', 'y'],
    [['x'], []],
    [[{ beam: { id: 1 } }], []],
    [{ beam: 1 }, null],
    [[{ beam: { id: 'a', more: 1 } }], []],
    [[{ beam: { id: 'a' }, ad: { dur: 1 } }], []],
    [[{ track_type: 'HD' }], []],
  ])('does not exist for a list that is %j before and %j after', (before, after) => {
    expect(diagramOf(field('/playlist', before, after))).toBeNull();
  });

  it('does not exist where the list does not change', () => {
    expect(diagramOf(field('/desc', [{ beam: { id: 'a' } }], null))).toBeNull();
    expect(diagramOf()).toBeNull();
  });
});
