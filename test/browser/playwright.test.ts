/** The fixture of the guide to Playwright: whatever a test's context sends to the API comes to the sandbox as the page sent it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import type { TestSandbox } from '../../src/testing.ts';
import { newFolder } from '../support/folder.ts';
import { listen } from '../support/ports.ts';
import { startTestServer } from '../support/server.ts';
import { FLAGS, findChromium } from './browsers.ts';

const server = await startTestServer();
const browser = await chromium.launch({ executablePath: findChromium(), args: [...FLAGS] });
afterAll(() => browser.close());

/** What `base.extend` takes: here the test is its own runner. */
interface Fixtures {
  readonly serviceWorkers: 'allow' | 'block';
  readonly sandbox: readonly [(given: object, use: (sandbox: TestSandbox) => Promise<void>) => Promise<void>];
}

/** The fixtures of the page, for a site that calls this API. */
async function fixturesFor(api: string): Promise<Fixtures> {
  const page = await readFile('docs/guides/browsers.md', 'utf8');
  const text = (/^```ts\n([\s\S]*?)^```/m.exec(page)?.[1] ?? '')
    .replace('https://petstore.example.com/v1', `${api}/v1`)
    .replace(/^import .* from '@playwright\/test';/m, 'const base = { extend: <A, B>(fixtures: any) => fixtures };')
    .replace("'petstore-sandbox'", `'${pathToFileURL('src/index.ts')}'`)
    .replace("'petstore-sandbox/testing'", `'${pathToFileURL('src/testing.ts')}'`);
  const folder = await newFolder({ 'sandbox.ts': text });
  return ((await import(join(folder, 'sandbox.ts'))) as { test: Fixtures }).test;
}

const WORKER = `addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => event.respondWith(fetch(event.request)));`;

/** Shows the status of a request that the page's query describes; through a service worker, where the browser lets it have one. */
const site = (api: string): string => `<!doctype html><link rel=icon href=data:,><p role=alert></p><script type=module>
const query = new URLSearchParams(location.search);
if (query.has('worker') && (await navigator.serviceWorker.register('/worker.js')) && !navigator.serviceWorker.controller)
  await new Promise((claimed) => navigator.serviceWorker.addEventListener('controllerchange', claimed));
const headers = query.has('key') ? { Authorization: 'Bearer production-key' } : {};
const { status } = await fetch('${api}/v1/pets?limit=' + query.get('limit'), { headers });
document.querySelector('p').textContent = status;
</script>`;

const shown = async (page: Page, path: string): Promise<string | null> => {
  await page.goto(path);
  await page.waitForFunction('document.querySelector("p").textContent');
  return page.locator('p').textContent();
};

const popup = async (page: Page, path: string): Promise<string | null> => {
  await page.goto('/?key&limit=1');
  const [opened] = await Promise.all([page.waitForEvent('popup'), page.evaluate((to) => void window.open(to), path)]);
  return shown(opened, path);
};

test.each([
  ['is valid', shown, '/?key&limit=5', '200', undefined],
  ['is wrong', shown, '/?key&limit=500', '400', /limit=500/],
  ['sends no key', shown, '/?limit=5', '401', /header\/authorization/],
  ['comes from a popup', popup, '/?key&limit=500', '400', /limit=500/],
  ['would pass a service worker', shown, '/?worker&key&limit=500', '400', /limit=500/],
])('a request that %s is validated, and the real API gets nothing', async (_, send, path, status, found) => {
  const received: string[] = [];
  const production = await listen(({ url = '' }, response) => {
    received.push(url);
    response.setHeader('Access-Control-Allow-Origin', '*').end('[]');
  });
  const origin = await listen(({ url }, response) => {
    const isWorker = url === '/worker.js';
    response.setHeader('Content-Type', isWorker ? 'text/javascript' : 'text/html');
    response.end(isWorker ? WORKER : site(production));
  });
  const { serviceWorkers, sandbox: fixture } = await fixturesFor(production);
  const context = await browser.newContext({ baseURL: origin, serviceWorkers });
  const page = await context.newPage();
  const ran = fixture[0]({ server, context, page }, async () => {
    expect(await send(page, path)).toBe(status);
    await context.close();
  });
  await (found ? expect(ran).rejects.toThrow(found) : ran);
  expect(received).toEqual([]);
});
