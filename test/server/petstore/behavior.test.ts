/** The rules below "Behavior" in docs/reference/behavior.md: each is the title of its case. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { ERROR_STATUS } from '../../../src/base/api/errors.ts';
import type { Client } from '../../support/client.ts';
import { methodsOn } from '../../support/documented.ts';
import { sharedServer } from '../../support/server.ts';
import { texts } from '../../support/texts.ts';

const server = await sharedServer();
const PET = { name: 'Rex', categoryId: 1 };
const MAX = '9223372036854775807';
const OTHER_SITE = { Origin: 'https://shop.example', 'Sec-Fetch-Site': 'cross-site' };

const idsOf = async (client: Client, query: string): Promise<number[]> =>
  (await client.get(`/v1/pets?${query}`)).json.map(({ id }: { id: number }) => id);
const add = async (client: Client, pet: unknown = PET) => await client.post('/v1/pets', pet);

const RULES: Readonly<Record<string, (client: Client) => Promise<void>>> = {
  'A list has all pets that match, by ascending id, up to the limit: 20 by default': async (client) => {
    for (let n = 0; n < 13; n++) await add(client, { ...PET, status: 'sold' });
    const all = await idsOf(client, 'limit=100');
    expect(all).toEqual(Array.from({ length: 25 }, (_, n) => n + 1));
    expect(await idsOf(client, '')).toEqual(all.slice(0, 20));
    expect(await idsOf(client, 'status=sold&limit=5')).toEqual([4, 10, 13, 14, 15]);
  },
  "There's no pagination, no update and no delete, because the specification has none": async (client) => {
    expect((await client.get('/v1/pets?limit=2')).headers['link']).toBe(undefined);
    expect(await idsOf(client, 'limit=2&offset=5&page=2')).toEqual([1, 2]);
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expect((await client.sendJson(method, '/v1/pets/1', PET)).status).toBe(405);
  },
  'Ids ascend from the largest so far; a fixture can set the first. The same calls on the same fixture give the same ids':
    async (client) => {
      const calls = async (): Promise<number[]> => {
        await client.post('/_sandbox/reset', { fixture: { nextId: 40, pets: [{ id: 7, ...PET }] } });
        return [(await add(client)).json.id, (await add(client)).json.id];
      };
      expect([await calls(), await calls()]).toEqual([
        [40, 41],
        [40, 41],
      ]);
      await client.post('/_sandbox/reset', { fixture: { pets: [{ id: 7, ...PET }] } });
      expect((await add(client)).json.id).toBe(8);
    },
  'An int64 is exact in bodies, paths, storage and responses, and never a string': async (client) => {
    await client.sendJson('POST', '/_sandbox/reset', `{"fixture":{"nextId":${MAX},"pets":[]}}`);
    const text = `{"id":${MAX},"name":"Rex","categoryId":${MAX}}`;
    expect((await add(client, `{"name":"Rex","categoryId":${MAX}}`)).text).toBe(text);
    expect((await client.get(`/v1/pets/${MAX}`)).text).toBe(text);
  },
  'A pet without `status` stays without one': async (client) => {
    expect((await client.get(`/v1/pets/${(await add(client)).json.id}`)).json).toEqual({ id: 13, ...PET });
  },
  'Any `categoryId` is accepted, and so are equal names': async (client) => {
    for (const categoryId of [-5, 0, 987654321, 1])
      expect((await add(client, { ...PET, categoryId })).json).toMatchObject({ ...PET, categoryId });
  },
  "`getPet` is deprecated: it has `Sunset` and a `Link` to its successor, but no `Deprecation`, because that date isn't known":
    async (client) => {
      const { headers } = await client.get('/v1/pets/1');
      expect(headers).toMatchObject({
        sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
        link: '<../pets>; rel="successor-version"',
      });
      expect(headers).not.toHaveProperty('deprecation');
    },
  'A body has exactly the fields of its schema': async (client) => {
    const { json } = await add(client, { ...PET, color: 'red', id: 5 });
    expect(json).toEqual({ id: 13, ...PET });
    expect(Object.keys((await client.get('/v1/toys')).json)).toEqual(['code', 'message', 'status']);
  },
  'Integers are written in plain digits: `1`, never `1.0` or `1e0`': async (client) => {
    for (const written of ['1.0', '1e0', '10E-1'])
      expect((await add(client, `{"name":"Rex","categoryId":${written}}`)).text).toMatch(/"categoryId":1}$/);
  },
  'The `code` of an error is an [error code](settings.md#error-codes)': async (client) => {
    for (const path of ['/v1/pets?limit=0', '/v1/pets/404', '/v1/toys', '/v1/store/orders']) {
      const { status, json } = await client.get(path);
      expect([status, json.status]).toEqual([ERROR_STATUS[json.code as keyof typeof ERROR_STATUS], status]);
    }
  },
  '401 has `WWW-Authenticate: Bearer`, 405 has `Allow`': async (client) => {
    expect((await server.client().get('/v1/pets')).headers['www-authenticate']).toMatch(/^Bearer\b/);
    expect((await client.delete('/v1/pets')).headers.allow).toBe(`${methodsOn('/pets')}, OPTIONS`);
  },
  "Responses have `Cache-Control: no-store` and no `ETag`; there's no 304": async (client) => {
    const conditions = { 'If-None-Match': '*', 'If-Modified-Since': new Date().toUTCString() };
    for (const path of ['/v1/pets', '/v1/pets/1']) {
      const { status, headers } = await client.get(path, conditions);
      expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
      expect(headers).not.toHaveProperty('etag');
      expect(headers).not.toHaveProperty('last-modified');
    }
  },
  '`HEAD` has the status and `Content-Length` of `GET`': async (client) => {
    for (const path of texts(
      '/v1/pets | /v1/pets?limit=2 | /v1/pets/1 | /v1/pets/404 | /v1/pets?limit=0 | /v1/store/orders',
    )) {
      const get = await client.get(path);
      const head = await client.send({ method: 'HEAD', path });
      expect(head).toMatchObject({ status: get.status, text: '' });
      const varies = { date: '', 'sandbox-request-id': '' };
      expect({ ...head.headers, ...varies }).toEqual({ ...get.headers, ...varies });
      expect(head.requestId).not.toBe(get.requestId);
    }
  },
  '`OPTIONS` needs no key, but an unknown path still gets a 404. Pages of other sites may use `/v1` (CORS), but not the control API':
    async (client) => {
      for (const [path, status] of [
        ['/v1/pets/1', 204],
        ...texts('/v1/toys | /v1 | /v1/pets/1/toys').map((path) => [path, 404] as const),
      ] as const)
        for (const each of [server.client(), client])
          expect((await each.send({ method: 'OPTIONS', path })).status).toBe(status);
      expect((await client.get('/v1/pets', OTHER_SITE)).headers['access-control-allow-origin']).toBe(OTHER_SITE.Origin);
      expect((await client.get('/_sandbox', OTHER_SITE)).status).toBe(403);
    },
  "A preflight allows every method and header, so a page's request with a wrong method is sent, and is in the report":
    async (client) => {
      const asks = { 'Access-Control-Request-Method': 'DELETE', 'Access-Control-Request-Headers': 'x-any' };
      const preflight = { method: 'OPTIONS', path: '/v1/pets/1', headers: { ...OTHER_SITE, ...asks } };
      const { headers } = await server.client().send(preflight);
      expect(headers['access-control-allow-methods']).toMatch(/\bDELETE\b/);
      expect(headers['access-control-allow-headers']).toMatch(/\bx-any\b/);
      await client.get('/v1/pets', OTHER_SITE);
      await client.delete('/v1/pets/1', OTHER_SITE);
      const { verdict, reasons } = (await client.get('/_sandbox/report')).json;
      expect([verdict, reasons]).toEqual(['fail', ['1 request matches no operation']]);
    },
  'The header `Idempotency-Key` is ignored: each `createPet` adds a pet': async (client) => {
    const headers = { 'Idempotency-Key': 'one', 'Content-Type': 'application/json' };
    const create = { method: 'POST', path: '/v1/pets', headers, body: '{"name":"Rex","categoryId":1}' };
    const ids = [(await client.send(create)).json.id, (await client.send(create)).json.id];
    expect(ids).toEqual([13, 14]);
  },
  "There's no rate limit, except a [fault rule](../guides/faults.md) with `limit`": async (client) => {
    const many = await client.getMany(100, () => '/v1/pets?limit=1');
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([200]));
    await client.post('/_sandbox/faults', { limit: { requests: 1, seconds: 60 } });
    expect((await client.get('/v1/pets')).status).toBe(200);
    expect((await client.get('/v1/pets')).status).toBe(429);
  },
};

test('the page has a rule for each case, and a case for each rule', async () => {
  const [, rules = ''] = (await readFile('docs/reference/behavior.md', 'utf8')).split('\n## Behavior\n');
  const written = [...rules.matchAll(/^- (.+)$/gm)].map(([, rule]) => rule);
  expect(written).toEqual(Object.keys(RULES));
});

test.each(Object.entries(RULES))('%s', async (_, check) => check(await server.sandbox()));
