/** The state of the sandbox on every page, and what takes its place when the key or the server is gone. */
import { expect, test } from 'vitest';
import { heldClock } from '../support/held-clock.ts';
import { startTestServer } from '../support/server.ts';
import { arrive, visit } from './visit.ts';

const REFUSED = /the server responded with a status of 401/;

test('a drill that another client runs is in the strip of every view, and leads to it, until it ends', async () => {
  const { page, client } = await visit({ at: '/#/pets', expected: /status of 404/ });
  const strip = page.getByRole('region', { name: 'Needs attention' });
  const drill = strip.getByRole('link', { name: 'Drill: lost-create' });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await client.put('/_sandbox/drill', { drill: 'lost-create' });
  for (const view of ['Pets', 'Live', 'Setup']) {
    await page
      .getByRole('navigation')
      .getByRole('link', { name: new RegExp(`^${view}`) })
      .click();
    await drill.waitFor();
  }
  await page.reload();
  await drill.waitFor();
  // Its checks are read only where they are shown: the server validates all requests first.
  expect(asked).not.toContain('GET /_sandbox/drill');
  await drill.click();
  await page.getByRole('region', { name: 'lost-create' }).getByText('Create the pet', { exact: true }).waitFor();
  await client.delete('/_sandbox/drill');
  await drill.waitFor({ state: 'detached' });
  await page.getByRole('region', { name: 'lost-create' }).waitFor({ state: 'detached' });
});

test('an end within the hour is in the strip, which is not there while nothing needs attention', async () => {
  const { page, client, server } = await visit();
  await page.getByText('checkout tests · ends in 23 hours').waitFor();
  expect(await page.locator('.strip').count()).toBe(0);
  const soon = (await client.post('/_sandbox/keys', { shared: true, ttlSeconds: 1800 })).json;
  const other = await arrive({ server, key: soon.key });
  await other.page
    .locator('.strip')
    .getByText(/^Ends in \d\d minutes$/)
    .waitFor();
});

test('a key that expires while its page is open: the page says so and what to do', async () => {
  const real = heldClock(Date.now());
  const server = await startTestServer({ clock: real, heartbeatMs: 100 });
  const client = await server.sandbox();
  const brief = (await client.post('/_sandbox/keys', { shared: true, ttlSeconds: 60 })).json;
  const { page } = await arrive({ server, key: brief.key, expected: REFUSED });
  await page.locator('main[aria-busy="false"]').waitFor();
  real.time += 60_000;
  await page.getByRole('heading', { name: 'This key has expired' }).waitFor();
  await page.getByRole('alert').getByText('Another key to the same sandbox opens it').waitFor();
  await page.getByRole('button', { name: 'Use another key' }).click();
  await page.getByRole('button', { name: 'Make a key' }).waitFor();
});

test('a key that was revoked or ended before the visit is one message with what to do', async () => {
  const { client, server } = await visit({ expected: REFUSED });
  const second = (await client.post('/_sandbox/keys', { shared: true })).json;
  await client.delete(`/_sandbox/keys/${second.id}`);
  const revoked = await arrive({ server, key: second.key, expected: REFUSED });
  const message = revoked.page.getByRole('alert');
  await message.getByText('This key was revoked.').waitFor();
  await message.getByText('Another key to the same sandbox opens it').waitFor();
  expect(await message.count()).toBe(1);
  await client.delete('/_sandbox');
  const ended = await arrive({ server, key: client.key as string, expected: REFUSED });
  await ended.page.getByRole('alert').getByText('This key does not belong to a sandbox.').waitFor();
  await ended.page.getByRole('alert').getByText('Its sandbox has ended').waitFor();
});

test('a server that does not answer at first is tried again with the same key', async () => {
  const { page, server } = await arrive({ expected: /ERR_FAILED/ });
  const { key } = await server.sandbox();
  await page.evaluate((kept) => sessionStorage.setItem('petstore-sandbox-key', kept), String(key));
  await page.route('**/_sandbox', (route) => route.abort());
  await page.reload();
  const message = page.getByRole('alert');
  await message.getByText("The server doesn't respond.").waitFor();
  await message.getByText('Your key stays in this tab.').waitFor();
  await page.unroute('**/_sandbox');
  await message.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Send your first request' }).waitFor();
});
