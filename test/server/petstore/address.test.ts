/** The address of a sandbox: what comes there is its own, whatever the key; what comes to `/v1` is its own by the key alone. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Client, type Reply, send, type TestRequest } from '../../support/client.ts';
import { harReport } from '../../support/har.ts';
import { heldClock } from '../../support/held-clock.ts';
import { startTestServer } from '../../support/server.ts';
import { exchangeBytes } from '../../support/wire.ts';

const clock = heldClock(Date.now());
const server = await startTestServer({
  clock,
  settings: { publicUrl: 'https://pets.example/a/', allowHosts: ['127.0.0.1'] },
});

/** A sandbox by its address. */
interface Addressed {
  readonly id: string;
  readonly client: Client;
  readonly path: string;
}

async function addressed(of = server): Promise<Addressed> {
  const client = await of.sandbox();
  const { id } = (await client.get('/_sandbox')).json;
  return { id, client, path: `/${id}` };
}

const reportOf = async ({ client }: Addressed, query = '') => (await client.get(`/_sandbox/report${query}`)).json;
const keyed = (key: string | undefined, path: string): TestRequest => ({
  path,
  headers: { Authorization: `Bearer ${key}` },
});

const raw = async (bytes: string) => (await exchangeBytes(server.url, bytes))[0];
const withKey = (key: string | undefined, path: string) => send(server.url, keyed(key, path));

/** Requests that do not open the sandbox of their address. */
const UNKEYED: Readonly<Record<string, (one: Addressed, other: Addressed) => Promise<Reply | undefined>>> = {
  'without a key': ({ path }) => send(server.url, { path: `${path}/v1/pets` }),
  'with an unknown key': ({ path }) => withKey('unheard-of', `${path}/v1/pets`),
  'with the key of another sandbox': ({ path }, { client }) => withKey(client.key, `${path}/v1/pets`),
  'with a revoked key': async ({ path, client }) => {
    const { id, key } = (await client.post('/_sandbox/keys', { shared: true })).json;
    await client.delete(`/_sandbox/keys/${id}`);
    return withKey(key, `${path}/v1/pets`);
  },
  'with an expired key': async ({ path, client }) => {
    const { key } = (await client.post('/_sandbox/keys', { shared: true, ttlSeconds: 60 })).json;
    clock.time += 60_000;
    return withKey(key, `${path}/v1/pets`);
  },
  'to no path of the API': ({ path }) => send(server.url, { path: `${path}/pets` }),
  'with the base path twice': ({ path, client }) => withKey(client.key, `${path}/v1/v1/pets`),
  'that is malformed': ({ path }) => raw(`GET ${path}/v1/pets HTTP/1.1\r\nConnection: close\r\n\r\n`),
  'that the parser rejects': ({ path }) => raw(`GET ${path}/v1/pets?name=a b HTTP/1.1\r\nHost: a\r\n\r\n`),
  'with a percent-encoded id': ({ path }) => send(server.url, { path: `${path.replace('sbx_', 's%62x%5F')}/v1/pets` }),
  'with a host in its target': ({ path }) => send(server.url, { path: `http://127.0.0.1${path}/v1/pets` }),
};

describe('what comes to the address of a sandbox', () => {
  it('is served there as at /v1, with its own pets', async () => {
    const { client, path } = await addressed();
    const created = await client.post(`${path}/v1/pets`, { name: 'Rex', categoryId: 1 });
    expect(created.status).toBe(201);
    const found = await client.get(`${path}/v1/pets/${created.json.id}?x=1`);
    expect([found.status, found.json]).toEqual([200, created.json]);
    expect((await client.get(`/v1/pets/${created.json.id}`)).json).toEqual(created.json);
    const { requests } = (await client.get(`${path}/_sandbox/requests`)).json;
    const id = path.slice(1);
    expect(requests.map((each: { address: string }) => each.address)).toEqual([null, id, id]);
    expect(requests[1].target).toBe(`/v1/pets/${created.json.id}?x=1`);
  });

  it.each(Object.entries(UNKEYED))('is its own finding, and no other one’s: %s', async (_, provoke) => {
    const [one, other] = [await addressed(), await addressed()];
    for (const { client, path } of [one, other]) expect((await client.get(`${path}/v1/pets`)).status).toBe(200);
    expect((await provoke(one, other))?.status).toBeGreaterThanOrEqual(400);
    const [found, untouched] = [await reportOf(one), await reportOf(other)];
    expect(found.verdict).not.toBe('pass');
    expect(untouched.verdict).toBe('pass');
    expect([found.account.total, untouched.account.total]).toEqual([2, 1]);
  });

  it('is rejected with the key of another sandbox, which the response says', async () => {
    const [one, other] = [await addressed(), await addressed()];
    for (const path of ['/v1/pets', '/_sandbox', '/_sandbox/report']) {
      const { status, json } = await send(server.url, keyed(other.client.key, one.path + path));
      expect([status, json.message]).toEqual([
        401,
        expect.stringContaining('key belongs to another sandbox than this address'),
      ]);
    }
  });

  it('is exported with that address, beside what came to /v1, and reported alike', async () => {
    const one = await addressed();
    await one.client.get(`${one.path}/v1/pets`);
    await one.client.get('/v1/pets?limit=1');
    const { text } = await one.client.get('/_sandbox/export?format=har');
    const urls = JSON.parse(text).log.entries.map(({ request }: { request: { url: string } }) => request.url);
    const base = 'https://pets.example/a';
    expect(urls).toEqual([`${base}${one.path}/v1/pets`, `${base}/v1/pets?limit=1`]);
    const ofHar = await harReport(Buffer.from(text));
    expect([ofHar.verdict, ofHar.account.total, ofHar.account.validated]).toEqual(['pass', 2, 2]);
    const script = (await one.client.get('/_sandbox/export?format=curl')).text;
    expect(script).toContain(`"\${SANDBOX_URL:=${base}${one.path}/v1}"`);
    expect(script).toMatch(/^# 2\. req_\w+: 200 OK, at \/v1$/m);
    const { requests } = (await one.client.get('/_sandbox/requests')).json;
    const made = await one.client.importRecording((await one.client.get('/_sandbox/export?format=recording')).text);
    const imported = (await server.client(made.json.key).get('/_sandbox/requests')).json.requests;
    expect(imported.map((each: { address: string }) => each.address)).toEqual(
      requests.map((each: { address: string }) => each.address),
    );
  });

  it('counts nothing where it is a page, a document or a control', async () => {
    const one = await addressed();
    const { text } = await send(server.url, { path: `${one.path}/_sandbox/openapi.yaml` });
    expect(text).toContain(`url: https://pets.example/a${one.path}/v1`);
    for (const path of ['/', '/docs/', '/llms.txt', '/favicon.ico', '/_sandbox/health', '/_sandbox/nothing'])
      for (const ask of [{ path: one.path + path }, keyed(one.client.key, one.path + path)])
        await send(server.url, ask);
    expect((await reportOf(one)).account.total).toBe(0);
  });

  it('names what replaces getPet from there', async () => {
    const { client, path } = await addressed();
    const { headers } = await client.get(`${path}/v1/pets/1`);
    const [, link = ''] = /^<([^>]*)>; rel="successor-version"$/.exec(String(headers['link'])) ?? [];
    expect(new URL(link, `https://pets.example/a${path}/v1/pets/1`).pathname).toBe(`/a${path}/v1/pets`);
  });
});

describe('an address of no sandbox', () => {
  it.each(['/v1/pets', '/v1/pets/1', '/pets', '/', '/docs/', '/_sandbox', '/_sandbox/health', '/_sandbox/report'])(
    'is a 404 and nobody’s: %s',
    async (path) => {
      const one = await addressed();
      await one.client.get('/v1/pets');
      for (const address of ['/sbx_nobody', '/sbx_', one.path.slice(0, -1), '/sbx_a%00b']) {
        for (const ask of [{ path: address + path }, keyed(one.client.key, address + path)]) {
          const { status, json } = await send(server.url, ask);
          expect([status, json.code]).toEqual([404, 'not_found']);
        }
      }
      const { verdict, account } = await reportOf(one);
      expect([verdict, account.total]).toEqual(['pass', 1]);
    },
  );

  it('is one whose sandbox was deleted', async () => {
    const { client, path } = await addressed();
    expect((await client.delete('/_sandbox')).status).toBe(204);
    const { status, json } = await client.get(`${path}/v1/pets`);
    expect([status, json.message]).toEqual([404, expect.stringContaining(`no sandbox has the address ${path}`)]);
  });
});

describe('at /v1, with several sandboxes in use', () => {
  let alone: Awaited<ReturnType<typeof startTestServer>>;
  beforeAll(async () => {
    alone = await startTestServer({ settings: { publicUrl: 'https://pets.example' } });
  });

  /** Requests that no key attributes. That no other verdict is green: test/traffic/conservation.test.ts. */
  const NOBODYS: Readonly<Record<string, () => Promise<unknown>>> = {
    'without a key': () => send(alone.url, { path: '/v1/pets' }),
    'with an unknown key': () => send(alone.url, keyed('unheard-of', '/v1/pets')),
    'outside the base path': () => send(alone.url, { path: '/pets' }),
    malformed: () => exchangeBytes(alone.url, 'GET /v1/pets HTTP/1.1\r\nConnection: close\r\n\r\n'),
  };

  it.each(Object.entries(NOBODYS))(
    'a request %s makes each sandbox incomplete that was used there, and no other',
    async (_, provoke) => {
      const [one, two] = [await addressed(alone), await addressed(alone)];
      const [three, four] = [await addressed(alone), await addressed(alone)];
      for (const { client } of [one, two]) await client.get('/v1/pets');
      await three.client.get(`${three.path}/v1/pets`);
      await provoke();
      for (const { client, path } of [one, two]) {
        for (const query of ['', '?unmatched=true']) {
          const { verdict, reasons, counts } = (await client.get(`/_sandbox/report${query}`)).json;
          expect([verdict, counts.unmatched]).toEqual(['incomplete', 0]);
          expect(reasons.join()).toContain(`${path}/v1`);
        }
      }
      expect((await reportOf(three, '?unmatched=true')).verdict).toBe('pass');
      expect((await reportOf(four)).account.total).toBe(0);
      // A log that was cleared afterward starts again.
      await one.client.delete('/_sandbox/requests');
      await one.client.get('/v1/pets');
      expect((await reportOf(one)).verdict).toBe('pass');
    },
  );

  it('a request that declares to be invalid, and a preflight, touch nobody', async () => {
    const [one, two] = [await addressed(alone), await addressed(alone)];
    for (const { client } of [one, two]) await client.get('/v1/pets');
    await send(alone.url, { path: '/v1/pets', headers: { 'Sandbox-Expect': 'invalid' } });
    await send(alone.url, { method: 'OPTIONS', path: '/v1/pets' });
    await send(alone.url, { path: '/wp-login.php' });
    expect((await reportOf(one)).verdict).toBe('pass');
  });
});
