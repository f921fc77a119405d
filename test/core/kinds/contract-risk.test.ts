/** The contract of `assessRisk` for random samples of every kind. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { kinds } from '../../../src/core/kinds/index.ts';
import type { Kind, RiskInput } from '../../../src/core/kinds/kind.ts';
import { equal, isJsonObject, type Json, type JsonObject } from '../../../src/core/model/json.ts';
import { rounds } from '../../support/figures.ts';
import { assertProperty } from '../../support/property.ts';
import { areOpposite, effectSign } from './effect-signs.ts';
import { changeOf, type ResourceSample, samplesOf } from './resource-samples.ts';

const RUNS = { numRuns: rounds(100, 5000) };

/** Returns the risk input of an update. */
function updateOf(kind: Kind, before: ResourceSample, after: ResourceSample): RiskInput {
  return { action: 'update', after: after, before: { ...before, id: 'live' }, fields: changeOf(kind, before, after)?.fields ?? [] };
}

/** Returns the risk input of the reverse update. */
function reverse({ action, fields }: RiskInput, before: ResourceSample, after: ResourceSample): RiskInput {
  const backward = fields.map(({ path, before, after }) => ({ path, before: after, after: before }));
  return { action, after: before, before: { ...after, id: 'live' }, fields: backward };
}

/** Returns the risk input with every set in reverse order. */
function reorder({ action, after, before, fields }: RiskInput): RiskInput {
  return {
    action,
    after: after && { ...after, fields: reverseSetsIn(after.fields) },
    before: before && { ...before, fields: reverseSetsIn(before.fields) },
    fields: fields.map(({ path, before, after }) => ({ path, before: reverseSets(before), after: reverseSets(after) })),
  };
}

function reverseSetsIn(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).map(([member, value]) => [member, reverseSets(value)]));
}

function reverseSets(value: Json): Json {
  if (Array.isArray(value)) return value.every((item: Json) => typeof item === 'string') ? value.toReversed() : value;
  return isJsonObject(value) ? reverseSetsIn(value) : value;
}

describe.each(kinds.map((kind) => [kind.name, kind] as const))('the kind %s', (name, kind) => {
  let samples: fc.Arbitrary<ResourceSample>;
  beforeAll(async () => {
    samples = await samplesOf(name);
  });

  // As a whole, because a kind may give a reason at one field of an update and at another field of the reverse update.
  it('assesses the risk of each field of an update, and the reverse update has the opposite effects', () => {
    assertProperty(
      fc.property(samples, samples, (before, after) => {
        const input = updateOf(kind, before, after);
        const [forward, backward] = [kind.assessRisk(input), kind.assessRisk(reverse(input, before, after))];
        expect([forward.length, backward.length]).toEqual([input.fields.length, input.fields.length]);
        for (const assessments of [forward, backward]) effectSign(assessments);
        expect([forward, backward]).toSatisfy(() => areOpposite(forward, backward));
      }),
      RUNS,
    );
  });

  // A setting is only ever updated.
  if (kind.type === 'collection')
    it('assesses the risk of each field of a create and of a delete', () => {
      assertProperty(
        fc.property(samples, (sample) => {
          const changes = [changeOf(kind, null, sample), changeOf(kind, sample, null)];
          expect(changes.map((change) => change?.action)).toEqual(['create', 'delete']);
          const hasFields = !equal(sample.fields, kind.defaults());
          expect(changes.map((change) => (change?.fields ?? []).length > 0)).toEqual([hasFields, hasFields]);
          for (const { effect, reasons = [] } of changes.flatMap((change) => change?.fields ?? [])) effectSign([{ effect, reasons }]);
        }),
        RUNS,
      );
    });

  it('assesses sets alike, whatever the order of their elements', () => {
    assertProperty(
      fc.property(samples, samples, (before, after) => {
        const input = updateOf(kind, before, after);
        expect(kind.assessRisk(reorder(input))).toEqual(kind.assessRisk(input));
      }),
      RUNS,
    );
  });

  it('assesses no risk where no field differs', () => {
    assertProperty(
      fc.property(samples, (sample) => {
        expect(changeOf(kind, sample, sample)).toBeUndefined();
        expect(kind.assessRisk({ action: 'update', after: sample, before: { ...sample, id: 'live' }, fields: [] })).toEqual([]);
      }),
      RUNS,
    );
  });
});
