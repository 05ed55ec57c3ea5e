/** The reference: both specifications, tried out against this sandbox. */
import { expect, test } from 'vitest';
import { arrive, visit } from './visit.ts';

test('the reference shows both specifications without asking anyone else', async () => {
  const { page } = await arrive({ at: '/_sandbox/docs' });
  for (const operation of ['listPets', 'createPet', 'getPet'])
    await page.locator(`#operations-Pets-${operation}`).waitFor();
  await page.getByRole('link', { name: 'Sandbox controls' }).click();
  await page.locator('[id^="operations-Keys-createKey"]').waitFor();
  await expect.poll(() => page.locator('.opblock').count()).toBeGreaterThan(20);
  await expect.poll(() => page.getByText('currently not supported').count()).toBe(0);
});

test('trying out carries the key of the tab, and shows every digit of an int64', async () => {
  const { page, client } = await visit({ fixture: 'empty' });
  await client.post('/v1/pets', '{"name":"Exact","categoryId":9223372036854775807,"status":"available"}');
  await page.getByRole('link', { name: 'Reference' }).click();
  const list = page.locator('#operations-Pets-listPets');
  await list.locator('.opblock-summary-control').click();
  await list.getByRole('button', { name: 'Execute' }).click();
  const response = list.locator('.live-responses-table .highlight-code');
  await response.waitFor();
  await expect.poll(() => response.innerText()).toContain('"categoryId": 9223372036854775807');

  const create = page.locator('#operations-Pets-createPet');
  await create.locator('.opblock-summary-control').click();
  await create.locator('textarea').fill('{"name":"Also exact","categoryId":-9223372036854775807}');
  await create.getByRole('button', { name: 'Execute' }).click();
  await create.locator('.live-responses-table').getByText('201').first().waitFor();
  expect((await client.get('/v1/pets')).text).toContain('"categoryId":-9223372036854775807');
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
});
