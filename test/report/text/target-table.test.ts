import { describe, expect, test } from 'vitest';
import type { ExitCode } from '../../../src/core/model/exit-codes.ts';
import type { Document } from '../../../src/report/index.ts';
import { renderTargetTable } from '../../../src/report/text/target-table.ts';
import { change, failure, outcome, plan, waiting } from '../documents.ts';

const STYLE = { color: false, width: 80 };

const blocked = { check: 'weakening', reason: 'it weakens', lift: { allow: 'weakening' } } as const;

const rendered = (...results: readonly (readonly [document: Document | null, exit: ExitCode, tookMs: number | null])[]) =>
  renderTargetTable(
    results.map(([document, exit, tookMs], index) => ({ target: `t${index}`, documents: document ? [document] : [], exit, tookMs })),
    STYLE,
  );

const done = (result: 'created' | 'updated' | 'failed') => ({ address: `playlist/${result}`, result, tookMs: 1 });

describe('the table of several targets', () => {
  test('says of each what an apply did, how long it took, and with which exit code', () => {
    const table = rendered(
      [{ type: 'outcome', outcome: outcome([done('created'), done('updated')]) }, 0, 1500],
      [{ type: 'outcome', outcome: outcome([done('created'), done('failed')]) }, 5, 20],
      [{ type: 'outcome', outcome: outcome([]) }, 0, 3],
      [{ type: 'outcome', outcome: outcome([done('created')], false) }, 5, 4],
      [{ type: 'failure', failure: failure([]), plan: plan([change('playlist/a', { blocked })]) }, 4, 9],
      [{ type: 'failure', failure: failure([]) }, 8, null],
    );
    expect(table).toBe(`6 targets
      state                  created  updated  failed  blocked  time   exit
  t0  applied                1        1        0       0        1.5 s  0
  t1  failed                 1        0        1       0        20 ms  5
  t2  nothing to do          0        0        0       0        3 ms   0
  t3  not verified           1        0        0       0        4 ms   5
  t4  invalid-configuration  0        0        0       1        9 ms   4
  t5  invalid-configuration  -        -        -       -        -      8
`);
  });

  test('says of plans and of drift what they found', () => {
    const table = rendered(
      [{ type: 'plan', plan: plan([change('playlist/a', { action: 'create' })]) }, 0, 5],
      [{ type: 'plan', plan: plan([]) }, 0, 5],
      [{ type: 'plan', plan: plan([change('playlist/a', { action: 'delete', blocked })]) }, 4, 5],
      [{ type: 'plan', plan: plan([], { readStatus: { playlist: 'incomplete' } }) }, 10, 5],
      [{ type: 'plan', plan: plan([change('playlist/a')], { decision: waiting({ rule: 'window', reason: 'x', until: null }) }) }, 0, 5],
      [{ type: 'drift', plan: plan([change('playlist/a')]) }, 3, 5],
      [{ type: 'drift', plan: plan([]) }, 0, 5],
    );
    expect(table).toBe(`7 targets
      state       create  update  delete  blocked  time  exit
  t0  changes     1       0       0       0        5 ms  0
  t1  no changes  0       0       0       0        5 ms  0
  t2  blocked     0       0       1       1        5 ms  4
  t3  incomplete  0       0       0       0        5 ms  10
  t4  waits       0       1       0       0        5 ms  0
  t5  drift       0       1       0       0        5 ms  3
  t6  no drift    0       0       0       0        5 ms  0
`);
  });

  test('is left out for one target, and where no target came as far as a plan', () => {
    expect(rendered([{ type: 'plan', plan: plan([]) }, 0, 5])).toBe('');
    expect(rendered([{ type: 'failure', failure: failure([]) }, 8, null], [null, 8, null])).toBe('');
  });
});
