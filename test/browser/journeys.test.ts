/** What people come to the dashboard for, from beginning to end. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import today from '../../src/generated/petstore.json' with { type: 'json' };
import { arrive, drop, visit } from './visit.ts';

/** The browser logs every response of 400 and above that a page gets. */
const REJECTED = /the server responded with a status of 4\d\d/;
const run = promisify(execFile);

const row = (page: Page, text: string) => page.locator('.exchange', { hasText: text });
const dialogOf = (page: Page) => page.getByRole('dialog');

test('a first visit: one click makes a key, and each of the first lines works when pasted, and arrives live', async () => {
  const { page } = await arrive();
  await page.getByRole('button', { name: 'Make a key' }).click();
  const figures = page.locator('figure.paste');
  await figures.nth(2).waitFor();
  const key = (await page.evaluate(() => sessionStorage.getItem('petstore-sandbox-key'))) as string;
  expect(page.url()).not.toContain(key);
  const [curl, javascript, python] = await figures.locator('code').allInnerTexts();
  const outputs = await Promise.all([
    run('sh', ['-c', `${curl} --silent`]),
    run(process.execPath, ['--input-type=module', '-e', String(javascript)]),
    run('python3', ['-c', String(python)]),
  ]);
  for (const { stdout } of outputs) expect(stdout).toContain('Biscuit');
  await page.locator('.exchange').nth(2).waitFor();
});

test('a link signs in once, in a new tab and in one that shows another sandbox, and leaves address and history', async () => {
  const { page, server } = await arrive({ expected: REJECTED });
  const client = await server.sandbox({ label: 'linked' });
  const link = async () => (await client.post('/_sandbox/sign-in-codes')).json.url as string;
  await page.getByRole('button', { name: 'Make a key' }).click();
  await page.getByRole('banner').getByText('dashboard', { exact: true }).waitFor();
  const used = await link();
  await page.goto(used);
  await page.getByRole('banner').getByText('linked').waitFor();
  expect(page.url()).not.toContain('sign-in');
  await page.goBack();
  expect(page.url()).not.toContain('sign-in');
  const { page: other } = await arrive({ server, at: used.slice(server.url.length), expected: REJECTED });
  await other.getByRole('alert').getByText('This sign-in link does not work any more').waitFor();
  await other.goto(await link());
  await other.getByRole('banner').getByText('linked').waitFor();
});

test('a key is pasted as a whole header; one that opens nothing is rejected in the words of the server', async () => {
  const { page, server } = await arrive({ expected: REJECTED });
  await page.getByLabel('Key', { exact: true }).fill('petsbx_nobodyknowsthiskey0000000000');
  await page.getByRole('button', { name: 'Open its sandbox' }).click();
  await page.getByRole('alert').getByText('send `Authorization: Bearer <KEY>`').waitFor();
  const { key } = await server.sandbox();
  await page.getByLabel('Key', { exact: true }).fill(`Authorization: Bearer ${key}`);
  await page.getByRole('button', { name: 'Open its sandbox' }).click();
  await page.getByRole('heading', { name: 'Traffic' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'See what your client does' }).waitFor();
  const kept = () => page.evaluate(() => [sessionStorage.length, localStorage.length, document.cookie]);
  await expect.poll(kept).toEqual([0, 0, '']);
});

test('from failure to fix: the finding, the last good request, the corrected one, its response, and a link', async () => {
  const { page, client, server, key } = await visit({ permissions: ['clipboard-read', 'clipboard-write'] });
  const good = await client.post('/v1/pets', '{"name":"Good","categoryId":1}');
  await client.post('/v1/pets', '{"name":"Bad"}');
  await client.post('/v1/pets', '{"name":"Bis\'cuit","catgoryId":9007199254740993,"status":"lost"}');
  await row(page, 'categoryId missing; sent catgoryId? and 1 more').click();
  const request = page.getByRole('region', { name: 'Request', exact: true });
  const status = request.locator('.line').filter({ hasText: '"status": "lost"' });
  await status.getByText('expected available, pending or sold').waitFor();
  await status.getByText('The specification').click();
  await status.getByText('enum: ["available","pending","sold"]').waitFor();

  await page.getByRole('link', { name: 'Compare' }).click();
  // The one before it is no good one.
  await expect.poll(() => page.getByLabel(/^Compared with/).inputValue()).toBe(good.requestId);

  await page.getByRole('button', { name: 'Send corrected' }).click();
  const corrected = page.getByRole('region', { name: 'Corrected request' });
  await corrected.locator('.answer').getByText('201').waitFor();
  await corrected.locator('.answer').getByText('9007199254740993').waitFor();
  // What this page sends is no part of the report.
  expect((await client.get('/_sandbox/report')).json.totals.exchanges).toBe(3);

  await page.locator('.menu summary', { hasText: 'Copy' }).click();
  const copied = async (name: string) => {
    await page.getByRole('button', { name }).click();
    await page.getByText(/^Copied: /).waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  expect((await run('sh', ['-c', `${await copied('as curl')} --silent`])).stdout).toMatch(/^HTTP\/1.1 400/);
  expect((await run('python3', ['-c', await copied('as Python')])).stdout).toMatch(/^400 /);
  expect(await copied('as a test')).toContain("from 'petstore-sandbox/vitest'");
  const link = await copied('link for a colleague');

  const other = await arrive({ server, at: link.slice(server.url.length) });
  await other.page.getByText('This link is to the sandbox').waitFor();
  await other.page.getByLabel('Key', { exact: true }).fill(key);
  await other.page.getByRole('button', { name: 'Open its sandbox' }).click();
  await other.page.getByRole('heading', { name: /POST \/v1\/pets/ }).waitFor();
});

test('a request is edited and sent again, and its response stands below', async () => {
  const { page, client, server } = await visit({ expected: REJECTED });
  const { requestId } = await client.get('/v1/pets?limit=3');
  await page.goto(`${server.url}/#/traffic/${requestId}/edit`);
  await page.getByLabel('Path and query').fill('/v1/pets?limit=500');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('group', { name: 'Response, line by line' }).getByText('query/limit').waitFor();
  await page.getByLabel('Path and query').fill('//elsewhere.example/');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('alert').getByText('The path must begin with /v1').waitFor();
});

test('the traffic is searched, filtered, paused, and opened with the keys', async () => {
  const { page, client } = await visit();
  await client.get('/v1/pets?limit=500');
  await client.post('/v1/pets', '{"name":"Rex","categoryId":4711}');
  await client.get('/v1/pets/404');
  const rows = page.locator('.exchange');
  await rows.nth(2).waitFor();
  await page.getByLabel('Search').fill('"categoryid":4711');
  await expect.poll(() => rows.count()).toBe(1);
  await row(page, 'Rex').waitFor();
  await page.getByLabel('Search').fill('');
  await page.getByLabel('Operation').selectOption('getPet');
  await page.getByLabel('Status').selectOption('404');
  await expect.poll(() => rows.count()).toBe(1);
  await page.reload();
  await expect.poll(() => rows.count()).toBe(1);
  await page.getByLabel('Show').selectOption('Violations');
  await page.getByText('No request matches').waitFor();
  await page.getByRole('button', { name: 'Clear the filter' }).click();

  await page.getByRole('button', { name: 'Pause' }).click();
  await client.get('/v1/pets?limit=9');
  await page.getByRole('button', { name: 'Pause (more arrived)' }).click();
  await row(page, 'limit=9').waitFor();
  await page.keyboard.press('j');
  await page.getByRole('heading', { name: /limit=9/ }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.getByText('Error rate').waitFor();
  await page.keyboard.press('?');
  await page.getByText('show these keys').waitFor();
});

test('a fault is injected by failure, operation and times; an error stands beside its field; all are cleared', async () => {
  const { page, client } = await visit({ at: '/#/controls', expected: REJECTED });
  await page.getByLabel('Failure').selectOption({ label: 'Rate limit: 429 with Retry-After' });
  await page.getByLabel('On operation').selectOption('listPets');
  await page.getByRole('button', { name: 'Inject' }).click();
  await page.getByText('on · triggered 0 of 3').waitFor();
  expect((await client.get('/v1/pets')).status).toBe(429);
  await page.getByText('on · triggered 1 of 3').waitFor();
  await page.getByRole('region', { name: 'State of the sandbox' }).getByText('1 active fault').waitFor();

  await page.getByText('Advanced').click();
  await page.locator('select[name="connection"]').selectOption('reset');
  await page.getByLabel('Status', { exact: true }).fill('503');
  await page.getByRole('button', { name: 'Add the rule' }).click();
  const field = page.locator('label', { has: page.locator('input[name="status"]') });
  await field.getByRole('alert').getByText('must not have status').waitFor();
  await page.getByRole('button', { name: 'Clear all faults' }).click();
  await dialogOf(page).getByText('You lose 1 rule').waitFor();
  await dialogOf(page).getByRole('button', { name: 'Clear all faults' }).click();
  await page.getByText('All faults are off.').waitFor();
  expect((await client.get('/v1/pets')).status).toBe(200);
});

test('the clock goes to the day of the next change and back, and the finding then speaks in the past', async () => {
  const { page, client } = await visit({ at: '/#/issues' });
  await client.get('/v1/pets/1');
  const card = page.getByRole('region', { name: 'Next change: 2030-12-05' });
  await card.getByText('1 of your 1 request stops working.').waitFor();
  await card.getByRole('button', { name: 'Set the clock to that day' }).click();
  await page.getByText('getPet is deprecated and was removed on 2030-12-05').first().waitFor();
  expect((await client.get('/v1/pets/1')).status).toBe(410);
  await page.getByRole('link', { name: 'Controls', exact: true }).click();
  await page.getByRole('button', { name: 'Real time' }).click();
  await page.getByText(/The clock shows/).waitFor();
  expect((await client.get('/v1/pets/1')).status).toBe(200);
});

test('a draft and a HAR are chosen with the keyboard or dropped on the issues, and an error stands where it was chosen', async () => {
  const { page, client } = await visit({ at: '/#/issues', expected: REJECTED });
  await client.get('/v1/pets?limit=80');
  const card = page.getByRole('region', { name: 'A draft, or recorded traffic' });
  const draft = structuredClone(today);
  Object.assign(draft.paths['/pets'].get.parameters[0]?.schema ?? {}, { maximum: 50 });
  // Its program may have added a member before the log.
  const har = (await client.get('/_sandbox/export?format=har')).text.replace('{', '{"_by":"a proxy",');

  const choosing = page.waitForEvent('filechooser');
  await card.getByLabel('Draft or HAR…').focus();
  await page.keyboard.press('Enter');
  await (await choosing).setFiles({ name: 'next.json', mimeType: '', buffer: Buffer.from(JSON.stringify(draft)) });
  await card.locator('pre', { hasText: 'Send GET /v1/pets?limit=50' }).waitFor();
  await drop(page, 'traffic.har', har);
  await card.locator('pre', { hasText: 'contract check passed' }).waitFor();
  await drop(page, 'next.yaml', 'openapi: 2');
  await card.getByRole('alert').getByText('body: ').waitFor();
  await drop(page, 'cut.har', har.slice(0, -9));
  await card.getByRole('alert').getByText('the file was cut').waitFor();
  expect(await card.locator('pre').count()).toBe(0);
  await expect.poll(() => page.locator('.drop').count()).toBe(0);
});

test('a state is saved, lost and restored; what is lost is named before; the sandbox is saved as a file and ended', async () => {
  const { page, client } = await visit({ at: '/#/controls', expected: REJECTED });
  await client.post('/v1/pets', { name: 'Kept', categoryId: 1 });
  await page.getByLabel('Name of the present state').fill('before');
  await page.getByRole('button', { name: 'Save snapshot' }).click();
  await page.getByRole('button', { name: 'Restore before' }).waitFor();
  await page.getByLabel('Fixture').selectOption({ value: 'empty' });
  await page.getByRole('button', { name: 'Reset', exact: true }).click();
  await dialogOf(page).getByText('You lose 1 added pet.').waitFor();
  await page.getByRole('button', { name: 'Reset to empty' }).click();
  await page.getByText('Reset to empty: 0 pets.').waitFor();
  await page.getByRole('button', { name: 'Restore before' }).click();
  await dialogOf(page).getByRole('button', { name: 'Restore before' }).click();
  await page.getByText('Back at before.').waitFor();
  expect((await client.get('/v1/pets')).json).toHaveLength(13);

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'HTTP Archive' }).click();
  const har = await readFile(await (await downloading).path(), 'utf8');
  expect(JSON.parse(har).log.entries.length).toBeGreaterThan(0);
  expect(har).not.toContain('petsbx_0');

  await page.getByRole('button', { name: 'End sandbox' }).click();
  await dialogOf(page).getByText('You lose 13 pets, all snapshots').waitFor();
  await dialogOf(page).getByRole('button', { name: 'End sandbox' }).click();
  await page.getByRole('heading', { name: 'See what your client does' }).waitFor();
  expect((await client.get('/v1/pets')).status).toBe(401);
});

test('a second key and a fork are shown once; a fork opens in the page, and a key is revoked', async () => {
  const { page, key, client } = await visit({ at: '/#/controls' });
  // A character that reverses the line is shown, not obeyed.
  await page.getByLabel('Label', { exact: true }).fill('col\u202eleague');
  await page.getByRole('button', { name: 'Make a key' }).click();
  await page.getByRole('button', { name: 'Revoke col\\u202eleague' }).click();
  await dialogOf(page).getByText('Clients with this key get 401 from now on.').waitFor();
  await dialogOf(page)
    .getByRole('button', { name: /^Revoke/ })
    .click();
  await page.getByText('The key was revoked.').waitFor();
  expect((await client.get('/_sandbox/keys')).json.keys).toHaveLength(1);
  await page.getByLabel('Label of a copy').fill('the copy');
  await page.getByRole('button', { name: 'Fork', exact: true }).click();
  await page.getByRole('button', { name: 'Open the copy here' }).click();
  await page.getByRole('banner').getByText('the copy').waitFor();
  expect(await page.evaluate(() => sessionStorage.getItem('petstore-sandbox-key'))).not.toBe(key);
});

test('pets are added, generated, found by id with every digit, and are text whatever they are called', async () => {
  const { page, client } = await visit({ fixture: 'empty', at: '/#/pets', expected: REJECTED });
  const name = '<img src=x onerror=alert(1)>';
  await client.post('/v1/pets', { name, categoryId: 1 });
  await page.getByRole('cell', { name }).waitFor();
  await page.getByLabel('Category id').fill('nine');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('alert').getByText('body/categoryId').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Exact');
  await page.getByLabel('Category id').fill('-9223372036854775808');
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByText(/^Added Exact as/).waitFor();
  await page.getByLabel('Find by id').fill('2');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  await page.getByRole('cell', { name: '-9223372036854775808' }).waitFor();
  await page.getByLabel('How many').fill('3000');
  await page.getByRole('button', { name: 'Generate' }).click();
  await page.getByText(/^Generated 3,000 pets/).waitFor();
  await page.getByLabel('Find by id').fill('');
  await page.keyboard.press('Enter');
  await page.getByText(/^The first 1,000, by id/).waitFor();
  await expect.poll(() => page.getByRole('row').count()).toBe(1001);
  await expect.poll(() => page.locator('img:not(.brand img)').count()).toBe(0);
});

test('a drill waits for the client, shows its checks live, and its result stays as a badge', async () => {
  const { page, client, server, key } = await visit({ at: '/#/drills', expected: REJECTED });
  await page.getByRole('button', { name: 'lost-create' }).click();
  const drill = page.getByRole('region', { name: 'lost-create' });
  await drill.getByText('Waiting for your client').waitFor();
  expect(await drill.locator('pre').innerText()).toContain(key);
  const name = await drill.locator('dt', { hasText: 'Pet name' }).locator('xpath=following-sibling::dd[1]').innerText();
  await client.post('/v1/pets', { name, categoryId: 1 }).catch(() => undefined);
  await client.post('/v1/pets', { name, categoryId: 1 });
  await drill.getByText('Fail', { exact: true }).waitFor();
  // Looking at the pets is no look of the client.
  await page.getByRole('link', { name: 'Pets', exact: true }).click();
  await page.getByRole('cell', { name }).first().waitFor();
  await page.getByRole('link', { name: 'Drills', exact: true }).click();
  await drill.getByText('Fail', { exact: true }).waitFor();
  await expect
    .poll(() => drill.getByRole('list', { name: 'Requests of the drill' }).getByRole('listitem').count())
    .toBe(2);
  await drill.getByRole('button', { name: 'End the drill' }).click();
  const card = page.locator('.drill-card', { hasText: 'lost-create' });
  await card.getByText('Fail', { exact: true }).waitFor();
  // Kept by the server, not by the tab.
  const other = await arrive({ server, key, at: '/#/drills' });
  await other.page.locator('.drill-card', { hasText: 'lost-create' }).getByText('Fail', { exact: true }).waitFor();
});
