/** More requests than the page lists: they are counted right, the last ones are listed, and the list scrolls. */
import { expect, test } from 'vitest';
import type { Client } from '../support/client.ts';
import { limit } from '../support/slow.ts';
import { settle } from './states.ts';
import { arrive, visit } from './visit.ts';

const ALL = '3,000 requests · the last 1,000 listed';

const sendMany = (client: Client, count: number) => client.getMany(count, (n) => `/v1/pets?limit=${(n % 50) + 1}`);

test('3,000 requests are 3,000 for every page, however late it came, and arrivals move no row', {
  timeout: limit(180_000),
}, async () => {
  // A page that reads on from a request which the log has dropped by then gets a 404, and starts over.
  const expected = /status of 404/;
  const { page, client, server, key } = await visit({ expected });
  await sendMany(client, 1_500);
  const sending = sendMany(client, 1_500);
  const { page: late } = await arrive({ server, key, expected });
  await sending;
  // A machine that is slow enough makes several runs of it.
  for (const each of [page, late]) await each.getByLabel('Run', { exact: true }).selectOption('all');
  for (const each of [page, late]) await each.locator('.account', { hasText: ALL }).waitFor();
  await late.reload();
  await late.locator('.account', { hasText: ALL }).waitFor();
  await expect.poll(() => late.locator('.exchange').count()).toBe(1_000);

  const list = page.locator('.exchanges');
  await list.evaluate((element) => element.scrollTo(0, 15_000));
  await settle(page);
  const topRow = () =>
    list.evaluate((element) => {
      const edge = element.getBoundingClientRect().top;
      const rows = [...element.querySelectorAll('a')];
      const row = rows.find((each) => each.getBoundingClientRect().bottom > edge + 5);
      return row?.getAttribute('href');
    });
  const before = await topRow();
  await client.get('/v1/pets?limit=3');
  await page.locator('.account', { hasText: '3,001 requests' }).waitFor();
  await settle(page);
  expect(await topRow()).toBe(before);
});
