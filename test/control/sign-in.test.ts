/** Links that sign in to the dashboard: a code works once, within minutes, and opens the sandbox of its key alone. */
import { beforeEach, expect, it } from 'vitest';
import { type Client, send } from '../support/client.ts';
import { heldClock } from '../support/held-clock.ts';
import { areTwo, startTestServer } from '../support/server.ts';

const AT = Date.UTC(2026, 2, 2, 9, 30);
const MINUTE = 60_000;
const ADMIN = 'the-admin-token-0123456789';

const clock = heldClock(AT);
const server = await startTestServer({ settings: { adminToken: ADMIN }, clock });
beforeEach(() => {
  clock.time = AT;
});

const codeOf = async (client: Client): Promise<string> => (await client.post('/_sandbox/sign-in-codes')).json.code;
const redeem = async (code: unknown) => {
  const { status, json } = await server.client().post('/_sandbox/sign-in', { code });
  return status === 200 ? json.key : status;
};

// Codes are in the memory of one server.
it.skipIf(areTwo)('a link contains a code and no key, and the code gives the key once', async () => {
  const client = await server.sandbox();
  const { status, json, text } = await client.post('/_sandbox/sign-in-codes');
  expect([status, json.url, json.expiresAt]).toEqual([
    201,
    `${server.url}/#/sign-in/${json.code}`,
    '2026-03-02T09:40:00.000Z',
  ]);
  expect(text).not.toContain(client.key);
  expect(await redeem(json.code)).toBe(client.key);
  expect(await redeem(json.code)).toBe(404);
});

it.skipIf(areTwo)('a code expires by the clock', async () => {
  const client = await server.sandbox({ ttlSeconds: 3600 });
  const [early, late] = [await codeOf(client), await codeOf(client)];
  clock.time += 10 * MINUTE - 1;
  expect(await redeem(early)).toBe(client.key);
  clock.time += 1;
  expect(await redeem(late)).toBe(404);
});

it.skipIf(areTwo)('each sandbox keeps eight codes, and those of others are not touched', async () => {
  const [one, other] = [await server.sandbox(), await server.sandbox()];
  const kept = await codeOf(other);
  const codes: string[] = [];
  for (let n = 0; n < 9; n += 1) codes.push(await codeOf(one));
  expect(await redeem(codes[0])).toBe(404);
  for (const code of codes.slice(1)) expect(await redeem(code)).toBe(one.key);
  expect(await redeem(kept)).toBe(other.key);
});

it.skipIf(areTwo)(
  'a code of a key that was revoked gives nothing, and one made by a handle gives the key',
  async () => {
    const issued = (await server.client().post('/_sandbox/keys', {})).json;
    const client = server.client(issued.key);
    const shared = (await client.post('/_sandbox/keys', { shared: true })).json;
    const code = await codeOf(server.client(shared.key));
    await client.delete(`/_sandbox/keys/${shared.id}`);
    expect(await redeem(code)).toBe(404);
    expect(await redeem(await codeOf(server.client(issued.handle)))).toBe(issued.key);
  },
);

it('a code needs a key; the admin token, a wrong code and a page of another site get nothing', async () => {
  const client = await server.sandbox();
  expect((await server.client().post('/_sandbox/sign-in-codes')).status).toBe(401);
  expect((await server.client(ADMIN).post('/_sandbox/sign-in-codes')).status).toBe(403);
  expect(await redeem('x'.repeat(26))).toBe(404);
  expect(await redeem('x')).toBe(400);
  const code = await codeOf(client);
  const headers = { Origin: 'https://evil.example', 'Content-Type': 'application/json' };
  const body = JSON.stringify({ code });
  expect((await send(server.url, { method: 'POST', path: '/_sandbox/sign-in', headers, body })).status).toBe(403);
});
