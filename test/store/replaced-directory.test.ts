/** The data directory goes, or another takes its place, while the server runs. */
import { appendFileSync, copyFileSync, truncateSync, writeFileSync } from 'node:fs';
import { cp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { filesBelow } from './support.ts';

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

const NEW_PET = { name: 'Ada', categoryId: 1 };

/** Every file's bytes, by its path. */
async function contents(): Promise<object> {
  const files = (await filesBelow(data)).filter((file) => !file.endsWith('/') && !file.endsWith('.sock'));
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file, await readFile(join(data, file), 'latin1')])),
  );
}

describe('a data directory that goes while the server runs', () => {
  it.each([
    ['is removed', async () => rm(data, { recursive: true })],
    ['is moved away', async () => rename(data, `${data}-before`)],
    ['loses its lock', async () => rm(join(data, 'lock-1.sock'))],
  ])('makes health say why, and changes fail, when it %s', async (_, spoil) => {
    const client = await server.sandbox();
    expect((await client.post('/v1/pets', NEW_PET)).status).toBe(201);
    expect((await client.get('/_sandbox/health')).status).toBe(200);
    await spoil();
    const health = await client.get('/_sandbox/health');
    expect([health.status, health.json.code]).toEqual([503, 'storage_failed']);
    expect(health.json.message).toMatch(/data directory was removed or replaced.*start the server again/);
    const rejected = await client.post('/v1/pets', NEW_PET);
    expect([rejected.status, rejected.json.code]).toEqual([503, 'storage_failed']);
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
    const before = await contents();
    expect((await client.post('/v1/pets', NEW_PET)).status).toBe(503);
    expect((await client.post('/_sandbox/reset')).status).toBe(503);
    expect((await client.delete('/_sandbox')).status).toBe(503);
    expect(await contents()).toEqual(before);
    const next = await its.post('/v1/pets', NEW_PET);
    expect([next.status, next.json.id]).toEqual([201, pet.id + 1]);
    // The end of the first server leaves the second one's lock alone.
    await server.close();
    await expect(startTestServer({ settings: { data } })).rejects.toThrow('in use');
    await second.close();
  });
});

describe('a log file that is changed in place while the server runs', () => {
  it.each([
    ['is truncated', (file: string) => truncateSync(file, 10)],
    ['is emptied', (file: string) => truncateSync(file, 0)],
    ['is overwritten by a shorter one', (file: string) => copyFileSync(`${file}.saved`, file)],
    ['is written to', (file: string) => appendFileSync(file, '{"set":{"label":"by hand"}}\n')],
  ])('has every change rejected, and nothing written, when it %s', async (_, spoil) => {
    const client = await server.sandbox();
    const [log] = (await filesBelow(data)).filter((file) => file.endsWith('.jsonl')) as [string];
    const file = join(data, log);
    copyFileSync(file, `${file}.saved`);
    for (let n = 0; n < 5; n++) expect((await client.post('/v1/pets', NEW_PET)).status).toBe(201);
    const whole = await readFile(file);
    const { json: pets } = await client.get('/v1/pets?limit=100');
    spoil(file);
    const before = await contents();
    for (const change of [
      () => client.post('/v1/pets', NEW_PET),
      () => client.post('/_sandbox/reset'),
      () => client.post('/_sandbox/snapshots', { name: 'a' }),
      () => client.put('/_sandbox/clock', { now: '2030-12-05T00:00:00Z' }),
      () => client.post('/v1/pets', NEW_PET),
    ]) {
      const { status, json } = await change();
      expect([status, json.code]).toEqual([503, 'storage_failed']);
    }
    expect(await contents()).toEqual(before);
    const causes = server.lines.map(({ details }) => String((details as { err?: Error }).err?.cause));
    expect(causes).toContainEqual(expect.stringMatching(/was changed while the server runs: it has \d+ bytes/));
    expect((await client.get('/v1/pets?limit=100')).json).toEqual(pets);
    // As it was, it goes on.
    writeFileSync(file, whole);
    const next = await client.post('/v1/pets', NEW_PET);
    await server.end();
    server = await startTestServer({ settings: { data } });
    const all = (await server.client(client.key).get('/v1/pets?limit=100')).json;
    expect(all).toEqual([...pets, next.json]);
  });

  it('is not replaced when the server stops either, however little of it counts', async () => {
    const client = await server.sandbox();
    for (let n = 0; n < 4; n++) {
      await client.post('/v1/pets', { name: 'x'.repeat(20_000), categoryId: 1 });
      await client.post('/_sandbox/reset');
    }
    const [log] = (await filesBelow(data)).filter((file) => file.endsWith('.jsonl')) as [string];
    appendFileSync(join(data, log), '{"set":{"label":"by hand"}}\n');
    const before = await readFile(join(data, log));
    expect((await client.post('/_sandbox/reset')).status).toBe(503);
    await server.end();
    expect(await readFile(join(data, log))).toEqual(before);
  });
});

describe('a log file that is removed by hand while the server runs', () => {
  it('has changes rejected until it is put back', async () => {
    const client = await server.sandbox();
    const create = async () => (await client.post('/v1/pets', NEW_PET)).status;
    expect(await create()).toBe(201);
    const [log] = (await filesBelow(data)).filter((file) => /sandboxes\/.*\.jsonl$/.test(file)) as [string];
    await rename(join(data, log), join(folder, 'elsewhere.jsonl'));
    expect([await create(), await create(), await create()]).toEqual([503, 503, 503]);
    await rename(join(folder, 'elsewhere.jsonl'), join(data, log));
    expect(await create()).toBe(201);
    const { json: pets } = await client.get('/v1/pets?limit=100');
    await server.end();
    server = await startTestServer({ settings: { data } });
    expect((await server.client(client.key).get('/v1/pets?limit=100')).json).toEqual(pets);
  });
});
