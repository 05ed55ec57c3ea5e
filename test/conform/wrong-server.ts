/** A server that is wrong on purpose: the sandbox, with a front that spoils what goes in or out. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../src/conform/cases.ts';

const LONGEST = `/v1/pets?limit=${MAX_LIMIT}`;

interface Sent {
  readonly method: string;
  /** Path and query, with `/v1`. */
  readonly path: string;
  /** As they came: name, value, name, value. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

interface Responded {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

interface Front {
  /** The request that the sandbox gets in place of what was sent. */
  sent?(sent: Sent, key: string): Sent;
  /** The response in place of the sandbox's; `ask` sends it another request. */
  respond?(sent: Sent, response: Responded, ask: (sent: Sent) => Promise<Responded>): Responded | Promise<Responded>;
}

const JSON_TYPE = ['Content-Type', 'application/json'];
const isList = ({ path }: Sent): boolean => /^\/v1\/pets(\?|$)/.test(path);
const without = (headers: readonly string[], ...names: string[]): string[] =>
  headers.filter((_, at) => !names.includes((headers[at - (at % 2)] as string).toLowerCase()));
const isHead = ({ method }: Sent): boolean => method === 'HEAD';
/** The pets of a list, digit for digit. */
const petsIn = (text: string): string[] => text.slice(1, -1).split(/,(?={"id")/);
const isReadable = (text: string): boolean => {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
};
/** The path of a pet that may be there. */
const isId = (path: string): boolean => {
  const [, id = ''] = /^\/v1\/pets\/(0|-?[1-9]\d{0,18})$/.exec(path) ?? [];
  return id !== '' && BigInt.asIntN(64, BigInt(id)) === BigInt(id);
};
const ofText = (spoil: (text: string) => string): Front => ({
  respond: (_, response) => ({ ...response, text: response.status < 300 ? spoil(response.text) : response.text }),
});
/** Spoils each name of a pet, as text and not as JSON. */
const ofNames = (spoil: (name: string) => string): Front =>
  ofText((text) =>
    text.replace(/"name":("(?:[^"\\]|\\.)*")/g, (_, name) => `"name":${JSON.stringify(spoil(JSON.parse(name)))}`),
  );
/** Lists from the pets of the longest list, digit for digit. */
const ofLists = (listed: (pets: string[], query: URLSearchParams) => string[]): Front => ({
  respond: async (sent, response, ask) => {
    if (!isList(sent) || sent.method !== 'GET' || response.status !== 200) return response;
    const { text } = await ask({ ...sent, path: LONGEST });
    const query = new URL(sent.path, 'http://a').searchParams;
    return { ...response, text: `[${listed(petsIn(text), query)}]` };
  },
});
const limitOf = (query: URLSearchParams): number => Number(query.get('limit') ?? DEFAULT_LIMIT);
const hasStatus = (query: URLSearchParams) => (pet: string) => pet.includes(`"status":"${query.get('status') ?? ''}`);
/** Whether a pet is to be listed: also one without a status, where none is asked for. */
const isOfStatus = (query: URLSearchParams) => (pet: string) =>
  !query.has('status') || pet.includes(`"status":"${query.get('status')}"`);
/** Other ids than those of the sandbox, in ascending order all the same. */
const ofIds = (shown: (id: number) => number, hidden: (id: number) => number): Front => ({
  sent: (sent) => {
    const path = isReadable(sent.path) ? decodeURIComponent(sent.path) : '';
    const id = Number(/^\/v1\/pets\/([1-9]\d{0,2})$/.exec(path)?.[1] ?? Number.NaN);
    return Number.isNaN(id) ? sent : { ...sent, path: `/v1/pets/${hidden(id)}` };
  },
  respond: async (sent, response, ask) => {
    const spoil = (text: string): string =>
      text.replace(/"id":(\d{1,3})(?=,)/g, (_, id) => `"id":${shown(Number(id))}`);
    if (response.status >= 300) return response;
    if (!isList(sent) || sent.method !== 'GET') return { ...response, text: spoil(response.text) };
    const { text } = await ask({ ...sent, path: LONGEST });
    const idOf = (pet: string): number => Number(/-?\d+/.exec(pet)?.[0]);
    const query = new URL(sent.path, 'http://a').searchParams;
    const pets = petsIn(spoil(text)).sort((a, b) => idOf(a) - idOf(b));
    return { ...response, text: `[${pets.filter(isOfStatus(query)).slice(0, limitOf(query))}]` };
  },
});
const ofError = (spoil: (response: Responded) => Partial<Responded>): Front => ({
  respond: (_, response) => (response.status < 400 ? response : { ...response, ...spoil(response) }),
});

/** A response without this header, or with it. */
const ofHeader = (name: string, value?: string): Front => ({
  respond: (_, response) => ({ ...response, headers: { ...response.headers, [name]: value } }),
});
/** What the sandbox responds to a request is changed in part, where this holds. */
const where = (
  holds: (sent: Sent, response: Responded) => unknown,
  change: (response: Responded) => Partial<Responded>,
): Front => ({
  respond: (sent, response) => (holds(sent, response) ? { ...response, ...change(response) } : response),
});
/** A request that is answered as if it had asked for another path. */
const asIfFor = (path: string, other: string): Front => ({
  sent: (sent) => (sent.path === path ? { ...sent, path: other } : sent),
});
const withKey = (sent: Sent, key: string): Sent => ({
  ...sent,
  headers: [...without(sent.headers, 'authorization'), 'Authorization', `Bearer ${key}`],
});
const asJson = ({ headers }: Sent): string[] => [...without(headers, 'content-type'), ...JSON_TYPE];

/** The mistakes, each by itself. */
export const FAULTS = {
  'unvalidated query': {
    respond: (sent, response, ask) =>
      sent.method === 'GET' && isList(sent) && response.status === 400 && isReadable(sent.path)
        ? ask({ ...sent, path: '/v1/pets' })
        : response,
  },
  'bad body accepted': {
    respond: (sent, response, ask) =>
      sent.method === 'POST' && isList(sent) && response.status === 400
        ? ask({
            ...sent,
            headers: asJson(sent),
            body: Buffer.from('{"name":"","categoryId":0}'),
          })
        : response,
  },
  'error body without status': ofError(({ text }) => {
    const { status: _, ...rest } = JSON.parse(text || '{}');
    return { text: JSON.stringify(rest) };
  }),
  'error body with another status': ofError(({ text, status }) => ({
    text: JSON.stringify({ ...JSON.parse(text || '{}'), status: status + 1 }),
  })),
  'error body with further members': ofError(({ text }) => ({
    text: JSON.stringify({ ...JSON.parse(text || '{}'), trace: 'x' }),
  })),
  'pet with further members': ofText((text) => text.replaceAll('{"id":', '{"owner":null,"id":')),
  'HTML error page': ofError(({ headers }) => ({
    headers: { ...headers, 'content-type': 'text/html' },
    text: '<h1>Something went \u001b[31mwrong</h1>',
  })),
  'any bearer accepted': {
    sent: (sent, key) => {
      const at = sent.headers.findIndex((name) => name.toLowerCase() === 'authorization');
      if (at < 0 || !/^bearer \S+$/i.test(sent.headers[at + 1] as string)) return sent;
      return withKey(sent, key);
    },
  },
  'enum broken in a response': ofText((text) => text.replaceAll('"status":"sold"', '"status":"SOLD"')),
  'int64 rounded': ofText((text) => JSON.stringify(JSON.parse(text || 'null'))),
  'no 405': {
    respond: (sent, response, ask) =>
      response.status === 405 ? ask({ ...sent, method: 'GET', path: '/v1/pets', body: Buffer.alloc(0) }) : response,
  },
  'limit ignored': {
    sent: (sent) => ({
      ...sent,
      path: sent.path.replace(/\blimit=([1-9]\d*)(?=&|$)/, (whole, limit) =>
        Number(limit) <= MAX_LIMIT ? `limit=${MAX_LIMIT}` : whole,
      ),
    }),
  },
  'wrong media type accepted': {
    sent: (sent) => (sent.method === 'POST' ? { ...sent, headers: asJson(sent) } : sent),
  },
  'no WWW-Authenticate': ofHeader('www-authenticate'),
  'filter ignored': {
    sent: (sent) =>
      sent.path.split('status=').length === 2
        ? { ...sent, path: sent.path.replace(/\bstatus=(sold|pending|available)/, 'x=y') }
        : sent,
  },
  'status invented': ofText((text) => text.replaceAll(/("categoryId":-?\d+)}/g, '$1,"status":"available"}')),
  'response cut off': where(
    ({ path }) => path === '/v1/pets/zzz',
    () => ({ status: 0 }),
  ),
  'request repeated': {
    respond: (sent, response) => {
      if (response.status < 400) return response;
      const text = sent.headers.join();
      return { ...response, headers: { ...response.headers, 'content-type': text }, text };
    },
  },
  'default limit ignored': asIfFor('/v1/pets', LONGEST),
  'default limit of ten': asIfFor('/v1/pets', '/v1/pets?limit=10'),
  'no Allow': ofHeader('allow'),
  'name changed': where(
    ({ method }, { status }) => method === 'POST' && status === 201,
    ({ text }) => ({ text: text.replace(/"name":"(?=[^"])/, '"name":"x') }),
  ),
  'other code': ofError(({ text }) => ({ text: text.replace('"not_found"', '"ENOENT"') })),
  'ids used again': where(
    ({ body }) => /"name":"Rex .*"status":"sold"/.test(body.toString()),
    ({ text }) => ({ text: text.replace(/"id":\d+/, '"id":1') }),
  ),
  'list in descending order': where(
    ({ path }, { status }) => path === LONGEST && status === 200,
    ({ text }) => ({ text: `[${petsIn(text).reverse()}]` }),
  ),
  'pet of another id': {
    respond: (sent, response, ask) =>
      response.status === 404 && isId(sent.path) ? ask({ ...sent, path: '/v1/pets/1' }) : response,
  },
  'no Sunset': ofHeader('sunset'),
  'no HEAD': where(isHead, () => ({ status: 501 })),
  'id of an address rounded': where(
    ({ path }) => path === '/v1/pets/9007199254740993',
    () => ({ status: 200, text: '{"id":9007199254740992,"name":"Rex","categoryId":1}' }),
  ),
  'names HTML-escaped': ofNames((name) => name.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
  'names cut at 255': ofNames((name) => name.slice(0, 255)),
  'names normalized': ofNames((name) => name.normalize('NFC')),
  'key in another case accepted': {
    sent: (sent, key) => ({
      ...sent,
      headers: sent.headers.map((value) =>
        value.toLowerCase() === `bearer ${key.toLowerCase()}` ? `Bearer ${key}` : value,
      ),
    }),
  },
  'pets stored twice': {
    respond: async (sent, response, ask) => {
      if (sent.method === 'POST' && response.status === 201) await ask(sent);
      return response;
    },
  },
  'pets without a status not listed': ofLists((pets, query) => pets.filter(hasStatus(query)).slice(0, limitOf(query))),
  'filter after the limit': ofLists((pets, query) =>
    query.has('status') ? pets.slice(0, limitOf(query)).filter(hasStatus(query)) : pets.slice(0, limitOf(query)),
  ),
  'HEAD of an absent pet found': where(
    (sent, { status }) => isHead(sent) && status === 404,
    () => ({ status: 200 }),
  ),
  'HEAD of nothing': where(isHead, ({ headers }) => ({ headers: { ...headers, 'content-length': '0' } })),
  'failure as text for bodies that are no JSON': where(
    (_, { status, text }) => status === 400 && /not valid JSON/.test(text),
    () => ({ status: 500, headers: { 'content-type': 'text/plain' }, text: 'SyntaxError: Unexpected token' }),
  ),
  'ids of clients taken': {
    respond: (sent, response) => {
      const chosen = /[{,]"id":(\d+)/.exec(sent.body.toString())?.[1];
      if (chosen === undefined || response.status !== 201) return response;
      return { ...response, text: response.text.replace(/"id":\d+/, `"id":${chosen}`) };
    },
  },
  'HEAD without Content-Length': {
    respond: ({ method }, response) => {
      const length = String(Buffer.byteLength(response.text));
      return method === 'GET' ? { ...response, headers: { ...response.headers, 'content-length': length } } : response;
    },
  },
  'OPTIONS needs a key': {
    respond: (sent, response) => {
      if (sent.method !== 'OPTIONS' || without(sent.headers, 'authorization').length < sent.headers.length)
        return response;
      const headers = { 'content-type': 'application/json', 'www-authenticate': 'Bearer' };
      return { status: 401, headers, text: '{"code":"unauthorized","message":"a key is needed","status":401}' };
    },
  },
  'OPTIONS of no methods': where(
    ({ method }) => method === 'OPTIONS',
    ({ headers }) => ({ headers: { ...headers, 'access-control-allow-methods': 'POST' } }),
  ),
  'only the first pets found': where(
    ({ method, path }) => method === 'GET' && /^\/v1\/pets\/(?:[2-9]|1[0-2])$/.test(path),
    () => ({ status: 404, text: '{"code":"not_found","message":"there is no such pet","status":404}' }),
  ),
  'low ids used again': ofIds(
    (id) => (id > 12 ? id - 12 : id + 500),
    (id) => (id > 500 ? id - 500 : id + 12),
  ),
  'integers cut to 32 bits': ofText((text) =>
    text.replace(/"categoryId":(-?\d+)/g, (_, digits) => `"categoryId":${BigInt.asIntN(32, BigInt(digits))}`),
  ),
  'names without spaces around': ofNames((name) => name.trim()),
  'last pets listed': ofLists((pets, query) => pets.filter(isOfStatus(query)).slice(-limitOf(query))),
  'HEAD needs no key': { sent: (sent, key) => (isHead(sent) ? withKey(sent, key) : sent) },
  'equal pets stored once': (() => {
    const known = new Map<string, Responded>();
    return {
      respond: (sent, response) => {
        if (sent.method !== 'POST' || response.status !== 201) return response;
        const before = known.get(sent.body.toString());
        known.set(sent.body.toString(), before ?? response);
        return before ?? response;
      },
    };
  })(),
  'byte order mark': {
    respond: (_, response) => ({ ...response, text: response.text && `\ufeff${response.text}` }),
  },
} satisfies Readonly<Record<string, Front>>;

export type Fault = keyof typeof FAULTS;

/**
 * Starts a front to the sandbox of this key that makes one mistake; returns its base address. It is closed with the test.
 */
export async function startWrongServer(sandbox: string, key: string, fault: Fault): Promise<string> {
  const front: Front = FAULTS[fault];
  const ask = (sent: Sent): Promise<Responded> => askSandbox(sandbox, sent);
  const server = createServer(async (req, res) => {
    const came = { method: req.method ?? '', path: req.url ?? '', headers: req.rawHeaders, body: await buffer(req) };
    const sent = front.sent?.(came, key) ?? came;
    const response = await ask(sent);
    const { status, headers, text } = (await front.respond?.(came, response, ask)) ?? response;
    if (status === 0) {
      res.destroy();
      return;
    }
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) res.setHeader(name, value);
    res.writeHead(status).end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

async function askSandbox(sandbox: string, { method, path, headers, body }: Sent): Promise<Responded> {
  const { hostname, port } = new URL(sandbox);
  const typed = [...without(headers, 'content-length', 'transfer-encoding', 'connection'), 'Connection', 'close'];
  if (body.length > 0) typed.push('Content-Length', String(body.length));
  const req = request({ hostname, port, method, path, headers: typed });
  req.end(body);
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  const { connection: _, 'content-length': __, 'transfer-encoding': ___, ...kept } = res.headers;
  return { status: res.statusCode ?? 0, headers: kept, text: (await buffer(res)).toString('utf8') };
}
