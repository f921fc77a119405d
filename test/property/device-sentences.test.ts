/** What the verdict and the section say of a class of devices is one and the same, and true, for any two policies. */
import fc from 'fast-check';
import { beforeAll, expect, test, vi } from 'vitest';
import { impactAnalyzer } from '../../src/app/device-impact.ts';
import type { Device } from '../../src/core/device-impact/device.ts';
import { DEVICE_CATALOG } from '../../src/core/device-impact/device-catalog.ts';
import { evaluateDevice } from '../../src/core/device-impact/evaluate.ts';
import { drmPolicy } from '../../src/core/kinds/drm-policy/index.ts';
import { combineEffects, worstPlayback } from '../../src/core/model/change.ts';
import { type PlaybackLevel, RESOLUTIONS, type Resolution } from '../../src/core/model/impact.ts';
import type { JsonObject } from '../../src/core/model/json.ts';
import { diffFields } from '../../src/core/plan/diff-fields.ts';
import { viewersSection } from '../../src/report/view/device-impact.ts';
import { effectSentences } from '../../src/report/view/effects.ts';
import { change, plan } from '../report/documents.ts';
import { rounds } from '../support/figures.ts';
import { assertProperty } from '../support/property.ts';
import { devices, edits, pairs, undefinedValues } from './policies.ts';

vi.setConfig({ testTimeout: rounds(60_000, 3_600_000) });

const ADDRESS = 'drm-policy/hd';

/** What a sentence says of a resolution: what it was before, and what it is afterwards. */
interface Claim {
  readonly pattern: RegExp;
  readonly says: 'lost' | 'may have lost' | 'may lose' | 'certain' | 'gained' | 'may gain' | 'limited' | 'limited, if at all';
  readonly isTrue: (before: PlaybackLevel, after: PlaybackLevel) => boolean;
}

const plays = (level: PlaybackLevel) => level === 'plays' || level === 'restricted';

/** The forms of the verdict, of the section and of reasons. The first that fits a sentence counts. */
const CLAIMS: readonly Claim[] = [
  { pattern: /may have played/, says: 'may have lost', isTrue: (before, after) => before === 'unknown' && after === 'refused' },
  {
    pattern: /(?:may|might) no longer play|it depends whether|not known whether .* still/,
    says: 'may lose',
    isTrue: (before, after) => plays(before) && after === 'unknown',
  },
  { pattern: /for certain|not known whether (?:it|they) did before/, says: 'certain', isTrue: (_before, after) => plays(after) },
  { pattern: /no longer play|nothing any more/, says: 'lost', isTrue: (before, after) => plays(before) && after === 'refused' },
  {
    pattern: /(?:may|might) also play|might play|may play now|not known whether .* playable/,
    says: 'may gain',
    isTrue: (before, after) => before === 'refused' && after === 'unknown',
  },
  { pattern: /with a new limit.*if .*at all/, says: 'limited, if at all', isTrue: (_before, after) => after === 'unknown' },
  { pattern: /with a new limit/, says: 'limited', isTrue: (_before, after) => plays(after) },
  { pattern: /also play|would play|plays? now|playable/, says: 'gained', isTrue: (before, after) => before === 'refused' && plays(after) },
];

function claimOf(sentence: string): Claim {
  const claim = CLAIMS.find(({ pattern }) => pattern.test(sentence));
  if (!claim) throw new Error(`unknown sentence: ${sentence}`);
  return claim;
}

/** The change of a policy, as a plan for one class of devices has it. */
function planOf(before: JsonObject, after: JsonObject, device: Device, isBlocked: boolean) {
  const fields = diffFields(before, after);
  const sides = { before: { id: 'x', fields: before }, after: { fields: after }, fields };
  const risks = drmPolicy.assessRisk({ action: 'update', ...sides });
  const beforeAfter = {
    completeKinds: new Set(['drm-policy', 'vmp-reject-statuses']),
    resourcesOf: (kind: string) =>
      kind === 'drm-policy' ? [{ address: ADDRESS, kind: drmPolicy.name, isDeclared: true, isWritten: true, before, after }] : [],
  };
  const { summary, playbackReasons } = impactAnalyzer([device])(beforeAfter);
  const reasons = [...(drmPolicy.assessPlayback?.({ action: 'update', ...sides }) ?? []), ...(playbackReasons.get(ADDRESS) ?? [])];
  const changed = change(ADDRESS, {
    effect: combineEffects(risks),
    playback: worstPlayback(reasons),
    playbackReasons: reasons,
    fields: fields.map((each, index) => ({ ...each, origin: 'change' as const, effect: 'neutral' as const, ...risks[index] })),
    blocked: isBlocked ? { check: 'weakening', reason: 'r', lift: { allow: 'weakening' } } : null,
  });
  return plan([changed], { impact: summary ?? { summaries: [], matrices: [], notes: [] } });
}

function resolutionsIn(text: string): readonly Resolution[] {
  return RESOLUTIONS.filter((resolution) => new RegExp(`\\b${resolution}\\b`).test(text));
}

/** The claims that were met, over all examples. */
const met = new Map<string, number>();
const device: fc.Arbitrary<Device> = fc.oneof(fc.constantFrom(...DEVICE_CATALOG), devices).map((each) => ({ ...each, name: 'the box' }));
const policies = pairs(fc.oneof({ arbitrary: edits, weight: 2 }, undefinedValues));

beforeAll(() => met.clear());

test('the verdict says of a device what the section says, and both say what is true of it before and afterwards', () => {
  assertProperty(
    fc.property(policies, device, fc.boolean(), ([before, after], box, isBlocked) => {
      const document = planOf(before, after, box, isBlocked);
      const rows = { before: evaluateDevice({ policy: before, vmp: [] }, box), after: evaluateDevice({ policy: after, vmp: [] }, box) };
      const inSection = viewersSection('plan', document)
        .items.filter(({ subject }) => subject === 'the box')
        .map(({ remarks: [first = ''] }) => first.split(' (')[0] ?? '')
        .filter((text) => !/with fewer limits|under other conditions/.test(text));
      const claims = inSection.flatMap((text) => resolutionsIn(text).map((resolution) => ({ resolution, ...claimOf(text), text })));
      for (const { says, resolution, isTrue, text } of claims) {
        met.set(says, (met.get(says) ?? 0) + 1);
        expect(isTrue(rows.before[resolution].playback, rows.after[resolution].playback), `${resolution}: ${text}`).toBe(true);
      }
      const said = new Set(claims.map(({ says, resolution }) => `${resolution} ${says}`));
      for (const sentence of effectSentences(document)
        .flatMap((text) => text.split('; '))
        .filter((text) => text.includes('the box'))) {
        const { says } = claimOf(sentence);
        met.set(`verdict: ${says}`, (met.get(`verdict: ${says}`) ?? 0) + 1);
        if (sentence.includes('nothing any more')) {
          expect(RESOLUTIONS.every((each) => rows.after[each].playback === 'refused')).toBe(true);
          const played = RESOLUTIONS.some((each) => plays(rows.before[each].playback));
          expect(sentence.includes('which may have played'), sentence).toBe(!played);
          continue;
        }
        const named = resolutionsIn(sentence);
        expect(named.length).toBeGreaterThan(0);
        for (const resolution of named) expect(said, sentence).toContain(`${resolution} ${says}`);
      }
    }),
    { numRuns: rounds(1_500, 40_000) },
  );
  for (const { says } of CLAIMS) expect(met.get(says) ?? 0, `section: ${says}`).toBeGreaterThan(0);
  for (const says of ['lost', 'may have lost', 'may lose', 'certain', 'gained', 'limited'])
    expect(met.get(`verdict: ${says}`) ?? 0, `verdict: ${says}`).toBeGreaterThan(0);
});
