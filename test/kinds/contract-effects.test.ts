/** What every kind must keep when it says what a change does to protection, over the sides that its column hands out. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { kinds } from '../../src/kinds/index.ts';
import type { Comparison, Kind } from '../../src/kinds/kind.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/model/json.ts';
import { rounds } from '../support/figures.ts';
import { type Side, sidesOf, stepOf } from './sides.ts';
import { mirrors, signOf } from './truth.ts';

const RUNS = { numRuns: rounds(100, 5000) };

/** What is asked of a kind about an update. */
function asked(kind: Kind, before: Side, after: Side): Comparison {
  return { action: 'update', desired: after, live: { ...before, id: 'live' }, fields: stepOf(kind, before, after)?.fields ?? [] };
}

/** The same seen from the other end. */
function turned({ action, fields }: Comparison, before: Side, after: Side): Comparison {
  const back = fields.map(({ path, before: was, after: is }) => ({ path, before: is, after: was }));
  return { action, desired: before, live: { ...after, id: 'live' }, fields: back };
}

/** The same with every set in another order. */
function reordered({ action, desired, live, fields }: Comparison): Comparison {
  return {
    action,
    desired: desired && { ...desired, fields: reversedIn(desired.fields) },
    live: live && { ...live, fields: reversedIn(live.fields) },
    fields: fields.map(({ path, before, after }) => ({ path, before: reversed(before), after: reversed(after) })),
  };
}

function reversedIn(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).map(([member, value]) => [member, reversed(value)]));
}

function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.every((item: Json) => typeof item === 'string') ? value.toReversed() : value;
  return isJsonObject(value) ? reversedIn(value) : value;
}

describe.each(kinds.map((kind) => [kind.name, kind] as const))('%s', (name, kind) => {
  let sides: fc.Arbitrary<Side>;
  beforeAll(async () => {
    sides = await sidesOf(name);
  });

  // As a whole, because a kind may tell a reason at one field on the way there and at another one on the way back.
  it('gives each field of an update its verdict, and the way back is their mirror', () => {
    fc.assert(
      fc.property(sides, sides, (before, after) => {
        const question = asked(kind, before, after);
        const [there, back] = [kind.assessRisk(question), kind.assessRisk(turned(question, before, after))];
        expect([there.length, back.length]).toEqual([question.fields.length, question.fields.length]);
        for (const each of [there, back]) signOf(each);
        expect([there, back]).toSatisfy(() => mirrors(there, back));
      }),
      RUNS,
    );
  });

  it('gives each field of a create and of a delete its verdict', () => {
    fc.assert(
      fc.property(sides, (side) => {
        for (const draft of [stepOf(kind, null, side), stepOf(kind, side, null)])
          for (const { effect, reasons = [] } of draft?.fields ?? []) signOf([{ effect, reasons }]);
      }),
      RUNS,
    );
  });

  it('judges sets whatever their order', () => {
    fc.assert(
      fc.property(sides, sides, (before, after) => {
        const question = asked(kind, before, after);
        expect(kind.assessRisk(reordered(question))).toEqual(kind.assessRisk(question));
      }),
      RUNS,
    );
  });

  it('has nothing to say where nothing differs', () => {
    fc.assert(
      fc.property(sides, (side) => {
        expect(stepOf(kind, side, side)).toBeUndefined();
        expect(kind.assessRisk({ action: 'update', desired: side, live: { ...side, id: 'live' }, fields: [] })).toEqual([]);
      }),
      RUNS,
    );
  });
});
