/** HAR files as browsers write them: the report of one is that of the sandbox that served the page. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import puppeteer from 'puppeteer-core';
import { expect, test } from 'vitest';
import type { Report } from '../../src/verdict/report/report.ts';
import { newFolder } from '../support/folder.ts';
import { harReport } from '../support/har.ts';
import { listen } from '../support/ports.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { FLAGS, findChromium, findFirefox } from './browsers.ts';

const server = await startTestServer();
/** The page of a shop, of another origin than the API: a browser sends preflights for it. */
const shop = () =>
  listen((_, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end('<!doctype html><link rel="icon" href="data:,"><title>Shop</title>');
  });

/** What the page sends: six requests, three of them violations, and one to another address. */
async function send({ base, key }: { base: string; key: string }): Promise<void> {
  const headers = { Authorization: `Bearer ${key}` };
  const post = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' } };
  for (const [path, options] of [
    ['/pets?limit=2', { headers }],
    ['/pets?limit=500', { headers }],
    ['/pets', { ...post, body: '{"name":"Bébé","categoryId":9223372036854775807}' }],
    ['/pets', { ...post, body: '{"name":"Rex"}' }],
    ['/pets/1', { headers }],
    ['/pet', { headers }],
  ] as const)
    await (await fetch(base + path, options)).text();
  await (await fetch('/other')).text();
}

/** The counts of a report, and its violations. */
const found = ({ counts, findings }: Report): unknown => ({
  counts,
  findings: findings.map(({ kind, rule, location, count }) => [kind, rule, location, count]),
});

async function expectReport(har: Buffer, key: string): Promise<void> {
  const own = (await server.client(key).get('/_sandbox/report')).json;
  const results = await harReport(har);
  expect(found(results.data as Report)).toEqual(found(own));
  expect(own.counts).toMatchObject({ exchanges: 6, violation: 2, noOperation: 1 });
  expect(results.about).toContain(`${server.url}/v1`);
  expect(JSON.stringify(results)).not.toContain(key);
}

const newKey = async (): Promise<string> => (await server.sandbox()).key as string;

test.each([
  ['full', 'embed', 'traffic.har'],
  // A zip has the bodies in it.
  ['minimal', 'attach', 'traffic.zip'],
] as const)('Playwright: recordHar, %s, %s, %s', async (mode, content, name) => {
  const [key, address, folder] = await Promise.all([newKey(), shop(), newFolder()]);
  const path = join(folder, name);
  const browser = await chromium.launch({ executablePath: findChromium(), args: [...FLAGS] });
  const context = await browser.newContext({ recordHar: { path, mode, content } });
  const page = await context.newPage();
  await page.goto(address);
  await page.evaluate(send, { base: `${server.url}/v1`, key });
  await context.close();
  await browser.close();
  await expectReport(await readFile(path), key);
});

/** The methods and addresses that the network panel of Chromium's tools has whole. The browser itself serves its page. */
const WHOLE = `(async () => {
  const { NetworkLog } = await import(new URL('models/logs/logs.js', location.href).href);
  const whole = NetworkLog.NetworkLog.instance().requests().filter(({ finished }) => finished);
  return whole.map((request) => request.requestMethod + ' ' + request.url());
})()`;

/** Saves what that panel shows. */
const SAVE = `(async () => {
  const load = (name) => import(new URL(name, location.href).href);
  const [{ NetworkLog }, { Writer }, { Progress }] = await Promise.all(
    ['models/logs/logs.js', 'models/har/har.js', 'core/common/common.js'].map(load),
  );
  const parts = [];
  const requests = NetworkLog.NetworkLog.instance().requests();
  await Writer.Writer.write({ write: async (part) => parts.push(part) }, requests, {}, new Progress.Progress());
  return parts.join('');
})()`;

test('Chromium: what its network panel saves', async () => {
  const [key, address, folder] = await Promise.all([newKey(), shop(), newFolder()]);
  const args = [...FLAGS, '--remote-debugging-port=0', '--remote-allow-origins=*'];
  const context = await chromium.launchPersistentContext(folder, { executablePath: findChromium(), args });
  try {
    const [port] = (await readFile(join(folder, 'DevToolsActivePort'), 'utf8')).split('\n');
    const page = await context.newPage();
    await page.goto(address);
    const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as { id: string; url: string }[];
    const target = targets.find(({ url }) => url.startsWith(address));
    const tools = await context.newPage();
    const attached = tools.waitForEvent('console', (message) => message.text().includes('Main._lateInitialization'));
    await tools.goto(
      `http://127.0.0.1:${port}/devtools/inspector.html?ws=127.0.0.1:${port}/devtools/page/${target?.id}&panel=network`,
    );
    await attached;
    // The panel has a request only from when it listens on, and whole only a moment after the page has its response.
    const whole = (): Promise<string[]> => tools.evaluate<string[]>(WHOLE);
    const ofTheApi = (line: string): boolean => line.includes(server.url) && !line.startsWith('OPTIONS');
    const other = (): Promise<unknown> => page.evaluate(async () => (await fetch('/other')).text());
    await expect.poll(() => other().then(whole), { timeout: limit(10_000) }).not.toEqual([]);
    await page.evaluate(send, { base: `${server.url}/v1`, key });
    await expect.poll(async () => (await whole()).filter(ofTheApi), { timeout: limit(10_000) }).toHaveLength(6);
    await expectReport(Buffer.from((await tools.evaluate(SAVE)) as string), key);
  } finally {
    await context.close();
  }
});

test('Firefox: what its network monitor saves', async () => {
  const [key, address, folder] = await Promise.all([newKey(), shop(), newFolder()]);
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: findFirefox(),
    headless: true,
    devtools: true,
    timeout: limit(60_000),
    extraPrefsFirefox: {
      'devtools.toolbox.selectedTool': 'netmonitor',
      'devtools.netmonitor.har.enableAutoExportToFile': true,
      'devtools.netmonitor.har.defaultLogDir': folder,
      'devtools.netmonitor.har.forceExport': true,
    },
  });
  try {
    const [page] = await browser.pages();
    // Where its tools open after the page has loaded, they save nothing of it.
    for (let tries = 0; tries < 3 && (await readdir(folder)).length === 0; tries += 1) {
      await page?.goto(address);
      await page?.evaluate(send, { base: `${server.url}/v1`, key });
      await expect
        .poll(() => readdir(folder), { timeout: limit(5_000) })
        .toHaveLength(1)
        .catch(() => undefined);
    }
    const [file = ''] = await readdir(folder);
    await expectReport(await readFile(join(folder, file)), key);
  } finally {
    await browser.close();
  }
});
