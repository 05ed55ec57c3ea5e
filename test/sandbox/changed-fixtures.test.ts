/** A file of `--fixtures` that changes while the server runs. */
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { newFolder } from '../support/folder.ts';
import { startTestServer } from '../support/server.ts';

const textOf = (...names: string[]): string =>
  JSON.stringify({ description: 'mine', pets: names.map((name, id) => ({ id: id + 1, name, categoryId: 1 })) });

/** A server whose fixture `mine` has a pet named Rex, and what changes its file. */
async function serverWith(more: object = {}) {
  const fixtures = await newFolder({ 'mine.json': textOf('Rex') });
  const file = join(fixtures, 'mine.json');
  const settings = { fixtures, ...more };
  const server = await startTestServer({ settings });
  return { server, settings, file, write: (...names: string[]) => writeFile(file, textOf(...names)) };
}

const namesIn = async (client: Client): Promise<string[]> =>
  (await client.get('/v1/pets')).json.map(({ name }: { name: string }) => name);

const reset = (client: Client, body: object = {}) => client.post('/_sandbox/reset', body);

/** The names of a sandbox's pets after a reset. */
const namesAfterReset = async (client: Client, body?: object): Promise<string[]> => {
  expect((await reset(client, body)).status).toBe(200);
  return namesIn(client);
};

describe('a fixture whose file changes', () => {
  it('is read again by a reset, for all that is created from then on; other sandboxes keep their pets', async () => {
    const { server, file, write } = await serverWith();
    const [first, second] = [await server.sandbox({ fixture: 'mine' }), await server.sandbox({ fixture: 'mine' })];
    await first.post('/_sandbox/snapshots', { name: 'before' });
    // As an editor does, which puts another file in its place; then back to the first text.
    for (const names of [['Tom'], ['Tom', 'Rex'], ['Rex'], ['Kim']]) {
      const before = await namesIn(first);
      await writeFile(`${file}.new`, textOf(...names));
      await rename(`${file}.new`, file);
      expect(await namesIn(await server.sandbox({ fixture: 'mine' }))).toEqual(before);
      expect(await namesAfterReset(first)).toEqual(names);
      expect(await namesIn(await server.sandbox({ fixture: 'mine' }))).toEqual(names);
      expect(await namesIn(second)).toEqual(['Rex']);
      const { fixtures } = (await first.get('/_sandbox/fixtures')).json;
      expect(fixtures).toContainEqual({ name: 'mine', description: 'mine', pets: names.length });
    }
    expect((await first.get('/_sandbox')).json.fixture).toBe('mine');
    expect(await namesAfterReset(first, { snapshot: 'before' })).toEqual(['Rex']);
    await write('Ada');
    expect(await namesAfterReset(second, { fixture: 'mine' })).toEqual(['Ada']);
  });

  it.each<[string, (file: string) => Promise<unknown>, RegExp]>([
    ['is cut off', (file) => writeFile(file, textOf('Tom').slice(0, 30)), /mine\.json: .*not valid JSON/],
    ['is gone', (file) => rm(file), /mine\.json: cannot be read: ENOENT/],
  ])('%s: the reset is rejected, and nothing is lost', async (_, spoil, why) => {
    const { server, file, write } = await serverWith();
    const client = await server.sandbox({ fixture: 'mine' });
    await client.post('/v1/pets', { name: 'Tom', categoryId: 1 });
    await spoil(file);
    for (const body of [{}, { fixture: 'mine' }]) {
      const { json } = await reset(client, body);
      expect(json).toMatchObject({ status: 409, code: 'conflict' });
      expect(json.message).toMatch(/^the fixture mine has changed, and cannot be used: /);
      expect(json.message).toMatch(why);
      expect(json.message).not.toContain(file);
    }
    expect(await namesIn(await server.sandbox({ fixture: 'mine' }))).toEqual(['Rex']);
    expect(await namesIn(client)).toEqual(['Rex', 'Tom']);
    await rm(file, { force: true });
    await write('Kim');
    expect(await namesAfterReset(client)).toEqual(['Kim']);
  });

  it('is known to the next start of the server', async () => {
    const KEY = 'the-key-of-a-test-0123456789';
    const { server, settings, write } = await serverWith({ data: await newFolder(), keys: [KEY] });
    await reset(server.client(KEY), { fixture: 'mine' });
    await write('Tom');
    await reset(server.client(KEY));
    await server.end();
    const second = await startTestServer({ settings });
    expect(await namesIn(second.client(KEY))).toEqual(['Tom']);
    await second.end();
    await write('Kim', 'Tom');
    const third = (await startTestServer({ settings })).client(KEY);
    expect(await namesIn(third)).toEqual(['Kim', 'Tom']);
    expect(await namesAfterReset(third)).toEqual(['Kim', 'Tom']);
  });

  it('is in a recording as the sandbox has it', async () => {
    const { server, write } = await serverWith();
    const client = await server.sandbox({ fixture: 'mine' });
    await write('Tom');
    await reset(client);
    await write('Kim');
    const recording = (await client.get('/_sandbox/export?format=recording')).text;
    const { status, json } = await client.importRecording(recording);
    expect([status, await namesIn(server.client(json.key))]).toEqual([201, ['Tom']]);
  });
});
