import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/model/plan.ts';
import { type Document, type Format, render } from '../../src/report/index.ts';
import { change, field, OPTIONS, plan } from './documents.ts';
import { readHtml, wordsIn } from './html-reading.ts';

const beams = (ids: string) => [...ids].map((id) => ({ beam: { id } }));

function documentOf(changes: Plan['changes'], more: Partial<Plan> = {}, type: 'plan' | 'drift' = 'plan'): Document {
  return { type, plan: plan(changes, more) };
}

function htmlOf(...about: Parameters<typeof documentOf>): string {
  const html = render([documentOf(...about)], 'html', OPTIONS);
  readHtml(html);
  return html;
}

/** What is read out between two marks of the page. */
function heard(html: string, from: string, to: string): string {
  const start = html.indexOf(from);
  expect(start, from).toBeGreaterThan(0);
  const part = html.slice(start, html.indexOf(to, start));
  return part
    .replace(/<span[^>]* aria-hidden="true">[^<]*<\/span>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

describe('the numbers', () => {
  it('tell actions, effects and kinds, and stand before everything else', () => {
    const held = { check: 'loosening', reason: 'it loosens', override: '--allow loosening' } as const;
    const html = htmlOf([
      change('playlist/a', { action: 'create' }),
      change('playlist/b', { effect: 'tightens' }),
      change('drm-policy/c', { effect: 'loosens', blocked: held }),
      change('playlist/d', { action: 'adopt' }),
    ]);
    expect(heard(html, '<section class="overview"', '</section>')).toBe(
      'In numbers Changes 1 create 2 update 0 delete Protection 1 loosen 1 tighten 1 neutral Not written 1 blocked 10 unchanged 0 unmanaged ' +
        'By kind Kind create update delete loosen tighten blocked playlist 1 1 0 0 1 0 drm-policy 0 1 0 1 0 1',
    );
    expect(html.indexOf('class="overview"')).toBeLessThan(html.indexOf('class="part"'));
  });

  it('are left out where nothing changes, and have no table where there is one kind', () => {
    expect(htmlOf([])).not.toContain('class="overview"');
    expect(htmlOf([change('playlist/a')])).not.toContain('class="counts"');
  });

  it('speak of drift in its own words', () => {
    const html = htmlOf([change('playlist/a', { action: 'delete' })], {}, 'drift');
    expect(heard(html, '<section class="overview"', '</section>')).toContain('Drift 0 appeared 0 changed 1 gone');
  });
});

describe('a timeline', () => {
  it('tells moves to the eye and to the ear', () => {
    const html = htmlOf([
      change('playlist/a', {
        fields: [field('/playlist', [...beams('abc'), { ad: { dur: 30 } }], [...beams('cab'), { ad: { dur: 60 } }])],
      }),
    ]);
    expect(heard(html, '<figure class="timeline">', '</figure>')).toBe(
      'playlist: 4 entries; 1 moved, 1 of another length Before 1 a 2 b 3 c , moves to place 1 4 ad 30 s , becomes 60 s ' +
        'After 1 c , moved from place 3 2 a 3 b 4 ad 60 s , was 30 s',
    );
    expect(html).toContain('<li class="beam moved"><span class="at">3<span aria-hidden="true"> → 1</span></span>');
    expect(html.match(/<path class="kept"/g)).toHaveLength(2);
    expect(html.match(/<path class="moved"/g)).toHaveLength(1);
    expect(html.match(/<path class="changed"/g)).toHaveLength(1);
  });

  it('leads each ribbon from its block to its block', () => {
    const html = htmlOf([change('playlist/a', { fields: [field('/playlist', beams('ab'), beams('ba'))] })]);
    const ends = [...html.matchAll(/<path class="(\w+)" d="M(\d+) 0C\d+ \d+ (\d+) /g)].map(([, ...end]) => end);
    expect(ends).toEqual([
      [expect.any(String), '560', '0'],
      [expect.any(String), '0', '560'],
    ]);
  });

  it('has one row where the list is new or gone', () => {
    const created = htmlOf([change('playlist/a', { action: 'create', fields: [field('/playlist', null, beams('a'))] })]);
    expect(heard(created, '<figure class="timeline">', '</figure>')).toBe('playlist: 1 entry, all new New 1 a , added');
    const gone = htmlOf([change('playlist/a', { action: 'delete', fields: [field('/playlist', beams('ab'), null)] })]);
    expect(heard(gone, '<figure class="timeline">', '</figure>')).toBe('playlist: 2 entries, all gone Before 1 a , removed 2 b , removed');
    expect(created + gone).not.toContain('<svg');
  });

  it('says what it does not draw', () => {
    const many = Array.from({ length: 200 }, (_, index) => ({ beam: { id: `${index}` } }));
    expect(wordsIn(htmlOf([change('playlist/a', { fields: [field('/playlist', many, many.toReversed())] })]))).toMatch(
      /\d+ more places not drawn; the JSON document has all\./,
    );
  });

  it('leaves other fields of the change to words', () => {
    const html = htmlOf([change('playlist/a', { fields: [field('/playlist', [], beams('a')), field('/repeat', 0, -1)] })]);
    expect(heard(html, '<pre>', '</pre>')).toBe('repeat: 0 -&gt; -1');
  });

  it('is drawn of so many changes, the risky ones first; the others are told in words', () => {
    const changes = Array.from({ length: 201 }, (_, index) =>
      change(`playlist/${index}`, { effect: index === 200 ? 'loosens' : 'neutral', fields: [field('/playlist', [], beams('a'))] }),
    );
    const html = htmlOf(changes);
    expect(html.match(/class="timeline"/g)).toHaveLength(200);
    expect(heard(html, 'playlist/200', '</figure>')).toContain('playlist: 0 entries, then 1; 1 added');
    expect(heard(html, '>playlist/199<', '</section>')).toContain('playlist: 0 -&gt; 1 entries');
  });
});

describe('settings by system and track', () => {
  it('name both values and the effect in each cell that changes, and give the reasons', () => {
    const reasons = [{ effect: 'loosens', text: 'software will do' }] as const;
    const level = field('/widevine/content_key_specs/HD/security_level', 3, 1, { effect: 'loosens', reasons });
    const html = htmlOf([change('drm-policy/a', { fields: [level, field('/policy_name', 'x', 'a')] })]);
    expect(heard(html, '<figure class="board">', '</figure>')).toBe(
      '1 setting changes, by system and track System SD HD UHD1 UHD2 FairPlay no change no change no change no change ' +
        'Widevine no change security_level 3 then 1 loosens no change no change PlayReady no change no change no change no change',
    );
    expect(heard(html, '<ul class="reasons">', '</ul>')).toBe('loosens software will do');
    expect(heard(html, '<pre>', '</pre>')).toBe('policy_name: &quot;x&quot; -&gt; &quot;a&quot;');
  });
});

describe('the steps of a setting of the account', () => {
  const fields = [field('/scope', 'all', 'specific'), field('/slicer_ids', [], ['studio-a', 'studio-b'])];
  const requests = [
    { method: 'POST', path: '/other', body: null, addresses: ['playlist/a'] },
    { method: 'POST', path: '/slicers', body: { static_key_slicer_ids: ['studio-a', 'studio-b'] }, addresses: ['static-key'] },
    { method: 'POST', path: '/status', body: { use_static_encryption_key: false }, addresses: ['static-key'] },
  ] as const;

  it('lead from what it is to what it will be, in the order of the requests', () => {
    const html = htmlOf([change('static-key', { fields })], { requests });
    expect(heard(html, '<ol class="steps">', '</ol>')).toBe(
      'Now scope all slicer_ids (none) Request 2 POST /slicers static_key_slicer_ids studio-a, studio-b ' +
        'Request 3 POST /status use_static_encryption_key false Then scope specific slicer_ids studio-a, studio-b',
    );
  });

  it('are none where it is held, and no question where it drifted', () => {
    const held = { check: 'guard', reason: 'no', override: 'edit' } as const;
    const kept = htmlOf([change('static-key', { fields, blocked: held })]);
    expect(heard(kept, '<ol class="steps">', '</ol>')).toContain('blocked: nothing is sent Then');
    const drifted = htmlOf([change('static-key', { fields })], { requests }, 'drift');
    expect(heard(drifted, '<ol class="steps">', '</ol>')).toBe(
      'Last applied scope all slicer_ids (none) Live scope specific slicer_ids studio-a, studio-b',
    );
  });
});

describe('requests', () => {
  const requests = Array.from(
    { length: 201 },
    (_, index) => ({ method: 'DELETE', path: `/p/${index}`, body: null, addresses: ['playlist/a'] }) as const,
  );

  it('stand in the page unasked, the first ones; formats of words list them where they are asked for', () => {
    const document = documentOf([change('playlist/a')], { requests });
    const of = (format: Format, asked: boolean) => render([document], format, { ...OPTIONS, requests: asked });
    expect(of('html', false)).toContain('The first 200 of 201; --requests lists all.');
    expect(of('html', false)).not.toContain('/p/200');
    expect(of('html', true)).toContain('/p/200');
    expect(of('text', false)).not.toContain('/p/0');
    expect(of('text', true)).toContain('/p/200');
  });
});

describe('the filters', () => {
  it('offer what there is to choose, and mark each change with words of ours only', () => {
    const html = htmlOf([change('playlist/a', { kind: '"><script>' }), change('drm-policy/b', { action: 'create', effect: 'tightens' })]);
    expect(heard(html, '<form class="filters"', '</form>')).toBe(
      'Search Effect all tightens (1) neutral (1) Action all create (1) update (1) Kind all &quot;&gt;&lt;script&gt; (1) drm-policy (1) Clear',
    );
    expect(html).toContain('<li class="item" data-action="update" data-effect="neutral" data-blocked="no" data-kind="0">');
    expect(html).toContain('<li class="item" data-action="create" data-effect="tightens" data-blocked="no" data-kind="1">');
    expect(html).toMatch(/<form class="filters"[^>]* hidden>/);
  });

  it('are left out where there is nothing to pick from', () => {
    expect(htmlOf([change('playlist/a')])).not.toContain('<form');
    expect(htmlOf([])).not.toContain('<form');
  });
});
