/**
 * Secrets at every offset: whatever a client writes its key, a preconfigured key or the admin token into, and however it is
 * encoded, nothing that the server says, keeps or logs shows a piece of it. The offsets move each secret over every
 * place where a message is cut.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatNames } from '../../src/report/formats/formats.ts';
import { type Client, send, type TestRequest } from '../support/client.ts';
import { EventStream } from '../support/event-stream.ts';
import { ENCODINGS, pieceIn } from '../support/secrets.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const FIXED = 'Zq8/vN2+tK~w.7-Rx_Yb4/mD==';
const ADMIN = 'qW5nB8yXc2Vt7RzKm3Lp9Hd4';

let directory: string;
let server: TestServer;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'petstore-sandbox-'));
  server = await startTestServer({ settings: { data: directory, keys: [FIXED], adminToken: ADMIN } });
});
afterAll(() => rm(directory, { recursive: true }));

/** A place in a request that takes a text, and after how many characters of it a message about it is cut. */
interface Place {
  readonly name: string;
  readonly cutAfter: number;
  /** Texts that cannot stand there are not sent: HTTP itself rejects them. */
  readonly takes?: RegExp;
  request(text: string): TestRequest;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const post = (path: string, body: string, headers: Record<string, string> = JSON_TYPE): TestRequest => ({
  method: 'POST',
  path,
  body,
  headers,
});
const pet = (members: string): TestRequest => post('/v1/pets', `{"name":"Rex","categoryId":1${members}}`);
/** In place of the key of the sandbox. */
const NO_KEY = { Authorization: 'Basic x' };
const get = (path: string, headers: Record<string, string> = {}): TestRequest => ({ path, headers });

const PLACES: readonly Place[] = [
  { name: 'an unknown path of the API', cutAfter: 96, request: (text) => get(`/v1/${text}`) },
  { name: 'an unknown path', cutAfter: 99, request: (text) => get(`/${text}`) },
  { name: 'an unknown path of the control API', cutAfter: 90, request: (text) => get(`/_sandbox/${text}`) },
  { name: 'the id of a pet', cutAfter: 40, request: (text) => get(`/v1/pets/${text}`) },
  { name: 'the name of a parameter', cutAfter: 100, request: (text) => get(`/v1/pets?${text}=1`) },
  { name: 'the value of a parameter', cutAfter: 40, request: (text) => get(`/v1/pets?status=${text}`) },
  { name: 'a limit', cutAfter: 40, request: (text) => get(`/v1/pets?limit=${text}`) },
  { name: 'an address that cannot be read', cutAfter: 98, request: (text) => get(`/v1/pets?x=${text}%zz`) },
  { name: 'a parameter of a control', cutAfter: 100, request: (text) => get(`/_sandbox/requests?${text}=1`) },
  {
    name: 'the value of a parameter of a control',
    cutAfter: 60,
    request: (text) => get(`/_sandbox/requests?since=${text}`),
  },
  { name: 'the sandbox that is named', cutAfter: 60, request: (text) => get(`/_sandbox?sandbox=${text}`) },
  { name: 'the id of a request', cutAfter: 60, request: (text) => get(`/_sandbox/requests/${text}`) },
  {
    name: 'the name of a snapshot to drop',
    cutAfter: 60,
    request: (text) => ({ method: 'DELETE', path: `/_sandbox/snapshots/${text}` }),
  },
  { name: 'a media type', cutAfter: 80, request: (text) => post('/v1/pets', '{}', { 'Content-Type': `text/${text}` }) },
  {
    name: 'a charset',
    cutAfter: 60,
    request: (text) => post('/v1/pets', '{}', { 'Content-Type': `application/json; charset=${text}` }),
  },
  {
    name: 'a content encoding',
    cutAfter: 40,
    request: (text) => post('/v1/pets', '{}', { ...JSON_TYPE, 'Content-Encoding': text }),
  },
  { name: 'a host', cutAfter: 100, request: (text) => get('/_sandbox/health', { Host: text }) },
  {
    name: 'a host that is this machine',
    cutAfter: 0,
    takes: /^[\w.~-]*$/,
    request: (text) => get('/_sandbox/keys', { Host: `${text}.localhost` }),
  },
  { name: 'an origin', cutAfter: 100, request: (text) => get('/_sandbox/health', { Origin: text }) },
  {
    name: 'a part of Sandbox-Fault',
    cutAfter: 40,
    request: (text) => get('/v1/pets', { 'Sandbox-Fault': `${text}=1` }),
  },
  {
    name: 'a value in Sandbox-Fault',
    cutAfter: 40,
    request: (text) => get('/v1/pets', { 'Sandbox-Fault': `status=${text}` }),
  },
  { name: 'an unmatched path', cutAfter: 194, request: (text) => get(`/pets/${text}`, NO_KEY) },
  { name: 'an unmatched query', cutAfter: 0, request: (text) => get(`/v1/pets?api_key=${text}`, NO_KEY) },
  { name: 'an unmatched X-Api-Key', cutAfter: 0, request: (text) => get('/v1/pets', { ...NO_KEY, 'X-Api-Key': text }) },
  {
    name: 'an unmatched User-Agent',
    cutAfter: 200,
    request: (text) => get('/v1/pets', { ...NO_KEY, 'User-Agent': text }),
  },
  {
    name: 'a key of another scheme',
    cutAfter: 0,
    request: (text) => get('/v1/pets', { Authorization: `Token ${text}` }),
  },
  { name: 'a key without a scheme', cutAfter: 0, request: (text) => get('/v1/pets', { Authorization: text }) },
  { name: 'an Idempotency-Key', cutAfter: 200, request: (text) => get('/v1/pets', { 'Idempotency-Key': text }) },
  { name: 'Prefer', cutAfter: 0, request: (text) => get('/v1/pets', { Prefer: `code=${text}` }) },
  { name: 'a field of a pet that is not known', cutAfter: 100, request: (text) => pet(`,"${text}":1`) },
  { name: 'a status', cutAfter: 40, request: (text) => pet(`,"status":"${text}"`) },
  { name: 'a category', cutAfter: 40, request: (text) => post('/v1/pets', `{"name":"Rex","categoryId":"${text}"}`) },
  { name: 'a field that is given twice', cutAfter: 64, request: (text) => pet(`,"${text}":1,"${text}":2`) },
  { name: 'a body that is no JSON', cutAfter: 180, request: (text) => post('/v1/pets', `{"a":"${text}","b":${text}`) },
  { name: 'a label', cutAfter: 0, request: (text) => post('/_sandbox/keys', `{"label":"${text}"}`) },
  {
    name: 'the label of a fork',
    cutAfter: 0,
    request: (text) => post('/_sandbox/fork', `{"label":"${text}","ttlSeconds":1}`),
  },
  {
    name: 'the name of a snapshot',
    cutAfter: 60,
    request: (text) => post('/_sandbox/snapshots', `{"name":"${text}"}`),
  },
  { name: 'the name of a fixture', cutAfter: 60, request: (text) => post('/_sandbox/reset', `{"fixture":"${text}"}`) },
  {
    name: 'a field of a control that is not known',
    cutAfter: 100,
    request: (text) => post('/_sandbox/reset', `{"${text}":1}`),
  },
  {
    name: 'a path that is looked for',
    cutAfter: 197,
    request: (text) => post('/_sandbox/requests/verify', `{"path":"/${text}"}`),
  },
  {
    name: 'a body that is looked for',
    cutAfter: 198,
    request: (text) => post('/_sandbox/requests/verify', `{"body":{"${text}":"${text}"}}`),
  },
];

/** From where on a secret begins, so that it is whole, and so that it is cut at each of its characters, or every few. */
function offsetsFor(cutAfter: number, length: number): number[] {
  const step = Math.max(1, Math.floor(length / 8));
  const crossing = Array.from({ length: Math.ceil(length / step) + 1 }, (_, at) => cutAfter - length + at * step);
  return [...new Set([0, ...crossing.filter((offset) => offset > 0 && offset <= cutAfter)])];
}

/** Everything that the server says of a sandbox. */
async function allSaidOf(client: Client): Promise<Map<string, string>> {
  const said = new Map<string, string>();
  const keep = async (path: string, body?: unknown): Promise<void> => {
    const reply = body === undefined ? await client.get(path) : await client.post(path, body);
    said.set(`${path} ${JSON.stringify(body)}`, reply.text);
  };
  await keep('/_sandbox/requests?limit=1000');
  for (const form of formatNames) await keep(`/_sandbox/report?format=${form}`);
  for (const body of [{ name: 1 }, 'x']) await keep('/_sandbox/requests/verify', { body, path: '/x', exactly: 1 });
  await keep('/_sandbox/requests/unmatched');
  await keep('/_sandbox/keys');
  await keep('/_sandbox');
  const { requests } = (await client.get('/_sandbox/requests?limit=1000')).json;
  for (const { id } of requests.filter((_: unknown, at: number) => at % 23 === 0))
    await keep(`/_sandbox/requests/${id}`);
  return said;
}

/** Every request that puts the secret into the place: encoded in every way, and cut off everywhere. */
function* requestsWith(
  secret: string,
  { request: ask, cutAfter, takes = /./ }: Place,
): Generator<[how: string, request: TestRequest]> {
  for (const [how, encoded] of Object.entries(ENCODINGS)) {
    const text = encoded(secret);
    if (!takes.test(text)) continue;
    for (const offset of offsetsFor(cutAfter, text.length)) yield [`${how}, ${offset}`, ask('x'.repeat(offset) + text)];
  }
}

describe.each(PLACES)('in $name', (location) => {
  it('no piece of a secret comes back, is kept or is logged', async () => {
    const client = await server.sandbox();
    const headers = { Authorization: `Bearer ${client.key}` };
    const stream = await EventStream.open(server.url, { headers });
    const secrets = [client.key as string, FIXED, ADMIN];
    const lines = server.lines.length;
    for (const secret of secrets) {
      for (const [how, request] of requestsWith(secret, location)) {
        const reply = await send(server.url, { ...request, headers: { ...headers, ...(request.headers as object) } });
        // The one response that shows a key is the one that makes it.
        const shown = reply.status === 201 ? '' : [...reply.rawHeaders, reply.text].join('\n');
        expect([how, pieceIn(shown, secret)]).toEqual([how, undefined]);
      }
    }
    const said = await allSaidOf(client);
    said.set('the events', JSON.stringify(stream.waiting));
    stream.close();
    said.set('the log', JSON.stringify(server.lines.slice(lines)));
    for (const secret of secrets) {
      for (const [where, text] of said) expect([where, pieceIn(text, secret)]).toEqual([where, undefined]);
    }
  });
});

it('a long body is cut in the request log without a piece of a secret at its end', async () => {
  const client = await server.sandbox();
  const key = client.key as string;
  const length = 16 * 1024;
  for (const secret of [key, FIXED]) {
    for (const encoded of Object.values(ENCODINGS)) {
      const text = encoded(secret);
      for (let end = 1; end < text.length; end += Math.ceil(text.length / 9)) {
        const before = `{"name":"`;
        await client.post(
          '/v1/pets',
          `${before}${'x'.repeat(length - before.length - end)}${text}${'x'.repeat(100)}","categoryId":"no"}`,
        );
      }
    }
  }
  const { requests } = (await client.get('/_sandbox/requests?limit=1000')).json;
  for (const { id } of requests) {
    const { text, json } = await client.get(`/_sandbox/requests/${id}`);
    expect(json.request.truncated).toBe(true);
    for (const secret of [key, FIXED]) expect(pieceIn(text, secret)).toBeUndefined();
  }
});

it('nothing of it is in the metrics, on a page or in a file', async () => {
  const texts = new Map([
    ['the metrics', (await server.client(ADMIN).get('/_sandbox/metrics')).text],
    ['the sandboxes', (await server.client(ADMIN).get('/_sandbox/sandboxes?limit=1000')).text],
    ['the dashboard', (await server.client().get('/')).text],
    ['the whole log', JSON.stringify(server.lines)],
  ]);
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) texts.set(entry.name, await readFile(join(entry.parentPath, entry.name), 'utf8'));
  }
  expect(texts.size).toBeGreaterThan(PLACES.length);
  for (const [where, text] of texts) {
    // Every issued key begins with the prefix: one that is hidden in part is found by it.
    expect([where, /petsbx_[0-9A-Za-z]/.test(text)]).toEqual([where, false]);
    for (const secret of [FIXED, ADMIN]) expect([where, pieceIn(text, secret)]).toEqual([where, undefined]);
  }
});
