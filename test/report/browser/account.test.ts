/** The account at a glance in a real browser: it does nothing that it must not, everybody can read it, and its search finds what it says. */
import axe from 'axe-core';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderAccount } from '../../../src/report/html/account.ts';
import { account, EVERYTHING, largeAccount, playlist, playlistsPart } from '../account-samples.ts';
import { hasBrowser, open, startBrowser } from './chromium.ts';

const PAGE = renderAccount(EVERYTHING);
const LARGE = renderAccount(largeAccount());
const PHONE = { width: 390, height: 844 };
/** What 200 % zoom leaves of a window of 1280 by 900 pixels. */
const ZOOMED = { width: 640, height: 450 };

describe.runIf(hasBrowser)('the account at a glance', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  test.each([
    ['light', { width: 1440, height: 900 }],
    ['dark', { width: 1440, height: 900 }],
    ['light', { width: 390, height: 844 }],
    ['dark', { width: 390, height: 844 }],
  ] as const)(
    'has no accessibility violation that axe finds, loads nothing and is never wider than the screen: %s, %o',
    async (colorScheme, viewport) => {
      const { page, incidents } = await open(browser, PAGE, { colorScheme, viewport });
      await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true');
      await page.evaluate(axe.source);
      const violations = await page.evaluate(
        'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map((node) => node.html).join(" ")))',
      );
      expect(violations).toEqual([]);
      expect(incidents).toEqual([]);
      expect(Number(await page.evaluate('document.documentElement.scrollWidth'))).toBe(viewport.width);
    },
  );

  test.each([
    ['light', PHONE],
    ['dark', ZOOMED],
  ] as const)('is as accessible and as narrow with 300 playlists, folded and open: %s, %o', async (colorScheme, viewport) => {
    const { page, incidents } = await open(browser, LARGE, { colorScheme, viewport });
    for (const state of ['folded', 'open']) {
      if (state === 'open')
        await page.evaluate(
          'for (const each of document.querySelectorAll("section > details, .group details, .attention details")) each.open = true',
        );
      expect(Number(await page.evaluate('document.documentElement.scrollWidth'))).toBe(viewport.width);
    }
    await page.evaluate(axe.source);
    const violations = await page.evaluate(
      'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html))',
    );
    expect(violations).toEqual([]);
    expect(incidents).toEqual([]);
  });

  test('shows on the first screen of a phone what needs attention, and folds 60 slicers and 300 playlists', async () => {
    const { page } = await open(browser, LARGE, { viewport: PHONE });
    for (const mark of ['warning', 'cannot be played', 'ends within 14 days'])
      expect(await bottomOf(page.locator('.attention .mark', { hasText: mark }))).toBeLessThan(PHONE.height);
    expect(await page.getByText('sao-live-59').isVisible()).toBe(false);
    expect(await page.locator('.playlists > .item:visible').count()).toBe(0);
    expect(Number(await page.evaluate('document.documentElement.scrollHeight'))).toBeLessThan(5 * PHONE.height);
  });

  test('unfolds the playlists when somebody searches, and when a link leads to one', async () => {
    const { page, incidents } = await open(browser, LARGE);
    await page.locator('.attention').getByRole('link').first().click();
    await expect.poll(() => page.locator(':target').isVisible()).toBe(true);
    const { page: searched } = await open(browser, LARGE);
    await searched.getByRole('searchbox').fill('Episode 399');
    await searched.getByRole('status').getByText('Shown: 5 of 300.').waitFor();
    expect(await searched.locator('.playlists > .item:visible').count()).toBe(5);
    expect(incidents).toEqual([]);
  });

  test('shows the focus on everything that a keyboard reaches, and moves nothing where the reader wants no motion', async () => {
    const { page } = await open(browser, LARGE, { reducedMotion: 'reduce' });
    const reached = new Set<unknown>();
    for (let step = 0; step < 60; step++) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate('document.activeElement.localName');
      if (focused === 'body') break;
      reached.add(focused);
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    }
    expect([...reached].sort()).toEqual(['a', 'button', 'div', 'input', 'select', 'summary']);
    expect(await page.evaluate('getComputedStyle(document.documentElement).scrollBehavior')).toBe('auto');
    expect(await page.evaluate('document.getAnimations().length')).toBe(0);
  });

  test('is printed whole but for the entries, and no playlist and no setting is cut between two pages', async () => {
    const { page } = await open(browser, LARGE);
    await page.emulateMedia({ media: 'print' });
    await page.evaluate('dispatchEvent(new Event("beforeprint"))');
    expect(await page.locator('.playlists > .item:visible').count()).toBe(300);
    expect(await page.getByText('sao-live-59').isVisible()).toBe(true);
    expect(await page.locator('.playlists .run:visible').count()).toBe(0);
    const breaks = await page.evaluate(
      '[...new Set([...document.querySelectorAll(".playlists > .item, .settings .group:not(:has(details)), .policies tr")].map((e) => getComputedStyle(e).breakInside))]',
    );
    expect(breaks).toEqual(['avoid']);
  });

  test('finds playlists by name, ID and asset, and by what is to be looked at', async () => {
    const { page, incidents } = await open(browser, PAGE);
    const shown = () => page.locator('.playlists > .item:visible .title code').first().innerText();
    const status = page.getByRole('status');
    for (const [words, id] of [
      ['PLAYLIST P3', 'p3'],
      ['nobody-knows', 'p2'],
      ['pilot ad', 'p1'],
    ] as const) {
      await page.getByRole('searchbox').fill(words);
      await expect.poll(shown).toBe(id);
      expect(await status.textContent()).toBe('Shown: 1 of 3.');
    }
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => status.textContent()).toBe('');
    await page.getByRole('combobox', { name: 'To look at' }).selectOption('gone');
    await status.getByText('Shown: 1 of 3.').waitFor();
    expect(await shown()).toBe('p1');
    expect(incidents).toEqual([]);
  });

  test('can be operated by keyboard alone', async () => {
    const { page } = await open(browser, PAGE);
    await page.getByRole('searchbox').focus();
    await page.keyboard.type('farewell');
    await page.getByRole('status').getByText('Shown: 1 of 3.').waitFor();
    const focused = () => page.evaluate('document.activeElement.localName');
    for (let step = 0; step < 10 && (await focused()) !== 'summary'; step++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.playlists details[open] li').first().innerText()).toContain('Farewell');
  });

  test('shows everything without scripts and in print', async () => {
    const { page } = await open(browser, PAGE, { javaScriptEnabled: false });
    expect(await page.locator('.playlists > .item:visible').count()).toBe(3);
    expect(await page.locator('form').isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.playlists > .item:visible').count()).toBe(3);
    expect((await page.pdf()).subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('opens and searches 1,000 playlists of 60 entries, whole', async () => {
    const entries = (of: number) => Array.from({ length: 60 }, (_, index) => ({ type: 'beam', id: `asset-${of}-${index}` }) as const);
    const report = renderAccount(
      account({ parts: [playlistsPart(Array.from({ length: 1_000 }, (_, index) => playlist(`p${index}`, entries(index))))] }),
    );
    expect(report.length).toBeLessThan(10_000_000);
    expect(report).not.toContain('listed without entries');
    const { page, incidents } = await open(browser, report);
    await page.getByRole('searchbox').fill('asset-777-59');
    await page.getByRole('status').getByText('Shown: 1 of 1000.').waitFor();
    expect(incidents).toEqual([]);
  });

  test('stays bounded with 20,000 playlists of 100 entries, and says what it leaves out', async () => {
    const entries = Array.from({ length: 100 }, (_, index) => ({ type: 'beam', id: `asset-${index}` }) as const);
    const report = renderAccount(
      account({ parts: [playlistsPart(Array.from({ length: 20_000 }, (_, index) => playlist(`p${index}`, entries)))] }),
    );
    expect(report.length).toBeLessThan(25_000_000);
    expect(report.match(/<li class="item"/g)).toHaveLength(10_000);
    expect(report.match(/<svg class="strip"/g)).toHaveLength(2_000);
    expect(report).toContain('10000 more playlists not listed');
    expect(report).toMatch(/\d+ playlists listed without entries/);
  });
});

/** Returns the lower edge of an element, pixels from the top of the page. */
async function bottomOf(element: Locator): Promise<number> {
  const box = await element.boundingBox();
  return box === null ? Number.POSITIVE_INFINITY : box.y + box.height;
}
