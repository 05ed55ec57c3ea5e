/** The reference: both specifications, tried out against this sandbox. */
import { expect, test } from 'vitest';
import { arrive, visit } from './visit.ts';

test('the reference shows both specifications without asking anyone else', async () => {
  const { page } = await arrive({ at: '/_sandbox/docs' });
  for (const operation of ['listPets', 'createPet', 'getPet'])
    await page.locator(`#operations-Pets-${operation}`).waitFor();
  await page.getByRole('link', { name: 'Control API' }).click();
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

test('what is executed is marked as of this page, and links to its exchange; the curl line is for elsewhere', async () => {
  const { page, client } = await visit({ at: '/_sandbox/docs#petstore/listPets' });
  const list = page.locator('#operations-Pets-listPets');
  await list.getByRole('button', { name: 'Execute' }).click();
  const link = list.getByRole('link', { name: /^req_\w+ in the traffic$/ });
  await link.waitFor();
  expect(await list.locator('.curl-command').innerText()).not.toContain('Sandbox-Expect');
  await link.click();
  const exchange = page.getByRole('article', { name: 'Exchange' });
  await exchange.getByText('this page').waitFor();
  await exchange.getByText('Sandbox-Source: dashboard').waitFor();
  expect((await client.get('/_sandbox/report')).json.totals.exchanges).toBe(0);

  // Requests to the control API are not in the traffic.
  await page.getByRole('link', { name: 'Reference', exact: true }).click();
  await page.getByRole('link', { name: 'Control API' }).click();
  const health = page.locator('[id$="-getHealth"]');
  await health.locator('.opblock-summary-control').click();
  await health.getByRole('button', { name: 'Execute' }).click();
  await health.locator('.live-responses-table').getByText('"status": ').waitFor();
  await expect.poll(() => health.getByRole('link', { name: /in the traffic/ }).count()).toBe(0);
});

test('the reference has the bar and the state of the sandbox, which follow what the client does', async () => {
  const { page, server } = await arrive();
  const client = await server.sandbox({ label: 'checkout tests' });
  await page.getByLabel('Key', { exact: true }).fill(client.key as string);
  await page.getByRole('button', { name: 'Open its sandbox' }).click();
  await page.getByRole('link', { name: 'Reference', exact: true }).click();
  await page.getByRole('banner').getByText('checkout tests').waitFor();
  const strip = page.getByRole('region', { name: 'State of the sandbox' });
  await strip.getByText('Connected', { exact: true }).waitFor();
  await client.get('/v1/pets?limit=500');
  await page.getByRole('link', { name: /^Traffic\s*1 with violations$/ }).waitFor();
  await client.post('/_sandbox/faults', { operation: 'getPet', status: 503 });
  await strip.getByRole('link', { name: '1 active fault' }).click();
  await page.getByRole('heading', { name: 'Controls' }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'See what your client does' }).waitFor();
  await expect.poll(() => page.evaluate(() => sessionStorage.length)).toBe(0);
});

test('a violation leads to its operation in the reference, with the key, and the address names what is open', async () => {
  const { page, client, server } = await visit();
  const sent = await client.post('/v1/pets', '{"name":"Rex"}');
  await page.goto(`${server.url}/#/traffic/${sent.requestId}`);
  await page.locator('.note').getByRole('link', { name: 'createPet in the reference' }).click();
  const create = page.locator('#operations-Pets-createPet');
  await create.getByRole('button', { name: 'Execute' }).click();
  await create.locator('.live-responses-table').getByText('201').first().waitFor();
  await page.locator('#operations-Pets-listPets .opblock-summary-control').click();
  expect(new URL(page.url()).hash).toBe('#petstore/listPets');
  await page.reload();
  await page.locator('#operations-Pets-listPets').getByRole('button', { name: 'Execute' }).waitFor();
  await expect.poll(() => page.locator('.opblock.is-open').count()).toBe(1);

  // Without a key it says where to get one.
  const other = await arrive({ server, at: '/_sandbox/docs#petstore/getPet' });
  await other.page.getByText('No key in this tab').waitFor();
  await other.page.locator('#operations-Pets-getPet').getByRole('button', { name: 'Execute' }).waitFor();
  await other.page.getByRole('link', { name: 'open the dashboard' }).click();
  await other.page.getByRole('heading', { name: 'See what your client does' }).waitFor();
});
