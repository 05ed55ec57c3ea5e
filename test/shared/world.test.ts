/** What two servers on one store do together: each request goes to the next of them. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { addPeers } from '../support/peers.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const ADMIN = 'admin-token-for-tests-only';
let engine: TestEngine;
let a: TestServer;
let b: TestServer;

beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

beforeEach(async () => {
  const store = engine.address();
  const settings = { store, adminToken: ADMIN };
  [a, b] = await Promise.all([startTestServer({ settings }), startTestServer({ settings })]);
  addPeers([a.url, b.url]);
});

const client = async (): Promise<Client> => {
  const issued = await new Client(a.url).send({
    method: 'POST',
    path: '/_sandbox/keys',
    headers: { 'Content-Type': 'application/json' },
    body: '{"label":"two servers"}',
  });
  expect(issued.status).toBe(201);
  return new Client(a.url, issued.json.key);
};
const json = { 'Content-Type': 'application/json' };
const create = (who: Client, name: string) =>
  who.send({ method: 'POST', path: '/v1/pets', headers: json, body: `{"name":"${name}","categoryId":1}` });

describe('two servers on one store', () => {
  it('list what the other one created, with ids in sequence', async () => {
    const who = await client();
    const ids: number[] = [];
    for (let n = 0; n < 6; n++) ids.push((await create(who, `Pet ${n}`)).json.id);
    expect(ids).toEqual([13, 14, 15, 16, 17, 18]);
    for (let n = 0; n < 4; n++) {
      const list = await who.get('/v1/pets?limit=100');
      expect(list.json).toHaveLength(18);
    }
  });

  it('give out every id once under 500 concurrent creates', async () => {
    const who = await client();
    const replies = await Promise.all(Array.from({ length: 500 }, (_, n) => create(who, `Pet ${n}`)));
    const ids = replies.map((reply) => reply.json.id as number).sort((x, y) => x - y);
    expect(ids).toEqual(Array.from({ length: 500 }, (_, n) => 13 + n));
  });

  it('show a whole journal to whoever asks', async () => {
    const who = await client();
    for (let n = 0; n < 7; n++) await create(who, `Pet ${n}`);
    for (let n = 0; n < 2; n++) {
      const { json: found } = await who.get('/_sandbox/requests?limit=100');
      expect(found.total).toBe(7);
      expect(found.requests.every((each: { refereed: boolean }) => each.refereed)).toBe(true);
    }
    const report = await who.get('/_sandbox/report');
    expect(report.json.totals.exchanges).toBe(7);
  });
});
