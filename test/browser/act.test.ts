/** What the page does with an exchange: send it again, correct it, compare it, download it. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { harProblems } from '../support/published-schemas.ts';
import { visit } from './visit.ts';

const REFUSED = /the server responded with a status of 4\d\d/;

const formIn = (page: Page) => page.getByRole('form', { name: 'Edit and resend' });

test('a request is edited and sent again, with every digit, and marked as one of this page', async () => {
  const { page, client, server } = await visit();
  const body = '{"name":"Exact","categoryId":9223372036854775807}';
  const headers = { 'Idempotency-Key': 'first', 'User-Agent': 'my client' };
  const sent = await client.post('/v1/pets', body, headers);
  await page.goto(`${server.url}/#/traffic/${sent.requestId}/edit`);
  const form = formIn(page);
  expect(await form.getByLabel('Body').inputValue()).toBe(body);
  expect(await form.getByLabel('Headers').inputValue()).toMatch(
    /^Content-Type: application\/json\n.*Idempotency-Key: first$/s,
  );
  expect(await form.getByLabel('Headers').inputValue()).not.toMatch(/Authorization|my client|petsbx/);
  await form.getByLabel('Headers').fill('Content-Type: application/json\nIdempotency-Key: second');
  await form.getByLabel('Body').fill(body.replace('Exact', 'Again'));
  await form.getByRole('button', { name: 'Send', exact: true }).click();
  await form.getByRole('link', { name: /^Open req_/ }).click();
  await page.getByRole('region', { name: 'Request', exact: true }).getByText('"Again"').waitFor();
  const [{ id, fromDashboard, violations }] = (await client.get('/_sandbox/requests?limit=1')).json.requests;
  expect([fromDashboard, violations]).toEqual([true, []]);
  const { request } = (await client.get(`/_sandbox/requests/${id}`)).json;
  expect(request).toMatchObject({ body: body.replace('Exact', 'Again'), headers: { 'Idempotency-Key': 'second' } });
  expect((await client.get('/_sandbox/report')).json.totals.exchanges).toBe(1);
});

test('the key goes to the API only, and what no browser sends is said instead of sent', async () => {
  const { page, client, server } = await visit({ expected: REFUSED });
  const sent = await client.get('/v1/pets?limit=3');
  await page.goto(`${server.url}/#/traffic/${sent.requestId}/edit`);
  const form = formIn(page);
  const send = form.getByRole('button', { name: 'Send', exact: true });
  for (const target of [
    '/_sandbox/requests',
    '/v1/../_sandbox/requests',
    '//127.0.0.2/v1/pets',
    'http://127.0.0.2/v1',
    '/v12/pets',
  ]) {
    await form.getByLabel('Path and query').fill(target);
    await send.click();
    await form.getByRole('alert').filter({ hasText: 'The path must begin with /v1' }).waitFor();
  }
  await form.getByLabel('Path and query').fill('/v1/pets?limit=a b');
  await form.getByText('The browser sends the path as /v1/pets?limit=a%20b.').waitFor();
  await form.getByLabel('Headers').fill('no header');
  await send.click();
  await form.getByRole('alert').filter({ hasText: '“no header” is no header' }).waitFor();
  await form.getByRole('button', { name: 'As it was sent' }).click();
  expect(await form.getByLabel('Path and query').inputValue()).toBe('/v1/pets?limit=3');
  await send.click();
  await form.getByRole('link', { name: /^Open req_/ }).waitFor();
  const { requests } = (await client.get('/_sandbox/requests')).json;
  expect(requests).toHaveLength(2);
});

test.each([
  [
    'a body',
    'POST',
    '/v1/pets',
    '{"name":"Rex","catgoryId":9223372036854775807,"status":"lost"}',
    '/v1/pets',
    '{"name":"Rex","categoryId":9223372036854775807,"status":"available"}',
    201,
  ],
  ['a body that is not JSON', 'POST', '/v1/pets', '{"name":', '/v1/pets', expect.stringContaining('"categoryId"'), 201],
  ['parameters', 'GET', '/v1/pets?limit=500&statu=sold', undefined, '/v1/pets?limit=100&status=sold', undefined, 200],
  ['an id', 'GET', '/v1/pets/01', undefined, '/v1/pets/1', undefined, 200],
  ['a path', 'GET', '/v1/pet', undefined, '/v1/pets', undefined, 200],
] as const)(
  '%s is corrected by the suggestions of its findings, and accepted',
  async (_, method, path, body, target, corrected, status) => {
    const { page, client, server } = await visit({ expected: REFUSED });
    const headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const sent = await client.send({ method, path, headers, ...(body === undefined ? {} : { body }) });
    await page.goto(`${server.url}/#/traffic/${sent.requestId}`);
    await page.getByRole('link', { name: 'Send corrected' }).click();
    const form = formIn(page);
    await form.waitFor();
    expect(await form.getByLabel('Path and query').inputValue()).toBe(target);
    if (typeof corrected === 'string')
      expect((await form.getByLabel('Body').inputValue()).replaceAll(/\s/g, '')).toBe(corrected);
    await form.getByRole('button', { name: 'Send', exact: true }).click();
    await form.getByRole('list', { name: 'Responses' }).getByText(String(status), { exact: true }).waitFor();
    const [{ violations }] = (await client.get('/_sandbox/requests?limit=1')).json.requests;
    expect(violations).toEqual([]);
  },
);

test('a request that keeps to the specification has nothing to correct', async () => {
  const { page, client, server } = await visit();
  const sent = await client.get('/v1/pets');
  await page.goto(`${server.url}/#/traffic/${sent.requestId}`);
  await page.getByRole('button', { name: 'Copy as curl' }).waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'Send corrected' }).count()).toBe(0);
});

test('an exchange is compared with the previous one of its operation, in request and response', async () => {
  const { page, client, server } = await visit();
  const first = await client.post('/v1/pets', { name: 'Rex', categoryId: 1 });
  await client.get('/v1/pets');
  const second = await client.post('/v1/pets', '{"name":"Rex","categoryId":"1"}');
  await page.goto(`${server.url}/#/traffic/${second.requestId}`);
  await page.getByRole('link', { name: 'Compare' }).click();
  await page.getByRole('link', { name: first.requestId }).waitFor();
  const shown = (side: string, kind: string) =>
    expect.poll(async () => {
      const lines = page.getByRole('region', { name: side, exact: true }).locator(`.line.${kind}`);
      return (await lines.allInnerTexts()).map((line) => line.replaceAll(/\s+/g, ' ').trim());
    });
  await shown('Request', 'before').toEqual(['− before: "categoryId": 1']);
  await shown('Request', 'after').toEqual(['+ now: "categoryId": "1"']);
  await shown('Response', 'before').toContain('− before: 201');
  await shown('Response', 'after').toContain('+ now: 400');
  await page.getByRole('link', { name: first.requestId }).click();
  await page.getByRole('link', { name: 'Compare' }).click();
  await page.getByText('The request log holds no earlier request of createPet.').waitFor();
});

test('what is shown leaves as HAR 1.2: the filtered list, or one exchange', async () => {
  const { page, client } = await visit();
  await client.get('/v1/pets?limit=500');
  await client.post('/v1/pets', '{"name":"Rex","categoryId":9223372036854775807}');
  const last = await client.get('/v1/pets?limit=600');
  await page.getByRole('listitem').nth(2).waitFor();
  const download = async () => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download HAR' }).last().click(),
    ]);
    return { name: file.suggestedFilename(), har: JSON.parse(await readFile(await file.path(), 'utf8')) };
  };
  await page.getByLabel('Show').selectOption('Violations');
  await expect.poll(() => page.getByRole('listitem').count()).toBe(2);
  const listed = await download();
  expect(listed.name).toBe('requests.har');
  await validHar(listed.har);
  const queries = listed.har.log.entries.map(
    ({ request }: { request: { url: string } }) => new URL(request.url).search,
  );
  expect(queries).toEqual(['?limit=500', '?limit=600']);
  expect(listed.har.log.entries[0]._sandbox.violations[0]).toMatchObject({ location: 'query/limit', rule: 'maximum' });
  await page.getByRole('listitem').first().getByRole('link').click();
  await page.getByRole('article', { name: 'Exchange' }).getByRole('button', { name: 'Download HAR' }).waitFor();
  const one = await download();
  expect(one.name).toBe(`${last.requestId}.har`);
  await validHar(one.har);
  expect(one.har.log.entries.map(({ _sandbox }: { _sandbox: { id: string } }) => _sandbox.id)).toEqual([
    last.requestId,
  ]);
});

async function validHar(har: unknown): Promise<void> {
  expect(await harProblems(har)).toEqual([]);
}
