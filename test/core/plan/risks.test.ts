/** The risks: what a plan does to viewers and to protection, in one line. */
import { describe, expect, test } from 'vitest';
import type { PlaybackReason } from '../../../src/core/model/change.ts';
import type { LeftByOrigin, ReadStatus } from '../../../src/core/model/plan.ts';
import { risksOf } from '../../../src/core/plan/risks.ts';
import { type ChangeParts, changeOf, rejectionReasons } from '../../support/changes.ts';

const OFF_AIR: PlaybackReason = { playback: 'stops', text: 'it goes off air', offAir: true };

/** A loss of all tracks by classes of devices. */
function lost(names: readonly string[], policies: readonly string[], expected = true): PlaybackReason {
  const devices = names.map((name) => ({ device: name, name, system: 'widevine' as const }));
  return { playback: 'stops', text: 'plays nothing any more', devices, policies, ...(expected ? {} : { expected: false }) };
}

function stopping(address: string, ...playbackReasons: readonly PlaybackReason[]): ChangeParts {
  return { address, kind: address.split('/')[0] ?? '', playback: 'stops', playbackReasons };
}

function risks(changes: readonly ChangeParts[], readStatus: { readonly [kind: string]: ReadStatus } = { playlist: 'complete' }): string {
  return risksOf('plan', { changes: changes.map((parts) => changeOf(parts)), readStatus });
}

describe('the risks of a plan', () => {
  test('counts what goes off air by kind', () => {
    expect(risks([stopping('playlist/a', OFF_AIR)])).toBe('1 change stops playback: 1 playlist goes off air.');
    expect(risks([stopping('playlist/a', OFF_AIR), stopping('playlist/b', OFF_AIR), stopping('channel/c', OFF_AIR)])).toBe(
      '3 changes stop playback: 2 playlists go off air; 1 channel goes off air.',
    );
  });

  test('names the classes of devices that lose everything, once for all changes, with the policies', () => {
    const changes = [
      stopping('drm-policy/a', lost(['TV', 'phone'], ['drm-policy/a'])),
      stopping('drm-policy/b', lost(['TV'], ['drm-policy/b']), { playback: 'reduces', text: 'other' }),
      stopping('vmp', lost(['phone'], ['drm-policy/b', 'default policy']), { playback: 'stops', text: 'no licenses' }),
    ];
    expect(risks(changes)).toBe(
      '3 changes stop playback: TV plays nothing any more under drm-policy/a and drm-policy/b; phone plays nothing any more under drm-policy/a, drm-policy/b and the default policy.',
    );
    expect(risks([stopping('vmp', lost(['TV', 'phone', 'tablet'], ['default policy']))])).toBe(
      '1 change stops playback: TV, phone and tablet play nothing any more under the default policy.',
    );
  });

  test('names classes that are not expected to play last, and says so', () => {
    const changes = [stopping('vmp', lost(['tampered'], ['drm-policy/a'], false), lost(['TV'], ['drm-policy/a']))];
    expect(risks(changes)).toBe(
      '1 change stops playback: TV plays nothing any more under drm-policy/a; tampered plays nothing any more under drm-policy/a (not expected to play).',
    );
  });

  test('gives other reasons of what stops only where a change has nothing better', () => {
    const plain: PlaybackReason = { playback: 'stops', text: 'playback will no longer be allowed' };
    expect(risks([stopping('drm-policy/a', plain), stopping('drm-policy/b', plain), stopping('playlist/a', OFF_AIR, plain)])).toBe(
      '3 changes stop playback: 1 playlist goes off air; playback will no longer be allowed.',
    );
  });

  test('does not list among what stops what the same change merely reduces', () => {
    const change = stopping('drm-policy/a', { playback: 'stops', text: 'no licenses' }, { playback: 'reduces', text: 'fewer tracks' });
    expect(risks([change])).toBe('1 change stops playback: no licenses.');
  });

  test('says what else stops beside classes that are not expected to play', () => {
    const rejecting = (...statuses: readonly string[]): ChangeParts =>
      stopping('vmp', lost(['tampered'], ['drm-policy/a'], false), ...rejectionReasons(statuses));
    const tampered = '1 change stops playback: tampered plays nothing any more under drm-policy/a (not expected to play)';
    expect(risks([rejecting('PLATFORM_UNVERIFIED')])).toBe(`${tampered}.`);
    expect(risks([rejecting('PLATFORM_UNVERIFIED', 'X')])).toBe(`${tampered}; devices with VMP status X get no licenses any more.`);
  });

  test('names three classes and three clauses, and counts the others', () => {
    const many = stopping('drm-policy/a', lost(['a', 'b', 'c', 'd', 'e'], ['drm-policy/a']));
    expect(risks([many])).toBe('1 change stops playback: a, b, c and 2 more classes of devices play nothing any more under drm-policy/a.');
    const kinds = ['k1', 'k2', 'k3', 'k4', 'k5'].map((kind) => stopping(`${kind}/a`, OFF_AIR));
    expect(risks(kinds)).toBe('5 changes stop playback: 1 k1 goes off air; 1 k2 goes off air; 1 k3 goes off air; and 2 more.');
  });

  test('counts the other risks, worst first', () => {
    const changes: readonly ChangeParts[] = [
      { address: 'a', playback: 'unknown' },
      { address: 'b', playback: 'reduces' },
      { address: 'c', playback: 'reduces', effect: 'strengthens' },
      { address: 'd', effect: 'weakens', playback: 'gains' },
    ];
    expect(risks(changes)).toBe('1 change weakens protection. 2 changes reduce playback. 1 change may affect playback.');
    expect(risks([...changes.slice(0, 2), { address: 'e', playback: 'unknown' }])).toBe(
      '1 change reduces playback. 2 changes may affect playback.',
    );
    expect(risks([...changes, { ...stopping('playlist/a', OFF_AIR), effect: 'weakens' }])).toBe(
      '1 change stops playback: 1 playlist goes off air. 2 changes weaken protection. 2 changes reduce playback. 1 change may affect playback.',
    );
  });

  test('says that there is no risk', () => {
    expect(
      risks([
        { address: 'a', playback: 'gains' },
        { address: 'b', effect: 'strengthens' },
      ]),
    ).toBe('No change stops or reduces playback, and none weakens protection.');
  });

  test.each([
    ['plan', ['complete', 'unmanaged'], 'No change: the account matches the repository.'],
    ['plan', ['complete', 'skipped'], 'No change in what was looked at.'],
    ['plan', ['skipped', 'unmanaged'], 'Nothing was looked at.'],
    ['plan', ['unmanaged'], 'Nothing was looked at.'],
    ['drift', ['complete', 'unmanaged'], 'No drift: the account is as expected.'],
    ['drift', ['complete', 'skipped'], 'No drift in what was looked at.'],
    ['drift', ['unmanaged'], 'Nothing was looked at.'],
  ] as const)('of a %s without changes says what is equal (%s)', (type, statuses, expected) => {
    const adopted = changeOf({ address: 'playlist/a', action: 'adopt', adopts: '1' });
    const readStatus = Object.fromEntries(statuses.map((status, index) => [`kind-${index}`, status]));
    expect(risksOf(type, { changes: [], readStatus })).toBe(expected);
    const ofLedger = type === 'plan' && statuses[0] === 'complete' ? 'No change of the account: 1 of the ledger only.' : expected;
    expect(risksOf(type, { changes: [adopted], readStatus })).toBe(ofLedger);
  });

  test('says what --only-origin leaves out, and claims nothing of it', () => {
    const readStatus = { playlist: 'complete' } as const;
    const of = (leftOut: LeftByOrigin, ...changes: readonly ChangeParts[]) =>
      risksOf('plan', { changes: changes.map((parts) => changeOf(parts)), readStatus, leftOut });
    expect(of({ onlyOrigin: 'change', count: 2 })).toBe(
      'No change in what was looked at; what was done by hand to 2 resources is left out by `--only-origin change`.',
    );
    expect(of({ onlyOrigin: 'drift', count: 1 })).toBe(
      'No change in what was looked at; what the repository changes in 1 resource is left out by `--only-origin drift`.',
    );
    expect(of({ onlyOrigin: 'change', count: 1 }, { effect: 'weakens' })).toBe(
      '1 change weakens protection. What was done by hand to 1 resource is left out by `--only-origin change`.',
    );
  });

  test('says of a commit that merely lacks what was applied that it is behind', () => {
    const behind = [changeOf({ address: 'playlist/a' })];
    const readStatus = { playlist: 'complete' } as const;
    expect(risksOf('plan', { changes: [], behind, readStatus })).toBe('No change of this commit, which is behind the commit last applied.');
    expect(risksOf('plan', { changes: [changeOf({ address: 'b' })], behind, readStatus })).toBe(
      'No change stops or reduces playback, and none weakens protection.',
    );
  });

  const timedOut = (kind: string) => ({ kind, refused: false, reason: 'no complete answer within 20 s' });
  const refused = (kind: string) => ({ kind, refused: true, reason: 'HTTP 400: "bad signature"' });

  test.each([
    ['plan', [timedOut('playlist')], 'The account could not be read: no complete answer within 20 s. Nothing was planned.'],
    ['drift', [timedOut('playlist')], 'The account could not be read: no complete answer within 20 s. Nothing was compared.'],
    ['plan', [timedOut('playlist'), refused('drm-policy')], 'Credentials refused (HTTP 400: "bad signature"). Nothing was planned.'],
  ] as const)('of a %s of which nothing was read begins with the reason, refused credentials first', (type, unread, expected) => {
    const readStatus = { playlist: 'incomplete', 'drm-policy': 'incomplete', 'static-key': 'unmanaged', dial: 'skipped' } as const;
    expect(risksOf(type, { changes: [], readStatus, unread })).toBe(expected);
  });

  test('says what could not be read before what the rest would do', () => {
    const readStatus = { playlist: 'complete', 'drm-policy': 'incomplete' } as const;
    const unread = [timedOut('drm-policy')];
    const begins = 'The account could not be read: no complete answer within 20 s. Nothing was planned for drm-policy.';
    const of = (...changes: readonly ChangeParts[]) =>
      risksOf('plan', { changes: changes.map((each) => changeOf(each)), readStatus, unread });
    const two = [timedOut('drm-policy'), timedOut('dial')];
    expect(risksOf('plan', { changes: [], readStatus: { ...readStatus, dial: 'incomplete' }, unread: two })).toContain(
      'Nothing was planned for drm-policy, dial.',
    );
    expect(of()).toBe(`${begins} No change in what could be read.`);
    expect(of(stopping('playlist/a', OFF_AIR))).toBe(`${begins} 1 change stops playback: 1 playlist goes off air.`);
  });
});
