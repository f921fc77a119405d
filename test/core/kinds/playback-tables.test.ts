/** The playback tables of every kind hold: every value compared with every value, and every field of its schema has a table. */
import { beforeAll, describe, expect, test } from 'vitest';
import { kinds } from '../../../src/core/kinds/index.ts';
import type { Kind } from '../../../src/core/kinds/kind.ts';
import { type Playback, type PlaybackReason, worstPlayback } from '../../../src/core/model/change.ts';
import type { JsonObject } from '../../../src/core/model/json.ts';
import { diffFields } from '../../../src/core/plan/diff-fields.ts';
import { changeOf, liveOf, type ResourceSample, sampleReaderOf } from './resource-samples.ts';
import { sampleIn, tablesOf, uncovered } from './truth-tables.ts';

const SIGNS: { readonly [playback in Playback]: string } = { stops: 'S', reduces: 'R', unknown: 'U', gains: 'G', neutral: '=' };

/** Returns the reasons of a change, as the planner does; of an update for whatever differs, as for the drift report. */
function reasonsOf(kind: Kind, before: ResourceSample | null, after: ResourceSample | null): readonly PlaybackReason[] {
  if (!before || !after) return changeOf(kind, before, after)?.playbackReasons ?? [];
  const fields = diffFields(before.fields, after.fields);
  return kind.assessPlayback?.({ action: 'update', before: liveOf(kind, before), after, fields }) ?? [];
}

describe.each(kinds.map((kind) => [kind.name, kind] as const))('the playback tables of %s', (name, kind) => {
  let readSample: (document: JsonObject) => ResourceSample;
  beforeAll(async () => {
    readSample = await sampleReaderOf(name);
  });

  const tables = tablesOf(name, 'playback');
  const trials = tables.flatMap((table) => table.trials.map((trial) => [trial.title, table, trial] as const));

  test.each(trials)('hold for every value before and after: %s', (_title, { lines, columns }, trial) => {
    const signOf = (before: string, after: string) => {
      if (before === after && before === 'nothing') return '-';
      const reasons = reasonsOf(kind, sampleIn(trial, before, readSample), sampleIn(trial, after, readSample));
      for (const { text } of reasons) expect(text).toMatch(/^\S.*\S$/);
      return SIGNS[worstPlayback(reasons)];
    };
    const signs = lines.map(([before]) => `${before}: ${columns.map((after) => signOf(before, after)).join(' ')}`);
    expect(signs).toEqual(lines.map(([before, cells]) => `${before}: ${cells.join(' ')}`));
  });

  test.each(tables.map((table) => [table.title, table] as const))('compare every value with every value: %s', (_title, table) => {
    expect(table.trials).not.toEqual([]);
    expect(table.lines.map(([line]) => line)).toEqual(table.columns);
    for (const { names } of table.trials) expect(table.columns).toEqual(expect.arrayContaining([...names]));
  });

  test('cover every field and every value that the schema names', () => {
    expect(uncovered(kind, tables)).toEqual([]);
  });
});
