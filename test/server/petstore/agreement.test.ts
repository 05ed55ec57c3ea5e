/**
 * The service and the validator are independent. For any request, right or wrong, they agree on it, but for the closed list
 * of differences that `base/api/exchange.ts` names.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { send, type TestRequest } from '../../support/client.ts';
import { sharedServer } from '../../support/server.ts';
import { limit } from '../../support/slow.ts';
import { checkResponse } from '../../support/sound.ts';
import { texts } from '../../support/texts.ts';

/** A share for `main`; `slow` has more. A long run (`AGREEMENT_RUNS=20000 npx vitest run --project main test/server/petstore/agreement.test.ts`) finds most. */
const numRuns = Number(process.env['AGREEMENT_RUNS'] ?? 50);

const server = await sharedServer();
const client = await server.sandbox({ fixture: 'boundary' });

/** Sends a request and waits for the validator: nothing more may be counted against the service. */
async function agreed(request: TestRequest): Promise<void> {
  const before = counted();
  const reply = await send(server.url, request);
  checkResponse(request, reply, client.key);
  await server.validator.whenValidated();
  if (counted() > before) throw new Error(JSON.stringify(server.lines.at(-1)));
  expect(reply.status).not.toBe(500);
}

const counted = (): number => {
  const { validationFailures: validationError, disagreements, brokenResponses } = server.validator.tallies;
  return validationError + disagreements + brokenResponses;
};

const auth = () => ({ Authorization: `Bearer ${client.key}` });

const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });

/** One of these texts. */
const oneOf = (...lines: readonly string[]) => fc.constantFrom(...texts(...lines));

/** Text that is near what a number, a word or a name may be, with a little of everything around it. */
const digits = fc.oneof(
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
  fc.integer({ min: -5, max: 105 }).map(String),
  fc.double().map(String),
  fc.stringMatching(/^[-+]?0?[0-9]{0,4}\.?[0-9]{0,3}([eE][-+]?[0-9]{1,3})?$/),
  oneOf(
    'Infinity | -Infinity | NaN | 0x1F | 0b1 | 0o7 | 1_0 | ١ | １ | -0 | --1 | 1e400 | -1e400',
    '\u00a05 | 5\u2003 | \ufeff5 | true | false | null | [1] | 1,2 | "1" | {}',
    '1'.repeat(310),
    '1'.repeat(500),
  ),
);
const words = fc.oneof(
  fc.constantFrom('available', 'pending', 'sold', 'SOLD', 'lost', ' sold', 'sold,pending', '["sold"]', 'null', ''),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const text = fc.oneof(digits, words);
/** As a client might encode it: fully, barely, or as nobody should. */
const encoded = fc.tuple(text, fc.constantFrom('whole', 'plus', 'percent', 'raw')).map(([value, how]) => {
  const whole = encodeURIComponent(Buffer.from(value).toString());
  if (how === 'plus') return whole.replaceAll('%20', '+');
  if (how === 'percent') return Buffer.from(value).toString('hex').replaceAll(/../g, '%$&');
  if (how === 'raw') return value.replaceAll(/[^!-~]/g, '').replaceAll(/[#?]/g, '');
  return whole;
});
const names = fc.oneof(
  weighted(4, fc.constantFrom('limit', 'status')),
  oneOf(
    'LIMIT | Status | limit[] | limit[0] | limit[a] | status[] | l%69mit | limit%20 | petId',
    '__proto__ | constructor | toString | hasOwnProperty |  | offset | limit.x',
  ),
  encoded,
);
const pairs = fc.tuple(names, fc.option(encoded)).map(([name, value]) => (value === null ? name : `${name}=${value}`));
const queries = fc
  .tuple(fc.array(pairs, { maxLength: 4 }), fc.constantFrom('&', '&', '&', '&&', ';'))
  .map(([all, by]) => all.join(by));

const anyValue = fc.oneof(
  fc.jsonValue().map((value) => JSON.stringify(value)),
  digits,
  oneOf(
    '"sold" | "available" | "Sold" | "" | null | true | [] | {} | 1.00000000000000000001 | 1e-400',
    '9007199254740993.5 | -0 | -0.0 | 1E0 | "\\ud800" | "\\u0000" | {"a":1,"a":2}',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }).map((value) => JSON.stringify(value)),
);
const memberNames = fc.oneof(
  fc.constantFrom('name', 'categoryId', 'status'),
  oneOf('Name | id | __proto__ | constructor | toString | n\\u0061me | catgoryId |  | a/b | ~0 | length'),
);
/** A member that is right, wrong or missing. */
const member = (name: string, right: string): fc.Arbitrary<readonly string[]> => {
  const wrong = anyValue.map((value) => [`"${name}":${value}`]);
  return fc.oneof(weighted(3, fc.constant([`"${name}":${right}`])), weighted(2, wrong), fc.constant([]));
};
const further = fc.tuple(memberNames, anyValue).map(([name, value]) => `"${name}":${value}`);
const furtherMembers = fc.oneof(weighted(3, fc.constant([])), fc.array(further, { maxLength: 2 }));
/** A NewPet as text: its members in any state, further ones, and now and then a stray character. */
const petTexts = fc
  .record({
    members: fc.tuple(member('name', '"Rex"'), member('categoryId', '1'), member('status', '"sold"'), furtherMembers),
    space: fc.oneof(weighted(3, fc.constant('')), fc.constantFrom(' ', '\n\t', '\ufeff', '\u00a0', '\f')),
    comma: fc.oneof(weighted(9, fc.constant(',')), fc.constantFrom(',,', ' , ', '')),
  })
  .map(({ members, space, comma }) => `${space}{${members.flat().join(comma)}}${space}`);
/** One whose middle was overwritten. */
const spoilt = fc.tuple(petTexts, fc.nat(), fc.string({ unit: 'binary', maxLength: 2 })).map(([all, n, stray]) => {
  const at = n % (all.length + 1);
  return all.slice(0, at) + stray + all.slice(at + stray.length);
});
const bodies = fc.oneof(
  weighted(4, petTexts),
  weighted(2, spoilt),
  anyValue,
  fc.string({ unit: 'binary' }),
  fc.nat({ max: 120 }).map((levels) => `{"name":"a","categoryId":1,"x":${'['.repeat(levels)}${']'.repeat(levels)}}`),
);
const anyBytes = fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes));
const inUtf8 = bodies.map((body) => Buffer.from(body, 'utf8'));
const rawBodies = fc.oneof(weighted(8, inUtf8), anyBytes);
const headerText = fc.string({
  unit: fc.constantFrom(...' \t!"#%&\'()*+,-./019:;<=>?@AZ[\\]^_`az{|}~\xe9\xff'),
  maxLength: 12,
});
const types = fc.oneof(
  fc.constant('application/json'),
  weighted(
    4,
    // Those of the table in requests.ts are sent by petstore.test.ts.
    oneOf(
      'application/json ;charset=UTF8 | application/json; charset="utf-8"; | application/json; q=1 | application/* | */*',
      'text/json | multipart/form-data | application/json,application/json | json | ',
    ),
  ),
  headerText.map((extra) => `application/json${extra}`),
  headerText,
);
const schemes = fc.oneof(
  oneOf(
    '',
    'Bearer | Bearer  | bearer x | Bearer  x | Bearer\tx | Bearer x y | Bearer,x | BearerX',
    'Basic eDp5 | Token x | Bearer = | Bearer \x85',
  ),
  headerText.map((extra) => `Bearer${extra}`),
  headerText,
);

const post = (body: Required<TestRequest>['body'], headers: Record<string, string> = {}): TestRequest => ({
  method: 'POST',
  path: '/v1/pets',
  body,
  headers: { ...auth(), 'Content-Type': 'application/json', ...headers },
});
/** With its length or in chunks. */
const sent = fc.boolean().map((isChunked) => (body: string | Buffer) => (isChunked ? [body] : body));

const asked: Readonly<Record<string, fc.Arbitrary<TestRequest>>> = {
  'any query of a list': queries.map((query) => ({ path: `/v1/pets?${query}`, headers: auth() })),
  'any id of a pet': encoded.map((id) => ({ path: `/v1/pets/${id}`, headers: auth() })),
  'any body of a new pet': fc.tuple(rawBodies, sent).map(([body, as]) => post(as(body))),
  'any media type of a new pet': fc
    .tuple(
      types,
      fc.constantFrom('', '{"name":"Rex","categoryId":1}', '{}'),
      sent,
      fc.option(fc.constantFrom('gzip', 'identity', ''), { freq: 5 }),
    )
    .map(([type, body, as, encoding]) =>
      post(as(body), { 'Content-Type': type, ...(encoding !== null && { 'Content-Encoding': encoding }) }),
    ),
  'any credential, on any operation': fc
    .tuple(
      schemes,
      fc.constantFrom({ path: '/v1/pets' }, { path: '/v1/pets/1' }, post('{"name":"Rex","categoryId":1}'), post(['{'])),
    )
    .map(([Authorization, request]) => ({
      ...request,
      headers: { 'Content-Type': 'application/json', Authorization },
    })),
  'requests that are wrong in several ways at once': fc
    .record({
      method: fc.constantFrom('GET', 'POST', 'HEAD', 'PUT', 'OPTIONS'),
      id: fc.option(encoded),
      query: queries,
      body: fc.option(rawBodies),
      type: types,
      keyless: fc.boolean(),
    })
    .map(({ method, id, query, body, type, keyless }) => ({
      method,
      path: `/v1/pets${id === null ? '' : `/${id}`}?${query}`,
      headers: { 'Content-Type': type, ...(keyless ? {} : auth()) },
      ...(body !== null && { body }),
    })),
};

test.each(Object.entries(asked))(
  'the service and the validator agree on %s',
  (_, requests) => fc.assert(fc.asyncProperty(requests, agreed), { numRuns }),
  limit(20_000 + numRuns * 20),
);
