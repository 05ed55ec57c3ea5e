import { describe, expect, it } from 'vitest';
import type { Client } from '../../support/client.ts';
import { sharedServer, startTestServer } from '../../support/server.ts';
import { limit } from '../../support/slow.ts';
import { dial, headOf, postOf } from '../../support/wire.ts';

const server = await sharedServer();

const NEW_PET = { name: 'Ada', categoryId: 1 };
const listUnder = (client: Client, fault: string) => client.get('/v1/pets', { 'Sandbox-Fault': fault });
const postUnder = (client: Client, fault: string, body: unknown = NEW_PET) =>
  client.post('/v1/pets', body, { 'Sandbox-Fault': fault });
const petsOf = async (client: Client): Promise<number> => (await client.get('/_sandbox')).json.pets.added;

/** What comes back over a socket of its own, in parts, and how it ends: an error's code, or an orderly end. */
async function bytesOf(client: Client, fault: string, method = 'GET', ...more: string[]) {
  const socket = await dial(client.url);
  const parts: string[] = [];
  let end = 'ended';
  socket.setEncoding('utf8').on('data', (part: string) => parts.push(part));
  socket.on('error', (error: NodeJS.ErrnoException) => {
    end = error.code ?? 'error';
  });
  const headers = [`Sandbox-Fault: ${fault}`, ...more];
  socket.write(
    method === 'POST'
      ? postOf(client, JSON.stringify(NEW_PET), ...headers)
      : headOf(client, `${method} /v1/pets`, ...headers),
  );
  await new Promise((resolve) => socket.once('close', resolve));
  return { parts, text: parts.join(''), end };
}

describe('an injected status', () => {
  it.each([
    ['status=503; retryAfter=2', '/v1/pets', { 'retry-after': '2', 'access-control-allow-origin': '*' }],
    ['status=401', '/v1/pets', { 'www-authenticate': 'Bearer error="invalid_token"' }],
    ['status=405', '/v1/pets', { allow: 'GET, HEAD, POST, OPTIONS' }],
    ['status=405', '/v1/pets/1', { allow: 'GET, HEAD, OPTIONS', sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' }],
    ['status=407', '/v1/pets', { 'proxy-authenticate': 'Bearer' }],
    ['status=426', '/v1/pets', { upgrade: 'TLS/1.2' }],
  ])('by %s of %s comes with what belongs to it', async (fault, path, headers) => {
    const reply = await (await server.sandbox()).get(path, { 'Sandbox-Fault': fault });
    expect(reply).toMatchObject({ status: Number(fault.slice(7, 10)), headers });
  });

  it('can be every one from 400 to 599, and is nobody’s violation', async () => {
    const client = await server.sandbox();
    for (let status = 400; status <= 599; status++) {
      const message = expect.stringContaining(String(status));
      const { json } = await listUnder(client, `status=${status}`);
      expect(json).toEqual({ code: 'injected_fault', message, status });
    }
  });

  it('before the operation keeps it from happening; after it, it has happened', async () => {
    const client = await server.sandbox();
    expect((await postUnder(client, 'status=503')).status).toBe(503);
    expect((await postUnder(client, 'status=503; when=before')).status).toBe(503);
    expect(await petsOf(client)).toBe(0);
    expect((await postUnder(client, 'status=503; when=after')).json.code).toBe('injected_fault');
    expect(await petsOf(client)).toBe(1);
  });

  it('stands before the request is parsed, and after the operation is lost whatever it was', async () => {
    const client = await server.sandbox();
    for (const fault of ['status=500', 'status=500; when=after']) {
      expect((await client.get('/v1/pets?limit=0', { 'Sandbox-Fault': fault })).status).toBe(500);
      expect((await postUnder(client, fault, { wrong: true })).status).toBe(500);
    }
    expect((await client.get('/v1/pets?limit=0', { 'Sandbox-Fault': 'delay=1' })).status).toBe(400);
  });

  it('comes after the key and after the removal', async () => {
    const client = await server.sandbox();
    const headers = { 'Sandbox-Fault': 'status=503' };
    expect((await server.client().get('/v1/pets', headers)).status).toBe(401);
    await client.post('/_sandbox/clock/advance', { duration: 'P10Y' });
    expect((await client.get('/v1/pets/1', headers)).status).toBe(410);
    expect((await client.get('/v1/pets', headers)).status).toBe(503);
  });

  it('leaves the connection fit for the next request, whatever body was sent', async () => {
    const client = await server.sandbox();
    for (const body of [NEW_PET, 'no JSON', 'x'.repeat(100_000)]) {
      expect((await postUnder(client, 'status=502', body)).status).toBe(502);
      expect((await client.get('/v1/pets')).status).toBe(200);
    }
  });

  it('answers HEAD with a head only', async () => {
    const headers = { 'Sandbox-Fault': 'status=503' };
    const reply = await (await server.sandbox()).send({ method: 'HEAD', path: '/v1/pets', headers });
    expect([reply.status, reply.text]).toEqual([503, '']);
  });
});

it.each([
  [503, 'code=503', 'Code = "503"', 'respond-async, code=503; foo=bar, wait=10', 'code=503, code=500'],
  [200, 'return=minimal', 'code=200', 'code=999', 'code=soon', 'barcode=503', ''],
] as const)('Prefer leads to %i: %s, %s, %s, …', async (status, ...preferences) => {
  const client = await server.sandbox();
  for (const Prefer of preferences)
    expect([Prefer, (await client.get('/v1/pets', { Prefer })).status]).toEqual([Prefer, status]);
});

describe('Sandbox-Fault', () => {
  it('beats Prefer and the rules, and spends none of them', async () => {
    const client = await server.sandbox();
    await client.post('/_sandbox/faults', { status: 500, times: 1 });
    const statuses: number[] = [];
    const both = { 'Sandbox-Fault': 'status=502', Prefer: 'code=504' };
    for (const headers of [both, { Prefer: 'code=504' }, { Prefer: 'wait=5' }, {}])
      statuses.push((await client.get('/v1/pets', headers)).status);
    expect(statuses).toEqual([502, 504, 500, 200]);
  });

  it.each([
    ['status=200', 'status is at least 400; 200 was sent'],
    ['status=', 'status is an integer from 400 to 599; "" was sent'],
    ['status=503; color=red', '"color" is unknown; the parts are status, '],
    ['status=503; status=503', 'status is given twice'],
    ['', 'needs at least one of `status`, `delay`, `bytesPerSecond`, `connection`, `vary`, `corrupt`'],
    ['delay=5; retryAfter=2', 'status is required together with `retryAfter`'],
    ['vary=field,color', 'vary/1 is one of field, order, space, status, code; "color" was sent'],
    ['status=503; connection=reset', 'must not have `status` together with a `connection` that is reset or empty'],
  ])('of %j is rejected, naming the part', async (header, message) => {
    const client = await server.sandbox();
    const { json } = await postUnder(client, header);
    expect(json).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(json.message).toContain('header/sandbox-fault: ');
    expect(json.message).toContain(message);
    expect(await petsOf(client)).toBe(0);
  });

  it('with thousands of unknown parts is rejected with the first few of them', async () => {
    const { json } = await listUnder(await server.sandbox(), 'a;'.repeat(5_000));
    expect([json.status, json.message.match(/is unknown/g)]).toEqual([400, Array(5).fill('is unknown')]);
  });

  it('does not mind case, white space and a last semicolon', async () => {
    const reply = await listUnder(await server.sandbox(), ' Status = 503 ;RETRYAFTER=1;');
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '1']);
  });
});

describe('a delay', () => {
  it('keeps the response back, and only that', async () => {
    const client = await server.sandbox();
    const start = performance.now();
    expect((await listUnder(client, 'delay=150')).json).toHaveLength(12);
    expect(performance.now() - start).toBeGreaterThan(140);
    expect((await postUnder(client, 'delay=20; when=after')).status).toBe(201);
  });

  it('costs no thread: three hundred wait together', async () => {
    const { key, url } = await server.sandbox();
    const headers = { Authorization: `Bearer ${key}`, 'Sandbox-Fault': 'delay=300' };
    const start = performance.now();
    const replies = await Promise.all(Array.from({ length: 300 }, () => fetch(`${url}/v1/pets`, { headers })));
    expect(replies.every(({ status }) => status === 200)).toBe(true);
    expect(performance.now() - start).toBeLessThan(limit(5000));
    await Promise.all(replies.map((each) => each.arrayBuffer()));
  });
});

describe('a connection', () => {
  it.each([
    ['reset', 'ECONNRESET'],
    ['empty', 'ended'],
  ])('is %s in place of a response, before the operation or after it', async (how, end) => {
    const client = await server.sandbox();
    expect(await bytesOf(client, `connection=${how}`, 'POST')).toMatchObject({ text: '', end });
    expect(await petsOf(client)).toBe(0);
    expect(await bytesOf(client, `connection=${how}; when=after`, 'POST')).toMatchObject({ text: '', end });
    expect(await petsOf(client)).toBe(1);
  });

  it('breaks off in the middle of a truncated answer, whose head names the whole length', async () => {
    const client = await server.sandbox();
    const whole = Buffer.from((await client.get('/v1/pets')).text);
    const { text, end } = await bytesOf(client, 'connection=truncate');
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(head).toContain(`Content-Length: ${whole.length}`);
    expect([body, end]).toEqual([whole.subarray(0, whole.length >> 1).toString(), 'ended']);
    await expect(listUnder(client, 'connection=truncate')).rejects.toThrow();
  });

  it.each([
    ['connection=truncate; status=500', /^HTTP\/1\.1 500 [\s\S]*\r\n\r\n\{"code":"injected_fault"[^}]*$/, 0],
    ['connection=truncate; when=before', /^HTTP\/1\.1 503 [\s\S]*\r\n\r\n\{"code":"injected_fault"[^}]*$/, 0],
    ['connection=truncate', /^HTTP\/1\.1 201 [\s\S]*\r\n\r\n\{"id":13,[^}]*$/, 1],
  ])('breaks off the Error body, or what a create answers: %s', async (fault, text, created) => {
    const client = await server.sandbox();
    expect((await bytesOf(client, fault, 'POST')).text).toMatch(text);
    expect(await petsOf(client)).toBe(created);
  });
});

describe('the request log', () => {
  const lastOf = async (client: Client) => {
    const { requests } = (await client.get('/_sandbox/requests?limit=1')).json;
    return (await client.get(`/_sandbox/requests/${requests[0].id}`)).json;
  };

  it('marks an injected response, and keeps what was sent; what the client did wrong stays its own', async () => {
    const client = await server.sandbox();
    await postUnder(client, 'status=503; retryAfter=2; delay=1; when=after', { name: 'Ada' });
    expect(await lastOf(client)).toMatchObject({
      status: 503,
      injectedFault: { status: 503, retryAfter: 2, delayMs: 1, when: 'after' },
      violations: [{ side: 'request' }],
    });
    await postUnder(client, 'status=500');
    expect(await lastOf(client)).toMatchObject({
      ...{ status: 500, injectedFault: { status: 500 }, validated: true, violations: [] },
      request: { body: JSON.stringify(NEW_PET), unread: false },
    });
    await listUnder(client, 'delay=1');
    expect(await lastOf(client)).toMatchObject({ status: 200, injectedFault: null, violations: [] });
  });

  it('has what went out when the connection broke', async () => {
    const client = await server.sandbox();
    const { text } = await bytesOf(client, 'connection=truncate');
    expect(await lastOf(client)).toMatchObject({
      ...{ status: 200, injectedFault: { connection: 'truncate', when: 'after' }, violations: [] },
      response: { body: text.split('\r\n\r\n')[1] },
    });
    await bytesOf(client, 'connection=reset');
    expect(await lastOf(client)).toMatchObject({ status: 0, injectedFault: { connection: 'reset' }, violations: [] });
  });
});

it('a slow body arrives whole, in parts, and is no injected response', async () => {
  const client = await server.sandbox();
  const whole = (await client.get('/v1/pets')).text;
  const { parts, text } = await bytesOf(client, 'bytesPerSecond=2000', 'GET', 'Connection: close');
  expect(parts.length).toBeGreaterThan(2);
  expect(text).toContain(`\r\n\r\n${whole}`);
  const [latest] = (await client.get('/_sandbox/requests')).json.requests;
  expect(latest).toMatchObject({ status: 200, injectedFault: null, violations: [] });
  expect((await listUnder(client, 'status=503; bytesPerSecond=1000')).json.code).toBe('injected_fault');
});

// It looks at the sandbox in the process that answers.
it('a delay is cut short and a slow body sent to its end at once when the server stops', async () => {
  const own = await startTestServer();
  await own.validator.ready;
  const client = await own.sandbox();
  const [sandbox] = own.sandboxes.all();
  const before = sandbox?.lastUsedAt;
  const ask = (fault: string) => client.get('/v1/pets', { 'Sandbox-Fault': fault, Connection: 'close' });
  const slow = ask('bytesPerSecond=10');
  await expect.poll(async () => (await client.get('/_sandbox/requests')).json.total).toBe(1);
  const delayed = ask('delay=60000');
  await expect.poll(() => sandbox?.lastUsedAt).not.toBe(before);
  await own.close();
  // At the end of the grace period, connections that still wait are closed.
  for (const { status, json } of [await slow, await delayed])
    expect([status, json]).toEqual([200, Array(12).fill(expect.anything())]);
});
