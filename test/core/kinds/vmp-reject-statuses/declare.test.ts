/** The edits of the configuration that make it declare a live set, in the order of its elements. */
import { expect, test } from 'vitest';
import { vmpRejectStatuses } from '../../../../src/core/kinds/vmp-reject-statuses/index.ts';
import { declareServices, liveSetting, onlyItem } from '../fixtures.ts';

const desired = onlyItem(vmpRejectStatuses.declare({ vmp_reject_statuses: ['C', 'A'] }, declareServices).resources);

test.each<[string, readonly string[] | null, readonly string[], readonly string[]]>([
  ['new statuses come last, in their own order', ['C', 'A'], ['A', 'B', 'C', 'D'], ['C', 'A', 'B', 'D']],
  ['statuses that are no longer live are left out', ['C', 'A', 'B'], ['B', 'C'], ['C', 'B']],
  ['the live set is empty', ['C'], [], []],
  ['the configured set is empty', [], ['A', 'B'], ['A', 'B']],
  ['the section is absent', null, ['A', 'B'], ['A', 'B']],
])('the edit of the VMP statuses: %s', (_name, vmp_reject_statuses, statuses, value) => {
  const object = liveSetting({ vmp_reject_statuses: statuses });
  const statements = vmpRejectStatuses.configEdits?.(desired, object, { vmp_reject_statuses });
  expect(statements).toStrictEqual([{ path: ['vmp_reject_statuses'], value }]);
});

test('an absent section declares no VMP statuses and has no finding', () => {
  for (const sections of [{}, { vmp_reject_statuses: null }])
    expect(vmpRejectStatuses.declare(sections, declareServices)).toEqual({ resources: [], findings: [] });
});

test('an account that shows no VMP statuses is exported as one that rejects no device', () => {
  const object = liveSetting({ vmp_reject_statuses: [] });
  const entry = { section: 'vmp_reject_statuses', key: null, value: [], adopt: {}, objects: [object] };
  expect(vmpRejectStatuses.toConfig([object])).toStrictEqual({ entries: [entry], notDeclarable: [] });
});
