/** Replays of what a sandbox recorded: the same, different, or not known. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRecording } from '../../src/recording/read.ts';
import { type Replay, type Replayed, replay } from '../../src/recording/replay.ts';
import { startTarget } from '../../src/server/replay-target.ts';
import type { Client } from '../support/client.ts';
import { fileOf, partsOf } from '../support/recording.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';

async function replayOf(client: Client, edit = (text: string) => text): Promise<Replay> {
  const { text } = await client.get('/_sandbox/export?format=recording');
  const found = await readRecording(Buffer.from(edit(text)));
  const { target, close } = await startTarget(found);
  try {
    return await replay(found, target);
  } finally {
    await close();
  }
}

const others = ({ results }: Replay) => results.filter(({ outcome }) => outcome !== 'same');

/** What a client may send, and what a control may change between two requests. */
const action = fc.oneof(
  fc
    .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    .map((id) => (client: Client) => client.post('/v1/pets', `{"name":"Rex","categoryId":${id},"status":"sold"}`)),
  fc.constantFrom(
    (client: Client) => client.get('/v1/pets?limit=100'),
    (client: Client) => client.get('/v1/pets?status=sold'),
    (client: Client) => client.get('/v1/pets/14'),
    (client: Client) => client.get('/v1/pets/x'),
    (client: Client) => client.get('/v1/nothing'),
    (client: Client) => client.post('/v1/pets', '{"name":5}'),
    (client: Client) => client.post('/v1/pets', '{'),
    (client: Client) => client.send({ method: 'HEAD', path: '/v1/pets' }),
    (client: Client) => client.send({ method: 'DELETE', path: '/v1/pets' }),
    (client: Client) => client.get('/v1/pets', { 'Sandbox-Fault': 'status=503; delay=5' }),
    (client: Client) => client.get('/v1/pets', { 'Sandbox-Fault': 'delay=1' }),
    (client: Client) => client.get('/v1/pets', { Prefer: 'code=429' }),
    (client: Client) => client.get('/v1/pets', { Accept: `application/json${' '.repeat(200)}, */*` }),
    (client: Client) => client.post('/_sandbox/faults', { status: 503, probability: 0.5, seed: 7, delayMs: 1 }),
    (client: Client) =>
      client.post('/_sandbox/faults', { operation: 'createPet', status: 500, when: 'after', times: 2 }),
    (client: Client) => client.post('/_sandbox/faults', { operation: 'listPets', vary: ['field'], from: 2 }),
    (client: Client) => client.post('/_sandbox/faults', { operation: 'getPet', limit: { requests: 1, seconds: 60 } }),
    (client: Client) => client.delete('/_sandbox/faults'),
    (client: Client) => client.post('/_sandbox/pets', { count: 3, seed: 5 }),
    (client: Client) => client.post('/_sandbox/clock/advance', { duration: 'P20Y' }),
    (client: Client) => client.post('/_sandbox/reset'),
  ),
);

for (const kind of ['memory', 'files'] as const) {
  test(`what was recorded in ${kind} replays the same`, { timeout: limit(60_000) }, async () => {
    const data = kind === 'files' ? await mkdtemp(join(tmpdir(), 'replay-')) : undefined;
    try {
      const server = await startTestServer({ settings: data === undefined ? {} : { data } });
      await fc.assert(
        fc.asyncProperty(fc.array(action, { maxLength: 25 }), async (actions) => {
          const client = await server.sandbox();
          for (const each of actions) await each(client);
          const replayed = await replayOf(client);
          const isKnown = ({ outcome, reason }: Replayed): boolean =>
            outcome === 'skipped' || /is cut in the recording|before it was not sent/.test(reason ?? '');
          expect(others(replayed).filter((each) => !isKnown(each))).toEqual([]);
        }),
        { numRuns: kind === 'files' ? 15 : 60 },
      );
    } finally {
      if (data !== undefined) await rm(data, { recursive: true, force: true });
    }
  });
}

test('a response that differs is named with the first place', async () => {
  const server = await startTestServer();
  const client = await server.sandbox();
  await client.post('/v1/pets', '{"name":"Rex","categoryId":9007199254740993}');
  await client.get('/v1/pets');
  const name = await replayOf(client, (text) => text.replace('\\"name\\":\\"Biscuit\\"', '\\"name\\":\\"Other\\"'));
  expect(name.verdict).toBe('differs');
  expect(others(name)).toMatchObject([
    { outcome: 'differs', difference: { location: 'body/0/name', expected: '"Other"', got: '"Biscuit"' } },
  ]);
  // The last digit alone, beyond 53 bits.
  const digit = await replayOf(client, (text) =>
    text.replace('9007199254740993}","truncated', '9007199254740992}","truncated'),
  );
  expect(others(digit)[0]?.difference?.location).toBe('body/categoryId');
});

test('what cannot be sent again is made up for, or what follows is not known to differ', async () => {
  const server = await startTestServer();
  const client = await server.sandbox();
  const long = { name: 'n'.repeat(20_000), categoryId: 1 };
  await client.post('/v1/pets', long);
  expect((await client.post('/v1/pets', { name: 'Rex', categoryId: 1 })).json.id).toBe(14);
  await client.get('/v1/pets/13', { 'Sandbox-Expect': 'valid' });
  const made = await replayOf(client);
  expect(made.counts).toEqual({ same: 1, differs: 0, incomplete: 2, skipped: 0 });
  // The exchange that is not sent took the one turn of the rule.
  await client.post('/_sandbox/reset', { requestLog: true });
  await client.post('/_sandbox/faults', { operation: 'createPet', status: 503, times: 1 });
  await client.post('/v1/pets', long);
  await client.post('/v1/pets', { name: 'Rex', categoryId: 1 });
  const counted = await replayOf(client);
  expect(counted.counts).toEqual({ same: 0, differs: 0, incomplete: 2, skipped: 0 });
  expect(counted.results[1]?.reason).toMatch(/^req_\w+ before it was not sent$/);
});

test('cut bodies are incomplete, and a thousand exchanges are the same', {
  timeout: limit(60_000),
}, async () => {
  const server = await startTestServer();
  const client = await server.sandbox();
  await client.post('/v1/pets', { name: 'n'.repeat(20_000), categoryId: 1 });
  expect(await replayOf(client)).toMatchObject({ verdict: 'incomplete', counts: { incomplete: 1 } });
  // Of what came before a reset nothing is compared.
  await client.post('/_sandbox/reset');
  expect(await replayOf(client)).toMatchObject({ verdict: 'incomplete', counts: { incomplete: 0, skipped: 1 } });
  await client.post('/_sandbox/reset', { requestLog: true });
  for (let n = 0; n < 500; n++) {
    await client.post('/v1/pets', { name: `${n}`, categoryId: n });
    await client.get('/v1/pets?limit=20');
  }
  const { text } = await client.get('/_sandbox/export?format=recording');
  const found = await readRecording(Buffer.from(text));
  const { target, close } = await startTarget(found);
  const from = performance.now();
  expect(await replay(found, target)).toMatchObject({ verdict: 'same', counts: { same: 1_000 } });
  process.stdout.write(`replay: 1,000 exchanges in ${Math.round(performance.now() - from)} ms\n`);
  await close();
});

test('another server gets requests of the petstore API only, whatever a recording holds', async () => {
  const server = await startTestServer();
  const client = await server.sandbox();
  for (const path of ['/v1/pets', '/v1/../_sandbox', '/v1/%2e%2e/_sandbox', '//evil.example/v1/pets', '/v1x'])
    await client.get(path);
  await client.send({ method: 'DELETE', path: '/v1/pets' });
  await client.post('/v1/pets', { name: 'Rex', categoryId: 1 });
  const { text } = await client.get('/_sandbox/export?format=recording');
  const found = partsOf(text);
  const [first] = found.exchanges;
  for (const [n, target] of [
    '/v1/../_sandbox',
    String.raw`/\evil.example/v1/pets`,
    '//evil.example/v1/pets',
    '//',
  ].entries())
    found.exchanges.push({ ...first, id: `req_${n}`, target, startMs: first.startMs + 1 + n });
  const sent: string[] = [];
  const target = {
    send: async ({ method, target: path }: { method: string; target: string }) => {
      sent.push(`${method} ${path}`);
      return { status: 200, headers: {}, text: '' };
    },
  };
  await replay(await readRecording(Buffer.from(fileOf(found))), target, { foreign: { allowCreate: true } });
  expect(sent.sort()).toEqual(['GET /v1/pets', 'POST /v1/pets']);
});
