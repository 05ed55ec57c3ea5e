/** The control API takes what the specification describes and nothing else: a misspelled field would have no effect, or a wrong one. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Client } from '../../support/client.ts';
import { heldClock } from '../../support/held-clock.ts';
import { startTestServer } from '../../support/server.ts';

const clock = heldClock(Date.UTC(2026, 2, 2, 9, 30));
const server = await startTestServer({ clock, settings: { adminToken: 'admin-token-of-this-test' } });
const admin = server.client(server.adminToken);
const client = await server.sandbox();

const rejectionOf = async (client: Client, method: string, path: string, body?: unknown): Promise<string> => {
  const reply = await client.sendJson(method, `/_sandbox${path}`, body);
  expect([reply.status, reply.json.code]).toEqual([400, 'invalid_request']);
  return reply.json.message;
};

// biome-ignore lint/suspicious/noExplicitAny: a specification, read where it is known to be of this shape
type Described = any;
const { paths, security: byDefault } = parse(await readFile('spec/control-api.yaml', 'utf8'));
const operations = Object.entries<Described>(paths).flatMap(([path, item]) =>
  Object.entries<Described>(item).map(([method, { requestBody, security = byDefault }]) => {
    const [[type, described] = []] = Object.entries<Described>(requestBody?.content ?? {});
    const [example] = Object.values<Described>(described?.examples ?? {});
    return {
      method: method.toUpperCase(),
      path: (path === '/' ? '' : path)
        .replace('{requestId}', 'req_abc')
        .replace('{faultId}', 'flt_0000000000000000')
        .replace(/\{name\}/, 'abc')
        .replace(/\{\w+\}/, 'id_abc'),
      type,
      body: described && (example?.value ?? {}),
      /** The names of its ways in: none, a key, the admin token. */
      security: security.map((way: object) => Object.keys(way)[0] ?? 'none') as string[],
    };
  }),
);
/** The list of unmatched requests is the server's. */
const ofSandboxes = operations.filter(
  ({ security, path }) => String(security) === 'sandboxKey,adminToken' && !path.endsWith('/unmatched'),
);

describe('every control', () => {
  it.each(operations)('$method $path rejects a parameter that it does not know', async ({ method, path }) => {
    expect(await rejectionOf(admin, method, `${path}?color=red`)).toContain('query/color is not known here');
    expect(await rejectionOf(admin, method, `${path}?=`)).toContain('query/ is not known here');
  });

  it.each(operations.filter(({ security }) => security.length > 0 && !security.includes('none')))(
    '$method $path needs a credential',
    async ({ method, path }) => {
      expect((await server.client().send({ method, path: `/_sandbox${path}` })).status).toBe(401);
    },
  );

  it.each(ofSandboxes)(
    '$method $path takes one sandbox from the admin, and none from a key',
    async ({ method, path, body, type }) => {
      const on = async (who: Client, query: string) => {
        const headers = type === undefined ? {} : { 'Content-Type': type };
        return (await who.sendJson(method, `/_sandbox${path}${query}`, body, headers)).status;
      };
      expect(await on(admin, '')).toBe(400);
      expect(await on(admin, '?sandbox=sbx_0000000000000000')).toBe(404);
      expect(await on(client, '?sandbox=sbx_0000000000000000')).toBe(403);
    },
  );
});

it.each<[status: number, paths: string[]]>([
  [404, ['/_Sandbox', '/_sandbox/Health', '/_sandbox/health/', '/_sandbox//health', '//_sandbox/health']],
  // Express reads the last one as /_sandbox/health.
  [400, ['/_sandbox/faults/%zz', '/_sandbox?a=%', '/_sandbox#', '/_sandbox\\health', '/_sandbox\\health#']],
])('an address that is not exactly one of a control is answered with %d', async (status, paths) => {
  for (const path of paths) expect([path, (await client.get(path)).status]).toEqual([path, status]);
});

/**
 * How each kind of mistake is worded, and which fields go together: a body or a query, and what the message says of it.
 * That all that the schemas do not allow is rejected, and nothing else: specification.test.ts.
 */
const MISTAKES: Readonly<Record<string, readonly (readonly [sent: unknown, message: string | RegExp])[]>> = {
  'POST /keys': [
    ['{"ttlSeconds":9007199254740993}', /; 9007199254740993 was sent$/],
    [{ fixture: 'A b' }, /^body\/fixture is a string like [^;]+; "A b" was sent$/],
    ['{"color":"red","__proto__x":1}', /^body\/color is not known here; there are .*; body\/__proto__x is not known/],
    ['null', /^body is a JSON object; null was sent$/],
    ['{"label":"a","label":"b"}', 'given twice'],
    ['{', 'body is not valid JSON'],
    [{ ttlSeconds: 0, label: 7 }, /^body\/label is .*; 7 was sent; body\/ttlSeconds is .*; 0 was sent$/],
    [{ ttl: 5 }, 'body/ttl is not known here; did you mean ttlSeconds?'],
    ['{"fixture":{}}', 'body/fixture/pets is missing: give "pets": [] or "generate": {"count": 100, "seed": 1}'],
    [
      '{"fixture":{"pets":[],"generate":{"count":1,"seed":1}}}',
      'body/fixture/generate must not have generate together with pets',
    ],
  ],
  'POST /reset': [[{ snapshot: 'here', fixture: 'empty' }, 'body must not have `fixture` together with `snapshot`']],
  'POST /reset?scpoe=all': [[{}, 'query/scpoe is not known here; did you mean scope?']],
  'POST /pets': [[{}, 'body/count is required (an integer from 1 to 10000)']],
  'PUT /clock': [
    [
      { now: 'tomorrow' },
      /RFC 3339 time with a zone, from 1970 to 9999, like 2030-12-05T00:00:00Z; "tomorrow" was sent$/,
    ],
  ],
  'POST /clock/advance': [
    [{ duration: '30 days' }, /is an ISO 8601 duration without a sign, like P30D, P1M, PT1H30M; "30 days" was sent$/],
  ],
  'POST /faults': [
    [
      { operation: 'listPets' },
      'body needs at least one of `status`, `delayMs`, `bytesPerSecond`, `connection`, `limit`, `vary`, `corrupt`',
    ],
    [{ delayToMs: 5 }, 'body/delayMs is required together with `delayToMs`'],
    [{ delayMs: 200, delayToMs: 50 }, 'body/delayToMs is at least delayMs, 200; 50 was sent'],
    [{ status: 503, petId: '1', operation: 'listPets' }, 'body must not have `petId` together with this operation'],
    [{ status: 503, probability: 0 }, 'body must not have a `probability` of 0'],
    [{ status: 503, query: 'petsbx_0123' }, 'body/query must not contain a key'],
    [
      { status: 503, query: 'limit=5&Api_Key=a' },
      'body/query: must not have the value of a credential, which is not recorded; to match any, send limit=5&Api_Key=[key]',
    ],
  ],
  'POST /requests/verify': [
    [{ operation: 'getPet', method: 'POST' }, 'getPet is GET'],
    [{ operation: 'createPet', path: '/pets/1' }, 'createPet is POST /v1/pets'],
    [{ path: '/pets/{petId}' }, 'template'],
    [{ path: '/pets?name=a b' }, '%20'],
    [
      { path: '/pets?token=a', atMost: 0 },
      'body/path: must not have the value of a credential, which is not recorded; to match any, send /pets?token=[key]',
    ],
    [{ operation: 'listPets', atLeast: 3, atMost: 2 }, 'no number meets all'],
  ],
  'GET /export': [['format=zip', 'query/format is one of fixture, recording, har, curl; "zip" was sent']],
};

it.each(Object.entries(MISTAKES).flatMap(([operation, rows]) => rows.map((row) => [operation, ...row] as const)))(
  '%s rejects %j, names the place and changes nothing',
  async (operation, sent, message) => {
    const client = await server.sandbox();
    const state = async () => {
      const paths = ['/export', '/clock', '/faults', '/snapshots', '/requests'];
      return Promise.all(paths.map(async (path) => (await client.get(`/_sandbox${path}`)).text));
    };
    await client.post('/v1/pets', { name: 'Ada', categoryId: 1 });
    const [before, { size }] = [await state(), server.sandboxes];
    const [method = '', path = ''] = operation.split(' ');
    const rejected =
      method === 'GET' ? rejectionOf(client, method, `${path}?${sent}`) : rejectionOf(client, method, path, sent);
    expect(await rejected).toMatch(message);
    expect([await state(), server.sandboxes.size]).toEqual([before, size]);
  },
);

it('names twenty problems of a body that has thousands, in a short message', async () => {
  const body = Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`${'x'.repeat(30)}${at}`, 1]));
  const message = await rejectionOf(client, 'POST', '/reset', body);
  expect(message.length).toBeLessThan(3_000);
  expect(message).toContain('and more problems are not shown; mend these first');
  const many = Array.from({ length: 500 }, (_, at) => `p${at}=1`).join('&');
  expect((await rejectionOf(client, 'GET', `/clock?${many}`)).length).toBeLessThan(3_000);
});
