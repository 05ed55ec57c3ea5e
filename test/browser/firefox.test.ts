/**
 * What another engine may do differently: a walk through the page in Firefox, over WebDriver BiDi. It fails when the page
 * logged an error, broke its own policy, or asked another server for anything.
 */
import puppeteer, { type ElementHandle } from 'puppeteer-core';
import { afterAll, expect, test } from 'vitest';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { findFirefox } from './browsers.ts';

const browser = await puppeteer.launch({
  browser: 'firefox',
  executablePath: findFirefox(),
  headless: true,
  timeout: limit(60_000),
});
afterAll(() => browser.close());

test('Firefox corrects, finds, copies and breaks requests, starts drills and finds pets', async () => {
  const server = await startTestServer();
  const page = await browser.newPage();
  const troubles: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) troubles.push(message.text());
  });
  page.on('pageerror', (error) => troubles.push(String(error)));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== server.url && !['data:', 'blob:'].includes(protocol)) troubles.push(`it asked ${request.url()}`);
  });
  // Not by Puppeteer's own locators: in Firefox before 144, the page's policy keeps them from compiling.
  const soon = <T>(look: () => Promise<T>) => expect.poll(look, { interval: 50, timeout: limit(15_000) });
  const texts = (selector: string): Promise<string[]> =>
    page.$$eval(selector, (all) => all.map((each) => (each as HTMLElement).innerText.replace(/\s+/g, ' ').trim()));
  /** Waits until something that the selector finds shows this text. */
  const see = (text: string, inside = 'body') =>
    soon(() => texts(inside)).toContainEqual(expect.stringContaining(text));
  /** Does something with the last element of a selector that has this text. Meanwhile, the page may put another in its place. */
  const at = async (selector: string, text: string, act: (element: ElementHandle) => Promise<unknown>) => {
    const isDone = async (): Promise<boolean> => {
      const element = (await page.$$(selector))[(await texts(selector)).findLastIndex((each) => each.startsWith(text))];
      if (element) await act(element);
      return element !== undefined;
    };
    await soon(() => isDone().catch(() => false)).toBe(true);
  };
  const click = (selector: string, text: string) => at(selector, text, (element) => element.click());
  const type = async (label: string, text: string) => {
    await at(`::-p-aria([name="${label}"])`, '', (element) => element.focus());
    await page.keyboard.type(text);
  };
  // Firefox before 144 sets the size, and rejects the orientation that Puppeteer sends with it.
  await page.setViewport({ width: 1280, height: 800 }).catch(() => undefined);
  await page.goto(server.url);
  await click('button', 'Make a key');
  await see("curl -H 'Authorization: Bearer petsbx_", 'pre');
  const key = await page.evaluate(() => sessionStorage.getItem('petstore-sandbox-key'));
  const client = server.client(String(key));
  await click('button', 'Send a good request');
  await see('/v1/pets?limit=5', 'h2');
  await client.post('/v1/pets', '{"name":"Bad"}');
  await see('categoryId is required', '.exchange');
  await click('a', '400 POST /pets “Bad”');
  await see('an integer, required', '.note');
  await click('button', 'Fix and send');
  await see('201', '.answer');
  await click('summary', 'Copy as…');
  await click('button', 'link for a colleague');
  await see('Copied: link.');
  await click('a', 'Fail the next one like this');
  await click('button', 'Place the fault');
  await see('The next createPet gets 503.', '.toast');
  expect((await client.post('/v1/pets', '{"name":"Lost","categoryId":1}')).status).toBe(503);
  await client.get('/v1/pets', { 'User-Agent': 'second/1.0' });
  await click('a', 'Live');
  await type('Search all runs', 'bad');
  await see('categoryId is required', '.exchanges li');
  await at('[aria-label="Run"]', '', (element) => element.select('all'));
  await soon(() => page.$$eval('.group', (all) => all.length)).toBe(0);
  await click('a', 'Drills');
  await click('button', 'Start lost-create');
  await click('dialog button', 'Start lost-create');
  await see('Waiting for your client');
  await click('a', 'Pets');
  await type('Find by id', '2');
  await see('Bigotes', 'td');
  expect(troubles).toEqual([]);
});
