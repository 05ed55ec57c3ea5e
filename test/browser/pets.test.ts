/** The pets: through the real API, exact, and as text whatever they are called. */
import { expect, test } from 'vitest';
import { limit } from '../support/slow.ts';
import { visit } from './visit.ts';

const REFUSED = /the server responded with a status of 4\d\d/;

test('a pet named as an image with a script is text, wherever it is shown', async () => {
  const { page, client } = await visit();
  const name = '<img src=x onerror=alert(1)>';
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await client.post('/v1/pets', { name, categoryId: 1 });
  await client.get(`/v1/pets?limit=${encodeURIComponent(name)}`);
  await page.getByRole('listitem').filter({ hasText: 'POST' }).getByRole('link').click();
  await page.getByRole('region', { name: 'Request', exact: true }).getByText(`"${name}"`).waitFor();
  await page.getByRole('link', { name: 'Pets', exact: true }).click();
  await page.getByRole('cell', { name }).waitFor();
  await page.getByRole('link', { name: 'Issues', exact: true }).click();
  await page.getByRole('region', { name: /open issue/ }).waitFor();
  for (const summary of await page.locator('.issue details:not([open]) summary').all()) await summary.click();
  await expect.poll(() => page.locator('img').count()).toBe(0);
  expect(dialogs).toEqual([]);
});

test('pets are added through the API, and its rejections shown', async () => {
  const { page, client } = await visit({ expected: REFUSED });
  await page.getByRole('link', { name: 'Pets', exact: true }).click();
  const form = page.locator('form').filter({ has: page.getByRole('heading', { name: 'Add a pet' }) });
  await form.getByLabel('Name').fill('Exact');
  await form.getByLabel('Category id').fill('nine');
  await form.getByRole('button', { name: 'Add' }).click();
  await form.getByRole('alert').filter({ hasText: 'body/categoryId' }).waitFor();
  await form.getByLabel('Category id').fill('-9223372036854775808');
  await form.getByLabel('Status').selectOption('pending');
  await form.getByRole('button', { name: 'Add' }).click();
  await page.getByText('Added Exact as 13.').waitFor();
  await page.getByRole('cell', { name: '-9223372036854775808' }).waitFor();
  await page.getByText('13 pets in this sandbox').waitFor();
  expect((await client.get('/v1/pets/13')).text).toContain('-9223372036854775808');
  await page.getByRole('link', { name: /^Traffic/ }).click();
  await expect.poll(() => page.getByRole('listitem').filter({ hasText: 'this page' }).count()).toBe(3);
});

test('ids beyond 53 bits keep every digit, in the table and when looked up', async () => {
  const { page } = await visit({ fixture: 'boundary' });
  await page.getByRole('link', { name: 'Pets', exact: true }).click();
  await page.getByRole('cell', { name: '9007199254740993' }).first().waitFor();
  await page.getByLabel('Id', { exact: true }).fill('9007199254740993');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByRole('status').getByText('9007199254740993').first().waitFor();
});

test('an empty sandbox says what to do, and a filter that finds nothing too', async () => {
  const { page } = await visit({ fixture: 'empty' });
  await page.getByRole('link', { name: 'Pets', exact: true }).click();
  await page.getByText('No pets here.').waitFor();
  await page.getByLabel('Status').first().selectOption('sold');
  await page.getByText('No pet is sold.').waitFor();
});

test('of more pets than a list holds, the page says how many it shows', async () => {
  const { page } = await visit({ fixture: 'large' });
  await page.getByRole('link', { name: 'Pets', exact: true }).click();
  await page.getByText(/^The first 100 of [\d,]+, by id/).waitFor();
});

test('ten thousand pets that were just made scroll without jank: few rows are in the page', async () => {
  const { page } = await visit({ fixture: 'empty' });
  await page.getByRole('link', { name: 'Pets', exact: true }).click();
  await page.getByLabel('How many').fill('10000');
  await page.getByLabel('Seed').fill('7');
  await page.getByRole('button', { name: 'Generate' }).click();
  await page.getByText('The 10,000 pets just generated').waitFor({ timeout: limit(30_000) });
  const table = page.getByRole('group', { name: 'Table of pets' });
  await expect.poll(() => page.getByRole('row').count()).toBeLessThan(60);
  await table.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await page.getByRole('cell', { name: '10000', exact: true }).waitFor();
  await expect.poll(() => page.getByRole('row').count()).toBeLessThan(60);
  expect(await table.getByRole('table').getAttribute('aria-rowcount')).toBe('10001');
});
