/** Requests that Node's parser rejects: each is in the log of the sandbox of its address, or in the list of unmatched requests, and counted once. */
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../../src/verdict/report/report.ts';
import type { Reply } from '../../support/client.ts';
import { startTestServer } from '../../support/server.ts';
import { checkResponse } from '../../support/sound.ts';
import { dial, exchangeBytes, headOf, postOf } from '../../support/wire.ts';

const TIMEOUTS = { headersTimeout: 300, requestTimeout: 600, connectionsCheckingInterval: 50 };

const server = await startTestServer({ timeouts: TIMEOUTS });
const client = await server.sandbox();
/** The address of its sandbox. */
const AT = `/${(await client.get('/_sandbox')).json.id}`;

const JSON_TYPE = 'Content-Type: application/json';
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const get = (target: string, ...headers: string[]): string => headOf(client, `GET ${AT}${target}`, ...headers);
const posted = (...headers: string[]): string => headOf(client, `POST ${AT}/v1/pets`, ...headers);
const LIBRARY = /with an HTTP library/;
const LONG = Array(500).fill(`X: ${'a'.repeat(40)}`);
/** A request of which one place is replaced. */
const withWrong = (right: string, wrong: string): string => get('/v1/pets').replace(right, wrong);

/** The last response to these bytes: an Error body with this status, and the end of the connection. */
async function rejection(bytes: string | Buffer, status: number): Promise<Reply> {
  const reply = (await exchangeBytes(server.url, bytes)).at(-1) as Reply;
  checkResponse({ path: '' }, reply, client.key);
  expect([reply.status, reply.headers.connection]).toEqual([status, 'close']);
  return reply;
}

const report = async (): Promise<Report> => (await client.get('/_sandbox/report')).json;
const clear = (): Promise<unknown> => client.delete('/_sandbox/requests');
const unmatched = async () => (await client.get('/_sandbox/requests/unmatched')).json.requests;

// Every form that the parser rejects: test/hostile/raw-requests.test.ts.
it.each<[what: string, bytes: () => string | Buffer, cause: string, fix: RegExp, status?: number]>([
  ['an umlaut in the target', () => get('/v1/pets?name=Müller'), 'not-http', /ü as %C3%BC/],
  ['one in Latin-1', () => latin1(get('/v1/pets?name=M\xfcller')), 'not-http', /M%C3%BCller/],
  [
    'an emoji where what is shown ends',
    () => get(`/v1/pets?name=${'a'.repeat(185)}😀`),
    'not-http',
    /a%E2%80%A6 instead/,
  ],
  ['a blank', () => get('/v1/pets?name=a b'), 'not-http', /name=a%20b instead/],
  ['a blank before the query', () => get('/v1/pets ?limit=5'), 'not-http', /GET \/v1\/pets\?limit=5 /],
  ['headers over 16 KiB', () => get('/v1/pets', ...LONG), 'too-large', /short/, 431],
  ['a blank in the name of a header', () => get('/v1/pets', 'X y: a'), 'not-http', LIBRARY],
  ['an expectation', () => postOf(client, '{}', 'Expect: x'), 'not-http', LIBRARY, 417],
  ['CONNECT', () => withWrong('GET', 'CONNECT'), 'not-http', /not as to a proxy/, 405],
  ['a broken chunk', () => `${posted(JSON_TYPE, 'Transfer-Encoding: chunked')}zz\r\n`, 'not-http', LIBRARY],
  ['another version', () => withWrong('HTTP/1.1', 'HTTP/3.0'), 'not-http', LIBRARY],
  ['two hosts', () => get('/v1/pets', 'Host: b'), 'not-http', LIBRARY],
  ['a body that never ends', () => postOf(client, '{}').slice(0, -1), 'too-slow', /Content-Length/, 408],
])(
  'a malformed request to the address of a sandbox is in its log, and fails the report with a fix: %s',
  async (_, bytes, cause, fix, status = 400) => {
    await clear();
    const { headers } = await rejection(bytes(), status);
    expect(headers.allow).toBe(status === 405 ? 'GET, HEAD, POST, OPTIONS' : undefined);
    const { verdict, account, findings } = await report();
    expect([verdict, account.total, account.malformed]).toEqual(['fail', 1, 1]);
    expect(findings).toContainEqual(expect.objectContaining({ kind: 'malformed', fix: expect.stringMatching(fix) }));
    const { requests } = (await client.get('/_sandbox/requests')).json;
    expect(requests).toMatchObject([{ malformed: { cause }, status }]);
    expect(JSON.stringify([findings, requests])).not.toContain(client.key);
    expect(await unmatched()).not.toContainEqual(expect.objectContaining({ id: requests[0].id }));
  },
);

const MESSAGES: Readonly<Record<number, RegExp>> = {
  400: /HTTP\/1\.1|HTTPS/,
  408: /; send the headers within 10 s and the whole request within 30 s/,
  431: /^its headers or chunk extensions are over 16 KiB; send fewer or shorter headers, and a shorter address$/,
};

describe('a malformed request without a key', () => {
  it.each<[what: string, bytes: string | Buffer, status: number]>([
    ['no HTTP', 'HELLO\r\n\r\n', 400],
    ['the beginning of TLS', Buffer.from('16030100c8010000c40303', 'hex'), 400],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['no slash', 'GET v1/pets HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['a target over 16 KiB', `GET /v1/pets?${'a'.repeat(17_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
    ['an emoji where what is kept of a target ends', `GET /${'a'.repeat(1_998)}😀 x HTTP/1.1\r\n\r\n`, 400],
    ['a head that never ends', 'GET /v1/pets HTTP/1.1\r\nHost: a\r\n', 408],
    ['a foreign key', `GET /v1/pets?a b HTTP/1.1\r\nAuthorization: Bearer petsbx_nobody\r\n\r\n`, 400],
  ])('is rejected, and unmatched: %s', async (_, bytes, status) => {
    await client.delete('/_sandbox/requests/unmatched');
    const { json } = await rejection(bytes, status);
    expect(json.message).toMatch(MESSAGES[status] as RegExp);
    expect(await unmatched()).toMatchObject([{ reason: 'malformed', status }]);
  });

  it('is none on a connection that sends nothing', async () => {
    await client.delete('/_sandbox/requests/unmatched');
    await once(await dial(server.url), 'close');
    expect(await unmatched()).toEqual([]);
  });
});

it('does not count what is malformed and goes to the control API of a sandbox', async () => {
  await clear();
  await rejection(get('/_sandbox/pets?a b'), 400);
  expect((await report()).account.total).toBe(0);
});
