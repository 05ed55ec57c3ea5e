/** What people come to the dashboard for, from beginning to end. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { arrive, visit } from './visit.ts';

/** The browser logs every response of 400 and above that a page gets. */
const REFUSED = /the server responded with a status of 4\d\d/;
const run = promisify(execFile);

test('a first visit: one click makes a key, and each of the first lines works when pasted, and arrives live', async () => {
  const { page } = await arrive();
  await page.getByRole('button', { name: 'Make a key' }).click();
  const figures = page.locator('figure.paste');
  await figures.nth(2).waitFor();
  expect(await figures.locator('figcaption').allInnerTexts()).toEqual(
    ['curl', 'JavaScript', 'Python'].map((language) => expect.stringContaining(language)),
  );
  const key = (await page.evaluate(() => sessionStorage.getItem('petstore-sandbox-key'))) as string;
  const lines = await figures.locator('code').allInnerTexts();
  for (const line of lines) expect(line).toContain(key);
  expect(page.url()).not.toContain(key);

  const [curl, javascript, python] = lines;
  const { stdout } = await run('sh', ['-c', `${curl} --silent`]);
  expect(JSON.parse(stdout)).toHaveLength(12);
  const row = page.getByRole('listitem').filter({ hasText: '/v1/pets' });
  await row.waitFor();
  await expect.poll(() => row.innerText()).toMatch(/GET.*\/v1\/pets[\s\S]*200/);
  const fromNode = await run(process.execPath, ['--input-type=module', '-e', String(javascript)]);
  expect(fromNode.stdout).toContain('Biscuit');
  const fromPython = await run('python3', ['-c', String(python)]);
  expect(fromPython.stdout).toContain('Biscuit');
  await page.getByRole('listitem').nth(2).waitFor();
});

test('a key is pasted; one that opens nothing is rejected in the words of the server', async () => {
  const { page, server } = await arrive({ expected: REFUSED });
  await page.getByLabel('Key', { exact: true }).fill('petsbx_nobodyknowsthiskey0000000000');
  await page.getByRole('button', { name: 'Open its sandbox' }).click();
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('alert').innerText()).toContain('send `Authorization: Bearer <KEY>`');
  const { key } = await server.sandbox();
  await page.getByLabel('Key', { exact: true }).fill(String(key));
  await page.getByRole('button', { name: 'Open its sandbox' }).click();
  await page.getByRole('heading', { name: 'Traffic' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Traffic' }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'See what your client does' }).waitFor();
  await expect
    .poll(() => page.evaluate(() => [sessionStorage.length, localStorage.length, document.cookie]))
    .toEqual([0, 0, '']);
});

test('a wrong request appears live, with the reason beside the field, and leaves as curl', async () => {
  const { page, client } = await visit({ permissions: ['clipboard-read', 'clipboard-write'] });
  const body = '{"name":"Bis\'cuit","catgoryId":9223372036854775807,"status":"lost"}';
  const sent = await client.post('/v1/pets', body);
  const row = page.getByRole('listitem').filter({ hasText: 'categoryId missing; sent catgoryId? and 1 more' });
  await row.getByRole('link').click();

  const request = page.getByRole('region', { name: 'Request', exact: true });
  const status = request.locator('.line').filter({ hasText: '"status": "lost"' });
  await status.locator('.note').waitFor();
  expect(await status.locator('.note').innerText()).toMatch(
    /^Got "lost" · expected available, pending or sold\s+Violation body\/status/,
  );
  expect(await status.locator('.note').innerText()).toContain('enum: ["available","pending","sold"]');
  expect(await status.locator('.note').innerText()).toContain('Availability status');
  const typo = request.locator('.line').filter({ hasText: '"catgoryId": 9223372036854775807' });
  expect(await typo.innerText()).toContain('did you mean `categoryId`?');
  await expect
    .poll(() => request.locator('.line').filter({ hasText: 'required: ["name","categoryId"]' }).count())
    .toBe(1);
  await expect.poll(() => page.url()).toContain(`#/traffic/${sent.requestId}`);
  await page.waitForFunction(() => document.title.startsWith('(1)'));
  const told = page.getByRole('status').filter({ hasText: 'breaks the specification' });
  await told.waitFor({ state: 'attached' });

  await page.getByRole('button', { name: 'Copy as curl' }).click();
  await page.getByText('Copied: curl line.').waitFor();
  const line = await page.evaluate(() => navigator.clipboard.readText());
  const { stdout } = await run('sh', ['-c', `${line} --silent`]);
  expect(stdout).toMatch(/^HTTP\/1.1 400/);
  const copied = async (name: string) => {
    await page.getByRole('button', { name }).click();
    await page.getByText(`Copied: ${name.slice(3)}.`).waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const fromNode = await run(process.execPath, ['--input-type=module', '-e', await copied('as fetch')]);
  const fromPython = await run('python3', ['-c', await copied('as Python')]);
  for (const { stdout } of [fromNode, fromPython]) expect(stdout).toMatch(/^400 .*body\/status/);
  expect(await copied('as a test')).toContain("from 'petstore-sandbox/vitest'");
  await page.getByRole('listitem').nth(3).waitFor();
  const replayed = JSON.parse((await client.get('/_sandbox/requests?limit=1')).text).requests[0].id;
  expect((await client.get(`/_sandbox/requests/${replayed}`)).json.request.body).toBe(body);
});

test('the traffic is filtered by operation, status and violations', async () => {
  const { page, client } = await visit();
  await client.get('/v1/pets');
  await client.get('/v1/pets?limit=500');
  await client.get('/v1/pets/1');
  await client.get('/v1/pets/404');
  const rows = page.getByRole('listitem');
  await rows.nth(3).waitFor();
  await page.getByLabel('Operation').selectOption('getPet');
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByLabel('Status').selectOption('404');
  await expect.poll(() => rows.count()).toBe(1);
  await expect.poll(() => rows.innerText()).toContain('/v1/pets/404');
  await page.getByLabel('Operation').selectOption('All');
  await page.getByLabel('Status').selectOption('4xx');
  await expect.poll(() => rows.count()).toBe(2);
  await page.getByLabel('Show').selectOption('Violations');
  await expect.poll(() => rows.count()).toBe(1);
  await page.getByLabel('Status').selectOption('404');
  await page.getByText('No request matches').waitFor();
});

test('a snapshot is kept, the data reset, and the snapshot restored', async () => {
  const { page, client } = await visit();
  await client.post('/v1/pets', { name: 'Kept', categoryId: 1 });
  await page.getByRole('link', { name: 'Controls', exact: true }).click();
  await page.getByLabel('Name of the present state').fill('before');
  await page.getByRole('button', { name: 'Save snapshot' }).click();
  await page.getByRole('button', { name: 'Restore before' }).waitFor();
  await page.getByLabel('Fixture').selectOption({ value: 'empty' });
  await page.getByRole('button', { name: 'Reset', exact: true }).click();
  await page.getByRole('dialog').getByText('You lose 1 added pet.').waitFor();
  await page.getByRole('button', { name: 'Reset to empty' }).click();
  await page.getByText('Reset to empty: 0 pets.').waitFor();
  expect((await client.get('/v1/pets')).json).toHaveLength(0);
  await page.getByRole('button', { name: 'Restore before' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore before' }).click();
  await page.getByText('Back at before.').waitFor();
  expect((await client.get('/v1/pets')).json).toHaveLength(13);
  await page.getByLabel('Name of the present state').fill('not a name');
  await page.getByRole('button', { name: 'Delete before' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete before' }).click();
  await page.getByRole('button', { name: 'Restore before' }).waitFor({ state: 'detached' });
});

test('a fault is set, seen in the traffic, and cleared', async () => {
  const { page, client } = await visit();
  await page.getByRole('link', { name: 'Controls', exact: true }).click();
  const limited = page.getByRole('switch', { name: 'Rate limited' });
  await limited.click();
  await page.getByText('on · triggered 0 of 3').waitFor();
  expect(await limited.isChecked()).toBe(true);
  const rejected = await client.get('/v1/pets');
  expect([rejected.status, rejected.headers['retry-after']]).toEqual([429, '2']);
  await page.getByText('on · triggered 1 of 3').waitFor();
  await page.getByRole('link', { name: /^Traffic/ }).click();
  await page.getByRole('listitem').filter({ hasText: 'fault' }).getByRole('link').click();
  await page.getByText('A fault replaced the response').waitFor();
  await page.getByRole('link', { name: 'Controls', exact: true }).click();
  await page.getByRole('button', { name: 'Clear all faults' }).click();
  const dialog = page.getByRole('dialog', { name: 'Clear all faults?' });
  await dialog.getByText('You lose 1 rule').waitFor();
  await dialog.getByRole('button', { name: 'Clear all faults' }).click();
  await expect.poll(() => limited.isChecked()).toBe(false);
  expect((await client.get('/v1/pets')).status).toBe(200);
});

test('a fault of one’s own goes in as it was typed, and what does not go together is rejected in words', async () => {
  const { page, client } = await visit({ expected: REFUSED });
  await page.getByRole('link', { name: 'Controls', exact: true }).click();
  await page.getByText('A rule of your own').click();
  await page.getByLabel('Connection').selectOption('reset');
  await page.getByLabel('Status', { exact: true }).fill('503');
  await page.getByRole('button', { name: 'Add the rule' }).click();
  await page.getByRole('alert').filter({ hasText: 'must not have status' }).waitFor();
  await page.getByLabel('Connection').selectOption('');
  await page.getByLabel('Operation').selectOption('createPet');
  await page.getByLabel('Times').fill('2');
  await page.getByRole('button', { name: 'Add the rule' }).click();
  await page.getByText('createPet: status 503, 2 times').waitFor();
  const { faults } = (await client.get('/_sandbox/faults')).json;
  expect(faults).toMatchObject([{ operation: 'createPet', status: 503, times: 2 }]);
});

test('the clock goes to the day of removal and back', async () => {
  const { page, client } = await visit();
  await page.getByRole('link', { name: 'Controls', exact: true }).click();
  await page.getByRole('button', { name: 'Day before removal' }).click();
  await page.getByText('The clock shows 4 Dec 2030').waitFor();
  expect((await client.get('/v1/pets/1')).status).toBe(200);
  await page.getByRole('button', { name: 'Day of removal' }).click();
  await page.getByText('The clock shows 5 Dec 2030').waitFor();
  expect((await client.get('/v1/pets/1')).status).toBe(410);
  await page.getByLabel('Date and time, UTC').fill('2030-12-04T23:00:00');
  await page.getByRole('button', { name: 'Set', exact: true }).click();
  await page.getByText('The clock shows 4 Dec 2030, 23:00').waitFor();
  await page.getByRole('button', { name: 'Freeze' }).click();
  await page.getByText('stands still', { exact: true }).waitFor();
  await page.getByRole('button', { name: '+ 1 hour' }).click();
  await page.getByText('The clock shows 5 Dec 2030').waitFor();
  expect((await client.get('/_sandbox/clock')).json.frozen).toBe(true);
  await page.getByRole('button', { name: 'Real time' }).click();
  await page.getByText(`The clock shows ${new Date().getUTCDate()} `).waitFor();
  expect((await client.get('/v1/pets/1')).status).toBe(200);
});

test('two sandboxes in two tabs never mix', async () => {
  const one = await visit();
  const other = await visit({ server: one.server });
  await one.client.post('/v1/pets', { name: 'Only here', categoryId: 1 });
  await other.client.get('/v1/pets?limit=7');
  await one.page.getByRole('listitem').filter({ hasText: 'POST' }).waitFor();
  await other.page.getByRole('listitem').filter({ hasText: 'limit=7' }).waitFor();
  await expect.poll(() => one.page.getByRole('listitem').count()).toBe(1);
  await expect.poll(() => other.page.getByRole('listitem').count()).toBe(1);
  await other.page.getByRole('link', { name: 'Pets', exact: true }).click();
  await other.page.getByText('12 pets in this sandbox').waitFor();
  await expect.poll(() => other.page.getByText('Only here').count()).toBe(0);
  expect(await other.page.content()).not.toContain(one.key);
});

test('a second key and a fork are shown once; a fork opens in the page, and a key is revoked', async () => {
  const { page, key, client } = await visit();
  await page.getByRole('link', { name: 'Controls', exact: true }).click();
  await page.getByLabel('Label', { exact: true }).fill('colleague');
  await page.getByRole('button', { name: 'Make a key' }).click();
  await page.getByRole('button', { name: 'Revoke colleague' }).waitFor();
  expect((await client.get('/_sandbox/keys')).json.keys).toHaveLength(2);
  await page.getByRole('button', { name: 'Revoke colleague' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke colleague' }).click();
  await page.getByRole('button', { name: 'Revoke colleague' }).waitFor({ state: 'detached' });
  await page.getByLabel('Label of the copy').fill('the copy');
  await page.getByRole('button', { name: 'Fork', exact: true }).click();
  await page.getByRole('button', { name: 'Open the copy here' }).click();
  await page.getByRole('banner').getByText('the copy').waitFor();
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('petstore-sandbox-key'))).not.toBe(key);
});
