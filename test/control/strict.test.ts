/** The control API takes what the specification describes and nothing else: a misspelled field would have no effect, or a wrong one. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Client } from '../support/client.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer({ settings: { adminToken: 'admin-token-of-this-test' } });
const client = await server.sandbox();

const rejectionOf = async (client: Client, method: string, path: string, body?: unknown): Promise<string> => {
  const reply = await client.sendJson(method, `/_sandbox${path}`, body);
  expect([reply.status, reply.json.code]).toEqual([400, 'invalid_request']);
  return reply.json.message;
};

interface Described {
  readonly method: string;
  readonly path: string;
  /** An example of its body, if it has one, and the media type. */
  readonly body?: unknown;
  readonly type?: string;
  /** The names of its ways in: none, a key, the admin token. */
  readonly security: readonly string[];
}

const specification = parse(await readFile('spec/control-api.yaml', 'utf8'));
interface Body {
  readonly content: Record<string, { readonly examples?: Record<string, { readonly value: unknown }> }>;
}
/** An example of a body, and its type. */
const exampleOf = ({ content }: Body) => {
  const [[type, { examples = {} }] = ['', {}]] = Object.entries(content);
  return { type, body: Object.values(examples)[0]?.value ?? {} };
};
type Item = Record<string, { requestBody?: Body; security: readonly object[] }>;
const operations: Described[] = Object.entries<Item>(specification.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, { requestBody, security }]) => ({
    method: method.toUpperCase(),
    path: (path === '/' ? '' : path)
      .replace('{requestId}', 'req_abc')
      .replace('{faultId}', 'flt_0000000000000000')
      .replace(/\{name\}/, 'abc')
      .replace(/\{\w+\}/, 'id_abc'),
    ...(requestBody && exampleOf(requestBody)),
    security: security.flatMap((way) => Object.keys(way)[0] ?? 'none'),
  })),
);
/** The list of unmatched requests is the server's. */
const ofSandboxes = operations.filter(
  ({ security, path }) => String(security) === 'sandboxKey,adminToken' && !path.endsWith('/unmatched'),
);

describe('every control', () => {
  it.each(operations)('$method $path rejects a parameter that it does not know', async ({ method, path }) => {
    const admin = server.client(server.adminToken);
    expect(await rejectionOf(admin, method, `${path}?color=red`, undefined)).toContain(
      'query/color: is not known here',
    );
    expect(await rejectionOf(admin, method, `${path}?=`, undefined)).toContain('query/: is not known here');
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
      const on = (who: Client, query: string) =>
        who.sendJson(method, `/_sandbox${path}${query}`, body, type === undefined ? {} : { 'Content-Type': type });
      const admin = server.client(server.adminToken);
      expect((await on(admin, '')).status).toBe(400);
      expect((await on(admin, '?sandbox=sbx_0000000000000000')).status).toBe(404);
      expect((await on(client, '?sandbox=sbx_0000000000000000')).status).toBe(403);
    },
  );

  // The body of an import is a recording: test/recording/import.test.ts rejects it in two dozen ways. MCP has the errors of
  // its protocol, and a HAR has members of the program that wrote it.
  const foreign = ['/import', '/mcp', '/report'];
  it.each(operations.filter(({ type, path }) => type === 'application/json' && !foreign.includes(path)))(
    '$method $path rejects a member that it does not know',
    async ({ method, path }) => {
      const message = await rejectionOf(client, method, path, { color: 'red', __proto__x: 1 });
      expect(message).toContain('body/color: is not known here; there are ');
      expect(message).toContain('body/__proto__x: is not known here');
    },
  );
});

describe('what was probably meant is named', () => {
  it.each([
    ['POST', '/requests/verify', { operaton: 'createPet' }, 'body/operaton', 'operation'],
    ['POST', '/reset', { fixtur: 'empty' }, 'body/fixtur', 'fixture'],
    ['POST', '/faults', { operaton: 'createPet', time: 1, status: 503 }, 'body/time', 'times'],
    ['POST', '/faults', { status: 503, delay: 5 }, 'body/delay', 'delayMs'],
    ['POST', '/keys', { ttl: 5 }, 'body/ttl', 'ttlSeconds'],
    ['POST', '/pets', { count: 1, Seed: 5 }, 'body/Seed', 'seed'],
    ['GET', '/requests?limitt=5', undefined, 'query/limitt', 'limit'],
    ['GET', '/requests?LIMIT=5', undefined, 'query/LIMIT', 'limit'],
    ['GET', '/report?strickt=true', undefined, 'query/strickt', 'strict'],
    ['POST', '/reset?scpoe=all', {}, 'query/scpoe', 'scope'],
  ])('%s %s %j', async (method, path, body, place, meant) => {
    const message = `${place}: is not known here; did you mean ${meant}?`;
    expect(await rejectionOf(client, method, path, body)).toContain(message);
  });
});

it('names twenty problems of a body that has thousands, in a short message', async () => {
  const body = Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`${'x'.repeat(30)}${at}`, 1]));
  const message = await rejectionOf(client, 'POST', '/reset', body);
  expect(message.length).toBeLessThan(3_000);
  expect(message).toContain('and more: mend these first');
  const many = Array.from({ length: 500 }, (_, at) => `p${at}=1`).join('&');
  expect((await rejectionOf(client, 'GET', `/clock?${many}`)).length).toBeLessThan(3_000);
});

it('the body that is looked for may hold anything', async () => {
  const reply = await client.post('/_sandbox/requests/verify', { body: { color: { any: ['thing'] } }, exactly: 0 });
  expect(reply.status).toBe(200);
});
