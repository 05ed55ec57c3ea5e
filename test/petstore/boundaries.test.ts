/** Each parameter and field of the specification, on both sides of its bounds: service, validator and conform agree. */
import { expect, test } from 'vitest';
import { type Field, fieldsOf, parameterOf } from '../../src/api/specification.ts';
import { parseDigits, writeJson } from '../../src/core/int64.ts';
import { type OperationName, operations } from '../../src/generated/facts.ts';
import { run } from '../conform/run.ts';
import type { Client } from '../support/client.ts';
import { partsOf } from '../support/recording.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';

/** A value of one parameter or field, in a request that is right otherwise. */
interface Boundary {
  readonly operation: OperationName;
  /** `query/limit`, `body/name` */
  readonly location: string;
  /** As text in an address, as JSON in a body; `undefined`: left out. */
  readonly value: string | undefined;
  readonly isAllowed: boolean;
}

/** @param quote around texts */
function valuesOf(
  { type, enum: words, minimum, maximum, required }: Field,
  quote: string,
): [string | undefined, boolean][] {
  const missing: [undefined, boolean] = [undefined, !required];
  if (words)
    return [
      missing,
      ...words.map((word): [string, boolean] => [quote + word + quote, true]),
      [`${quote}lost${quote}`, false],
    ];
  if (type === 'string') return [missing, [`${quote}Rex${quote}`, true]];
  const numbers = [minimum - 1n, minimum, maximum, maximum + 1n];
  return [missing, ...numbers.map((n): [string, boolean] => [String(n), n >= minimum && n <= maximum])];
}

const boundaries = (Object.keys(operations) as OperationName[]).flatMap((operation): Boundary[] => {
  const { parameters, body } = operations[operation];
  const given = Object.keys(parameters).flatMap((location) =>
    valuesOf(parameterOf(operation, location), '')
      .filter(([value]) => value !== undefined || location.startsWith('query/'))
      .map(([value, isAllowed]) => ({ operation, location, value, isAllowed })),
  );
  const sent = (body === null ? [] : fieldsOf(body)).flatMap((field) =>
    [...valuesOf(field, '"'), [field.type === 'string' ? '5' : '"1"', false] as const, ['null', false] as const].map(
      ([value, isAllowed]) => ({ operation, location: `body/${field.name}`, value, isAllowed }),
    ),
  );
  return [...given, ...sent];
});

/** Sends the request of a boundary. */
function send(client: Client, { operation, location, value }: Boundary) {
  const { method, path, bodyExample } = operations[operation];
  const [place, name = ''] = location.split('/');
  if (place === 'query')
    return client.send({
      method: method.toUpperCase(),
      path: `/v1${path}${value === undefined ? '' : `?${name}=${value}`}`,
    });
  if (place === 'path')
    return client.send({ method: method.toUpperCase(), path: `/v1${path.replace(`{${name}}`, String(value))}` });
  const { [name]: _, ...others } = { ...bodyExample } as Record<string, unknown>;
  const members = [
    ...Object.entries(others).map(([each, right]) => `"${each}":${JSON.stringify(right)}`),
    ...(value === undefined ? [] : [`"${name}":${value}`]),
  ];
  return client.post(`/v1${path}`, `{${members.join(',')}}`);
}

/** What the request log of a sandbox has of exchanges: whether the service accepted each. */
const exchangesOf = async (client: Client) =>
  partsOf((await client.get('/_sandbox/export?format=recording')).text).exchanges;

test('the service allows what the specification allows, and nothing else, and the validator agrees', async () => {
  const server = await startTestServer();
  const client = await server.sandbox();
  for (const each of boundaries) await send(client, each);
  await server.validator.settled();
  const accepted = (await exchangesOf(client)).map((each) => each.accepted);
  // An id that no pet has is as the specification says, and answered 404.
  expect(boundaries.map((each, n) => ({ ...each, isAllowed: accepted[n] }))).toEqual(boundaries);
  expect(server.validator.tallies).toMatchObject({ disagreements: 0, validationFailures: 0, brokenResponses: 0 });
});

test('conform sends each of them', { timeout: limit(60_000) }, async () => {
  const server = await startTestServer();
  const client = await server.sandbox();
  await run(`${server.url}/v1`, client.key as string);
  const sent = new Set((await exchangesOf(client)).flatMap(valuesIn));
  const lacking = boundaries.map(nameOf).filter((name) => !sent.has(name));
  expect(lacking).toEqual([]);
});

const nameOf = ({ operation, location, value }: Pick<Boundary, 'operation' | 'location' | 'value'>): string =>
  `${operation} ${location} ${value ?? 'missing'}`;

/** The values that a request of conform has, and what is missing in it. */
// biome-ignore lint/suspicious/noExplicitAny: an exchange of a recording
function valuesIn({ operation, target, request }: any): string[] {
  const { pathname, searchParams } = new URL(target, 'http://a');
  const body = petIn(request.body);
  const valueAt = (location: string): string | undefined => {
    const [place, name = ''] = location.split('/');
    if (place === 'path') return pathname.split('/').at(-1);
    if (place === 'query') return searchParams.get(name) ?? undefined;
    return body?.[name] === undefined ? undefined : writeJson(body[name]);
  };
  return boundaries
    .filter((each) => each.operation === operation && (body !== undefined || !each.location.startsWith('body/')))
    .map(({ location }) => nameOf({ operation, location, value: valueAt(location) }));
}

/** `undefined` for anything that is no pet, even a wrong one. */
function petIn(body: string | null): Record<string, unknown> | undefined {
  try {
    const value = Object(parseDigits(body ?? ''));
    return 'name' in value || 'categoryId' in value ? value : undefined;
  } catch {
    return undefined;
  }
}
