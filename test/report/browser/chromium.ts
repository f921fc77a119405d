/** Opens reports in a browser and records everything that a report must never do. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { temporaryFolder } from '../../support/harness.ts';
import { atMost } from '../../support/patience.ts';

/** The browser of Debian, or of the runners of GitHub. */
const PROGRAM = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((program) => existsSync(program));

/** Whether a browser is installed. */
export const hasBrowser = PROGRAM !== undefined;

/** The command that installs a browser. */
export const REMEDY = 'apt-get install --no-install-recommends chromium';

/** Starts the browser. @throws Error if none is installed */
export async function startBrowser(): Promise<Browser> {
  if (PROGRAM === undefined) throw new Error(REMEDY);
  return chromium.launch({ executablePath: PROGRAM, args: ['--no-sandbox'] });
}

/** A report that a browser has opened. */
export interface Opened {
  readonly page: Page;
  /** Dialogs, messages on the console, errors of scripts, and requests beyond the file itself, as they happen. */
  readonly incidents: string[];
}

/** Opens a report from a file, as its readers do. */
export async function open(browser: Browser, report: string, how: BrowserContextOptions = {}): Promise<Opened> {
  const file = join(temporaryFolder(), 'report.html');
  writeFileSync(file, report);
  const { href } = pathToFileURL(file);
  const context = await browser.newContext(how);
  await context.setOffline(true);
  const page = await context.newPage();
  page.setDefaultTimeout(atMost(60_000));
  const incidents: string[] = [];
  page.on('console', (message) => incidents.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => incidents.push(`error: ${error.message}`));
  page.on('dialog', async (dialog) => {
    incidents.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on('requestfailed', (request) => incidents.push(`request: ${request.url()} ${request.failure()?.errorText}`));
  page.on('response', (response) => {
    if (response.url() !== href) incidents.push(`answer: ${response.url()}`);
  });
  await page.goto(href);
  return { page, incidents };
}
