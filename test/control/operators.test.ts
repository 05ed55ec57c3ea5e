import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { areTwo, startTestServer, type TestServer } from '../support/server.ts';

const server = await startTestServer({ settings: { keys: ['a-fixed-key-of-mine'] } });
const admin = server.client(server.adminToken);

/** The value of each metric, by its name with its labels. */
async function metricsOf(of: TestServer): Promise<Map<string, number>> {
  const reply = await of.client(of.adminToken).get('/_sandbox/metrics');
  expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
  const lines = reply.text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}

describe('the list of all sandboxes', () => {
  it('shows every sandbox as it shows itself, page by page, also when one is gone in between', async () => {
    const clients = [];
    for (let i = 0; i < 24; i++) clients.push(await server.sandbox({ label: `number ${i}`, fixture: 'empty' }));
    const seen: { id: string; label: string | null; preconfigured: boolean }[] = [];
    let after = '';
    for (let pages = 1; ; pages++) {
      const page = await admin.get(`/_sandbox/sandboxes?limit=10${after}`);
      expect([page.status, page.json.total]).toEqual([200, 25]);
      seen.push(...page.json.sandboxes);
      if (page.json.next === null) {
        expect(pages).toBe(3);
        break;
      }
      expect(page.json.sandboxes).toHaveLength(10);
      after = `&after=${page.json.next}`;
    }
    expect([seen.length, new Set(seen.map(({ id }) => id)).size]).toEqual([25, 25]);
    expect(seen.filter(({ preconfigured }) => preconfigured)).toHaveLength(1);
    const first = (await clients[7]?.get('/_sandbox'))?.json;
    expect(seen.find(({ id }) => id === first.id)).toMatchObject({ ...first, lastUsedAt: expect.any(String) });
    const last = seen[21]?.id;
    await admin.delete(`/_sandbox?sandbox=${last}`);
    const { sandboxes, next } = (await admin.get(`/_sandbox/sandboxes?limit=3&after=${last}`)).json;
    expect([sandboxes, next]).toEqual([[22, 23, 24].map((at) => expect.objectContaining({ id: seen[at]?.id })), null]);
  });

  it.each(['limit=0', 'limit=1001', 'limit=x', 'after=x', 'limit='])('rejects %s', async (query) => {
    const rejected = await admin.get(`/_sandbox/sandboxes?${query}`);
    expect([rejected.status, rejected.json.code]).toEqual([400, 'invalid_request']);
  });
});

// Each server counts its own requests.
describe.skipIf(areTwo)('metrics', () => {
  let own: TestServer;
  beforeAll(async () => {
    own = await startTestServer();
  });

  it('count requests by operation and status, durations, faults and violations, of one server alone', async () => {
    const client = await own.sandbox();
    for (let i = 0; i < 3; i++) await client.get('/v1/pets');
    await client.get('/v1/pets?limit=0');
    await client.get('/v1/pets/404');
    await client.get('/v1/pets/1', { 'Sandbox-Fault': 'delay=30' });
    await client.post('/v1/pets', { name: 'Ada' });
    await client.get('/v1/pets', { Prefer: 'code=503' });
    await client.get('/v1/nowhere');
    await own.validator.settled();
    const metrics = await metricsOf(own);
    const requests = (operation: string, status: number, specification = 'petstore') =>
      metrics.get(
        `petstore_sandbox_requests_total{specification="${specification}",operation="${operation}",status="${status}"}`,
      );
    expect([requests('listPets', 200), requests('listPets', 400), requests('listPets', 503)]).toEqual([3, 1, 1]);
    expect([requests('getPet', 404), requests('getPet', 200), requests('createPet', 400)]).toEqual([1, 1, 1]);
    expect(requests('none', 404, 'none')).toBe(1);
    expect(metrics.get('petstore_sandbox_injected_faults_total{operation="listPets"}')).toBe(1);
    expect(metrics.get('petstore_sandbox_violations_total{operation="listPets",side="request"}')).toBe(1);
    expect(metrics.get('petstore_sandbox_violations_total{operation="createPet",side="request"}')).toBe(1);
    expect(metrics.get('petstore_sandbox_violations_total{operation="createPet",side="response"}')).toBe(0);
    const duration = 'petstore_sandbox_request_duration_seconds';
    expect(metrics.get(`${duration}_count{operation="getPet"}`)).toBe(2);
    expect(metrics.get(`${duration}_sum{operation="getPet"}`)).toBeGreaterThan(0.029);
    // Not the delayed one; a busy machine may make the other late as well.
    expect(metrics.get(`${duration}_bucket{operation="getPet",le="0.025"}`)).toBeLessThanOrEqual(1);
    expect(metrics.get(`${duration}_bucket{operation="getPet",le="60"}`)).toBe(2);
    expect(metrics.get(`${duration}_bucket{operation="getPet",le="+Inf"}`)).toBe(2);
    const lists = 'petstore_sandbox_requests_total{specification="petstore",operation="listPets",status="200"}';
    expect((await metricsOf(server)).get(lists)).toBeUndefined();
    await client.get('/v1/pets');
    expect((await metricsOf(own)).get(lists)).toBe(4);
    await client.delete('/_sandbox');
  });

  it('count sandboxes, keys, writes, the validator and the process', async () => {
    const client = await own.sandbox();
    await client.post('/_sandbox/keys', { shared: true });
    await client.post('/v1/pets', { name: 'Ada', categoryId: 1 });
    await own.validator.settled();
    const { validated } = own.validator.tallies;
    const metrics = await metricsOf(own);
    expect(metrics.get('petstore_sandbox_sandboxes')).toBe(1);
    expect(metrics.get('petstore_sandbox_keys')).toBe(2);
    expect(metrics.get('petstore_sandbox_store_bytes')).toBe(own.store.figures.bytes);
    expect(metrics.get('petstore_sandbox_store_writes_total')).toBe(own.store.figures.writes);
    expect(metrics.get('petstore_sandbox_store_write_failures_total')).toBe(0);
    expect(metrics.get('petstore_sandbox_validated_total')).toBe(validated);
    expect(metrics.get('petstore_sandbox_validation_failures_total')).toBe(0);
    expect(metrics.get('process_resident_memory_bytes')).toBeGreaterThan(1e7);
    expect(metrics.get('process_cpu_seconds_total')).toBeGreaterThan(0);
    expect(Math.abs((metrics.get('process_start_time_seconds') ?? 0) - Date.now() / 1000)).toBeLessThan(60);
    expect(metrics.get('petstore_sandbox_info{version="0.1.0",store="memory"}')).toBe(1);
    await client.delete('/_sandbox');
    expect((await metricsOf(own)).get('petstore_sandbox_sandboxes')).toBe(0);
  });
});

it('what is loaded when first needed is there in the built library too: metrics, durations, made-up pets', async () => {
  const built = new URL('../../dist/index.js', import.meta.url).href;
  const { startSandbox }: typeof import('../../src/index.ts') = await import(built);
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const base = sandbox.url.replace(/\/v1$/, '');
  const request = async (path: string, key: string, body?: object) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const method = body ? 'POST' : 'GET';
    return (await fetch(base + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })).status;
  };
  expect(await request('/_sandbox/metrics', sandbox.adminToken)).toBe(200);
  expect(await request('/_sandbox/clock/advance', sandbox.key, { duration: 'P1M' })).toBe(200);
  expect(await request('/_sandbox/pets', sandbox.key, { count: 3 })).toBe(201);
});

describe('what only operators may', () => {
  it.each(['/_sandbox/sandboxes', '/_sandbox/metrics'])('GET %s needs the admin token', async (path) => {
    expect((await server.client().get(path)).status).toBe(401);
    const rejected = await (await server.sandbox()).get(path);
    expect([rejected.status, rejected.json.code]).toEqual([403, 'forbidden']);
    expect((await server.client(`${server.adminToken}x`).get(path)).status).toBe(401);
    expect((await admin.get(path)).status).toBe(200);
  });
});
