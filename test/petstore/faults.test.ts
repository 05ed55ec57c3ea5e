import { describe, expect, it } from 'vitest';
import type { Client, Reply } from '../support/client.ts';
import { areTwo, sharedServer, startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { dial, headOf, postOf } from '../support/wire.ts';

const server = await sharedServer();

const NEW_PET = { name: 'Ada', categoryId: 1 };
const listWith = (client: Client, headers: Record<string, string>): Promise<Reply> => client.get('/v1/pets', headers);
const petsOf = async (client: Client): Promise<number> => (await client.get('/_sandbox')).json.pets.added;

/** What comes back over a socket of its own, and how it ends: an error's code, or an orderly end. */
async function bytesOf(client: Client, fault: string, method = 'GET'): Promise<{ text: string; end: string }> {
  const socket = await dial(client.url);
  const parts: Buffer[] = [];
  let end = 'ended';
  socket.on('data', (part: Buffer) => parts.push(part));
  socket.on('error', (error: NodeJS.ErrnoException) => {
    end = error.code ?? 'error';
  });
  const header = `Sandbox-Fault: ${fault}`;
  socket.write(
    method === 'POST' ? postOf(client, JSON.stringify(NEW_PET), header) : headOf(client, `${method} /v1/pets`, header),
  );
  await new Promise((resolve) => socket.once('close', resolve));
  return { text: Buffer.concat(parts).toString(), end };
}

describe('an injected status', () => {
  it('comes with the Error body, what belongs to it, and the headers of every response', async () => {
    const client = await server.sandbox();
    const reply = await listWith(client, { 'Sandbox-Fault': 'status=503; retryAfter=2' });
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '2']);
    expect(reply.json).toEqual({ code: 'injected_fault', message: expect.stringContaining('503'), status: 503 });
    expect(reply.headers['access-control-allow-origin']).toBe('*');
    const unauthorized = await listWith(client, { 'Sandbox-Fault': 'status=401' });
    expect(unauthorized.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
    expect((await listWith(client, { 'Sandbox-Fault': 'status=405' })).headers['allow']).toBe(
      'GET, HEAD, POST, OPTIONS',
    );
    const onePet = await client.get('/v1/pets/1', { 'Sandbox-Fault': 'status=405' });
    expect(onePet.headers['allow']).toBe('GET, HEAD, OPTIONS');
    expect(onePet.headers['sunset']).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
    expect((await listWith(client, { 'Sandbox-Fault': 'status=407' })).headers['proxy-authenticate']).toBe('Bearer');
    expect((await listWith(client, { 'Sandbox-Fault': 'status=426' })).headers['upgrade']).toBe('TLS/1.2');
  });

  it('can be every one from 400 to 599, and is nobody’s violation', async () => {
    const client = await server.sandbox();
    for (let status = 400; status <= 599; status++) {
      const reply = await listWith(client, { 'Sandbox-Fault': `status=${status}` });
      expect([reply.status, reply.json.status, reply.json.code]).toEqual([status, status, 'injected_fault']);
    }
  });

  it('before the operation keeps it from happening; after it, it has happened', async () => {
    const client = await server.sandbox();
    const post = (fault: string) => client.post('/v1/pets', NEW_PET, { 'Sandbox-Fault': fault });
    expect((await post('status=503')).status).toBe(503);
    expect((await post('status=503; when=before')).status).toBe(503);
    expect(await petsOf(client)).toBe(0);
    expect((await post('status=503; when=after')).json.code).toBe('injected_fault');
    expect(await petsOf(client)).toBe(1);
  });

  it('stands before the request is parsed, and after the operation is lost whatever it was', async () => {
    const client = await server.sandbox();
    for (const fault of ['status=500', 'status=500; when=after']) {
      expect((await client.get('/v1/pets?limit=0', { 'Sandbox-Fault': fault })).status).toBe(500);
      expect((await client.post('/v1/pets', { wrong: true }, { 'Sandbox-Fault': fault })).status).toBe(500);
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
      expect((await client.post('/v1/pets', body, { 'Sandbox-Fault': 'status=502' })).status).toBe(502);
      expect((await client.get('/v1/pets')).status).toBe(200);
    }
  });

  it('answers HEAD with a head only', async () => {
    const client = await server.sandbox();
    const reply = await client.send({ method: 'HEAD', path: '/v1/pets', headers: { 'Sandbox-Fault': 'status=503' } });
    expect([reply.status, reply.text]).toEqual([503, '']);
  });
});

describe('Prefer', () => {
  it.each(['code=503', 'Code = "503"', 'respond-async, code=503; foo=bar, wait=10', 'code=503, code=500'])(
    'with %s asks for that status',
    async (prefer) => {
      const reply = await listWith(await server.sandbox(), { Prefer: prefer });
      expect([reply.status, reply.json.code]).toEqual([503, 'injected_fault']);
    },
  );

  it.each(['return=minimal', 'code=200', 'code=999', 'code=soon', 'dynamic=true', 'barcode=503', ''])(
    'with %s is ignored',
    async (prefer) => {
      expect((await listWith(await server.sandbox(), { Prefer: prefer })).status).toBe(200);
    },
  );
});

describe('Sandbox-Fault', () => {
  it('beats Prefer and the rules, and spends none of them', async () => {
    const client = await server.sandbox();
    await client.post('/_sandbox/faults', { status: 500, times: 1 });
    expect((await listWith(client, { 'Sandbox-Fault': 'status=502', Prefer: 'code=504' })).status).toBe(502);
    expect((await listWith(client, { Prefer: 'code=504' })).status).toBe(504);
    expect((await listWith(client, { Prefer: 'wait=5' })).status).toBe(500);
    expect((await listWith(client, {})).status).toBe(200);
  });

  it.each([
    ['status=200', 'status must be an integer from 400 to 599; got "200"'],
    ['status=', 'status must be an integer from 400 to 599; got ""'],
    ['status', 'status must be an integer'],
    ['status=5e2', 'status must be an integer'],
    ['delay=60001', 'delay must be an integer from 0 to 60000; got "60001"'],
    ['connection=drop', 'connection must be one of reset, empty, truncate; got "drop"'],
    ['status=503; when=never', 'when must be one of before, after; got "never"'],
    ['status=503; color=red', '"color" is unknown; the parts are status, '],
    ['status=503; __proto__=1', '"__proto__" is unknown'],
    ['status=503; status=503', 'status is given twice'],
    ['status=503, status=500', 'status must be an integer'],
    ['when=after', 'must have at least one of status, delay, bytesPerSecond, connection'],
    ['', 'must have at least one of status, delay, bytesPerSecond, connection, vary, corrupt'],
    ['delay=5; retryAfter=2', 'status is required together with retryAfter'],
    ['status=503; retryAfterAs=date', 'retryAfter is required together with retryAfterAs'],
    ['vary=', 'vary must be some of field,order,space,status,code; got ""'],
    ['vary=field,color', 'vary must be some of field,order,space,status,code; got "field,color"'],
    ['vary=field,field', 'vary must be some of'],
    ['vary=field; connection=empty', 'must not have vary together with a connection that is reset or empty'],
    ['limit=10/60', '"limit" is unknown; the parts are'],
    ['status=503; connection=reset', 'must not have status together with a connection that is reset or empty'],
  ])('of %j is rejected, naming the part', async (header, message) => {
    const client = await server.sandbox();
    const reply = await client.post('/v1/pets', NEW_PET, { 'Sandbox-Fault': header });
    expect([reply.status, reply.json.code]).toEqual([400, 'invalid_request']);
    expect(reply.json.message).toContain('header/sandbox-fault: ');
    expect(reply.json.message).toContain(message);
    expect(await petsOf(client)).toBe(0);
  });

  it('does not mind case, white space and a last semicolon', async () => {
    const reply = await listWith(await server.sandbox(), { 'Sandbox-Fault': ' Status = 503 ;RETRYAFTER=1;' });
    expect([reply.status, reply.headers['retry-after']]).toEqual([503, '1']);
  });
});

describe('Sandbox-Fault with thousands of unknown parts', () => {
  it('is rejected with the first few of them', async () => {
    const client = await server.sandbox();
    const reply = await client.get('/v1/pets', { 'Sandbox-Fault': 'a;'.repeat(5_000) });
    expect(reply.status).toBe(400);
    expect(reply.json.message.match(/is unknown/g)).toHaveLength(5);
  });
});

describe('a delay', () => {
  it('keeps the response back, and only that', async () => {
    const client = await server.sandbox();
    const start = performance.now();
    const reply = await listWith(client, { 'Sandbox-Fault': 'delay=150' });
    expect([reply.status, reply.json.length]).toEqual([200, 12]);
    expect(performance.now() - start).toBeGreaterThan(140);
    const both = await client.post('/v1/pets', NEW_PET, { 'Sandbox-Fault': 'delay=20; when=after' });
    expect(both.status).toBe(201);
  });

  it('costs no thread: three hundred wait together', async () => {
    const client = await server.sandbox();
    await client.post('/_sandbox/faults', { delayMs: 300 });
    const start = performance.now();
    const sockets = await Promise.all(
      Array.from({ length: 300 }, () =>
        fetch(`${client.url}/v1/pets`, { headers: { Authorization: `Bearer ${client.key}` } }),
      ),
    );
    expect(sockets.every(({ status }) => status === 200)).toBe(true);
    expect(performance.now() - start).toBeLessThan(limit(5000));
    await Promise.all(sockets.map((each) => each.arrayBuffer()));
  });

  it('ends when the client leaves, and what stood after it does not happen', async () => {
    const client = await server.sandbox();
    await client.post('/_sandbox/faults', { operation: 'createPet', delayMs: 400, times: 1 });
    await expect(
      fetch(`${client.url}/v1/pets`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${client.key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(NEW_PET),
        signal: AbortSignal.timeout(100),
      }),
    ).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await petsOf(client)).toBe(0);
  });
});

describe('a connection', () => {
  it('is reset in place of a response, before the operation or after it', async () => {
    const client = await server.sandbox();
    expect(await bytesOf(client, 'connection=reset', 'POST')).toEqual({ text: '', end: 'ECONNRESET' });
    expect(await petsOf(client)).toBe(0);
    expect(await bytesOf(client, 'connection=reset; when=after', 'POST')).toEqual({ text: '', end: 'ECONNRESET' });
    expect(await petsOf(client)).toBe(1);
  });

  it('ends without a byte when it is empty', async () => {
    const client = await server.sandbox();
    expect(await bytesOf(client, 'connection=empty')).toEqual({ text: '', end: 'ended' });
    expect(await bytesOf(client, 'connection=empty; when=after', 'POST')).toEqual({ text: '', end: 'ended' });
    expect(await petsOf(client)).toBe(1);
  });

  it('breaks off in the middle of a truncated answer, whose head names the whole length', async () => {
    const client = await server.sandbox();
    const whole = await client.get('/v1/pets');
    const { text, end } = await bytesOf(client, 'connection=truncate');
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(head).toContain(`Content-Length: ${Buffer.byteLength(whole.text)}`);
    const bytes = Buffer.from(whole.text);
    expect(body).toBe(bytes.subarray(0, bytes.length >> 1).toString());
    expect(end).toBe('ended');
    await expect(listWith(client, { 'Sandbox-Fault': 'connection=truncate' })).rejects.toThrow();
  });

  it('breaks off an Error body too, where a status is asked for or the operation must not happen', async () => {
    const client = await server.sandbox();
    const error = await bytesOf(client, 'connection=truncate; status=500', 'POST');
    expect(error.text).toMatch(/^HTTP\/1\.1 500 [\s\S]*\r\n\r\n\{"code":"injected_fault"[^}]*$/);
    const before = await bytesOf(client, 'connection=truncate; when=before', 'POST');
    expect(before.text).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\n\r\n\{"code":"injected_fault"[^}]*$/);
    expect(await petsOf(client)).toBe(0);
    const happened = await bytesOf(client, 'connection=truncate', 'POST');
    expect(happened.text).toMatch(/^HTTP\/1\.1 201 [\s\S]*\r\n\r\n\{"id":13,[^}]*$/);
    expect(await petsOf(client)).toBe(1);
  });

  it('broken in any way is nobody’s violation, and the server serves on', async () => {
    const client = await server.sandbox();
    for (const how of ['reset', 'empty', 'truncate']) {
      for (const when of ['before', 'after']) {
        for (const method of ['GET', 'POST', 'HEAD']) await bytesOf(client, `connection=${how}; when=${when}`, method);
      }
    }
    expect((await client.get('/v1/pets')).status).toBe(200);
  });
});

describe('the request log', () => {
  const lastOf = async (client: Client) => {
    const { requests } = (await client.get('/_sandbox/requests?limit=1')).json;
    return (await client.get(`/_sandbox/requests/${requests[0].id}`)).json;
  };

  it('marks an injected response, and keeps what was sent; what the client did wrong stays its own', async () => {
    const client = await server.sandbox();
    await client.post(
      '/v1/pets',
      { name: 'Ada' },
      { 'Sandbox-Fault': 'status=503; retryAfter=2; delay=1; when=after' },
    );
    const replaced = await lastOf(client);
    expect(replaced).toMatchObject({ status: 503, injectedFault: 'status=503; retryAfter=2; delay=1; when=after' });
    expect(replaced.violations.map(({ side }: { side: string }) => side)).toEqual(['request']);
    await client.post('/v1/pets', NEW_PET, { 'Sandbox-Fault': 'status=500' });
    const before = await lastOf(client);
    expect(before).toMatchObject({ status: 500, injectedFault: 'status=500', validated: true, violations: [] });
    expect(before.request).toMatchObject({ body: JSON.stringify(NEW_PET), unread: false });
    await client.get('/v1/pets', { 'Sandbox-Fault': 'delay=1' });
    expect(await lastOf(client)).toMatchObject({ status: 200, injectedFault: null, violations: [] });
  });

  it('has what went out when the connection broke, and that nothing did when nobody waited', async () => {
    const client = await server.sandbox();
    const { text } = await bytesOf(client, 'connection=truncate');
    const cut = await lastOf(client);
    expect(cut).toMatchObject({ status: 200, injectedFault: 'connection=truncate; when=after', violations: [] });
    expect(cut.response.body).toBe(text.split('\r\n\r\n')[1]);
    await bytesOf(client, 'connection=reset');
    expect(await lastOf(client)).toMatchObject({ status: 0, injectedFault: 'connection=reset', violations: [] });
    const headers = { Authorization: `Bearer ${client.key}`, 'Sandbox-Fault': 'delay=5000' };
    await expect(fetch(`${client.url}/v1/pets`, { headers, signal: AbortSignal.timeout(50) })).rejects.toThrow();
    await expect
      .poll(() => lastOf(client))
      .toMatchObject({ status: 0, injectedFault: 'delay=5000', validationError: null });
  });
});

describe('a slow body', () => {
  it('arrives whole, in parts, and is no injected response', async () => {
    const client = await server.sandbox();
    const whole = (await client.get('/v1/pets')).text;
    const socket = await dial(client.url);
    const parts: string[] = [];
    socket.setEncoding('utf8').on('data', (part: string) => parts.push(part));
    socket.write(headOf(client, 'GET /v1/pets', 'Connection: close', 'Sandbox-Fault: bytesPerSecond=2000'));
    await new Promise((resolve) => socket.once('close', resolve));
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.join('')).toContain(`\r\n\r\n${whole}`);
    const [latest] = (await client.get('/_sandbox/requests')).json.requests;
    expect(latest).toMatchObject({ status: 200, injectedFault: null, violations: [] });
    const vary = { 'Sandbox-Fault': 'status=503; bytesPerSecond=1000' };
    expect((await listWith(client, vary)).json.code).toBe('injected_fault');
  });
});

// It looks at the sandbox in the process that answers.
it.skipIf(areTwo)('a delay is cut short and a slow body sent to its end at once when the server stops', async () => {
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
