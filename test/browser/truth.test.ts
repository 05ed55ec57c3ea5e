/** What the page claims is true, in every state that it can be in. */
import { expect, test } from 'vitest';
import { send } from '../support/client.ts';
import { heldClock } from '../support/held-clock.ts';
import { startTestServer } from '../support/server.ts';
import { arrive, visit } from './visit.ts';

const EXPECTED = /ERR_|Failed to fetch|chunked|the server responded with a status of 4\d\d/;

test('one count of failing requests stands on the tab and in the title, and none after a run that passed', async () => {
  const clock = heldClock(Date.now());
  const server = await startTestServer({ clock });
  const { page, client } = await visit({ server });
  await client.get('/v1/pets?status=AVAILABLE');
  await client.get('/v1/pets?limit=500');
  await client.get('/v1/pets');
  await page.getByRole('link', { name: /^Live\s*2$/ }).waitFor();
  await page.waitForFunction(() => document.title.startsWith('(2)'));
  await page.getByLabel('Run', { exact: true }).selectOption('all');
  await page.getByLabel('Group by').selectOption('issue');
  const status = page.locator('.group').filter({ hasText: 'query/status is one of' });
  await status.getByText('not seen since').waitFor();
  await client.get('/v1/pets?status=sold');
  await status.getByText('also sent correctly since').waitFor();
  clock.time += 10_000;
  await client.get('/v1/pets?status=sold');
  clock.time += 10_000;
  await client.get('/v1/pets');
  await status.getByText('fixed since').waitFor();
  await page.locator('.over').getByText('Fail', { exact: true }).waitFor();
  await page.getByLabel('Run', { exact: true }).selectOption({ index: 0 });
  await page.locator('.over').getByText('Pass', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Live', exact: true }).waitFor();
  await page.waitForFunction(() => document.title.startsWith('Live'));
});

test('a verdict names what its run fixed, and the run before is one click away', async () => {
  const { page, client } = await visit();
  await client.get('/v1/pets?limit=500');
  await client.post('/_sandbox/runs');
  await client.get('/v1/pets?limit=100');
  const verdict = page.getByRole('region', { name: 'The verdict' });
  await verdict.getByText('fixed 1').waitFor();
  await verdict.getByText('Pass', { exact: true }).waitFor();
  expect(await page.locator('.exchange').count()).toBe(1);
  await page
    .locator('.group')
    .getByRole('button', { name: /run 1$/ })
    .click();
  await verdict.getByText('Fail', { exact: true }).waitFor();
  await page.locator('.exchange', { hasText: 'limit=500' }).waitFor();
  await page.getByRole('button', { name: 'New run' }).click();
  await page.getByText('Nothing was deleted.').waitFor();
  await client.get('/v1/pets');
  await page.getByLabel('Run', { exact: true }).getByText('run 3').waitFor({ state: 'attached' });
  expect((await client.get('/_sandbox/requests')).json.total).toBe(3);
  await verdict.getByText('Pass', { exact: true }).waitFor();
  await page
    .getByLabel('Compared with')
    .selectOption({ label: await page.getByLabel('Compared with').locator('option').last().innerText() });
  await verdict.getByText('fixed 1').waitFor();
});

test('the next failure of a long run is one key away', async () => {
  const { page, client } = await visit();
  await client.getMany(300, (n) => (n === 150 || n === 20 ? '/v1/pets?limit=0' : '/v1/pets?limit=1'));
  await page.locator('.exchange').first().waitFor();
  await page.getByText('2 violations').first().waitFor({ state: 'attached' });
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
  await page.getByText('Connected', { exact: true }).waitFor();
  const port = new URL(server.url).port;
  await server.end();
  await page.getByRole('alert').waitFor();
  await startTestServer({ settings: { keys: [key], port } });
  await page.getByText('The server was restarted and keeps sandboxes in memory').waitFor();
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
});

test('while pages of the request log load, the header says how many are loaded', async () => {
  const { page, client } = await visit();
  await client.getMany(600, (n) => `/v1/pets?limit=${(n % 50) + 1}`);
  await page.locator('.account', { hasText: '600 requests' }).waitFor();
  // Pages after the first one wait until the test has looked.
  let release = (): void => undefined;
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route('**/_sandbox/requests?*before=*', async (route) => {
    await held;
    await route.continue();
  });
  await page.reload();
  await page.locator('.account', { hasText: '600 requests · 50 loaded' }).waitFor();
  release();
  await page.locator('.account').getByText('600 requests', { exact: true }).waitFor();
});

test('what arrived while the page was hidden is marked as new', async () => {
  const { page, client } = await visit();
  await client.get('/v1/pets?limit=1');
  const rows = page.locator('.exchange');
  await rows.filter({ hasText: 'limit=1' }).waitFor();
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await client.get('/v1/pets?limit=2');
  await rows.filter({ hasText: 'limit=2' }).getByText('new', { exact: true }).waitFor();
  expect(await rows.getByText('new', { exact: true }).count()).toBe(1);
});

test('the row of a deprecated request is as true after the date of the removal as before', async () => {
  const { page, client } = await visit();
  await client.get('/v1/pets/1');
  const row = page.locator('.exchange', { hasText: 'getPet is deprecated, removal date 2030-12-05' });
  await row.waitFor();
  await client.put('/_sandbox/clock', { now: '2031-01-01T00:00:00Z' });
  await page.reload();
  await row.waitFor();
  await page.getByLabel('Group by').selectOption('issue');
  await page.locator('.group').getByText('the date is past').waitFor();
});

test('a rejection that no test expected is no response seen, in words and in its look', async () => {
  const { page, client } = await visit({ expected: EXPECTED });
  await client.get('/v1/pets/999', { 'Sandbox-Expect': 'invalid' });
  await client.post('/v1/pets', { name: 'Rex' });
  await page.getByRole('button', { name: '404 × 1' }).waitFor();
  const unexpected = page.getByRole('button', { name: '400 unexpected × 1' });
  await unexpected.waitFor();
  const borderOf = (name: string): Promise<string> =>
    page.getByRole('button', { name }).evaluate((chip) => getComputedStyle(chip).borderTopStyle);
  expect(await borderOf('400 unexpected × 1')).not.toBe(await borderOf('404 × 1'));
});

test('a request to a removed operation is a failure among the issues, too', async () => {
  const { page, client } = await visit({ expected: EXPECTED });
  await client.put('/_sandbox/clock', { now: '2031-01-01T00:00:00Z' });
  await client.get('/v1/pets/1');
  await page.getByLabel('Group by').selectOption('issue');
  await page.locator('.group .mark.bad', { hasText: 'Removed' }).waitFor();
});
