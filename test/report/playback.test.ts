/** What a change does to playback, in every format for people. */
import { describe, expect, it } from 'vitest';
import type { PlaybackReason } from '../../src/core/model/change.ts';
import { render } from '../../src/report/index.ts';
import { driftMarkdown } from '../../src/report/markdown/drift-issue.ts';
import { viewOf } from '../../src/report/view/index.ts';
import { change, field, OPTIONS, plan } from './documents.ts';
import { readSarif } from './languages/sarif.ts';

const STOPS: PlaybackReason = { playback: 'stops', text: 'it goes off air', offAir: true };
const GAINS: PlaybackReason = { playback: 'gains', text: 'it repeats for ever instead of 0 times' };
const REDUCES: PlaybackReason = { playback: 'reduces', text: 'players need DRM' };

function rendered(format: 'text' | 'markdown' | 'html', ...changes: Parameters<typeof plan>[0]): string {
  return render([{ type: 'plan', plan: plan(changes) }], format, OPTIONS);
}

describe('a change that affects playback', () => {
  const reduced = change('playlist/b', { effect: 'strengthens', playback: 'reduces', playbackReasons: [GAINS, REDUCES] });

  it.each(['text', 'markdown', 'html'] as const)(
    'says so beside its effect, the worse first, and gives all reasons, the worst first (%s)',
    (format) => {
      const words = rendered(format, reduced)
        .replace(/<[^>]+>/g, ' ')
        .replace(/\s+/g, ' ');
      expect(words).toMatch(/reduces playback,? strengthens protection/);
      const reasons = words.slice(words.search(/reduces playback: /));
      expect(reasons).toMatch(/^reduces playback: players need DRM .*gains playback: it repeats for ever instead of 0 times/);
      const weakening = change('playlist/b', { effect: 'weakens', playback: 'reduces', playbackReasons: [REDUCES] });
      expect(
        rendered(format, weakening)
          .replace(/<[^>]+>/g, ' ')
          .replace(/\s+/g, ' '),
      ).toMatch(/weakens protection,? reduces playback/);
    },
  );

  it('has a section of its own, before what weakens protection, where it stops playback', () => {
    const text = rendered(
      'text',
      change('playlist/c', { effect: 'weakens' }),
      change('playlist/a', { playback: 'stops', playbackReasons: [STOPS], fields: [field('/active', 1, 0)] }),
      reduced,
    );
    expect(text.match(/^[A-Z].*\(\d+\)$/gm)).toEqual([
      'What viewers notice (3)',
      'Stops playback (1)',
      'Weakens protection (1)',
      'Reduces playback, or may affect it (1)',
    ]);
    expect(text).toMatch(/~ playlist\/a {2}stops playback\n {6}stops playback: it goes off air\n/);
  });

  it('shows twelve reasons at most, and says how many are left out', () => {
    const reasons = Array.from({ length: 15 }, (_, index): PlaybackReason => ({ playback: 'reduces', text: `reason ${index}` }));
    const text = rendered('text', change('playlist/a', { playback: 'reduces', playbackReasons: reasons }));
    expect(text.match(/^ {6}reduces playback: reason/gm)).toHaveLength(12);
    expect(text).toContain('and 3 more reasons about playback, in the JSON document');
  });
});

describe('the verdict of a plan', () => {
  const stopped = '1 playlist goes off air: playlist a';
  const risks = '1 change stops playback: 1 playlist goes off air.';
  const document = (type: 'plan' | 'drift') =>
    ({ type, plan: plan([change('playlist/a', { playback: 'stops', playbackReasons: [STOPS] })], { risks }) }) as const;

  it.each([
    ['plan', 'Viewers lose playback, and nothing blocks it: 1 change stops playback'],
    ['drift', 'Drift: 1 difference stops playback'],
  ] as const)('comes first in a %s for people, with what stops, and is the same in JSON', (type, headline) => {
    expect(render([document(type)], 'text', OPTIONS)).toMatch(new RegExp(`^${headline}\\.\n  - ${stopped}\n`));
    expect(render([document(type)], 'markdown', OPTIONS)).toMatch(`> [!CAUTION]\n> **${headline}.**\n>\n> - ${stopped}\n`);
    const html = render([document(type)], 'html', OPTIONS);
    const effects = `<div class="effects">\n<ul>\n<li>${stopped}</li>\n</ul>\n</div>`;
    expect(html).toContain(`<div class="verdict alarm">\n<p class="headline">${headline}</p>\n${effects}\n</div>`);
    expect(html.indexOf('class="verdict')).toBeLessThan(html.indexOf('class="part'));
    const events = render([document(type)], 'ndjson', OPTIONS)
      .trim()
      .split('\n');
    for (const json of [events.at(-1) ?? '', render([document(type)], 'json', OPTIONS)])
      expect(JSON.parse(json)).toMatchObject({ verdict: headline, risks });
  });

  it('stands in the text of a drift issue, with what each address does', () => {
    const drift = plan([change('playlist/a', { playback: 'stops', playbackReasons: [STOPS] })], { risks });
    const ages = { drifted: [{ address: 'playlist/a', kind: 'playlist', since: null }], unread: [], now: 0, lastApply: null };
    const text = driftMarkdown(drift, ages, OPTIONS, { most: 60_000, unit: 'characters', size: (each) => each.length });
    expect(text).toContain(`\n> - ${stopped}\n`);
    expect(text).toContain('| `playlist/a` | stops playback<br>stops playback: it goes off air |');
  });

  it('is alarming where playback stops or protection is weakened', () => {
    const styleOf = (...parts: Parameters<typeof change>[1][]) =>
      viewOf({ type: 'plan', plan: plan(parts.map((each) => change('playlist/a', each))) }, OPTIONS).verdict?.style;
    expect(styleOf({ playback: 'stops' })).toBe('alarm');
    expect(styleOf({ playback: 'gains' }, { effect: 'weakens' })).toBe('alarm');
    expect(styleOf({ playback: 'reduces' }, { effect: 'strengthens' })).toBe('warning');
    expect(styleOf()).toBe('good');
  });

  it('comes with its target in the formats of CI systems', () => {
    expect(render([document('plan')], 'github', OPTIONS)).toMatch(`::notice title=upkeep%3A risks::production: ${risks}\n`);
    const [invocation] = readSarif(render([document('plan')], 'sarif', OPTIONS)).invocations;
    expect(invocation).toMatchObject({
      toolExecutionNotifications: [{ level: 'note', message: { text: `production: ${risks}` } }],
    });
    const events = render([document('plan')], 'ndjson', OPTIONS)
      .trim()
      .split('\n');
    expect(JSON.parse(events.at(-1) ?? '')).toMatchObject({ event: 'plan', risks });
    expect(JSON.parse(render([document('plan')], 'json', OPTIONS))).toMatchObject({ risks });
  });
});
