/** Only drift is accepted: not what the repository has changed since the last apply, and not what may never have been applied. */
import { describe, expect, test } from 'vitest';
import { type DriftPart, driftPart } from '../../../../src/core/drift/accept/select-drift.ts';
import type { ResourceChange } from '../../../../src/core/kinds/kind.ts';
import type { BlockReason, FieldChange, Origin } from '../../../../src/core/model/change.ts';
import type { Json, JsonObject } from '../../../../src/core/model/json.ts';
import type { PlannedChange } from '../../../../src/core/state/planned-change.ts';
import { type ChangeParts, changeOf } from '../../../support/changes.ts';
import { song } from '../../../support/fake-kinds.ts';
import { aLiveSong, aSong } from '../../../support/planning.ts';

function field(path: string, before: Json, after: Json, origin: Origin): FieldChange {
  return { path, before, after, origin, effect: 'neutral' };
}

const desired = aSong('a', { level: 2, title: 'wanted' });
const live = aLiveSong('one', { level: 1, title: 'found' });

function changeWith(change: ChangeParts, sides: ResourceChange = { desired, live }): PlannedChange {
  return { kind: song, dependsOn: null, identityProblem: null, rollback: null, ...sides, change: changeOf({ origin: 'drift', ...change }) };
}

function blockedBy(check: BlockReason['check']): BlockReason {
  return { check, reason: 'two bear its name', lift: { edit: 'adopt one of them' } };
}

/** Returns the live fields of the request; null for a deleted object, undefined without a request. */
function liveOf(part: DriftPart): JsonObject | null | undefined {
  return 'request' in part && part.request ? (part.request.live?.fields ?? null) : undefined;
}

const NOTHING = { request: null, fields: [], pending: [] };
const [level, title] = ['/level', '/title'];

describe('a blocked change', () => {
  test.each(['identity', 'suspicious-read'] as const)('is not accepted if `%s` makes its object uncertain', (check) => {
    const reason = { reason: 'song/a: two bear its name', hint: 'adopt one of them', isBlocked: true };
    expect(driftPart(changeWith({ blocked: blockedBy(check) }))).toEqual(reason);
    expect(driftPart(changeWith({ blocked: blockedBy(check), action: 'delete' }, { desired: null, live }))).toEqual(reason);
  });

  test.each(['updates', 'weakening', 'guard'] as const)('is accepted despite the safety check `%s`', (check) => {
    expect(driftPart(changeWith({ blocked: blockedBy(check), fields: [field(level, 1, 2, 'drift')] }))).toMatchObject({ fields: [level] });
  });
});

describe('a change that does not revert drift', () => {
  const fields = [field(level, 1, 2, 'drift')];

  test.each(['adopt', 'move', 'forget', 'delete'] as const)('is not accepted: %s', (action) => {
    expect(driftPart(changeWith({ action, fields }))).toEqual(NOTHING);
  });

  test('is not accepted: an update of an object that is no longer declared', () => {
    expect(driftPart(changeWith({ fields }, { desired: null, live }))).toEqual(NOTHING);
  });
});

describe('an object that differs', () => {
  test.each(['drift', 'both', 'unknown'] as const)('is accepted as it is where the account differs: %s', (origin) => {
    const part = driftPart(changeWith({ fields: [field(level, 1, 2, origin), field(title, 'found', 'wanted', origin)] }));
    expect(part).toEqual({ request: { kind: song, desired, live }, fields: [level, title], pending: [] });
  });

  test('is accepted together with what the repository has changed since', () => {
    const part = driftPart(changeWith({ fields: [field(level, 1, 2, 'drift'), field(title, 'found', 'wanted', 'change')] }));
    const accepted = { ...live, fields: { ...live.fields, title: 'wanted' } };
    expect(part).toEqual({ request: { kind: song, desired, live: accepted }, fields: [level], pending: [title] });
    expect(live.fields.title).toBe('found');
  });

  test('is not accepted where only the repository has changed', () => {
    const part = driftPart(changeWith({ fields: [field(level, 1, 2, 'change'), field(title, 'found', 'wanted', 'change')] }));
    expect(part).toEqual({ request: null, fields: [], pending: [level, title] });
  });

  test('is accepted without what the repository has removed, and with its other members', () => {
    const deep = { ...live, fields: { a: { 'b/c': 1, '~d': 2, e: 3 }, f: 4 } };
    const taken = [field('/a/b~1c', 1, null, 'change'), field('/a/~0d', 2, 5, 'change'), field('/f', 4, 6, 'drift')];
    expect(liveOf(driftPart(changeWith({ fields: taken }, { desired, live: deep })))).toEqual({ a: { '~d': 5, e: 3 }, f: 4 });
  });
});

describe('an object that does not exist', () => {
  const fields = [field(level, null, 2, 'unknown'), field(title, null, 'wanted', 'unknown')];
  const gone = { desired, live: null };

  test.each(['drift', 'both'] as const)('is accepted as deleted if it was applied before: %s', (origin) => {
    expect(driftPart(changeWith({ action: 'create', origin, fields }, gone))).toEqual({
      request: { kind: song, desired, live: null },
      fields: [level, title],
      pending: [],
    });
  });

  test('is pending if the repository has added it', () => {
    expect(driftPart(changeWith({ action: 'create', origin: 'change', fields }, gone))).toEqual({
      request: null,
      fields: [],
      pending: [level, title],
    });
  });

  test('is refused if it is unknown whether it was applied', () => {
    expect(driftPart(changeWith({ action: 'create', origin: 'unknown', fields }, gone))).toEqual({
      reason: 'song/a is not in the account, and it is unknown whether it was deleted or never applied',
      hint: 'if it was deleted, remove its declaration by hand: only a ledger can tell the two cases apart',
      isBlocked: false,
    });
  });
});
