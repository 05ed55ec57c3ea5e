/** A drill by hand: started on the page, done by a client outside of it, graded as the requests come. */
import { expect, test } from 'vitest';
import { visit } from './visit.ts';

/** The browser logs the 404 that says that no drill is running, and what a revoked key gets. */
const NO_DRILL = /the server responded with a status of 40[14]/;

test('a client that adds the pet again after a lost response is seen to fail, live', async () => {
  const { page, client } = await visit({ at: '/#/drills', expected: NO_DRILL });
  await page.getByText('No drill is running.').waitFor();
  await page.getByRole('button', { name: 'lost-create' }).click();
  const drill = page.getByRole('region', { name: 'lost-create' });
  await drill.getByText('Create the pet', { exact: true }).waitFor();
  const name = await drill.locator('dt', { hasText: 'Pet name' }).locator('xpath=following-sibling::dd[1]').innerText();

  // The connection is reset after the pet was created; a careless client sends the request again.
  await client.post('/v1/pets', { name, categoryId: 1 }).catch(() => undefined);
  const { text } = await client.post('/v1/pets', { name, categoryId: 1 });
  const requests = drill.getByRole('list', { name: 'Requests of the drill' }).getByRole('listitem');
  await expect.poll(() => requests.count()).toBe(2);
  await drill.getByLabel('The pet or the list that it gave back, as JSON').fill(text);
  await drill.getByRole('button', { name: 'It succeeded' }).click();
  await drill.getByText('Your client said that it succeeded.').waitFor();
  await drill.getByText('the client reported success with its result').waitFor();
  expect(await drill.getByRole('heading', { level: 2 }).innerText()).toContain('Fail');
  await drill.getByRole('button', { name: 'End the drill' }).click();
  await page.getByText('No drill is running.').waitFor();
});

test('the drill that revokes its key leaves the page with the second one', async () => {
  const { page, client } = await visit({ at: '/#/drills', expected: NO_DRILL });
  await page.getByRole('button', { name: 'revoked-key' }).click();
  // Only the second key may read the drill.
  await page.getByRole('region', { name: 'revoked-key' }).waitFor();
  expect((await client.get('/v1/pets')).status).toBe(401);
  await page.getByRole('button', { name: 'End the drill' }).click();
  await page.getByText('No drill is running.').waitFor();
});
