import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/core/model/json.ts';
import type { Plan } from '../../../src/core/model/plan.ts';
import { render } from '../../../src/report/index.ts';
import { change, field, OPTIONS, plan } from '../documents.ts';
import { readHtml, spokenText, wordsIn } from '../html-reading.ts';

const beams = (ids: string) => [...ids].map((id) => ({ beam: { id } }));

function htmlOf(changes: Plan['changes'], more: Partial<Plan> = {}, type: 'plan' | 'drift' = 'plan'): string {
  const html = render([{ type, plan: plan(changes, more) }], 'html', OPTIONS);
  readHtml(html);
  return html;
}

describe('the diagram of a playlist', () => {
  it('shows moves by signs and describes them to screen readers', () => {
    const html = htmlOf([
      change('playlist/a', {
        fields: [field('/playlist', [...beams('abc'), { ad: { dur: 30 } }], [...beams('cab'), { ad: { dur: 60 } }])],
      }),
    ]);
    expect(spokenText(html, '<figure class="playlist-diff">', '<ol class="merged"')).toBe(
      'playlist: 4 entries; 1 moved, 1 of another length Before 1 a 2 b 3 c , moves to place 1 4 ad 30 s , becomes 60 s ' +
        'After 1 c , moved from place 3 2 a 3 b 4 ad 60 s , was 30 s',
    );
    expect(html).toContain('<li class="beam moved"><span class="position">3<span aria-hidden="true"> → 1</span></span>');
    expect(html.match(/<path class="kept"/g)).toHaveLength(2);
    expect(html.match(/<path class="moved"/g)).toHaveLength(1);
    expect(html.match(/<path class="changed"/g)).toHaveLength(1);
  });

  it('draws the ribbon of an entry that keeps its position straight, whatever is beside it', () => {
    const entries = (first: Json) => [first, ...beams('bc')];
    const html = htmlOf([
      change('playlist/a', { fields: [field('/playlist', entries({ ad: { dur: 30 } }), entries({ beam: { id: 'x' } }))] }),
    ]);
    const ends = [...html.matchAll(/<path class="kept" d="M(\d+) 0C\d+ \d+ (\d+) /g)].map(([, from, to]) => [from, to]);
    expect(ends).toEqual([
      ['510', '510'],
      ['1020', '1020'],
    ]);
  });

  it('shows an entry that moved once in the one list, with both its places', () => {
    const html = htmlOf([change('playlist/a', { fields: [field('/playlist', beams('abc'), beams('cab'))] })]);
    expect(spokenText(html, '<ol class="merged"', '</ol>').match(/\bc\b/g)).toHaveLength(1);
    expect(html.slice(html.indexOf('<ol class="merged"'))).toContain('<span class="position">1<span aria-hidden="true"> ← 3</span></span>');
  });

  it('draws each ribbon from the position before to the position after', () => {
    const html = htmlOf([change('playlist/a', { fields: [field('/playlist', beams('ab'), beams('ba'))] })]);
    const ends = [...html.matchAll(/<path class="(\w+)" d="M(\d+) 0C\d+ \d+ (\d+) /g)].map(([, ...end]) => end);
    expect(ends).toEqual([
      [expect.any(String), '510', '0'],
      [expect.any(String), '0', '510'],
    ]);
  });

  it('has one row if the list is added or removed', () => {
    const created = htmlOf([change('playlist/a', { action: 'create', fields: [field('/playlist', null, beams('a'))] })]);
    expect(spokenText(created, '<figure class="playlist-diff">', '<ol class="merged"')).toBe('playlist: 1 entry, all new New 1 a , added');
    const gone = htmlOf([change('playlist/a', { action: 'delete', fields: [field('/playlist', beams('ab'), null)] })]);
    expect(spokenText(gone, '<figure class="playlist-diff">', '<ol class="merged"')).toBe(
      'playlist: 2 entries, all gone Before 1 a , removed 2 b , removed',
    );
    expect(created + gone).not.toContain('<svg');
  });

  it('has both lists as one, in which only what changed is shown, and the entries beside it', () => {
    const html = htmlOf([
      change('playlist/a', {
        fields: [field('/playlist', [...beams('abcdef'), { ad: { dur: 30 } }], [...beams('eabcxf'), { ad: { dur: 60 } }])],
      }),
    ]);
    expect(spokenText(html, '<ol class="merged"', '</ol>')).toBe(
      '1 e , moved from place 5 2 a 3 b 4 c 4 d , removed 5 x , added 6 f 7 ad 60 s , was 30 s',
    );
    expect(html).toContain('ad <del aria-hidden="true">30 s</del> <span class="length">60 s</span>');
  });

  it('says how many entries it omits', () => {
    const many = Array.from({ length: 200 }, (_, index) => ({ beam: { id: `${index}` } }));
    expect(wordsIn(htmlOf([change('playlist/a', { fields: [field('/playlist', many, many.toReversed())] })]))).toMatch(
      /\d+ more positions not shown; the JSON document has all\./,
    );
  });

  it('leaves other fields of the change as text', () => {
    const html = htmlOf([change('playlist/a', { fields: [field('/playlist', [], beams('a')), field('/repeat', 0, -1)] })]);
    expect(spokenText(html, '<pre>', '</pre>')).toBe('repeat: 0 -&gt; -1');
  });

  it('is shown for at most 200 changes, risky ones first; the others are shown as text', () => {
    const changes = Array.from({ length: 201 }, (_, index) =>
      change(`playlist/${index}`, {
        effect: index === 200 ? 'weakens' : 'neutral',
        fields: [field('/playlist', [], beams('a')), field('/desc', '', `${index}`)],
      }),
    );
    const html = htmlOf(changes);
    expect(html.match(/class="playlist-diff"/g)).toHaveLength(200);
    expect(spokenText(html, '>200<', '</figure>')).toContain('playlist: 0 entries, then 1; 1 added');
    expect(spokenText(html, '>199<', '</section>')).toContain('playlist: 0 -&gt; 1 entries');
  });
});

describe('the diagram of a policy', () => {
  it('shows both values and the effect in each cell that changes, and the reasons', () => {
    const reasons = [{ effect: 'weakens', text: 'software will do' }] as const;
    const level = field('/widevine/content_key_specs/HD/security_level', 3, 1, { effect: 'weakens', reasons });
    const html = htmlOf([change('drm-policy/a', { fields: [level, field('/policy_name', 'x', 'a')] })]);
    expect(spokenText(html, '<figure class="settings-matrix">', '</figure>')).toBe(
      '1 setting changes, by system and track System SD HD UHD1 UHD2 FairPlay no change no change no change no change ' +
        'Widevine no change security_level 3 then 1 weakens no change no change PlayReady no change no change no change no change',
    );
    expect(spokenText(html, '<ul class="reasons">', '</ul>')).toBe('weakens software will do');
    expect(spokenText(html, '<pre>', '</pre>')).toBe('policy_name: &quot;x&quot; -&gt; &quot;a&quot;');
  });
});

describe('the diagram of an account setting', () => {
  const fields = [field('/scope', 'all', 'specific'), field('/slicer_ids', [], ['studio-a', 'studio-b'])];
  const requests = [
    { method: 'POST', path: '/other', body: null, addresses: ['playlist/a'] },
    { method: 'POST', path: '/slicers', body: { static_key_slicer_ids: ['studio-a', 'studio-b'] }, addresses: ['static-key'] },
    { method: 'POST', path: '/status', body: { use_static_encryption_key: false }, addresses: ['static-key'] },
  ] as const;

  it('shows the values before, the requests in order, and the values after', () => {
    const html = htmlOf([change('static-key', { fields })], { requests });
    expect(spokenText(html, '<ol class="request-sequence">', '</ol>')).toBe(
      'Now scope all slicer_ids (none) Request 2 POST /slicers static_key_slicer_ids studio-a, studio-b ' +
        'Request 3 POST /status use_static_encryption_key false Then scope specific slicer_ids studio-a, studio-b',
    );
  });

  it('shows that nothing is sent if the change is blocked, and no requests for drift', () => {
    const blocked = { check: 'guard', reason: 'no', lift: { edit: 'edit' } } as const;
    const kept = htmlOf([change('static-key', { fields, blocked })]);
    expect(spokenText(kept, '<ol class="request-sequence">', '</ol>')).toContain('blocked: nothing is sent If it were applied');
    const drifted = htmlOf([change('static-key', { fields })], { requests }, 'drift');
    expect(spokenText(drifted, '<ol class="request-sequence">', '</ol>')).toBe(
      'Last applied scope all slicer_ids (none) Live scope specific slicer_ids studio-a, studio-b',
    );
  });
});
