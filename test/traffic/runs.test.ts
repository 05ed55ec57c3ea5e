/** Runs of a client: a quiet time, another User-Agent or a label begins one, and each is a filter. */
import { expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { heldClock } from '../support/held-clock.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { exchangeBytes } from '../support/wire.ts';

const clock = heldClock(Date.UTC(2026, 2, 2, 9, 30));
const server = await startTestServer({ clock });

/** One field of all its requests, the oldest first. */
const listed = async (client: Client, field: string, query = ''): Promise<unknown[]> =>
  (await client.get(`/_sandbox/requests${query}`)).json.requests.map((each: never) => each[field]).reverse();

it('a quiet time begins a run, and so does another client, even where both send in turn', async () => {
  const client = await server.sandbox();
  const as = (agent: string) => client.get('/v1/pets', { 'User-Agent': agent });
  await as('node/22');
  await as('python-requests/2.31.0');
  clock.time += 4_999;
  await as('node/22');
  clock.time += 5_000;
  await as('python-requests/2.31.0');
  await as('Mozilla/5.0 (X11; a/b)');
  await client.get('/v1/pets');
  await client.get('/v1/pets', { 'Sandbox-Source': 'dashboard' });
  expect(await listed(client, 'run')).toEqual([
    ...['node, run 1', 'python-requests, run 1', 'node, run 1', 'python-requests, run 2'],
    ...['Mozilla, run 1', 'client, run 1', null],
  ]);
  await client.delete('/_sandbox/requests');
  await as('node/22');
  expect(await listed(client, 'run')).toEqual(['node, run 1']);
});

it('a run is a filter of the list, and a request says its count of the account', async () => {
  const client = await server.sandbox({ label: 'checkout tests, red' });
  await client.get('/v1/pets?limit=1');
  await client.get('/v1/pets?limit=1000');
  clock.time += 5_000;
  await client.get('/v1/pets?limit=2');
  const query = `?run=${encodeURIComponent('checkout tests, red, run 1')}`;
  expect(await listed(client, 'target', query)).toEqual(['/v1/pets?limit=1', '/v1/pets?limit=1000']);
  expect(await listed(client, 'kind', query)).toEqual(['validated', 'validated']);
  expect(await listed(client, 'target', '?run=last')).toEqual(['/v1/pets?limit=2']);
  expect(await listed(client, 'target', '?run=none')).toEqual([]);
});

/** A test suite that sends these, in a run of its own. */
async function suite(client: Client, ...targets: readonly string[]): Promise<void> {
  clock.time += 5_000;
  for (const target of targets) await client.get(target, { 'User-Agent': 'suite/1.0' });
}

const outcomes = async (client: Client) => (await client.get('/_sandbox/runs')).json.runs;

it('a fixed client passes in its last run, is told what it fixed, and all of its requests still fail', async () => {
  const client = await server.sandbox();
  await suite(client, '/v1/pets?limit=500', '/v1/pets?status=gone', '/v1/pets');
  await suite(client, '/v1/pets?limit=100', '/v1/pets?status=gone', '/v1/pets?limit=x');
  await suite(client, '/v1/pets?limit=100&status=sold');
  expect(await outcomes(client)).toMatchObject([
    { run: 'suite, run 3', verdict: 'pass', failing: 0, against: 'suite, run 2', fixed: 2, new: 0, still: 0 },
    { run: 'suite, run 2', verdict: 'fail', failing: 2, against: 'suite, run 1', fixed: 1, new: 1, still: 1 },
    { run: 'suite, run 1', verdict: 'fail', failing: 2, against: null, fixed: 0, new: 0, still: 0 },
  ]);
  const last = (await client.get('/_sandbox/report?run=last')).json;
  expect(last).toMatchObject({ verdict: 'pass', run: 'suite, run 3', account: { total: 1 } });
  const all = (await client.get('/_sandbox/report')).json;
  expect(all).toMatchObject({ verdict: 'fail', run: null, account: { total: 7 }, outcome: { run: 'suite, run 3' } });
  const text = (await client.get('/_sandbox/report?format=text')).text;
  expect(text).toContain('last run (suite, run 3): passed; fixed 2, new 0 against suite, run 2');
  const ofLast = (await client.get('/_sandbox/report?run=last&format=text')).text;
  expect(ofLast).toContain('· suite, run 3: passed; fixed 2, new 0 against suite, run 2');
});

it('all runs are compared with the one that is named, of any client, and an unknown name is rejected', async () => {
  const client = await server.sandbox();
  await suite(client, '/v1/pets?limit=500', '/v1/pets?status=gone');
  await suite(client, '/v1/pets?limit=500&status=sold');
  await suite(client, '/v1/pets?limit=5&status=sold');
  await client.get('/v1/pets?limit=x&status=sold', { 'User-Agent': 'other/1.0' });
  const { runs } = (await client.get(`/_sandbox/runs?against=${encodeURIComponent('suite, run 1')}`)).json;
  expect(runs).toMatchObject([
    { run: 'other, run 1', against: 'suite, run 1', fixed: 1, new: 1, still: 0 },
    { run: 'suite, run 3', against: 'suite, run 1', fixed: 2, new: 0, still: 0 },
    { run: 'suite, run 2', against: 'suite, run 1', fixed: 1, new: 0, still: 1 },
    { run: 'suite, run 1', against: null },
  ]);
  const unknown = await client.get('/_sandbox/runs?against=nobody');
  expect([unknown.status, unknown.json.message]).toEqual([404, expect.stringContaining('suite, run 2')]);
});

it('what a run did not try is not fixed by it, and it is not the same as one that tried more', async () => {
  const client = await server.sandbox();
  const notes = async () =>
    /· (last run.*)\n(?: {2}(.*)\n)?/.exec((await client.get('/_sandbox/report?format=text')).text);
  await suite(client, '/v1/pets/x', '/v1/pets?limit=500', '/v1/pets?limt=5', '/v1/petz');
  await suite(client, '/v1/pets');
  const notTried = ['getPet', 'listPets query/limit', 'listPets query/limt'];
  expect((await outcomes(client))[0]).toMatchObject({ verdict: 'pass', fixed: 1, notTried });
  await suite(client, '/v1/pets?limit=500');
  await suite(client, '/v1/pets?status=sold');
  expect((await outcomes(client))[0]).toMatchObject({ fixed: 0, notTried: ['listPets query/limit'] });
  await suite(client, '/v1/pets?limit=5');
  await suite(client, '/v1/pets');
  expect((await notes())?.[1]).toBe('last run (suite, run 6): passed; the same as suite, run 5');
  await client.post('/v1/pets', '{"name":"Rex","categoryId":1}', { 'User-Agent': 'suite/1.0' });
  await suite(client, '/v1/pets');
  expect((await notes())?.[1]).toMatch(
    /last run \(suite, run 7\): passed; fixed 0, new 0 against suite, run 6; not tried: createPet/,
  );
});

it('one mistake is one issue, whatever it breaks and however often', async () => {
  const client = await server.sandbox();
  const create = async (...bodies: string[]) => {
    clock.time += 10_000;
    for (const body of bodies) await client.post('/v1/pets', body, { 'User-Agent': 'suite/1.0' });
  };
  await create(
    '{"name":"Rex","catgoryId":1}',
    '{"name":"Rex","category_id":2}',
    '{"pet":{"name":"Rex","categoryId":1}}',
  );
  const { findings, reasons } = (await client.get('/_sandbox/report')).json;
  expect(findings.map((each: never) => [each['kind'], each['location'], each['count']])).toEqual([
    ['violation', 'body/categoryId', 2],
    ['violation', 'body/name', 1],
  ]);
  expect(reasons).toEqual(['3 violations of the specification']);
  await create('{"name":"Rex","categoryId":1}');
  expect((await outcomes(client))[0]).toMatchObject({ fixed: 2, new: 0, still: 0, notTried: [] });
});

it('a late pass of another client does not hide an early failure, and each client is compared with itself', async () => {
  const client = await server.sandbox();
  await client.get('/v1/pets?limit=500', { 'User-Agent': 'first/1' });
  await client.get('/v1/pets', { 'User-Agent': 'second/1' });
  expect((await client.get('/_sandbox/report')).json.verdict).toBe('fail');
  expect((await client.get('/_sandbox/report?run=last')).json.verdict).toBe('pass');
  expect(await outcomes(client)).toMatchObject([
    { run: 'second, run 1', against: null, fixed: 0 },
    { run: 'first, run 1', against: null },
  ]);
});

it('a client names its run, which ends after a minute, and the words for all and for the last are no names', async () => {
  const client = await server.sandbox();
  const as = (run: string, target: string) => client.get(target, { 'Sandbox-Run': run, 'User-Agent': 'suite/1.0' });
  await as('nightly 7', '/v1/pets');
  clock.time += 59_999;
  await as('nightly 7', '/v1/pets?limit=500');
  await as('all', '/v1/pets?limit=5');
  clock.time += 60_000;
  await as('nightly 7', '/v1/pets');
  expect(await outcomes(client)).toMatchObject([
    { run: 'nightly 7, run 2', requests: 1, verdict: 'pass' },
    { run: 'suite, run 1', requests: 1, fixed: 1 },
    { run: 'nightly 7', requests: 2 },
  ]);
  expect((await client.get('/_sandbox/report?run=nightly%207')).json.verdict).toBe('fail');
});

it('a run that was begun with a name has all requests until the next one, whatever the pauses', async () => {
  const client = await server.sandbox();
  const begin = (body: string) => client.post('/_sandbox/runs', body);
  expect((await begin('{"name":"npm test"}')).status).toBe(204);
  await suite(client, '/v1/pets');
  clock.time += 600_000;
  await suite(client, '/v1/pets');
  await client.delete('/_sandbox/requests');
  await client.get('/v1/pets', { 'User-Agent': 'other/1' });
  await begin('');
  await suite(client, '/v1/pets');
  expect(await listed(await reopened(client), 'run')).toEqual(['npm test', 'suite, run 1']);
  expect((await begin('{"nam":"x"}')).status).toBe(400);
});

it.each([1, 6])('a watcher that runs tests again after %i s shows them fixed', async (seconds) => {
  const client = await server.sandbox();
  const test = (target: string) => client.get(target, { 'User-Agent': 'node' });
  await test('/v1/pets?limit=500');
  clock.time += seconds * 1000;
  await test('/v1/pets?limit=100');
  const { issues } = (await client.get('/_sandbox/issues?run=last')).json;
  expect(issues.filter((each: { state: string }) => each.state === 'open')).toEqual([]);
});

it('issues, previews and verifications speak of one run where they are asked to', async () => {
  const client = await server.sandbox();
  await suite(client, '/v1/pets/1', '/v1/pets?limit=500');
  await suite(client, '/v1/pets?limit=5');
  const issues = async (run: string) => (await client.get(`/_sandbox/issues?run=${run}`)).json.issues.length;
  expect([await issues('all'), await issues('last')]).toEqual([2, 1]);
  const preview = async (run: string) => (await client.get(`/_sandbox/preview?at=2030-12-05&run=${run}`)).json.verdict;
  expect([await preview('all'), await preview('last')]).toEqual(['fail', 'pass']);
  const counted = async (run: string) =>
    (await client.post('/_sandbox/requests/verify', JSON.stringify({ run, operation: 'getPet', atMost: 0 }))).status;
  expect([await counted('all'), await counted('last'), await counted('suite, run 1')]).toEqual([409, 200, 409]);
});

it('a run that nobody has is not found, and the last run of no requests is not green', async () => {
  const client = await server.sandbox();
  expect((await client.get('/_sandbox/report?run=last')).json).toMatchObject({ verdict: 'incomplete', run: null });
  await suite(client, '/v1/pets');
  const reply = await client.get('/_sandbox/report?run=node');
  expect([reply.status, reply.json.message]).toEqual([404, expect.stringContaining('suite, run 1')]);
});

/** The sandbox of a recording of this one. */
async function reopened(client: Client): Promise<Client> {
  const { text } = await client.get('/_sandbox/export?format=recording');
  const { key } = (await server.client().importRecording(text)).json;
  return server.client(key);
}

it(
  'what has left the log leaves its run incomplete, or failed where that broke the specification, for every reader',
  async () => {
    const client = await server.sandbox();
    await suite(client, '/v1/pets?limit=500', '/v1/pets?limt=1', '/v1/nowhere', '/v1/pets?limit=7');
    await suite(client, ...Array.from({ length: 10_001 }, () => '/v1/pets?limit=1'));
    await client.get('/v1/pets', { 'Sandbox-Run': 'other' });
    const again = await reopened(client);
    for (const each of [client, again, await reopened(again)]) {
      const of = async (query: string) => (await each.get(`/_sandbox/${query}`)).json;
      const all = await of('report');
      expect(all).toMatchObject({
        verdict: 'fail',
        account: { total: 10_006, dropped: 6 },
        counts: { droppedFailure: 2 },
      });
      expect(all.reasons[0]).toBe('2 failures are no longer in the log');
      expect((await of('issues')).verdict).toBe('fail');
      expect((await of('runs')).runs).toMatchObject([
        { run: 'other', verdict: 'pass' },
        { run: 'suite, run 2', verdict: 'incomplete', requests: 10_001, failing: 0 },
        { run: 'suite, run 1', verdict: 'fail', requests: 4, failing: 2 },
      ]);
      expect((await of('report?run=last')).verdict).toBe('pass');
      const first = await of('report?run=suite,%20run%201');
      expect([first.verdict, first.reasons[0]]).toEqual(['fail', '2 failures are no longer in the log']);
      const { verdict, reasons } = await of('report?run=suite,%20run%202');
      expect([verdict, reasons.join()]).toEqual([
        'incomplete',
        expect.stringContaining('2 older requests left the request log'),
      ]);
    }
    await client.delete('/_sandbox/requests');
    expect((await client.get('/_sandbox/report')).json).toMatchObject({
      account: { total: 0 },
      counts: { droppedFailure: 0 },
    });
  },
  limit(120_000),
);

it('a run that was begun is the last one, and incomplete until it has a request', async () => {
  const client = await server.sandbox();
  const last = async (each: Client) => (await each.get('/_sandbox/report?run=last')).json;
  await client.get('/v1/pets', { 'Sandbox-Run': 'nightly' });
  await suite(client, '/v1/pets');
  await client.post('/_sandbox/runs', '');
  for (const each of [client, await reopened(client)]) {
    expect(await last(each)).toMatchObject({ verdict: 'incomplete', run: null, account: { total: 0 } });
    expect((await each.get('/_sandbox/report')).json.outcome).toMatchObject({ run: 'last', verdict: 'incomplete' });
  }
  // A named run goes on under its name, and is the one that was begun.
  await client.get('/v1/pets', { 'Sandbox-Run': 'nightly' });
  expect(await last(client)).toMatchObject({ verdict: 'pass', run: 'nightly', account: { total: 2 } });
});

it('a run is incomplete where the ids that its client was given are no longer kept, and one of them may be rounded', async () => {
  const reportOn = async (id: string) => {
    const client = await server.sandbox({ fixture: 'empty' });
    const long = Array.from({ length: 90 }, (_, at) => `{"id":${at + 1},"name":"${'x'.repeat(200)}","categoryId":1}`);
    const pets = [...long, '{"id":9007199254740993,"name":"Rex","categoryId":1}'];
    await client.post('/_sandbox/reset', `{"fixture":{"pets":[${pets}]}}`);
    await suite(client, '/v1/pets?limit=100', `/v1/pets/${id}`);
    return (await client.get('/_sandbox/report?run=last')).json;
  };
  expect((await reportOn('9007199254740992')).reasons).toContainEqual(
    expect.stringMatching(/1 large integer for rounding$/),
  );
  expect(await reportOn('9007199254740993')).toMatchObject({ verdict: 'pass', reasons: [] });
});

it('a run is incomplete where a broken request came during it or names it, also once it has left the log', async () => {
  const client = await server.sandbox();
  const { id } = (await client.get('/_sandbox')).json;
  const raw = (path: string, ...lines: string[]) =>
    exchangeBytes(
      server.url,
      `GET /${id}${path} HTTP/1.1\r\nHost: a\r\n${lines.join('\r\n')}\r\nBad Header: x\r\n\r\n`,
    );
  const verdictOf = async (run: string, of = client) => (await of.get(`/_sandbox/report?run=${run}`)).json.verdict;
  await client.get('/v1/pets', { 'Sandbox-Run': 'one' });
  clock.time += 60_000;
  await client.get('/v1/pets', { 'Sandbox-Run': 'two' });
  await raw('/v1/pets');
  clock.time += 60_000;
  await raw('/v1/pets', 'Sandbox-Run: three');
  for (const each of [client, await reopened(client)])
    expect([await verdictOf('one', each), await verdictOf('two', each), await verdictOf('three', each)]).toEqual([
      ...['pass', 'incomplete', 'incomplete'],
    ]);
  expect((await client.get('/_sandbox/report')).json).toMatchObject({ verdict: 'fail', counts: { malformed: 2 } });
  // Blanks before the line hide nothing.
  await exchangeBytes(server.url, ` GET /${id}/v1/pets HTTP/1.1\r\nHost: a\r\n\r\n`);
  expect((await client.get('/_sandbox/report')).json.counts.malformed).toBe(3);
});
