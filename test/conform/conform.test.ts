import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Conformance, type ConformOptions, conform, KeyRefused, NotReached } from '../../src/conform/conform.ts';
import { suite } from '../../src/conform/suite.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { FAULTS, type Fault, startWrongServer } from './wrong-server.ts';

const run = (url: string, key: string, options: Partial<ConformOptions> = {}): Promise<Conformance> =>
  conform({
    url,
    key,
    timeoutMs: 10_000,
    pauseMs: 0,
    stop: new AbortController().signal,
    allowCreate: true,
    ...options,
  });

const found = ({ results }: Conformance): string[] => [
  ...new Set(results.flatMap(({ findings }) => findings.map(({ rule, from }) => `${rule}, by the ${from}`))),
];
const different = ({ results }: Conformance): string[] =>
  results.filter(({ findings }) => findings.length > 0).map(({ name }) => name);
const done = ({ results }: Conformance): string[] =>
  results.filter(({ outcome }) => outcome !== 'skipped').map(({ name }) => name);

/** A server that is none of ours; its base address. */
async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const KEY = 'a-key-of-somebody';

describe('our own server', () => {
  test('conforms, in every check that may be sent', async () => {
    const server = await startTestServer();
    const { key = '' } = await server.sandbox();
    const conformance = await run(`${server.url}/v1`, key);
    expect(different(conformance)).toEqual([]);
    expect(conformance).toMatchObject({ verdict: 'conforms', counts: { document: 0, sandbox: 0, skipped: 7 } });
    const skipped = conformance.results.filter(({ outcome }) => outcome === 'skipped');
    expect(new Set(skipped.map(({ reason }) => reason))).toEqual(new Set(['a wrong server might change or drop pets']));
    expect(skipped.every(({ name }) => /^(PUT|PATCH|DELETE) |before the method/.test(name))).toBe(true);
  });

  test('holds afterwards what the run says that it created, and nothing else', async () => {
    const server = await startTestServer();
    const sandbox = await server.sandbox({ fixture: 'empty' });
    const { created } = await run(`${server.url}/v1`, sandbox.key ?? '');
    const there = (await sandbox.get('/v1/pets?limit=100')).json as { id: number }[];
    expect(created.map(({ id }) => Number(id))).toEqual(there.map(({ id }) => id));
    expect(created.length).toBeGreaterThan(20);
  });

  test('is only read from unless pets may be created', async () => {
    const server = await startTestServer();
    const sandbox = await server.sandbox();
    const conformance = await run(`${server.url}/v1`, sandbox.key ?? '', { allowCreate: false });
    expect(conformance).toMatchObject({ verdict: 'conforms', created: [], counts: { document: 0, sandbox: 0 } });
    expect((await sandbox.get('/v1/pets?limit=100')).json).toHaveLength(12);
    const { requests } = (await sandbox.get('/_sandbox/requests?limit=1000')).json;
    expect(requests.length).toBeGreaterThan(80);
    const methods = new Set(requests.map(({ method }: { method: string }) => method));
    expect([...methods].sort()).toEqual(['GET', 'HEAD', 'PROPFIND', 'TRACE']);
    const reasons = conformance.results.flatMap(({ reason }) => reason ?? []);
    expect(reasons).toContain('it may add a pet: needs --allow-create');
    expect(reasons).toContain('the server has too few pets: 12, and it shows from 21 on');
  });

  test('conforms with its awkward fixtures too', async () => {
    const server = await startTestServer();
    for (const fixture of ['boundary', 'empty', 'large']) {
      const { key = '' } = await server.sandbox({ fixture });
      const conformance = await run(`${server.url}/v1`, key);
      expect(different(conformance), fixture).toEqual([]);
    }
  });
});

test('every check has a name of its own', () => {
  const names = suite(KEY).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});

const refusals = (name: string): boolean => /: 4\d\d$/.test(name);
const ofSection = (section: string, status: number) => (name: string) =>
  name.endsWith(`: ${status}`) && SECTIONS.get(name) === section;
const SECTIONS = new Map(suite(KEY).map(({ name, section }) => [name, section]));
const oneOf =
  (...names: string[]) =>
  (name: string): boolean =>
    names.includes(name);
const LISTS = [
  'a list without a limit: 20 pets at most',
  'a list with the limit 1',
  'a list with the limit 2',
  'a list with the limit 100',
  'a list has every id once, in ascending order',
  'a new pet is in the list, and in that of its status alone',
];

/** What is found of each fault, and in which checks: in all of those, and in no other. */
const EXPECTED: Readonly<Record<Fault, readonly [rules: readonly string[], checks: (name: string) => boolean]>> = {
  'unvalidated query': [['query-refused, by the sandbox'], ofSection('List animals', 400)],
  'bad body accepted': [
    ['body-refused, by the document', 'body-refused, by the sandbox'],
    ofSection('Add an animal', 400),
  ],
  'error body without status': [['error-body, by the document'], refusals],
  'error body with another status': [['error-body, by the document'], refusals],
  'HTML error page': [['answer-type, by the document'], refusals],
  'request repeated': [['answer-type, by the document'], refusals],
  'any bearer accepted': [
    ['key-refused, by the document', 'key-refused, by the sandbox'],
    oneOf(
      'characters that no token has: 401',
      'letters that no token has: 401',
      'a token that is too long: 401',
      'an unknown token: 401',
      'a key that was cut off: 401',
      'a key with one character more: 401',
      'Authorization given twice: 401',
    ),
  ],
  'enum broken in an answer': [
    ['schema, by the document'],
    oneOf(
      ...LISTS,
      'a new pet with its status: 201',
      'the id of a new pet is above that of the one before',
      'the sold pets',
      'the sold pets with the limit 1',
    ),
  ],
  'int64 rounded': [
    ['int64, by the document'],
    (name) => / digit for digit: |^9223372036854775807\.0 /.test(name) || LISTS.includes(name),
  ],
  'no 405': [['method-refused, by the sandbox'], (name) => name.endsWith(': 405')],
  'limit ignored': [
    ['limit-kept, by the document'],
    oneOf('a list with the limit 1', 'a list with the limit 2', 'the sold pets with the limit 1'),
  ],
  'default limit ignored': [['limit-kept, by the document'], oneOf('a list without a limit: 20 pets at most')],
  'wrong media type accepted': [
    ['media-type-refused, by the sandbox'],
    (name) => /^a body (of the|without a) type|the type comes first/.test(name),
  ],
  'no WWW-Authenticate': [['www-authenticate, by the sandbox'], (name) => name.endsWith(': 401')],
  'no Allow': [['allow, by the sandbox'], (name) => name.endsWith(': 405')],
  'filter ignored': [
    ['filter-kept, by the document'],
    oneOf(
      'a new pet is in the list, and in that of its status alone',
      'the available pets',
      'the pending pets',
      'the sold pets',
      'the sold pets with the limit 1',
    ),
  ],
  'status invented': [
    ['pet-as-sent, by the sandbox'],
    (name) => name.endsWith(': 201') && name !== 'a new pet with its status: 201',
  ],
  'name changed': [
    ['pet-as-sent, by the document', 'pet-as-sent, by the sandbox'],
    (name) => name.endsWith(': 201') && name !== 'a new pet with an empty name: 201',
  ],
  'other code': [['error-code, by the sandbox'], (name) => name.endsWith(': 404')],
  // The id is that of a pet which is not sold.
  'ids used again': [
    ['filter-kept, by the document', 'new-ids, by the document'],
    oneOf(
      'the id of a new pet is above that of the one before',
      'a new pet is in the list, and in that of its status alone',
    ),
  ],
  'list in descending order': [['list-order, by the sandbox'], oneOf('a list has every id once, in ascending order')],
  'pet of another id': [['pet-not-found, by the document'], (name) => /^the pet -?\d+, which is not there/.test(name)],
  'id of an address rounded': [['int64, by the document'], oneOf('the pet 9007199254740993, which is not there: 404')],
  'no Sunset': [['sunset, by the sandbox'], oneOf('getPet says when it goes, and what replaces it')],
  'no HEAD': [['head, by the sandbox'], (name) => name.startsWith('HEAD ')],
  'answer cut off': [
    ['answer, by the document'],
    oneOf('a pet that cannot be, without a key: 401', 'POST of one pet: 405'),
  ],
};

describe('a wrong server', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });

  for (const [fault, [rules, checks]] of Object.entries(EXPECTED)) {
    test(`is found out, and nothing else is said of it: ${fault}`, async () => {
      const { key = '' } = await server.sandbox();
      const url = await startWrongServer(server.url, key, fault as Fault);
      const conformance = await run(url, key);
      expect(found(conformance).sort()).toEqual([...rules].sort());
      expect(different(conformance).sort()).toEqual(done(conformance).filter(checks).sort());
      expect(different(conformance)).not.toEqual([]);
      expect(conformance.verdict).toBe('differs');
    });
  }

  test('is found out without creating a pet too, where reading shows it', async () => {
    for (const fault of [
      'unvalidated query',
      'HTML error page',
      'no 405',
      'limit ignored',
      'filter ignored',
    ] as const) {
      const { key = '' } = await server.sandbox();
      const url = await startWrongServer(server.url, key, fault);
      expect(found(await run(url, key, { allowCreate: false })), fault).toEqual(EXPECTED[fault][0]);
    }
  });

  test('has every fault in the list above', () => {
    expect(Object.keys(EXPECTED).sort()).toEqual(Object.keys(FAULTS).sort());
  });

  test('that repeats what it was sent does not get the key into the outcome', async () => {
    const { key = '' } = await server.sandbox();
    const url = await startWrongServer(server.url, key, 'request repeated');
    const { results } = await run(url, key);
    const told = JSON.stringify(results);
    expect(told).toContain('Bearer <KEY>');
    expect(told).not.toContain(key.slice(0, -2));
  });
});

describe('a server that can hardly be looked at', () => {
  test('is not reached where nothing answers, or nothing in time', async () => {
    await expect(run('http://127.0.0.1:1/v1', KEY)).rejects.toThrow(NotReached);
    const url = await listen(() => undefined);
    await expect(run(url, KEY, { timeoutMs: 100 })).rejects.toThrow(/no answer within 0.1 s/);
  });

  test('is left alone when it refuses the key', async () => {
    let asked = 0;
    const url = await listen((_, response) => {
      asked++;
      response.writeHead(401).end();
    });
    await expect(run(url, KEY)).rejects.toThrow(KeyRefused);
    expect(asked).toBe(1);
  });

  test('is left alone when it has stopped answering, and that is no conformance', async () => {
    let asked = 0;
    const url = await listen((_, response) => {
      if (asked++ === 0) response.end();
      else response.destroy();
    });
    const conformance = await run(url, KEY);
    expect(asked).toBe(6);
    expect(conformance.verdict).toBe('differs');
    expect(
      conformance.results.filter(({ reason }) => reason === 'the server has stopped answering').length,
    ).toBeGreaterThan(200);
    // Three of the five were posts: nobody knows what became of them.
    expect(conformance.created.every(({ id }) => id === null)).toBe(true);
    expect(conformance.created.length).toBeGreaterThan(0);
  });

  test('is asked once more after the pause that it asks for; where that does not help, the run is incomplete', async () => {
    let asked = 0;
    const url = await listen((_, response) => {
      if (asked++ === 0) response.end();
      else response.writeHead(429, { 'Retry-After': '0' }).end();
    });
    const conformance = await run(url, KEY, { allowCreate: false });
    expect(conformance).toMatchObject({ verdict: 'incomplete', counts: { ok: 0, document: 0, sandbox: 0 } });
    expect(conformance.requests).toBeGreaterThan(200);
  });

  test('may answer without end: no more is read than a list of pets could be', async () => {
    let asked = 0;
    const url = await listen((_, response) => {
      if (asked++ === 0) return void response.end();
      const more = (): void => {
        if (!response.destroyed) response.write('x'.repeat(1 << 20), more);
      };
      more();
    });
    const conformance = await run(url, KEY, { allowCreate: false });
    expect(conformance.results.flatMap(({ findings }) => findings)[0]).toMatchObject({
      rule: 'answer',
      got: expect.stringContaining('an answer of over 4194304 bytes'),
    });
  });

  test('is not followed to where it redirects', async () => {
    const elsewhere: string[] = [];
    const other = await listen((request, response) => {
      elsewhere.push(String(request.headers.authorization));
      response.end();
    });
    const url = await listen((_, response) => response.writeHead(307, { Location: other }).end());
    expect((await run(url, KEY, { allowCreate: false })).verdict).toBe('differs');
    expect(elsewhere).toEqual([]);
  });

  test('is given a pause between requests, and no further one once the run is told to stop', async () => {
    const server = await startTestServer();
    const { key = '' } = await server.sandbox();
    const stop = new AbortController();
    const times: number[] = [];
    const conformance = await run(`${server.url}/v1`, key, {
      pauseMs: 60,
      stop: stop.signal,
      onResult: () => {
        times.push(performance.now());
        if (times.length === 3) stop.abort();
      },
    });
    expect((times[2] as number) - (times[1] as number)).toBeGreaterThanOrEqual(100);
    expect(conformance).toMatchObject({ verdict: 'incomplete', counts: { ok: 3 } });
    expect(conformance.created).toHaveLength(3);
    expect(conformance.requests).toBe(7);
  });
});
