// Makes the pictures of docs/reports.md: the HTML reports of pull requests on the example account, in Debian's Chromium.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { planOfStory } from './story.mjs';

const pictures = fileURLToPath(new URL('../../../.github/pictures/', import.meta.url));
const WIDTH = 1240;
/** Less than what lies between two changes. */
const MARGIN = 10;

/** The whole page, opened in one of the two colour schemes. */
async function opened(browser, report, colorScheme) {
  const page = await browser.newPage({ viewport: { width: WIDTH, height: 900 }, colorScheme });
  await page.goto(pathToFileURL(report).href);
  return page;
}

/** Takes the part of a page from the top of one element to the bottom of another. */
async function take(page, name, from, to) {
  const [top, bottom] = [await from.boundingBox(), await to.boundingBox()];
  const y = Math.max(top.y - MARGIN, 0);
  const clip = { x: 0, y, width: WIDTH, height: bottom.y + bottom.height + MARGIN - y };
  await page.screenshot({ path: join(pictures, name), fullPage: true, clip });
}

const folder = mkdtempSync(join(tmpdir(), 'upkeep-pictures-'));
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
try {
  mkdirSync(pictures, { recursive: true });
  const change = (page, name) => page.locator('.item[data-action]', { has: page.getByRole('heading', { name, exact: true }) });
  const outage = await opened(browser, await planOfStory(join(folder, 'outage'), 'outage'), 'light');
  await take(outage, 'plan.png', outage.getByRole('heading', { level: 1 }), change(outage, 'vmp-reject-statuses'));
  const dark = await opened(browser, await planOfStory(join(folder, 'mixed'), 'mixed'), 'dark');
  await take(dark, 'changes.png', change(dark, 'static-key'), change(dark, 'main-channel'));
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
