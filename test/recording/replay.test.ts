/** A recording replayed on a new sandbox: the same, different, or not known. */
import type { OutgoingHttpHeaders } from 'node:http';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRecording } from '../../src/recording/read.ts';
import { type Replay, replay } from '../../src/recording/replay.ts';
import { startTarget } from '../../src/server/replay-target.ts';
import { run } from '../conform/run.ts';
import type { Client } from '../support/client.ts';
import { newFolder } from '../support/folder.ts';
import { fileOf, partsOf } from '../support/recording.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { withoutTimes } from './without-times.ts';

const exportOf = async (client: Client): Promise<string> => {
  const { status, text } = await client.get('/_sandbox/export?format=recording');
  expect(status, text).toBe(200);
  return text;
};

async function replayOf(text: string): Promise<Replay> {
  const found = await readRecording(Buffer.from(text));
  const { target, close } = await startTarget(found);
  try {
    return await replay(found, target);
  } finally {
    await close();
  }
}

const others = ({ results }: Replay) => results.filter(({ outcome }) => outcome !== 'same');

/** What a client sends, or a control changes between two requests. */
type Action = readonly [method: string, path: string, body?: unknown, headers?: OutgoingHttpHeaders];
const name = fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom('Rex', '“Ünï\u0000', '\ud800', '{"id":1}'));
const category = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const action = fc.oneof(
  fc
    .tuple(name, category)
    .map(([pet, id]) => `{"name":${JSON.stringify(pet)},"categoryId":${id},"status":"sold"}`)
    .map((body): Action => ['POST', '/v1/pets', body]),
  fc.constantFrom<Action>(
    ['GET', '/v1/pets?limit=100'],
    ['GET', '/v1/pets?status=sold'],
    ['GET', '/v1/pets/14'],
    ['GET', '/v1/pets/x'],
    ['GET', '/v1/pets/1', undefined, { 'Sandbox-Expect': 'invalid' }],
    ['GET', '/v1/nothing'],
    ['POST', '/v1/pets', '{"name":5}'],
    ['POST', '/v1/pets', '{'],
    ['HEAD', '/v1/pets'],
    ['DELETE', '/v1/pets'],
    ['GET', '/v1/pets', undefined, { 'Sandbox-Fault': 'status=503; delay=5' }],
    ['GET', '/v1/pets', undefined, { 'Sandbox-Fault': 'delay=1' }],
    ['GET', '/v1/pets', undefined, { Prefer: 'code=429' }],
    ['GET', '/v1/pets', undefined, { Accept: `application/json${' '.repeat(200)}, */*` }],
    ['POST', '/_sandbox/faults', { status: 503, probability: 0.5, seed: 7, delayMs: 1 }],
    ['POST', '/_sandbox/faults', { operation: 'createPet', status: 500, when: 'after', from: 2, times: 2 }],
    ['POST', '/_sandbox/faults', { operation: 'listPets', vary: ['field'], times: 1 }],
    ['POST', '/_sandbox/faults', { operation: 'getPet', limit: { requests: 1, seconds: 60 } }],
    ['DELETE', '/_sandbox/faults'],
    ['POST', '/_sandbox/pets', { count: 3, seed: 5 }],
    ['POST', '/_sandbox/clock/advance', { duration: 'P20Y' }],
    ['PUT', '/_sandbox/clock', { frozen: true }],
    ['POST', '/_sandbox/reset'],
    ['POST', '/_sandbox/reset', { fixture: 'boundary' }],
    ['POST', '/_sandbox/reset', { snapshot: 'one' }],
    ['POST', '/_sandbox/snapshots', { name: 'one' }],
    ['POST', '/_sandbox/snapshots', { name: 'two' }],
    ['DELETE', '/_sandbox/requests'],
  ),
);

test.each([
  ['memory', 60],
  ['files', 15],
])(
  'what was recorded in %s replays the same, and opens elsewhere so that it is exported the same',
  {
    timeout: limit(60_000),
  },
  async (kind, numRuns) => {
    const server = await startTestServer({ settings: kind === 'files' ? { data: await newFolder() } : {} });
    const elsewhere = await startTestServer();
    const property = fc.asyncProperty(fc.array(action, { maxLength: 25 }), async (actions) => {
      const client = await server.sandbox({ label: 'a “case”' });
      for (const [method, path, body, headers] of actions) await client.sendJson(method, path, body, headers);
      const text = await exportOf(client);
      const unknown = /^skipped|is cut in the recording|before it was not sent/;
      const left = others(await replayOf(text)).filter(({ outcome, reason }) => !unknown.test(`${outcome} ${reason}`));
      expect(left).toEqual([]);
      const opened = await elsewhere.client().importRecording(text);
      expect(withoutTimes(await exportOf(elsewhere.client(opened.json.key)))).toEqual(withoutTimes(text));
      await client.delete('/_sandbox');
    });
    await fc.assert(property, { numRuns });
  },
);

test('what conform sent to a server with files is answered the same again', { timeout: limit(120_000) }, async () => {
  const server = await startTestServer({ settings: { data: await newFolder() } });
  const client = await server.sandbox();
  // Requests with a broken key belong to no sandbox, and are in no recording.
  expect((await run(`${server.url}/v1`, client.key as string)).verdict).toBe('conforms');
  const replayed = await replayOf(await exportOf(client));
  expect(replayed.counts.same).toBeGreaterThan(100);
  // What the suite sends at once, or too long for a request log, cannot be compared for certain.
  const unknown = expect.stringMatching(/not in the recording|is cut|overlapped/);
  for (const each of others(replayed)) expect(each).toMatchObject({ outcome: 'incomplete', reason: unknown });
});

test('a response that differs is named with the first place', async () => {
  const client = await (await startTestServer()).sandbox();
  await client.post('/v1/pets', '{"name":"Rex","categoryId":9007199254740993}');
  await client.get('/v1/pets');
  const text = await exportOf(client);
  const name = await replayOf(text.replace('\\"name\\":\\"Biscuit\\"', '\\"name\\":\\"Other\\"'));
  expect(name.verdict).toBe('differs');
  expect(others(name)).toMatchObject([
    { outcome: 'differs', difference: { location: 'body/0/name', expected: '"Other"', got: '"Biscuit"' } },
  ]);
  // The last digit alone, beyond 53 bits.
  const digit = await replayOf(text.replace('9007199254740993}","truncated', '9007199254740992}","truncated'));
  expect(others(digit)[0]?.difference?.location).toBe('body/categoryId');
});

test('what cannot be sent again is made up for, or what follows is not known to differ', async () => {
  const client = await (await startTestServer()).sandbox();
  const long = { name: 'n'.repeat(20_000), categoryId: 1 };
  await client.post('/v1/pets', long);
  expect((await client.post('/v1/pets', { name: 'Rex', categoryId: 1 })).json.id).toBe(14);
  await client.get('/v1/pets/13', { 'Sandbox-Expect': 'valid' });
  const made = await replayOf(await exportOf(client));
  expect(made).toMatchObject({ verdict: 'incomplete', counts: { same: 1, differs: 0, incomplete: 2, skipped: 0 } });
  // Of what came before a reset nothing is compared.
  await client.post('/_sandbox/reset');
  const before = await replayOf(await exportOf(client));
  expect(before).toMatchObject({ verdict: 'incomplete', counts: { same: 0, incomplete: 0, skipped: 3 } });
  // The exchange that is not sent took the one turn of the rule.
  await client.post('/_sandbox/reset', { requestLog: true });
  await client.post('/_sandbox/faults', { operation: 'createPet', status: 503, times: 1 });
  await client.post('/v1/pets', long);
  await client.post('/v1/pets', { name: 'Rex', categoryId: 1 });
  const counted = await replayOf(await exportOf(client));
  expect(counted.counts).toEqual({ same: 0, differs: 0, incomplete: 2, skipped: 0 });
  expect(counted.results[1]?.reason).toMatch(/^req_\w+ before it was not sent$/);
});

test('another server gets requests of the petstore API only, whatever a recording holds', async () => {
  const client = await (await startTestServer()).sandbox();
  for (const path of ['/v1/pets', '/v1/../_sandbox', '/v1/%2e%2e/_sandbox', '//evil.example/v1/pets', '/v1x'])
    await client.get(path);
  await client.delete('/v1/pets');
  await client.post('/v1/pets', { name: 'Rex', categoryId: 1 });
  const found = partsOf(await exportOf(client));
  const [first] = found.exchanges;
  const targets = ['/v1/../_sandbox', String.raw`/\evil.example/v1/pets`, '//evil.example/v1/pets', '//'];
  for (const [n, target] of targets.entries())
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
