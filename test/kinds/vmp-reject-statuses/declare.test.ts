/** What the sources have to say of the set that is live, in the order in which they say it. */
import { expect, test } from 'vitest';
import { vmpRejectStatuses } from '../../../src/kinds/vmp-reject-statuses/index.ts';
import { liveSetting, theOnly, tools } from '../answers.ts';

const desired = theOnly(vmpRejectStatuses.declare({ vmp_reject_statuses: ['C', 'A'] }, tools).resources);

test.each<[string, readonly string[] | null, readonly string[], readonly string[]]>([
  ['what is new stands last, in its own order', ['C', 'A'], ['A', 'B', 'C', 'D'], ['C', 'A', 'B', 'D']],
  ['what is gone is left out', ['C', 'A', 'B'], ['B', 'C'], ['C', 'B']],
  ['nothing is live', ['C'], [], []],
  ['nothing is written', [], ['A', 'B'], ['A', 'B']],
  ['the section is gone', null, ['A', 'B'], ['A', 'B']],
])('%s', (_name, vmp_reject_statuses, statuses, value) => {
  const object = liveSetting({ vmp_reject_statuses: statuses });
  const statements = vmpRejectStatuses.configEdits?.(desired, object, { vmp_reject_statuses });
  expect(statements).toStrictEqual([{ path: ['vmp_reject_statuses'], value }]);
});

test('a section that is not there declares nothing, and says nothing wrong', () => {
  for (const sections of [{}, { vmp_reject_statuses: null }])
    expect(vmpRejectStatuses.declare(sections, tools)).toEqual({ resources: [], findings: [] });
});

test('an account that shows no set is exported as one that refuses nobody', () => {
  const object = liveSetting({ vmp_reject_statuses: [] });
  const entry = { section: 'vmp_reject_statuses', key: null, value: [], adopt: {}, objects: [object] };
  expect(vmpRejectStatuses.toConfig([object])).toStrictEqual({ entries: [entry], notExportable: [] });
});
