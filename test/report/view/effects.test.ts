/** What changes do to viewers and to protection, in words, with the resources that do it. */
import { expect, test } from 'vitest';
import type { BlockingCheck, PlaybackReason } from '../../../src/core/model/change.ts';
import type { PlanImpact, Resolution } from '../../../src/core/model/impact.ts';
import { effectSentences } from '../../../src/report/view/effects.ts';
import { type ChangeParts, rejectionReasons } from '../../support/changes.ts';
import { change, field, impactSummary, plan, planImpact } from '../documents.ts';

const OFF_AIR: PlaybackReason = { playback: 'stops', text: 'it goes off air', offAir: true };
const OFF: ChangeParts = { playback: 'stops', playbackReasons: [OFF_AIR] };
const LIMIT: BlockingCheck = {
  check: 'playback-loss',
  reason: 'r',
  lift: { edit: 'o' },
  limit: '4 of 23 active playlists go off air, over the limit of 2',
};
const PREMIUM = { address: 'drm-policy/premium', kind: 'drm-policy', name: 'premium' } as const;
const TV = { device: 'tv', name: 'TV', system: 'widevine' } as const;

function sentences(parts: readonly ChangeParts[], impact?: PlanImpact): readonly string[] {
  const changes = parts.map((each, index) => change(`playlist/p${index}`, each));
  return effectSentences(plan(changes, impact ? { impact } : {}));
}

function weakening(...texts: readonly string[]): ChangeParts {
  const reasons = texts.map((text) => ({ effect: 'weakens', text }) as const);
  return { effect: 'weakens', fields: [field('/x', 1, 2, { effect: 'weakens', reasons })] };
}

test('nothing is said of changes that do neither', () => {
  expect(sentences([{}, { effect: 'strengthens' }, { playback: 'gains' }, { action: 'forget', effect: 'weakens' }])).toEqual([]);
});

test('what goes off air is named, with the limit that it exceeds', () => {
  expect(sentences([OFF, OFF])).toEqual(['2 playlists go off air: p0, p1']);
  expect(sentences([OFF])).toEqual(['1 playlist goes off air: playlist p0']);
  expect(sentences(Array.from({ length: 5 }, () => ({ ...OFF, blocked: LIMIT })))).toEqual([
    '4 of 23 active playlists go off air, over the limit of 2: p0, p1, p2, p3 and 1 more',
  ]);
});

test('each limit that is exceeded is named, and what goes off air even if only another limit is', () => {
  const updates: BlockingCheck = { check: 'updates', reason: 'r', lift: { edit: 'o' }, limit: '2 of 3 live playlist objects updated' };
  const blocked = { check: 'playback-loss', reason: 'r', checks: [LIMIT, updates] } as const;
  expect(sentences([{ ...OFF, blocked }, { blocked: updates }])).toEqual([
    '4 of 23 active playlists go off air, over the limit of 2: playlist p0',
    '2 of 3 live playlist objects updated: p0, p1',
  ]);
  expect(sentences([{ ...OFF, blocked: updates }])).toEqual([
    '2 of 3 live playlist objects updated: playlist p0',
    '1 playlist would go off air: playlist p0',
  ]);
});

test('devices that play nothing any more under one policy are named with what they lose under another one', () => {
  const loss: PlaybackReason = { playback: 'stops', text: 't', devices: [TV], policies: ['drm-policy/a'] };
  const impact = planImpact(impactSummary({ devices: [TV], policies: ['drm-policy/b'], resolutions: ['HD'], changes: ['playlist/p1'] }));
  expect(sentences([{ playback: 'stops', playbackReasons: [loss] }, { playback: 'reduces' }], impact)).toEqual([
    'TV plays nothing any more under policy a',
    'playlist p1: TV no longer plays HD under policy b',
  ]);
});

test('devices that are expected to play are named beside those that are not, also if no class of them is known', () => {
  const unexpected: PlaybackReason = { playback: 'stops', text: 't', devices: [TV], policies: ['drm-policy/a'], expected: false };
  const rejecting = (...statuses: readonly string[]): ChangeParts => ({
    playback: 'stops',
    playbackReasons: [unexpected, ...rejectionReasons(statuses)],
  });
  const named = 'TV plays nothing any more under policy a (not expected to play)';
  expect(sentences([rejecting('PLATFORM_UNVERIFIED')])).toEqual([named]);
  expect(sentences([rejecting('PLATFORM_UNVERIFIED', 'X')])).toEqual([
    named,
    'playlist p0 stops playback: devices with VMP status X get no licenses any more',
  ]);
});

test('devices that play nothing any more are named once, and not again with what they lose', () => {
  const loss: PlaybackReason = { playback: 'stops', text: 't', devices: [TV], policies: ['drm-policy/a'] };
  const impact = planImpact(impactSummary({ devices: [TV], policies: ['drm-policy/a'], changes: ['playlist/p0'] }));
  expect(sentences([{ playback: 'stops', playbackReasons: [loss] }], impact)).toEqual(['TV plays nothing any more under policy a']);
});

test('other reasons why something stops are given with the changes', () => {
  const reason: PlaybackReason = { playback: 'stops', text: 'playback is not allowed' };
  expect(sentences([{ playback: 'stops', playbackReasons: [reason] }, { playback: 'stops' }])).toEqual([
    'playlist p0 stops playback: playback is not allowed',
    'playlist p1 stops playback',
  ]);
});

test('what weakens protection is named with its kind and its reasons, each once', () => {
  expect(sentences([{ ...PREMIUM, ...weakening('a', 'b', 'a', 'c', 'd', 'e') }])).toEqual([
    'DRM policy premium weakens protection: a; b; c; d; and 1 more',
  ]);
  expect(sentences([weakening('a'), weakening('a'), weakening('b')])).toEqual([
    'p0, p1 weaken protection: a',
    'playlist p2 weakens protection: b',
  ]);
});

test('a policy that weakens protection is first said to play more on which devices, then why, then what it takes away', () => {
  const summary = (more: Parameters<typeof impactSummary>[0]) => impactSummary({ changes: [PREMIUM.address], devices: [TV], ...more });
  const impact = {
    ...planImpact(summary({ outcome: 'lost', resolutions: ['SD', 'HD'] })),
    summaries: [
      summary({ outcome: 'lost', resolutions: ['SD', 'HD'] }),
      summary({ outcome: 'restricted', resolutions: ['UHD2'] }),
      summary({ outcome: 'gained', resolutions: ['UHD1'] }),
      summary({ outcome: 'changed', resolutions: ['UHD1'] }),
    ],
  };
  expect(sentences([{ ...PREMIUM, ...weakening('a'), playback: 'reduces' }], impact)).toEqual([
    'DRM policy premium weakens protection: TV also plays 4K (UHD1)',
    'DRM policy premium in detail: a',
    'DRM policy premium: TV no longer plays SD, HD',
    'DRM policy premium: TV plays 8K (UHD2) with a new limit',
  ]);
  expect(sentences([{ ...PREMIUM, playback: 'gains' }], impact)).toEqual([]);
});

test('one sentence says what the same devices play more, with the policies of each resolution', () => {
  const summary = (resolutions: readonly Resolution[], ...policies: readonly string[]) =>
    impactSummary({ outcome: 'gained', changes: ['playlist/p0'], devices: [TV], resolutions, policies });
  const impact = planImpact(
    summary(['SD'], 'drm-policy/web'),
    summary(['SD', 'HD'], 'drm-policy/kids', 'default policy'),
    summary(['UHD2'], 'drm-policy/a', 'drm-policy/b', 'drm-policy/c', 'drm-policy/d'),
  );
  expect(sentences([weakening()], impact)).toEqual([
    'playlist p0 weakens protection: TV also plays SD under policy web; SD, HD under policy kids and the default policy; 8K (UHD2) under policies a, b, c and 1 more',
  ]);
});

test('each class of devices that gains something else has a sentence of its own', () => {
  const phone = { device: 'phone', name: 'phone', system: 'widevine' } as const;
  const gained = { outcome: 'gained', changes: ['playlist/p0'], policies: ['drm-policy/a'] } as const;
  const impact = planImpact(
    impactSummary({ ...gained, devices: [TV] }),
    impactSummary({ ...gained, devices: [phone], resolutions: ['SD'] }),
  );
  expect(sentences([weakening()], impact)).toEqual([
    'playlist p0 weakens protection: TV also plays HD under policy a',
    'playlist p0 weakens protection: phone also plays SD under policy a',
  ]);
});

test('classes of devices that gain the same by different reasons share a sentence', () => {
  const phone = { device: 'phone', name: 'phone', system: 'widevine' } as const;
  const gained = { outcome: 'gained', changes: ['playlist/p0'], policies: ['drm-policy/a'] } as const;
  const impact = planImpact(impactSummary({ ...gained, devices: [TV] }), impactSummary({ ...gained, devices: [phone] }));
  expect(sentences([weakening()], impact)).toEqual(['playlist p0 weakens protection: TV and phone also play HD under policy a']);
});

test('what is blocked would happen, and has not', () => {
  const loss: PlaybackReason = { playback: 'stops', text: 't', devices: [TV], policies: ['drm-policy/a'] };
  const impact = planImpact(
    impactSummary({ outcome: 'gained', changes: ['playlist/p0'], devices: [TV] }),
    impactSummary({ outcome: 'lost', changes: ['playlist/p1'], devices: [TV] }),
    impactSummary({ outcome: 'uncertain', changes: ['playlist/p1'], devices: [TV] }),
    impactSummary({ outcome: 'restricted', changes: ['playlist/p1'], devices: [TV] }),
  );
  const blocked = { check: 'weakening', reason: 'r', lift: { edit: 'o' } } as const;
  const reducing: ChangeParts = { playback: 'reduces', playbackReasons: [{ playback: 'reduces', text: 'x' }] };
  expect(sentences([{ ...weakening('a'), blocked }, reducing, OFF, { playback: 'stops', playbackReasons: [loss] }], impact)).toEqual([
    '1 playlist would go off air: playlist p2',
    'TV would play nothing any more under policy a',
    'playlist p0 would weaken protection: TV would also play HD under policy premium',
    'playlist p0 in detail: a',
    'playlist p1: TV would no longer play HD under policy premium',
    'playlist p1: TV would play HD for certain under policy premium, which was not known before',
    'playlist p1: TV would play HD with a new limit under policy premium',
  ]);
  expect(sentences([{ blocked }, reducing, { playback: 'unknown' }])).toEqual([
    'playlist p1 would reduce playback: x',
    'playlist p2 might affect playback',
  ]);
});

test('what reduces playback, or may affect it, is named where nothing is known about devices', () => {
  const reason = (playback: 'reduces' | 'unknown', text: string): ChangeParts => ({ playback, playbackReasons: [{ playback, text }] });
  expect(sentences([reason('unknown', 'renamed'), reason('reduces', 'it repeats less often')])).toEqual([
    'playlist p1 reduces playback: it repeats less often',
    'playlist p0 may affect playback: renamed',
  ]);
});

test('seven sentences are shown, and the others counted', () => {
  const all = sentences(Array.from({ length: 9 }, (_, index) => weakening(`${index}`)));
  expect([all.length, all.at(-1)]).toEqual([8, 'And 2 more effects, at the changes']);
});
