/** What stops working for a client on a date: `GET /_sandbox/preview`. */
import { expect, it } from 'vitest';
import type { Preview } from '../../../src/verdict/drafts/preview.ts';
import type { Client } from '../../support/client.ts';
import { heldClock } from '../../support/held-clock.ts';
import { startTestServer } from '../../support/server.ts';
import { KINDS } from '../report/clients.ts';

const server = await startTestServer({ clock: heldClock(Date.UTC(2026, 10, 22)) });

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

it('the preview of a date lists every call of an operation that is removed by then, with what to send instead', async () => {
  const client = await server.sandbox();
  await client.get('/v1/pets?limit=2');
  const ids: string[] = [];
  for (const path of ['/v1/pets/1', '/v1/pets/404404', '/v1/pets/abc']) {
    const headers = { 'User-Agent': `shop/${path.length}`, 'Sandbox-Expect': 'invalid' };
    ids.push((await client.get(path, headers)).requestId);
  }
  await client.get('/v1/pets?limit=500');
  expect(await previewOf(client)).toMatchObject({
    verdict: 'fail',
    reasons: ['3 requests fail'],
    date: '2030-12-05',
    daysLeft: 1474,
    draft: null,
    requests: { total: 5, failing: 3, failingAlready: 2, notExamined: 0 },
    findings: [
      {
        kind: 'stopsWorking',
        level: 'error',
        operation: 'getPet',
        rule: 'request/removed',
        location: 'operation',
        pointer: '#/paths/~1pets~1{petId}/get',
        message: 'is removed on 2030-12-05',
        count: 3,
        requests: ids,
        last: ids[2],
        lines: [{ at: '2026-11-22T00:00:00.000Z' }, { id: ids[2] }],
        sample: {
          ...{ request: 'GET /v1/pets/1', status: 200, action: 'replace' },
          ...{ sent: 'GET /v1/pets/1', instead: 'GET /v1/pets?limit=100' },
        },
      },
      { message: "2 requests already break today's specification; see the contract report" },
      { kind: 'note', message: 'requests that stop working are from shop/10, shop/15, shop/12' },
    ],
  });
});

it('the preview of a date passes for a client that uses nothing of what is removed, and names that in one line', async () => {
  const preview = await previewOf(await clientThat('passes the contract check'));
  const unused = {
    kind: 'unusedChange',
    level: 'note',
    operation: 'getPet',
    message: expect.stringMatching('^removed'),
  };
  expect(preview).toMatchObject({ verdict: 'pass', reasons: [], findings: [unused] });
});

it('the preview of a date finds nothing on the day before, and nothing without a further change', async () => {
  const client = await clientThat('sees every documented response');
  expect(await previewOf(client, '?at=2030-12-04')).toMatchObject({
    verdict: 'pass',
    daysLeft: 1473,
    findings: [{ kind: 'note' }],
  });
  expect((await previewOf(client, '?at=2030-12-05')).verdict).toBe('fail');
  await client.put('/_sandbox/clock', { now: '2030-12-05T00:00:00Z' });
  expect(await previewOf(client)).toMatchObject({ verdict: 'pass', date: null, daysLeft: null });
  expect(await previewOf(client, '?at=2030-12-05')).toMatchObject({ verdict: 'fail', daysLeft: 0 });
});

it('the preview of a date is incomplete where no request was seen, or older ones were dropped', async () => {
  const client = await server.sandbox();
  expect(await previewOf(client)).toMatchObject({ verdict: 'incomplete', reasons: ['no request was seen'] });
  await client.getMany(10_001, () => '/v1/pets?limit=1');
  const reasons = ['1 older request left the request log; clear it before a test, or ask for one run'];
  expect(await previewOf(client)).toMatchObject({ verdict: 'incomplete', reasons });
});

it.each([
  ['at=2030-02-30', 'query/at is a date, like 2030-12-05'],
  ['at=tomorrow', 'query/at is a date, like 2030-12-05'],
])('the preview of a date rejects %s', async (query, message) => {
  const { status, json } = await (await server.sandbox()).get(`/_sandbox/preview?${query}`);
  expect([status, json.message]).toEqual([400, expect.stringContaining(message)]);
});
