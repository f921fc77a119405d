import fc from 'fast-check';
import { UNSET } from '../../../../src/core/kinds/key-rotation-schedule/declare.ts';
import type { JsonObject } from '../../../../src/core/model/json.ts';

/** Schedules, including those that only a service could return: without a frequency, and in unknown units. */
export const samples = fc
  .record(
    {
      enabled: fc.boolean(),
      frequency: fc.oneof(fc.constantFrom(1, 30, 60, 360), fc.integer({ min: -1, max: 62 })),
      unit: fc.constantFrom('d', 'm', 'w'),
      hour: fc.integer({ min: 0, max: 23 }),
      next_rotation: fc.constantFrom(1, 1_800_000_000_000, Number.MAX_SAFE_INTEGER),
    },
    { requiredKeys: ['enabled'] },
  )
  .map((fields) => ({ fields }));

/** Reads a schedule in the form of the API. */
export function sampleOf(schedule: JsonObject) {
  return { fields: { ...UNSET, ...schedule } };
}
