/** The stream and one exchange: what a row says, what is kept over a reload, and what the page says when it is alone. */
import { expect, test } from 'vitest';
import { send } from '../support/client.ts';
import { startTestServer } from '../support/server.ts';
import { arrive, visit } from './visit.ts';

test('rows name the finding, the pet, the fault and the effect; unmatched requests stand among them with the mend', async () => {
  // Of its own: all tabs of a server list its unmatched requests.
  const { page, client, server } = await visit({ server: await startTestServer() });
  await client.post('/v1/pets', '{"name":"Dough\u202enut","catgoryId":7}');
  await client.get('/v1/pets?limit=500');
  await client.get('/v1/pets', { 'Sandbox-Fault': 'status=503' });
  await client.post('/v1/pets', { name: 'Biscuit', categoryId: 1 });
  await send(server.url, { path: '/pets', headers: { Authorization: 'Bearer nobody' } });
  const row = (text: string) => page.getByRole('listitem').filter({ hasText: text });
  const typo = row('categoryId missing; sent catgoryId?');
  await typo.waitFor();
  // A character that reverses the line is shown, not obeyed.
  expect(await typo.innerText()).toContain('“Dough\\u202enut”');
  await row('limit must be <= 100').waitFor();
  await row('fault: status=503').waitFor();
  await row('created pet 13').filter({ hasText: '“Biscuit”' }).waitFor();

  await row('unmatched').getByRole('link').click();
  const stray = page.getByRole('article', { name: 'Unmatched request' });
  await stray.getByText('the API is under /v1').waitFor();
  expect(await stray.locator('figure code').innerText()).toContain(`'${server.url}/v1/pets'`);

  // The density, the filter and the mark of this page's own requests outlive a reload.
  await page.getByRole('link', { name: 'Pets', exact: true }).click();
  await page.getByRole('cell', { name: 'Biscuit' }).first().waitFor();
  await page.getByRole('link', { name: /^Traffic/ }).click();
  await page.getByRole('button', { name: 'Dense rows' }).click();
  await page.getByLabel('Search').fill('this-is-nowhere');
  await page.getByText('No request matches').waitFor();
  await page.getByLabel('Search').fill('LIMIT=100');
  await page.reload();
  await row('this page').waitFor();
  expect(await page.getByLabel('Search').inputValue()).toBe('LIMIT=100');
  await expect.poll(() => row('').evaluateAll((all) => all.map((each) => each.clientHeight))).toEqual([32]);
  const { totals } = (await client.get('/_sandbox/report')).json;
  expect(totals.exchanges).toBe(4);
});

test('one exchange: headers, a link to the specification, a timeline with the retry, and the keys j, k and Esc', async () => {
  const { page, client } = await visit();
  await client.post('/_sandbox/faults', { operation: 'createPet', when: 'after', connection: 'reset', times: 1 });
  await page.getByText('1 active fault').waitFor();
  await client.post('/v1/pets', { name: 'Twice', categoryId: 1 }).catch(() => undefined);
  const again = await client.post('/v1/pets', { name: 'Twice', categoryId: 1 });
  await page.getByText('1 used up').waitFor();
  await client.get('/v1/pets?limit=500');
  await page.getByRole('listitem').nth(2).waitFor();

  await page.keyboard.press('j');
  const request = page.getByRole('region', { name: 'Request', exact: true });
  await request.getByText('Got 500 · expected at most 100').waitFor();
  await request.getByText('Authorization: Bearer …').waitFor();
  await page.getByRole('link', { name: 'Response' }).click();
  await page
    .getByRole('region', { name: 'Response', exact: true })
    .getByText(/^Content-Type: /)
    .waitFor();
  await page.getByRole('link', { name: /^Request/ }).click();
  await request.getByRole('link', { name: /maximum$/ }).click();
  await expect.poll(() => page.locator('[aria-current="location"]').innerText()).toContain('"maximum": 100');
  await page.goBack();
  await page.getByRole('link', { name: 'Timeline' }).click();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  const timeline = page.getByRole('list', { name: 'Timeline' });
  await timeline.getByText('Pet 13 was created; the client was not told.').waitFor();
  await timeline.getByText('created pet 14: now there are two').waitFor();
  await timeline.getByRole('link', { name: again.requestId }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByRole('img', { name: /1 with a fault, 1 with a violation/ }).waitFor();
});

test('pets that the client creates appear by themselves, and a link asks for the key and then lands where it points', async () => {
  const { page, client, server, key } = await visit({ at: '/#/pets' });
  await page.getByText('12 pets in this sandbox').waitFor();
  const sent = await client.post('/v1/pets', '{"name":"Live","categoryId":9223372036854775807}');
  await page.getByRole('cell', { name: '9223372036854775807' }).waitFor();
  await page.getByText('13 pets in this sandbox').waitFor();
  const other = await arrive({ server, at: `/#/traffic/${sent.requestId}?status=2xx` });
  await other.page.getByLabel('Key', { exact: true }).fill(key);
  await other.page.getByRole('button', { name: 'Open its sandbox' }).click();
  await other.page.getByRole('heading', { name: /POST \/v1\/pets/ }).waitFor();
  expect(await other.page.getByLabel('Status').inputValue()).toBe('2xx');
});

test('search finds a text in the bodies, also in what arrives later, and says what long bodies keep', async () => {
  const { page, client } = await visit();
  await client.post('/v1/pets', '{"name":"Rex","categoryId":4711}');
  await client.get('/v1/pets?limit=3');
  await page.getByRole('listitem').nth(1).waitFor();
  await page.getByLabel('Search').fill('"categoryid":4711');
  const row = page.getByRole('listitem').filter({ hasText: 'found in a body' });
  await row.filter({ hasText: '“Rex”' }).waitFor();
  await expect.poll(() => page.getByRole('listitem').count()).toBe(1);
  await client.post('/v1/pets', '{"name":"Max","categoryId":4711}');
  await row.filter({ hasText: '“Max”' }).waitFor();
  await page.reload();
  await expect.poll(() => row.count()).toBe(2);
  // What the row itself says needs no such remark.
  await page.getByLabel('Search').fill('limit=3');
  await page.getByRole('listitem').filter({ hasText: '?limit=3' }).waitFor();
  await expect.poll(() => row.count()).toBe(0);
  await expect.poll(() => page.getByText('Long bodies are kept').count()).toBe(0);
  await client.post('/v1/pets', { name: 'x'.repeat(20_000), categoryId: 4711 });
  await page.getByText('Long bodies are kept, and searched, up to 16,384 characters.').waitFor();
  await page.getByLabel('Search').fill('nowhere at all');
  await page.getByText('No request matches').waitFor();
});
