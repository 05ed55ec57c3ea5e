/** The start state as a file: `serve --setup FILE`. */
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { startTestServer } from '../support/server.ts';

const KEY = 'the-key-of-a-test-0123456789';

const fileOf = async (content: unknown): Promise<string> => {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return join(await newFolder({ 'setup.json': text }), 'setup.json');
};
const entry = (more: object) => ({ sandboxes: [{ key: KEY, ...more }] });

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
  const setup = await fileOf(entry({ reset: { fixture: 'empty' } }));
  const first = await startTestServer({ settings: { data, setup } });
  expect((await first.client(KEY).post('/v1/pets', { name: 'Rex', categoryId: 1 })).status).toBe(201);
  await first.end();
  const second = await startTestServer({ settings: { data, setup } });
  expect((await second.client(KEY).get('/v1/pets')).json).toMatchObject([{ name: 'Rex' }]);
});

test('the text of such a file will do, as the services of a CI job need it', async () => {
  const setup = JSON.stringify(entry({ reset: { fixture: 'empty' } }));
  const server = await startTestServer({ settings: { setup } });
  expect((await server.client(KEY).get('/v1/pets')).json).toEqual([]);
  await expect(startTestServer({ settings: { setup: setup.replace('empty', 'nowhere') } })).rejects.toThrow(
    /^the setup: sandboxes\/0\/reset: /,
  );
});

describe('a recording in a setup', () => {
  const recorded = async (): Promise<string> => {
    const server = await startTestServer();
    const client = await server.sandbox({ fixture: 'empty', label: 'recorded' });
    await client.post('/v1/pets', { name: 'Rex', categoryId: 1 });
    await client.post('/_sandbox/snapshots', { name: 'with-rex' });
    await client.put('/_sandbox/clock', { now: '2030-12-04T00:00:00Z', frozen: true });
    await server.validator.whenValidated();
    return (await client.get('/_sandbox/export?format=recording')).text;
  };

  const opens = async (setup: string, more: object = {}) => {
    const server = await startTestServer({ settings: { setup, ...more } });
    const client = server.client(KEY);
    expect((await client.get('/v1/pets')).json).toMatchObject([{ id: 1, name: 'Rex' }]);
    return { server, client };
  };

  it('is opened with its key, by its file next to the setup or its text', async () => {
    const recording = await recorded();
    const setupJson = JSON.stringify(entry({ recording: 'recording.jsonl' }));
    const folder = await newFolder({ 'recording.jsonl': recording, 'setup.json': setupJson });
    for (const setup of [join(folder, 'setup.json'), JSON.stringify(entry({ recording }))]) {
      const { server, client } = await opens(setup);
      const { json: about } = await client.get('/_sandbox');
      expect(about).toMatchObject({ label: 'recorded', preconfigured: true, expiresAt: null, fixture: 'empty' });
      expect((await client.get('/_sandbox/clock')).json).toMatchObject({ frozen: true });
      expect((await client.get('/_sandbox/requests')).json.total).toBe(2);
      expect((await client.get('/_sandbox/snapshots')).json.snapshots).toMatchObject([{ name: 'with-rex' }]);
      // Its first sandbox is gone.
      expect([...server.sandboxes.all()].length).toBe(1);
    }
  });

  it('may have more on top, and is opened once where sandboxes are stored', async () => {
    const more = { clock: { now: '2030-12-06T00:00:00Z' }, faults: [{ operation: 'createPet', status: 503 }] };
    const setup = JSON.stringify(entry({ recording: await recorded(), ...more }));
    const data = await newFolder();
    const { server, client } = await opens(setup, { data });
    expect((await client.get('/_sandbox/clock')).json.now).toMatch(/^2030-12-06/);
    expect((await client.post('/v1/pets', { name: 'Tom', categoryId: 1 })).status).toBe(503);
    await client.delete('/_sandbox/faults');
    await client.post('/v1/pets', { name: 'Tom', categoryId: 1 });
    await server.end();
    const second = await startTestServer({ settings: { setup, data } });
    expect((await second.client(KEY).get('/v1/pets')).json).toMatchObject([{ name: 'Rex' }, { name: 'Tom' }]);
  });

  const UNKNOWN_DRILL = '"drill":{"drill":"nothing"}';
  it.each<[string, (recording: string) => object, RegExp]>([
    ['is no text', () => ({ recording: 5 }), /recording is the text of a recording, or its file; 5 was/],
    ['is not there', () => ({ recording: 'nowhere.jsonl' }), /recording cannot be opened: nowhere\.jsonl: ENOENT/],
    ['is damaged', (text) => ({ recording: text.slice(0, 300) }), /recording cannot be opened: /],
    ['is no recording', () => ({ recording: '{"a":1}' }), /recording cannot be opened: line 1: this is no recording/],
    ['comes with a reset', (text) => ({ recording: text, reset: {} }), /recording and reset exclude each other/],
    ['has no such drill', (text) => ({ recording: text.replaceAll('"drill":null', UNKNOWN_DRILL) }), /0\/recording/],
  ])('that %s stops the start', async (_, of, message) => {
    const setup = await fileOf(entry(of(await recorded())));
    await expect(startTestServer({ settings: { setup } })).rejects.toThrow(message);
  });
});

test.each([
  ['{', /cannot be read: not valid JSON/],
  [[], /must be an object like/],
  [{ sandboxes: {} }, /must be an object like/],
  [{ sandboxes: [], keys: [] }, /keys is not known here/],
  [{ sandboxes: [5] }, /sandboxes\/0 is a JSON object; 5 was/],
  [{ sandboxes: [{}] }, /sandboxes\/0\/key is a string/],
  [{ sandboxes: [{ key: 'short' }] }, /sandboxes\/0\/key is /],
  [{ sandboxes: [{ key: KEY }, { key: KEY }] }, /sandboxes\/1\/key is that of another sandbox/],
  [entry({ fautls: [] }), /sandboxes\/0\/fautls is not known here; did you mean faults\?/],
  [entry({ faults: {} }), /sandboxes\/0\/faults is a list/],
  [entry({ faults: [{ status: 503 }, { status: 42 }] }), /sandboxes\/0\/faults\/1: body\/status is at least 400/],
  [entry({ clock: { now: 'tomorrow' } }), /sandboxes\/0\/clock: body\/now is .*RFC 3339/],
  [entry({ reset: { fixture: 'nowhere' } }), /sandboxes\/0\/reset: .*nowhere/],
  [entry({ reset: { fixture: { pets: [{ id: 1 }] } } }), /sandboxes\/0\/reset: body\/fixture\/pets\/0/],
  [entry({ snapshots: [{ nmae: 'x' }] }), /sandboxes\/0\/snapshots\/0: .*body\/nmae is not .*; did you mean name\?/],
])('a mistake stops the start, and is named with its place: %j', async (content, message) => {
  const setup = await fileOf(content);
  const started = startTestServer({ settings: { setup } });
  await expect(started).rejects.toThrow(message);
  await expect(started).rejects.toThrow(setup);
  await expect(started).rejects.not.toThrow(KEY);
});
