/** What a recording must keep: exported, opened and exported again, it is the same but for keys and times. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Client } from '../support/client.ts';
import { partsOf } from '../support/recording.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { withoutTimes } from './without-times.ts';

/** What may happen to a sandbox, by the API and by the control API. */
type Action = (client: Client) => Promise<unknown>;
const json = { 'Content-Type': 'application/json' };
const name = fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom('Rex', '“Ünï\u0000', '\ud800', '{"id":1}'));
const category = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.tuple(name, category).map(
    ([pet, id]): Action =>
      (client) =>
        client.post('/v1/pets', `{"name":${JSON.stringify(pet)},"categoryId":${id},"status":"sold"}`),
  ),
  fc.constantFrom<Action>(
    (client) => client.get('/v1/pets?limit=5'),
    (client) => client.get('/v1/pets/1', { 'Sandbox-Expect': 'invalid' }),
    (client) => client.post('/v1/pets', '{"name":5}'),
    (client) => client.get('/v1/nothing'),
    (client) => client.post('/_sandbox/faults', { operation: 'listPets', status: 503, probability: 0.5, seed: 7 }),
    (client) => client.post('/_sandbox/faults', { operation: 'listPets', vary: ['field'], from: 2, times: 1 }),
    (client) => client.post('/_sandbox/clock/advance', { duration: 'P1D' }),
    (client) => client.send({ method: 'PUT', path: '/_sandbox/clock', headers: json, body: '{"frozen":true}' }),
    (client) => client.post('/_sandbox/pets', { count: 3, seed: 5 }),
    (client) => client.post('/_sandbox/reset', { fixture: 'boundary' }),
    (client) => client.delete('/_sandbox/requests'),
  ),
  fc.integer({ min: 1, max: 3 }).map(
    (n): Action =>
      (client) =>
        client.post('/_sandbox/snapshots', { name: `s${n}` }),
  ),
  fc.integer({ min: 1, max: 3 }).map(
    (n): Action =>
      (client) =>
        client.post('/_sandbox/reset', { snapshot: `s${n}` }),
  ),
);

for (const kind of ['memory', 'files'] as const) {
  test(`any sandbox in ${kind}, exported and opened, exports the same again`, { timeout: limit(60_000) }, async () => {
    const data = kind === 'files' ? await mkdtemp(join(tmpdir(), 'case-')) : undefined;
    try {
      const server = await startTestServer({ settings: data === undefined ? {} : { data } });
      const other = await startTestServer();
      await fc.assert(
        fc.asyncProperty(fc.array(action, { maxLength: 25 }), async (actions) => {
          const client = await server.sandbox({ label: 'a “case”' });
          for (const each of actions) await each(client);
          const first = await client.get('/_sandbox/export?format=recording');
          expect(first.status).toBe(200);
          const opened = await other.client().importRecording(first.text);
          expect(opened.text).toContain('"key"');
          const second = await other.client(opened.json.key).get('/_sandbox/export?format=recording');
          expect(withoutTimes(second.text)).toEqual(withoutTimes(first.text));
          await client.delete('/_sandbox');
        }),
        { numRuns: kind === 'files' ? 15 : 40 },
      );
    } finally {
      if (data !== undefined) await rm(data, { recursive: true, force: true });
    }
  });
}

test('a sandbox that was saved and reset a hundred times is exported without repeats', async () => {
  const server = await startTestServer();
  const client = await server.sandbox({ fixture: 'empty' });
  for (let n = 0; n < 100; n++) {
    await client.post('/v1/pets', { name: `Pet ${n}`, categoryId: 1 });
    await client.send({ method: 'DELETE', path: '/_sandbox/snapshots/same' });
    await client.post('/_sandbox/snapshots', { name: 'same' });
    await client.post('/_sandbox/reset', { snapshot: 'same' });
  }
  await client.post('/_sandbox/snapshots', { name: 'other' });
  await client.post('/v1/pets', { name: 'Last', categoryId: 1 });
  const { text } = await client.get('/_sandbox/export?format=recording');
  expect(partsOf(text).log.flatMap(({ pets = [] }) => pets)).toHaveLength(101);
  const { key } = (await server.client().importRecording(text)).json;
  const names = async (of: Client) =>
    (await of.get('/v1/pets?limit=100')).json.map(({ name }: { name: string }) => name);
  expect(await names(server.client(key))).toEqual(await names(client));
  await server.client(key).post('/_sandbox/reset', { snapshot: 'other' });
  expect((await names(server.client(key))).length).toBe(100);
});
