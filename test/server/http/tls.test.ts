/** HTTPS: the same server, with the same limits, behind a certificate. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../../src/index.ts';
import { makeSelfSigned } from '../../../src/server/http/self-signed.ts';
import { drill, expectContractPassed, withSandbox } from '../../../src/testing.ts';
import { send } from '../../support/client.ts';
import { newFolder } from '../../support/folder.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../../support/server.ts';
import { limit } from '../../support/slow.ts';
import { dial, readReplies } from '../../support/wire.ts';

/** A connection that has agreed on TLS. */
async function dialSecurely(url: string, ca: string): Promise<TLSSocket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), ca, ALPNProtocols: ['h2', 'http/1.1'] });
  await once(socket, 'secureConnect');
  return socket;
}

/** A server with HTTPS, and requests to it with the key of a sandbox. */
async function start(options: TestServerOptions = {}) {
  const server = await startTestServer({ ...options, settings: { tls: 'self-signed', ...options.settings } });
  const { secret } = await server.sandboxes.create({ fixture: 'empty' });
  const ca = server.certificate?.cert as string;
  const { url } = server;
  return {
    ...{ server, url, ca },
    ask: (path: string, headers: Readonly<Record<string, string>> = {}, body?: string) => {
      const authorized = { Authorization: `Bearer ${secret}`, ...headers };
      return send(url, { path, ca, headers: authorized, ...(body && { method: 'POST', body }) });
    },
    /** What these bytes get, in plain text or within TLS. */
    repliesTo: async (bytes: string | Buffer, { plain = false } = {}) => {
      const socket = plain ? await dial(url) : await dialSecurely(url, ca);
      socket.write(bytes.toString('latin1').replace('KEY', secret), 'latin1');
      return readReplies(socket);
    },
  };
}

const shared = await start();
const { url, ca, ask, repliesTo } = shared;
const LIST = 'GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n\r\n';

describe('with a self-signed certificate', () => {
  it('serves both APIs and the dashboard over HTTP/1.1, and asks no browser to stay with HTTPS', async () => {
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    const body = '{"name":"Rex","categoryId":9223372036854775807}';
    const created = await ask('/v1/pets', { 'Content-Type': 'application/json' }, body);
    expect(created).toMatchObject({ status: 201, text: expect.stringContaining('9223372036854775807') });
    for (const path of ['/', '/_sandbox/health', '/v1/pets']) {
      const reply = await ask(path);
      expect([path, reply.status]).toEqual([path, 200]);
      expect(reply.headers).not.toHaveProperty('strict-transport-security');
    }
    const socket = await dialSecurely(url, ca);
    expect(socket.alpnProtocol).toBe('http/1.1');
    socket.destroy();
  });

  it('names itself by https where a response holds an address', async () => {
    expect(JSON.parse((await ask('/_sandbox/openapi.json')).text).servers[0].url).toBe(`${url}/v1`);
  });

  it('accepts its own pages, and still rejects those of other sites', async () => {
    expect((await ask('/_sandbox', { Origin: url })).status).toBe(200);
    expect((await ask('/_sandbox', { Origin: 'https://example.com' })).status).toBe(403);
  });

  it('keeps it in the data directory for its owner alone, until the server has another name or it ends soon', async () => {
    const data = await newFolder();
    const restart = async (settings = {}): Promise<TestServer['certificate']> => {
      const { server } = await start({ settings: { data, ...settings } });
      await server.end();
      return server.certificate;
    };
    const first = await restart();
    for (const name of ['tls-cert.pem', 'tls-key.pem']) expect((await stat(join(data, name))).mode & 0o777).toBe(0o600);
    expect(first?.fingerprint).toMatch(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    const { subjectAltName, ca: issues } = new X509Certificate(first?.cert as string);
    expect(subjectAltName).toContain('DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1');
    expect(issues).toBe(false);
    expect((await restart())?.cert).toBe(first?.cert);
    const renamed = await restart({ publicUrl: 'https://pets.example.com' });
    expect(new X509Certificate(renamed?.cert as string).subjectAltName).toContain('DNS:pets.example.com');
    const old = await makeSelfSigned(['localhost', '127.0.0.1', '::1'], Date.now() - 340 * 86_400_000);
    await writeFile(join(data, 'tls-cert.pem'), old.cert);
    await writeFile(join(data, 'tls-key.pem'), old.key);
    expect((await restart())?.cert).not.toBe(old.cert);
  });
});

describe('over TLS', () => {
  it('ends a handshake that takes as long as the head of a request may not, and a head with the documented error', async () => {
    const timeouts = { headersTimeout: 300, requestTimeout: 300, connectionsCheckingInterval: 50 };
    const impatient = await start({ timeouts });
    // The beginning of a handshake, and no more of it.
    expect(await impatient.repliesTo(Buffer.from('1603010200', 'hex'), { plain: true })).toEqual([]);
    expect(await impatient.repliesTo('GET /v1/pets HTTP/1.1\r\n')).toMatchObject([{ status: 408 }]);
    expect((await impatient.ask('/_sandbox/health')).status).toBe(200);
  });

  it('hangs up on plain HTTP and on a client that does not trust it, and goes on', async () => {
    expect(await repliesTo(LIST, { plain: true })).toEqual([]);
    await expect(fetch(`${url}/v1/pets`)).rejects.toThrow('fetch failed');
    expect((await ask('/_sandbox/health')).status).toBe(200);
  });

  it('counts plain HTTP, and what is malformed within TLS', async () => {
    const own = await start();
    await own.repliesTo(LIST, { plain: true });
    const malformed = 'GET /v1/pets?a b HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer KEY\r\n\r\n';
    expect(await own.repliesTo(malformed)).toMatchObject([{ status: 400 }]);
    const account = async () => JSON.parse((await own.ask('/_sandbox/report?unmatched=true')).text).account;
    await expect.poll(account).toMatchObject({ total: 2, malformed: 2 });
    expect(own.server.unmatched.newestFirst()).toMatchObject([
      { message: expect.stringContaining('is not HTTP'), path: '/v1/pets' },
      { message: expect.stringContaining('on a port for HTTPS') },
    ]);
  });

  it('breaks connections as faults ask for', async () => {
    const withFault = (fault: string) => ask('/v1/pets', { 'Sandbox-Fault': fault });
    await expect(withFault('connection=reset')).rejects.toMatchObject({ code: 'ECONNRESET' });
    await expect(withFault('connection=empty')).rejects.toThrow(/socket hang up|ECONNRESET/);
    await expect(withFault('connection=truncate')).rejects.toThrow(/aborted|ECONNRESET/);
    expect((await ask('/v1/pets')).status).toBe(200);
  });

  it('stops in order: with idle connections, one that never agreed on TLS, and no file of the certificate left', async () => {
    const own = await start();
    const file = own.server.certificate?.file as string;
    expect(await readFile(file, 'utf8')).toBe(own.ca);
    await own.server.validator.ready;
    const [silent, idle] = [await dial(own.url), await dialSecurely(own.url, own.ca)];
    const closed = Promise.all([once(silent, 'close'), once(idle, 'close')]);
    const [sandbox] = own.server.sandboxes.all();
    const before = sandbox?.lastUsedAt;
    const delayed = own.ask('/v1/pets', { 'Sandbox-Fault': 'delay=300' });
    await expect.poll(() => sandbox?.lastUsedAt).not.toBe(before);
    await own.server.close();
    expect(await delayed).toMatchObject({ status: 200, headers: { connection: 'close' } });
    await closed;
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });
});

describe('with a certificate of its owner', () => {
  /** What the server does with a certificate and a key, each in its file or not. */
  async function withFiles(cert: string, key?: string) {
    const folder = await newFolder({ 'cert.pem': cert, ...(key !== undefined && { 'key.pem': key }) });
    const settings = { tlsCert: join(folder, 'cert.pem'), tlsKey: join(folder, 'key.pem') };
    const started = await startTestServer({ settings }).catch(({ message }: Error) => message);
    return { ...settings, started };
  }

  it('serves it', async () => {
    const { cert, key } = await makeSelfSigned(['127.0.0.1'], Date.now());
    const { tlsCert, started } = await withFiles(cert, key);
    const server = started as TestServer;
    expect((await send(server.url, { path: '/_sandbox/health', ca: cert })).status).toBe(200);
    expect(server.certificate).toMatchObject({ isSelfSigned: false, file: tlsCert });
  });

  it('names the files that do not fit, and never shows what is in them', async () => {
    const [one, other] = [await makeSelfSigned(['a'], Date.now()), await makeSelfSigned(['b'], Date.now())];
    const missing = await withFiles(one.cert);
    expect(missing.started).toContain(`${missing.tlsKey} cannot be read`);
    const { tlsCert, tlsKey, started } = await withFiles(one.cert, other.key);
    expect(started).toContain(`${tlsCert} and ${tlsKey} are no certificate and its key`);
    expect(started).not.toContain(other.key.split('\n')[1]);
  });
});

it('startSandbox({ tls }) serves the tests of a client, which trusts `ca`', { timeout: limit(60_000) }, async () => {
  const server = await startSandbox({ tls: 'self-signed', fixture: 'empty' });
  onTestFinished(() => server.close());
  const ca = server.ca as string;
  await withSandbox(server, async (sandbox) => {
    const headers = { Authorization: `Bearer ${sandbox.key}` };
    const { origin, pathname } = new URL(`${sandbox.url}/pets`);
    const list = () => send(origin, { path: pathname, ca: sandbox.ca as string, headers });
    expect((await list()).status).toBe(200);
    await expectContractPassed(sandbox);
    const { value } = await sandbox.client.events({ onOpen: () => void list() }).next();
    expect(value).toMatchObject({ event: 'exchange' });
  });
  const create: Parameters<typeof drill>[1] = async ({ url, key, pet }) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const { origin, pathname } = new URL(`${url}/pets`);
    return (await send(origin, { method: 'POST', path: pathname, ca, headers, body: JSON.stringify(pet) })).json;
  };
  expect((await drill('lost-create', create, { server })).verdict).toBe('pass');
});
