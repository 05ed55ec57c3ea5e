/** Recordings that were changed at random: what a server takes, it exports so that a server takes it again. */
import { expect, test } from 'vitest';
import { newKey } from '../../src/api/api-key.ts';
import type { Client } from '../support/client.ts';
import { randomFrom } from '../support/random.ts';
import { fileOf, type Parts, partsOf } from '../support/recording.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { withoutTimes } from './without-times.ts';

const MUTANTS = Number(process.env['MUTANTS'] ?? 60);

const KEY = newKey();
const TEXTS = [
  '',
  'x',
  KEY,
  `a ${KEY}`,
  Buffer.from(KEY).toString('base64'),
  'a\u0000b',
  'a\nb',
  '\u007f',
  'ü',
  ' x ',
  '\ud800',
  '?api_key=secret-of-mine',
  'x'.repeat(300),
  '2030-01-01T00:00:00.000Z',
  '-1',
];
const NUMBERS = [0, -1, 1, 2, 2 ** 31, 0.5, 1e21, 200, 404, 12];

type Place = readonly (string | number)[];

function* placesIn(value: unknown, place: Place = []): Generator<Place> {
  if (place.length > 0) yield place;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inside] of Object.entries(value)) yield* placesIn(inside, [...place, name]);
}

/** A copy with something else in one place: another value of its kind mostly, or nothing, or a field more. */
function mutantOf(parts: Parts, places: readonly Place[], random: () => number): Parts {
  const any = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const copy = structuredClone(parts);
  const place = any(places);
  // biome-ignore lint/suspicious/noExplicitAny: any place of it is changed
  const owner: any = place.slice(0, -1).reduce((inside: any, name) => inside[name], copy);
  const name = place.at(-1) as string | number;
  const value = owner[name];
  const what = random();
  if (what < 0.1) delete owner[name];
  else if (what < 0.15) owner[name] = null;
  else if (Array.isArray(value) && value.length > 0) value.push(structuredClone(any(value)));
  else if (typeof value === 'object' && value !== null) delete value[any(Object.keys(value))];
  else if (typeof value === 'number') owner[name] = any(NUMBERS);
  else if (typeof value === 'boolean') owner[name] = !value;
  else owner[name] = any(TEXTS);
  return copy;
}

/** Something of everything that a recording can have. */
async function exportOf(client: Client): Promise<string> {
  await client.post('/_sandbox/reset', {
    fixture: { pets: [{ id: 4, name: 'Own', categoryId: 1, status: 'sold' }], nextId: 9 },
  });
  await client.post('/v1/pets', { name: 'Rex', categoryId: 1 });
  await client.post('/_sandbox/snapshots', { name: 'one' });
  await client.put('/_sandbox/clock', { now: '2030-01-01T00:00:00Z', frozen: true });
  await client.put('/_sandbox/drill', { drill: 'truncated-list' });
  await client.get('/v1/pets').catch(() => undefined);
  await client.post('/_sandbox/drill/outcome', { success: true, results: [] });
  await client.post('/_sandbox/reset', { fixture: 'default' });
  await client.post('/_sandbox/faults', { name: 'late', operation: 'getPet', status: 500, times: 1, when: 'after' });
  await client.post('/_sandbox/faults', {
    operation: 'listPets',
    delayMs: 1,
    probability: 0.5,
    seed: 7,
    query: 'limit=5',
  });
  await client.post('/v1/pets', { name: 'Max', categoryId: 2, status: 'pending' }, { 'User-Agent': 'shop/1' });
  await client.post('/v1/pets', '{"name":5}', { 'Idempotency-Key': 'a' });
  await client.get('/v1/pets/13');
  await client.get('/v1/pets?limit=5&color=red');
  await client.get('/v1/nothing');
  const { text } = await client.get('/_sandbox/export?format=recording');
  return text;
}

/** But for times, and for the names of runs, which follow from texts that were redacted. */
const same = (text: string): unknown => withoutTimes(text.replaceAll(/"run":"[^"]*"/g, '"run":"x"'));

test('every mutant that is imported is exported so that it is imported again, and is the same then', {
  timeout: limit(120_000),
}, async () => {
  const seed = Number(process.env['MUTANT_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  const random = randomFrom(seed);
  const server = await startTestServer();
  const parts = partsOf(await exportOf(await server.sandbox({ label: 'red job' })));
  const places = [...placesIn(parts)];
  const take = async (text: string): Promise<Client | undefined> => {
    const reply = await server.client().importRecording(text);
    expect([seed, text, reply.status]).toEqual([seed, text, expect.toBeOneOf([201, 400, 409])]);
    return reply.status === 201 ? server.client(reply.json.key) : undefined;
  };
  let taken = 0;
  for (let n = 0; n < MUTANTS; n++) {
    const mutant = fileOf(mutantOf(parts, places, random));
    const client = await take(mutant);
    if (!client) continue;
    taken += 1;
    const { text } = await client.get('/_sandbox/export?format=recording');
    const again = await take(text);
    expect([seed, mutant, text, again]).toEqual([seed, mutant, text, expect.anything()]);
    const second = await again?.get('/_sandbox/export?format=recording');
    expect([seed, mutant, same(second?.text ?? '')]).toEqual([seed, mutant, same(text)]);
    for (const path of [
      '/_sandbox',
      '/_sandbox/faults',
      '/_sandbox/snapshots',
      '/_sandbox/requests?limit=1000',
      '/_sandbox/report',
    ])
      expect([seed, mutant, path, (await client.get(path)).status]).toEqual([seed, mutant, path, 200]);
    for (const each of [client, again]) await each?.delete('/_sandbox');
  }
  expect(taken).toBeGreaterThan(MUTANTS / 20);
});
