/**
 * A visit to the dashboard: a tab of its own, watched. A test fails when the page logged an error, asked any other
 * server for anything, or got an error from this one that the test did not announce.
 */
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { startTestServer, type TestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { FLAGS, findChromium } from './browsers.ts';

let browser: Browser;
/** The server of the tests of a file that need none of their own: each has a sandbox there. */
let common: TestServer;
const open = new Map<BrowserContext, string[]>();

beforeAll(async () => {
  [browser, common] = await Promise.all([
    chromium.launch({ executablePath: findChromium(), args: [...FLAGS] }),
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

interface VisitOptions extends BrowserContextOptions {
  /** The server to visit; that of the file where it is left out. */
  readonly server?: TestServer;
  /** The key that the tab holds already. */
  readonly key?: string;
  readonly at?: string;
  /** Messages of the console that are no trouble: the browser logs every response of 400 and above. */
  readonly expected?: RegExp;
}

/** A new tab on `/`, without a key. */
export async function arrive({ server = common, at = '/', expected, key, ...options }: VisitOptions = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const troubles: string[] = [];
  open.set(context, troubles);
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !expected?.test(message.text())) troubles.push(message.text());
  });
  context.on('weberror', (error) => troubles.push(String(error.error().stack)));
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== server.url && !['data:', 'blob:'].includes(protocol)) troubles.push(`it asked ${request.url()}`);
  });
  if (key !== undefined) {
    // The page before the first one has no storage.
    await context.addInitScript((kept) => {
      if (location.protocol === 'http:') sessionStorage.setItem('petstore-sandbox-key', kept);
    }, key);
  }
  const page = await context.newPage();
  page.setDefaultTimeout(limit(15_000));
  await page.goto(server.url + at);
  return { server, page };
}

/** A tab that holds the key of a new sandbox, and shows its traffic. */
export async function visit(options: VisitOptions & { fixture?: string } = {}) {
  const { fixture = 'default', server = common, ...rest } = options;
  const client = await server.sandbox({ fixture, label: 'checkout tests' });
  const key = client.key as string;
  const { page } = await arrive({ ...rest, server, key });
  // The documentation does not say so.
  if (!rest.at?.includes('docs')) await page.locator('main[aria-busy="false"]').waitFor();
  return { server, page, key, client };
}

/** Drops a file on the page, as a person does from a folder. */
export async function drop(page: Page, name: string, content: string | Buffer): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([title, base64]) => {
      const data = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      data.items.add(new File([bytes], title, { type: 'application/json' }));
      return data;
    },
    [name, Buffer.from(content).toString('base64')] as const,
  );
  for (const event of ['dragover', 'drop']) await page.dispatchEvent('body', event, { dataTransfer: transfer });
}
