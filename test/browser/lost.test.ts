/** The server or the key is lost while the page is open: one message says what happened and what to do. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { startTestServer } from '../support/server.ts';
import { arrive, visit } from './visit.ts';

/** What the browser logs about a server that is gone, and a key that opens nothing. */
const EXPECTED = /ERR_|Failed to fetch|chunked|the server responded with a status of 40[14]/;
const VIEWS = ['Live', 'Pets', 'Drills', 'Setup'];

/** In each view, there is one message, and nothing says that there is nothing. */
async function expectOneMessage(page: Page): Promise<void> {
  for (const name of VIEWS) {
    await page
      .getByRole('navigation')
      .getByRole('link', { name: new RegExp(`^${name}`) })
      .click();
    await expect.poll(() => page.getByRole('alert').count(), { message: name }).toBe(1);
    expect(await page.getByRole('main').innerText(), name).not.toMatch(
      /\bnone\b|no requests? (?:yet|was seen)|no pets|is running/i,
    );
  }
}

test('a server that is stopped and started again: the page says so, reconnects, and closes what the server lost', async () => {
  const data = await newFolder();
  const server = await startTestServer({ settings: { data } });
  const { page, client } = await visit({ server, expected: EXPECTED });
  const row = (text: string) => page.locator('.exchange').filter({ hasText: text });
  await client.get('/v1/pets?limit=11');
  await row('limit=11').waitFor();
  // The verdict on it, which the page loads next.
  await page.getByRole('main').getByText('1 request', { exact: true }).first().waitFor();

  await server.end();
  await page.getByRole('alert').filter({ hasText: "The server doesn't respond" }).waitFor();
  await page.getByText('Not connected', { exact: true }).waitFor();
  await expectOneMessage(page);
  await page.getByRole('link', { name: /^Live/ }).click();
  await row('limit=11').click();

  await startTestServer({ settings: { data, port: new URL(server.url).port } });
  await client.get('/v1/pets?limit=22');
  await row('limit=22').waitFor();
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  await client.get('/v1/pets?limit=33');
  await row('limit=33').waitFor();
  await page.getByText('The request log started over while this page wasn’t connected').waitFor();
  // The request log of the old server is gone, and with it the first row and its details.
  await expect.poll(() => page.url()).toMatch(/#\/live$/);
  await page.locator('.account').getByText('2 requests', { exact: true }).waitFor();
  await expect.poll(() => page.locator('.exchange').count()).toBe(2);
});

test('a key that another tab revokes: each tab says once that it is gone and what to do, in every view', async () => {
  const { page, server, key, client } = await visit({ expected: EXPECTED });
  // Otherwise the sandbox ends with its last key, and the key is unknown.
  await client.post('/_sandbox/keys', { shared: true, label: 'spare' });
  const other = await arrive({ server, key, at: '/#/setup', expected: EXPECTED });
  await other.page.getByRole('button', { name: /^Revoke (?!spare)/ }).click();
  await other.page
    .getByRole('dialog')
    .getByRole('button', { name: /^Revoke/ })
    .click();
  for (const tab of [page, other.page]) {
    await tab.getByRole('heading', { name: 'This key was revoked' }).waitFor();
    await expectOneMessage(tab);
    await tab.getByRole('button', { name: 'Use another key' }).click();
    await tab.getByRole('button', { name: 'Make a key' }).waitFor();
    expect(await tab.evaluate(() => sessionStorage.length)).toBe(0);
  }
});
