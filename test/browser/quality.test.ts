/** What holds in every view: for the keyboard, for the eye that wants rest, and with many rows. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startTestServer } from '../support/server.ts';
import { makeTraffic, settle } from './states.ts';
import { arrive, visit } from './visit.ts';

test('the keyboard alone gets from the address bar into an exchange and back, and its focus is seen', async () => {
  // Of its own: all tabs of a server list its unmatched requests.
  const there = await visit({ server: await startTestServer() });
  await makeTraffic(there);
  const { page } = there;
  await page.locator('.exchange').nth(5).waitFor();
  const focused = () =>
    page.evaluate(() => ({ text: document.activeElement?.textContent ?? '', tag: document.activeElement?.tagName }));
  await page.keyboard.press('Tab');
  expect((await focused()).text).toContain('Skip to the view');
  await page.keyboard.press('Enter');
  for (let tabs = 0; tabs < 10 && !((await focused()).tag === 'A'); tabs++) await page.keyboard.press('Tab');
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle);
  expect(outline).toBe('solid');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.locator('.note').first().waitFor();
  await expect.poll(async () => (await focused()).tag).toBe('H2');
  await page.keyboard.press('Tab');
  expect((await focused()).text).toContain('Request');
});

/** Presses Tab until something with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const focused = () =>
    page.evaluate(() => {
      const { ariaLabel, textContent } = document.activeElement as HTMLElement;
      return ariaLabel ?? textContent ?? '';
    });
  for (let tabs = 0; tabs < 80; tabs++) {
    if ((await focused()).startsWith(name)) return;
    await page.keyboard.press('Tab');
  }
  expect(await focused()).toBe(name);
}

test('the keyboard alone makes a key, finds a request, sets a fault and answers a question', async () => {
  const { page, server } = await arrive();
  await page.getByRole('button', { name: 'Make a key' }).waitFor();
  await tabTo(page, 'Make a key');
  await page.keyboard.press('Enter');
  await page.getByText('Connected', { exact: true }).waitFor();
  const client = server.client(String(await page.evaluate(() => sessionStorage.getItem('petstore-sandbox-key'))));
  await client.get('/v1/pets?limit=500');
  await client.get('/v1/pets/1');
  await page.getByRole('listitem').nth(1).waitFor();

  // On a slow machine too, each letter stays.
  const browser = await page.context().newCDPSession(page);
  await browser.send('Emulation.setCPUThrottlingRate', { rate: 10 });
  await page.keyboard.press('/');
  await page.keyboard.type('/v1/pets?limit=');
  await browser.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await expect.poll(() => page.getByLabel('Search').inputValue()).toBe('/v1/pets?limit=');
  await expect.poll(() => page.getByRole('listitem').count()).toBe(1);
  await tabTo(page, 'GET');
  await page.keyboard.press('Enter');
  await page.getByText('Got 500 · expected at most 100').waitFor();

  await page.keyboard.press('Escape');
  await page.evaluate(() => document.querySelector<HTMLElement>('.skip')?.focus());
  await tabTo(page, 'Controls');
  await page.keyboard.press('Enter');
  await page.getByRole('switch', { name: 'Outage' }).waitFor();
  await tabTo(page, 'Outage');
  await page.keyboard.press('Space');
  await page.getByText('1 active fault').waitFor();
  expect((await client.get('/v1/pets')).status).toBe(503);
  await page.keyboard.press('Space');
  await page.getByText('1 active fault').waitFor({ state: 'detached' });

  await tabTo(page, 'Revoke');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await tabTo(page, 'Revoke');
});

test('new rows and messages move, and nothing moves for those who want less motion', async () => {
  const moved = [];
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    const { page, client } = await visit({ reducedMotion });
    await page.evaluate(() => {
      const names: string[] = [];
      Object.assign(window, { names });
      addEventListener('animationstart', ({ animationName }) => names.push(animationName));
      addEventListener('transitionrun', ({ propertyName }) => names.push(propertyName));
    });
    await page.getByRole('button', { name: 'Copy curl line' }).click();
    await page.locator('.toast').waitFor();
    for (const limit of [1, 2]) {
      await client.get(`/v1/pets?limit=${limit}`);
      await page
        .getByRole('listitem')
        .filter({ hasText: `limit=${limit}` })
        .waitFor();
    }
    await page.getByRole('listitem').first().getByRole('link').click();
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await settle(page);
    moved.push(await page.evaluate(() => [...new Set((window as unknown as { names: string[] }).names)].sort()));
  }
  expect(moved).toEqual([['light-up', 'rise'], []]);
});
