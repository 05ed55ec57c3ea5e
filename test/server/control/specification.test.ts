/**
 * The specification of the control API and the service agree, both ways: what the schemas of `spec/control-api.yaml` allow is not
 * answered 400, and what they reject is. The bodies are generated from the schemas, whole and with one thing wrong.
 */
import { readFile } from 'node:fs/promises';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { sharedServer } from '../../support/server.ts';
import { limit } from '../../support/slow.ts';

// biome-ignore lint/suspicious/noExplicitAny: a specification, read where it is known to be of this shape
type Described = any;
const specification: Described = parse(await readFile('spec/control-api.yaml', 'utf8'));
const { schemas } = specification.components;
const operations = Object.entries<Described>(specification.paths).flatMap(([path, item]) =>
  Object.entries<Described>(item).map(([method, described]) => ({ ...described, method: method.toUpperCase(), path })),
);

/** The validator's schema validator with its formats: what anyone who reads the specification would use. */
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
// Compiled once: many operations refer to the same.
ajv.addSchema({ $id: 'https://example.com/controls', components: { schemas } });

const validateOf = (schema: Described): ValidateFunction =>
  ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"https://example.com/controls#/')));

const resolved = ({ $ref, ...schema }: Described): Described =>
  $ref === undefined ? schema : resolved(schemas[$ref.replace('#/components/schemas/', '')]);

const integers = (from: number, to: number): fc.Arbitrary<number> =>
  fc.oneof(
    { weight: 30, arbitrary: fc.integer({ min: from, max: Math.min(to, from + 20) }) },
    { weight: 1, arbitrary: fc.constantFrom(from - 1, to, to + 1, from + 0.5) },
  );

const digits = fc.oneof(
  { weight: 9, arbitrary: fc.nat(40).map(String) },
  { weight: 1, arbitrary: fc.constantFrom('1.5', '0,25', '999999999', '1234567890', '-1', '') },
);
/** What is nearly an ISO 8601 duration. */
const durations = fc
  .tuple(
    fc.constantFrom(...'PPPPPPPP', 'p', '-P', '+P', ''),
    fc.subarray([...'YMWD']),
    fc.constantFrom('T', 'T', ''),
    fc.subarray([...'HMS']),
    digits,
    digits,
  )
  .map(([p, date, t, time, a, b]) => [p, ...date.map((unit) => a + unit), t, ...time.map((unit) => b + unit)].join(''));
/** What is nearly an RFC 3339 time: one of each, joined. */
const times = fc
  .tuple(
    ...[
      ['0000', '1969', '1970', '1970', '1999', '2028', '2030', '9999', '9999', '10000'],
      ['-01-01', '-01-01', '-02-29', '-12-31', '-12-31', '-02-30', '-13-01'],
      [...'TTTTTt '],
      ['00:00:00', '23:59:59', '12:30:00', '00:00:01', '24:00:00', '12:60:00', '23:59:60'],
      ['', '', '.5', '.123456789', '.1234567890'],
      [...'ZZZz', '+01:00', '-23:59', '-00:00', '+24:00', ''],
    ].map((some) => fc.constantFrom(...some)),
  )
  .map((parts) => parts.join(''));

const anything = fc.constantFrom<unknown[]>(null, true, 0, -1, 1.5, 1e300, '', 'x', [], {}, ['x'], { x: 1 });

/** Some of the members; of an object with many only a few, since of many there are always two that do not go together. */
function membersOf(properties: Readonly<Record<string, Described>>): fc.Arbitrary<unknown> {
  const someOf = (names: readonly string[]) =>
    fc.record(Object.fromEntries(names.map((name) => [name, valuesOf(properties[name] ?? {})])), { requiredKeys: [] });
  const names = Object.keys(properties);
  return names.length <= 6 ? someOf(names) : fc.subarray(names, { maxLength: 5 }).chain(someOf);
}

/** Values that a schema allows, as a rule, and some that it does not. */
function valuesOf(schema: Described): fc.Arbitrary<unknown> {
  const { type, enum: words, pattern, minimum = 0, maximum = 1_000_000_000, ...rest } = resolved(schema);
  const { anyOf, properties, items } = rest;
  if (properties) return membersOf(properties);
  if (items) return fc.array(valuesOf(items), { maxLength: 3 });
  if (anyOf) return fc.oneof(...anyOf.map(valuesOf));
  if (words) return fc.constantFrom(...words);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return integers(minimum, maximum);
  if (type === 'number')
    return fc.oneof(fc.constantFrom(minimum, maximum), fc.double({ min: minimum, max: maximum, noNaN: true }));
  if (pattern?.startsWith('^P(')) return durations;
  if (pattern?.includes('[Tt]')) return times;
  if (pattern === '^/') return fc.webPath().map((path) => `/${path}`);
  if (type === 'string')
    return fc.oneof(
      { weight: 20, arbitrary: fc.stringMatching(new RegExp(pattern ?? '^.*$')) },
      { weight: 1, arbitrary: fc.string({ maxLength: 250 }) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
    );
  return fc.jsonValue();
}

/** A body of an operation; one in two has something wrong with it. */
const bodiesOf = (schema: Described): fc.Arbitrary<unknown> => {
  const names = Object.keys(resolved(schema).properties ?? {});
  const name = fc.constantFrom(...names, 'color', ...names.map((name) => name.slice(1)));
  const wrong = fc
    .tuple(valuesOf(schema), name, anything)
    .map(([body, name, value]) => ({ ...(body as object), [name]: value }));
  return fc.oneof(
    { weight: 5, arbitrary: valuesOf(schema) },
    { weight: 4, arbitrary: wrong },
    { weight: 1, arbitrary: anything },
  );
};

/** A share for `main`; `slow` has more. */
const numRuns = Number(process.env['AGREEMENT_RUNS'] ?? 50);

const server = await sharedServer();
const client = await server.sandbox();

/** What the two may differ on, because JSON Schema cannot know it: bytes of UTF-8 have no halves of a surrogate pair. */
const isText = (body: unknown): boolean => !/\\ud[89a-f]/i.test(JSON.stringify(body));

/** Nor that no two pets of a fixture have one id. */
const hasOwnIds = (body: unknown): boolean => {
  const pets = (body as { fixture?: { pets?: unknown } } | null)?.fixture?.pets;
  const ids = Array.isArray(pets) ? pets.map((pet) => pet?.id).filter((id) => id !== undefined) : [];
  return new Set(ids).size === ids.length;
};

/** Nor that a delay ends after it begins. */
const delaysForward = (body: unknown): boolean => {
  const { delayMs = 0, delayToMs } = (body ?? {}) as { delayMs?: unknown; delayToMs?: unknown };
  return !(Number(delayToMs) < Number(delayMs));
};

// The parts of a recording, a draft or a HAR must fit together, which no schema says: see test/traffic/files/import.test.ts,
// test/verdict/drafts/preview-draft.test.ts and test/server/control/har.test.ts. MCP has the errors of its protocol.
const own = ['importRecording', 'previewDraft', 'reportHar', 'callMcp'];
it.each(operations.filter(({ requestBody, operationId }) => requestBody && !own.includes(operationId)))(
  '$operationId answers a body with 400 exactly where the specification does not allow it',
  async ({ operationId, method, path, requestBody }) => {
    const schema = requestBody.content['application/json'].schema;
    const validator = validateOf(schema);
    const seen = { allowed: 0, rejected: 0 };
    await fc.assert(
      fc.asyncProperty(bodiesOf(schema).filter(isText).filter(hasOwnIds).filter(delaysForward), async (body) => {
        const allowed = validator(JSON.parse(JSON.stringify(body)));
        const reply = await client.sendJson(method, `/_sandbox${path}`, JSON.stringify(body));
        seen[allowed ? 'allowed' : 'rejected'] += 1;
        // Nor that an operation has another method, or that no number meets all counts.
        const isImpossible = operationId === 'verifyRequests' && allowed && !reply.text.includes('"message":"body');
        // Nor that a target holds the value of a credential.
        const isCredential = reply.text.includes('must not have the value of a credential');
        const isRejected = reply.status === 400 && !isImpossible && !isCredential;
        expect(isRejected, JSON.stringify([body, validator.errors, reply.text])).toBe(!allowed);
      }),
      { numRuns },
    );
    // One body of createFault in ten is allowed: of fifty, none is now and then.
    if (numRuns < 200) return;
    expect(seen.allowed).toBeGreaterThan(numRuns / 100);
    expect(seen.rejected).toBeGreaterThan(numRuns / 100);
  },
  limit(60_000),
);

it.each(operations.filter(({ operationId }) => ['listRequests', 'getReport', 'reset'].includes(operationId)))(
  '$operationId answers a query with 400 exactly where the specification does not allow it',
  async ({ method, path, parameters = [] }) => {
    const described = (parameters as Described[]).filter(
      ({ in: location, name }) => location === 'query' && !['sandbox', 'scope'].includes(name),
    );
    const validates = new Map(described.map(({ name, schema }) => [name, validateOf(schema)]));
    const values = described.map(({ name, schema }) => [name, fc.oneof(valuesOf(schema), anything)]);
    const fields = { ...Object.fromEntries(values), color: fc.constant('red') };
    const queries = fc.record<Record<string, unknown>>(fields, { requiredKeys: [] });
    await fc.assert(
      fc.asyncProperty(queries, async (query) => {
        const given = Object.entries<unknown>(query)
          .filter(([, value]) => value !== null && typeof value !== 'object')
          .filter(([, value]) => isText(value));
        const allowed = given.every(([name, value]) => {
          const validator = validates.get(name);
          const text = String(value);
          if (text === '' || validator === undefined) return false;
          return validator(text) || (/^-?\d+$|^true$|^false$/.test(text) && validator(JSON.parse(text)));
        });
        const search = given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&');
        const reply = await client.send({ method, path: `/_sandbox${path}?${search}` });
        expect(reply.status === 400, `${search} ${reply.text}`).toBe(!allowed);
      }),
      { numRuns },
    );
  },
  limit(60_000),
);
