import { describe, expect, it } from 'vitest';
import { overwrittenEdits } from '../../../src/core/apply/overwritten-edits.ts';
import type { FieldChange, Origin } from '../../../src/core/model/change.ts';
import type { Result } from '../../../src/core/model/outcome.ts';
import type { LastApplied } from '../../../src/core/state/state.ts';
import { type ChangeParts, changeOf } from '../../support/changes.ts';
import { song } from '../../support/fake-kinds.ts';
import { aLiveSong, aSong } from '../../support/planning.ts';
import { lastAppliedOf } from '../../support/previous-states.ts';

/** A neutral difference of one field. */
function field(path: string, origin: Origin): FieldChange {
  return { path, before: 1, after: 2, origin, effect: 'neutral' };
}

/** What is recorded of one change of `song/a` with this result. */
function editsOf(parts: ChangeParts, result: Result | undefined, lastApplied: LastApplied | null = null) {
  const planned = { desired: aSong('a'), live: aLiveSong('one'), kind: song, dependsOn: null, identityProblem: null, rollback: null };
  const results = new Map(result === undefined ? [] : [['song/a', result]]);
  return overwrittenEdits([{ ...planned, change: changeOf(parts) }], results, lastApplied);
}

/** A state in which fields of `song/<key>` were left to others at the last apply. */
function leftToOthers(key: string, ...paths: readonly string[]): LastApplied {
  const ignored = paths.map((path) => ({ path, declared: { file: 'a.yaml', line: 1, column: 1 } }));
  return lastAppliedOf([{ ...aSong(key), ignored }]);
}

const edited = [field('/level', 'drift'), field('/list', 'change'), field('/title', 'both'), field('/odd', 'unknown')];

describe('an update', () => {
  it('overwrites the fields that were edited by hand, and no others', () => {
    expect(editsOf({ fields: edited }, 'updated')).toEqual({ 'song/a': ['/level', '/title'] });
  });

  it('overwrites nothing where every field was changed in the repository, whatever the origin of the whole change', () => {
    expect(editsOf({ origin: 'both', fields: [field('/list', 'change')] }, 'updated')).toEqual({});
  });

  it('overwrites what was left to others at the last apply, with everything below it', () => {
    const fields = [field('/level', 'unknown'), field('/list/0', 'unknown'), field('/title', 'unknown')];
    expect(editsOf({ fields }, 'updated', leftToOthers('a', '/list', '/level'))).toEqual({ 'song/a': ['/level', '/list/0'] });
    expect(editsOf({ fields }, 'updated', lastAppliedOf([aSong('a')]))).toEqual({});
    expect(editsOf({ fields }, 'updated', leftToOthers('b', '/level'))).toEqual({});
  });

  it('overwrites what was left to others under the address that its object had before a move', () => {
    const moved: ChangeParts = { movedFrom: 'song/b', fields: [field('/level', 'unknown')] };
    expect(editsOf(moved, 'updated', leftToOthers('b', '/level'))).toEqual({ 'song/a': ['/level'] });
    expect(editsOf(moved, 'updated', leftToOthers('a', '/level'))).toEqual({});
  });

  it('that adopts its object overwrites nothing, because that object was not applied before', () => {
    expect(editsOf({ adopts: 'one', fields: edited }, 'updated', leftToOthers('a', '/level'))).toEqual({});
  });
});

describe('a create or a delete', () => {
  it.each<['create' | 'delete', Result]>([
    ['create', 'created'],
    ['delete', 'deleted'],
  ])('(%s) overwrites the object itself where that was deleted or created by hand', (action, result) => {
    expect(editsOf({ action, origin: 'drift', fields: edited }, result)).toEqual({ 'song/a': [] });
    expect(editsOf({ action, origin: 'both', fields: edited }, result)).toEqual({ 'song/a': [] });
    for (const origin of ['change', 'unknown'] as const) expect(editsOf({ action, origin, fields: edited }, result)).toEqual({});
  });
});

it.each(['adopt', 'move', 'forget'] as const)('a change that only the ledger records (%s) overwrites nothing', (action) => {
  expect(editsOf({ action, origin: 'drift', fields: edited }, 'adopted')).toEqual({});
});

it.each(['failed', 'skipped', undefined] as const)('a change that was not applied (%s) overwrote nothing', (result) => {
  expect(editsOf({ fields: edited }, result)).toEqual({});
});
