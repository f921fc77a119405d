/** What the item of a change says below its title. */
import { describe, expect, it } from 'vitest';
import type { BlockingCheck, Change } from '../../../src/core/model/change.ts';
import { changeItem, plainContext } from '../../../src/report/view/change.ts';
import { change, field } from '../documents.ts';

function notesOf(shown: Change): readonly string[] {
  return changeItem(
    shown,
    plainContext('production', () => null),
  ).notes.map(({ text }) => text);
}

const PROTECT: BlockingCheck = {
  check: 'protect',
  reason: '`protect` names a/*, and it would be deleted',
  lift: { edit: 'edit `protect`' },
};
const WEAKENING: BlockingCheck = { check: 'weakening', reason: 'it weakens protection: UHD1', lift: { allow: 'weakening' } };

describe('the notes of a change', () => {
  it('name each of several safety checks that block it with its reason and its override', () => {
    const blocked = { ...PROTECT, reason: 'both', checks: [PROTECT, WEAKENING] };
    expect(notesOf(change('drm-policy/a', { effect: 'weakens', blocked }))).toEqual([
      'blocked by safety check `protect`: `protect` names a/*, and it would be deleted',
      'to lift it: edit `protect`',
      'blocked by safety check `weakening`: it weakens protection: UHD1',
      'to lift it: `--allow weakening`',
      'both are needed',
    ]);
  });

  it('do not repeat what its fields say of weaker protection', () => {
    const fields = [field('/a', 1, 0, { effect: 'weakens', reasons: [{ effect: 'weakens', text: 'UHD1' }] })];
    const blocked = { ...PROTECT, checks: [PROTECT, WEAKENING] };
    expect(notesOf(change('drm-policy/a', { effect: 'weakens', blocked, fields }))[2]).toBe('blocked by safety check `weakening`');
    expect(notesOf(change('drm-policy/a', { effect: 'weakens', blocked: WEAKENING, fields }))).toEqual([
      'blocked by safety check `weakening`',
      'to lift it: `--allow weakening`',
    ]);
  });

  it('say what stops playback once, and not again at the field', () => {
    const text = 'devices with VMP status A get no licenses any more';
    const fields = [field('/vmp_reject_statuses', [], ['A'], { effect: 'strengthens', reasons: [{ effect: 'strengthens', text }] })];
    const shown = change('vmp-reject-statuses', {
      effect: 'strengthens',
      playback: 'stops',
      playbackReasons: [{ playback: 'stops', text }],
      fields,
    });
    expect(notesOf(shown)).toEqual([`stops playback: ${text}`]);
    const { detail } = changeItem(
      shown,
      plainContext('production', () => null),
    );
    expect(detail((_style, painted) => painted, 100).join('\n')).not.toContain('get no licenses');
  });

  it('say of Widevine settings per track to which content they apply, and of no others', () => {
    const note = 'content_key_specs of Widevine apply only to content that has no policy of its own (drm-api-v3 2.3).';
    const path = '/widevine/content_key_specs/HD/security_level';
    expect(notesOf(change('drm-policy/a', { fields: [field(path, 1, 3)] }))).toEqual([note]);
    expect(notesOf(change('drm-policy/a', { fields: [field('/fairplay/hd/hdcp_enforcement', 1, 0)] }))).toEqual([]);
  });
});
