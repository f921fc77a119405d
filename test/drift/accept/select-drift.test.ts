/** Of a planned change only the account's own part is accepted; what the repository has changed since, and what nobody can tell, is not. */
import { describe, expect, test } from 'vitest';
import { type DriftPart, driftPart } from '../../../src/drift/accept/select-drift.ts';
import type { ResourceChange } from '../../../src/kinds/kind.ts';
import type { BlockReason, FieldChange, Origin } from '../../../src/model/change.ts';
import type { Json, JsonObject } from '../../../src/model/json.ts';
import type { ExecutableChange } from '../../../src/plan/plan-document.ts';
import { type ChangeParts, changeOf } from '../../support/changes.ts';
import { song } from '../../support/fake-kinds.ts';
import { aLiveSong, aSong } from '../../support/planning.ts';

function field(path: string, before: Json, after: Json, origin: Origin): FieldChange {
  return { path, before, after, origin, effect: 'neutral' };
}

const desired = aSong('a', { guard: 2, title: 'wanted' });
const live = aLiveSong('one', { guard: 1, title: 'found' });

function step(change: ChangeParts, sides: ResourceChange = { desired, live }): ExecutableChange {
  return { kind: song, dependsOn: null, ...sides, change: changeOf({ origin: 'drift', ...change }) };
}

function held(check: BlockReason['check']): BlockReason {
  return { check, reason: 'two bear its name', override: 'adopt one of them' };
}

/** What is request for, as live fields. */
function liveOf(wanted: DriftPart): JsonObject | null | undefined {
  return 'request' in wanted && wanted.request ? (wanted.request.live?.fields ?? null) : undefined;
}

const NOTHING = { request: null, fields: [], pending: [] };
const [guard, title] = ['/guard', '/title'];

describe('an object of which it is doubtful which one it is', () => {
  test.each(['identity', 'suspicious-read'] as const)('is not request about: %s', (brake) => {
    const reason = { reason: 'song/a: two bear its name', hint: 'adopt one of them', isBlocked: true };
    expect(driftPart(step({ blocked: held(brake) }))).toEqual(reason);
    expect(driftPart(step({ blocked: held(brake), action: 'delete' }, { desired: null, live }))).toEqual(reason);
  });

  test.each(['updates', 'loosening', 'guard'] as const)('another brake is no reason: %s', (brake) => {
    expect(driftPart(step({ blocked: held(brake), fields: [field(guard, 1, 2, 'drift')] }))).toMatchObject({ fields: [guard] });
  });
});

describe('a step that takes nothing back', () => {
  const fields = [field(guard, 1, 2, 'drift')];

  test.each(['adopt', 'move', 'forget', 'delete'] as const)('is not accepted: %s', (action) => {
    expect(driftPart(step({ action, fields }))).toEqual(NOTHING);
  });

  test('nor what is declared no longer', () => {
    expect(driftPart(step({ fields }, { desired: null, live }))).toEqual(NOTHING);
  });
});

describe('an object that differs', () => {
  test.each(['drift', 'both', 'unknown'] as const)('is wanted as it is where the account differs: %s', (origin) => {
    const wanted = driftPart(step({ fields: [field(guard, 1, 2, origin), field(title, 'found', 'wanted', origin)] }));
    expect(wanted).toEqual({ request: { kind: song, desired, live }, fields: [guard, title], pending: [] });
  });

  test('is wanted with what the repository has changed since', () => {
    const wanted = driftPart(step({ fields: [field(guard, 1, 2, 'drift'), field(title, 'found', 'wanted', 'change')] }));
    const told = { ...live, fields: { ...live.fields, title: 'wanted' } };
    expect(wanted).toEqual({ request: { kind: song, desired, live: told }, fields: [guard], pending: [title] });
    expect(live.fields.title).toBe('found');
  });

  test('is not wanted where only the repository has changed', () => {
    const wanted = driftPart(step({ fields: [field(guard, 1, 2, 'change'), field(title, 'found', 'wanted', 'change')] }));
    expect(wanted).toEqual({ request: null, fields: [], pending: [guard, title] });
  });

  test('is wanted without what the repository has taken away, and with its other members', () => {
    const deep = { ...live, fields: { a: { 'b/c': 1, '~d': 2, e: 3 }, f: 4 } };
    const taken = [field('/a/b~1c', 1, null, 'change'), field('/a/~0d', 2, 5, 'change'), field('/f', 4, 6, 'drift')];
    expect(liveOf(driftPart(step({ fields: taken }, { desired, live: deep })))).toEqual({ a: { '~d': 5, e: 3 }, f: 4 });
  });
});

describe('an object that is not there', () => {
  const fields = [field(guard, null, 2, 'unknown'), field(title, null, 'wanted', 'unknown')];
  const gone = { desired, live: null };

  test.each(['drift', 'both'] as const)('is wanted as gone where it was there: %s', (origin) => {
    expect(driftPart(step({ action: 'create', origin, fields }, gone))).toEqual({
      request: { kind: song, desired, live: null },
      fields: [guard, title],
      pending: [],
    });
  });

  test('is pending where the repository has brought it', () => {
    expect(driftPart(step({ action: 'create', origin: 'change', fields }, gone))).toEqual({
      request: null,
      fields: [],
      pending: [guard, title],
    });
  });

  test('is doubtful where nobody can tell', () => {
    expect(driftPart(step({ action: 'create', origin: 'unknown', fields }, gone))).toEqual({
      reason: 'song/a is not in the account, and it is unknown whether it was deleted or never applied',
      hint: 'if it was deleted, remove its declaration by hand: only a ledger can tell the two cases apart',
      isBlocked: false,
    });
  });
});
