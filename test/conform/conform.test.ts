import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { KeyRejected, NoPetstore } from '../../src/conform/recognize.ts';
import { suite } from '../../src/conform/suite.ts';
import { listen } from '../support/listen.ts';
import { sharedServer } from '../support/server.ts';
import { different, found, run } from './run.ts';
import { startWrongServer } from './wrong-server.ts';

const server = await sharedServer();

/** A server that is none of ours; its base address. */
const listenAt = async (received: RequestListener): Promise<string> => `${await listen(received)}/v1`;

const KEY = 'a-key-of-somebody';

describe('our own server', () => {
  test('conforms, in every check that may be sent', async () => {
    const { key = '' } = await server.sandbox();
    const conformance = await run(`${server.url}/v1`, key);
    expect(different(conformance)).toEqual([]);
    expect(conformance).toMatchObject({ verdict: 'conforms', counts: { differs: 0, accepted: 0 } });
    const skipped = conformance.results.filter(({ outcome }) => outcome === 'skipped');
    expect(new Set(skipped.map(({ reason }) => reason))).toEqual(new Set(['a wrong server might change or drop pets']));
    expect(skipped.every(({ name }) => /^(PUT|PATCH|DELETE) |before the method/.test(name))).toBe(true);
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

test('every check has a name of its own', () => {
  const names = suite(KEY).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

describe('a server that can hardly be looked at', () => {
  test('is not reached where nothing answers, or nothing in time', async () => {
    await expect(run('http://127.0.0.1:1/v1', KEY)).rejects.toThrow(NoPetstore);
    const url = await listenAt(() => undefined);
    await expect(run(url, KEY, { timeoutMs: 100 })).rejects.toThrow(/no response within 0.1 s/);
  });

  test('is left alone when it rejects the key', async () => {
    let asked = 0;
    const url = await listenAt((_, response) => {
      asked++;
      response.writeHead(401).end();
    });
    await expect(run(url, KEY)).rejects.toThrow(KeyRejected);
    expect(asked).toBe(1);
  });

  test('is left alone when it has stopped answering, and that is no conformance', async () => {
    let asked = 0;
    const url = await listenAt((_, response) => {
      if (asked++ === 0) response.end('[]');
      else response.destroy();
    });
    const conformance = await run(url, KEY);
    expect(asked).toBe(6);
    expect(conformance.verdict).toBe('differs');
    expect(
      conformance.results.filter(({ reason }) => reason === 'the server has stopped responding').length,
    ).toBeGreaterThan(200);
    // Three of the five were posts: nobody knows what became of them.
    expect(conformance.created.every(({ id }) => id === null)).toBe(true);
    expect(conformance.created.length).toBeGreaterThan(0);
  });

  test('is checked to the end when it loses a response now and then', async () => {
    let asked = 0;
    const url = await listenAt((_, response) => {
      if (asked++ % 3 === 2) response.destroy();
      else response.end('[]');
    });
    const { results } = await run(url, KEY, { allowCreate: false });
    expect(results.map(({ reason }) => reason)).not.toContain('the server has stopped responding');
  });

  test('is asked once more after the pause that it asks for; where that does not help, the run is incomplete', async () => {
    let asked = 0;
    const url = await listenAt((_, response) => {
      if (asked++ === 0) response.end('[]');
      else response.writeHead(429, { 'Retry-After': '0' }).end();
    });
    const conformance = await run(url, KEY, { allowCreate: false });
    expect(conformance).toMatchObject({ verdict: 'incomplete', counts: { ok: 0, differs: 0 } });
    expect(conformance.account.total).toBeGreaterThan(200);
    expect(conformance.account.skipped).toBeGreaterThan(0);
  });

  test('may answer without end: no more is read than a list of pets could be', async () => {
    let asked = 0;
    const url = await listenAt((_, response) => {
      if (asked++ === 0) return void response.end('[]');
      const more = (): void => {
        if (!response.destroyed) response.write('x'.repeat(1 << 20), more);
      };
      more();
    });
    const conformance = await run(url, KEY, { allowCreate: false });
    expect(conformance.results.flatMap(({ differences }) => differences)[0]).toMatchObject({
      rule: 'no-response',
      got: expect.stringContaining('a response of over 4194304 bytes'),
    });
  });

  test('is not followed to where it redirects, and is no petstore', async () => {
    const elsewhere: string[] = [];
    const other = await listenAt((request, response) => {
      elsewhere.push(String(request.headers.authorization));
      response.end();
    });
    const url = await listenAt((_, response) => response.writeHead(307, { Location: other }).end());
    await expect(run(url, KEY, { allowCreate: false })).rejects.toThrow(
      `gets 307 to ${other} (redirects are not followed)`,
    );
    expect(elsewhere).toEqual([]);
  });

  test('is given a pause between requests, and no further one once the run is told to stop', async () => {
    const stop = new AbortController();
    const times: number[] = [];
    const url = await listenAt((_, response) => {
      times.push(performance.now());
      if (times.length === 7) stop.abort();
      response.setHeader('Content-Type', 'application/json').end('[]');
    });
    const conformance = await run(url, KEY, { pauseMs: 60, stop: stop.signal, allowCreate: false });
    expect(conformance).toMatchObject({ verdict: 'incomplete', account: { total: 7 } });
    expect(times).toHaveLength(7);
    const pauses = times.slice(1).map((time, at) => time - (times[at] as number));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(50);
  });

  test.each<[string, RequestListener]>([
    ['a page for every path', (_, response) => response.setHeader('Content-Type', 'text/html').end('<h1>Hello</h1>')],
    ['an object where the list should be', (_, response) => response.end('{"pets":[]}')],
    [
      'an Error body for every path',
      (_, response) => response.writeHead(404).end('{"code":"not_found","message":"no such path","status":404}'),
    ],
    ['a failure for every path', (_, response) => response.writeHead(500).end()],
  ])('is no petstore with %s, which is known after two requests', async (_, received) => {
    let asked = 0;
    const url = await listenAt((request, response) => {
      asked++;
      received(request, response);
    });
    await expect(run(url, KEY)).rejects.toThrow(`no petstore here: GET ${url}/pets?limit=1 gets `);
    expect(asked).toBe(2);
  });

  test('is a petstore where only a list without a limit works', async () => {
    const url = await listenAt((request, response) => {
      if (request.url === '/v1/pets') response.end('[]');
      else response.writeHead(400).end();
    });
    expect((await run(url, KEY, { allowCreate: false })).verdict).toBe('differs');
  });
});

test('a server with other codes of errors passes with specificationOnly, and one with another status does not', async () => {
  const { key = '' } = await server.sandbox();
  const specificationOnly = true;
  const right = await run(await startWrongServer(server.url, key, 'other code'), key, { specificationOnly });
  expect([different(right), right.verdict]).toEqual([[], 'conforms']);
  const left = right.results.filter(({ reason }) => reason === 'it checks a decision of the sandbox');
  expect(left.length).toBeGreaterThan(50);
  expect(left.every(({ basis }) => basis === 'sandbox')).toBe(true);
  const wrong = await run(await startWrongServer(server.url, key, 'status invented'), key, { specificationOnly });
  expect([wrong.verdict, found(wrong)]).toEqual(['differs', ['status-invented']]);
});
