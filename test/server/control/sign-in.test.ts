/** Links that sign in to the dashboard: a code works once, within an hour, and opens the sandbox of its key alone. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../support/client.ts';
import { heldClock } from '../../support/held-clock.ts';
import { startTestServer } from '../../support/server.ts';

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
describe('a code', () => {
  it('is in a link without the key, and gives the key once', async () => {
    const client = await server.sandbox();
    const { status, json, text } = await client.post('/_sandbox/sign-in-codes');
    const { id } = (await client.get('/_sandbox')).json;
    const link = { url: `${server.url}/${id}/#/sign-in/${json.code}`, expiresAt: '2026-03-02T10:30:00.000Z' };
    expect([status, json]).toMatchObject([201, link]);
    expect(text).not.toContain(client.key);
    expect(await redeem(json.code)).toBe(client.key);
    expect(await redeem(json.code)).toBe(404);
  });

  it('expires by the clock', async () => {
    const client = await server.sandbox({ ttlSeconds: 7200 });
    const [early, late] = [await codeOf(client), await codeOf(client)];
    clock.time += 60 * MINUTE - 1;
    expect(await redeem(early)).toBe(client.key);
    clock.time += 1;
    expect(await redeem(late)).toBe(404);
  });

  it('is one of eight that its sandbox keeps, and those of others are not touched', async () => {
    const [one, other] = [await server.sandbox(), await server.sandbox()];
    const kept = await codeOf(other);
    const codes: string[] = [];
    for (let n = 0; n < 9; n += 1) codes.push(await codeOf(one));
    expect(await redeem(codes[0])).toBe(404);
    for (const code of codes.slice(1)) expect(await redeem(code)).toBe(one.key);
    expect(await redeem(kept)).toBe(other.key);
  });

  it('of a key that was revoked gives nothing, and one made by a handle gives the key', async () => {
    const issued = (await server.client().post('/_sandbox/keys', {})).json;
    const client = server.client(issued.key);
    const shared = (await client.post('/_sandbox/keys', { shared: true })).json;
    const code = await codeOf(server.client(shared.key));
    await client.delete(`/_sandbox/keys/${shared.id}`);
    expect(await redeem(code)).toBe(404);
    expect(await redeem(await codeOf(server.client(issued.handle)))).toBe(issued.key);
  });
});

it('the admin token, and what is no code, get nothing', async () => {
  expect((await server.client(ADMIN).post('/_sandbox/sign-in-codes')).status).toBe(403);
  expect([await redeem('x'.repeat(26)), await redeem('x')]).toEqual([404, 400]);
});
