import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { int64Members } from '../../src/base/generated/facts.ts';
import { ControlsClient } from '../../src/client/client.ts';
import { ClientError } from '../../src/client/errors.ts';
import { listen } from '../support/ports.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';

const fixtures = await mkdtemp(join(tmpdir(), 'petstore-sandbox-'));
await writeFile(join(fixtures, 'late.json'), '{"description":"the last id","nextId":9223372036854775807,"pets":[]}');
const server = await startTestServer({ settings: { fixtures } });
afterAll(() => rm(fixtures, { recursive: true }));

const newClient = async (): Promise<ControlsClient> => {
  const { key } = await new ControlsClient({ url: server.url }).request('POST /keys');
  return new ControlsClient({ url: server.url, credential: key });
};

/** What a call failed with. */
const failure = (call: Promise<unknown>): Promise<ClientError> =>
  call.then(
    () => expect.fail('it did not fail'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(ClientError);
      return error as ClientError;
    },
  );

describe('the client of the control API', () => {
  it.each(['', '/', '/v1', '/v1/'])('takes the address of the server or its API, with %j at its end', async (end) => {
    const client = new ControlsClient({ url: server.url + end });
    expect((await client.request('GET /health')).status).toBe('ok');
    expect(client.apiUrl).toBe(`${server.url}/v1`);
  });

  it('fills in paths and leaves out what is undefined', async () => {
    const client = await newClient();
    const { keys } = await client.request('GET /keys', { query: { sandbox: undefined } });
    expect(keys).toHaveLength(1);
    await client.request('POST /snapshots', { body: { name: 'one' } });
    expect(await client.request('DELETE /snapshots/{name}', { params: { name: 'one' } })).toBeUndefined();
    expect((await client.request('GET /snapshots')).snapshots).toEqual([]);
    const odd = await failure(client.request('DELETE /snapshots/{name}', { params: { name: '../keys?x=ü' } }));
    expect([odd.status, odd.code]).toEqual([400, 'invalid_request']);
  });

  it('keeps every digit of an int64, and gives it as a bigint however small', async () => {
    const client = await newClient();
    const { sandbox } = await client.request('POST /reset', { body: { fixture: 'late' } });
    expect(sandbox?.nextId).toBe(9223372036854775807n);
    const last = await client.request('POST /pets', { body: { count: 1, seed: 1 } });
    expect([last.firstId, last.pets[0]?.id]).toEqual([9223372036854775807n, 9223372036854775807n]);
    expect((await client.request('GET /')).nextId).toBeNull();
    await client.request('POST /reset', { body: { fixture: 'empty' } });
    const { firstId, pets } = await client.request('POST /pets', { body: { count: 1, seed: 1 } });
    expect([firstId, pets[0]?.id, typeof pets[0]?.categoryId]).toEqual([1n, 1n, 'bigint']);
  });

  it.each<[string, RequestListener, RegExp]>([
    ['answers nothing in time', () => undefined, /^not_reached 0: URL cannot be reached \(no response in time\)$/],
    [
      'is not a sandbox',
      (_, res) => res.end('<h1>It works!</h1>'),
      /^unexpected_response 200: the server at URL is not a petstore sandbox$/,
    ],
    [
      'is behind a broken proxy',
      (_, res) => res.setHeader('Sandbox-Request-Id', 'req_x').writeHead(502).end('oh'),
      /^unexpected_response 502: /,
    ],
    [
      'hangs up in the middle',
      (_, res) => {
        res.setHeader('Sandbox-Request-Id', 'req_x').writeHead(200, { 'Content-Length': 100 }).write('{"status":');
        setImmediate(() => res.destroy());
      },
      /^not_reached 0: /,
    ],
    [
      'leads elsewhere, where the key would go',
      (_, res) => res.writeHead(307, { Location: `${server.url}/_sandbox` }).end(),
      /^not_reached 0: /,
    ],
  ])('says so of a server that %s', async (_, received, said) => {
    const url = await listen(received);
    const client = new ControlsClient({ url, credential: 'k'.repeat(20), timeoutMs: limit(200) });
    const { code, status, message } = await failure(client.request('GET /'));
    expect(`${code} ${status}: ${message.replace(url, 'URL')}`).toMatch(said);
  });

  it('reads events that arrive in pieces, and goes on from the last one', async () => {
    let asked: unknown;
    const text =
      ': hello\nretry: 1000\n\nid: req_1\nevent: exchange\ndata: {"status":200,"target":"/v1/pets/9223372036854775807?ü"}\n\nevent: reset\ndata: {}\n\n';
    const url = await listen(async (req, res) => {
      asked = req.headers['last-event-id'];
      res.writeHead(200, { 'Sandbox-Request-Id': 'req_x', 'Content-Type': 'text/event-stream' });
      for (const byte of Buffer.from(text)) {
        res.write(Buffer.of(byte));
        if (byte === 0xc3) await new Promise((soon) => setTimeout(soon, 20));
      }
      res.end();
    });
    const events = [];
    let opened = 0;
    const stream = new ControlsClient({ url }).events({ lastEventId: 'req_0', onOpen: () => opened++ });
    for await (const event of stream) events.push(event);
    expect([asked, opened]).toEqual(['req_0', 1]);
    expect(events).toEqual([
      { event: 'exchange', id: 'req_1', data: { status: 200, target: '/v1/pets/9223372036854775807?ü' } },
      { event: 'reset', id: undefined, data: {} },
    ]);
  });

  it('leaves a stream when told to, and when the loop is left', async () => {
    let gone = 0;
    const url = await listen((_, res) => {
      res.writeHead(200, { 'Sandbox-Request-Id': 'req_x', 'Content-Type': 'text/event-stream' });
      res.write('event: reset\ndata: {}\n\n');
      res.on('close', () => gone++);
    });
    const stop = new AbortController();
    for await (const { event } of new ControlsClient({ url }).events({ signal: stop.signal })) {
      expect(event).toBe('reset');
      stop.abort();
    }
    for await (const { event } of new ControlsClient({ url }).events()) {
      expect(event).toBe('reset');
      break;
    }
    await expect.poll(() => gone).toBe(2);
  });
});

it('no member of the specification is int64 in one schema, and another number elsewhere', async () => {
  const others = new Set<string>();
  JSON.parse(await readFile('src/base/generated/control-api.json', 'utf8'), (_, value) => {
    for (const [name, schema] of Object.entries<{ type?: unknown; format?: string }>(value?.properties ?? {}))
      if (schema.format !== 'int64' && [schema.type].flat().some((type) => type === 'integer' || type === 'number'))
        others.add(name);
    return value;
  });
  expect(int64Members.filter((name) => others.has(name))).toEqual([]);
});
