/** Servers with names: their ids and keys carry them, and a request for another server is told where to go. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isDamaged, keyOfHandle } from '../../src/base/api/api-key.ts';
import type { Report } from '../../src/verdict/report/report.ts';
import { Client, send } from '../support/client.ts';
import { newFolder } from '../support/folder.ts';
import { harReport } from '../support/har.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const ADMIN = 'the-admin-token-of-all-servers';
const started = (name: string, more = {}) => startTestServer({ settings: { name, adminToken: ADMIN, ...more } });
const [a, b] = await Promise.all([started('a'), started('b2')]);
const plain = await startTestServer({ settings: { adminToken: ADMIN } });

const issued = async ({ url }: TestServer) => (await send(url, { method: 'POST', path: '/_sandbox/keys' })).json;

const misdirected = (other: string) => ({
  status: 421,
  json: { code: 'misdirected_request', status: 421, message: expect.stringContaining(`on the server ${other}`) },
});

describe('the ids and keys of a server with a name', () => {
  it('carry it, and open the sandbox on both APIs', async () => {
    const { key, handle, sandbox } = await issued(b);
    expect([sandbox, key, handle]).toEqual([
      expect.stringMatching(/^sbx_b2_[0-9A-Za-z]{16}$/),
      expect.stringMatching(/^petsbx_b2_[0-9A-Za-z]{33}$/),
      expect.stringMatching(/^petsbh_b2_[0-9A-Za-z]{33}$/),
    ]);
    expect(keyOfHandle(handle)).toBe(key);
    expect((await b.client(key).get('/v1/pets')).status).toBe(200);
    expect((await b.client(handle).get('/_sandbox')).json.id).toBe(sandbox);
    const fork = (await b.client(key).post('/_sandbox/fork')).json;
    const shared = (await b.client(key).post('/_sandbox/keys', { shared: true })).json;
    expect([fork.sandbox, shared.key]).toEqual([
      expect.stringMatching(/^sbx_b2_/),
      expect.stringMatching(/^petsbx_b2_/),
    ]);
  });

  it('are checked with the name: another name is a mistyped key', async () => {
    const { key } = await issued(b);
    const others = [
      key.replace('_b2_', '_b3_'),
      key.replace('_b2_', '_'),
      key.replace('_b2_', '_b2'),
      key.slice(0, -1),
    ];
    expect(others.map(isDamaged)).toEqual([true, true, true, true]);
  });

  it('are as before without a name', async () => {
    const { key, sandbox } = await issued(plain);
    expect([key, sandbox]).toEqual([
      expect.stringMatching(/^petsbx_[0-9A-Za-z]{33}$/),
      expect.stringMatching(/^sbx_[0-9A-Za-z]{16}$/),
    ]);
    expect((await plain.client().get('/_sandbox/health')).json.name).toBe(null);
    expect((await b.client().get('/_sandbox/health')).json.name).toBe('b2');
  });
});

describe('a request for another server', () => {
  it.each<[string, string, string, object?]>([
    ['GET', 'pets', '/v1/pets'],
    ['POST', 'a pet', '/v1/pets', { name: 'Rex' }],
    ['GET', 'no operation', '/v1/nothing'],
    ['GET', 'a path without the base', '/pets'],
    ['GET', 'its sandbox', '/_sandbox'],
    ['POST', 'a second key', '/_sandbox/keys', { shared: true }],
    ['GET', 'its events', '/_sandbox/events'],
  ])('is 421 with the name of that one: %s of %s', async (method, _, path, body) => {
    const { key, handle } = await issued(b);
    for (const credential of path.startsWith('/_sandbox') ? [key, handle] : [key]) {
      const { status, json } = await new Client(a.url, credential).send({
        method,
        path,
        ...(body && { body: JSON.stringify(body) }),
        headers: { 'Content-Type': 'application/json' },
      });
      expect({ status, json }).toEqual(misdirected('b2'));
    }
  });

  it.each(['/v1/pets', '/v1/nothing', '/pets', '/_sandbox', '/_sandbox/report'])(
    'is 421 at the address of its sandbox, with and without its key: %s',
    async (path) => {
      const { key, sandbox } = await issued(b);
      for (const credential of [key, undefined]) {
        const { status, json } = await a.client(credential).get(`/${sandbox}${path}`);
        expect({ status, json }).toEqual(misdirected('b2'));
      }
    },
  );

  it('is 421 where the operator names its sandbox', async () => {
    const { sandbox } = await issued(b);
    const { status, json } = await a.client(ADMIN).get(`/_sandbox/report?sandbox=${sandbox}`);
    expect({ status, json }).toEqual(misdirected('b2'));
    expect((await a.client(ADMIN).get('/_sandbox/report?sandbox=sbx_a_gone')).status).toBe(404);
  });

  it('is nobody’s finding, and is not validated', async () => {
    const { key, sandbox } = await issued(b);
    const own = a.client((await issued(a)).key);
    await own.delete('/_sandbox/requests/unmatched');
    await a.validator.whenValidated();
    const before = a.validator.tallies.validated;
    for (const path of ['/v1/pets?limit=0', '/v1/nothing', '/pets', `/${sandbox}/v1/pets?limit=0`])
      await a.client(key).get(path);
    await a.validator.whenValidated();
    expect(a.validator.tallies.validated).toBe(before);
    expect((await own.get('/_sandbox/requests/unmatched')).json.requests).toEqual([]);
    expect((await own.get('/_sandbox/report?unmatched=true')).json.account.total).toBe(0);
  });

  it('is a request with an unknown key on a server without a name', async () => {
    const { key } = await issued(b);
    expect((await plain.client(key).get('/v1/pets')).status).toBe(401);
  });
});

describe('what a server with a name exports', () => {
  it('is a HAR and a recording that any server reads', async () => {
    const { key, sandbox } = await issued(b);
    const client = b.client(key);
    await client.get(`/${sandbox}/v1/pets?limit=500`);
    const { key: revoked, id } = (await client.post('/_sandbox/keys', { shared: true })).json;
    await client.delete(`/_sandbox/keys/${id}`);
    await b.client(revoked).get(`/${sandbox}/v1/pets`);
    const summaryOf = ({ verdict, account, counts }: Report) => ({ verdict, account, counts });
    const report = summaryOf((await client.get('/_sandbox/report')).json);
    expect(report).toMatchObject({ verdict: 'fail', account: { total: 2 }, counts: { violation: 1 } });
    const har = (await client.get('/_sandbox/export?format=har')).text;
    const recording = (await client.get('/_sandbox/export?format=recording')).text;
    expect(har + recording).not.toMatch(new RegExp(`${key}|${revoked}`));
    const ofHar = await harReport(Buffer.from(har));
    expect([ofHar.verdict, ofHar.account.total]).toEqual(['fail', 2]);
    for (const other of [a, plain]) {
      const { key: copy } = (await other.client(ADMIN).importRecording(recording)).json;
      expect(summaryOf((await other.client(copy).get('/_sandbox/report')).json)).toEqual(report);
    }
  });
});

describe('a data directory', () => {
  it('keeps the name, and refuses another', async () => {
    const data = await newFolder();
    const first = await started('a', { data });
    const { key } = await issued(first);
    await first.end();
    for (const name of ['b', undefined]) {
      const other = startTestServer({ settings: { data, ...(name && { name }) } });
      await expect(other).rejects.toThrow(
        /store\.json: the directory belongs to the server a\. Start it with --name a/,
      );
    }
    const again = await started('a', { data });
    expect((await again.client(key).get('/v1/pets')).status).toBe(200);
    expect(await readFile(join(data, 'store.json'), 'utf8')).toContain('"name":"a"');
    expect(await readdir(join(data, 'sandboxes'))).toEqual([expect.stringMatching(/^sbx_a_\w+\.jsonl$/)]);
  });

  it('without a name refuses one', async () => {
    const data = await newFolder();
    await (await startTestServer({ settings: { data } })).end();
    await expect(started('a', { data })).rejects.toThrow(
      /belongs to a server without a name\. Start it without --name/,
    );
  });
});
