/** The request log in pages: what a slow line carries before the first rows are seen. */
import type { CDPSession, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { send } from '../support/client.ts';
import { limit } from '../support/slow.ts';
import { visit } from './visit.ts';

/** 50 KB and 20 KB a second, and 100 ms until the first byte. */
const SLOW_LINE = { offline: false, latency: 100, downloadThroughput: 50_000, uploadThroughput: 20_000 };

/** A response of the request log, with its bytes on the wire; times are in seconds. */
interface Received {
  readonly url: string;
  readonly from: number;
  readonly until: number;
  readonly bytes: number;
}

test('on a slow line the first rows need one short page, and the rest of a full request log follows', {
  timeout: limit(120_000),
}, async () => {
  const { page, client, server } = await visit();
  await client.getMany(1_000, (n) => `/v1/pets?limit=${(n % 50) + 1}`);
  const line = await page.context().newCDPSession(page);
  const requestLog = await watchRequestLog(line);
  await holdPages(page);
  await line.send('Network.setCacheDisabled', { cacheDisabled: true });
  await line.send('Network.emulateNetworkConditions', SLOW_LINE);
  await page.reload();
  await page.locator('.account', { hasText: '1,000 requests' }).waitFor();
  await expect.poll(() => requestLog.length, { timeout: limit(30_000) }).toBeGreaterThanOrEqual(6);
  await page.locator('.exchanges').evaluate((list) => list.scrollTo(0, list.scrollHeight));
  await page.locator('.exchange').last().click();
  await page.getByRole('heading', { name: '/v1/pets?limit=1', exact: false }).waitFor();

  const headers = { Authorization: `Bearer ${client.key}` };
  const whole = (await send(server.url, { path: '/_sandbox/requests?limit=1000', headers })).text.length;
  const bytes = requestLog.reduce((sum, each) => sum + each.bytes, 0);
  const first = requestLog[0] as Received;
  process.stdout.write(
    `pages: the first rows needed ${first.bytes} bytes, ${Math.round(1000 * (first.until - first.from))} ms after ` +
      `they were asked for; the request log came in ${requestLog.length} pages of ${bytes} bytes, ${whole} as text\n`,
  );
  expect(first.bytes).toBeLessThan(4_000);
  expect(bytes).toBeLessThan(whole / 10);
});

/** Holds back every page of the request log but the first until a row is visible. */
async function holdPages(page: Page): Promise<void> {
  let asked = 0;
  await page.route(/\/_sandbox\/requests\?/, async (route) => {
    asked += 1;
    if (asked > 1) await page.locator('.exchange').first().waitFor();
    await route.continue();
  });
}

/** Collects the pages of the request log that the browser receives. */
async function watchRequestLog(line: CDPSession): Promise<Received[]> {
  const asked = new Map<string, { url: string; from: number }>();
  const received: Received[] = [];
  line.on('Network.requestWillBeSent', ({ requestId, request, timestamp }) => {
    if (request.url.includes('/_sandbox/requests?')) asked.set(requestId, { url: request.url, from: timestamp });
  });
  line.on('Network.loadingFinished', ({ requestId, encodedDataLength, timestamp }) => {
    const request = asked.get(requestId);
    if (request) received.push({ ...request, until: timestamp, bytes: encodedDataLength });
  });
  await line.send('Network.enable');
  return received;
}
