/** The program as operators run it on a shared store: its banner, and an update from one version to the next. */
import { createHash } from 'node:crypto';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { logKey } from '../../src/backend/valkey/names.ts';
import { ENTER } from '../../src/backend/valkey/scripts.ts';
import { Client } from '../support/client.ts';
import { EventStream } from '../support/event-stream.ts';
import { newFolder } from '../support/folder.ts';
import { addPeers } from '../support/peers.ts';
import { CLI } from '../support/program.ts';
import { limit } from '../support/slow.ts';
import { Program } from '../support/watched-program.ts';
import { ADMIN, create, engineWith, newClient, range, startTwo } from './support.ts';

const timeout = limit(60_000);

async function startProgram(store: string, cli = CLI): Promise<{ program: Program; url: string }> {
  const args = ['serve', '--port', '0', '--store', store];
  const program = new Program(args, { env: { SANDBOX_ADMIN_TOKEN: ADMIN, PATH: process.env['PATH'] ?? '' }, cli });
  onTestFinished(() => program.kill());
  const [, url = ''] = await program.wrote(/API +(http:\/\/127\.0\.0\.1:\d+)\/v1/);
  return { program, url };
}

/** The text of a script in the other version. */
const changed = (text: string): string => text.replaceAll('local last = ', 'local  last = ');

/** A copy of the built program whose scripts have another text, and so another name in the engine. */
async function otherVersion(): Promise<string> {
  const directory = await newFolder();
  const [from, dist] = [dirname(dirname(CLI)), join(directory, 'dist')];
  for (const part of ['dist', 'fixtures', 'spec', 'package.json']) {
    await cp(join(from, part), join(directory, part), { recursive: true });
  }
  for (const name of await readdir(dist)) {
    if (/\.c?js$/.test(name)) await writeFile(join(dist, name), changed(await readFile(join(dist, name), 'utf8')));
  }
  return join(dist, 'cli.cjs');
}

it('the banner names the store without its password, and how to get a key', async () => {
  const { client, port } = await engineWith();
  await client.acl('SETUSER', 'tester', 'on', '>a-password-of-tests', '~*', '&*', '+@all');
  const { program, url } = await startProgram(`valkey://tester:a-password-of-tests@127.0.0.1:${port}/3`);
  expect(program.out).toContain(`  data       valkey://127.0.0.1:${port}/3\n`);
  expect(program.out).toContain(`  key        none; POST ${url}/_sandbox/keys makes one\n`);
  expect(program.out + program.err).not.toContain('a-password-of-tests');
});

it('the permissions that the documentation names are enough, for events and unmatched requests too', async () => {
  const { client: redis, port } = await engineWith();
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

it('two versions of the program serve the same sandboxes, each with its own scripts', { timeout }, async () => {
  const { client: redis, address } = await engineWith();
  const store = address();
  const [old, next] = [await startProgram(store), await startProgram(store, await otherVersion())];
  addPeers([old.url, next.url]);
  const client = await newClient(old.url, { fixture: 'empty' });
  const replies = await Promise.all(range(0, 100).map((n) => create(client, `Pet ${n}`)));
  expect(replies.map(({ json }) => json.id).sort((a, b) => a - b)).toEqual(range(1, 100));
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
  const other = createHash('sha1').update(changed(ENTER.lua)).digest('hex');
  expect(await redis.script('EXISTS', ENTER.sha, other)).toEqual([1, 1]);
});

it('a sandbox that a later version wrote to is told apart from others', { timeout }, async () => {
  const { client: redis, address } = await engineWith();
  const store = address();
  const [server] = await startTwo(store);
  const [client, other] = [await newClient(server.url), await newClient(server.url)];
  await redis.select(Number(new URL(store).pathname.slice(1)));
  const { id } = (await client.get('/_sandbox')).json;
  await redis.rpush(logKey(id), '0123456789abcdef {"later":{}}');
  const message = expect.stringMatching(/a later version of the program wrote to this sandbox; update this server/);
  for (const reply of [await client.get('/v1/pets'), await create(client, 'Rex'), await client.get('/v1/pets')])
    expect(reply.json).toMatchObject({ status: 503, code: 'storage_failed', message });
  expect((await other.get('/v1/pets')).status).toBe(200);
});
