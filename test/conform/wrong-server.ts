/** A server that is wrong on purpose: the sandbox, with a front that spoils what goes in or out. */
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { CASES, caseNameOf, DEFAULT_LIMIT, MAX_LIMIT } from '../../src/conform/cases.ts';
import type { ConformRule } from '../../src/conform/rules.ts';
import { send } from '../support/client.ts';
import { listen } from '../support/listen.ts';

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
  /** Sent in place of the text. */
  readonly packed?: Buffer;
}

interface Front {
  /** The request that the sandbox gets in place of what was sent. */
  sent?(sent: Sent, key: string): Sent;
  /** The response in place of the sandbox's; `ask` sends it another request. */
  respond?(sent: Sent, response: Responded, ask: (sent: Sent) => Promise<Responded>): Responded | Promise<Responded>;
}

const isList = ({ path }: Sent): boolean => /^\/v1\/pets(\?|$)/.test(path);
const isHead = ({ method }: Sent): boolean => method === 'HEAD';
const isGet = ({ method }: Sent): boolean => method === 'GET';
const isPost = (sent: Sent): boolean => sent.method === 'POST' && isList(sent);
const isOptions = ({ method }: Sent): boolean => method === 'OPTIONS';
const without = (headers: readonly string[], ...names: string[]): string[] =>
  headers.filter((_, at) => !names.includes((headers[at - (at % 2)] as string).toLowerCase()));
/** The first `Authorization` header. */
const keyOf = ({ headers }: Sent): string =>
  headers.find((_, at) => at % 2 === 1 && headers[at - 1]?.toLowerCase() === 'authorization') ?? '';
const withKey = ({ headers }: Sent, key: string): Partial<Sent> => ({
  headers: [...without(headers, 'authorization'), 'Authorization', `Bearer ${key}`],
});
const asJson = ({ headers }: Sent): string[] => [...without(headers, 'content-type'), 'Content-Type', MEDIA_TYPE];
/** A path, with its percent-encodings undone; empty where that cannot be. */
const decoded = ({ path }: Sent): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return '';
  }
};
/** The path of a pet that may be there. */
const isId = (path: string): boolean => {
  const [, id = ''] = /^\/v1\/pets\/(0|-?[1-9]\d{0,18})$/.exec(path) ?? [];
  return id !== '' && BigInt.asIntN(64, BigInt(id)) === BigInt(id);
};

const isInOtherCase = (text: string, other: string): boolean =>
  text !== other && text.toLowerCase() === other.toLowerCase();
const withId = (text: string, id: number | string | undefined): string =>
  id === undefined ? text : text.replace(/"id":\d+/, `"id":${id}`);
/** The first response that this request got. */
const firstOf = (request: string, response: string): string => {
  responses.set(request, responses.get(request) ?? response);
  return responses.get(request) as string;
};
const responses = new Map<string, string>();
const typed = (headers: Responded['headers'], type: string, text: string) => ({
  headers: { ...headers, 'content-type': type },
  text,
});
const MEDIA_TYPE = 'application/json';
const EMPTY = '{"name":"","categoryId":0}';
const ROUNDED = '{"id":9007199254740992,"name":"Rex","categoryId":1}';
const NOT_FOUND = { status: 404, text: '{"code":"not_found","message":"there is no such pet","status":404}' };
const UNAUTHORIZED = {
  status: 401,
  headers: { 'content-type': MEDIA_TYPE, 'www-authenticate': 'Bearer' },
  text: '{"code":"unauthorized","message":"a key is needed","status":401}',
};

const BEYOND = 2 ** 53 + 2;

const asItIs = (text: string): string => text;
/** The pets of a list, digit for digit. */
const petsIn = (text: string): string[] => text.slice(1, -1).split(/,(?={"id")/);
const limitOf = (query: URLSearchParams): number => Number(query.get('limit') ?? DEFAULT_LIMIT);
const hasStatus = (query: URLSearchParams) => (pet: string) => pet.includes(`"status":"${query.get('status') ?? ''}"`);
/** Whether a pet is to be listed: also one without a status, where none is asked for. */
const isOfStatus = (query: URLSearchParams) => (pet: string) => !query.has('status') || hasStatus(query)(pet);

type Change<T> = Partial<T> | false | '' | undefined;
type Listed = (pets: string[], query: URLSearchParams) => string[];

/** Lists from the pets of the longest list, digit for digit. */
const ofLists = (listed: Listed, spoil = asItIs): Front => ({
  respond: async (sent, response, ask) => {
    if (!isList(sent) || !isGet(sent) || response.status !== 200) return response;
    const { text } = await ask({ ...sent, path: LONGEST });
    const query = new URL(sent.path, 'http://a').searchParams;
    return { ...response, text: `[${listed(petsIn(spoil(text)), query)}]` };
  },
});
const responds = (change: (response: Responded, sent: Sent) => Change<Responded>): Front => ({
  respond: (sent, response) => ({ ...response, ...(change(response, sent) || {}) }),
});
const ofText = (spoil: (text: string) => string): Front =>
  responds(({ status, text }) => status < 300 && { text: spoil(text) });

/** What makes a mistake that breaks these rules, which these checks find: if none are named, those of the rules. */
const by = (rules: ConformRule | readonly ConformRule[], checks: Checks = (_, isOfRules) => isOfRules) => {
  const made = (front: Front) => ({ front, rules: [rules].flat() as ConformRule[], checks });
  return {
    made,
    /** Changes a request in part, or not at all. */
    sends: (change: (sent: Sent, key: string) => Change<Sent>) =>
      made({ sent: (sent, key) => ({ ...sent, ...(change(sent, key) || {}) }) }),
    /** Changes in part what the sandbox responds, or not at all. */
    responds: (change: Parameters<typeof responds>[0]) => made(responds(change)),
    /** Asks the sandbox for something else, after it has responded, or does not. */
    asks: (change: (response: Responded, sent: Sent) => Change<Sent>) =>
      made({
        respond: (sent, response, ask) => {
          const changed = change(response, sent);
          return changed ? ask({ ...sent, ...changed }) : response;
        },
      }),
    text: (spoil: (text: string) => string) => made(ofText(spoil)),
    error: (spoil: (body: object, status: number) => object) =>
      made(
        responds(
          ({ status, text }) => status >= 400 && { text: JSON.stringify(spoil(JSON.parse(text || '{}'), status)) },
        ),
      ),
    /** Spoils each name of a pet, as text and not as JSON. */
    names: (spoil: (name: string) => string) =>
      made(
        ofText((text) =>
          text.replace(/(?<="name":)"(?:[^"\\]|\\.)*"/g, (name) => JSON.stringify(spoil(JSON.parse(name)))),
        ),
      ),
    /** Responds without this header, or with another. */
    header: (name: string, value?: string) =>
      made(responds(({ headers }) => ({ headers: { ...headers, [name]: value } }))),
    lists: (listed: Listed) => made(ofLists(listed)),
  };
};

/** Other ids than those of the sandbox, in ascending order all the same. */
function ofIds(shown: (id: number) => number, hidden: (id: number) => number): Front {
  const idOf = (pet: string): number => Number(/-?\d+/.exec(pet)?.[0]);
  const spoil = (text: string) => text.replace(/"id":(\d{1,4})(?=,)/g, (_, id) => `"id":${shown(Number(id))}`);
  const ascending: Listed = (pets, query) =>
    pets
      .sort((a, b) => idOf(a) - idOf(b))
      .filter(isOfStatus(query))
      .slice(0, limitOf(query));
  return {
    sent: (sent) => {
      const [, id] = /^\/v1\/pets\/([1-9]\d{0,18})$/.exec(decoded(sent)) ?? [];
      return id === undefined ? sent : { ...sent, path: `/v1/pets/${hidden(Number(id))}` };
    },
    respond: (...asked) => {
      const front = isList(asked[0]) && isGet(asked[0]) ? ofLists(ascending, spoil) : ofText(spoil);
      return front.respond?.(...asked) ?? asked[1];
    },
  };
}

/** The names of checks, or how they are told from others. */
type Checks = readonly string[] | RegExp | ((name: string, isOfRules: boolean) => boolean);
const HEAD_WITHOUT_KEY = 'HEAD /v1/pets without a key: 401';
const HEAD_OF_NONE = 'HEAD of a pet that does not exist: 404 without a body';
const HEADS = ['HEAD of the list: 200 without a body', 'HEAD of a pet: 200 without a body'];
/** Errors, and the successes that hold a pet or a list. */
const ERRORS = /: 4\d\d$/;
const SUCCESSES = /: 20[01]$/;
const BOTH = /: (?:201|404)$/;
const ALL_IDS = 'ids that a list of all pets lacks: 404';
const LIMITED = ['a list with the limit 1', 'a list with the limit 2'];
const OF_STATUS = ['the available pets', 'the pending pets', 'the sold pets'];
const SOLD_ONE = 'the sold pets with the limit 1';
const NEW_LISTED = 'a new pet is in the list';
const NEW_STORED = 'a new pet is stored once';
const SOLD_LISTED = 'a new sold pet is in the list of its status';
const NOT_LISTED = 'a new pet is not in the list of another status';
const BEGINNING = 'a list with a limit is the beginning of a longer one';
const BY_IDS = 'pets of the list by their ids: 200';
const ABOVE_LIST = 'the id of a new pet is above those of the list';
const EACH_ABOVE = 'the id of each new pet is above that of the one before';
const ALIKE = 'two new pets that are alike have different ids';
const DIFFERENT = 'two new pets have different ids';
const LONG_CATEGORY = /"categoryId":-?\d{16,}(\.0)?}: 201/;
const OTHER_CASE = 'a key in another case: 401';
const BAD_KEYS = /unknown token|two Authorization headers/;
const OF_SOLD_REX = [DIFFERENT, EACH_ABOVE, ALIKE, ABOVE_LIST, SOLD_LISTED, NOT_LISTED, NEW_STORED];
const NO_JSON = CASES.bodiesNoJson.requests.map((each) => `${caseNameOf(each)}: ${CASES.bodiesNoJson.status}`);

/** The mistakes, each by itself. */
export const FAULTS = {
  'unvalidated query': by('query-rejected').asks(
    ({ status }, sent) => status === 400 && isGet(sent) && isList(sent) && decoded(sent) && { path: '/v1/pets' },
  ),
  'bad body accepted': by(['body-rejected', 'unreadable-rejected']).asks(
    ({ status }, sent) => status === 400 && isPost(sent) && { headers: asJson(sent), body: Buffer.from(EMPTY) },
  ),
  'error body without status': by('error-body', ERRORS).error((body) => ({ ...body, status: undefined })),
  'error body with further members': by('further-members', ERRORS).error((body) => ({ ...body, trace: 'x' })),
  'pet with further members': by('further-members', SUCCESSES).text((text) =>
    text.replaceAll('{"id":', '{"owner":null,"id":'),
  ),
  'HTML error page': by('response-type', ERRORS).responds(
    ({ status, headers }) => status >= 400 && typed(headers, 'text/html', '<h1>Something went \u001b[31mwrong</h1>'),
  ),
  'request repeated': by('response-type', ERRORS).responds(
    ({ status, headers }, sent) => status >= 400 && typed(headers, sent.headers.join(), sent.headers.join()),
  ),
  'any bearer accepted': by(['key-first', 'key-rejected'], BAD_KEYS).sends(
    (sent, key) => /^bearer \S+$/i.test(keyOf(sent)) && withKey(sent, key),
  ),
  'key in another case accepted': by('key-rejected', [OTHER_CASE]).sends(
    (sent, key) => isInOtherCase(keyOf(sent), `Bearer ${key}`) && withKey(sent, key),
  ),
  'enum broken in a response': by('schema', OF_STATUS).text((text) =>
    text.replaceAll('"status":"sold"', '"status":"SOLD"'),
  ),
  'int64 rounded': by('int64', LONG_CATEGORY).text((text) => JSON.stringify(JSON.parse(text || 'null'))),
  'integers cut to 32 bits': by('int32', LONG_CATEGORY).text((text) =>
    text.replace(/(?<="categoryId":)-?\d+/g, (digits) => `${BigInt.asIntN(32, BigInt(digits))}`),
  ),
  'id of an address rounded': by('int64', ['GET /v1/pets/9007199254740993: 404']).responds(
    (_, { path }) => path === '/v1/pets/9007199254740993' && { status: 200, text: ROUNDED },
  ),
  'no 405': by('method-rejected').asks(
    ({ status }) => status === 405 && { method: 'GET', path: '/v1/pets', body: Buffer.alloc(0) },
  ),
  'limit ignored': by('limit-kept', [...LIMITED, SOLD_ONE]).sends(({ path }) => ({
    path: path.replace(/\blimit=([1-9]\d*)(?=&|$)/, (all, limit) => (limit > MAX_LIMIT ? all : `limit=${MAX_LIMIT}`)),
  })),
  'default limit ignored': by('default-limit').sends(({ path }) => path === '/v1/pets' && { path: LONGEST }),
  'wrong media type accepted': by(
    'media-type-rejected',
    (name, isOfRules) => isOfRules && !name.includes('Content-Encoding'),
  ).sends((sent) => sent.method === 'POST' && { headers: asJson(sent) }),
  'no WWW-Authenticate': by('www-authenticate', /: 401$/).header('www-authenticate'),
  'no Allow': by('allow', /: 405$/).header('allow'),
  'no Sunset': by('sunset').header('sunset'),
  'no HEAD': by('head').responds((_, sent) => isHead(sent) && { status: 501 }),
  'HEAD of an absent pet found': by('head', [HEAD_OF_NONE]).responds(
    ({ status }, sent) => status === 404 && isHead(sent) && { status: 200 },
  ),
  'HEAD of nothing': by('head', HEADS).responds(
    ({ headers }, sent) => isHead(sent) && { headers: { ...headers, 'content-length': '0' } },
  ),
  'HEAD without Content-Length': by('head', HEADS).responds(
    ({ headers, text }, sent) =>
      isGet(sent) && { headers: { ...headers, 'content-length': String(Buffer.byteLength(text)) } },
  ),
  'HEAD needs no key': by('head', [HEAD_WITHOUT_KEY]).sends((sent, key) => isHead(sent) && withKey(sent, key)),
  'OPTIONS needs a key': by('preflight').responds((_, sent) => isOptions(sent) && keyOf(sent) === '' && UNAUTHORIZED),
  'OPTIONS of no methods': by('preflight').header('access-control-allow-methods', 'POST'),
  'filter ignored': by('filter-kept', [NOT_LISTED, ...OF_STATUS, SOLD_ONE]).sends(({ path }) => ({
    path: path.replace(/(?<!status=.*)\bstatus=(sold|pending|available)(?!.*status=)/, 'x=y'),
  })),
  'filter after the limit': by(['filter-kept', 'list-full'], ['the sold pets', SOLD_ONE]).lists((pets, query) =>
    pets.slice(0, limitOf(query)).filter(isOfStatus(query)),
  ),
  'status invented': by(
    ['list-full', 'status-invented'],
    /^(?!POST \/v1\/pets \{"status"|.*,"status":).*: 201$|^the available pets$/,
  ).text((text) => text.replaceAll(/("categoryId":-?\d+)}/g, '$1,"status":"available"}')),
  'name changed': by(['body-accepted', 'pet-as-sent'], /^(?!.*"name":"").*: 201$/).responds(
    ({ status, text }) => status === 201 && { text: text.replace(/"name":"(?=[^"])/, '"name":"x') },
  ),
  'names HTML-escaped': by('pet-as-sent', /<b>/).names((name) => name.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
  'names cut at 255': by('pet-as-sent', /4,994 characters/).names((name) => name.slice(0, 255)),
  'names normalized': by('pet-as-sent', /combining accent/).names((name) => name.normalize('NFC')),
  'names without spaces around': by('pet-as-sent', /spaces around|many scripts/).names((name) => name.trim()),
  'other code': by('error-code', /: 404$/).responds(({ text }) => ({
    text: text.replace('"not_found"', '"ENOENT"'),
  })),
  'ids used again': by(['filter-kept', 'list-complete', 'stored-once', 'unique-ids'], OF_SOLD_REX).responds(
    ({ text }, { body }) => /"name":"Rex .*"status":"sold"/.test(`${body}`) && { text: withId(text, 1) },
  ),
  'ids of clients taken': by('id-assigned').responds(({ text }, { body }) => ({
    text: withId(text, /[{,]"id":(\d+)/.exec(`${body}`)?.[1]),
  })),
  'low ids used again': by('ids-ascend', [ABOVE_LIST]).made(
    ofIds(
      (id) => (id > 12 ? id - 12 : id + 500),
      (id) => (id > 500 ? id - 500 : id + 12),
    ),
  ),
  'low ids used again beside one beyond 53 bits': by('ids-ascend', [ABOVE_LIST]).made(
    ofIds(
      (id) => (id === 1 ? BEYOND : id > 12 ? id - 12 : id + 500),
      (id) => (id === BEYOND ? 1 : id > 500 ? id - 500 : id + 12),
    ),
  ),
  'list in descending order': by('list-order').responds(
    ({ text }, { path }) => path === LONGEST && { text: `[${petsIn(text).reverse()}]` },
  ),
  'last pets listed': by('list-order', [BEGINNING]).lists((pets, query) =>
    pets.filter(isOfStatus(query)).slice(-limitOf(query)),
  ),
  'pets without a status not listed': by('list-complete', [NEW_LISTED, ALL_IDS]).lists((pets, query) =>
    pets.filter(hasStatus(query)).slice(0, limitOf(query)),
  ),
  'only the first pets found': by('pet-found', [BY_IDS]).responds(
    (_, sent) => isGet(sent) && /^\/v1\/pets\/(?:[2-9]|1[0-2])$/.test(sent.path) && NOT_FOUND,
  ),
  'pet of another id': by('pet-not-found', (name, isOfRules) => isOfRules || name === ALL_IDS).asks(
    ({ status }, { path }) => status === 404 && isId(path) && { path: '/v1/pets/1' },
  ),
  'pets stored twice': by('stored-once', [NEW_STORED]).made({
    respond: async (sent, response, ask) => {
      if (response.status === 201) await ask(sent);
      return response;
    },
  }),
  'equal pets stored once': by('unique-ids', [ALIKE, EACH_ABOVE]).responds(
    ({ status, text }, { body }) => status === 201 && { text: firstOf(`${body}`, text) },
  ),
  'response cut off': by('no-response', ['GET /v1/pets/zzz without a key: 401', 'POST /v1/pets/zzz: 405']).responds(
    (_, { path }) => path === '/v1/pets/zzz' && { status: 0 },
  ),
  'failure as text for bodies that are no JSON': by(['response-type', 'unreadable-rejected'], NO_JSON).responds(
    ({ text, headers }) => text.includes('not valid JSON') && { ...typed(headers, 'text/plain', 'Error'), status: 500 },
  ),
  'byte order mark': by(['error-body', 'schema'], BOTH).responds(({ text }) => text && { text: `\ufeff${text}` }),
  'ids with a point': by('integer-form', SUCCESSES).text((text) => text.replaceAll(/"id":(\d+)/g, '"id":$1.0')),
  'fields given twice': by('schema', SUCCESSES).text((text) => text.replaceAll(/("id":\d+)/g, '$1,$1')),
  'gzip not asked for': by('content-encoding', BOTH).responds(
    ({ text, headers }) => text && { packed: gzipSync(text), headers: { ...headers, 'content-encoding': 'gzip' } },
  ),
  'gzip that no header names': by('content-encoding', BOTH).responds(({ text }) => text && { packed: gzipSync(text) }),
  'another charset': by('response-type', BOTH).responds(
    ({ text, headers }) => text && typed(headers, 'application/json; charset=iso-8859-1', text),
  ),
  'Latin-1': by('schema', /scripts: 201|accent: 201/).responds(
    ({ text }, sent) => isPost(sent) && /[^\0-\x7f]/.test(text) && { packed: Buffer.from(text, 'latin1') },
  ),
  'key accepted in the query': by('key-rejected', ['a valid key in the query: 401']).sends(
    (sent, key) => sent.path.includes('api_key=') && withKey(sent, key),
  ),
  'key accepted in a cookie': by('key-rejected', ['a valid key in cookies: 401']).sends(
    (sent, key) => sent.headers.some((each) => each.includes('api_key=')) && withKey(sent, key),
  ),
  'random ids': by('ids-ascend', [EACH_ABOVE, ABOVE_LIST]).made(
    ofIds(
      (id) => (id * 7919) % 9973,
      (id) => (id < 9973 ? (id * 3190) % 9973 : id),
    ),
  ),
  'Allow of other methods': by('allow', /: 405$/).header('allow', 'DELETE'),
};

export type Fault = keyof typeof FAULTS;

/** Starts a front to the sandbox of this key that makes one mistake; its base address. It is closed with the test. */
export async function startWrongServer(sandbox: string, key: string, fault: Fault): Promise<string> {
  const { front } = FAULTS[fault];
  const ask = async ({ method, path, headers, body }: Sent): Promise<Responded> => {
    const kept = [...without(headers, 'content-length', 'transfer-encoding', 'connection'), 'Connection', 'close'];
    if (body.length > 0) kept.push('Content-Length', String(body.length));
    const reply = await send(sandbox, { method, path, headers: kept, ...(body.length > 0 && { body }) });
    const { connection: _, 'content-length': __, 'transfer-encoding': ___, ...rest } = reply.headers;
    return { status: reply.status, headers: rest, text: reply.text };
  };
  const url = await listen(async (req, res) => {
    const came = { method: req.method ?? '', path: req.url ?? '', headers: req.rawHeaders, body: await buffer(req) };
    const response = await ask(front.sent?.(came, key) ?? came);
    const { status, headers, text, packed } = (await front.respond?.(came, response, ask)) ?? response;
    if (status === 0) return void res.destroy();
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) res.setHeader(name, value);
    res.writeHead(status).end(packed ?? text);
  });
  return `${url}/v1`;
}
