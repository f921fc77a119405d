/** The layout of the HTML report on a phone and on paper, as a browser measures it. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Plan } from '../../../src/core/model/plan.ts';
import { render } from '../../../src/report/index.ts';
import { change, field, OPTIONS, plan, planImpact, planMatrix } from '../documents.ts';
import { hasBrowser, open, startBrowser } from './chromium.ts';

const PHONE = { width: 390, height: 844 };
/** What margins of 10 mm leave of the width of A4, pixels. */
const PAPER = { width: 718, height: 1_000 };

const beams = (...ids: readonly string[]) => ids.map((id) => ({ beam: { id } }));
const ID = '0123456789abcdef'.repeat(2);
const ENTRIES = beams('opener', 'news', ID, 'weather', 'film', 'quiz', 'night');
const BLOCKED = {
  check: 'weakening',
  reason: 'it weakens protection',
  lift: { edit: 'run `upkeep apply --target production --allow weakening`' },
} as const;

/** A cell for each resolution, each of which goes from one of the longest words to another. */
const WIDE_ROW = {
  device: 'browser',
  name: 'desktop browser, hardware Widevine, on a monitor with an old cable',
  system: 'widevine',
  before: { SD: 'restricted', HD: 'restricted', UHD1: 'restricted', UHD2: 'unknown' },
  after: { SD: 'unknown', HD: 'refused', UHD1: 'unknown', UHD2: 'restricted' },
  noticed: ['SD', 'HD', 'UHD1', 'UHD2'],
} as const;

const settings = ['SD', 'HD', 'UHD1', 'UHD2'].flatMap((track) => [
  field(`/widevine/content_key_specs/${track}/required_output_protection/hdcp_srm_rule`, 'HDCP_SRM_RULE_NONE', 'CURRENT_SRM'),
  field(`/playready/${track.toLowerCase()}/uncompressed_digital_audio_protection_level`, 300, 100, {
    effect: 'weakens',
    reasons: [{ effect: 'weakens', text: 'uncompressed digital audio' }],
  }),
]);

/** A plan with everything that is wide. */
const WIDE: Plan = plan(
  [
    change('drm-policy/premium', { effect: 'weakens', blocked: BLOCKED, fields: settings }),
    change('playlist/main', { fields: [field('/playlist', ENTRIES, [...beams('film'), ...ENTRIES.filter((_, index) => index !== 4)])] }),
    change('vmp-reject-statuses', {
      effect: 'strengthens',
      playback: 'stops',
      fields: [
        field('/vmp_reject_statuses', [], ['PLATFORM_SECURE_STORAGE_SOFTWARE_VERIFIED'], {
          effect: 'strengthens',
          reasons: [{ effect: 'strengthens', text: 'devices get no licenses any more' }],
        }),
      ],
    }),
    change('static-key', { action: 'create', playback: 'gains' }),
  ],
  {
    impact: { ...planImpact(), matrices: [planMatrix({ devices: [WIDE_ROW, WIDE_ROW] })] },
    requests: [{ method: 'POST', path: '/drm/policy', body: { text: 'x '.repeat(500) }, addresses: ['drm-policy/premium'] }],
    assetNames: {
      opener: 'Opening',
      film: 'The film',
      weather: 'The weather',
      night: 'The long night of the very long names of films that nobody can read at once, part two',
    },
  },
);

const SHOWN = render([{ type: 'plan', plan: WIDE }], 'html', OPTIONS);

/** A plan with three steps to unblock it, and more effects than a phone shows at once. */
const LONG = render(
  [
    {
      type: 'plan',
      plan: plan([
        ...['premium', 'standard', 'children'].map((name) =>
          change(`drm-policy/${name}`, {
            name,
            effect: 'weakens',
            blocked: BLOCKED,
            fields: ['SD', 'HD', 'UHD1', 'UHD2'].map((track) =>
              field(`/widevine/content_key_specs/${track}/security_level`, 5, 1, {
                effect: 'weakens',
                reasons: [
                  { effect: 'weakens', text: `${name} ${track}: cryptography in software instead of hardware (\`security_level\`)` },
                ],
              }),
            ),
          }),
        ),
        change('playlist/news', {
          blocked: { check: 'guard', reason: 'nothing changes on election day', lift: { edit: 'wait until tomorrow' } },
        }),
        change('playlist/late', {
          action: 'delete',
          playback: 'stops',
          blocked: { check: 'deletes', reason: 'too many', lift: { allow: 'deletes' } },
        }),
      ]),
    },
  ],
  'html',
  OPTIONS,
);

describe.runIf(hasBrowser)('the layout of the HTML report', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  test('fits a phone: no table and no border is cut, and no flag is broken', async () => {
    const { page } = await open(browser, SHOWN, { viewport: PHONE });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
    expect(await widerThanTheirBox(page)).toEqual([]);
    expect(await page.evaluate(outside('.moved div', '.scroll'))).toBe(0);
    expect(await page.evaluate('[...new Set([...document.querySelectorAll(".flag")].map((e) => e.getClientRects().length))]')).toEqual([1]);
  });

  test('shows all ways to unblock a plan on the first screen of a phone, however much it does, and reads the effects first', async () => {
    const { page } = await open(browser, LONG, { viewport: PHONE });
    const boxOf = async (selector: string) => (await page.locator(selector).boundingBox()) ?? { y: Number.NaN, height: Number.NaN };
    const [unblock, effects] = [await boxOf('.verdict .next'), await boxOf('.verdict .effects')];
    expect(unblock.y + unblock.height).toBeLessThan(PHONE.height);
    expect(effects.height).toBeGreaterThan(PHONE.height / 4);
    expect(effects.y).toBeGreaterThan(unblock.y);
    expect(await page.locator('.verdict > div').first().getAttribute('class')).toBe('effects');
    await page.setViewportSize({ width: 1280, height: 900 });
    expect((await boxOf('.verdict .effects')).y).toBeLessThan((await boxOf('.verdict .next')).y);
  });

  test('is never wider than a window of 1280 pixels at 200 % zoom', async () => {
    const { page } = await open(browser, SHOWN, { viewport: { width: 640, height: 450 } });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(640);
    expect(await widerThanTheirBox(page)).toEqual([]);
  });

  test('scrolls without motion where the reader wants none', async () => {
    const behavior = async (reducedMotion: 'reduce' | 'no-preference') =>
      (await open(browser, SHOWN, { reducedMotion })).page.evaluate('getComputedStyle(document.documentElement).scrollBehavior');
    expect(await behavior('reduce')).toBe('auto');
    expect(await behavior('no-preference')).toBe('smooth');
  });

  test('shows what changed in a playlist on a phone without scrolling sideways', async () => {
    const { page } = await open(browser, SHOWN, { viewport: PHONE });
    expect(await page.locator('.playlist-diff .scroll:visible').count()).toBe(0);
    expect(await page.getByRole('list', { name: /^playlist: 7 entries; 1 moved/ }).count()).toBe(1);
    const rows = (await page.locator('.merged > li:visible').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    expect(rows).toEqual([
      '1 ← 5 The film , moved from place 5',
      '2 Opening',
      '2 in the same order',
      '5 The weather',
      '6 quiz',
      expect.stringMatching(/^7 The long night/),
    ]);
    const right = Number(
      await page.evaluate('Math.max(...[...document.querySelectorAll(".merged li")].map((e) => e.getBoundingClientRect().right))'),
    );
    expect(right).toBeLessThanOrEqual(PHONE.width);
  });

  test('copies the ID of a name on a phone, too', async () => {
    const { page } = await open(browser, SHOWN, { viewport: PHONE });
    const copied = await page.evaluate(`new Promise((resolve) => {
      document.addEventListener('copy', (event) => setTimeout(() => resolve(copy.getData('text/plain'))));
      const copy = new DataTransfer();
      getSelection().selectAllChildren(document.querySelector('.playlist-diff').parentElement);
      document.dispatchEvent(new ClipboardEvent('copy', { clipboardData: copy, cancelable: true, bubbles: true }));
    })`);
    expect(copied).toMatch(/\bopener\b[\s\S]*\bweather\b[\s\S]*\bnight\b/);
    expect(copied).not.toContain('The long night');
  });

  test('folds the filters on a phone, and opens them by keyboard', async () => {
    const { page } = await open(browser, SHOWN, { viewport: PHONE });
    const height = async () => (await page.locator('form.filters').boundingBox())?.height ?? 0;
    const choice = page.getByRole('combobox', { name: 'Kind' });
    expect(await height()).toBeLessThan(PHONE.height / 8);
    expect(await choice.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Filters', expanded: false }).press('Enter');
    await page.getByRole('button', { name: 'Filters', expanded: true }).waitFor();
    expect(await choice.isVisible()).toBe(true);
    await page.setViewportSize({ width: 1280, height: 900 });
    expect(await page.getByRole('button', { name: 'Filters' }).count()).toBe(0);
    expect(await choice.isVisible()).toBe(true);
  });

  test('shows an ID of 32 digits in a block whole, and ends a longer name with an ellipsis', async () => {
    const { page } = await open(browser, SHOWN, { viewport: { width: 1280, height: 900 } });
    const block = (text: string) => page.locator('.blocks li', { hasText: text }).first();
    const measured = async (text: string) => {
      const name = await block(text)
        .locator('.name')
        .evaluate((element) => ({
          lines: Math.round(
            element.clientHeight / Number.parseFloat(element.ownerDocument.defaultView.getComputedStyle(element).lineHeight),
          ),
          isCut: element.scrollHeight > element.clientHeight + 2,
          bottom: element.getBoundingClientRect().bottom,
        }));
      const box = await block(text).evaluate((element) => element.getBoundingClientRect().bottom);
      return { lines: name.lines, isCut: name.isCut, isInBlock: name.bottom <= box };
    };
    expect(await measured(ID)).toEqual({ lines: 4, isCut: false, isInBlock: true });
    expect(await measured('The long night')).toEqual({ lines: 4, isCut: true, isInBlock: true });
    const clamp = await block('The long night')
      .locator('.name')
      .evaluate((element) => element.ownerDocument.defaultView.getComputedStyle(element).webkitLineClamp);
    expect(clamp).toBe('4');
  });

  test('fits the width of A4, with what is folded open, and without filters', async () => {
    const { page } = await open(browser, SHOWN, { viewport: PAPER });
    await page.emulateMedia({ media: 'print' });
    await page.evaluate('dispatchEvent(new Event("beforeprint"))');
    expect(
      await page.evaluate(
        `[...document.querySelectorAll('main *')].filter((e) => e.getBoundingClientRect().right > ${PAPER.width}).map((e) => e.outerHTML.slice(0, 80))`,
      ),
    ).toEqual([]);
    expect(await widerThanTheirBox(page)).toEqual([]);
    expect(await page.evaluate(outside('.heat-map, .settings-matrix table', '.item'))).toBe(0);
    expect(await page.locator('details[open]').count()).toBeGreaterThan(0);
    expect(await page.locator('details:not([open]), form:visible, nav:visible, .playlist-diff .scroll:visible').count()).toBe(0);
  });

  test('keeps titles on paper with what follows, and items together, unless one is so tall that a page would stay half empty', async () => {
    const { page } = await open(browser, SHOWN, { viewport: PAPER });
    await page.emulateMedia({ media: 'print' });
    const styles = (selector: string, property: string) =>
      page.evaluate(`[...new Set([...document.querySelectorAll('${selector}')].map((e) => getComputedStyle(e).${property}))]`);
    expect(await styles('h1, h2, h2 + p, figcaption, summary, .item:has(.heat-map) .head', 'breakAfter')).toEqual(['avoid']);
    const tall = ':has(.settings-matrix, .heat-map tbody tr:nth-child(13))';
    expect(await styles(`.verdict, .totals, .item:not(${tall}), tr, li.kept, pre, .request-sequence, h2 + p`, 'breakInside')).toEqual([
      'avoid',
    ]);
    expect(await styles(`.items, .item${tall}`, 'breakInside')).toEqual(['auto']);
  });

  test('leaves "strengthens" without a color where the other axis is worse', async () => {
    const { page } = await open(browser, SHOWN);
    const colorOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => element.ownerDocument.defaultView.getComputedStyle(element).backgroundColor);
    const strengthens = await colorOf('.item[data-playback="stops"] .mark.good');
    expect(strengthens).toBe(await colorOf('.item pre'));
    expect(strengthens).not.toBe(await colorOf('.item[data-effect="weakens"] .mark.alarm'));
    expect(strengthens).not.toBe(await colorOf('.item[data-action="create"] .mark.added'));
  });
});

/** Counts the elements that reach beyond the element around them. */
function outside(selector: string, around: string): string {
  return `[...document.querySelectorAll('${selector}')].filter((e) => {
    const [inner, outer] = [e.getBoundingClientRect(), e.closest('${around}').getBoundingClientRect()];
    return inner.width > 0 && (inner.left < outer.left - 0.5 || inner.right > outer.right + 0.5);
  }).length`;
}

/** Returns the widths of the tables that are wider than their box. */
async function widerThanTheirBox(page: Page): Promise<unknown> {
  return page.evaluate(
    `[...document.querySelectorAll('table')].filter((e) => e.getBoundingClientRect().width > e.parentElement.clientWidth + 0.5)
      .map((e) => e.className + ' ' + e.getBoundingClientRect().width + ' of ' + e.parentElement.clientWidth)`,
  );
}
