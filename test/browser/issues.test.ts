/** The issues: verdict, coverage, downloads, and each problem with its fix and its course. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { documented } from '../support/documented.ts';
import { visit } from './visit.ts';

const verdictOf = (page: Page) => page.getByRole('region', { name: 'Verdict and coverage' });
const issuesOf = (page: Page) => page.getByRole('region', { name: /issue/ });

test('a sandbox without a request has no verdict to be glad of; the former address of the view opens it', async () => {
  const { page } = await visit({ at: '/#/contract' });
  await page.getByRole('heading', { name: 'Issues', level: 1 }).waitFor();
  expect(await page.getByRole('link', { name: 'Issues' }).getAttribute('aria-current')).toBe('page');
  const verdict = verdictOf(page);
  const word = verdict.getByText('Incomplete', { exact: true });
  await word.waitFor();
  await verdict.getByText('No request was seen.').waitFor();
  const colours = await word.evaluate((element) => {
    const root = getComputedStyle(document.documentElement);
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = root.getPropertyValue('--good');
    return { word: getComputedStyle(element).color, good: getComputedStyle(probe).color };
  });
  expect(colours.word).not.toBe(colours.good);
  await page.getByText('Issues appear here once your client sends requests.').waitFor();
  await page.getByRole('link', { name: 'Send the first one' }).click();
  await page.getByRole('heading', { name: 'Send your first request' }).waitFor();
});

test('verdict and coverage stand together, the verdict in the largest letters; the report comes in four forms', async () => {
  const { page, client } = await visit();
  await client.get('/v1/pets?limit=500');
  await client.get('/v1/pets');
  await page.getByRole('link', { name: 'Issues', exact: true }).click();
  const verdict = verdictOf(page);
  await verdict.getByText('Fail', { exact: true }).waitFor();
  await verdict.getByText(`1 of ${documented.length} documented responses seen`).waitFor();
  await verdict.getByText('1 violation of the specification.').waitFor();
  const sizesOf = (parts: string) =>
    page.locator(parts).evaluateAll((all) => all.map((each) => Number.parseFloat(getComputedStyle(each).fontSize)));
  const others = await sizesOf('main *:not(.word)');
  expect(await sizesOf('.word')).toEqual([Math.max(28, ...others.map((size) => size + 1))]);
  const downloads = page.getByRole('group', { name: 'Download the report' });
  const beginnings = { JSON: /^\{"verdict":"fail"/, JUnit: /^<\?xml/, HTML: /^<!doctype html>/i, SARIF: /^\{\s*"/ };
  for (const [form, beginning] of Object.entries(beginnings)) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      downloads.getByRole('button', { name: form, exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^contract-report\.(json|xml|html|sarif)$/);
    expect(await readFile(await download.path(), 'utf8')).toMatch(beginning);
  }
});

test('an issue opens to its fix and its requests, and is marked fixed once later requests are clean', async () => {
  const { page, client } = await visit();
  await client.get('/v1/pets?limit=500');
  await client.post('/v1/pets', '{"name":"Doughnut","catgoryId":7}');
  const wrong = await client.get('/v1/pets?limit=700');
  await page.getByRole('link', { name: 'Issues', exact: true }).click();
  await page.getByRole('heading', { name: '3 open issues' }).waitFor();
  const issue = issuesOf(page).getByRole('listitem').filter({ hasText: 'limit must be <= 100' });
  // The first one is open, the others are closed.
  await issue.getByText('limit=100').waitFor();
  const other = issuesOf(page).getByRole('listitem').filter({ hasText: 'categoryId missing' });
  await expect.poll(() => other.getByText('"categoryId":7').isVisible()).toBe(false);
  await other.locator('summary').click();
  await other.getByText('"categoryId":7').waitFor();
  await issue.getByText('2 times').waitFor();
  await issue.getByText(/^first \d\d:\d\d:\d\d, last \d\d:\d\d:\d\d$/).waitFor();
  expect(await issue.getByRole('link', { name: 'Last request' }).getAttribute('href')).toContain(wrong.requestId);
  await expect.poll(() => issue.getByText('fixed since').count()).toBe(0);
  await client.get('/v1/pets?limit=7');
  await issue.getByText('fixed since').waitFor();
  await issue.getByText('1 clean request').waitFor();
  await page.getByRole('heading', { name: '2 open issues, 1 fixed' }).waitFor();
  await issue.getByRole('link', { name: 'Like these in the traffic' }).click();
  await expect
    .poll(() =>
      page
        .getByRole('list')
        .getByRole('link', { name: /limit=[57]00/ })
        .count(),
    )
    .toBe(2);
  await expect.poll(() => page.locator('.exchange').count()).toBe(2);
  await page.goBack();
  await issue.locator('summary').click();
  await issue.getByRole('link', { name: 'Last request' }).click();
  await page.getByRole('region', { name: 'Request', exact: true }).getByText('maximum: 100').waitFor();
});

test('injected faults stand apart from the issues, and starting over asks first and names the loss', async () => {
  const { page, client } = await visit({ at: '/#/issues' });
  await client.get('/v1/pets');
  await client.get('/v1/pets', { 'Sandbox-Fault': 'status=503' });
  const faults = page.getByRole('region', { name: 'Injected faults' });
  await faults.getByText('status=503').waitFor();
  await verdictOf(page).getByText('Pass', { exact: true }).waitFor();
  await page.getByText('No issues in 2 requests.').waitFor();
  const startOver = page.getByRole('button', { name: 'Start over' });
  await startOver.click();
  const dialog = page.getByRole('dialog', { name: 'Start over?' });
  await dialog.getByText('You lose the report and the traffic: 2 requests.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect((await client.get('/_sandbox/report')).json.totals.exchanges).toBe(2);
  await startOver.click();
  await dialog.getByRole('button', { name: 'Start over' }).click();
  await verdictOf(page).getByText('Incomplete', { exact: true }).waitFor();
});
