/**
 * Secrets at every offset: whatever a client writes its key, a preconfigured key or the admin token into, and in whatever way it
 * is written, nothing that the server says, keeps or logs shows a piece of it. The offsets move each secret over every
 * place where a message is cut.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { formatNames } from '../../src/verdict/report/formats/formats.ts';
import { type Client, send, type TestRequest } from '../support/client.ts';
import { EventStream } from '../support/event-stream.ts';
import { pieceIn, waysToWrite } from '../support/secrets.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { exchangeBytes, headOf } from '../support/wire.ts';

const FIXED = 'Zq8/vN2+tK~w.7-Rx_Yb4/mD==';
const ADMIN = 'qW5nB8yXc2Vt7RzKm3Lp9Hd4';

let directory: string;
let server: TestServer;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'petstore-sandbox-'));
  server = await startTestServer({ settings: { data: directory, keys: [FIXED], adminToken: ADMIN } });
});
afterAll(() => rm(directory, { recursive: true }));

/**
 * A place in a request that takes a text, and after how many characters of it a message about it is cut. Texts that cannot
 * stand there are not sent: HTTP itself rejects them.
 */
type Place = readonly [name: string, cutAfter: number, request: (text: string) => TestRequest, takes?: RegExp];

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
/** A message of an agent. */
const rpc = (method: string, params: object): TestRequest =>
  post('/_sandbox/mcp', JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), {
    ...JSON_TYPE,
    Accept: 'application/json, text/event-stream',
  });
const toolCall = (name: string, args: object): TestRequest => rpc('tools/call', { name, arguments: args });

const PLACES: readonly Place[] = [
  ['an unknown path of the API', 96, (text) => get(`/v1/${text}`)],
  ['an unknown path', 99, (text) => get(`/${text}`)],
  ['an unknown path of the control API', 90, (text) => get(`/_sandbox/${text}`)],
  ['the id of a pet', 40, (text) => get(`/v1/pets/${text}`)],
  ['the name of a parameter', 100, (text) => get(`/v1/pets?${text}=1`)],
  ['the value of a parameter', 40, (text) => get(`/v1/pets?status=${text}`)],
  ['a limit', 40, (text) => get(`/v1/pets?limit=${text}`)],
  ['an address that cannot be read', 98, (text) => get(`/v1/pets?x=${text}%zz`)],
  ['a parameter of a control', 100, (text) => get(`/_sandbox/requests?${text}=1`)],
  ['the value of a parameter of a control', 60, (text) => get(`/_sandbox/requests?since=${text}`)],
  ['the sandbox that is named', 60, (text) => get(`/_sandbox?sandbox=${text}`)],
  ['the id of a request', 60, (text) => get(`/_sandbox/requests/${text}`)],
  ['the name of a snapshot to drop', 60, (text) => ({ method: 'DELETE', path: `/_sandbox/snapshots/${text}` })],
  ['a media type', 80, (text) => post('/v1/pets', '{}', { 'Content-Type': `text/${text}` })],
  ['a charset', 60, (text) => post('/v1/pets', '{}', { 'Content-Type': `application/json; charset=${text}` })],
  ['a content encoding', 40, (text) => post('/v1/pets', '{}', { ...JSON_TYPE, 'Content-Encoding': text })],
  ['a host', 100, (text) => get('/_sandbox/health', { Host: text })],
  ['a host that is this machine', 0, (text) => get('/_sandbox/keys', { Host: `${text}.localhost` }), /^[\w.~-]*$/],
  ['an origin', 100, (text) => get('/_sandbox/health', { Origin: text })],
  ['a part of Sandbox-Fault', 40, (text) => get('/v1/pets', { 'Sandbox-Fault': `${text}=1` })],
  ['a value in Sandbox-Fault', 40, (text) => get('/v1/pets', { 'Sandbox-Fault': `status=${text}` })],
  ['an unmatched path', 194, (text) => get(`/pets/${text}`, NO_KEY)],
  ['an unmatched query', 0, (text) => get(`/v1/pets?api_key=${text}`, NO_KEY)],
  ['an unmatched X-Api-Key', 0, (text) => get('/v1/pets', { ...NO_KEY, 'X-Api-Key': text })],
  ['an unmatched User-Agent', 200, (text) => get('/v1/pets', { ...NO_KEY, 'User-Agent': text })],
  ['a User-Agent, which names a run', 0, (text) => get('/v1/pets', { 'User-Agent': text })],
  ['a header that is kept', 0, (text) => get('/v1/pets', { 'X-Request-Id': text })],
  ['a key of another scheme', 0, (text) => get('/v1/pets', { Authorization: `Token ${text}` })],
  ['a key without a scheme', 0, (text) => get('/v1/pets', { Authorization: text })],
  ['an Idempotency-Key', 200, (text) => get('/v1/pets', { 'Idempotency-Key': text })],
  ['Prefer', 0, (text) => get('/v1/pets', { Prefer: `code=${text}` })],
  ['a field of a pet that is not known', 100, (text) => pet(`,"${text}":1`)],
  ['a status', 40, (text) => pet(`,"status":"${text}"`)],
  ['a category', 40, (text) => post('/v1/pets', `{"name":"Rex","categoryId":"${text}"}`)],
  ['a field that is given twice', 64, (text) => pet(`,"${text}":1,"${text}":2`)],
  ['a body that is no JSON', 180, (text) => post('/v1/pets', `{"a":"${text}","b":${text}`)],
  ['a label', 0, (text) => post('/_sandbox/keys', `{"label":"${text}"}`)],
  ['the label of a fork', 0, (text) => post('/_sandbox/fork', `{"label":"${text}","ttlSeconds":1}`)],
  ['the name of a snapshot', 60, (text) => post('/_sandbox/snapshots', `{"name":"${text}"}`)],
  ['the name of a fixture', 60, (text) => post('/_sandbox/reset', `{"fixture":"${text}"}`)],
  ['a field of a control that is not known', 100, (text) => post('/_sandbox/reset', `{"${text}":1}`)],
  ['a path that is looked for', 197, (text) => post('/_sandbox/requests/verify', `{"path":"/${text}"}`)],
  ['a method of MCP', 70, (text) => rpc(text, {})],
  ['a tool of MCP', 70, (text) => toolCall(text, {})],
  ['a parameter of a tool', 70, (text) => toolCall('requests', { [text]: 1 })],
  ['an argument of a tool', 70, (text) => toolCall('sandbox_change', { restore: { snapshot: text } })],
  ['a body that is looked for', 198, (text) => post('/_sandbox/requests/verify', `{"body":{"${text}":"${text}"}}`)],
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
  for (const form of ['recording', 'har', 'curl']) await keep(`/_sandbox/export?format=${form}`);
  for (const body of [{ name: 1 }, 'x']) await keep('/_sandbox/requests/verify', { body, path: '/x', exactly: 1 });
  await keep('/_sandbox/requests/unmatched');
  await keep('/_sandbox/keys');
  await keep('/_sandbox');
  const { requests } = (await client.get('/_sandbox/requests?limit=1000')).json;
  for (const { id } of requests.filter((_: unknown, at: number) => at % 23 === 0))
    await keep(`/_sandbox/requests/${id}`);
  return said;
}

/** Every request that puts one of the secrets into the place: encoded in every way, and cut off everywhere. */
function* requestsWith(
  secrets: readonly string[],
  [, cutAfter, ask, takes = /^\S*$/]: Place,
): Generator<[how: string, request: TestRequest]> {
  for (const [how, text] of secrets.flatMap(waysToWrite)) {
    if (!takes.test(text)) continue;
    for (const offset of offsetsFor(cutAfter, text.length)) yield [`${how}, ${offset}`, ask('x'.repeat(offset) + text)];
  }
}

/** Looked for at once: a piece of any of them is a piece of this. */
const together = (...secrets: readonly string[]): string => secrets.join('\0');

it.for(PLACES)('in %s, no piece of a secret comes back, is kept or is logged', async (place) => {
  const client = await server.sandbox();
  const headers = { Authorization: `Bearer ${client.key}` };
  const stream = await EventStream.open(server.url, { headers });
  const secrets = [client.key as string, FIXED, ADMIN];
  const all = together(...secrets);
  const lines = server.lines.length;
  for (const [how, request] of requestsWith(secrets, place)) {
    const reply = await send(server.url, { ...request, headers: { ...headers, ...(request.headers as object) } });
    // The one response that shows a key is the one that makes it.
    const shown = reply.status === 201 ? '' : [...reply.rawHeaders, reply.text].join('\n');
    expect([how, pieceIn(shown, all)]).toEqual([how, undefined]);
  }
  const said = await allSaidOf(client);
  said.set('the events', JSON.stringify(stream.waiting));
  stream.close();
  said.set('the log', JSON.stringify(server.lines.slice(lines)));
  for (const [where, text] of said) expect([where, pieceIn(text, all)]).toEqual([where, undefined]);
});

it('a long body is cut in the request log without a piece of a secret at its end', async () => {
  const client = await server.sandbox();
  const key = client.key as string;
  const length = 16 * 1024;
  for (const [, text] of [key, FIXED].flatMap(waysToWrite)) {
    for (let end = 1; end < text.length; end += Math.ceil(text.length / 9)) {
      const before = `{"name":"`.padEnd(length - end, 'x');
      await client.post('/v1/pets', `${before}${text}${'x'.repeat(100)}","categoryId":"no"}`);
    }
  }
  const { requests } = (await client.get('/_sandbox/requests?limit=1000')).json;
  for (const { id } of requests) {
    const { text, json } = await client.get(`/_sandbox/requests/${id}`);
    expect(json.request.truncated).toBe(true);
    expect(pieceIn(text, together(key, FIXED))).toBeUndefined();
  }
});

it('an address too long for a request is cut without a piece of a secret at its end', async () => {
  const client = await server.sandbox();
  const long = 'x'.repeat(17_000);
  for (const path of ['/v1/pets/', '/v1/pets?api_key=']) {
    for (const shown of [8, 15, ADMIN.length - 1]) {
      const target = `${path.padEnd(2_000 - shown, 'x')}${ADMIN}`;
      for (const bytes of [`GET ${target} HTTP/1.1\r\nX: ${long}\r\n`, `GET ${target}${long} HTTP/1.1\r\nHost: x\r\n`])
        await exchangeBytes(server.url, `${bytes}Authorization: Bearer ${client.key}\r\n\r\n`);
      await exchangeBytes(server.url, headOf(client, `GET ${target}`, `X: ${long}`));
    }
  }
  const { requests } = (await client.get('/_sandbox/requests?limit=1000')).json;
  expect(requests.length).toBeGreaterThan(0);
  for (const { id } of requests) {
    const { text } = await client.get(`/_sandbox/requests/${id}`);
    expect([text.slice(0, 80), text.includes(ADMIN.slice(0, 8))]).toEqual([text.slice(0, 80), false]);
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
    expect([where, pieceIn(text, together(FIXED, ADMIN))]).toEqual([where, undefined]);
  }
});
