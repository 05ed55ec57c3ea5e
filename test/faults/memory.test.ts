/**
 * With the memory of a small container: filled until it rejects, read, killed, and started again with as little. Every
 * time it comes up, with all that was acknowledged.
 */
import { describe, expect, test } from 'vitest';
import { Client, type Reply, send } from '../support/client.ts';
import { FILLINGS, type Filled, type Filling, fill } from '../support/fill.ts';
import type { Program } from '../support/program.ts';
import { KEY, memoryGroup, say } from './memory-group.ts';

/** Of many ids, this many are looked at. */
const LOOKED_AT = 40;

const expectRunning = ({ process: { exitCode, signalCode } }: Program): void =>
  expect([exitCode, signalCode]).toEqual([null, null]);

const addedTo = async (client: Client): Promise<number> => (await client.get('/_sandbox')).json.pets.added;

/** The smallest container that is promised. */
const LEAST = 256;
/** Filled once, or twice with a reset between: what the first filling took must be free for the second. */
const CASES: readonly [kind: keyof typeof FILLINGS, times: number][] = [
  ['pets made up, 10,000 at once', 2],
  ['names of 90 KB with a wide character', 1],
  ['names of 60 KB', 2],
  ['sandboxes', 1],
  ['recordings', 1],
];

describe('a server of 256 MiB', () => {
  test.for(CASES)('rejects %s before it is killed, and starts again', async ([kind, times], context) => {
    const filling: Filling = FILLINGS[kind];
    const program = await memoryGroup(LEAST, context);
    const first = await program.start();
    const client = new Client(first.url, KEY);
    const taken: number[] = [];
    let filled: Filled | undefined;
    while (taken.length < times) {
      if (filled) expect((await client.post('/_sandbox/reset', {})).status).toBe(200);
      filled = await fill(client, filling);
      expect(filled?.rejection.json).toMatchObject({ status: 409, code: 'limit_reached' });
      taken.push(filled?.done.length ?? 0);
    }
    const [least = 0, done = []] = [taken[0], filled?.done];
    expect(least).toBeGreaterThan(0);
    // Clients that send at once may be rejected a few steps earlier or later.
    expect(done.length).toBeGreaterThan(least * 0.8);
    expect((await client.get('/v1/pets?limit=100')).status).toBe(200);
    if (filling.pets > 0) expect(await addedTo(client)).toBe(done.length * filling.pets);
    expectRunning(first);
    const running = program.peak();
    await first.kill();

    const second = await program.start();
    const again = new Client(second.url, KEY);
    const started = program.peak();
    if (filling.pets > 0) expect(await addedTo(again)).toBe(done.length * filling.pets);
    await readAgain(again, filling, done);
    const lists = await Promise.all(Array.from({ length: 4 }, () => lengthOf(again)));
    expect(new Set(lists).size).toBe(1);
    say(`${kind}: ${taken} acknowledged, peak ${running} MiB, at the start ${started}, read ${program.peak()}`);
    expectRunning(second);
  });
});

const LONG = `/v1/pets?x=${'y'.repeat(15_500)}`;
const MCP = { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' };

/** A tool of the MCP server. */
function callTool({ url, key }: Client, name: string, args: object): Promise<Reply> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
  return send(url, {
    method: 'POST',
    path: '/_sandbox/mcp',
    headers: { ...MCP, Authorization: `Bearer ${key}` },
    body,
  });
}

/** All that reads a whole request log, many times at once. */
const READERS: readonly ((client: Client) => Promise<Reply>)[] = [
  (client) => callTool(client, 'requests', { limit: 100 }),
  (client) => callTool(client, 'verdict', {}),
  (client) => client.get('/_sandbox/issues'),
  (client) => client.get('/_sandbox/report'),
  (client) => client.get('/_sandbox/preview?at=2031-01-01'),
  (client) => client.get('/_sandbox/export?format=recording'),
  (client) => client.get('/_sandbox/export?format=har'),
  (client) => client.get('/_sandbox/requests?limit=1000'),
  (client) => client.get('/_sandbox/requests?contains=zzz'),
  (client) => client.post('/_sandbox/requests/verify', { path: '/v1/pets', exactly: 1 }),
  (client) => client.get('/_sandbox/drill'),
];

describe('a server of 256 MiB with a full request log', () => {
  test('reads it for many at once, and is not killed', async (context) => {
    const program = await memoryGroup(LEAST, context);
    const first = await program.start();
    const client = new Client(first.url, KEY);
    await client.put('/_sandbox/drill', { drill: 'removed-operation' });
    await client.getMany(540, (n) => `${LONG}${n}`);
    const all = READERS.flatMap((read) => Array.from({ length: 10 }, () => read(client)));
    const statuses = new Map<number, number>();
    for (const reply of await Promise.allSettled(all)) {
      const status = reply.status === 'fulfilled' ? reply.value.status : 0;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    say(
      `256 MiB, a full log read ${all.length} times at once: ${JSON.stringify([...statuses])}, ${program.peak()} MiB`,
    );
    expectRunning(first);
    expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
    // None broke off, however long the server was busy with the others.
    expect(statuses.get(0)).toBe(undefined);
    expect((await client.get('/_sandbox/report')).status).toBe(200);
  });
});

/** Each pet, or the sandboxes of the last keys. */
async function readAgain(again: Client, { pets }: Filling, done: Filled['done']): Promise<void> {
  for (const { text } of pets === 1 ? done : done.slice(-LOOKED_AT)) {
    const [, id, name] = /^{"id":(\d+),"name":"(.{16})/.exec(text) ?? [];
    if (pets === 1) expect((await again.get(`/v1/pets/${id}`)).text).toContain(`{"id":${id},"name":"${name}`);
    const [, key] = /"key":"(petsbx_\w+)"/.exec(text) ?? [];
    if (key) expect((await new Client(again.url, key).get('/v1/pets')).status).toBe(200);
  }
}

const MIB = 2 ** 20;
const ROUNDS = 4;

/** Every way in, each with as much as it takes. */
function allWays(client: Client, n: number): Promise<Reply>[] {
  const post = (path: string, body: string, type = 'application/json'): Promise<Reply> => {
    const headers = { Authorization: `Bearer ${client.key}`, 'Content-Type': type };
    return send(client.url, { method: 'POST', path, headers: { ...headers, Accept: ANY_OF_MCP }, body });
  };
  const fill = (one: string, bytes: number): string =>
    Array(Math.floor(bytes / (one.length + 1)))
      .fill(one)
      .join(',');
  const entry = `{"request":{"method":"GET","url":"https://api.example.com/v1/pets?limit=${n}","headers":[]},"response":{"status":200,"content":{"text":"[]"}}}`;
  const har = `{"log":{"entries":[${fill(entry, 0.8 * MIB)}]}}`;
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'report_har', arguments: { har } } };
  const pets = Array.from({ length: 18_000 }, (_, id) => `{"id":${id + 1},"name":"Rex","categoryId":1}`).join(',');
  return [
    post('/v1/pets', JSON.stringify({ name: 'n'.repeat(100_000), categoryId: 1 })),
    post('/v1/pets', JSON.stringify({ name: `€${'n'.repeat(60_000)}`, categoryId: 1 })),
    post('/_sandbox/keys', `{"fixture":{"pets":[${pets}]}}`),
    post('/_sandbox/mcp', JSON.stringify(call)),
    post('/_sandbox/report', har),
    post('/_sandbox/preview', `[${'1,'.repeat(MIB / 2 - 2)}1]`, 'application/yaml'),
    post('/_sandbox/preview', `openapi: 3.1.0\npaths: {}\nx:\n${'  - {a: b}\n'.repeat(4_900)}`, 'application/yaml'),
    post('/_sandbox/snapshots', `{"name":"s${n}"}`),
    post('/_sandbox/fork', '{}'),
    client.get('/v1/pets?limit=100'),
    client.get('/_sandbox/report'),
    client.get('/_sandbox/requests?limit=1000'),
    client.get('/_sandbox/export?format=har'),
  ];
}

const ANY_OF_MCP = 'application/json, text/event-stream';

const MIXED = [LEAST, 384];

describe('a server that gets everything at once', () => {
  test.for(MIXED)('in %i MiB rejects what is too much, is not killed, and starts again', async (mib, context) => {
    const program = await memoryGroup(mib, context);
    const first = await program.start();
    const { json: other } = await send(first.url, { method: 'POST', path: '/_sandbox/keys' });
    const clients = [new Client(first.url, KEY), new Client(first.url, other.key)];
    const statuses = new Map<number, number>();
    for (let round = 0; round < ROUNDS; round += 1) {
      // A machine that is busy with other things takes longer than a connection may.
      const replies = await Promise.allSettled(clients.flatMap((client) => allWays(client, round)));
      for (const reply of replies) {
        const status = reply.status === 'fulfilled' ? reply.value.status : 0;
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      expectRunning(first);
    }
    const running = program.peak();
    expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
    const acknowledged = await addedTo(clients[0] as Client);
    await first.kill();
    const second = await program.start();
    say(
      `${mib} MiB, all ways at once: ${JSON.stringify([...statuses])}, peak ${running} MiB, at the start ${program.peak()} MiB`,
    );
    expect(await addedTo(new Client(second.url, KEY))).toBe(acknowledged);
  });
});

/** Bytes of the list of all pets: the texts of all of them at once are too much for this process too. */
async function lengthOf({ url, key }: Client): Promise<number> {
  const response = await fetch(`${url}/v1/pets?limit=100`, { headers: { Authorization: `Bearer ${key}` } });
  let bytes = 0;
  for await (const part of response.body ?? []) bytes += part.length;
  return bytes;
}
