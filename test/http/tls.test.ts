/** HTTPS: the same server, with the same limits, behind a certificate. */
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeSelfSigned } from '../../src/http/self-signed.ts';
import { startSandbox } from '../../src/index.ts';
import { drill, expectContractPassed, withSandbox } from '../../src/testing.ts';
import { newFolder } from '../support/folder.ts';
import { dialSecurely, fetchSecurely } from '../support/secure.ts';
import { startTestServer, type TestServer, type TestServerOptions } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { dial, readReplies } from '../support/wire.ts';

const start = async (
  options: TestServerOptions = {},
): Promise<{ server: TestServer; url: string; ca: string; key: string }> => {
  const server = await startTestServer({ ...options, settings: { tls: 'self-signed', ...options.settings } });
  const { secret: key } = await server.sandboxes.create({ fixture: 'empty' });
  return { server, url: server.url, ca: server.certificate?.cert as string, key };
};

const shared = await start();

describe('with a self-signed certificate', () => {
  it('serves both APIs and the dashboard over HTTP/1.1, and asks no browser to stay with HTTPS', async () => {
    const { url, ca, key } = shared;
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const body = '{"name":"Rex","categoryId":9223372036854775807}';
    const created = await fetchSecurely(`${url}/v1/pets`, { ca, headers, method: 'POST', body });
    expect(created).toMatchObject({ status: 201, text: expect.stringContaining('9223372036854775807') });
    for (const path of ['/', '/_sandbox/health', '/v1/pets']) {
      const reply = await fetchSecurely(url + path, { ca, headers });
      expect([path, reply.status]).toEqual([path, 200]);
      expect(reply.headers).not.toHaveProperty('strict-transport-security');
    }
    const socket = await dialSecurely(url, ca);
    expect(socket.alpnProtocol).toBe('http/1.1');
    socket.destroy();
  });

  it('names itself by https where a response holds an address', async () => {
    const { url, ca } = shared;
    const specification = await fetchSecurely(`${url}/_sandbox/openapi.json`, { ca });
    expect(JSON.parse(specification.text).servers[0].url).toBe(`${url}/v1`);
  });

  it('accepts its own pages, and still rejects those of other sites', async () => {
    const { url, ca, key } = shared;
    const from = (origin: string) =>
      fetchSecurely(`${url}/_sandbox`, { ca, headers: { Authorization: `Bearer ${key}`, Origin: origin } });
    expect((await from(url)).status).toBe(200);
    expect((await from('https://example.com')).status).toBe(403);
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
    const { url, ca } = await start({ timeouts });
    const handshake = await dial(url);
    // The beginning of a handshake, and no more of it.
    handshake.write(Buffer.from('1603010200', 'hex'));
    expect(await readReplies(handshake)).toEqual([]);
    const head = await dialSecurely(url, ca);
    head.write('GET /v1/pets HTTP/1.1\r\n');
    expect(await readReplies(head)).toMatchObject([{ status: 408 }]);
    expect((await fetchSecurely(`${url}/_sandbox/health`, { ca })).status).toBe(200);
  });

  it('hangs up on plain HTTP and on a client that does not trust it, and goes on', async () => {
    const { url, ca } = shared;
    const socket = await dial(url);
    socket.write('GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(await readReplies(socket)).toEqual([]);
    await expect(fetch(`${url}/v1/pets`)).rejects.toThrow('fetch failed');
    expect((await fetchSecurely(`${url}/_sandbox/health`, { ca })).status).toBe(200);
  });

  it('counts plain HTTP, and what is malformed within TLS', async () => {
    const { server, url, ca, key } = await start();
    const plain = await dial(url);
    plain.write('GET /v1/pets HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await readReplies(plain);
    const socket = await dialSecurely(url, ca);
    socket.write(`GET /v1/pets?a b HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    await readReplies(socket);
    const headers = { Authorization: `Bearer ${key}` };
    const account = async () => {
      const { text } = await fetchSecurely(`${url}/_sandbox/report?unmatched=true`, { ca, headers });
      return JSON.parse(text).account;
    };
    await expect.poll(account).toMatchObject({ total: 2, malformed: 2 });
    expect(server.unmatched.newestFirst()).toMatchObject([{ message: expect.stringContaining('speaks HTTPS') }]);
  });

  it('responds to what is not HTTP with an Error body', async () => {
    const { url, ca } = shared;
    const socket = await dialSecurely(url, ca);
    socket.write('GET  /v1/pets HTTP/1.1\r\n\r\n');
    const replies = await readReplies(socket);
    expect(replies).toMatchObject([{ status: 400 }]);
  });

  it('breaks connections as faults ask for', async () => {
    const { url, ca, key } = shared;
    const authorized = { Authorization: `Bearer ${key}` };
    const withFault = (fault: string) =>
      fetchSecurely(`${url}/v1/pets`, { ca, headers: { ...authorized, 'Sandbox-Fault': fault } });
    await expect(withFault('connection=reset')).rejects.toMatchObject({ code: 'ECONNRESET' });
    await expect(withFault('connection=empty')).rejects.toThrow(/socket hang up|ECONNRESET/);
    await expect(withFault('connection=truncate')).rejects.toThrow(/aborted|ECONNRESET/);
    expect((await fetchSecurely(`${url}/v1/pets`, { ca, headers: authorized })).status).toBe(200);
  });

  it('stops in order: with idle connections, one that never agreed on TLS, and no file of the certificate left', async () => {
    const { server, url, ca, key } = await start();
    const file = server.certificate?.file as string;
    expect(await readFile(file, 'utf8')).toBe(ca);
    await server.validator.ready;
    const [silent, idle] = [await dial(url), await dialSecurely(url, ca)];
    const closed = Promise.all([once(silent, 'close'), once(idle, 'close')]);
    const delayed = fetchSecurely(`${url}/v1/pets`, {
      ca,
      headers: { Authorization: `Bearer ${key}`, 'Sandbox-Fault': 'delay=300' },
    });
    await after(100);
    await server.close();
    expect(await delayed).toMatchObject({ status: 200, headers: { connection: 'close' } });
    await closed;
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });
});

describe('with a certificate of its owner', () => {
  it('serves it', async () => {
    const folder = await newFolder();
    const { cert, key } = await makeSelfSigned(['127.0.0.1'], Date.now());
    const [tlsCert, tlsKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    await writeFile(tlsCert, cert);
    await writeFile(tlsKey, key);
    const server = await startTestServer({ settings: { tlsCert, tlsKey } });
    expect((await fetchSecurely(`${server.url}/_sandbox/health`, { ca: cert })).status).toBe(200);
    expect(server.certificate).toMatchObject({ isSelfSigned: false, file: tlsCert });
  });

  it('names the files that do not fit, and never shows what is in them', async () => {
    const folder = await newFolder();
    const [one, other] = [await makeSelfSigned(['a'], Date.now()), await makeSelfSigned(['b'], Date.now())];
    const [tlsCert, tlsKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    await writeFile(tlsCert, one.cert);
    const rejection = () => startTestServer({ settings: { tlsCert, tlsKey } }).catch(({ message }: Error) => message);
    expect(await rejection()).toContain(`${tlsKey} cannot be read`);
    await writeFile(tlsKey, other.key);
    const message = await rejection();
    expect(message).toContain(`${tlsCert} and ${tlsKey} are no certificate and its key`);
    expect(message).not.toContain(other.key.split('\n')[1]);
    await expect(startSandbox({ tlsCert })).rejects.toThrow('tlsCert and tlsKey belong together');
    await expect(startSandbox({ tls: 'self-signed', tlsCert, tlsKey })).rejects.toThrow('contradict');
  });
});

it(
  'startSandbox({ tls }) serves the tests of a client, which trusts `ca`',
  async () => {
    const server = await startSandbox({ tls: 'self-signed', fixture: 'empty' });
    onTestFinished(() => server.close());
    const ca = server.ca as string;
    await withSandbox(server, async (sandbox) => {
      const headers = { Authorization: `Bearer ${sandbox.key}` };
      expect((await fetchSecurely(`${sandbox.url}/pets`, { ca: sandbox.ca as string, headers })).status).toBe(200);
      await expectContractPassed(sandbox);
      const list = () => fetchSecurely(`${sandbox.url}/pets`, { ca, headers });
      const { value } = await sandbox.client.events({ onOpen: () => void list() }).next();
      expect(value).toMatchObject({ event: 'exchange' });
    });
    const result = await drill(
      'lost-create',
      async ({ url, key, pet }) => {
        const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
        const init = { ca, headers, method: 'POST', body: JSON.stringify(pet) };
        return JSON.parse((await fetchSecurely(`${url}/pets`, init)).text);
      },
      { server },
    );
    expect(result.verdict).toBe('pass');
  },
  limit(60_000),
);
