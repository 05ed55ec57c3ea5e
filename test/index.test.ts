/** The library: a sandbox in the process of somebody's own tests. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SettingsError } from '../src/base/settings/settings.ts';
import { type PetstoreSandbox, type SandboxOptions, startSandbox } from '../src/index.ts';
import { filesBelow } from './sandbox/store/support.ts';
import { Client } from './support/client.ts';
import { newFolder } from './support/folder.ts';
import { limit } from './support/slow.ts';

const running: PetstoreSandbox[] = [];
afterEach(async () => {
  // The request log comes with its verdicts: `close()` waits 4.5 s only for a validator that is still starting.
  for (const sandbox of running.splice(0)) {
    await sandbox.requests({ limit: 1 }).catch(() => undefined);
    await sandbox.close();
  }
});

async function start(options?: SandboxOptions): Promise<PetstoreSandbox> {
  const sandbox = await startSandbox(options);
  running.push(sandbox);
  return sandbox;
}

/** For the tests that leave its ready sandbox as it was, but for its request log. */
let shared: PetstoreSandbox;
beforeAll(async () => {
  shared = await startSandbox();
});
afterAll(() => shared.close());

const clientOf = ({ url, key }: PetstoreSandbox, other = key): Client => new Client(new URL(url).origin, other);

const SEED = { pets: [{ id: 42, name: 'Rex', categoryId: 2n ** 53n + 1n, status: 'sold' as const }], nextId: 100 };

describe('a fixture given as a value', () => {
  it('is what every new sandbox starts with, and what a reset goes back to', async () => {
    const sandbox = await start({ fixture: SEED });
    const text = '[{"id":42,"name":"Rex","categoryId":9007199254740993,"status":"sold"}]';
    for (const { key } of [sandbox, await sandbox.issueKey()]) {
      const client = clientOf(sandbox, key);
      expect((await client.get('/v1/pets')).text).toBe(text);
      expect((await client.post('/v1/pets', { name: 'Ada', categoryId: 1 })).json.id).toBe(100);
      await sandbox.reset({ key });
      expect((await client.get('/v1/pets')).text).toBe(text);
    }
    await sandbox.reset({ fixture: { pets: [] } });
    expect((await clientOf(sandbox).get('/v1/pets')).json).toEqual([]);
    const other = await sandbox.issueKey({ fixture: { generate: { count: 3, seed: 1 } } });
    expect((await clientOf(sandbox, other.key).get('/v1/pets')).json).toHaveLength(3);
  });

  it('is rejected with every problem, and where a number may have lost digits', async () => {
    const fixtureOf = (...ids: number[]) => ({ pets: ids.map((id) => ({ id, name: 'A', categoryId: 1 })) });
    const wrong = /^fixture\/pets\/0\/id is an integer; 1.5 was sent\nfixture\/pets\/2\/id is .*; 0.1 was sent$/;
    const fixture = fixtureOf(1.5, 1, 0.1);
    await expect(startSandbox({ fixture })).rejects.toThrow(wrong);
    await expect(shared.issueKey({ fixture })).rejects.toThrow(wrong);
    await expect(shared.reset({ fixture })).rejects.toThrow(wrong);
    await expect(startSandbox({ fixture: fixtureOf(2 ** 53) })).rejects.toThrow(
      'fixture/pets/0/id: 9007199254740992 is beyond 2^53 and may have lost digits; give a bigint, like 9007199254740992n',
    );
    await expect(startSandbox({ fixture: 5 as never })).rejects.toThrow(SettingsError);
  });
});

describe('startSandbox()', () => {
  it('serves the API at its url with its key, in memory, on a port of its own', async () => {
    const [one, two] = await Promise.all([start(), start()]);
    expect(one.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    expect(two.url).not.toBe(one.url);
    await clientOf(one).post('/v1/pets', { name: 'Ada', categoryId: 1 });
    expect((await clientOf(one).get('/v1/pets')).json).toHaveLength(13);
    expect((await clientOf(two).get('/v1/pets')).json).toHaveLength(12);
    expect((await clientOf(two, one.key).get('/v1/pets')).status).toBe(401);
    expect((await clientOf(one, one.adminToken).get('/_sandbox/keys')).status).toBe(400);
  });

  it('issues keys and puts their sandboxes back', async () => {
    const issued = await shared.issueKey({ fixture: 'empty', label: 'mine', ttlSeconds: 60 });
    const client = clientOf(shared, issued.key);
    expect((await client.get('/_sandbox')).json).toMatchObject({ id: issued.sandbox, label: 'mine', fixture: 'empty' });
    await client.post('/v1/pets', { name: 'Ada', categoryId: 1 });
    await clientOf(shared).post('/v1/pets', { name: 'Bea', categoryId: 1 });
    await shared.reset({ key: issued.key });
    expect((await client.get('/v1/pets')).json).toEqual([]);
    expect((await clientOf(shared).get('/v1/pets')).json).toHaveLength(13);
    await shared.reset({ fixture: 'empty' });
    expect((await clientOf(shared).get('/v1/pets')).json).toEqual([]);
    await shared.reset({ fixture: 'default' });
    await expect(shared.reset({ key: 'petsbx_none' })).rejects.toThrow('does not belong to a sandbox');
    await expect(shared.issueKey({ fixture: 'spring' })).rejects.toThrow('no fixture named spring');
  });

  it.each<[string, Parameters<PetstoreSandbox['issueKey']>[0]]>([
    ['issueKey/label is a text', { label: 'two\nlines' }],
    ['issueKey/label is of at most 200 characters', { label: 'x'.repeat(201) }],
    ['issueKey/ttlSeconds is at most 31536000', { ttlSeconds: Number.POSITIVE_INFINITY }],
    ['issueKey/lable is not known here; did you mean label?', { lable: 'mine' } as object],
  ])('issues no key that the control API would not: %s', async (message, request) => {
    await expect(shared.issueKey(request)).rejects.toThrow(message);
  });

  it.each<[string, unknown]>([
    ['reset/0 is not known here', 'empty'],
    ['reset/fixtuer is not known here; did you mean fixture?', { fixtuer: 'empty' }],
  ])('resets to nothing that was not asked for: %s', async (message, to) => {
    await expect(shared.reset(to as object)).rejects.toThrow(message);
  });

  it('has the requests, the clock and the unmatched requests of its sandboxes', async () => {
    const sandbox = await start();
    const other = await sandbox.issueKey();
    const [own, others] = [clientOf(sandbox), clientOf(sandbox, other.key)];
    await sandbox.clock.set({ now: new Date('2030-12-04T00:00:00Z'), frozen: true });
    expect((await sandbox.clock.advance('P1D')).now).toEqual(new Date('2030-12-05T00:00:00Z'));
    expect([(await own.get('/v1/pets/1')).status, (await others.get('/v1/pets/1')).status]).toEqual([410, 200]);
    await sandbox.clock.reset();
    await sandbox.clock.set({ now: '2030-12-05T00:00:00Z', key: other.key });
    expect([(await own.get('/v1/pets/1')).status, (await others.get('/v1/pets/1')).status]).toEqual([200, 410]);
    await own.get('/v1/pets?limit=0');
    expect((await sandbox.requests()).map(({ status }) => status)).toEqual([400, 200, 410]);
    expect((await sandbox.requests({ violations: true })).map(({ target }) => target)).toEqual(['/v1/pets?limit=0']);
    expect(await sandbox.requests({ key: other.key, limit: 1 })).toMatchObject([{ status: 410 }]);
    await fetch(`${sandbox.url}/pets`);
    expect(await sandbox.unmatched()).toMatchObject([{ reason: 'no-credential', path: '/v1/pets' }]);
    await expect(sandbox.clock.set({ now: 'soon' })).rejects.toThrow('RFC 3339');
    await expect(sandbox.requests({ since: 'req_none' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(sandbox.clock.reset({ key: 'petsbx_none' })).rejects.toThrow('does not belong to a sandbox');
  });

  it('keeps its data and fixture where a directory is given, and takes them up again', async () => {
    const data = await newFolder();
    const first = await start({ data, fixture: SEED });
    await clientOf(first).post('/v1/pets', { name: 'Ada', categoryId: 1 });
    await expect(startSandbox({ data })).rejects.toThrow('in use');
    await first.close();
    await first.close();
    const second = await start({ data });
    expect(second.key).toBe(first.key);
    const client = clientOf(second);
    expect((await client.get('/v1/pets/100')).json.name).toBe('Ada');
    expect((await client.get('/_sandbox')).json).toMatchObject({ fixture: 'inline', nextId: 101 });
    await second.reset();
    expect((await client.get('/v1/pets')).json).toHaveLength(1);
    await second.close();
    expect((await filesBelow(data)).filter((file) => /sock|tmp/.test(file))).toEqual([]);
  });

  it.each([
    [{ keyTtlSeconds: 1.5 }, /^keyTtlSeconds is an integer/],
    [{ keys: 'a-fixed-key-0123456789' }, /^keys is a list/],
    [{ adminToken: {} }, /^adminToken is a single value/],
    [{ prot: 1 }, /^no such option: prot; there are port, host/],
    [{ data: 'x', memory: true }, /^data and memory contradict each other/],
  ])('rejects %j', async (options, message) => {
    const rejected = startSandbox(options as SandboxOptions);
    await expect(rejected).rejects.toThrow(message);
    await expect(rejected).rejects.toBeInstanceOf(SettingsError);
  });
});

it('a process that embeds sandboxes ends by itself once they are closed: nothing of them is left, and no environment is read', async () => {
  const script = `
    import { startSandbox } from ${JSON.stringify(`file://${process.cwd()}/dist/index.js`)};
    const listeners = () => ['SIGTERM', 'SIGINT', 'exit', 'uncaughtException', 'unhandledRejection']
      .map((name) => process.listenerCount(name));
    const before = listeners();
    const all = await Promise.all([startSandbox(), startSandbox()]);
    const during = listeners();
    for (const { url, key } of all) {
      const answer = await fetch(url + '/pets', { headers: { Authorization: 'Bearer ' + key, Connection: 'close' } });
      if ((await answer.json()).length !== 12) throw new Error('wrong');
    }
    await Promise.all(all.map((sandbox) => sandbox.close()));
    const idle = /^(PipeWrap|TTYWrap|Immediate|CloseReq|TCPSocketWrap)$/;
    const left = process.getActiveResourcesInfo().filter((name) => !idle.test(name));
    const [{ url, adminToken }] = all;
    console.log(JSON.stringify({ left, before, during, after: listeners(), url, adminToken }));`;
  const SANDBOX_ADMIN_TOKEN = 'the-admin-token-0123456789';
  const env = { SANDBOX_PORT: '1', SANDBOX_FIXTURE: 'none', SANDBOX_ADMIN_TOKEN, SANDBOX_PROT: '1' };
  const args = ['--input-type=module', '-e', script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, timeout: limit(15_000) });
  // It is one line: nothing else was written.
  const { left, before, during, after, url, adminToken } = JSON.parse(stdout);
  expect(left).toEqual([]);
  expect([during, after]).toEqual([before, before]);
  expect([url, adminToken]).toEqual([expect.not.stringContaining(':1/'), expect.not.stringContaining('admin')]);
});
