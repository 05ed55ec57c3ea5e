/** The reference: both specifications, tried out against this sandbox. */
import { expect, test } from 'vitest';
import { arrive, visit } from './visit.ts';

test('the reference shows both specifications without asking anyone else', async () => {
  const { page } = await arrive({ at: '/_sandbox/docs' });
  for (const operation of ['listPets', 'createPet', 'getPet'])
    await page.locator(`#operations-Pets-${operation}`).waitFor();
  await page.getByRole('link', { name: 'Control API' }).click();
  await page.locator('[id^="operations-Keys-createKey"]').waitFor();
  await expect.poll(() => page.getByText('currently not supported').count()).toBe(0);
});

test('a violation leads to its operation in the reference; what is executed there has the key and every digit, and is no part of the report', async () => {
  const { page, client, server } = await visit({ fixture: 'empty' });
  const { requestId } = await client.post('/v1/pets', '{"name":"Rex"}');
  await page.goto(`${server.url}/#/live/${requestId}`);
  await page.locator('.note').getByRole('link', { name: 'createPet in the reference' }).click();
  const create = page.locator('#operations-Pets-createPet');
  await create.locator('textarea').fill('{"name":"Exact","categoryId":-9223372036854775807}');
  await create.getByRole('button', { name: 'Execute' }).click();
  const response = create.locator('.live-responses-table .highlight-code');
  await expect.poll(() => response.innerText()).toContain('"categoryId": -9223372036854775807');
  expect(await create.locator('.curl-command').innerText()).not.toContain('Sandbox-Source');
  expect((await client.get('/_sandbox/report')).json.totals.exchanges).toBe(1);
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await page.locator('.exchange').filter({ hasText: 'this page' }).waitFor();
});

test('a control that is executed has the key of the tab, and names no other sandbox', async () => {
  const { page } = await visit({ at: '/_sandbox/docs#control/getClock' });
  const clock = page.locator('[id$="-getClock"]');
  await clock.getByRole('button', { name: 'Execute' }).click();
  await clock.locator('.live-responses-table').getByText('"frozen": false').waitFor();
});
