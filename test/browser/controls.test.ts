/** Controls with weight: what is on and used up, what is lost, and names that would deceive. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { visit } from './visit.ts';

const GONE = /the server responded with a status of 401/;

const isRed = (button: Locator): Promise<boolean> =>
  button.evaluate((element) => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = 'var(--bad)';
    const { color, backgroundColor } = getComputedStyle(element);
    const bad = getComputedStyle(probe).color;
    probe.remove();
    return color === bad || backgroundColor === bad;
  });

const dialogOf = (page: Page) => page.getByRole('dialog');

test('a switch of a fault shows on, how often it was triggered, and used up; then it restarts', async () => {
  const { page, client } = await visit({ at: '/#/controls' });
  const lost = page.getByRole('switch', { name: 'Lost response' });
  expect(await lost.isChecked()).toBe(false);
  await lost.click();
  await lost.getByText('on · triggered 0 of 1').waitFor();
  await client.post('/v1/pets', { name: 'Once', categoryId: 1 }).catch(() => undefined);
  await lost.getByText('used up · triggered 1 of 1').waitFor();
  expect(await lost.isChecked()).toBe(false);
  await page.getByRole('region', { name: 'State of the sandbox' }).getByText('1 used up').waitFor();
  await lost.click();
  await lost.getByText('on · triggered 0 of 1').waitFor();
  expect((await client.get('/_sandbox/faults')).json.faults).toHaveLength(1);
  await lost.click();
  await expect.poll(() => lost.isChecked()).toBe(false);
  expect((await client.get('/_sandbox/faults')).json.faults).toEqual([]);
});

test('the overview names active faults with how often they were triggered, and no snippets after the first request', async () => {
  const { page, client } = await visit();
  await page.getByRole('heading', { name: 'Send your first request' }).waitFor();
  await client.get('/v1/pets');
  const faults = page.getByRole('region', { name: 'Active faults' });
  await faults.getByText('None. Every request gets its own response.').waitFor();
  await expect.poll(() => page.locator('figure.paste').count()).toBe(0);
  await client.post('/_sandbox/faults', { operation: 'createPet', status: 503, times: 1 });
  await client.post('/_sandbox/faults', { operation: 'listPets', status: 503, times: 2 });
  await client.get('/v1/pets');
  const rule = faults.getByRole('listitem').filter({ hasText: 'listPets: status 503, 2 times' });
  await rule.getByText('triggered 1 of 2').waitFor();
  await client.post('/v1/pets', { name: 'Once', categoryId: 1 });
  // The used-up one is not active.
  await expect.poll(() => faults.getByRole('listitem').count()).toBe(1);
});

test('snapshots hang below their fixture, the present state and its forks beside them', async () => {
  const { page, client } = await visit({ at: '/#/controls' });
  await client.post('/_sandbox/snapshots', { name: 'first' });
  await client.post('/_sandbox/reset', { fixture: 'empty' });
  await client.post('/_sandbox/snapshots', { name: 'second' });
  await page.reload();
  const tree = page.getByRole('region', { name: 'Snapshots and forks' });
  const node = (name: string) => tree.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) });
  await node('default').getByText('first', { exact: true }).waitFor();
  expect(await node('default').getByText('second', { exact: true }).count()).toBe(0);
  await node('empty').getByText('second', { exact: true }).waitFor();
  await page.getByLabel('Label of the copy').fill('the copy');
  await page.getByRole('button', { name: 'Fork', exact: true }).click();
  await node('empty').filter({ hasText: 'Now' }).getByRole('button', { name: 'Open the copy here' }).waitFor();
  // The tree outlives a change of the view.
  await page.getByRole('link', { name: 'Pets', exact: true }).click();
  await page.getByRole('link', { name: 'Controls', exact: true }).click();
  await node('the copy').first().waitFor();
});

test('what deletes is red, and asks with what is lost', async () => {
  const { page, client } = await visit({ at: '/#/controls', expected: GONE });
  const reset = page.getByRole('button', { name: 'Reset', exact: true });
  await expect.poll(() => isRed(reset)).toBe(true);
  await reset.click();
  await dialogOf(page).getByText('Nothing is lost').waitFor();
  // It follows what the client does meanwhile.
  await client.post('/v1/pets', { name: 'Added', categoryId: 1 });
  await dialogOf(page).getByText('You lose 1 added pet.').waitFor();
  await page.keyboard.press('Escape');
  await client.post('/_sandbox/faults', { status: 503 });
  await page.getByText('13 pets, 1 added').waitFor();
  await page.getByText('1 active fault').waitFor();
  await reset.click();
  await dialogOf(page).getByText('You lose 1 added pet and 1 fault. Snapshots stay.').waitFor();
  await dialogOf(page).getByRole('button', { name: 'Cancel' }).click();
  expect((await client.get('/_sandbox')).json.pets.total).toBe(13);

  const clear = page.getByRole('button', { name: 'Clear all faults' });
  expect(await isRed(clear)).toBe(true);
  await clear.click();
  await dialogOf(page).getByText('You lose 1 rule and the count of how often it was triggered.').waitFor();
  await page.keyboard.press('Escape');

  const revoke = page.getByRole('button', { name: 'Revoke checkout tests' });
  expect(await isRed(revoke)).toBe(true);
  await revoke.click();
  await dialogOf(page).getByText('It is the last key. You lose the sandbox').waitFor();
  await page.keyboard.press('Escape');
  await client.post('/_sandbox/keys', { shared: true, label: 'colleague' });
  await page.getByRole('button', { name: 'Revoke colleague' }).click();
  await dialogOf(page).getByText('Clients with this key get 401 from now on.').waitFor();
  await page.keyboard.press('Escape');
  await revoke.click();
  await dialogOf(page).getByText('It is the key of this tab.').waitFor();
  await page.keyboard.press('Escape');

  const end = page.getByRole('button', { name: 'End sandbox' });
  expect(await isRed(end)).toBe(true);
  await end.click();
  await dialogOf(page).getByText('You lose 13 pets, all snapshots, 1 request and 2 keys.').waitFor();
  expect(await isRed(dialogOf(page).getByRole('button', { name: 'End sandbox' }))).toBe(true);
  await dialogOf(page).getByRole('button', { name: 'End sandbox' }).click();
  await page.getByText('The sandbox has ended.').waitFor();
  await page.getByRole('heading', { name: 'See what your client does' }).waitFor();
  expect((await client.get('/v1/pets')).status).toBe(401);
});

test('a drill that would throw work away asks before it starts, and is a card that says so while it runs', async () => {
  const { page, client } = await visit();
  await client.post('/v1/pets', { name: 'Work', categoryId: 1 });
  await page.getByRole('listitem').filter({ hasText: 'created pet 13' }).waitFor();
  await page.getByRole('link', { name: 'Drills', exact: true }).click();
  await page.getByText('No drill is running.').waitFor();
  const card = page.locator('.drill-card', { hasText: 'lost-create' });
  await expect
    .poll(async () => {
      await card.click();
      const text = await dialogOf(page).innerText();
      await page.keyboard.press('Escape');
      return text;
    })
    .toContain('You lose 1 added pet and the traffic of 1 request.');
  expect((await client.get('/_sandbox')).json.drill).toBeNull();
  await card.click();
  await dialogOf(page).getByRole('button', { name: 'Start lost-create' }).click();
  await page.getByRole('region', { name: 'lost-create' }).waitFor();
  await expect.poll(() => card.getAttribute('aria-current')).toBe('true');
  await card.getByText('running').waitFor();
});

test('invisible and direction-changing characters are escapes in labels, messages and announcements', async () => {
  const { page, client } = await visit({ at: '/#/controls', expected: /status of 4\d\d/ });
  await client.post('/_sandbox/keys', { shared: true, label: 'col\u202eleague\u200b' });
  const shown = 'col\\u202eleague\\u200b';
  await page.getByText(shown).first().waitFor();
  await page.getByRole('button', { name: `Revoke ${shown}` }).click();
  await dialogOf(page)
    .getByRole('heading', { name: `Revoke ${shown}?` })
    .waitFor();
  await page.keyboard.press('Escape');
  await page.getByLabel('Name of the present state').fill('a\u200bb');
  await page.getByRole('button', { name: 'Save snapshot' }).click();
  await page.getByRole('alert').waitFor();
  const hidden = () => page.evaluate(() => /[\u200b\u202e]/.test(document.body.innerText));
  expect(await hidden()).toBe(false);
  await page.getByLabel('Label of the copy').fill('co\u202epy');
  await page.getByRole('button', { name: 'Fork', exact: true }).click();
  await page.getByRole('button', { name: 'Open co\\u202epy here' }).click();
  await page.getByRole('banner').getByText('co\\u202epy').waitFor();
  expect(await hidden()).toBe(false);
});
