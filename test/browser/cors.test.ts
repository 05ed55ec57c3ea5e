/** A page of another origin that calls the API, with the headers that its tools add: in both browsers. */
import { chromium } from 'playwright-core';
import puppeteer from 'puppeteer-core';
import { expect, test } from 'vitest';
import { listen } from '../support/ports.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { FLAGS, findChromium, findFirefox } from './browsers.ts';

const server = await startTestServer();

const HEADERS = {
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  'sentry-trace': '0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1',
  baggage: 'sentry-environment=test',
  'Idempotency-Key': 'attempt-1',
  'X-Requested-With': 'XMLHttpRequest',
  'X-Request-Id': 'request-1',
  'Cache-Control': 'no-cache',
};

interface Call {
  readonly base: string;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What the page does: each header alone and all of them, with and without credentials, and what an error lets it read. */
async function call({ base, key, headers }: Call): Promise<string[]> {
  const authorization = { Authorization: `Bearer ${key}` };
  const results: string[] = [];
  const send = async (what: string, path: string, init: RequestInit): Promise<void> => {
    const result = await fetch(base + path, init).then(
      async (response) =>
        `${response.status} ${response.headers.has('Sandbox-Request-Id')} ${(await response.text())[0]}`,
      (error: Error) => error.message,
    );
    results.push(`${what}: ${result}`);
  };
  for (const credentials of ['omit', 'same-origin', 'include'] as const) {
    for (const [name, value] of Object.entries(headers))
      await send(`${name} ${credentials}`, '/pets', { headers: { ...authorization, [name]: value }, credentials });
    const all = { ...authorization, ...headers, 'Content-Type': 'application/json' };
    const body = '{"name":"Rex","categoryId":1}';
    await send(`all ${credentials}`, '/pets', { method: 'POST', headers: all, body, credentials });
    await send(`no pet ${credentials}`, '/pets/404404', { headers: authorization, credentials });
    await send(`no key ${credentials}`, '/pets', { headers: { traceparent: 'x' }, credentials });
    await send(`no such method ${credentials}`, '/pets', { method: 'PATCH', headers: authorization, credentials });
  }
  return results;
}

const EXPECTED = ['omit', 'same-origin', 'include'].flatMap((credentials) => [
  ...Object.keys(HEADERS).map((name) => `${name} ${credentials}: 200 true [`),
  `all ${credentials}: 201 true {`,
  `no pet ${credentials}: 404 true {`,
  `no key ${credentials}: 401 true {`,
  // No path has this method, and the page is told so.
  `no such method ${credentials}: 405 true {`,
]);

/** The page of a shop with a cookie, on another port and under another name of this machine: another site. */
async function shop(): Promise<string> {
  const address = await listen((_, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.setHeader('Set-Cookie', 'session=of-the-shop');
    response.end('<!doctype html><link rel="icon" href="data:,"><title>Shop</title>');
  });
  return address.replace('127.0.0.1', 'localhost');
}

async function newCall(): Promise<Call> {
  const { key } = await server.sandbox();
  return { base: `${server.url}/v1`, key: String(key), headers: HEADERS };
}

/** Both kinds of pages have it. */
const evaluate = (page: { evaluate(work: typeof call, given: Call): Promise<string[]> }, given: Call) =>
  page.evaluate(call, given);

const open = {
  Chromium: () => chromium.launch({ executablePath: findChromium(), args: [...FLAGS] }),
  Firefox: () =>
    puppeteer.launch({
      browser: 'firefox',
      executablePath: findFirefox(),
      headless: true,
      timeout: limit(60_000),
    }),
};

test.each(['Chromium', 'Firefox'] as const)(
  '%s lets a page of another site send them, and read each response',
  async (name) => {
    const [address, given] = await Promise.all([shop(), newCall()]);
    const browser = await open[name]();
    try {
      const page = await browser.newPage();
      await page.goto(address);
      expect(await evaluate(page, given)).toEqual(EXPECTED);
    } finally {
      await browser.close();
    }
  },
);
