/**
 * A visit with Firefox, over WebDriver BiDi. As in Chromium, a test fails when the page logged an error, broke its own
 * policy, or asked another server for anything.
 */
import puppeteer, { type Browser, type BrowserContext, type Locator, type Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Client } from '../support/client.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { findFirefox } from './browsers.ts';

let browser: Browser;
let common: TestServer;
const open = new Map<BrowserContext, string[]>();

beforeAll(async () => {
  [browser, common] = await Promise.all([
    puppeteer.launch({
      browser: 'firefox',
      executablePath: findFirefox(),
      headless: true,
      timeout: limit(30_000),
    }),
    startTestServer(),
  ]);
});
afterEach(async () => {
  const troubles = [...open.values()].flat();
  const contexts = [...open.keys()];
  open.clear();
  await Promise.all(contexts.map((context) => context.close()));
  if (troubles.length > 0) throw new Error(`the page was in trouble: ${troubles.join('\n')}`);
});
afterAll(() => browser.close());

export interface FirefoxVisit {
  readonly server: TestServer;
  readonly page: Page;
  /** What has this role and this name. */
  readonly by: (role: string, name: string) => Locator<Element>;
  /** Waits until something that the selector finds shows this text. */
  readonly see: (text: string, inside?: string) => Promise<void>;
}

/** A new tab on `/`, without a key. @param server by default that of the file */
export async function arriveWithFirefox(server = common): Promise<FirefoxVisit> {
  const context = await browser.createBrowserContext();
  const troubles: string[] = [];
  open.set(context, troubles);
  const page = await context.newPage();
  page.setDefaultTimeout(limit(15_000));
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) troubles.push(message.text());
  });
  page.on('pageerror', (error) => troubles.push(String(error)));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== server.url && !['data:', 'blob:'].includes(protocol)) troubles.push(`it asked ${request.url()}`);
  });
  await page.setViewport({ width: 1280, height: 800 });
  await page.goto(server.url);
  return {
    server,
    page,
    by: (role, name) => page.locator(`::-p-aria([name="${name}"][role="${role}"])`) as Locator<Element>,
    // Puppeteer's own selector for text misses text that changes in its place.
    see: async (text, inside = 'body') => {
      const isSeen = (wanted: string, selector: string): boolean =>
        [...document.querySelectorAll<HTMLElement>(selector)].some(({ innerText }) => innerText.includes(wanted));
      await page.waitForFunction(isSeen, { polling: 50 }, text, inside);
    },
  };
}

/** A tab with the key of a new sandbox, made by a click, and a client outside the browser. */
export async function visitWithFirefox(server?: TestServer): Promise<FirefoxVisit & { client: Client }> {
  const visit = await arriveWithFirefox(server);
  await visit.by('button', 'Make a key').click();
  await visit.see('Connected');
  const key = await visit.page.evaluate(() => sessionStorage.getItem('petstore-sandbox-key'));
  return { ...visit, client: visit.server.client(String(key)) };
}
