/** The program as operators run it on a shared store: its banner, and an update from one version to the next. */
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { logKey } from '../../src/backend/valkey/names.ts';
import { ENTER } from '../../src/backend/valkey/scripts.ts';
import { Client } from '../support/client.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { EventStream } from '../support/event-stream.ts';
import { addPeers } from '../support/peers.ts';
import { CLI } from '../support/program.ts';
import { limit } from '../support/slow.ts';
import { Program } from '../support/watched-program.ts';
import { ADMIN, create, newClient, range, startTwo } from './support.ts';

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function engine(): Promise<TestEngine> {
  const started = await startEngine();
  endings.push(() => started.close());
  return started;
}

async function startProgram(store: string, cli = CLI): Promise<{ program: Program; url: string }> {
  const args = ['serve', '--port', '0', '--store', store];
  const program = new Program(args, { env: { SANDBOX_ADMIN_TOKEN: ADMIN, PATH: process.env['PATH'] ?? '' }, cli });
  endings.push(() => program.kill());
  const [, url] = await program.wrote(/API +(http:\/\/127\.0\.0\.1:\d+)\/v1/);
  return { program, url: url as string };
}

/** A copy of the built program whose scripts have another text, and so another name in the engine. */
async function otherVersion(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-version-'));
  endings.push(() => rm(directory, { recursive: true, force: true }));
  const [from, dist] = [dirname(dirname(CLI)), join(directory, 'dist')];
  for (const part of ['dist', 'fixtures', 'spec', 'package.json']) {
    await cp(join(from, part), join(directory, part), { recursive: true });
  }
  for (const name of await readdir(dist)) {
    if (!/\.c?js$/.test(name)) continue;
    const text = await readFile(join(dist, name), 'utf8');
    await writeFile(join(dist, name), text.replaceAll('local last = ', 'local  last = '));
  }
  return join(dist, 'cli.cjs');
}

describe('the banner', () => {
  it('names the store without its password, and how to get a key', async () => {
    const { client, port } = await engine();
    await client.acl('SETUSER', 'tester', 'on', '>a-password-of-tests', '~*', '&*', '+@all');
    const { program, url } = await startProgram(`valkey://tester:a-password-of-tests@127.0.0.1:${port}/3`);
    expect(program.out).toContain(`  data       valkey://127.0.0.1:${port}/3\n`);
    expect(program.out).toContain(`  key        none; POST ${url}/_sandbox/keys makes one\n`);
    expect(program.out + program.err).not.toContain('a-password-of-tests');
  });
});

describe('the permissions that the documentation names', () => {
  it('are enough, for events and unmatched requests too', async () => {
    const { client: redis, port } = await engine();
    const text = await readFile(new URL('../../docs/operate/servers.md', import.meta.url), 'utf8');
    const [, permissions = ''] = /^user sandbox on >password (.*)$/m.exec(text) ?? [];
    await redis.acl('SETUSER', 'sandbox', 'on', '>password', ...permissions.split(' '));
    await redis.call('ACL', 'LOG', 'RESET');
    const [server] = await startTwo(`valkey://sandbox:password@127.0.0.1:${port}/2`);
    const client = await newClient(server.url);
    const stream = await EventStream.open(server.url, { headers: { Authorization: `Bearer ${client.key}` } });
    expect((await create(client, 'Rex')).status).toBe(201);
    expect((await client.post('/_sandbox/reset', {})).status).toBe(200);
    expect((await client.get('/_sandbox/report')).json.totals.exchanges).toBe(1);
    expect((await new Client(server.url).get('/v1/pets')).status).toBe(401);
    await expect.poll(async () => (await client.get('/_sandbox/requests/unmatched')).json.requests.length).toBe(1);
    stream.close();
    expect(await redis.call('ACL', 'LOG')).toEqual([]);
  });
});

describe('two versions of the program on one store', () => {
  it('serve the same sandboxes, each with its own scripts', { timeout: limit(60_000) }, async () => {
    const { client: redis, address } = await engine();
    const store = address();
    const [old, next] = [await startProgram(store), await startProgram(store, await otherVersion())];
    addPeers([old.url, next.url]);
    const client = await newClient(old.url, { fixture: 'empty' });
    const replies = await Promise.all(range(0, 100).map((n) => create(client, `Pet ${n}`)));
    expect(replies.map(({ status }) => status).filter((status) => status !== 201)).toEqual([]);
    expect(new Set(replies.map(({ json }) => json.id)).size).toBe(100);
    await client.post('/_sandbox/faults', { status: 503, times: 1 });
    const drawn = await Promise.all(range(0, 10).map(() => client.get('/v1/pets')));
    expect(drawn.filter(({ status }) => status === 503)).toHaveLength(1);
    const twice = async (path: string) => [(await client.get(path)).json, (await client.get(path)).json];
    for (const report of await twice('/_sandbox/report')) expect(report.totals.exchanges).toBe(110);
    const counts = async () => (await twice('/_sandbox/export?format=fixture')).map(({ pets }) => pets.length);
    expect(await counts()).toEqual([100, 100]);
    await client.post('/_sandbox/reset', {});
    expect(await counts()).toEqual([0, 0]);
    // The name of a script is the hash of its text: so the two did not share one.
    expect(await redis.script('EXISTS', ENTER.sha)).toEqual([1]);
    expect(await redis.script('EXISTS', later(ENTER.lua))).toEqual([1]);
  });

  it('are told apart where the later one wrote what the other cannot read', { timeout: limit(60_000) }, async () => {
    const { client: redis, address } = await engine();
    const store = address();
    const [server] = await startTwo(store);
    const [client, other] = [await newClient(server.url), await newClient(server.url)];
    await redis.select(Number(new URL(store).pathname.slice(1)));
    const { id } = (await client.get('/_sandbox')).json;
    await redis.rpush(logKey(id), '0123456789abcdef {"later":{}}');
    for (const reply of [await client.get('/v1/pets'), await create(client, 'Rex'), await client.get('/v1/pets')]) {
      expect([reply.status, reply.json.code]).toEqual([503, 'storage_failed']);
      expect(reply.json.message).toMatch(/a later version of the program wrote to this sandbox; update this server/);
    }
    expect((await other.get('/v1/pets')).status).toBe(200);
  });
});

/** The name of a script of the other version. */
const later = (lua: string): string =>
  createHash('sha1').update(lua.replaceAll('local last = ', 'local  last = ')).digest('hex');
