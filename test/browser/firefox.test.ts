/** The main journeys in Firefox: what another engine may do differently. The other files have the details. */
import { expect, test } from 'vitest';
import { startTestServer } from '../support/server.ts';
import { arriveWithFirefox, visitWithFirefox } from './firefox.ts';

test('in Firefox, a request arrives live with its finding, opens with the reason beside the field, and is filtered', async () => {
  const { page, at, see, client } = await visitWithFirefox();
  await client.post('/v1/pets', '{"name":"Biscuit","catgoryId":9223372036854775807,"status":"SOLD"}');
  await client.get('/v1/pets');
  await see('categoryId missing; sent catgoryId?', '.exchange');
  await at('.exchange ::-p-text(catgoryId)', (element) => element.click());
  await see('one of available, pending, sold', '.note');
  await see('"catgoryId": 9223372036854775807', '.line');
  await at('.buttons .primary', (element) => element.click());
  await see('201', '.answer');
  await see('9223372036854775807', '.answer');

  const rows = () => page.$$eval('.exchange', (all) => all.length);
  await expect.poll(rows).toBe(3);
  await at('label ::-p-text(Search)', (element) => element.click());
  await page.keyboard.type('catgory');
  await expect.poll(rows).toBe(1);
  await expect.poll(() => page.url()).toContain('catgory');
  await page.reload();
  await see('categoryId missing; sent catgoryId?', '.exchange');
  await expect.poll(rows).toBe(1);
});

test('in Firefox, the keyboard alone moves through the rows, opens one, closes it and lists the keys', async () => {
  const { page, see, client } = await visitWithFirefox();
  await client.get('/v1/pets?limit=500');
  await client.get('/v1/pets/1');
  await see('limit must be', '.exchange');
  await expect.poll(() => page.$$eval('.exchange', (all) => all.length)).toBe(2);
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Skip to the view');
  await page.keyboard.press('j');
  await expect.poll(focused).toContain('/v1/pets/1');
  await page.keyboard.press('j');
  await see('an integer from 1 to 100', '.note');
  await page.keyboard.press('Escape');
  await see('Fail', 'h2');
  await page.keyboard.press('?');
  await expect.poll(() => page.$$eval('.keyboard[open]', (all) => all.length)).toBe(1);
  await page.keyboard.press('?');
  await expect.poll(() => page.$$eval('.keyboard[open]', (all) => all.length)).toBe(0);
});

test('in Firefox, a fault is set and seen, and a drill starts and ends', async () => {
  const { at, clickOn, see, client } = await visitWithFirefox();
  await clickOn('link', 'Setup');
  await at('::-p-aria([name="What happens"])', (element) => element.select('1'));
  await clickOn('button', 'Place the fault');
  await see('1 active fault', '.strip');
  expect((await client.get('/v1/pets')).status).toBe(429);
  await see('triggered 1 of 1');
  await clickOn('link', 'Drills');
  await clickOn('button', 'Start lost-create');
  // There are requests to lose.
  await at('dialog button.danger', (element) => element.click());
  await see('Create the pet');
  await see('Waiting for your client');
  await clickOn('button', 'End the drill');
  await see('The drill has ended');
});

test('in Firefox, a revoked key and a server that ends are one message each', async () => {
  const gone = await visitWithFirefox();
  // Otherwise the sandbox ends with its last key, and the key is unknown.
  await gone.client.post('/_sandbox/keys', { shared: true });
  const keys = (await gone.client.get('/_sandbox/keys')).json.keys;
  await gone.client.delete(`/_sandbox/keys/${keys[0].id}`);
  await gone.see('The key was revoked', '[role=alert]');
  await expect.poll(() => gone.page.$$eval('[role=alert]', (all) => all.length)).toBe(1);

  const left = await visitWithFirefox(await startTestServer());
  await left.server.end();
  await left.see("The server doesn't respond", '[role=alert]');
  await left.clickOn('link', 'Setup');
  await left.see('Setup', 'h1');
  await expect.poll(() => left.page.$$eval('[role=alert]', (all) => all.length)).toBe(1);
});

test('in Firefox, the reference opens an operation in the dashboard, which sends it with the key of the tab', async () => {
  const { at, clickOn, see } = await visitWithFirefox();
  await clickOn('link', 'Reference');
  await see('POST /v1/pets', '.call');
  await at('a[href$="#/live/new/createPet"]', (element) => element.click());
  await clickOn('button', 'Send');
  await see('201', '.answer');
});

test('in Firefox, a wrong key is rejected in the words of the server', async () => {
  const { at, clickOn, see } = await arriveWithFirefox();
  await at('input[type=password]', (element) => element.type('petsbx_nobodyknowsthiskey0000000000'));
  await clickOn('button', 'Open its sandbox');
  await see('send Authorization: Bearer', '[role=alert]');
});
