import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { ConformOptions } from '../../src/conform/conform.ts';
import { KeyRejected, NoPetstore } from '../../src/conform/recognize.ts';
import type { ConformRule } from '../../src/conform/rules.ts';
import { suite } from '../../src/conform/suite.ts';
import { listen } from '../support/listen.ts';
import { sharedServer } from '../support/server.ts';
import { different, found, run } from './run.ts';
import { type Fault, startWrongServer } from './wrong-server.ts';

const server = await sharedServer();

/** A server that is none of ours: its base address, and how many requests it got. */
async function listenAt(received: (...args: [...Parameters<RequestListener>, before: number]) => unknown) {
  const got = { url: '', requests: 0 };
  got.url = `${await listen((request, response) => void received(request, response, got.requests++))}/v1`;
  return got;
}

/** A run on our own server, or on a wrong one. */
async function runOn(fault: Fault | undefined, options: Partial<ConformOptions> = {}, fixture = 'default') {
  const { key = '' } = await server.sandbox({ fixture });
  return run(fault ? await startWrongServer(server.url, key, fault) : `${server.url}/v1`, key, options);
}

const KEY = 'a-key-of-somebody';

describe('our own server', () => {
  test('conforms, in every check that may be sent', async () => {
    const conformance = await runOn(undefined);
    expect(different(conformance)).toEqual([]);
    expect(conformance).toMatchObject({ verdict: 'conforms', counts: { differs: 0, accepted: 0 } });
    const skipped = conformance.results.filter(({ outcome }) => outcome === 'skipped');
    expect(new Set(skipped.map(({ reason }) => reason))).toEqual(new Set(['a wrong server might change or drop pets']));
    expect(skipped.every(({ name }) => /^(PUT|PATCH|DELETE) |before the method/.test(name))).toBe(true);
  });

  test.each(['boundary', 'large'])('conforms with its fixture %s', async (fixture) => {
    expect(different(await runOn(undefined, {}, fixture))).toEqual([]);
  });

  test('holds afterward what the run says that it created, and nothing else', async () => {
    const sandbox = await server.sandbox({ fixture: 'empty' });
    const conformance = await run(`${server.url}/v1`, sandbox.key ?? '');
    expect(different(conformance)).toEqual([]);
    const { created } = conformance;
    const there = (await sandbox.get('/v1/pets?limit=100')).json as { id: number }[];
    expect(created.map(({ id }) => Number(id))).toEqual(there.map(({ id }) => id));
    expect(created.length).toBeGreaterThan(20);
  });

  test('is only read from unless pets may be created', async () => {
    const sandbox = await server.sandbox();
    const conformance = await run(`${server.url}/v1`, sandbox.key ?? '', { allowCreate: false });
    expect(conformance).toMatchObject({ verdict: 'conforms', created: [], counts: { differs: 0 } });
    expect((await sandbox.get('/v1/pets?limit=100')).json).toHaveLength(12);
    const { requests } = (await sandbox.get('/_sandbox/requests?limit=1000')).json;
    expect(requests.length).toBeGreaterThan(80);
    const methods = new Set(requests.map(({ method }: { method: string }) => method));
    expect([...methods].sort()).toEqual(['GET', 'HEAD', 'PROPFIND', 'TRACE']);
    const reasons = conformance.results.flatMap(({ reason }) => reason ?? []);
    expect(reasons).toContain('it may add a pet: needs --allow-create');
    expect(reasons).toContain('the server has too few pets: 12, and it shows from 21 on');
  });
});

describe('accepted differences', () => {
  const reading = { allowCreate: false };
  const sunset = new Set<ConformRule>(['sunset']);

  test('are no failure where their rule is ignored', async () => {
    const ignored = await runOn('no Sunset', { ...reading, ignored: sunset });
    expect(ignored).toMatchObject({ verdict: 'conforms', counts: { differs: 0, accepted: 1 } });
    expect(found(ignored)).toEqual(['sunset']);
  });

  test('are failures beside one that is known, and where another rule is ignored', async () => {
    const known = [{ rule: 'head', check: 'HEAD of a pet: 200 without a body' }] as const;
    const one = await runOn('no HEAD', { ...reading, known, ignored: sunset });
    expect(one).toMatchObject({ verdict: 'differs', stale: [], counts: { differs: 3, accepted: 1 } });
  });

  test('are no failure where all of a rule are known, nor taken for gone where their check was skipped', async () => {
    const skipped = [{ rule: 'pet-created' }, { rule: 'method-rejected', check: 'POST /v1/pets/zzz: 405' }] as const;
    const known = [...skipped, { rule: 'head' }] as const;
    const some = await runOn('no HEAD', { ...reading, known });
    expect(some).toMatchObject({ verdict: 'conforms', stale: [], counts: { differs: 0, accepted: 4 } });
    expect(await runOn('no HEAD', { known })).toMatchObject({ stale: skipped });
  });
});

describe('with specificationOnly', () => {
  const specificationOnly = true;

  test.each(['no 405', 'list in descending order', 'error body with further members', 'other code'] as const)(
    'a server with this of its own passes, and is asked nothing else of it: %s',
    async (fault) => {
      const conformance = await runOn(fault, { specificationOnly });
      expect([different(conformance), conformance.verdict]).toEqual([[], 'conforms']);
      const left = conformance.results.filter(({ reason }) => reason === 'it checks a decision of the sandbox');
      expect(left.length).toBeGreaterThan(50);
      expect(left.every(({ basis }) => basis === 'sandbox')).toBe(true);
    },
  );

  test('a server that breaks the specification fails', async () => {
    const wrong = await runOn('status invented', { specificationOnly });
    expect([wrong.verdict, found(wrong)]).toEqual(['differs', ['status-invented']]);
  });
});

test('every check has a name of its own', () => {
  const names = suite(KEY).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

describe('a server that can hardly be looked at', () => {
  const reading = { allowCreate: false };
  const LOST = 'the server has stopped responding';

  test('is not reached where nothing answers, or nothing in time', async () => {
    await expect(run('http://127.0.0.1:1/v1', KEY)).rejects.toThrow(NoPetstore);
    const { url } = await listenAt(() => undefined);
    await expect(run(url, KEY, { timeoutMs: 100 })).rejects.toThrow(/no response within 0.1 s/);
  });

  test('is left alone when it rejects the key', async () => {
    const got = await listenAt((_, response) => response.writeHead(401).end());
    await expect(run(got.url, KEY)).rejects.toThrow(KeyRejected);
    expect(got.requests).toBe(1);
  });

  test('is left alone when it has stopped answering, and that is no conformance', async () => {
    const got = await listenAt((_, response, before) => (before === 0 ? response.end('[]') : response.destroy()));
    const { verdict, results, created } = await run(got.url, KEY);
    expect([got.requests, verdict]).toEqual([6, 'differs']);
    expect(results.filter(({ reason }) => reason === LOST).length).toBeGreaterThan(200);
    // Three of the five were posts: nobody knows what became of them.
    expect(created.every(({ id }) => id === null)).toBe(true);
    expect(created.length).toBeGreaterThan(0);
  });

  test('is checked to the end when it loses a response now and then', async () => {
    const { url } = await listenAt((_, response, before) =>
      before % 3 === 2 ? response.destroy() : response.end('[]'),
    );
    const { results } = await run(url, KEY, reading);
    expect(results.map(({ reason }) => reason)).not.toContain(LOST);
  });

  test('is asked once more after the pause that it asks for; where that does not help, the run is incomplete', async () => {
    const { url } = await listenAt((_, response, before) =>
      before === 0 ? response.end('[]') : response.writeHead(429, { 'Retry-After': '0' }).end(),
    );
    const conformance = await run(url, KEY, reading);
    expect(conformance).toMatchObject({ verdict: 'incomplete', counts: { ok: 0, differs: 0 } });
    expect(conformance.account.total).toBeGreaterThan(200);
    expect(conformance.account.skipped).toBeGreaterThan(0);
  });

  test('may answer without end: no more is read than a list of pets could be', async () => {
    const { url } = await listenAt((_, response, before) => {
      const more = (): void => {
        if (!response.destroyed) response.write('x'.repeat(1 << 20), more);
      };
      return before === 0 ? response.end('[]') : more();
    });
    const { results } = await run(url, KEY, reading);
    const got = expect.stringContaining('a response of over 4194304 bytes');
    expect(results.flatMap(({ differences }) => differences)[0]).toMatchObject({ rule: 'no-response', got });
  });

  test('is not followed to where it redirects: each redirect is a finding', async () => {
    const elsewhere = await listenAt((_, response) => response.end());
    const { url } = await listenAt((_, response) => response.writeHead(307, { Location: elsewhere.url }).end());
    const { verdict, results } = await run(url, KEY, reading);
    const [list] = results.flatMap(({ differences }) => differences);
    expect([verdict, list]).toMatchObject(['differs', { rule: 'query-accepted', got: `307 to ${elsewhere.url}` }]);
    expect(elsewhere.requests).toBe(0);
  });

  test('is given a pause between requests, and no further one once the run is told to stop', async () => {
    const stop = new AbortController();
    const times: number[] = [];
    const { url } = await listenAt((_, response) => {
      times.push(performance.now());
      if (times.length === 7) stop.abort();
      response.setHeader('Content-Type', 'application/json').end('[]');
    });
    const conformance = await run(url, KEY, { pauseMs: 60, stop: stop.signal, ...reading });
    expect(conformance).toMatchObject({ verdict: 'incomplete', account: { total: 7 } });
    expect(times).toHaveLength(7);
    const pauses = times.slice(1).map((time, at) => time - (times[at] as number));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(50);
  });

  test.each([
    ['a page for every path', 200, '<h1>Hello</h1>'],
    ['an object where the list should be', 200, '{"pets":[]}'],
    ['an Error body for every path', 404, '{"code":"not_found","message":"no such path","status":404}'],
    ['a failure for every path', 500, ''],
  ])('is no petstore with %s, which is known after two requests', async (_, status, body) => {
    const got = await listenAt((__, response) => response.writeHead(status).end(body));
    await expect(run(got.url, KEY)).rejects.toThrow(`no petstore here: GET ${got.url}/pets?limit=1 gets `);
    expect(got.requests).toBe(2);
  });

  test.each([
    'null',
    '{"pets":[{"id":1,"name":"Rex","categoryId":1}]}',
    '{"id":1,"categoryId":1}\n{"id":2,"categoryId":1}',
  ])('is a petstore where its list is %s, and that differs', async (body) => {
    const { url } = await listenAt((_, response) => response.setHeader('Content-Type', 'application/json').end(body));
    expect(found(await run(url, KEY, reading))).toContain('schema');
  });
});
