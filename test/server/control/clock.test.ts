import { beforeEach, describe, expect, it } from 'vitest';
import type { Client, Reply } from '../../support/client.ts';
import { heldClock } from '../../support/held-clock.ts';
import { startTestServer } from '../../support/server.ts';

const REMOVAL = '2030-12-05T00:00:00Z';
const START = Date.UTC(2026, 0, 31, 12);

const real = heldClock(START);
/** How far real time goes whenever it is read. */
let step = 0;

const server = await startTestServer({ clock: { now: () => (real.time += step) } });
beforeEach(() => {
  real.time = START;
  step = 0;
});

const put = (client: Client, body: unknown): Promise<Reply> => client.put('/_sandbox/clock', body);
const advance = (client: Client, by: unknown): Promise<Reply> =>
  client.post('/_sandbox/clock/advance', { duration: by });
const read = async (client: Client): Promise<unknown> => (await client.get('/_sandbox/clock')).json;

describe('the clock of a sandbox', () => {
  it('answers with the very time that it was set to, however fast real time goes', async () => {
    const client = await server.sandbox();
    step = 1;
    for (let i = 0; i < 20; i++) {
      expect((await put(client, { now: REMOVAL })).json.now).toBe('2030-12-05T00:00:00.000Z');
    }
  });

  it('stands still when frozen, and goes on from there', async () => {
    const client = await server.sandbox();
    expect((await put(client, { frozen: true })).json).toEqual({ now: '2026-01-31T12:00:00.000Z', frozen: true });
    real.time += 5000;
    expect(await read(client)).toEqual({ now: '2026-01-31T12:00:00.000Z', frozen: true });
    const [now, then] = ['2029-01-01T00:00:00Z', '2029-01-01T00:00:00.000Z'];
    expect((await put(client, { now })).json).toEqual({ now: then, frozen: true });
    expect((await put(client, { frozen: false })).json).toEqual({ now: then, frozen: false });
    real.time += 1000;
    expect(await read(client)).toEqual({ now: '2029-01-01T00:00:01.000Z', frozen: false });
  });

  it.each([
    ['2030-01-31T12:00:00Z', 'P1M', '2030-02-28T12:00:00.000Z'],
    ['2028-01-31T12:00:00Z', 'P1M', '2028-02-29T12:00:00.000Z'],
    ['2026-03-01T00:00:00Z', 'P1Y2M3W4DT5H6M7.5S', '2027-05-26T05:06:07.500Z'],
    // A day has 24 hours wherever the server stands: in New York this night has 23.
    ['2026-03-08T00:00:00-05:00', 'P1D', '2026-03-09T05:00:00.000Z'],
    ['2026-01-01T00:00:00Z', 'P1WT0,5H', '2026-01-08T00:30:00.000Z'],
  ])('frozen at %s goes forward by %s to %s', async (now, by, then) => {
    const client = await server.sandbox();
    await put(client, { now, frozen: true });
    const advanced = await advance(client, by);
    expect([advanced.status, advanced.json]).toEqual([200, { now: then, frozen: true }]);
  });

  it('goes no further than from 1970 to 9999: what leads out of it is 409, and at the end it stops', async () => {
    const client = await server.sandbox();
    const beyond = [
      await put(client, { now: '9999-12-31T23:59:59-01:00' }),
      await put(client, { now: '1970-01-01T00:00:00+01:00' }),
      await advance(client, 'P8000Y'),
      await advance(client, 'P999999999Y'),
    ];
    for (const { status, json } of beyond) {
      expect([status, json.code]).toEqual([409, 'limit_reached']);
      expect(json.message).toMatch(/^body\/(now|duration): the clock goes from 1970/);
    }
    expect(await read(client)).toEqual({ now: '2026-01-31T12:00:00.000Z', frozen: false });
    await put(client, { now: '9999-12-31T23:59:59.999Z' });
    real.time += 10;
    expect(await read(client)).toEqual({ now: '9999-12-31T23:59:59.999Z', frozen: false });
  });
});

describe('the API follows it', () => {
  it('but keys, the control API and the Date header follow real time', async () => {
    const client = await server.sandbox({ ttlSeconds: 60 });
    const { createdAt, expiresAt, lastUsedAt } = (await client.get('/_sandbox')).json;
    await put(client, { now: '2040-01-01T00:00:00Z' });
    const listed = await client.get('/v1/pets');
    expect(listed.status).toBe(200);
    expect(Math.abs(Date.parse(listed.headers['date'] as string) - Date.now())).toBeLessThan(60_000);
    expect((await client.get('/_sandbox')).json).toMatchObject({ createdAt, expiresAt, lastUsedAt });
    const saved = await client.post('/_sandbox/snapshots', { name: 's' });
    expect(saved.json.createdAt).toBe('2026-01-31T12:00:00.000Z');
  });
});
