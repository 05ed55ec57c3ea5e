/** The table of requests has each parameter and field of the specification, on both sides of its bounds. */
import { expect, test } from 'vitest';
import { type Field, fieldsOf, parameterOf } from '../../../src/base/api/specification.ts';
import { type OperationName, operations } from '../../../src/base/generated/facts.ts';
import { CASES, type CaseRequest } from './requests.ts';

/** A value, as text in an address or as JSON in a body, and whether it is allowed; `undefined`: left out. */
type Value = readonly [value: string | undefined, isAllowed: boolean];

/** @param quote around texts */
function valuesOf({ type, enum: words, minimum, maximum, required }: Field, quote: string): Value[] {
  const numbers = [minimum - 1n, minimum, maximum, maximum + 1n];
  return [
    ...(required ? [[undefined, false] as const] : []),
    ...(words || type === 'string'
      ? (words ?? ['Rex']).map((word) => [quote + word + quote, true] as const)
      : numbers.map((n) => [String(n), n >= minimum && n <= maximum] as const)),
    ...(words ? [[`${quote}lost${quote}`, false] as const] : []),
  ];
}

const boundaries = (Object.keys(operations) as OperationName[]).flatMap((operation) => {
  const { parameters, body } = operations[operation];
  const given = Object.keys(parameters).map((location): [string, readonly Value[]] => {
    const values = valuesOf(parameterOf(operation, location), '');
    return [location, values.filter(([value]) => value !== undefined)];
  });
  const sent = (body === null ? [] : fieldsOf(body)).map((field): [string, readonly Value[]] => {
    const ofOtherTypes = [[field.type === 'string' ? '5' : '"1"', false] as const, ['null', false] as const];
    return [`body/${field.name}`, [...valuesOf(field, '"'), ...ofOtherTypes]];
  });
  return [...given, ...sent];
});

test.each(boundaries)('%s', (location, values) => {
  // petstore.test.ts sends them.
  const accepted = new Map<string | undefined, boolean>();
  for (const { requests, status } of Object.values(CASES))
    for (const { location: at = 'path/petId', value } of requests as readonly CaseRequest[])
      if (at === location) accepted.set(value, status < 400 || requests === CASES.absentPets.requests);
  expect(values.map(([value]) => [value, accepted.get(value)])).toEqual(values);
});
