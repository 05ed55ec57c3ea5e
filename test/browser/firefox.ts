/**
 * A visit with Firefox, over WebDriver BiDi. As in Chromium, a test fails when the page logged an error, broke its own
 * policy, or asked another server for anything.
 */
import puppeteer, { type Browser, type BrowserContext, type ElementHandle, type Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
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
  /** Clicks what has this role and this name. */
  readonly clickOn: (role: string, name: string) => Promise<void>;
  /** Does something with the first element of a selector, once there is one. */
  readonly at: (selector: string, act: (element: ElementHandle) => Promise<unknown>) => Promise<void>;
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
  // Firefox before 144 sets the size, and rejects the orientation that Puppeteer sends with it.
  await page.setViewport({ width: 1280, height: 800 }).catch((error: Error) => {
    if (!error.message.includes('unknown command')) throw error;
  });
  await page.goto(server.url);
  // Not by Puppeteer's own locators and `waitForFunction`: in those versions, the page's policy keeps them from compiling.
  const soon = <T>(look: () => Promise<T>) => expect.poll(look, { interval: 50, timeout: limit(15_000) });
  const at: FirefoxVisit['at'] = async (selector, act) => {
    const isDone = async (): Promise<boolean> => {
      const element = await page.$(selector);
      if (element) await act(element);
      return element !== null;
    };
    // Between the two, the page may have put another element in its place.
    await soon(() => isDone().catch(() => false)).toBe(true);
  };
  return {
    server,
    page,
    at,
    clickOn: (role, name) => at(`::-p-aria([name="${name}"][role="${role}"])`, (element) => element.click()),
    // Puppeteer's own selector for text misses text that changes in its place.
    see: async (text, inside = 'body') => {
      const isSeen = (wanted: string, selector: string): boolean =>
        // Text of a picture has no `innerText`.
        [...document.querySelectorAll<HTMLElement>(selector)].some(({ innerText, textContent }) =>
          (innerText ?? textContent).includes(wanted),
        );
      await soon(() => page.evaluate(isSeen, text, inside)).toBe(true);
    },
  };
}

/** A tab with the key of a new sandbox, made by a click, and a client outside the browser. */
export async function visitWithFirefox(server?: TestServer): Promise<FirefoxVisit & { client: Client }> {
  const visit = await arriveWithFirefox(server);
  await visit.clickOn('button', 'Make a key');
  await visit.at('main[aria-busy="false"]', async () => undefined);
  const key = await visit.page.evaluate(() => sessionStorage.getItem('petstore-sandbox-key'));
  return { ...visit, client: visit.server.client(String(key)) };
}
