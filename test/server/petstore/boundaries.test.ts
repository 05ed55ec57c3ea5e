/** Each parameter and field of the specification, on both sides of its bounds: service and validator agree. */
import { expect, test } from 'vitest';
import { type Field, fieldsOf, operationAt, parameterOf } from '../../../src/base/api/specification.ts';
import { type OperationName, operations } from '../../../src/base/generated/facts.ts';
import { parseDigits, writeJson } from '../../../src/base/int64.ts';
import { CASES, type CaseRequest } from './requests.ts';

/** A value of one parameter or field, in a request that is right otherwise. */
interface Boundary {
  readonly operation: OperationName;
  /** `query/limit`, `body/name` */
  readonly location: string;
  /** As text in an address, as JSON in a body; `undefined`: left out. */
  readonly value: string | undefined;
  readonly isAllowed: boolean;
}

/** Values of a field, and whether each is allowed. @param quote around texts */
function valuesOf({ type, enum: words, minimum, maximum, required }: Field, quote: string) {
  const allowed = (words ?? ['Rex']).map((word) => [quote + word + quote, true] as const);
  const numbers = [minimum - 1n, minimum, maximum, maximum + 1n];
  return [
    [undefined, !required] as const,
    ...(words || type === 'string' ? allowed : numbers.map((n) => [String(n), n >= minimum && n <= maximum] as const)),
    ...(words ? [[`${quote}lost${quote}`, false] as const] : []),
  ];
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

test('the table has each of them, and the service accepts what is allowed', () => {
  const [sent, accepted] = [new Set<string>(), new Set<string>()];
  // petstore.test.ts sends them.
  for (const { requests, status } of Object.values(CASES)) {
    for (const name of requests.flatMap(valuesIn)) {
      sent.add(name);
      if (status < 400 || requests === CASES.absentPets.requests) accepted.add(name);
    }
  }
  expect(boundaries.map(nameOf).filter((name) => !sent.has(name))).toEqual([]);
  expect(boundaries.map((each) => ({ ...each, isAllowed: accepted.has(nameOf(each)) }))).toEqual(boundaries);
});

const nameOf = ({ operation, location, value }: Pick<Boundary, 'operation' | 'location' | 'value'>): string =>
  `${operation} ${location} ${value ?? 'missing'}`;

/** The values that a request has, and what is missing in it. */
function valuesIn({ method = 'GET', path, body: sent = [] }: CaseRequest): string[] {
  const { pathname, searchParams } = new URL(path, 'http://a');
  const operation = operationAt(method, pathname.replace('/v1', ''));
  const body = petIn([sent].flat().join(''));
  const valueAt = (location: string): string | undefined => {
    const [place, name = ''] = location.split('/');
    if (place === 'path') return pathname.split('/').at(-1);
    if (place === 'query') return searchParams.get(name) ?? undefined;
    return body?.[name] === undefined ? undefined : writeJson(body[name]);
  };
  return boundaries
    .filter((each) => each.operation === operation && (body !== undefined || !each.location.startsWith('body/')))
    .map((each) => nameOf({ ...each, value: valueAt(each.location) }));
}

/** `undefined` for anything that is no pet, even a wrong one. */
function petIn(body: string): Record<string, unknown> | undefined {
  try {
    const value = Object(parseDigits(body));
    return 'name' in value || 'categoryId' in value ? value : undefined;
  } catch {
    return undefined;
  }
}
