/** The data directory goes, or another takes its place, while the server runs. */
import { appendFileSync, copyFileSync, truncateSync, writeFileSync } from 'node:fs';
import { cp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../support/client.ts';
import { newFolder } from '../../support/folder.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { contentsOf, filesBelow } from './support.ts';

let folder: string;
let data: string;
let server: TestServer;
beforeEach(async () => {
  folder = await newFolder();
  data = join(folder, 'data');
  server = await startTestServer({ settings: { data } });
  await server.validator.ready;
  server.expectTrouble(/a request failed/);
});
afterEach(async () => {
  await server.close();
});

const BY_HAND = '{"set":{"label":"by hand"}}\n';
const NEW_PET = { name: 'Ada', categoryId: 1 };

/** Adds a pet; resolves to the response's status. */
const create = async (client: Client): Promise<number> => (await client.post('/v1/pets', NEW_PET)).status;
const listOf = async (client: Client) => (await client.get('/v1/pets?limit=100')).json;

/** The path of the only log. */
async function logFile(): Promise<string> {
  const [log] = (await filesBelow(data)).filter((file) => file.endsWith('.jsonl')) as [string];
  return join(data, log);
}

/** What the next start finds in the sandbox. */
async function listAfterRestart({ key }: Client) {
  await server.end();
  server = await startTestServer({ settings: { data } });
  return listOf(server.client(key));
}

describe('a data directory that goes while the server runs', () => {
  it.each([
    ['is removed', async () => rm(data, { recursive: true })],
    ['is moved away for a file', async () => rename(data, `${data}-before`).then(() => writeFileSync(data, ''))],
    ['loses its lock', async () => rm(join(data, 'lock-1.sock'))],
  ])('makes health say why, and changes fail, when it %s', async (_, spoil) => {
    const client = await server.sandbox();
    expect(await create(client)).toBe(201);
    expect((await client.get('/_sandbox/health')).status).toBe(200);
    await spoil();
    const health = (await client.get('/_sandbox/health')).json;
    expect(health).toMatchObject({ status: 503, code: 'storage_failed' });
    expect(health.message).toMatch(/data directory was removed or replaced.*start the server again/);
    const { json } = await client.post('/v1/pets', NEW_PET);
    expect(json).toMatchObject({ status: 503, code: 'storage_failed' });
    expect(json.message).toMatch(/did not happen; the data directory was removed or replaced.*start the server again/);
    // What it has in memory it still serves.
    expect((await client.get('/v1/pets')).status).toBe(200);
  });

  it('writes nothing into the directory of a server that took its place, also a copy of its own', async () => {
    const client = await server.sandbox();
    const pet = (await client.post('/v1/pets', NEW_PET)).json;
    await rename(data, `${data}-before`);
    await cp(`${data}-before`, data, { recursive: true, filter: (path) => !path.endsWith('.sock') });
    const second = await startTestServer({ settings: { data } });
    await second.validator.ready;
    const its = second.client(client.key);
    expect((await its.get(`/v1/pets/${pet.id}`)).json).toEqual(pet);
    const before = await contentsOf(data);
    expect(await create(client)).toBe(503);
    expect((await client.post('/_sandbox/reset')).status).toBe(503);
    expect((await client.delete('/_sandbox')).status).toBe(503);
    expect(await contentsOf(data)).toEqual(before);
    expect((await its.post('/v1/pets', NEW_PET)).json.id).toBe(pet.id + 1);
    // The end of the first server leaves the second one's lock alone.
    await server.close();
    await expect(startTestServer({ settings: { data } })).rejects.toThrow('in use');
    await second.close();
  });
});

describe('a log file', () => {
  it.each([
    ['is truncated', (file: string) => truncateSync(file, 10)],
    ['is written to', (file: string) => appendFileSync(file, BY_HAND)],
  ])('has every change rejected, and nothing written, when it %s while the server runs', async (_, spoil) => {
    const client = await server.sandbox();
    const file = await logFile();
    for (let n = 0; n < 5; n++) expect(await create(client)).toBe(201);
    const whole = await readFile(file);
    const pets = await listOf(client);
    spoil(file);
    const before = await contentsOf(data);
    for (const reply of [
      await client.post('/v1/pets', NEW_PET),
      await client.post('/_sandbox/reset'),
      await client.post('/_sandbox/snapshots', { name: 'a' }),
      await client.put('/_sandbox/clock', { now: '2030-12-05T00:00:00Z' }),
      await client.post('/v1/pets', NEW_PET),
    ])
      expect(reply.json).toMatchObject({ status: 503, code: 'storage_failed' });
    expect(await contentsOf(data)).toEqual(before);
    const causes = server.lines.map(({ details }) => String((details as { err?: Error }).err?.cause));
    expect(causes).toContainEqual(expect.stringMatching(/was changed while the server runs: it has \d+ bytes/));
    expect(await listOf(client)).toEqual(pets);
    // As it was, it goes on.
    writeFileSync(file, whole);
    const next = await client.post('/v1/pets', NEW_PET);
    expect(await listAfterRestart(client)).toEqual([...pets, next.json]);
  });

  it('that was changed by hand is not replaced when the server stops either, however little of it counts', async () => {
    const client = await server.sandbox();
    for (let n = 0; n < 4; n++) {
      await client.post('/v1/pets', { name: 'x'.repeat(20_000), categoryId: 1 });
      await client.post('/_sandbox/reset');
    }
    const file = await logFile();
    appendFileSync(file, BY_HAND);
    const before = await readFile(file);
    expect((await client.post('/_sandbox/reset')).status).toBe(503);
    await server.end();
    expect(await readFile(file)).toEqual(before);
  });

  it.each([
    ['is removed', () => undefined],
    ['has a copy in its place', (file: string, original: string) => copyFileSync(original, file)],
  ])('that %s has changes rejected until it is put back, and nothing written to another one', async (_, replace) => {
    const client = await server.sandbox();
    expect([await create(client), await create(client)]).toEqual([201, 201]);
    const file = await logFile();
    const elsewhere = join(folder, 'elsewhere.jsonl');
    await rename(file, elsewhere);
    replace(file, elsewhere);
    const before = await contentsOf(data);
    expect([await create(client), await create(client), await create(client)]).toEqual([503, 503, 503]);
    expect(await contentsOf(data)).toEqual(before);
    await rename(elsewhere, file);
    expect(await create(client)).toBe(201);
    const pets = await listOf(client);
    expect(await listAfterRestart(client)).toEqual(pets);
  });
});
