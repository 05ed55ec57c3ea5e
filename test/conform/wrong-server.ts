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
    return { ...response, text: `[${listed(text.slice(1, -1).split(/,(?={"id")/), query)}]` };
  },
});
const limitOf = (query: URLSearchParams): number => Number(query.get('limit') ?? DEFAULT_LIMIT);
const hasStatus = (query: URLSearchParams) => (pet: string) => pet.includes(`"status":"${query.get('status') ?? ''}`);
/** Whether a pet is to be listed: also one without a status, where none is asked for. */
const isOfStatus = (query: URLSearchParams) => (pet: string) =>
  !query.has('status') || pet.includes(`"status":"${query.get('status')}"`);
const notFound = ({ headers }: Responded): Responded => ({
  status: 404,
  headers,
  text: '{"code":"not_found","message":"there is no such pet","status":404}',
});
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
    const pets = spoil(text)
      .slice(1, -1)
      .split(/,(?={"id")/)
      .sort((a, b) => idOf(a) - idOf(b));
    return { ...response, text: `[${pets.filter(isOfStatus(query)).slice(0, limitOf(query))}]` };
  },
});
const ofError = (spoil: (response: Responded) => Partial<Responded>): Front => ({
  respond: (_, response) => (response.status < 400 ? response : { ...response, ...spoil(response) }),
});

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
            headers: [...without(sent.headers, 'content-type'), ...JSON_TYPE],
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
      return { ...sent, headers: [...without(sent.headers, 'authorization'), 'Authorization', `Bearer ${key}`] };
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
    sent: (sent) =>
      sent.method === 'POST' ? { ...sent, headers: [...without(sent.headers, 'content-type'), ...JSON_TYPE] } : sent,
  },
  'no WWW-Authenticate': {
    respond: (_, response) => ({ ...response, headers: { ...response.headers, 'www-authenticate': undefined } }),
  },
  'filter ignored': {
    sent: (sent) =>
      sent.path.split('status=').length === 2
        ? { ...sent, path: sent.path.replace(/\bstatus=(sold|pending|available)/, 'x=y') }
        : sent,
  },
  'status invented': ofText((text) => text.replaceAll(/("categoryId":-?\d+)}/g, '$1,"status":"available"}')),
  'response cut off': {
    respond: (sent, response) => (sent.path === '/v1/pets/zzz' ? { ...response, status: 0 } : response),
  },
  'request repeated': {
    respond: (sent, response) =>
      response.status < 400
        ? response
        : {
            ...response,
            headers: { ...response.headers, 'content-type': sent.headers.join() },
            text: sent.headers.join(),
          },
  },
  'default limit ignored': {
    sent: (sent) => (sent.path === '/v1/pets' ? { ...sent, path: LONGEST } : sent),
  },
  'default limit of ten': {
    sent: (sent) => (sent.path === '/v1/pets' ? { ...sent, path: '/v1/pets?limit=10' } : sent),
  },
  'no Allow': {
    respond: (_, response) => ({ ...response, headers: { ...response.headers, allow: undefined } }),
  },
  'name changed': {
    respond: (sent, response) =>
      sent.method === 'POST' && response.status === 201
        ? { ...response, text: response.text.replace(/"name":"(?=[^"])/, '"name":"x') }
        : response,
  },
  'other code': ofError(({ text }) => ({ text: text.replace('"not_found"', '"ENOENT"') })),
  'ids used again': {
    respond: (sent, response) =>
      /"name":"Rex .*"status":"sold"/.test(sent.body.toString())
        ? { ...response, text: response.text.replace(/"id":\d+/, '"id":1') }
        : response,
  },
  'list in descending order': {
    respond: (sent, response) =>
      sent.path === LONGEST && response.status === 200
        ? {
            ...response,
            text: `[${response.text
              .slice(1, -1)
              .split(/,(?={"id")/)
              .reverse()}]`,
          }
        : response,
  },
  'pet of another id': {
    respond: (sent, response, ask) =>
      response.status === 404 && isId(sent.path) ? ask({ ...sent, path: '/v1/pets/1' }) : response,
  },
  'no Sunset': {
    respond: (_, response) => ({ ...response, headers: { ...response.headers, sunset: undefined } }),
  },
  'no HEAD': {
    respond: (sent, response) => (sent.method === 'HEAD' ? { ...response, status: 501 } : response),
  },
  'id of an address rounded': {
    respond: (sent, response) =>
      sent.path === '/v1/pets/9007199254740993'
        ? { ...response, status: 200, text: '{"id":9007199254740992,"name":"Rex","categoryId":1}' }
        : response,
  },
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
  'HEAD of an absent pet found': {
    respond: (sent, response) =>
      sent.method === 'HEAD' && response.status === 404 ? { ...response, status: 200 } : response,
  },
  'HEAD of nothing': {
    respond: (sent, response) =>
      sent.method === 'HEAD' ? { ...response, headers: { ...response.headers, 'content-length': '0' } } : response,
  },
  'failure as text for bodies that are no JSON': {
    respond: (_, response) =>
      response.status === 400 && /not valid JSON/.test(response.text)
        ? { status: 500, headers: { 'content-type': 'text/plain' }, text: 'SyntaxError: Unexpected token' }
        : response,
  },
  'ids of clients taken': {
    respond: (sent, response) => {
      const chosen = /^\{"id":(\d+),/.exec(sent.body.toString())?.[1];
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
  'OPTIONS of no methods': {
    respond: (sent, response) =>
      sent.method === 'OPTIONS'
        ? { ...response, headers: { ...response.headers, 'access-control-allow-methods': 'POST' } }
        : response,
  },
  'only the first pets found': {
    respond: (sent, response) =>
      sent.method === 'GET' && /^\/v1\/pets\/(?:[2-9]|1[0-2])$/.test(sent.path) ? notFound(response) : response,
  },
  'low ids used again': ofIds(
    (id) => (id > 12 ? id - 12 : id + 500),
    (id) => (id > 500 ? id - 500 : id + 12),
  ),
  'integers cut to 32 bits': ofText((text) =>
    text.replace(/"categoryId":(-?\d+)/g, (_, digits) => `"categoryId":${BigInt.asIntN(32, BigInt(digits))}`),
  ),
  'names without spaces around': ofNames((name) => name.trim()),
  'last pets listed': ofLists((pets, query) => pets.filter(isOfStatus(query)).slice(-limitOf(query))),
  'HEAD needs no key': {
    sent: (sent, key) =>
      sent.method === 'HEAD'
        ? { ...sent, headers: [...without(sent.headers, 'authorization'), 'Authorization', `Bearer ${key}`] }
        : sent,
  },
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
