/** What stops working for a client on a date: `GET /_sandbox/preview`. */
import { describe, expect, it } from 'vitest';
import { FORMATS, type FormatName, formatNames } from '../../src/report/formats/formats.ts';
import type { Preview } from '../../src/report/preview.ts';
import type { Client } from '../support/client.ts';
import { heldClock } from '../support/held-clock.ts';
import { startTestServer } from '../support/server.ts';
import { KINDS } from './clients.ts';

const NOW = Date.UTC(2026, 10, 22);
const server = await startTestServer({ clock: heldClock(NOW) });

async function clientThat(kind: string): Promise<Client> {
  const client = await server.sandbox();
  await KINDS[kind]?.(client);
  return client;
}

const previewOf = async (client: Client, query = ''): Promise<Preview> => {
  const reply = await client.get(`/_sandbox/preview${query}`);
  expect(reply.status).toBe(200);
  return reply.json;
};

describe('the preview of a date', () => {
  it('lists every call of an operation that is removed by then, with what to send instead', async () => {
    const client = await server.sandbox();
    await client.get('/v1/pets?limit=2');
    const ids: (string | undefined)[] = [];
    for (const path of ['/v1/pets/1', '/v1/pets/404404', '/v1/pets/abc']) {
      const { headers } = await client.get(path, { 'User-Agent': `shop/${path.length}`, 'Sandbox-Expect': 'invalid' });
      ids.push(headers['sandbox-request-id'] as string);
    }
    await client.get('/v1/pets?limit=500');
    const preview = await previewOf(client);
    expect(preview).toMatchObject({
      verdict: 'fail',
      reasons: ['3 requests fail'],
      date: '2030-12-05',
      daysLeft: 1474,
      draft: null,
      requests: { total: 5, failing: 3, failingAlready: 2, notExamined: 0 },
      unused: [],
    });
    expect(preview.breaks).toMatchObject([
      {
        operation: 'getPet',
        rule: 'removed',
        location: 'operation',
        pointer: '#/paths/~1pets~1{petId}/get',
        message: 'getPet is removed on 2030-12-05',
        instead: 'GET /v1/pets?status=available&limit=100',
        count: 3,
        requests: ids,
        last: ids[2],
        firstAt: '2026-11-22T00:00:00.000Z',
        userAgents: ['shop/10', 'shop/15', 'shop/12'],
        sample: { request: 'GET /v1/pets/1', status: 200 },
      },
    ]);
  });

  it('passes for a client that uses nothing of what is removed, and names that in one line', async () => {
    const preview = await previewOf(await clientThat('passes the contract check'));
    expect(preview).toMatchObject({ verdict: 'pass', reasons: [], breaks: [], unused: ['getPet is removed'] });
  });

  it('finds nothing on the day before, and nothing without a further change', async () => {
    const client = await clientThat('sees every documented response');
    expect(await previewOf(client, '?at=2030-12-04')).toMatchObject({ verdict: 'pass', daysLeft: 1473, unused: [] });
    expect((await previewOf(client, '?at=2030-12-05')).verdict).toBe('fail');
    await client.put('/_sandbox/clock', { now: '2030-12-05T00:00:00Z' });
    expect(await previewOf(client)).toMatchObject({ verdict: 'pass', date: null, daysLeft: null });
    expect(await previewOf(client, '?at=2030-12-05')).toMatchObject({ verdict: 'fail', daysLeft: 0 });
  });

  it('does not count what the dashboard sends, and knows nothing of what matches no operation', async () => {
    const client = await clientThat('goes astray');
    await client.get('/v1/pets/1', { 'Sandbox-Source': 'dashboard' });
    expect(await previewOf(client)).toMatchObject({
      verdict: 'incomplete',
      requests: { total: 4, failing: 0, failingAlready: 3 },
    });
  });

  it('is incomplete where no request was seen, or older ones were dropped', async () => {
    const client = await server.sandbox();
    expect(await previewOf(client)).toMatchObject({ verdict: 'incomplete', reasons: ['no request was seen'] });
    for (let i = 0; i < 1_001; i += 1) await client.get('/v1/pets?limit=1');
    expect(await previewOf(client)).toMatchObject({
      verdict: 'incomplete',
      reasons: ['1 older request is no longer in the request log'],
    });
  });

  it.each(formatNames)('comes as %s', async (format: FormatName) => {
    const client = await server.sandbox();
    await client.get('/v1/pets/1');
    const { headers, text } = await client.get(`/_sandbox/preview?format=${format}`);
    expect(headers['content-type']).toBe(FORMATS[format].mediaType);
    expect(text).toContain('GET /v1/pets?status=available');
  });

  it.each([
    ['at=2030-02-30', 'query/at: must be a date, like 2030-12-05'],
    ['at=tomorrow', 'query/at: must be a date, like 2030-12-05'],
    ['on=2030-12-05', 'query/on'],
  ])('rejects %s', async (query, message) => {
    const client = await server.sandbox();
    const { status, json } = await client.get(`/_sandbox/preview?${query}`);
    expect(status).toBe(400);
    expect(json.message).toContain(message);
  });
});
