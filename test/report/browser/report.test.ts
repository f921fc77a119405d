/** The HTML report in a real browser: it does nothing that it must not, everybody can read it, and its filters pick what they say. */
import { readdirSync, readFileSync } from 'node:fs';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { render } from '../../../src/report/index.ts';
import { sample } from '../../support/property.ts';
import { change, field, finding, impactSummary, OPTIONS, plan, planImpact, planMatrix } from '../documents.ts';
import { hostileDocument } from '../hostile.ts';
import { hasBrowser, open, REMEDY, startBrowser } from './chromium.ts';
import { SHOWN } from './showcase.ts';

if (!hasBrowser) process.stderr.write(`The HTML report was not tested in a browser, which is not here: ${REMEDY}\n`);

test('CI has the browser that opens the HTML report', () => {
  expect(hasBrowser || (process.env.CI ?? '') === '', REMEDY).toBe(true);
});

test('the README and the page about reports show all pictures of .github/pictures, each smaller than 300 kB', () => {
  const top = new URL('../../../', import.meta.url);
  const pages = ['README.md', 'docs/reports.md'].map((page) => readFileSync(new URL(page, top), 'utf8')).join('');
  const shown = [...pages.matchAll(/!\[[^\]]{20,}\]\((?:\.\.\/)?(\.github\/pictures\/[\w-]+\.(?:png|svg))\)/g)].map(
    ([, path = '']) => path,
  );
  expect(shown.map((path) => path.replace('.github/pictures/', '')).sort()).toEqual(readdirSync(new URL('.github/pictures/', top)).sort());
  for (const path of shown) {
    const picture = readFileSync(new URL(path, top));
    expect(picture.subarray(0, 4).toString('latin1')).toBe(path.endsWith('.png') ? '\u0089PNG' : '<svg');
    expect(picture.length).toBeLessThan(300_000);
  }
});

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 360, height: 740 };

describe.runIf(hasBrowser)('the HTML report', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  test('loads nothing, runs nothing from its data, and writes nothing to the console', async () => {
    const evil = '"><img src=x onerror=alert(1)><script>alert(2)</script><a href="javascript:alert(3)">x</a>\' onmouseover=\'alert(4)';
    const everywhere = plan(
      [
        change(evil, { kind: 'static-key', name: evil, fields: [field(evil, [{ beam: { id: evil } }], [])] }),
        change(`x${evil}`, {
          kind: 'drm-policy',
          fields: [field(`/widevine/${evil}`, evil, evil, { reasons: [{ effect: 'weakens', text: evil }] })],
        }),
        change('y', { kind: evil, fields: [field(evil, evil, evil)], blocked: { check: 'guard', reason: evil, lift: { edit: evil } } }),
      ],
      {
        target: evil,
        findings: [finding({ summary: evil, file: evil, excerpt: evil })],
        requests: [{ method: 'POST', path: evil, body: { [evil]: evil }, addresses: [evil, 'y'] }],
        impact: { ...planImpact(impactSummary({ policies: [evil] })), matrices: [planMatrix({ policies: [evil] })] },
      },
    );
    const samples = sample(hostileDocument, 40);
    for (const documents of [[{ type: 'plan', plan: everywhere } as const], samples]) {
      const { page, incidents } = await open(browser, render(documents, 'html', { ...OPTIONS, requests: true }));
      expect(await page.locator('img, iframe, object, embed, link, base, body script ~ script').count()).toBe(0);
      expect(
        await countOf(
          page,
          '[...document.querySelectorAll("*")].filter((e) => [...e.attributes].some((a) => /^on|^style$|^src$/.test(a.name))).length',
        ),
      ).toBe(0);
      expect(await countOf(page, '[...document.querySelectorAll("a")].filter((a) => !a.getAttribute("href").startsWith("#")).length')).toBe(
        0,
      );
      for (const search of await page.getByRole('searchbox').all()) await search.fill('alert');
      await page.mouse.move(300, 300);
      expect(incidents).toEqual([]);
    }
  });

  test('blocks injected markup by its content security policy, as this test can observe', async () => {
    const slips = '<img src="https://evil.example/x" onerror="alert(1)"><script>alert(2)</script><p style="color: red">x</p>';
    const { incidents } = await open(
      browser,
      SHOWN.replace('<main>', () => `<main>${slips}`),
    );
    expect(incidents.filter((each) => /^(?:dialog|answer)/.test(each))).toEqual([]);
    expect(incidents).toContain('request: https://evil.example/x csp');
    expect(incidents.filter((each) => /Content Security Policy/.test(each)).length).toBeGreaterThanOrEqual(3);
    const naked = await open(browser, `<main><script>alert(2)</script><img src="https://evil.example/x"></main>`);
    expect(naked.incidents).toContain('dialog: 2');
    expect(naked.incidents.join('\n')).toMatch(/^request: https:\/\/evil\.example\/x net::/m);
  });

  test.each([
    ['light', WIDE],
    ['dark', WIDE],
    ['light', NARROW],
    ['dark', NARROW],
  ] as const)('has no accessibility violation that axe finds: %s, %o', async (colorScheme, viewport) => {
    const { page, incidents } = await open(browser, SHOWN, { colorScheme, viewport });
    await page.evaluate(axe.source);
    const violations = await page.evaluate(
      'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map((node) => node.html).join(" ")))',
    );
    expect(violations).toEqual([]);
    expect(incidents).toEqual([]);
    expect(await countOf(page, 'document.documentElement.scrollWidth')).toBe(viewport.width);
  });

  test('can be operated by keyboard and shows the focus', async () => {
    const { page } = await open(browser, SHOWN, { viewport: NARROW });
    const focused: unknown[] = [];
    for (let step = 0; step < 15; step++) {
      await page.keyboard.press('Tab');
      if (focused.at(-1) === 'text') {
        await expect
          .poll(() => page.getByRole('button', { name: 'Filters' }).evaluate((element) => element === element.ownerDocument.activeElement))
          .toBe(true);
        await page.keyboard.press('Enter');
      }
      focused.push(await page.evaluate('document.activeElement.name || document.activeElement.type || document.activeElement.localName'));
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    }
    expect(focused.join(' ')).toBe('a a a a a a a a a text button effect action blocked kind');
    await page.setViewportSize({ width: 800, height: 740 });
    const region = page.getByRole('region', { name: /^playlist: 16 entries/ });
    await region.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => countOf(page, 'document.activeElement.scrollLeft')).toBeGreaterThan(0);
  });

  test('describes its diagrams to screen readers', async () => {
    const { page } = await open(browser, SHOWN);
    const moved = page.getByRole('region', { name: /1 moved, 1 of another length, 1 added, 1 removed/ });
    const snapshot = await moved.ariaSnapshot();
    expect(snapshot).toMatch(/- paragraph: Before\n +- list:\n +- listitem: 1 a+\n/);
    expect(snapshot).toMatch(/c , moves to place 5\n/);
    expect(snapshot).toMatch(/ad 30 s , becomes 90 s\n/);
    await expect(page.getByRole('table', { name: '2 settings change, by system and track' }).count()).resolves.toBe(1);
    await expect(page.getByRole('status').count()).resolves.toBe(1);
  });

  test('shows the items that match the filters and how many of all they are', async () => {
    const { page, incidents } = await open(browser, SHOWN);
    const shown = () => page.locator('.item:visible h3').allInnerTexts();
    const status = page.getByRole('status');
    const all = await shown();
    await page.getByRole('combobox', { name: 'Protection' }).selectOption('weakens');
    await status.getByText('Shown: 1 of 11.').waitFor();
    expect(await shown()).toEqual(['premium']);
    expect(await page.locator('section.part:visible h2').allInnerTexts()).toEqual(['Blocked 1']);
    expect(await page.locator('nav li:visible').count()).toBe(1);
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => status.textContent()).toBe('');
    expect(await shown()).toEqual(all);
    await page.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'playlist (3)' });
    await page.getByRole('searchbox').fill('HARBOUR  main');
    await status.getByText('Shown: 1 of 11.').waitFor();
    expect(await shown()).toEqual(['Harbour TV']);
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('searchbox').fill('nowhere');
    await status.getByText('No matches.').waitFor();
    expect(await shown()).toEqual([]);
    expect(incidents).toEqual([]);
  });

  test('opens the change that a link names, folded or not, and copies its address', async () => {
    const { page, incidents } = await open(browser, SHOWN, { permissions: ['clipboard-read', 'clipboard-write'] });
    const link = page.getByRole('link', { name: 'Harbour TV', exact: true });
    expect(await link.getAttribute('title')).toBe('playlist/main');
    await link.click();
    expect(await page.evaluate('document.querySelector(":target").localName')).toBe('h3');
    const copied = await page.evaluate(`new Promise((resolve) => {
      document.addEventListener('copy', (event) => setTimeout(() => resolve(copy.getData('text/plain'))));
      const copy = new DataTransfer();
      getSelection().selectAllChildren(document.querySelector(':target').parentElement);
      document.dispatchEvent(new ClipboardEvent('copy', { clipboardData: copy, cancelable: true, bubbles: true }));
    })`);
    expect(copied).toMatch(/update playlist\/main/);
    expect(incidents).toEqual([]);
  });

  test('cuts no table on a phone, and says where something can be scrolled', async () => {
    const { page } = await open(browser, SHOWN, { viewport: { width: 390, height: 844 } });
    expect(await countOf(page, 'document.documentElement.scrollWidth')).toBe(390);
    const cut = '[...document.querySelectorAll("table")].filter((e) => e.scrollWidth > e.parentElement.clientWidth + 1).length';
    expect(await countOf(page, cut)).toBe(0);
    await page.setViewportSize({ width: 800, height: 844 });
    const marked = () => countOf(page, 'document.querySelectorAll(".playlist-diff .scroll[data-scrolls=yes]").length');
    await expect.poll(marked).toBeGreaterThan(0);
  });

  test('shows all items without scripts and in print', async () => {
    const { page } = await open(browser, SHOWN, { javaScriptEnabled: false });
    expect(await page.locator('.item:visible').count()).toBe(11);
    expect(await page.locator('form').isVisible()).toBe(false);
    const { page: printed } = await open(browser, SHOWN);
    await printed.emulateMedia({ media: 'print' });
    expect(await printed.locator('form:visible, nav:visible').count()).toBe(0);
    expect(await printed.locator('.item:visible').count()).toBe(11);
    expect((await printed.pdf()).subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('filters 10,000 changes', async () => {
    const changes = Array.from({ length: 10_000 }, (_, index) => change(`playlist/p${index}`, { fields: [field('/repeat', 0, index)] }));
    const report = render([{ type: 'plan', plan: plan(changes) }], 'html', OPTIONS);
    expect(report.length).toBeLessThan(10_000_000);
    const { page, incidents } = await open(browser, report);
    await page.getByRole('searchbox').fill('p9999');
    await page.getByRole('status').getByText('Shown: 1 of 10000.').waitFor();
    expect(await page.locator('.item:not([hidden]) h3').allInnerTexts()).toEqual(['p9999']);
    expect(incidents).toEqual([]);
  });
});

async function countOf(page: Page, expression: string): Promise<number> {
  return Number(await page.evaluate(expression));
}
