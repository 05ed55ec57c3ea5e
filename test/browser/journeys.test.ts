/** What people come to the dashboard for, from beginning to end. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { harOf } from '../support/har.ts';
import { zipOf } from '../support/zip.ts';
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
  // Each is another client, with a run of its own.
  await page.locator('.exchange').first().waitFor();
  await page.locator('.group').nth(1).waitFor();
});

test('a link signs in once, in a new tab and in one that shows another sandbox, and leaves address and history', async () => {
  const { page, server } = await arrive({ expected: REJECTED });
  const client = await server.sandbox({ label: 'linked' });
  const link = async () => (await client.post('/_sandbox/sign-in-codes')).json.url as string;
  await page.getByRole('button', { name: 'Make a key' }).click();
  await page.getByRole('banner').getByText('dashboard ·').waitFor();
  const used = await link();
  await page.goto(used);
  await page.getByRole('banner').getByText('linked').waitFor();
  expect(page.url()).not.toContain('sign-in');
  await page.goBack();
  expect(page.url()).not.toContain('sign-in');
  const { page: other } = await arrive({ server, at: used.slice(server.url.length), expected: REJECTED });
  await other.getByRole('alert').getByText('This sign-in link no longer works').waitFor();
  await other.goto(await link());
  await other.getByRole('banner').getByText('linked').waitFor();
});

test('a key is pasted as a whole header; one that opens nothing is rejected in the words of the server', async () => {
  const { page, server } = await arrive({ expected: REJECTED });
  await page.getByLabel('Key', { exact: true }).fill('petsbx_nobodyknowsthiskey0000000000');
  await page.getByRole('button', { name: 'Open its sandbox' }).click();
  await page.getByRole('alert').getByText('send Authorization: Bearer <KEY>').waitFor();
  const { key } = await server.sandbox();
  await page.getByLabel('Key', { exact: true }).fill(`Authorization: Bearer ${key}`);
  await page.getByRole('button', { name: 'Open its sandbox' }).click();
  await page.getByRole('heading', { name: 'Send your first request' }).waitFor();
  await page.reload();
  await page.getByRole('link', { name: 'Setup' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'See what your client does' }).waitFor();
  const kept = () => page.evaluate(() => [sessionStorage.length, localStorage.length, document.cookie]);
  await expect.poll(kept).toEqual([0, 0, '']);
});

test('from failure to fix: the finding, the corrected request, its response, and a link', async () => {
  const { page, client, server, key } = await visit({ permissions: ['clipboard-read', 'clipboard-write'] });
  await client.post('/v1/pets', '{"name":"Bad"}');
  await client.post('/v1/pets', '{"name":"Bis\'cuit","catgoryId":9007199254740993,"status":"SOLD"}');
  await row(page, 'categoryId is required (an integer); sent catgoryId? and 1 more').click();
  const request = page.getByRole('region', { name: 'Request', exact: true });
  await request.locator('.line.before').filter({ hasText: '"status": "SOLD"' }).waitFor();
  const status = request.locator('.line.after').filter({ hasText: '"status": "sold"' });
  await request.locator('.line.after').filter({ hasText: '"categoryId": 9007199254740993' }).waitFor();
  await status.getByText('one of available, pending, sold').first().click();
  await status.getByText('enum: ["available","pending","sold"]').waitFor();

  await page.getByRole('button', { name: 'Fix and send' }).click();
  const fixed = page.locator('.answer.good');
  await fixed.getByText('201').waitFor();
  await fixed.getByText('9007199254740993').waitFor();
  // What this page sends is no part of the report.
  expect((await client.get('/_sandbox/report')).json.counts.exchanges).toBe(2);

  await page.getByText('Copy as…').click();
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  const copied = async (name: string) => {
    const before = await clipboard();
    await page.locator('details', { hasText: 'Copy as…' }).getByRole('button', { name }).click();
    await expect.poll(clipboard).not.toBe(before);
    return clipboard();
  };
  expect((await run('sh', ['-c', `${await copied('curl')} --silent`])).stdout).toMatch(/^HTTP\/1.1 400/);
  expect(await copied('a test')).toContain("from 'petstore-sandbox/vitest'");
  const [issue, prompt] = [await copied('issue text'), await copied('prompt')];
  expect(issue).toContain('- `body/status`: is one of');
  for (const part of [issue, 'Find where this request is made']) expect(prompt).toContain(part);
  expect(prompt).not.toContain(key);
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
  await page.goto(`${server.url}/#/live/${requestId}/edit`);
  await page.getByLabel('Path and query').fill('/v1/pets?limit=500');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('group', { name: 'Response, line by line' }).getByText('query/limit').waitFor();
  await page.getByLabel('Path and query').fill('//elsewhere.example/');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('alert').getByText('The path must begin with /v1').waitFor();
});

test('one field searches all runs, by body, status and id; what it finds in another run stands below its line', async () => {
  const { page, client } = await visit();
  await client.get('/v1/pets?limit=500');
  await client.post('/v1/pets', '{"name":"Rex","categoryId":4711}');
  const { requestId } = await client.get('/v1/pets/404');
  await client.post('/_sandbox/runs');
  await client.get('/v1/pets?limit=9');
  const rows = page.locator('.exchange');
  await expect.poll(() => rows.allInnerTexts()).toEqual([expect.stringContaining('limit=9')]);
  const before = page.locator('.group').getByRole('button', { name: /run 1, .* · Fail · 3 requests$/ });
  const search = page.getByLabel('Search all runs');
  for (const [text, found] of [
    ['"categoryid":4711', 'Rex'],
    [requestId, '/pets/404'],
    ['404', '/pets/404'],
  ] as const) {
    await search.fill(text);
    await expect.poll(() => rows.allInnerTexts()).toEqual([expect.stringContaining(found)]);
    await before.waitFor();
  }
  await search.fill('nowhere');
  await page.getByText('No request matches.').waitFor();
  await search.fill('');
  await before.click();
  await expect.poll(() => rows.count()).toBe(3);
  await page.getByLabel('failures only').check();
  await expect.poll(() => rows.count()).toBe(2);
  await page.reload();
  await expect.poll(() => rows.count()).toBe(2);
  await page.keyboard.press('j');
  await page.getByRole('heading', { name: '/pets/404' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'What to change' }).waitFor();
});

test('a fault is injected by failure, operation and times; an error is shown; all are cleared', async () => {
  const { page, client } = await visit({ at: '/#/setup', expected: REJECTED });
  await page.getByLabel('What happens').selectOption({ label: 'gets 429, retry after 2 s' });
  await page.getByLabel('Operation').first().selectOption('listPets');
  await page.getByLabel('How often').selectOption({ label: 'three times' });
  await page.getByRole('button', { name: 'Place the fault' }).click();
  await page.getByText('on · triggered 0 of 3').waitFor();
  expect((await client.get('/v1/pets')).status).toBe(429);
  await page.getByText('on · triggered 1 of 3').waitFor();
  await page.getByRole('region', { name: 'Needs attention' }).getByText('1 active fault').waitFor();

  await page.getByText('Advanced').click();
  await page.locator('select[name="connection"]').selectOption('reset');
  await page.getByLabel('Status', { exact: true }).fill('503');
  await page.getByRole('button', { name: 'Add the rule' }).click();
  await page.getByRole('alert').getByText('must not have').waitFor();
  await page.getByRole('button', { name: 'Clear all faults' }).click();
  await dialogOf(page).getByText('You lose 1 rule').waitFor();
  await dialogOf(page).getByRole('button', { name: 'Clear all faults' }).click();
  await page.getByText('All faults are off.').waitFor();
  expect((await client.get('/v1/pets')).status).toBe(200);
});

test('a dropped HAR is a view of its own with one verdict; a draft and a report name the command that opens them', async () => {
  const { page, client } = await visit({ at: '/#/pets' });
  await client.get('/v1/pets?limit=80');
  // Its program may have added a member before the log.
  const har = (await client.get('/_sandbox/export?format=har')).text.replace('{', '{"_by":"a proxy",');
  await drop(page, 'traffic.har', har.replaceAll('limit=80', 'limit=800'));
  const report = page.getByRole('region', { name: 'Report on traffic.har' });
  await report.locator('.after', { hasText: 'GET /v1/pets?limit=100' }).waitFor();
  expect(await page.locator('.word').allInnerTexts()).toEqual(['Fail']);
  const wrong = harOf('https://api.example.com/v1/pets?limit=700');
  await drop(page, 'playwright.zip', zipOf([['har.har', wrong]]));
  await page.getByRole('region', { name: 'Report on playwright.zip' }).getByText('limit=700').waitFor();
  await page.getByRole('button', { name: 'Back to Live' }).click();
  await page.locator('.word', { hasText: 'Pass' }).waitFor();
  await drop(page, 'next.yaml', 'openapi: 3.1.0');
  await page.getByRole('alert').getByText('petstore-sandbox preview --spec next.yaml').waitFor();
  await drop(page, 'report.json', (await client.get('/_sandbox/report')).text);
  await page.getByRole('alert').getByText('petstore-sandbox report --merge report.json').waitFor();
});

test('the arrow keys go through the rows, which stay in sight in a window of 320 by 256 pixels', async () => {
  const { page, client } = await visit({ viewport: { width: 320, height: 256 } });
  await client.getMany(12, () => '/v1/pets');
  const rows = page.locator('.exchange');
  await expect.poll(() => rows.count()).toBe(12);
  await rows.first().focus();
  for (let moves = 1; moves < 12; moves += 1) await page.keyboard.press('ArrowDown');
  const { top, bottom, isFocused } = await rows.last().evaluate((row) => {
    const box = row.getBoundingClientRect();
    return { top: box.top, bottom: box.bottom, isFocused: row === document.activeElement };
  });
  expect([isFocused, top >= 0, bottom <= 257]).toEqual([true, true, true]);
});

test('a state is saved, lost and restored; what is lost is named before; the sandbox is ended', async () => {
  const { page, client } = await visit({ at: '/#/setup', expected: REJECTED });
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

  await page.getByRole('button', { name: 'End sandbox' }).click();
  await dialogOf(page).getByText('You lose 13 pets, all snapshots').waitFor();
  await dialogOf(page).getByRole('button', { name: 'End sandbox' }).click();
  await page.getByRole('heading', { name: 'See what your client does' }).waitFor();
  expect((await client.get('/v1/pets')).status).toBe(401);
});

test('a second key and a fork are shown once; a fork opens in the page, and a key is revoked', async () => {
  const { page, key, client } = await visit({ at: '/#/setup' });
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
  await page.getByRole('button', { name: 'Open the fork here' }).click();
  await page.getByRole('banner').getByText('the copy').waitFor();
  expect(await page.evaluate(() => sessionStorage.getItem('petstore-sandbox-key'))).not.toBe(key);
});

test('pets are added, generated, found by id with every digit, and are text whatever they are called', async () => {
  const { page, client } = await visit({ fixture: 'empty', at: '/#/pets', expected: REJECTED });
  const name = '<img src=x onerror=alert(1)>';
  await client.post('/v1/pets', { name, categoryId: 1 });
  await page.getByRole('cell', { name }).waitFor();
  await page.getByRole('link', { name: 'Add a pet' }).click();
  await page.getByLabel('Body').fill('{"name":"Exact","categoryId":-9223372036854775808}');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.locator('.answer.good').getByText('201').waitFor();
  await page.getByRole('link', { name: 'Pets', exact: true }).click();
  await page.getByLabel('Find by id').fill('2');
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  await page.getByRole('cell', { name: '-9223372036854775808' }).waitFor();
  await page.getByLabel('How many').fill('3000');
  await page.getByRole('button', { name: 'Generate' }).click();
  await page.getByText(/^Generated 3,000 pets/).waitFor();
  await page.getByLabel('Find by id').fill('');
  await page.getByText(/^The first 1,000, by id/).waitFor();
  await expect.poll(() => page.getByRole('row').count()).toBe(1001);
  await expect.poll(() => page.locator('img:not(.brand img)').count()).toBe(0);
});

test('a drill waits for the client, shows its checks live, and its row opens the last result with what to fix', async () => {
  const { page, client, server, key } = await visit({ at: '/#/drills', expected: REJECTED });
  await page.getByRole('link', { name: 'lost-create' }).click();
  await page.getByText('There is at most one pet of that name.').waitFor();
  expect((await client.get('/_sandbox')).json.drill).toBeNull();
  await page.getByRole('region', { name: 'lost-create' }).getByRole('button', { name: 'Start' }).click();
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
  await page.getByText('1 of 19 done, 0 passed').waitFor();
  const ended = page.locator('.drill-group li', { hasText: 'lost-create' });
  await ended.getByText('Fail', { exact: true }).waitFor({ state: 'attached' });
  await ended.getByText('2 pets have the name').waitFor();
  // What the client made in it would be lost with the next one.
  await page.getByRole('button', { name: 'Start outage' }).click();
  await dialogOf(page).getByText('You lose 2 added pets and the request log.').waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel');
  await dialogOf(page).getByRole('button', { name: 'Start outage' }).click();
  await page.getByRole('region', { name: 'outage' }).getByText('Waiting for your client').waitFor();
  // The result is kept by the server, not by the tab, and outlives the request log.
  const other = await arrive({ server, key, at: '/#/drills' });
  await other.page.getByRole('link', { name: 'lost-create' }).click();
  const last = other.page.getByRole('region', { name: 'lost-create' });
  await last.getByText('2 pets have the name').first().waitFor();
  await last.getByText('Never retry a POST automatically.').waitFor();
  const requests = last.getByRole('list', { name: 'Requests of the drill' });
  await requests.getByText(/^cut, created 1 pet/).waitFor();
  await requests.getByText(/^201, created 1 pet/).waitFor();
});

test('a reset is undone within ten minutes, also after a reload, and leaves no snapshot behind', async () => {
  const { page, client } = await visit({ at: '/#/setup' });
  await client.post('/v1/pets', { name: 'Kept', categoryId: 1 });
  await client.post('/_sandbox/faults', { status: 503, times: 1, operation: 'getPet' });
  await page.getByText('1 active fault').waitFor();
  await page.getByRole('button', { name: 'Reset', exact: true }).click();
  await dialogOf(page).getByText('You can undo it for ten minutes').waitFor();
  await dialogOf(page)
    .getByRole('button', { name: /^Reset/ })
    .click();
  await page.getByText('Reset to default: 12 pets.').waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Undo the reset' }).click();
  await page.getByText('Undone: pets, ids, clock and faults are as before.').waitFor();
  await page.getByText('1 active fault').waitFor();
  expect((await client.get('/_sandbox/pets')).json.total).toBe(13);
  expect((await client.get('/_sandbox/snapshots')).json.snapshots).toEqual([]);
  await page.getByRole('button', { name: 'Undo the reset' }).waitFor({ state: 'detached' });
});

test('a reset says before and after that it cannot be undone, if there is no room for one more snapshot', async () => {
  const { page, client } = await visit({ at: '/#/setup', expected: REJECTED });
  for (let n = 1; n <= 50; n += 1) await client.post('/_sandbox/snapshots', { name: `n${n}` });
  await page.reload();
  await page.getByRole('button', { name: 'Delete n50' }).waitFor();
  await page.getByRole('button', { name: 'Reset', exact: true }).click();
  await dialogOf(page).getByText('You can’t undo it').waitFor();
  await dialogOf(page)
    .getByRole('button', { name: /^Reset/ })
    .click();
  await page.getByText('Reset to default: 12 pets. It can’t be undone').waitFor();
});
