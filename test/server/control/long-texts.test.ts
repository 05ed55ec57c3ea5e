/** What a full request log makes is long: it is read and sent in parts, and other sandboxes go on. */
import { type IncomingMessage, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import type { Client } from '../../support/client.ts';
import { sharedServer } from '../../support/server.ts';
import { limit } from '../../support/slow.ts';

const REQUESTS = 1_000;
const LONG = `/v1/pets?limit=500&name=${'x'.repeat(15_000)}`;

const server = await sharedServer();
let client: Client;

beforeAll(async () => {
  client = await server.sandbox();
  await client.getMany(REQUESTS, () => LONG);
}, limit(120_000));

/** The response to a request, of which nothing is read yet. */
const begun = (path: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(client.url);
    const headers = { Authorization: `Bearer ${client.key}` };
    request({ hostname, port, path: `/_sandbox${path}`, headers }, resolve)
      .on('error', reject)
      .end();
  });

test('texts of many megabytes are made while they are sent, and are of one moment', {
  timeout: limit(60_000),
}, async () => {
  const paths = ['/export?format=har', '/export?format=curl', `/requests?limit=${REQUESTS}`];
  const responses = await Promise.all(paths.map(begun));
  await client.delete('/_sandbox/requests');
  const [har = '', script = '', list = ''] = await Promise.all(responses.map(textOf));

  const { log } = JSON.parse(har);
  // They are of the moment of the request.
  expect(log.entries.length).toBe(REQUESTS);

  expect(script.match(/^curl /gm)?.length).toBe(REQUESTS);

  const { requests, total } = JSON.parse(list);
  expect(total).toBe(REQUESTS);
  expect(requests.length).toBe(REQUESTS);
});
