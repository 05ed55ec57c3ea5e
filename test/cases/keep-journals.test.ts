/** `--keep-journals`: what a restart keeps of what happened, and what it never shows. */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Client } from '../support/client.ts';
import { pieceIn } from '../support/secrets.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { withoutTimes } from './without-times.ts';

let data: string;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'journals-'));
});
afterEach(() => rm(data, { recursive: true, force: true }));

const start = (settings = {}): Promise<TestServer> =>
  startTestServer({ settings: { data, keepJournals: true, ...settings } });
const files = async (): Promise<string[]> => (await readdir(join(data, 'journals')).catch(() => [])).sort();
const journalOf = async (client: Client) => (await client.get('/_sandbox/requests?limit=1000')).json;
const warnings = ({ lines }: TestServer): string[] =>
  lines.filter(({ level }) => level === 'warn').map(({ message }) => String(message));
const JSON_TYPE = { 'Content-Type': 'application/json' };

test('journal, report, unclaimed requests and drill are the same after a restart', {
  timeout: limit(60_000),
}, async () => {
  const first = await start();
  const client = await first.sandbox({ fixture: 'empty' });
  const drilled = await first.sandbox();
  // More than the journal holds: the report counts what it dropped.
  await client.post('/v1/pets', '{"name":5}');
  await client.post('/v1/pets', '{"name":"Rex","categoryId":9223372036854775807}');
  for (let n = 0; n < 1_000; n++) await client.get('/v1/pets?limit=1');
  await client.get(`/v1/pets?limit=0&key=${client.key}`);
  await client.post('/_sandbox/faults', { operation: 'getPet', status: 503, times: 2 });
  await client.get('/v1/pets/1');
  await client.get('/v1/elsewhere', { 'Sandbox-Intent': 'invalid' });
  await first.client().get('/v1/pets');
  const drill = { method: 'PUT', path: '/_sandbox/drill', headers: JSON_TYPE, body: '{"drill":"lost-create"}' };
  await drilled.send(drill);
  await drilled.post('/v1/pets', { name: 'Drill', categoryId: 1 }).catch(() => undefined);
  const seen =
    (server: TestServer, { key = '' }: Client) =>
    async () => {
      const now = server.client(key);
      const { text } = await now.get('/_sandbox/export?format=case');
      const { createdAt: _, sandboxNow: __, ...report } = (await now.get('/_sandbox/report')).json;
      const all = await server.client(server.adminToken).get('/_sandbox/unclaimed');
      return { case: withoutTimes(text), journal: await journalOf(now), report, unclaimed: all.json };
    };
  const before = [await seen(first, client)(), await seen(first, drilled)()];
  expect(before[0]?.journal.dropped).toBe(5);
  await first.end();

  expect(await files()).toHaveLength(3);
  const { mode } = await stat(join(data, 'journals', String((await files())[0])));
  expect(mode & 0o777).toBe(0o600);
  for (const file of await files()) {
    const text = await readFile(join(data, 'journals', file), 'utf8');
    expect(pieceIn(text, client.key as string)).toBeUndefined();
  }
  const second = await start();
  // A kill from now on leaves nothing to show.
  expect(await files()).toEqual([]);
  expect([await seen(second, client)(), await seen(second, drilled)()]).toEqual(before);
  const again = second.client(client.key);
  await again.get('/v1/pets?limit=1');
  expect((await journalOf(again)).dropped).toBe(6);
  // Known findings are counted on, not listed twice.
  await again.get('/v1/pets?limit=0');
  const { operations } = (await again.get('/_sandbox/report')).json;
  expect(operations[0].violations).toMatchObject([{ count: 2 }]);
});

test('a file that cannot be used is moved away, and the start goes on', async () => {
  const first = await start();
  const clients = await Promise.all(Array.from({ length: 8 }, () => first.sandbox({ fixture: 'empty' })));
  for (const client of clients) await client.post('/v1/pets', { name: 'Rex', categoryId: 1 });
  await first.end();
  const folder = join(data, 'journals');
  const names = await files();
  expect(names).toHaveLength(8);
  const edits: ((text: string) => string | Buffer)[] = [
    (text) => text.slice(0, -100),
    () => Buffer.from([0xff, 0xfe]),
    (text) => text.replace('"kept":1', '"kept":2'),
    (text) => text.replace('"accepted":true', '"accepted":1'),
    (text) => text.replace('"added":1', '"added":2'),
    (text) => text.replace('"body":"', `"body":"${'x'.repeat(20_000)}`),
    () => 'null',
  ];
  for (const [i, edit] of edits.entries()) {
    const path = join(folder, String(names[i]));
    await writeFile(path, edit(await readFile(path, 'utf8')));
  }
  await writeFile(join(folder, 'sbx_nothing.json'), '{}');
  await writeFile(join(folder, '.unfinished.json.tmp'), '{');
  await symlink('/dev/zero', join(folder, 'zero.json'));
  await mkdir(join(folder, 'folder.json'));
  const second = await start();
  expect(warnings(second)).toEqual([expect.stringContaining('some journals cannot be used')]);
  const lost = await readdir(join(data, 'lost+found/journals'));
  expect(lost.sort()).toEqual([...names.slice(0, 7), 'folder.json', 'sbx_nothing.json', 'zero.json'].sort());
  const totals = await Promise.all(clients.map(async ({ key }) => (await journalOf(second.client(key))).total));
  expect(totals.toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
  for (const { key } of clients) expect((await second.client(key).get('/v1/pets/1')).status).toBe(200);
});

test('a journal of another state of its sandbox is not shown', async () => {
  const first = await start();
  const client = await first.sandbox({ fixture: 'empty' });
  await client.post('/v1/pets', { name: 'Rex', categoryId: 1 });
  await first.end();
  await cp(join(data, 'journals'), join(data, 'old'), { recursive: true });
  const second = await start();
  await second.client(client.key).post('/v1/pets', { name: 'Max', categoryId: 1 });
  await second.end();
  await rm(join(data, 'journals'), { recursive: true });
  await cp(join(data, 'old'), join(data, 'journals'), { recursive: true });
  const third = await start();
  expect((await journalOf(third.client(client.key))).total).toBe(0);
  expect(warnings(third)).toHaveLength(1);
});

test('without the setting nothing is kept, and what was kept is removed', async () => {
  const first = await start();
  const client = await first.sandbox();
  await client.get('/v1/pets');
  await first.end();
  const second = await start({ keepJournals: false });
  expect(warnings(second)).toEqual([expect.stringContaining('--keep-journals is not set')]);
  expect((await journalOf(second.client(client.key))).total).toBe(0);
  await second.client(client.key).get('/v1/pets');
  await second.end();
  expect(await files()).toEqual([]);
  await expect(startTestServer({ settings: { keepJournals: true } })).rejects.toThrow('needs a data directory');
});
