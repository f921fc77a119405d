/** The effects of a policy change and its impact on devices agree, for any policies. */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { playbackRank } from '../../src/core/device-impact/combine.ts';
import { compareDevices, isAffected } from '../../src/core/device-impact/compare.ts';
import type { Device } from '../../src/core/device-impact/device.ts';
import { DEVICE_CATALOG } from '../../src/core/device-impact/device-catalog.ts';
import { evaluateDevice } from '../../src/core/device-impact/evaluate.ts';
import { valueAt } from '../../src/core/device-impact/track-requirements.ts';
import { drmPolicy } from '../../src/core/kinds/drm-policy/index.ts';
import { combineEffects, type RiskReason } from '../../src/core/model/change.ts';
import { RESOLUTIONS } from '../../src/core/model/impact.ts';
import { equal, type JsonObject } from '../../src/core/model/json.ts';
import { diffFields } from '../../src/core/plan/diff-fields.ts';
import { recordCheck, rounds } from '../support/figures.ts';
import { assertProperty } from '../support/property.ts';
import { demands, devices, edits, pairs, readings, TELLING, vmpSets, writtenOut } from './policies.ts';

vi.setConfig({ testTimeout: rounds(60_000, 3_600_000) });

/** All reasons for a change of a policy. */
function reasons(before: JsonObject, after: JsonObject): readonly RiskReason[] {
  const fields = diffFields(before, after);
  return drmPolicy
    .assessRisk({ action: 'update', before: { id: 'x', fields: before }, after: { fields: after }, fields })
    .flatMap((assessment) => assessment.reasons);
}

function effectOf(before: JsonObject, after: JsonObject): string {
  return combineEffects(reasons(before, after));
}

/** Whether the rules for one of these devices differ between two policies, also where it plays nothing under either. */
function isTold([before, after]: readonly [JsonObject, JsonObject], to = TELLING): boolean {
  const rulesUnder = (policy: JsonObject, device: Device) =>
    Object.values(evaluateDevice({ policy, vmp: [] }, device)).map(({ rules }) =>
      [...new Set(rules.map(({ outcome, output, text }) => `${outcome} ${output} ${text}`))].sort(),
    );
  return to.some((device) => !equal(rulesUnder(before, device), rulesUnder(after, device)));
}

/** Whether a policy has a lease, and nothing that says how long it is valid. */
function hasOpenLease(policy: JsonObject): boolean {
  const isOn = (name: string) => valueAt(policy, ['fairplay', name]) === true;
  return isOn('lease') && !isOn('persistence');
}

// Enough to meet every effect: the rarest is one case in eight.
const RUNS = rounds(60, 2000);

/** Runs a property, and counts it for the table of proofs. A value to which it does not apply (`fc.pre`) does not count. */
async function holds<T>(name: string, arbitrary: fc.Arbitrary<T>, check: (value: T) => void): Promise<void> {
  await recordCheck({ proof: 'effects and impact', name, wanted: `${RUNS} cases` }, () => {
    let runs = 0;
    assertProperty(
      fc.property(arbitrary, (value) => {
        check(value);
        runs += 1;
      }),
      { numRuns: RUNS },
    );
    expect(runs).toBeGreaterThanOrEqual(RUNS);
    return runs;
  });
}

describe('the effect of a reversed change', () => {
  // Open zeroes, and leases whose length is open, are left out here: to one and from one both weaken, which the truth tables of drm-policy's
  // effects show.
  test('is the opposite of the change, reason by reason', async () => {
    await holds('mirror', pairs(edits), ([before, after]) => {
      fc.pre(![before, after].some(hasOpenLease));
      const mirrored = reasons(after, before).map(({ effect }) => (effect === 'weakens' ? 'strengthens' : 'weakens'));
      const there = reasons(before, after).map(({ effect }) => effect);
      expect(new Set(there)).toEqual(new Set(mirrored));
      expect(there).toHaveLength(mirrored.length);
    });
  });
});

describe('robustness and output settings', () => {
  test('are neutral exactly where no device is affected', async () => {
    const seen = new Map<string, number>();
    await holds('neutral iff no device can tell', pairs(demands(false)), (pair) => {
      const effect = effectOf(...pair);
      seen.set(effect, (seen.get(effect) ?? 0) + 1);
      expect(effect === 'neutral').toBe(!isTold(pair));
    });
    expect([...seen.keys()].sort()).toEqual(['neutral', 'strengthens', 'weakens']);
  });

  test('are neutral exactly where no device is affected, whichever of several elements counts', async () => {
    const seen = new Map<string, number>();
    await holds('neutral iff no device can tell, with overlaps', pairs(demands(true)), ([before, after]) => {
      const effect = effectOf(before, after);
      seen.set(effect, (seen.get(effect) ?? 0) + 1);
      const [were, are] = [readings(before), readings(after)];
      expect(effect === 'neutral').toBe(!were.some((was, nth) => isTold([was, are[nth] ?? was])));
    });
    expect([...seen.keys()].sort()).toEqual(['neutral', 'strengthens', 'weakens']);
  });

  test('are neutral only where no device sees a difference, even where the API documents leave the effect open', async () => {
    await holds(
      'neutral, any device',
      fc.tuple(pairs(demands(true)), fc.array(devices, { minLength: 1, maxLength: 20 })),
      ([pair, some]) => {
        fc.pre(effectOf(...pair) === 'neutral');
        expect(isTold(pair, [...TELLING, ...some])).toBe(false);
      },
    );
  });

  test('are neutral where only the notation differs', async () => {
    await holds('rewrites', pairs(demands(false)), ([policy]) => {
      expect(reasons(policy, writtenOut(policy))).toEqual([]);
      expect(reasons(writtenOut(policy), policy)).toEqual([]);
      expect(isTold([policy, writtenOut(policy)], [...DEVICE_CATALOG, ...TELLING])).toBe(false);
    });
  });
});

describe('a device', () => {
  test('never gains from changes that only strengthen, nor loses from changes that only weaken', async () => {
    const counted = { strengthens: 0, weakens: 0 };
    await holds(
      'no gain, no loss',
      fc.tuple(pairs(edits), vmpSets, fc.array(devices, { minLength: 1, maxLength: 20 })),
      ([pair, vmp, some]) => {
        const [policy, after] = pair;
        const kinds = new Set(reasons(...pair).map(({ effect }) => effect));
        fc.pre(kinds.size === 1);
        const strengthens = kinds.has('strengthens');
        counted[strengthens ? 'strengthens' : 'weakens'] += 1;
        for (const found of compareDevices('p', { policy, vmp }, { policy: after, vmp }, [...TELLING, ...some])) {
          const { gained, unrestricted, lost, restricted, uncertain } = found;
          const isOpen = uncertain.filter((resolution) => found.after[resolution].playback === 'unknown');
          expect(strengthens ? [...gained, ...unrestricted] : [...lost, ...restricted, ...isOpen], JSON.stringify(found)).toEqual([]);
          for (const resolution of RESOLUTIONS) {
            const rise = playbackRank(found.after[resolution].playback) - playbackRank(found.before[resolution].playback);
            expect(strengthens ? rise <= 0 : rise >= 0).toBe(true);
          }
        }
      },
    );
    expect(Math.min(counted.strengthens, counted.weakens)).toBeGreaterThan(0);
  });
});

test('a policy equal to the default has no impact', () => {
  const side = { policy: drmPolicy.defaults(), vmp: null };
  for (const found of compareDevices('p', side, { ...side, policy: writtenOut(side.policy) }, [...DEVICE_CATALOG, ...TELLING])) {
    expect(isAffected(found)).toBe(false);
  }
});
