/** What leaves a sandbox: a recording, an HTTP Archive, a shell script; and that no form shows a secret. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { harProblems } from '../../support/published-schemas.ts';
import { lineWith, partsOf } from '../../support/recording.ts';
import { sharedServer } from '../../support/server.ts';

const server = await sharedServer();

const run = promisify(execFile);
const FORMS = ['recording', 'har', 'curl'] as const;

test('a recording says what it is, and what the sandbox holds', async () => {
  const client = await server.sandbox({ fixture: 'empty' });
  await client.post('/v1/pets', '{"name":"Rex","categoryId":9223372036854775807}');
  await client.post('/_sandbox/faults', { status: 503, times: 1 });
  await client.get('/v1/pets');
  await client.get('/v1/pets');
  const { text } = await client.get('/_sandbox/export?format=recording');
  const parts = partsOf(text);
  const { head, fixtures, log, exchanges } = parts;
  expect(head).toMatchObject({ about: expect.stringContaining('It contains no keys'), dropped: [] });
  expect(fixtures).toEqual([expect.objectContaining({ fixture: 'empty', nextId: '1', pets: [] })]);
  expect(log[0]).toMatchObject({ begin: { preconfigured: false }, seed: 'empty', set: { keys: [], expiresAt: null } });
  expect(text).toContain('{"id":1,"name":"Rex","categoryId":9223372036854775807}');
  expect(exchanges.map(({ status }) => status)).toEqual([201, 503, 200]);
  expect(lineWith(parts, 'faults').set.faults).toMatchObject([{ triggered: 1, status: 503 }]);
});

test('the script sends the same requests again, with the key from its variable', async () => {
  const client = await server.sandbox({ fixture: 'empty' });
  await client.post('/v1/pets', { name: 'it\'s "$HOME" `date` \\ \n', categoryId: 1 });
  await client.get('/v1/pets?limit=5&x[]=$(date)');
  await client.get('/v1/elsewhere');
  const { text } = await client.get('/_sandbox/export?format=curl');
  const again = await server.sandbox({ fixture: 'empty' });
  const { stdout } = await run('sh', ['-c', text], { env: { ...process.env, SANDBOX_KEY: again.key } });
  const [created, listed, missing] = stdout.trim().split('\n');
  expect(JSON.parse(String(created)).name).toBe('it\'s "$HOME" `date` \\ \n');
  expect(JSON.parse(String(listed))).toHaveLength(1);
  expect(JSON.parse(String(missing)).status).toBe(404);
  await expect(run('sh', ['-c', text], { env: { PATH: process.env['PATH'] } })).rejects.toThrow(/set it to the key/);
});

test('an archive has what HAR 1.2 asks of every entry, and the verdict beside it', async () => {
  const client = await server.sandbox();
  await client.post('/v1/pets', { name: 5 });
  await client.get('/v1/pets?limit=2&status=sold');
  const { log } = (await client.get('/_sandbox/export?format=har')).json;
  expect(log).toMatchObject({ version: '1.2', creator: { name: 'petstore-sandbox', version: expect.any(String) } });
  const [rejected, listed] = log.entries;
  // Firefox opens no archive without a page.
  expect(log.pages).toMatchObject([{ id: listed.pageref, startedDateTime: rejected.startedDateTime }]);
  expect(rejected.request.postData).toEqual({ mimeType: 'application/json', text: '{"name":5}' });
  expect(rejected._sandbox.violations).toContainEqual(expect.objectContaining({ location: 'body/name' }));
  const limit = { name: 'limit', value: '2' };
  expect(listed.request).toMatchObject({
    ...{ method: 'GET', url: `${server.url}/v1/pets?limit=2&status=sold`, httpVersion: 'HTTP/1.1' },
    ...{ queryString: [limit, { name: 'status', value: 'sold' }], cookies: [], headersSize: -1 },
  });
  expect(listed.response).toMatchObject({ status: 200, statusText: 'OK', redirectURL: '', cookies: [] });
  expect(listed.timings).toEqual({ send: 0, wait: listed.time, receive: 0 });
});

test('an archive of anything that may happen is valid by the published schema of HAR 1.2', async () => {
  const client = await server.sandbox();
  await client.post('/v1/pets', { name: 'n'.repeat(20_000), categoryId: 1 });
  await client.sendJson('HEAD', '/v1/pets', undefined);
  await client.post('/v1/pets', 'x', { 'Content-Type': 'text/plain' });
  await client.send({ method: 'POST', path: '/v1/pets', body: '\u0000\ufffd' });
  await client.get('/v1/pets?x[]={}|^"<>&y=%zz&=&&a');
  await client.get('/v1//pets/%2e%2e/?');
  await client.post('/_sandbox/faults', { operation: 'listPets', connection: 'reset', times: 1 });
  await client.get('/v1/pets').catch(() => undefined);
  const { log } = (await client.get('/_sandbox/export?format=har')).json;
  const statuses = log.entries.map(({ response }: { response: { status: number } }) => response.status);
  expect(statuses).toEqual([201, 200, 415, 415, 400, 404, 0]);
  expect(await harProblems({ log })).toEqual([]);
  // It says what is missing, and here nothing is.
  expect(log).not.toHaveProperty('comment');
  const [first] = log.entries;
  expect(await harProblems({ log: { ...log, entries: [{ ...first, startedDateTime: 'today' }] } })).not.toEqual([]);
  // What Chrome adds up: a wrong sum shows a request that never ends.
  for (const { time, timings } of log.entries) expect(timings.send + timings.wait + timings.receive).toBe(time);
});

test('exports go out from the sandbox of the key alone, and the admin names one', async () => {
  const [mine, other] = [await server.sandbox({ label: 'mine' }), await server.sandbox({ label: 'theirs' })];
  await other.get('/v1/pets?note=of-another');
  for (const form of FORMS) {
    expect((await mine.get(`/_sandbox/export?format=${form}`)).text).not.toContain('of-another');
    expect((await server.client().get(`/_sandbox/export?format=${form}`)).status).toBe(401);
  }
  const { begin } = partsOf((await other.get('/_sandbox/export?format=recording')).text).log[0];
  const asAdmin = await server.client(server.adminToken).get(`/_sandbox/export?format=recording&sandbox=${begin.id}`);
  expect(asAdmin.text).toContain('of-another');
});

test('one request is exported alone, as an archive or a script, and in no other form', async () => {
  const client = await server.sandbox();
  await client.get('/v1/pets?limit=1');
  const id = String((await client.get('/v1/pets?limit=2')).headers['sandbox-request-id']);
  const { log } = (await client.get(`/_sandbox/export?format=har&request=${id}`)).json;
  expect(log.entries).toHaveLength(1);
  expect(log.entries[0]).toMatchObject({ request: { url: `${server.url}/v1/pets?limit=2` }, _sandbox: { id } });
  const script = (await client.get(`/_sandbox/export?format=curl&request=${id}`)).text;
  expect(script).toContain('limit=2');
  expect(script).not.toContain('limit=1');
  for (const query of [`request=${id}`, `format=recording&request=${id}`]) {
    expect((await client.get(`/_sandbox/export?${query}`)).status).toBe(400);
  }
  expect((await client.get('/_sandbox/export?format=har&request=req_none')).status).toBe(404);
});
