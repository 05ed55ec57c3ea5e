import { afterEach, describe, expect, it, vi } from 'vitest';
import { Events } from '../../src/requests/events.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import type { Client } from '../support/client.ts';
import { EventStream } from '../support/event-stream.ts';
import { heldClock } from '../support/held-clock.ts';
import { areTwo, startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';

const HEARTBEAT = 50;

const real = heldClock(Date.UTC(2026, 2, 2, 9, 30));

const server = await startTestServer({ clock: real, heartbeatMs: HEARTBEAT });
const patient = await startTestServer({ heartbeatMs: 60_000 });

const open: EventStream[] = [];
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

/**
 * A stream that the test need not close. What an earlier test sent without a key is not in it: its events come late, to
 * all listeners.
 */
async function listen(
  { url, key }: Client,
  { headers = {}, ...rest }: { headers?: Record<string, string>; path?: string; paused?: boolean } = {},
): Promise<EventStream> {
  const stream = await EventStream.open(url, {
    headers: { Authorization: `Bearer ${key}`, ...headers },
    skipped: 'unmatched',
    ...rest,
  });
  open.push(stream);
  return stream;
}

/** The targets of the next requests. */
const targetsOf = async (stream: EventStream, count: number): Promise<string[]> =>
  (await stream.take(count)).map(({ data }) => data.target);

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
};

describe('the event stream', () => {
  it('is one of server-sent events, that nobody may keep', async () => {
    const { response } = await listen(await server.sandbox());
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'sandbox-request-id': expect.stringMatching(/^req_/),
    });
  });

  it('tells of each exchange as the request log has it, once it is validated', async () => {
    const client = await server.sandbox();
    const stream = await listen(client);
    const reply = await client.get('/v1/pets?limit=500');
    const { id, event, data } = await stream.next();
    expect([id, event]).toEqual([reply.requestId, 'exchange']);
    expect(data).toEqual((await client.get('/_sandbox/requests')).json.requests[0]);
    expect(data.violations).toMatchObject([{ location: 'query/limit', rule: 'maximum' }]);
  });

  it('tells of what no operation matches too, and of no control', async () => {
    const client = await server.sandbox();
    const stream = await listen(client);
    await client.get('/_sandbox');
    await client.get('/v1/nothing');
    expect((await stream.next()).data).toMatchObject({ target: '/v1/nothing', operation: null, validated: false });
  });

  it('begins with what comes after it was opened', async () => {
    const client = await server.sandbox();
    await client.get('/v1/pets/1');
    const stream = await listen(client);
    await client.get('/v1/pets/2');
    expect((await stream.next()).data.target).toBe('/v1/pets/2');
  });

  it('keeps the order of the request log, whether verdicts were known before or not', async () => {
    const client = await server.sandbox();
    const stream = await listen(client);
    // Every other one is new to the validator.
    await Promise.all(Array.from({ length: 200 }, (_, i) => client.get(i % 2 ? '/v1/pets/1' : `/v1/pets?n=${i}`)));
    const told = (await stream.take(200)).map(({ data }) => data);
    expect(told).toEqual((await client.get('/_sandbox/requests?limit=1000')).json.requests.reverse());
  });

  it('is one for each sandbox', async () => {
    const [one, other] = [await server.sandbox(), await server.sandbox()];
    const [ofOne, ofOther] = [await listen(one), await listen(other)];
    await Promise.all(Array.from({ length: 40 }, (_, i) => (i % 2 ? one : other).get(`/v1/pets/${i % 2}`)));
    await one.post('/_sandbox/reset');
    await other.get('/v1/pets/7');
    const told = await ofOne.take(21);
    expect(new Set(told.slice(0, 20).map(({ data }) => data.target))).toEqual(new Set(['/v1/pets/1']));
    expect(told[20]?.event).toBe('reset');
    const others = await ofOther.take(21);
    expect(new Set(others.map(({ data }) => data.target))).toEqual(new Set(['/v1/pets/0', '/v1/pets/7']));
    expect(ofOne.waiting).toEqual([]);
  });

  it('tells of resets, clears and keys, in their place, without an id', async () => {
    const client = await server.sandbox();
    const stream = await listen(client);
    await client.get('/v1/pets');
    await client.post('/_sandbox/reset', { fixture: 'empty' });
    await client.get('/v1/pets');
    const shared = (await client.post('/_sandbox/keys', { shared: true, label: 'x' })).json;
    await client.delete(`/_sandbox/keys/${shared.id}`);
    await client.post('/_sandbox/reset', { requestLog: true });
    await client.delete('/_sandbox/requests');
    const at = '2026-03-02T09:30:00.000Z';
    const told = await stream.take(8);
    expect(told.map(({ event, data }) => [event, event === 'exchange' ? data.target : data])).toEqual([
      ['exchange', '/v1/pets'],
      ['reset', { at, to: { fixture: 'empty' } }],
      ['exchange', '/v1/pets'],
      ['key', { at, action: 'shared', id: shared.id }],
      ['key', { at, action: 'revoked', id: shared.id }],
      ['reset', { at, to: { fixture: 'empty' } }],
      ['cleared', { at }],
      ['cleared', { at }],
    ]);
    expect(told.map(({ id }) => id !== undefined)).toEqual([true, false, true, false, false, false, false, false]);
  });

  it('tells of the start and the end of a drill, which the sandbox shows meanwhile', async () => {
    const client = await server.sandbox();
    const stream = await listen(client);
    const running = async (): Promise<unknown> => (await client.get('/_sandbox')).json.drill;
    await client.put('/_sandbox/drill', { drill: 'lost-create' });
    expect(await running()).toBe('lost-create');
    await client.delete('/_sandbox/drill');
    expect(await running()).toBeNull();
    const at = '2026-03-02T09:30:00.000Z';
    expect((await stream.take(4)).map(({ event, data }) => [event, data])).toEqual([
      ['reset', { at, to: { fixture: 'default' } }],
      ['cleared', { at }],
      ['drill', { at, drill: 'lost-create' }],
      ['drill', { at, drill: null }],
    ]);
  });

  it('tells of a reset after all that was answered before it', async () => {
    const client = await server.sandbox();
    const sandbox = server.sandboxes.get((await client.get('/_sandbox')).json.id) as Sandbox;
    const stream = await listen(client);
    // New to the validator, every one, and the reset does not wait for a connection: verdicts are still to come.
    const answered = Array.from({ length: 50 }, (_, i) => client.get(`/v1/pets?new=${i}&${'x'.repeat(3_000)}`));
    await Promise.all(answered);
    await server.sandboxes.reset(sandbox, { fixture: 'empty' });
    const told = await stream.take(51);
    expect(told.findIndex(({ event }) => event === 'reset')).toBe(50);
  });

  it('is open to the admin, and to no page of another site', async () => {
    const client = await server.sandbox();
    const { id } = (await client.get('/_sandbox')).json;
    const stream = await listen(server.client(server.adminToken), { path: `/_sandbox/events?sandbox=${id}` });
    await client.get('/v1/pets');
    expect((await stream.next()).event).toBe('exchange');
    expect((await server.client().get('/_sandbox/events')).status).toBe(401);
    expect((await client.get('/_sandbox/events', { Origin: 'http://elsewhere.test' })).status).toBe(403);
  });

  it('answers HEAD at once', async () => {
    const client = await server.sandbox();
    const reply = await client.send({ method: 'HEAD', path: '/_sandbox/events' });
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/event-stream']);
  });
});

describe('a stream that is taken up again', () => {
  it('tells first what was missed, and nothing twice', async () => {
    const client = await server.sandbox();
    const stream = await listen(client);
    await client.get('/v1/pets/1');
    const last = (await stream.next()).id as string;
    stream.close();
    await client.get('/v1/pets/2');
    await client.get('/v1/pets/3');
    const again = await listen(client, { headers: { 'Last-Event-ID': last } });
    await client.get('/v1/pets/4');
    expect(await targetsOf(again, 3)).toEqual(['/v1/pets/2', '/v1/pets/3', '/v1/pets/4']);
  });

  it.each(['req_0000000000000000', 'anything else'])(
    'tells all that is kept where the last one was %s',
    async (last) => {
      const client = await server.sandbox();
      await client.get('/v1/pets/1');
      await client.get('/v1/pets/2');
      const stream = await listen(client, { headers: { 'Last-Event-ID': last } });
      expect(await targetsOf(stream, 2)).toEqual(['/v1/pets/1', '/v1/pets/2']);
    },
  );

  it('tells the thousand that are kept', async () => {
    const client = await patient.sandbox();
    const first = await client.get('/v1/pets?limti=1');
    await client.getMany(1_100, (n) => `/v1/pets/${n % 50}`);
    const stream = await listen(client, { headers: { 'Last-Event-ID': first.requestId } });
    const told = (await stream.take(1_000)).map(({ id }) => id);
    const { requests } = (await client.get('/_sandbox/requests?limit=1000')).json;
    expect(told).toEqual(requests.map(({ id }: { id: string }) => id).reverse());
  });
});

describe('signs of life', () => {
  it('come at each interval', async () => {
    const stream = await listen(await server.sandbox());
    await until(() => stream.comments.filter((comment) => comment === 'still here').length >= 3);
    expect(stream.comments[0]).toBe('the events of this sandbox');
  });
});

describe('the end', () => {
  it('comes with that of the sandbox', async () => {
    const client = await server.sandbox();
    const stream = await listen(client);
    await client.delete('/_sandbox');
    await stream.ended;
    expect(stream.response.complete).toBe(true);
  });

  it('comes with that of the key: at once where it is revoked', async () => {
    const client = await patient.sandbox();
    const { id, key } = (await client.post('/_sandbox/keys', { shared: true })).json;
    const [kept, revoked] = [await listen(client), await listen(patient.client(key))];
    await client.delete(`/_sandbox/keys/${id}`);
    await revoked.ended;
    expect((await kept.next()).data).toMatchObject({ action: 'revoked', id });
  });

  it('comes with that of the key: with the next sign of life where it expires', async () => {
    const client = await server.sandbox();
    const brief = (await client.post('/_sandbox/keys', { shared: true, ttlSeconds: 60 })).json;
    const [kept, expired] = [await listen(client), await listen(server.client(brief.key))];
    real.time += 60_000;
    await expired.ended;
    real.time -= 60_000;
    await client.get('/v1/pets');
    await until(() => kept.waiting.length > 0);
    expect(kept.response.complete).toBe(false);
  });

  it('comes with that of the server, soon, also for a reader that does not read', async () => {
    const own = await startTestServer();
    const client = await own.sandbox();
    const reader = await listen(client);
    const slow = await listen(client, { paused: true });
    const long = `/v1/pets?x=${'y'.repeat(12_000)}`;
    await client.getMany(900, () => long);
    const before = performance.now();
    await own.close();
    expect(performance.now() - before).toBeLessThan(limit(2_000));
    await reader.ended;
    expect(reader.response.complete).toBe(true);
    slow.close();
  });

  // Each server has so many.
  it.skipIf(areTwo)('is rejected no longer once a reader has left', async () => {
    const client = await server.sandbox();
    const streams = [];
    for (let i = 0; i < 8; i++) streams.push(await listen(client));
    const rejected = await client.get('/_sandbox/events');
    expect([rejected.status, rejected.json]).toMatchObject([
      409,
      { code: 'limit_reached', message: 'a sandbox has 8 event streams at most; close one first' },
    ]);
    await listen(await server.sandbox());
    streams[0]?.close();
    let reopened: EventStream | undefined;
    while (reopened?.response.statusCode !== 200) reopened = await listen(client);
  });
});

describe('all streams together', () => {
  // Each server has so many.
  it.skipIf(areTwo)('are 256 at most', async () => {
    for (let i = 0; i < 32; i++) {
      const client = await patient.sandbox();
      await Promise.all(Array.from({ length: 8 }, () => listen(client)));
    }
    const one = await patient.sandbox();
    const rejected = await one.get('/_sandbox/events');
    expect([rejected.status, rejected.json.message]).toEqual([
      409,
      'the server has 256 event streams at most; close one first',
    ]);
    open[0]?.close();
    let last: EventStream | undefined;
    while (last?.response.statusCode !== 200) last = await listen(one);
  });

  it('are not begun any more once the server stops', () => {
    const events = new Events((text) => text);
    const listener = {
      seesUnmatched: false,
      wake: () => undefined,
      notify: () => undefined,
      notifyUnmatched: () => undefined,
      end: vi.fn(),
    };
    events.listen({ id: 'sbx_one' }, listener);
    events.close();
    expect(listener.end).toHaveBeenCalledOnce();
    expect(() => events.listen({ id: 'sbx_two' }, listener)).toThrow(
      expect.objectContaining({ code: 'shutting_down' }),
    );
  });
});
