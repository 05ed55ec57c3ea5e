import { beforeEach, describe, expect, it } from 'vitest';
import { ClientError } from '../../src/client/errors.ts';
import { ContractError, expectContractPassed, openSandbox, withSandbox } from '../../src/testing.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();

const sandboxes = (): number => [...server.sandboxes.all()].length;

describe('a sandbox for a test', () => {
  it('is a world of its own, until it is ended', async () => {
    const seeded = await openSandbox(server, { fixture: { pets: [{ id: 42n, name: 'Rex', categoryId: 1 }] } });
    expect(await seeded.client.request('GET /')).toMatchObject({ fixture: 'inline', nextId: 43n });
    const rounded = openSandbox(server, { fixture: { pets: [], nextId: 2 ** 60 } });
    await expect(rounded).rejects.toThrow('fixture/nextId: 1152921504606846976 is beyond 2^53');
    await seeded.end();
    const [one, two] = [await openSandbox(server, { fixture: 'empty', label: 'one' }), await openSandbox(server)];
    expect(one.url).toBe(`${server.url}/${one.id}/v1`);
    expect((await server.client(await one.revokedKey()).get('/v1/pets')).json.message).toContain('revoked');
    await server.client(one.key).post('/v1/pets', { name: 'Rex', categoryId: 1 });
    expect((await one.client.request('GET /')).pets.total).toBe(1);
    expect((await two.client.request('GET /')).pets.total).toBe(12);
    expect(await one.client.request('GET /')).toMatchObject({ id: one.id, label: 'one', fixture: 'empty' });
    await one.end();
    await two.end();
    expect(sandboxes()).toBe(0);
    // A test may have ended it itself; the request log then says why it cannot be told.
    await one.end();
    expect(await one.requestLog()).toMatch(/^petstore sandbox: the request log cannot be read: /);
  });

  it('is made by the admin where only the admin may make keys', async () => {
    const closed = await startTestServer({ settings: { keyIssuing: 'admin' } });
    await expect(openSandbox({ url: closed.url })).rejects.toThrow(ClientError);
    const { url, adminToken } = closed;
    await (await openSandbox({ url, adminToken })).end();
  });

  it('tells its request log in words, the oldest first and the last twenty only, safe to show', async () => {
    const sandbox = await openSandbox(server);
    const client = server.client(sandbox.key);
    await client.get('/v1/pets?limit=0');
    await client.post('/v1/pets', { name: '\u001b[2J', categoryId: 1 });
    const requestLog = (await sandbox.requestLog()).split('\n');
    expect(requestLog[0]).toBe('petstore sandbox: 2 requests');
    expect(requestLog.filter((line) => line.startsWith('  >'))).toEqual([
      '  > GET /v1/pets?limit=0',
      '  > POST /v1/pets',
      '  > application/json, 35 bytes',
      '  > {"name":"\\u001b[2J","categoryId":1}',
    ]);
    expect(requestLog.join()).toContain('violation (request) at query/limit');
    for (let i = 0; i < 20; i++) await client.get('/v1/pets?limit=1');
    expect(await sandbox.requestLog()).toMatch(/^petstore sandbox: the last 20 of 22 requests\n/);
    expect(await sandbox.requestLog()).not.toContain('POST');
    await sandbox.end();
  });
});

describe('expectContractPassed', () => {
  it('is content with what the specification allows, and with nothing else', async () => {
    const sandbox = await openSandbox(server);
    const client = server.client(sandbox.key);
    await expect(expectContractPassed(sandbox)).rejects.toThrow('contract check incomplete: no request was seen');
    await client.get('/v1/pets/1');
    await expectContractPassed(sandbox);
    await expect(expectContractPassed(sandbox, { strict: true })).rejects.toThrow('1 use of a deprecated operation');
    await client.post('/v1/pets', { name: 'Rex' });
    const failed = expectContractPassed(sandbox);
    await expect(failed).rejects.toBeInstanceOf(ContractError);
    await expect(failed).rejects.toMatchObject({ report: { verdict: 'fail', counts: { violation: 1 } } });
    await expect(failed).rejects.toThrow(
      /^contract check failed: 1 violation of the specification \(.*\)\n✗ createPet {2}body\/categoryId {2}is required/,
    );
    await sandbox.end();
  });
});

it('waits for the validator of a server of which only the address is known', async () => {
  const { url } = await startTestServer();
  const sandbox = await openSandbox({ url });
  expect((await sandbox.client.request('GET /health')).validator.ready).toBe(true);
  await sandbox.end();
});

describe('withSandbox', () => {
  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  const failure = new RangeError('expected a pet');
  beforeEach(() => void printed.splice(0));

  it('returns what the test returns, and says nothing', async () => {
    expect(await withSandbox(server, ({ id }) => id.slice(0, 4), { print })).toBe('sbx_');
    expect([printed, sandboxes()]).toEqual([[], 0]);
  });

  it('tells the request log of a test that fails, ends its sandbox, and throws what it threw', async () => {
    const failing = async ({ key }: { key: string }) => {
      await server.client(key).get('/v1/pets/404');
      throw failure;
    };
    await expect(withSandbox(server, failing, { print })).rejects.toBe(failure);
    expect(printed).toEqual([expect.stringMatching(/^petstore sandbox: 1 requests?\n[\s\S]* < 404/)]);
    expect(sandboxes()).toBe(0);
  });

  it('does not hide what a test threw when the server is gone', async () => {
    // A server that closes before its validator has started leaves exchanges not validated.
    const own = await startTestServer();
    await own.validator.ready;
    const failing = async () => {
      await own.close();
      throw failure;
    };
    await expect(withSandbox(own, failing, { print })).rejects.toBe(failure);
    expect(printed[0]).toContain('cannot be reached');
  });
});
