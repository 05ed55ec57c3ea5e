/** What the page claims is true, in every state that it can be in. */
import { expect, test } from 'vitest';
import { send } from '../support/client.ts';
import { startTestServer } from '../support/server.ts';
import { arrive, visit } from './visit.ts';

const EXPECTED = /ERR_|Failed to fetch|chunked|the server responded with a status of 4\d\d/;

test('the line says what a run fixed, has new and still has; each count lists its mistakes, and a new run is awaited', async () => {
  const { page, client } = await visit();
  const verdict = page.getByRole('region', { name: 'The verdict' });
  const mistakes = page.locator('.changes > .mistake h3');
  await verdict.getByText('…').waitFor();
  await client.get('/v1/pets?limit=500');
  await client.get('/v1/pets?status=AVAILABLE');
  await verdict.getByText('Fail', { exact: true }).waitFor();
  await page.waitForFunction(() => document.title.startsWith('(2)'));
  await page.getByRole('button', { name: 'New run' }).click();
  await verdict.getByText('waiting for the next run').waitFor();
  expect(await page.locator('.word').allInnerTexts()).toEqual(['…']);
  await client.get('/v1/pets?status=sould');
  await client.get('/v1/pets?limit=5&page=2');
  // The newest failure is the first.
  await expect
    .poll(() => mistakes.allInnerTexts())
    .toEqual([expect.stringContaining('listPets: page'), expect.stringContaining('listPets: status')]);
  for (const [count, mistake] of [
    ['1 fixed', 'listPets: limit'],
    ['1 new', 'listPets: page'],
    ['1 still', 'listPets: status'],
  ] as const) {
    await verdict.getByRole('button', { name: count }).click();
    await expect.poll(() => mistakes.allInnerTexts()).toEqual([expect.stringContaining(mistake)]);
  }
  await page.getByRole('button', { name: 'Show all mistakes' }).click();
  await expect.poll(() => mistakes.count()).toBe(2);
  const first = await page.locator('.exchange').first().boundingBox();
  expect(first?.y).toBeLessThan(200);
  const controls = page
    .locator('a[href], button, input, select, summary')
    .and(page.locator(':not(.skip, .exchanges *)'));
  expect(await controls.filter({ visible: true }).count()).toBeLessThanOrEqual(25);
  await client.post('/_sandbox/runs');
  await client.get('/v1/pets');
  await verdict.getByText('Pass', { exact: true }).waitFor();
  await page.getByText('1 of 8 documented responses seen').waitFor();
  await page.locator('.chip', { hasText: '200 × 1' }).waitFor();
});

test('what this page sends gets no verdict', async () => {
  const { page } = await visit({ expected: EXPECTED });
  await page.getByRole('button', { name: 'Send one with a typo' }).click();
  await page.locator('.outcome.bad').getByText('categoryId is required').waitFor();
  expect(await page.locator('.word').allInnerTexts()).toEqual(['…']);
  await page.getByRole('button', { name: 'Fix and send' }).click();
  await page.locator('.answer.good').getByText('201').waitFor();
});

test('the next failure of a long run is one key away', async () => {
  const { page, client } = await visit();
  await client.getMany(300, (n) => (n === 150 || n === 20 ? '/v1/pets?limit=0' : '/v1/pets?limit=1'));
  await page.locator('.exchange').first().waitFor();
  await page.locator('.mistake', { hasText: '2×' }).waitFor();
  await page.keyboard.press('n');
  await page.getByRole('heading', { name: /limit=0/ }).waitFor();
});

test('looking at pets uses up no fault rule and appears in no traffic', async () => {
  const { page, client } = await visit();
  await client.post('/_sandbox/faults', { status: 503, times: 1 });
  await page.getByRole('link', { name: 'Pets', exact: true }).click();
  await page.getByText('12 pets in this sandbox').waitFor();
  await page.getByLabel('Status').first().selectOption('sold');
  await expect.poll(() => page.getByRole('cell', { name: 'available' }).count()).toBe(0);
  expect((await client.get('/_sandbox/faults')).json.faults[0].triggered).toBe(0);
  expect((await client.get('/_sandbox/requests')).json.total).toBe(0);
});

test('requests of strangers are one closed line below the own rows, also in an empty sandbox', async () => {
  const server = await startTestServer();
  const { page } = await visit({ server });
  await page.getByText('No requests yet').waitFor();
  for (let n = 0; n < 3; n += 1) await send(server.url, { path: '/pets', headers: { Authorization: 'Bearer nobody' } });
  const line = page.getByText('3 requests matched no sandbox');
  await line.waitFor();
  expect(await page.locator('.exchange').count()).toBe(0);
  await page.getByText('No requests yet').waitFor();
  await line.click();
  await page.getByText('the API is under /v1').first().waitFor();
});

test('a link to another sandbox says which one, and keeps its address while another key is given', async () => {
  const one = await visit({ expected: EXPECTED });
  const other = await one.server.sandbox();
  const { requestId } = await other.get('/v1/pets?limit=7');
  const { id } = (await other.get('/_sandbox')).json;
  await one.page.goto(`${one.server.url}/#/live/${requestId}?sandbox=${id}`);
  await one.page.reload();
  await one.page
    .getByRole('status')
    .filter({ hasText: `This link is to the sandbox ${id}` })
    .waitFor();
  await one.page.getByRole('button', { name: 'Use a key to it' }).click();
  await one.page.getByLabel('Key', { exact: true }).fill(String(other.key));
  await one.page.getByRole('button', { name: 'Open its sandbox' }).click();
  await one.page.getByRole('heading', { name: /limit=7/ }).waitFor();
});

test('after a restart of a server in memory the page says that the sandbox started over', async () => {
  const key = 'petsbx-preconfigured-for-restart';
  const server = await startTestServer({ settings: { keys: [key] } });
  const { page } = await arrive({ server, key, expected: EXPECTED });
  await page.locator('main[aria-busy="false"]').waitFor();
  const port = new URL(server.url).port;
  await server.end();
  await page.getByRole('alert').waitFor();
  await startTestServer({ settings: { keys: [key], port } });
  await page.getByText('The server was restarted and keeps sandboxes in memory').waitFor();
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
});

test('the row of a deprecated request is as true after the date of the removal as before', async () => {
  const { page, client } = await visit();
  await client.get('/v1/pets/1');
  const row = page.locator('.exchange', { hasText: 'getPet is deprecated, removal date 2030-12-05' });
  await row.waitFor();
  await client.put('/_sandbox/clock', { now: '2031-01-01T00:00:00Z' });
  await page.reload();
  await row.waitFor();
  await page.locator('.mistake').getByText('the date is past').waitFor();
});

test('a rejection that no test expected is no response seen', async () => {
  const { page, client } = await visit({ expected: EXPECTED });
  await client.get('/v1/pets/999', { 'Sandbox-Expect': 'invalid' });
  await client.post('/v1/pets', { name: 'Rex' });
  await page.getByText('documented responses seen').click();
  await page.locator('.chip.seen', { hasText: '404 × 1' }).waitFor();
  await page.locator('.chip:not(.seen)', { hasText: '400 unexpected × 1' }).waitFor();
});
