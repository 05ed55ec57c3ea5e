/** The documentation as a reader uses it: search, copy, by keys, at each width. */
import { expect, test } from 'vitest';
import { violationsInBothSchemes } from './axe.ts';
import { arrive } from './visit.ts';

test('a search finds a part of another page, by keys alone, and asks nobody else', async () => {
  const { page, server } = await arrive({ at: '/docs/' });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).origin));
  await page.keyboard.press('/');
  await page.keyboard.type('freeze the clo');
  const first = page.locator('#found a').first();
  await first.waitFor();
  await page.keyboard.press('ArrowDown');
  const heading = await first.evaluate((link) => link.firstChild?.textContent);
  const target = await first.evaluate((link) => (link as HTMLAnchorElement).href);
  await page.keyboard.press('Enter');
  await page.waitForURL(target);
  expect(target).toMatch(/\/docs\/.+\.md#/);
  expect(await page.locator(`id=${new URL(page.url()).hash.slice(1)}`).textContent()).toBe(heading);
  expect(new Set(asked)).toEqual(new Set([server.url]));
});

test('a search without a result says so; a word that no page has hides no part with the others; Escape closes', async () => {
  const { page } = await arrive({ at: '/docs/concepts.md' });
  await page.getByRole('searchbox').fill('qqqqqqqq');
  await page.getByText('Nothing found.').waitFor();
  await page.getByRole('searchbox').fill('qqqqqqqq freeze clock');
  await page.locator('#found a', { hasText: /clock/i }).first().waitFor();
  await page.keyboard.press('Escape');
  expect(await page.locator('#found').isVisible()).toBe(false);
});

test('a block is copied whole', async () => {
  const { page } = await arrive({ at: '/docs/start/ci.md', permissions: ['clipboard-read', 'clipboard-write'] });
  const block = page.locator('.block').first();
  await block.getByRole('button', { name: 'Copy' }).click();
  await block.getByRole('button', { name: 'Copied' }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(await block.locator('code').textContent());
});

const PAGES = [
  ...['', 'concepts.md', 'start/client.md'],
  ...['reference/settings.md', 'guides/faults.md', 'reference/petstore-api.md'],
].flatMap((name) => [1440, 390].map((width) => ({ name, width })));

test.for([...PAGES, { name: 'reference/control-api/faults.md', width: 390 }])(
  'the page /docs/$name can be read by everybody, $width pixels wide',
  async ({ name, width }) => {
    const { page } = await arrive({ at: `/docs/${name}`, viewport: { width, height: 800 } });
    // What is closed is read as well, as much as axe reads in time.
    await page.evaluate(() => {
      for (const closed of [...document.querySelectorAll('details')].slice(0, 30)) closed.open = true;
    });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    expect(await violationsInBothSchemes(page, `docs-${width}-${name.replaceAll('/', '-')}`)).toEqual([]);
  },
);

test('on a phone the list of pages is a drawer, also without JavaScript', async () => {
  const { page } = await arrive({ at: '/docs/', viewport: { width: 390, height: 800 }, javaScriptEnabled: false });
  const list = page.getByRole('navigation', { name: 'Documentation' });
  expect(await list.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Pages' }).click();
  await list.getByRole('link', { name: 'Concepts' }).click();
  await page.waitForURL('**/docs/concepts.md');
  expect(await list.isVisible()).toBe(false);
});

test('the next page follows at the end of each', async () => {
  const { page } = await arrive({ at: '/docs/' });
  await page.getByRole('link', { name: 'Next Build a client' }).click();
  await page.getByRole('heading', { name: 'Build a client', level: 1 }).waitFor();
});
