/** The contract report of a HAR: `POST /_sandbox/report`. What is found in one, and what is wrong with one: test/traffic/files/har-*.test.ts. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Client } from '../../support/client.ts';
import { harOf, SECRET } from '../../support/har.ts';
import { sharedServer } from '../../support/server.ts';
import { zipOf } from '../../support/zip.ts';

const server = await sharedServer();

const BASE = 'https://api.example.com/petstore/v1';

const PETS = harOf(`${BASE}/pets`);
const WRONG = harOf(`${BASE}/pets?limit=500`);

const post = (client: Client, har: string, query = '') => client.post(`/_sandbox/report${query}`, har);

describe('the report of a HAR over HTTP', () => {
  it('is that of its requests, without a credential, and leaves the sandbox as it is', async () => {
    const client = await server.sandbox();
    const { status, text, json } = await post(client, harOf(`${BASE}/pets?limit=500&token=${SECRET}`, `${BASE}/pets`));
    const counts = { exchanges: 2, violation: 1 };
    expect([status, json]).toMatchObject([200, { verdict: 'fail', label: BASE, counts }]);
    expect(json.findings[0].requests).toEqual(['entry 0']);
    expect(text).not.toContain(SECRET);
    expect((await post(client, harOf(`${BASE}/pets?name=${client.key}`))).text).not.toContain(client.key);
    expect((await client.get('/_sandbox/requests')).json.total).toBe(0);
  });

  it('takes the base address that it is given, and is strict if asked to', async () => {
    const client = await server.sandbox();
    const har = harOf(`${BASE}/pets`, 'https://other.example/v1/pets/1');
    expect((await post(client, har)).json.label).toBe(`${BASE}, https://other.example/v1`);
    const both = `?base=${encodeURIComponent(`${BASE},https://third.example/v1`)}`;
    expect((await post(client, har, both)).json).toMatchObject({ verdict: 'pass', account: { otherAddress: 1 } });
    const other = `?base=${encodeURIComponent('https://OTHER.example/v1')}`;
    expect((await post(client, har, other)).json).toMatchObject({ label: 'https://other.example/v1' });
    expect((await post(client, har, `${other}&strict=true`)).json.verdict).toBe('fail');
  });

  const ZIP = 'application/zip';
  const sendBytes = async (body: Buffer, type: string, coding?: string) => {
    const headers = { 'Content-Type': type, ...(coding && { 'Content-Encoding': coding }) };
    return (await server.sandbox()).send({ method: 'POST', path: '/_sandbox/report', body, headers });
  };

  it.each<[string, Buffer, string]>([
    ['a zip archive', zipOf([['traffic.har', WRONG]]), ZIP],
    ['gzip by name of JSON', gzipSync(WRONG), 'application/json'],
    ['UTF-16', Buffer.from(`\ufeff${WRONG}`, 'utf16le'), 'application/octet-stream'],
  ])('takes one as it lies in a file, or as it is sent: %s', async (_, body, type) => {
    const { status, json } = await sendBytes(body, type);
    expect([status, json]).toMatchObject([200, { verdict: 'fail', counts: { exchanges: 1, violation: 1 } }]);
  });

  it.each<[string, Buffer, number, string, coding?: string | undefined, type?: string]>([
    ['nothing', Buffer.alloc(0), 400, 'is missing; send an HTTP Archive (HAR)', undefined, 'application/json'],
    ['a coding', gzipSync(WRONG), 415, 'must not be sent; "gzip" was sent', 'gzip'],
    ['a text', Buffer.from(WRONG), 415, 'application/gzip, application/zip', undefined, 'text/plain'],
    [
      'a bomb',
      gzipSync('{"log":{"entries":["'.padEnd(70 * 2 ** 20, 'x')),
      400,
      'MiB on this server, also unpacked; record fewer requests',
    ],
  ])('rejects %s with its cause', async (_, body, status, message, coding, type = ZIP) => {
    const { json } = await sendBytes(body, type, coding);
    expect(json).toMatchObject({ status, message: expect.stringContaining(message) });
  });

  it('rejects a larger one with the command to use, an address that is none, and another media type', async () => {
    const client = await server.sandbox();
    const tooLarge = await post(client, harOf(`${BASE}/${'x'.repeat(1024 * 1024)}`));
    const command = expect.stringContaining('for a larger HAR, run: npx petstore-sandbox report --har FILE');
    expect(tooLarge.json).toMatchObject({ status: 413, message: command });
    const wrongBase = await post(client, PETS, `?base=${encodeURIComponent('https://[/v1')}`);
    expect(wrongBase.json).toMatchObject({ status: 400, message: expect.stringContaining('is an address') });
    expect((await client.post('/_sandbox/report', 'a: 1', { 'Content-Type': 'application/yaml' })).status).toBe(415);
  });
});
