/**
 * The service and the validator are independent. For any request, right or wrong, they agree on it, but for the closed list
 * of differences that `api/exchange.ts` names.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { send, type TestRequest } from '../support/client.ts';
import { sharedServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { checkResponse } from '../support/sound.ts';
import { texts } from '../support/texts.ts';

/** A share for `main`; `slow` has more. A long run (`AGREEMENT_RUNS=20000 npx vitest run --project main test/petstore/agreement.test.ts`) finds most. */
const numRuns = Number(process.env['AGREEMENT_RUNS'] ?? 50);

const server = await sharedServer();
const client = await server.sandbox({ fixture: 'boundary' });

/** Sends a request and waits for the validator: nothing more may be counted against the service. */
async function agreed(request: TestRequest): Promise<void> {
  const before = counted();
  const reply = await send(server.url, request);
  checkResponse(request, reply, client.key);
  await server.validator.settled();
  if (counted() > before) throw new Error(JSON.stringify(server.lines.at(-1)));
  expect(reply.status).not.toBe(500);
}

const counted = (): number => {
  const { validationFailures: validationError, disagreements, brokenResponses } = server.validator.tallies;
  return validationError + disagreements + brokenResponses;
};

const holds = (asks: fc.Arbitrary<TestRequest>, timeout = limit(20_000 + numRuns * 20)) =>
  [() => fc.assert(fc.asyncProperty(asks, agreed), { numRuns }), timeout] as const;

const auth = () => ({ Authorization: `Bearer ${client.key}` });

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
  if (how === 'percent')
    return Buffer.from(value, 'utf8').reduce((all, byte) => `${all}%${byte.toString(16).padStart(2, '0')}`, '');
  if (how === 'raw') return value.replaceAll(/[^!-~]/g, '').replaceAll(/[#?]/g, '');
  return whole;
});
const names = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('limit', 'status') },
  oneOf(
    'LIMIT | Status | limit[] | limit[0] | limit[a] | status[] | l%69mit | limit%20 | petId',
    '__proto__ | constructor | toString | hasOwnProperty |  | offset | limit.x',
  ),
  encoded,
);
const queries = fc
  .array(
    fc.tuple(names, fc.option(encoded)).map(([name, value]) => (value === null ? name : `${name}=${value}`)),
    { maxLength: 4 },
  )
  .chain((pairs) => fc.constantFrom('&', '&', '&', '&&', ';').map((by) => pairs.join(by)));

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
const member = (name: string, right: string): fc.Arbitrary<readonly string[]> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant([`"${name}":${right}`]) },
    { weight: 2, arbitrary: anyValue.map((value) => [`"${name}":${value}`]) },
    { weight: 1, arbitrary: fc.constant([]) },
  );
const furtherMembers = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  fc.array(
    fc.tuple(memberNames, anyValue).map(([name, value]) => `"${name}":${value}`),
    { maxLength: 2 },
  ),
);
/** A NewPet as text: its members in any state, further ones, and now and then a stray character. */
const petTexts = fc
  .record({
    members: fc.tuple(member('name', '"Rex"'), member('categoryId', '1'), member('status', '"sold"'), furtherMembers),
    space: fc.oneof({ weight: 3, arbitrary: fc.constant('') }, fc.constantFrom(' ', '\n\t', '\ufeff', '\u00a0', '\f')),
    comma: fc.oneof({ weight: 9, arbitrary: fc.constant(',') }, fc.constantFrom(',,', ' , ', '')),
  })
  .map(({ members, space, comma }) => `${space}{${members.flat().join(comma)}}${space}`);
const bodies = fc.oneof(
  { weight: 4, arbitrary: petTexts },
  {
    weight: 2,
    arbitrary: fc
      .tuple(petTexts, fc.nat(), fc.string({ unit: 'binary', maxLength: 2 }))
      .map(
        ([all, at, with_]) =>
          all.slice(0, at % (all.length + 1)) + with_ + all.slice((at % (all.length + 1)) + with_.length),
      ),
  },
  anyValue,
  fc.string({ unit: 'binary' }),
  fc.nat({ max: 120 }).map((levels) => `{"name":"a","categoryId":1,"x":${'['.repeat(levels)}${']'.repeat(levels)}}`),
);
const rawBodies = fc.oneof(
  { weight: 8, arbitrary: bodies.map((body) => Buffer.from(body, 'utf8')) },
  fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
);
const headerText = fc.string({
  unit: fc.constantFrom(...' \t!"#%&\'()*+,-./019:;<=>?@AZ[\\]^_`az{|}~\xe9\xff'),
  maxLength: 12,
});
const types = fc.oneof(
  fc.constant('application/json'),
  {
    weight: 4,
    arbitrary: oneOf(
      'application/json; charset=utf-8 | APPLICATION/JSON | application/json ;charset=UTF8',
      'application/json; | application/json; charset="utf-8"; | application/json; charset=latin1',
      'application/json; q=1 | application/json;charset=utf-8;x=y',
      'application/json;odata.metadata=minimal;IEEE754Compatible=true',
      'application/json; profile="https://example.com/a;b"; v=1 | application/json; v=1; charset=utf-16',
      'application/vnd.pet+json | application/* | */* | text/json | text/plain',
      'application/x-www-form-urlencoded | multipart/form-data | multipart/form-data; boundary=x',
      'application/jsonp | application/json,application/json | json | ',
    ),
  },
  headerText.map((extra) => `application/json${extra}`),
  headerText,
);
const schemes = fc.oneof(
  {
    weight: 1,
    arbitrary: oneOf(
      '',
      'Bearer | Bearer  | bearer x | Bearer  x | Bearer\tx | Bearer x y | Bearer,x | BearerX',
      'Basic eDp5 | Token x | Bearer = | Bearer \x85',
    ),
  },
  headerText.map((extra) => `Bearer${extra}`),
  headerText,
);

/** Pets of about as many members and items as a body may hold, the first three of them a pet's own. */
const widePets = fc
  .tuple(fc.integer({ min: 9_996, max: 9_999 }), fc.boolean(), fc.constantFrom('1', '"1"', 'null'))
  .map(([items, isList, category]) => {
    const member = (_: unknown, index: number): string => (isList ? '0' : `"m${index}":0`);
    const inner = Array.from({ length: items }, member).join(',');
    return `{"name":"a","categoryId":${category},"x":${isList ? `[${inner}]` : `{${inner}}`}}`;
  });

describe('the service and the validator agree', () => {
  test(
    'on a body that holds about as many members as it may',
    async () => {
      const asks = widePets.map((body) => ({
        method: 'POST',
        path: '/v1/pets',
        body,
        headers: { ...auth(), 'Content-Type': 'application/json' },
      }));
      await fc.assert(fc.asyncProperty(asks, agreed), { numRuns: 20 });
    },
    limit(20_000),
  );

  test('on any query of a list', ...holds(queries.map((query) => ({ path: `/v1/pets?${query}`, headers: auth() }))));

  test('on any id of a pet', ...holds(encoded.map((id) => ({ path: `/v1/pets/${id}`, headers: auth() }))));

  test(
    'on any body of a new pet, with its length and in chunks',
    ...holds(
      fc.tuple(rawBodies, fc.boolean()).map(([body, chunked]) => ({
        method: 'POST',
        path: '/v1/pets',
        body: chunked ? [body] : body,
        headers: { ...auth(), 'Content-Type': 'application/json' },
      })),
    ),
  );

  test(
    'on any media type of a new pet, with its length and in chunks',
    ...holds(
      fc
        .tuple(
          types,
          fc.constantFrom('', '{"name":"Rex","categoryId":1}', '{}'),
          fc.boolean(),
          fc.option(fc.constantFrom('gzip', 'identity', ''), { freq: 5 }),
        )
        .map(([type, body, chunked, encoding]) => ({
          method: 'POST',
          path: '/v1/pets',
          body: chunked ? [body] : body,
          headers: { ...auth(), 'Content-Type': type, ...(encoding !== null && { 'Content-Encoding': encoding }) },
        })),
    ),
  );

  test(
    'on any credential, on any operation',
    ...holds(
      fc
        .tuple(
          schemes,
          fc.constantFrom<TestRequest>(
            { path: '/v1/pets' },
            { path: '/v1/pets/1' },
            { method: 'POST', path: '/v1/pets', body: '{"name":"Rex","categoryId":1}' },
            { method: 'POST', path: '/v1/pets', body: ['{'] },
          ),
        )
        .map(([authorization, request]) => ({
          ...request,
          headers: { 'Content-Type': 'application/json', Authorization: authorization },
        })),
    ),
  );

  test(
    'on requests that are wrong in several ways at once',
    ...holds(
      fc
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
    ),
  );
});
