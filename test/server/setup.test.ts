/** The start state as a file: `serve --setup FILE`. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { startTestServer } from '../support/server.ts';

const KEY = 'the-key-of-a-test-0123456789';

async function fileOf(content: unknown): Promise<string> {
  const file = join(await newFolder(), 'setup.json');
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

test('a server begins with the fixture, clock, faults and snapshots of each key', async () => {
  const exact = `{"sandboxes":[{"key":"${KEY}","reset":{"fixture":{"pets":[{"id":9007199254740993,"name":"Long","categoryId":1}]}},
    "clock":{"now":"2030-12-04T00:00:00Z","frozen":true},
    "faults":[{"operation":"createPet","status":503,"times":1}],
    "snapshots":[{"name":"prepared"}]},{"key":"another-key-0123456789","reset":{"fixture":"empty"}}]}`;
  const server = await startTestServer({ settings: { setup: await fileOf(exact) } });
  const client = server.client(KEY);
  expect((await client.get('/v1/pets')).text).toContain('"id":9007199254740993');
  expect((await client.get('/_sandbox/clock')).json).toMatchObject({ now: '2030-12-04T00:00:00.000Z', frozen: true });
  expect((await client.post('/v1/pets', { name: 'Rex', categoryId: 1 })).status).toBe(503);
  expect((await client.get('/_sandbox/snapshots')).json.snapshots).toMatchObject([{ name: 'prepared' }]);
  expect((await server.client('another-key-0123456789').get('/v1/pets')).json).toEqual([]);
  // What sets it up is no request of a client.
  expect((await client.get('/_sandbox/requests')).json.total).toBe(2);
});

test('a sandbox that was there before keeps its state', async () => {
  const data = await newFolder();
  const setup = await fileOf({ sandboxes: [{ key: KEY, reset: { fixture: 'empty' } }] });
  const first = await startTestServer({ settings: { data, setup } });
  expect((await first.client(KEY).post('/v1/pets', { name: 'Rex', categoryId: 1 })).status).toBe(201);
  await first.end();
  const second = await startTestServer({ settings: { data, setup } });
  expect((await second.client(KEY).get('/v1/pets')).json).toMatchObject([{ name: 'Rex' }]);
});

test('the text of such a file will do, as the services of a CI job need it', async () => {
  const setup = JSON.stringify({ sandboxes: [{ key: KEY, reset: { fixture: 'empty' } }] });
  const server = await startTestServer({ settings: { setup } });
  expect((await server.client(KEY).get('/v1/pets')).json).toEqual([]);
  await expect(startTestServer({ settings: { setup: setup.replace('empty', 'nowhere') } })).rejects.toThrow(
    /^the setup: sandboxes\/0\/reset: /,
  );
});

const entry = (more: object) => ({ sandboxes: [{ key: KEY, ...more }] });

test.each([
  ['{', /cannot be read: not valid JSON/],
  [[], /must be an object like/],
  [{ sandboxes: {} }, /must be an object like/],
  [{ sandboxes: [], keys: [] }, /keys is not known here/],
  [{ sandboxes: [5] }, /sandboxes\/0 must be a JSON object; got/],
  [{ sandboxes: [{}] }, /sandboxes\/0\/key must be a string/],
  [{ sandboxes: [{ key: 'short' }] }, /sandboxes\/0\/key must be /],
  [{ sandboxes: [{ key: KEY }, { key: KEY }] }, /sandboxes\/1\/key is that of another sandbox/],
  [entry({ fautls: [] }), /sandboxes\/0\/fautls is not known here; did you mean faults\?/],
  [entry({ faults: {} }), /sandboxes\/0\/faults must be a list/],
  [
    entry({ faults: [{ status: 503 }, { status: 42 }] }),
    /sandboxes\/0\/faults\/1: body\/status: must be an integer from/,
  ],
  [entry({ clock: { now: 'tomorrow' } }), /sandboxes\/0\/clock: body\/now: must be .*RFC 3339/],
  [entry({ reset: { fixture: 'nowhere' } }), /sandboxes\/0\/reset: .*nowhere/],
  [entry({ reset: { fixture: { pets: [{ id: 1 }] } } }), /sandboxes\/0\/reset: body\/fixture\/pets\/0/],
  [
    entry({ snapshots: [{ nmae: 'x' }] }),
    /sandboxes\/0\/snapshots\/0: .*body\/nmae: is not known here; did you mean name\?/,
  ],
])('a mistake stops the start, and is named with its place: %j', async (content, message) => {
  const setup = await fileOf(content);
  const started = startTestServer({ settings: { setup } });
  await expect(started).rejects.toThrow(message);
  await expect(started).rejects.toThrow(setup);
  await expect(started).rejects.not.toThrow(KEY);
});
