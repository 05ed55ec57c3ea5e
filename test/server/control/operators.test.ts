import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Client } from '../../support/client.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const server = await startTestServer({ settings: { keys: ['a-fixed-key-of-mine'] } });
const admin = server.client(server.adminToken);

/** The value of each metric, by its name with its labels, without what all names begin with. */
async function metricsOf(of: TestServer): Promise<Record<string, number>> {
  const reply = await of.client(of.adminToken).get('/_sandbox/metrics');
  expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  const lines = reply.text.matchAll(/^(?:petstore_sandbox_)?([^#].*) (\S+)$/gm);
  return Object.fromEntries(Array.from(lines, ([, name, value]) => [name, Number(value)]));
}

describe('the list of all sandboxes', () => {
  it('shows every sandbox as it shows itself, page by page, also when one is gone in between', async () => {
    const clients = [];
    for (let i = 0; i < 24; i++) clients.push(await server.sandbox({ label: `number ${i}`, fixture: 'empty' }));
    const seen: { id: string; label: string | null; preconfigured: boolean }[] = [];
    const pages: number[] = [];
    for (let next = ''; next !== null; ) {
      const page = await admin.get(`/_sandbox/sandboxes?limit=10${next && `&after=${next}`}`);
      expect([page.status, page.json.total]).toEqual([200, 25]);
      seen.push(...page.json.sandboxes);
      pages.push(page.json.sandboxes.length);
      ({ next } = page.json);
    }
    expect([pages, new Set(seen.map(({ id }) => id)).size]).toEqual([[10, 10, 5], 25]);
    expect(seen.filter(({ preconfigured }) => preconfigured)).toHaveLength(1);
    const first = (await clients[7]?.get('/_sandbox'))?.json;
    expect(seen.find(({ id }) => id === first.id)).toMatchObject({ ...first, lastUsedAt: expect.any(String) });
    const last = seen[21]?.id;
    await admin.delete(`/_sandbox?sandbox=${last}`);
    const { sandboxes, next } = (await admin.get(`/_sandbox/sandboxes?limit=3&after=${last}`)).json;
    expect([sandboxes, next]).toEqual([[22, 23, 24].map((at) => expect.objectContaining({ id: seen[at]?.id })), null]);
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'after=x', 'limit='])
      expect((await admin.get(`/_sandbox/sandboxes?${query}`)).json).toMatchObject({ code: 'invalid_request' });
  });
});

// Each server counts its own requests.
describe('metrics', () => {
  let own: TestServer;
  beforeAll(async () => {
    own = await startTestServer();
  });

  it('count requests by operation and status, durations, faults and violations, of one server alone', async () => {
    const client = await own.sandbox();
    for (let i = 0; i < 3; i++) await client.get('/v1/pets');
    for (const path of ['/v1/pets?limit=0', '/v1/pets/404', '/v1/nowhere']) await client.get(path);
    await client.get('/v1/pets/1', { 'Sandbox-Fault': 'delay=30' });
    await client.post('/v1/pets', { name: 'Ada' });
    await client.get('/v1/pets', { Prefer: 'code=503' });
    await own.validator.whenValidated();
    const metrics = await metricsOf(own);
    const lists = 'requests_total{specification="petstore",operation="listPets",status="200"}';
    expect(metrics).toMatchObject({
      [lists]: 3,
      'requests_total{specification="petstore",operation="listPets",status="400"}': 1,
      'requests_total{specification="petstore",operation="listPets",status="503"}': 1,
      'requests_total{specification="petstore",operation="getPet",status="404"}': 1,
      'requests_total{specification="petstore",operation="getPet",status="200"}': 1,
      'requests_total{specification="petstore",operation="createPet",status="400"}': 1,
      'requests_total{specification="none",operation="none",status="404"}': 1,
      'injected_faults_total{operation="listPets"}': 1,
      'violations_total{operation="listPets",side="request"}': 1,
      'violations_total{operation="createPet",side="request"}': 1,
      'violations_total{operation="createPet",side="response"}': 0,
    });
    expect(metrics['request_duration_seconds_total{operation="getPet"}']).toBeGreaterThan(0.029);
    expect((await metricsOf(server))[lists]).toBeUndefined();
    await client.get('/v1/pets');
    expect((await metricsOf(own))[lists]).toBe(4);
    await client.delete('/_sandbox');
  });

  it('count sandboxes, keys, writes, the validator and the process', async () => {
    const client = await own.sandbox();
    await client.post('/_sandbox/keys', { shared: true });
    await client.post('/v1/pets', { name: 'Ada', categoryId: 1 });
    await own.validator.whenValidated();
    const { bytes, writes } = own.store.figures;
    const store = { store_bytes: bytes, store_writes_total: writes, store_write_failures_total: 0 };
    const validator = { validated_total: own.validator.tallies.validated, validation_failures_total: 0 };
    const info = 'info{version="0.1.0",store="memory"}';
    const metrics = await metricsOf(own);
    expect(metrics).toMatchObject({ sandboxes: 1, keys: 2, ...store, ...validator, [info]: 1 });
    expect(metrics['process_resident_memory_bytes']).toBeGreaterThan(1e7);
    expect(metrics['process_cpu_seconds_total']).toBeGreaterThan(0);
    expect(Math.abs((metrics['process_start_time_seconds'] ?? 0) - Date.now() / 1000)).toBeLessThan(60);
    await client.delete('/_sandbox');
    expect((await metricsOf(own))['sandboxes']).toBe(0);
  });
});

it('what is loaded when first needed is there in the built library too: durations, made-up pets', async () => {
  const built = new URL('../../../dist/index.js', import.meta.url).href;
  const { startSandbox }: typeof import('../../../src/index.ts') = await import(built);
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const client = new Client(sandbox.url.replace(/\/v1$/, ''), sandbox.key);
  expect((await client.post('/_sandbox/clock/advance', { duration: 'P1M' })).status).toBe(200);
  expect((await client.post('/_sandbox/pets', { count: 3 })).status).toBe(201);
});

it.each(['/_sandbox/sandboxes', '/_sandbox/metrics'])('GET %s needs the admin token', async (path) => {
  expect((await (await server.sandbox()).get(path)).json).toMatchObject({ status: 403, code: 'forbidden' });
  expect((await server.client(`${server.adminToken}x`).get(path)).status).toBe(401);
  expect((await admin.get(path)).status).toBe(200);
});
