import { expect, it } from 'vitest';
import type { Plan } from '../../../src/core/model/plan.ts';
import { render } from '../../../src/report/index.ts';
import { change, OPTIONS, plan } from '../documents.ts';
import { readHtml, spokenText } from '../html-reading.ts';

function htmlOf(changes: Plan['changes']): string {
  const html = render([{ type: 'plan', plan: plan(changes) }], 'html', OPTIONS);
  readHtml(html);
  return html;
}

it('the filters offer the values that occur, and mark each change with fixed words only', () => {
  const html = htmlOf([change('playlist/a', { kind: '"><script>' }), change('drm-policy/b', { action: 'create', effect: 'strengthens' })]);
  expect(spokenText(html, '<form class="filters"', '</form>')).toBe(
    'Search Filters Protection all strengthens (1) neutral (1) Action all create (1) update (1) Kind all &quot;&gt;&lt;script&gt; (1) drm-policy (1) Clear',
  );
  expect(html).toContain(
    '<li class="item" data-action="update" data-effect="neutral" data-playback="neutral" data-blocked="no" data-kind="0">',
  );
  expect(html).toContain(
    '<li class="item" data-action="create" data-effect="strengthens" data-playback="neutral" data-blocked="no" data-kind="1">',
  );
  expect(html).toMatch(/<form class="filters"[^>]* hidden>/);
});

it('the filters are omitted if there are fewer than two changes', () => {
  expect(htmlOf([change('playlist/a')])).not.toContain('<form');
  expect(htmlOf([])).not.toContain('<form');
});
