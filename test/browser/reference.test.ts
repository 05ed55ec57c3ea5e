/** The reference of both APIs, as a reader uses it. */
import { expect, test } from 'vitest';
import { arrive, visit } from './visit.ts';

const PETSTORE = '/docs/reference/petstore-api.md';
const CONTROL = '/docs/reference/control-api/faults.md';

test('a violation leads to its operation in the reference, and that to a request with its example, which is no part of the report', async () => {
  const { page, client, server } = await visit({ fixture: 'empty' });
  const { requestId } = await client.post('/v1/pets', '{"name":"Rex"}');
  await page.goto(`${server.url}/#/live/${requestId}`);
  await page.locator('.note summary').first().click();
  await page.locator('.note').getByRole('link', { name: 'createPet in the reference' }).click();
  const create = page.getByRole('region', { name: 'Add a pet' });
  await expect.poll(async () => (await create.boundingBox())?.y).toBeLessThan(200);
  await create.getByRole('link', { name: 'Send it from the dashboard' }).click();
  const form = page.getByRole('form', { name: 'A new request' });
  await expect.poll(() => form.getByLabel('Body').inputValue()).toContain('"name": "Doughnut"');
  await form.getByRole('button', { name: 'Send', exact: true }).click();
  await page.locator('.answer').getByText('201').waitFor();
  expect((await client.get('/_sandbox/report')).json.counts.exchanges).toBe(1);
});

test('a link with another operation fills the form again, and one that does not exist begins with the first', async () => {
  const { page, server } = await visit({ at: '/#/live/new/getPet' });
  const target = page.getByLabel('Path and query');
  await expect.poll(() => target.inputValue()).toBe('/v1/pets/1');
  await page.goto(`${server.url}/#/live/new/listPets`);
  await expect.poll(() => target.inputValue()).toBe('/v1/pets?limit=5');
  await page.goto(`${server.url}/#/live/new/constructor`);
  await expect.poll(() => target.inputValue()).toBe('/v1/pets?limit=5');
});

test('the contents and the table lead to an operation', async () => {
  const { page } = await arrive({ at: CONTROL });
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Add a fault rule' }).click();
  expect(new URL(page.url()).hash).toBe('#createFault');
  const fault = page.getByRole('region', { name: 'Add a fault rule' });
  await expect.poll(async () => (await fault.boundingBox())?.y).toBeLessThan(200);
});

test('without JavaScript, every field and example can be read', async () => {
  const { page } = await arrive({ at: PETSTORE, javaScriptEnabled: false });
  const list = page.getByRole('region', { name: 'List pets' });
  await list.getByText(/maximum 100/).waitFor();
  await list.getByText('No pet matches').click();
  await list.getByText('[]', { exact: true }).waitFor();
});
