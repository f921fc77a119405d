/** The verdict that begins a report: it says what is true of the changes and of the read, or that it is not known. */
import { describe, expect, test } from 'vitest';
import type { PlaybackReason } from '../../../src/core/model/change.ts';
import type { Plan } from '../../../src/core/model/plan.ts';
import { verdictView } from '../../../src/report/view/verdict.ts';
import { type ChangeParts, rejectionReasons } from '../../support/changes.ts';
import { change, field, impactSummary, plan, planImpact, waiting } from '../documents.ts';

const BLOCKED = { check: 'weakening', reason: 'r', lift: { allow: 'weakening' } } as const;
const ROLLBACK = {
  check: 'rollback',
  reason: 'its file went back',
  lift: { edit: 'apply a commit that contains that one', allow: 'rollback' },
} as const;
const OFF_AIR: PlaybackReason = { playback: 'stops', text: 'it goes off air', offAir: true };
const TAMPERED: PlaybackReason = {
  playback: 'stops',
  text: 'plays nothing any more',
  devices: [{ device: 'tampered', name: 'tampered', system: 'widevine' }],
  policies: ['drm-policy/a'],
  expected: false,
};
/** Rejects a status that only unexpected devices have, and others. */
const rejects = (...statuses: readonly string[]): ChangeParts => ({
  playback: 'stops',
  playbackReasons: [TAMPERED, ...rejectionReasons(statuses)],
});
const INCOMPLETE = { readStatus: { playlist: 'incomplete', 'drm-policy': 'complete' } } as const;
const UNREAD = { readStatus: { playlist: 'incomplete' } } as const;

function verdict(type: 'plan' | 'drift', parts: readonly ChangeParts[], more: Partial<Plan> = {}) {
  const changes = parts.map((each, index) => change(`playlist/p${index}`, each));
  return verdictView(type, plan(changes, more));
}

const weakens = { effect: 'weakens' } as const;
const stops = { playback: 'stops', playbackReasons: [OFF_AIR] } as const;
const stopsTampered = { playback: 'stops', playbackReasons: [TAMPERED] } as const;

describe('the verdict of a plan', () => {
  test.each<[headline: string, style: string, changes: readonly ChangeParts[], more?: Partial<Plan>]>([
    ['Nothing to do: the account matches the repository', 'good', []],
    ['Ready to apply: 1 change; protection and playback stay as they are', 'good', [{}]],
    [
      'Ready to apply: 2 changes, of which 1 in what playlist p0 plays; protection and devices stay as they are',
      'good',
      [{ fields: [field('/playlist', [], [{ ad: { dur: 60 } }])] }, { fields: [field('/desc', 'a', 'b')] }],
    ],
    [
      'Ready to apply: 2 changes, in what p0, p1 play; protection and devices stay as they are',
      'good',
      [{ fields: [field('/playlist', [], [1])] }, { fields: [field('/playlist', [], [1])] }],
    ],
    [
      'Ready to apply: 1 change; protection and playback stay as they are',
      'good',
      [{ action: 'create', fields: [field('/playlist', null, [1])] }],
    ],
    ['Ready to apply: 4 changes; protection and playback stay as they are', 'good', [{}, {}, {}, {}]],
    [
      'Waits: its window is closed: incident 4711. Then 1 change; protection and playback stay as they are',
      'warning',
      [{}],
      { decision: waiting({ rule: 'window', reason: 'its window is closed: incident 4711' }) },
    ],
    [
      'Waits until 2026-12-01 08:00 Europe/Berlin (2026-12-01T07:00:00Z): its window is closed: weekend. Then 1 change weakens protection',
      'alarm',
      [weakens],
      {
        decision: waiting({
          rule: 'window',
          reason: 'its window is closed: weekend',
          until: '2026-12-01T07:00:00.000Z',
          localUntil: '2026-12-01 08:00 Europe/Berlin',
        }),
      },
    ],
    [
      'Ready to apply: 2 changes; none weakens protection or stops or reduces playback',
      'good',
      [{ effect: 'strengthens' }, { playback: 'gains' }],
    ],
    [
      'Waits until the commit is merged. Then 1 change; protection and playback stay as they are',
      'warning',
      [{}],
      { decision: waiting({ rule: 'not-on-branch', reason: 'commit 1a2b is not on origin/main, from which live is applied' }) },
    ],
    [
      'Waits until the edits are committed and the commit is merged, and after that: its window is closed: weekend; until 2026-12-01T07:00:00Z. Then 1 change; protection and playback stay as they are',
      'warning',
      [{}],
      {
        decision: waiting(
          { rule: 'dirty', reason: 'the work tree differs' },
          { rule: 'not-on-branch', reason: 'commit 1a2b is not on origin/main' },
          { rule: 'window', reason: 'its window is closed: weekend', until: '2026-12-01T07:00:00.000Z' },
        ),
      },
    ],
    [
      'Cannot tell whether it may be applied: its stages and windows cannot be read. Blocked: playlist p0 would weaken protection',
      'alarm',
      [{ ...weakens, blocked: BLOCKED }, {}],
      { decision: waiting({ rule: 'window', status: 'unknown', reason: 'its stages and windows cannot be read' }) },
    ],
    ['May be applied, with a risk: 1 of 2 changes weakens protection', 'alarm', [weakens, {}]],
    ['Viewers lose playback, and nothing blocks it: 2 changes stop playback', 'alarm', [stops, { playback: 'stops' }]],
    ['Viewers lose playback, and nothing blocks it: 1 change, 1 stops playback, 1 weakens protection', 'alarm', [{ ...stops, ...weakens }]],
    ['May be applied, with a risk: 1 change stops playback on devices that are not expected to play', 'alarm', [stopsTampered]],
    [
      'May be applied, with a risk: 1 change stops playback on devices that are not expected to play',
      'alarm',
      [rejects('PLATFORM_TAMPERED')],
    ],
    [
      'Viewers lose playback, and nothing blocks it: 1 change stops playback',
      'alarm',
      [rejects('PLATFORM_TAMPERED', 'PLATFORM_SECURE_STORAGE_SOFTWARE_VERIFIED')],
    ],
    [
      'Viewers lose playback, and nothing blocks it: 1 change stops playback',
      'alarm',
      [{ playback: 'stops', playbackReasons: [TAMPERED, OFF_AIR] }],
    ],
    [
      'May be applied, with a risk: 2 changes, 1 reduces playback, 1 may affect playback',
      'warning',
      [{ playback: 'reduces' }, { playback: 'unknown' }],
    ],
    ['May be applied, with a risk: 1 change, and some devices play less', 'warning', [{}], { impact: planImpact(impactSummary()) }],
    [
      'Ready to apply: 1 change; protection and playback stay as they are',
      'good',
      [{}],
      { impact: planImpact(impactSummary({ outcome: 'uncertain', uncertain: false })) },
    ],
    [
      'Ready to apply: 1 change; protection and playback stay as they are',
      'good',
      [{}],
      { impact: planImpact(impactSummary({ outcome: 'changed' })) },
    ],
    ['Blocked: playlist p0 would weaken protection', 'alarm', [{ ...weakens, blocked: BLOCKED }, {}, {}]],
    [
      'Blocked: 2 of 3 changes would weaken protection',
      'alarm',
      [{ ...weakens, blocked: BLOCKED }, { ...weakens, ...stopsTampered, blocked: BLOCKED }, {}],
    ],
    [
      'Blocked: 2 changes would stop playback',
      'alarm',
      [
        { ...stops, blocked: BLOCKED },
        { ...stops, ...weakens, blocked: BLOCKED },
      ],
    ],
    [
      'Blocked: 2 of 3 changes (1 would stop playback, 1 would weaken protection)',
      'alarm',
      [{ ...stops, blocked: BLOCKED }, { ...weakens, blocked: BLOCKED }, weakens],
    ],
    [
      'Blocked: 2 changes would delete something',
      'alarm',
      [
        { action: 'delete', blocked: BLOCKED },
        { action: 'delete', blocked: BLOCKED },
      ],
    ],
    ['Blocked: playlist p0 would be updated', 'alarm', [{ blocked: BLOCKED }, stops]],
    ['Blocked: playlist p0: its file went back', 'alarm', [{ ...weakens, playback: 'reduces', blocked: ROLLBACK }, stops]],
    ['Blocked: 2 of 3 changes: its file went back', 'alarm', [{ ...weakens, blocked: ROLLBACK }, { blocked: ROLLBACK }, stops]],
    ['Blocked: 2 of 3 changes (1 would weaken protection)', 'alarm', [{ ...weakens, blocked: ROLLBACK }, { blocked: BLOCKED }, stops]],
    ['Blocked: playlist p0 would be deleted', 'alarm', [{ action: 'delete', blocked: BLOCKED }, {}]],
    ['Blocked: 2 of 3 changes', 'alarm', [{ blocked: BLOCKED }, { blocked: BLOCKED }, stops]],
    [
      'Blocked: DRM policy premium would weaken protection and reduce playback',
      'alarm',
      [{ address: 'drm-policy/premium', kind: 'drm-policy', name: 'premium', ...weakens, playback: 'reduces', blocked: BLOCKED }, {}],
    ],
    [
      'Blocked: static-key would stop playback and weaken protection',
      'alarm',
      [{ address: 'static-key', kind: 'static-key', name: 'static-key', ...stops, ...weakens, blocked: BLOCKED }],
    ],
    ['Nothing to write: 1 change of the ledger only', 'good', [{ action: 'forget' }]],
    ['Cannot tell: nothing could be read', 'alarm', [], UNREAD],
    ['Cannot tell for playlist. For the rest: Nothing to do in what was looked at', 'alarm', [], INCOMPLETE],
    ['Cannot tell for playlist. For the rest: 1 change; protection and playback stay as they are', 'alarm', [{}], INCOMPLETE],
    [
      'Cannot tell for playlist. For the rest: Blocked: playlist p0 would weaken protection',
      'alarm',
      [{ ...weakens, blocked: BLOCKED }],
      INCOMPLETE,
    ],
    ['Cannot tell for playlist. For the rest: 1 change stops playback', 'alarm', [stops], INCOMPLETE],
    ['Cannot tell: nothing could be read', 'alarm', [], { readStatus: {}, unread: [{ kind: 'playlist', refused: true, reason: 'r' }] }],
    ['Nothing to do in what was looked at', 'good', [], { readStatus: { playlist: 'complete', 'static-key': 'skipped' } }],
    ['Nothing was looked at', 'quiet', [], { readStatus: { playlist: 'skipped' } }],
    ['Nothing was looked at', 'quiet', [], { readStatus: { playlist: 'unmanaged', 'static-key': 'unmanaged' } }],
    ['Nothing to do in what was looked at', 'quiet', [], { leftOut: { onlyOrigin: 'change', count: 2 } }],
    [
      'Behind the commit last applied: rebase; this commit brings no change of its own',
      'warning',
      [],
      { behind: [change('playlist/x', { blocked: ROLLBACK })] },
    ],
    [
      'Behind the commit last applied: rebase, then 1 change; protection and playback stay as they are',
      'warning',
      [{}],
      { behind: [change('playlist/x', { blocked: ROLLBACK })] },
    ],
    [
      'Behind the commit last applied: rebase, then 1 change stops playback',
      'alarm',
      [stops],
      { behind: [change('playlist/x', { blocked: ROLLBACK })] },
    ],
  ])('says "%s" (%s)', (headline, style, changes, more) => {
    expect(verdict('plan', changes, more)).toMatchObject({ headline, style });
  });

  test('never calls a plan ready or harmless if anything is blocked, weakened, stopped, reduced, unknown, unread or behind', () => {
    for (const blocked of [null, BLOCKED])
      for (const effect of ['neutral', 'weakens', 'strengthens'] as const)
        for (const playback of ['neutral', 'gains', 'unknown', 'reduces', 'stops'] as const)
          for (const readStatus of [{ playlist: 'complete' }, INCOMPLETE.readStatus, UNREAD.readStatus] as const)
            for (const behind of [[], [change('playlist/x', { blocked: ROLLBACK })]]) {
              const isUnread = !('drm-policy' in readStatus) && readStatus.playlist === 'incomplete';
              const { headline, style } = verdict('plan', isUnread ? [] : [{ blocked, effect, playback }, {}], { readStatus, behind });
              const isComplete = readStatus.playlist === 'complete';
              const isHarmless = effect !== 'weakens' && (playback === 'neutral' || playback === 'gains');
              const isReady = blocked === null && isHarmless && isComplete && behind.length === 0;
              expect([headline.startsWith('Ready to apply'), style === 'good']).toEqual([isReady, isReady]);
              if (isUnread) continue;
              expect(headline.includes('Cannot tell')).toBe(!isComplete);
              expect(headline.includes('Blocked')).toBe(blocked !== null);
              expect(headline.includes('protection and playback stay as they are')).toBe(
                blocked === null && effect === 'neutral' && playback === 'neutral',
              );
              expect(/none weakens|stay as they are/.test(headline)).toBe(blocked === null && isHarmless);
              expect(/\bweakens? protection/.test(headline) && !headline.includes('none')).toBe(effect === 'weakens');
              expect(/would|might/.test(headline)).toBe(blocked !== null);
              expect(/\b(?:p0|1|changes) .*stops?\b/.test(headline) && !headline.includes('none')).toBe(playback === 'stops');
            }
  });

  test('adds the sentence of the plan only where something could not be read, because the effects say the rest', () => {
    const details = (changes: readonly ChangeParts[], more: Partial<Plan> = {}) =>
      verdict('plan', changes, { risks: 'what the plan says', ...more }).lines.some(({ text }) => text === 'what the plan says');
    expect([details([stops]), details([{ ...weakens, blocked: BLOCKED }]), details([], INCOMPLETE)]).toEqual([false, false, true]);
  });

  test('says what --only-origin leaves out, whether or not there are changes', () => {
    for (const changes of [[], [{}]])
      expect(verdict('plan', changes, { leftOut: { onlyOrigin: 'change', count: 2 } }).lines.map(({ text }) => text)).toEqual([
        'What was done by hand to 2 resources is left out by `--only-origin change`.',
      ]);
  });
});

describe('the verdict of a drift report', () => {
  test.each<[headline: string, style: string, changes: readonly ChangeParts[], more?: Partial<Plan>]>([
    ['No drift: the account is as expected', 'good', []],
    ['No drift in what was looked at', 'good', [], { readStatus: { playlist: 'complete', 'static-key': 'skipped' } }],
    ['Nothing was looked at', 'quiet', [], { readStatus: { playlist: 'skipped' } }],
    ['Nothing was looked at', 'quiet', [], { readStatus: { playlist: 'unmanaged' } }],
    ['Cannot tell: nothing could be read', 'alarm', [], UNREAD],
    ['Cannot tell for playlist. For the rest: No drift in what was looked at', 'alarm', [], INCOMPLETE],
    ['Drift: 1 difference', 'warning', [{}]],
    ['Drift: 1 of 2 differences weakens protection', 'alarm', [weakens, {}]],
    ['Drift: 3 differences, 1 stops playback, 2 weaken protection', 'alarm', [weakens, { ...weakens, ...stops }, {}]],
  ])('says "%s" (%s)', (headline, style, changes, more) => {
    expect(verdict('drift', changes, more)).toMatchObject({ headline, style });
  });

  test('offers no release, since nothing is to be written', () => {
    expect(verdict('drift', [{ blocked: BLOCKED }]).lines).toEqual([]);
  });
});

test('reasons that are no effects come before the effects, unless the headline gives the only one', () => {
  const blocked = [
    { ...weakens, blocked: ROLLBACK },
    { ...weakens, blocked: { check: 'observe', reason: 'it is only observed', lift: { edit: 'edit' } } },
  ] as const;
  const texts = (parts: readonly ChangeParts[]) => verdict('plan', parts).lines.map(({ text }) => text);
  expect(texts(blocked)).toEqual(['playlist p0: its file went back', 'playlist p1: it is only observed', 'p0, p1 would weaken protection']);
  expect(texts(blocked.slice(0, 1))).toEqual(['playlist p0 would weaken protection']);
  expect(verdict('drift', blocked).lines.map(({ text }) => text)).toHaveLength(1);
});
