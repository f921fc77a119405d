import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/core/model/plan.ts';
import { type Document, type Format, type Options, render } from '../../../src/report/index.ts';
import {
  change,
  failure,
  field,
  finding,
  impactReport,
  impactSummary,
  matrixRow,
  OPTIONS,
  outcome,
  plan,
  planImpact,
  planMatrix,
} from '../documents.ts';
import { readHtml, spokenText, wordsIn } from '../html-reading.ts';

function htmlOf(documents: readonly Document[], more: Partial<Options> = {}): string {
  return render(documents, 'html', { ...OPTIONS, ...more });
}

function planHtml(changes: Plan['changes'], more: Partial<Plan> = {}): string {
  return htmlOf([{ type: 'plan', plan: plan(changes, more) }]);
}

/** Returns the rows of all tables: the cells of each as a screen reader reads them. */
function rowsOf(html: string): readonly (readonly string[])[] {
  return [...html.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell = '']) => wordsOf(cell)),
  );
}

function wordsOf(markup: string): string {
  return markup
    .replace(/<span class="(?:to|column)" aria-hidden="true">[^<]*<\/span>/g, '')
    .replace(/<[^>]*>/g, '')
    .trim();
}

describe('an HTML report', () => {
  it('loads nothing, runs only its own script, and links only to its own sections', () => {
    const html = planHtml([change('playlist/a', { name: 'https://example.com/x' })]);
    expect(html).toMatch(/^<!doctype html>\n<html lang="en" dir="ltr">\n/);
    expect(html).toMatch(
      /content="default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'"/,
    );
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toMatch(/<(?:link|img|iframe|object|base)\b|\son\w+=|\sstyle=|\ssrc=|href="[^#]/);
    expect(html).toContain('<title>Plan for production</title>');
  });

  it('starts with the summary, lists all sections in the contents, and omits empty sections', () => {
    const blocked = { check: 'weakening', reason: 'it weakens', lift: { allow: 'weakening' } } as const;
    const html = planHtml([change('playlist/a', { action: 'create' }), change('static-key', { blocked })]);
    expect(html.indexOf('Plan: 1 to create, 1 to update')).toBeLessThan(html.indexOf('<nav'));
    const headings = [...html.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/g)].map(([, id = '', text = '']) => [id, wordsOf(text)]);
    expect(headings).toEqual([
      ['r1-1', 'Blocked 1'],
      ['r1-2', 'Other changes 1'],
      ['r1-0', 'In numbers'],
    ]);
    for (const [id] of headings.slice(0, 2)) expect(html).toContain(`<a href="#${id}">`);
    expect(wordsIn(html)).toContain('blocked by safety check \nweakening\n: it weakens');
    expect(html.indexOf('Blocked: ')).toBeLessThan(html.indexOf('<nav'));
    expect(html).not.toContain('class="heat-map"');
    expect(html.slice(html.indexOf('<footer>'))).toContain('Fingerprint: sha256:');
  });

  it('has one article for each document, and no contents if there is only one section', () => {
    const html = htmlOf([
      { type: 'outcome', outcome: outcome([{ address: 'playlist/a', result: 'failed', error: 'no answer', tookMs: 1 }]) },
      { type: 'failure', failure: failure([]) },
    ]);
    expect(html).not.toContain('<nav');
    expect(html.match(/<article aria-labelledby="r\d">/g)).toEqual(['<article aria-labelledby="r1">', '<article aria-labelledby="r2">']);
    expect(new Set(html.match(/ id="[^"]*"/g)).size).toBe(html.match(/ id="/g)?.length);
    expect(wordsIn(html)).toContain('error: no answer');
  });

  it('gives the meaning of every color also in words', () => {
    const html = planHtml([change('playlist/a', { action: 'delete', effect: 'weakens' })]);
    expect(html).toContain('<span class="mark removed"><span aria-hidden="true">- </span>delete</span>');
    expect(html).toContain('<li>weakens protection</li>');
  });

  it('collapses the fields of one change and the body of one request where they are long', () => {
    const fields = (number: number) => Array.from({ length: number }, (_, index) => field(`/f${index}`, 0, index));
    expect(planHtml([change('playlist/a', { fields: fields(12) })])).not.toContain('<details>');
    expect(planHtml([change('playlist/a', { fields: fields(13) })])).toContain('<details>\n<summary>Details</summary>\n<pre>');
    const drawn = planHtml([change('playlist/a', { fields: [field('/playlist', [], [{ beam: { id: 'a' } }]), ...fields(13)] })]);
    expect(drawn.indexOf('</figure>')).toBeLessThan(drawn.indexOf('<details>'));
    const request = (desc: string) => ({ requests: [{ method: 'POST', path: '/x', body: { desc }, addresses: ['playlist/a'] }] }) as const;
    expect(planHtml([], request('short'))).not.toContain('<details>');
    expect(planHtml([], request('long'.repeat(100)))).toContain('<details>\n<summary>Body</summary>\n<pre>');
  });

  it('keeps each flag in one piece with its value', () => {
    const html = planHtml([], { findings: [finding({ hint: 'run `upkeep drift --target a--b --all`, or with `--allow x=1`' })] });
    expect(html).toContain('<code>upkeep drift <span class="flag">--target a--b</span> <span class="flag">--all</span></code>');
    expect(html).toContain('<code class="flag">--allow x=1</code>');
    expect(() => readHtml(html)).not.toThrow();
  });

  it('shows names in place of percent-encoded addresses, which are given on hover', () => {
    const impact = { ...planImpact(impactSummary({ policies: ['drm-policy/4K%20HDR', 'drm-policy/hd%ff'] })), matrices: [] };
    const html = planHtml([], { impact: { ...impact, matrices: [planMatrix({ policies: ['drm-policy/4K%20HDR'] })] } });
    expect(html).toContain('Under policies <span class="named" title="drm-policy/4K%20HDR">4K HDR</span>, hd%ff.');
    expect(html).toMatch(/<h3 id="[^"]+"><span class="named" title="drm-policy\/4K%20HDR">4K HDR<\/span><\/h3>/);
    expect(wordsIn(planHtml([change('playlist/a', { name: 'A' })]))).not.toContain('%');
  });

  it('shows names in place of addresses in sentences, and leaves commands, patterns and files as they are', () => {
    const hint = 'see playlist/main-1, drm-policy/hd. Not playlist/kids-*, playlist/list.csv:3, a/playlist/b or `playlist/main-1`';
    const html = planHtml([], { findings: [finding({ hint })] });
    expect(html).toContain(
      'see <span class="named" title="playlist/main-1">main-1</span>, <span class="named" title="drm-policy/hd">hd</span>. Not playlist/kids-*, playlist/list.csv:3, a/playlist/b or <code>playlist/main-1</code>',
    );
  });

  it('collapses the details of long sections and shows those of short ones', () => {
    const changes = (fields: number) =>
      Array.from({ length: 26 }, (_, index) =>
        change(`playlist/${index}`, { fields: Array.from({ length: fields }, (_each, number) => field(`/f${number}`, 1, index)) }),
      );
    expect(planHtml(changes(4)).match(/<details>\n<summary>Details<\/summary>\n<pre>/g)).toHaveLength(26);
    expect(planHtml(changes(3))).not.toContain('<details>');
    expect(planHtml(changes(4).slice(0, 25))).not.toContain('<details>');
  });
});

describe('a section of an HTML report', () => {
  it('says in how many cards its changes are, where equal and similar ones share one', () => {
    const changes = ['a', 'b', 'c', 'd'].map((name) => change(`playlist/${name}`, { name, fields: [field('/active', 1, 0)] }));
    const other = change('static-key', { action: 'create' });
    expect(planHtml([...changes, other])).toContain('<p class="quiet">5 in 2 cards: equal and similar ones share one.</p>');
    expect(planHtml([other])).not.toContain('share one');
  });

  it('says what is wrong before the place of a finding', () => {
    const html = planHtml([], { findings: [finding({ summary: 'This is wrong.', file: 'a.yaml', line: 3, column: 2 })] });
    expect(html).toMatch(/<h3 id="[^"]+">This is wrong\.<\/h3> <span class="source">.*a\.yaml:3:2/);
    expect(html.match(/This is wrong/g)).toHaveLength(1);
  });
});

describe('data of the account in an HTML report', () => {
  it('is shown as text in titles, headings, sentences and fixed-width blocks', () => {
    const evil = '</title><script>x</script>&amp;"\'';
    const changed = change(evil, { name: evil, fields: [field(evil, [{ beam: { id: evil } }], [])], movedFrom: evil });
    const html = htmlOf([
      { type: 'plan', plan: plan([changed], { target: evil, findings: [finding({ summary: evil, hint: evil, excerpt: evil })] }) },
    ]);
    const places = readHtml(html).filter(({ text }) => text.includes(evil));
    for (const place of ['title', 'h1', 'a', 'p', 'pre']) expect(places.map(({ path }) => path.split(' ').at(-1))).toContain(place);
    expect(html.match(/<script/g)).toHaveLength(1);
  });

  it('has visible control characters and isolated right-to-left text', () => {
    const html = planHtml([change('playlist/a\u202e\ud800\u0001x\u0002y\u0003 שלום עולם <b> مرحبا')]);
    expect(html).toContain('>a\\u{202e}\\u{d800}\\u{1}x\\u{2}y\\u{3} <bdi>שלום עולם</bdi> &lt;b&gt; <bdi>مرحبا</bdi>');
  });

  it('cannot color itself in a fixed-width block', () => {
    const html = planHtml([change('playlist/a', { fields: [field('/desc\u0001alarm\u0002', '\u0001alarm\u0002x\u0003', '\u0003')] })]);
    expect(html).not.toContain('<span class="alarm">x');
    expect(() => readHtml(html)).not.toThrow();
  });
});

describe('a heat map', () => {
  /** The row of a browser that gains UHD1. */
  const PLAYS = { SD: 'plays', HD: 'plays', UHD1: 'plays', UHD2: 'plays' } as const;
  const BROWSER = { device: 'browser', name: 'desktop browser, software Widevine', system: 'widevine' } as const;
  const GAINING = { ...BROWSER, before: { ...PLAYS, UHD1: 'refused' }, after: PLAYS, noticed: ['UHD1'] } as const;

  it('has a row for each device, and both words in each cell that changes', () => {
    const html = htmlOf([{ type: 'plan', plan: plan([], { impact: { ...planImpact(impactSummary()), matrices: [planMatrix()] } }) }]);
    expect(rowsOf(html)).toEqual([
      ['Device', 'SD', 'HD', 'UHD1', 'UHD2'],
      ['desktop browser (software Widevine)', 'restricted*', 'plays then refused', 'refused', 'unknown'],
    ]);
    expect(html).toContain('<th scope="row">desktop browser (software Widevine)</th>');
    expect(html).toContain('<td class="moved"><span class="column" aria-hidden="true">HD</span><div><span class="word added">plays</span>');
    expect(html).toContain(
      '<td class="same"><span class="column" aria-hidden="true">UHD1</span><div><span class="word removed">refused</span></div></td>',
    );
    expect(html).toMatch(
      /<h3 id="(r1-2-1)"><span class="named" title="drm-policy\/premium">premium<\/span><\/h3>[\s\S]*<table class="heat-map" aria-labelledby="\1">/,
    );
  });

  it('shows what plays more by weaker protection as a risk, and explains its marks only where they are', () => {
    const gained = impactSummary({ outcome: 'gained', resolutions: ['UHD1'] });
    const impact = { ...planImpact(gained), matrices: [planMatrix({ devices: [GAINING] })] };
    const weakened = planHtml([change('drm-policy/premium', { effect: 'weakens', playback: 'gains' })], { impact });
    expect(rowsOf(weakened)[1]).toEqual(['desktop browser, software Widevine', 'plays', 'plays', 'refused then plays !', 'plays']);
    expect(weakened).toContain('<span class="mark alarm"><span aria-hidden="true">+ </span>would gain</span>');
    expect(weakened).toContain('<li class="tile alarm"><span class="sign" aria-hidden="true"></span><b>1</b> gain</li>');
    expect(weakened).not.toMatch(/class="(?:mark|tile|word) (?:added|good)"[^<]*(?:<[^<]*){0,3}(?:gain|plays !)/);
    expect(wordsIn(weakened)).toContain('An exclamation mark: plays more by weaker protection.');
    expect(wordsIn(weakened)).not.toContain('An asterisk');
    const harmless = planHtml([change('drm-policy/premium', { playback: 'gains' })], { impact });
    expect(rowsOf(harmless)[1]).toEqual(['desktop browser, software Widevine', 'plays', 'plays', 'refused then plays', 'plays']);
    expect(harmless).toContain('<span class="mark added"><span aria-hidden="true">+ </span>would gain</span>');
    expect(wordsIn(harmless)).not.toContain('An exclamation mark');
    const limited = planHtml([], { impact: { ...planImpact(impactSummary()), matrices: [planMatrix()] } });
    expect(wordsIn(limited)).toContain('An asterisk: plays with other limits.');
  });

  it('is omitted from a plan in text and Markdown, which contain the impact summaries', () => {
    const document: Document = { type: 'plan', plan: plan([], { impact: { ...planImpact(impactSummary()), matrices: [planMatrix()] } }) };
    for (const format of ['text', 'markdown'] as const) {
      const text = render([document], format, OPTIONS);
      expect(text).toContain('What viewers notice');
      expect(text).not.toContain('Playback before and after');
    }
  });

  it('shows the first of many matrices and says how many there are', () => {
    const matrices = Array.from({ length: 50 }, (_, index) => planMatrix({ policies: [`drm-policy/p${index}`] }));
    const html = planHtml([], { impact: { ...planImpact(impactSummary()), matrices } });
    expect(html.match(/<table/g)).toHaveLength(40);
    expect(wordsIn(html)).toContain('The first 40 of 50; the JSON document has all.');
  });

  it('shows the matrices of an impact report, with one word in each cell if there is only one side', () => {
    const both = htmlOf([{ type: 'impact', impact: impactReport([matrixRow()]) }]);
    expect(rowsOf(both)[1]).toEqual(['desktop browser (software Widevine)', 'plays', 'plays then refused', 'plays', 'plays']);
    const live = htmlOf([{ type: 'impact', impact: impactReport([matrixRow({ after: null })], { of: 'live' }) }]);
    expect(rowsOf(live)[1]).toEqual(['desktop browser (software Widevine)', 'plays', 'plays', 'plays', 'plays']);
    expect(live).not.toMatch(/class="(?:same|moved)"/);
  });
});

describe('the totals of an HTML report', () => {
  it('count changes by action, effect, playback and kind, after all sections', () => {
    const blocked = { check: 'weakening', reason: 'it weakens', lift: { allow: 'weakening' } } as const;
    const html = planHtml([
      change('playlist/a', { action: 'create' }),
      change('playlist/b', { effect: 'strengthens', playback: 'stops' }),
      change('drm-policy/c', { effect: 'weakens', blocked }),
      change('playlist/d', { action: 'adopt' }),
    ]);
    expect(spokenText(html, '<section class="totals"', '</section>')).toBe(
      'In numbers Each change counts once under Protection and once under Playback, by the worst that it does there. ' +
        'Changes 1 create 2 update 0 delete Protection 1 weaken 1 strengthen 1 neutral ' +
        'Playback 1 stop 0 reduce 0 unknown 0 gain 2 neutral Not written 1 blocked 10 unchanged 0 undeclared ' +
        'By kind Kind create update delete weaken strengthen stop playback reduce playback may affect playback blocked ' +
        'playlist 1 1 0 0 1 1 0 0 0 drm-policy 0 1 0 1 0 0 0 0 1',
    );
    expect(html.indexOf('class="totals"')).toBeGreaterThan(html.lastIndexOf('class="part'));
  });

  it('are omitted if nothing changes, and have no table if there is only one kind', () => {
    expect(planHtml([])).not.toContain('class="totals"');
    expect(planHtml([change('playlist/a')])).not.toContain('class="counts"');
  });

  it('have labels of their own in a drift report', () => {
    const html = htmlOf([{ type: 'drift', plan: plan([change('playlist/a', { action: 'delete' })]) }]);
    expect(spokenText(html, '<section class="totals"', '</section>')).toContain('Drift 0 appeared 0 changed 1 gone');
  });
});

describe('the requests of a plan', () => {
  const requests = Array.from(
    { length: 201 },
    (_, index) => ({ method: 'DELETE', path: `/p/${index}`, body: null, addresses: ['playlist/a'] }) as const,
  );

  it('are listed in HTML up to a limit, and in other formats only with the option requests', () => {
    const document: Document = { type: 'plan', plan: plan([change('playlist/a')], { requests }) };
    const of = (format: Format, asked: boolean) => render([document], format, { ...OPTIONS, requests: asked });
    expect(of('html', false)).toContain('The first 200 of 201; --requests lists all.');
    expect(of('html', false)).not.toContain('/p/200');
    expect(of('html', true)).toContain('/p/200');
    expect(of('text', false)).not.toContain('/p/0');
    expect(of('text', true)).toContain('/p/200');
  });

  it('are sent only with a flag where anything is blocked, and the section says so', () => {
    const blocked = { check: 'weakening', reason: 'it weakens', lift: { allow: 'weakening' } } as const;
    const html = planHtml([change('playlist/a'), change('drm-policy/b', { blocked })], { requests });
    expect(html).toContain('>Requests with --skip-blocked, in this order <');
    expect(html).toContain(
      '<p class="quiet">Sent only with <code class="flag">--skip-blocked</code>: while anything is blocked, apply writes',
    );
    expect(planHtml([change('playlist/a')], { requests })).not.toContain('--skip-blocked');
  });
});
