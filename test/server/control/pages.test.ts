/** The request log in pages, and searched by a text. */
import { expect, it } from 'vitest';
import type { Client } from '../../support/client.ts';
import { startTestServer } from '../../support/server.ts';

const ADMIN = 'admin-token-of-this-test';

const server = await startTestServer({ settings: { adminToken: ADMIN } });

/** The ids of so many requests, the newest first. */
const sent = async (client: Client, count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let n = 1; n <= count; n += 1) ids.unshift((await client.get(`/v1/pets?limit=${n}`)).requestId);
  return ids;
};
const idsIn = async (client: Client, query: string): Promise<string[]> =>
  (await client.get(`/_sandbox/requests?${query}`)).json.requests.map(({ id }: { id: string }) => id);

it('is read page by page with the last id, while newer requests arrive', async () => {
  const client = await server.sandbox();
  const ids = await sent(client, 7);
  const read = await idsIn(client, 'limit=3');
  await client.get('/v1/pets/1');
  for (let page = read; page.length === 3; read.push(...page))
    page = await idsIn(client, `limit=3&before=${read.at(-1)}`);
  expect(read).toEqual(ids);
  const rest = (await client.get(`/_sandbox/requests?limit=3&before=${ids[2]}`)).json;
  expect(rest).toMatchObject({ total: 4, dropped: 0 });
});

it('joins `before` with `since`, and has nothing before a request that it dropped', async () => {
  const client = await server.sandbox();
  const [newest, second, third, oldest] = await sent(client, 4);
  expect(await idsIn(client, `since=${oldest}&before=${newest}`)).toEqual([second, third]);
  expect(await idsIn(client, `since=${newest}&before=${oldest}`)).toEqual([]);
  await client.delete('/_sandbox/requests');
  await client.get('/v1/pets');
  const none = (await client.get(`/_sandbox/requests?before=${second}`)).json;
  expect(none).toEqual({ requests: [], total: 0, dropped: 0 });
});

it('finds a text in targets and bodies, in any case, as the request log shows them', async () => {
  const client = await server.sandbox();
  const { requestId: created } = await client.post('/v1/pets', { name: 'Ärger', categoryId: 9_007_199 });
  const { requestId: listed } = await client.get('/v1/pets?limit=100');
  const { requestId: told } = await client.post('/v1/pets', { name: ADMIN, categoryId: 1 });
  const long = (await client.post('/v1/pets', { name: `${'x'.repeat(20_000)}the-end`, categoryId: 1 })).requestId;
  for (const [text, ...found] of [
    ['%C3%A4RGER', listed, created],
    ['9007199&operation=createPet', created],
    ['LIMIT%3D100', listed],
    ['xxxx', long],
    // Nothing is found that is not shown, not even its beginning.
    ['the-end'],
    [ADMIN],
    ['admin-token'],
    ['%5Bkey%5D', told],
  ])
    expect([text, ...(await idsIn(client, `contains=${text}`))]).toEqual([text, ...found]);
});
