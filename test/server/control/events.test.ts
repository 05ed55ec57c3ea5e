import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { Events } from '../../../src/traffic/events.ts';
import type { Client } from '../../support/client.ts';
import { EventStream } from '../../support/event-stream.ts';
import { heldClock } from '../../support/held-clock.ts';
import { startTestServer } from '../../support/server.ts';
import { limit } from '../../support/slow.ts';

const real = heldClock(Date.UTC(2026, 2, 2, 9, 30));

const server = await startTestServer({ clock: real, heartbeatMs: 50 });
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

const AT = '2026-03-02T09:30:00.000Z';

describe('the event stream', () => {
  it('is one of server-sent events, that nobody may keep; HEAD is answered at once', async () => {
    const client = await server.sandbox();
    const { response } = await listen(client);
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'x-accel-buffering': 'no',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'sandbox-request-id': expect.stringMatching(/^req_/),
    });
    const head = await client.send({ method: 'HEAD', path: '/_sandbox/events' });
    expect([head.status, head.headers['content-type']]).toEqual([200, 'text/event-stream']);
  });

  it('tells from its beginning on of each exchange as the request log has it, once it is validated', async () => {
    const client = await server.sandbox();
    await client.get('/v1/pets/1');
    const stream = await listen(client);
    const reply = await client.get('/v1/pets?limit=500');
    const { id, event, data } = await stream.next();
    expect([id, event]).toEqual([reply.requestId, 'exchange']);
    expect(data).toEqual((await client.get('/_sandbox/requests')).json.requests[0]);
    expect(data.violations).toMatchObject([{ location: 'query/limit', rule: 'maximum' }]);
    // Of what no operation matches too, and of no control.
    await client.get('/v1/nothing');
    expect((await stream.next()).data).toMatchObject({ target: '/v1/nothing', operation: null, validated: false });
  });

  it('keeps the order of the request log, whether verdicts were known before or not', async () => {
    const client = await server.sandbox();
    const stream = await listen(client);
    // Every other one is new to the validator.
    await client.getMany(200, (n) => (n % 2 ? '/v1/pets/1' : `/v1/pets?n=${n}`));
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

  it('tells of resets, clears, keys and drills, in their place, without an id', async () => {
    const client = await server.sandbox();
    const stream = await listen(client);
    await client.get('/v1/pets');
    await client.post('/_sandbox/reset', { fixture: 'empty' });
    await client.get('/v1/pets');
    const { id } = (await client.post('/_sandbox/keys', { shared: true, label: 'x' })).json;
    await client.delete(`/_sandbox/keys/${id}`);
    await client.post('/_sandbox/reset', { requestLog: true });
    await client.delete('/_sandbox/requests');
    await client.put('/_sandbox/drill', { drill: 'lost-create' });
    await client.delete('/_sandbox/drill');
    const told = await stream.take(12);
    expect(told.map(({ event, data }) => [event, event === 'exchange' ? data.target : data])).toEqual([
      ['exchange', '/v1/pets'],
      ['reset', { at: AT, to: { fixture: 'empty' } }],
      ['exchange', '/v1/pets'],
      ['key', { at: AT, action: 'shared', id }],
      ['key', { at: AT, action: 'revoked', id }],
      ['reset', { at: AT, to: { fixture: 'empty' } }],
      ['cleared', { at: AT }],
      ['cleared', { at: AT }],
      ['reset', { at: AT, to: { fixture: 'default' } }],
      ['cleared', { at: AT }],
      ['drill', { at: AT, drill: 'lost-create' }],
      ['drill', { at: AT, drill: null }],
    ]);
    for (const { event, id } of told) expect([event, id !== undefined]).toEqual([event, event === 'exchange']);
  });

  it('tells of a reset after all that was answered before it', async () => {
    const client = await server.sandbox();
    const sandbox = server.sandboxes.get((await client.get('/_sandbox')).json.id) as Sandbox;
    const stream = await listen(client);
    // New to the validator, every one, and the reset does not wait for a connection: verdicts are still to come.
    await client.getMany(50, (n) => `/v1/pets?new=${n}&${'x'.repeat(3_000)}`);
    await server.sandboxes.reset(sandbox, { fixture: 'empty' });
    const told = await stream.take(51);
    expect(told.findIndex(({ event }) => event === 'reset')).toBe(50);
  });
});

describe('a stream that is taken up again', () => {
  it('tells first what was missed, and all that is kept where the last one is not known; nothing twice', async () => {
    const client = await server.sandbox();
    const { requestId } = await client.get('/v1/pets/1');
    await client.get('/v1/pets/2');
    const open = (last: string) => listen(client, { headers: { 'Last-Event-ID': last } });
    const [known, ...others] = [await open(requestId), await open('req_0000000000000000'), await open('anything else')];
    await client.get('/v1/pets/3');
    expect(await targetsOf(known, 2)).toEqual(['/v1/pets/2', '/v1/pets/3']);
    for (const each of others) expect(await targetsOf(each, 3)).toEqual([1, 2, 3].map((n) => `/v1/pets/${n}`));
  });
});

it('tells all that are kept', async () => {
  const client = await patient.sandbox();
  const first = await client.get('/v1/pets?limti=1');
  await client.getMany(1_100, (n) => `/v1/pets/${n % 50}`);
  const stream = await listen(client, { headers: { 'Last-Event-ID': first.requestId } });
  const told = (await stream.take(1_100)).map(({ id }) => id).slice(-1_000);
  const { requests } = (await client.get('/_sandbox/requests?limit=1000')).json;
  expect(told).toEqual(requests.map(({ id }: { id: string }) => id).reverse());
});

it('signs of life come at each interval', async () => {
  const stream = await listen(await server.sandbox());
  await until(() => stream.comments.filter((comment) => comment === 'still here').length >= 3);
  expect(stream.comments[0]).toBe('the events of this sandbox');
});

describe('the end', () => {
  it('comes with that of the key: at once where it is revoked; and with that of the sandbox', async () => {
    const client = await patient.sandbox();
    const { id, key } = (await client.post('/_sandbox/keys', { shared: true })).json;
    const [kept, revoked] = [await listen(client), await listen(patient.client(key))];
    await client.delete(`/_sandbox/keys/${id}`);
    await revoked.ended;
    expect((await kept.next()).data).toMatchObject({ action: 'revoked', id });
    await client.delete('/_sandbox');
    await kept.ended;
    expect(kept.response.complete).toBe(true);
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
    await listen(client, { paused: true });
    const long = `/v1/pets?x=${'y'.repeat(12_000)}`;
    await client.getMany(900, () => long);
    const before = performance.now();
    await own.close();
    expect(performance.now() - before).toBeLessThan(limit(2_000));
    await reader.ended;
    expect(reader.response.complete).toBe(true);
  });
});

// Each server has so many.
describe('the number of streams', () => {
  /** Opens a stream as soon as another has left. */
  const reopen = async (client: Client): Promise<void> => {
    while ((await listen(client)).response.statusCode !== 200);
  };

  it('is 8 for a sandbox, until a reader has left', async () => {
    const client = await server.sandbox();
    const streams = [];
    for (let i = 0; i < 8; i++) streams.push(await listen(client));
    const message = 'a sandbox has 8 event streams at most; close one first';
    expect((await client.get('/_sandbox/events')).json).toEqual({ status: 409, code: 'limit_reached', message });
    await listen(await server.sandbox());
    streams[0]?.close();
    await reopen(client);
  });

  it('is 256 for all together', async () => {
    for (let i = 0; i < 32; i++) {
      const client = await patient.sandbox();
      await Promise.all(Array.from({ length: 8 }, () => listen(client)));
    }
    const one = await patient.sandbox();
    const message = 'the server has 256 event streams at most; close one first';
    expect((await one.get('/_sandbox/events')).json).toMatchObject({ status: 409, message });
    open[0]?.close();
    await reopen(one);
  });
});

it('a stream is not begun any more once the server stops', () => {
  const events = new Events((text) => text);
  const nothing = () => undefined;
  const listener = { seesUnmatched: false, wake: nothing, notify: nothing, notifyUnmatched: nothing, end: vi.fn() };
  events.listen({ id: 'sbx_one' }, listener);
  events.close();
  expect(listener.end).toHaveBeenCalledOnce();
  expect(() => events.listen({ id: 'sbx_two' }, listener)).toThrow(expect.objectContaining({ code: 'shutting_down' }));
});
