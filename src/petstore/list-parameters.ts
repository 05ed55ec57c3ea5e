/**
 * What each query parameter of a list does: by a convention of its name, or as a filter by the field that it is named like.
 */

import { SpecificationError } from '../api/errors.ts';
import type { PetStatus } from '../api/pet.ts';
import { type Field, fieldsOf } from '../api/specification.ts';
import { isInt64, readDecimal } from '../core/int64.ts';
import { rejection } from '../http/body.ts';
import type { Request } from '../http/open-exchange.ts';
import type { ListQuery } from '../store/contents.ts';
import type { Equals } from '../store/pets.ts';
import { type QueryValue, queryParameters } from './parameters.ts';

/** The values of one request by the names of their parameters. */
type ParameterValues = Readonly<Record<string, QueryValue>>;

const SIZES = ['limit', 'per_page'];
const CURSORS = ['cursor', 'after'];
const COUNTS = [...SIZES, 'offset', 'page'];
const CONVENTIONS = [...COUNTS, ...CURSORS];

/**
 * A reader of the query of a list.
 * @throws {SpecificationError} naming a parameter without a known meaning
 */
export function listReader(fields: readonly Field[]): (req: Request) => ListQuery {
  const byName = new Map(fields.map((field) => [field.name, field]));
  const page = byName.get('page');
  for (const field of fields) rejectUnknownFilter(field);
  for (const alike of [SIZES, CURSORS])
    if (alike.every((name) => byName.has(name)))
      throw new SpecificationError(
        `spec/openapi.yaml: the list parameters ${alike.join(' and ')} mean the same; describe one of them`,
      );
  if (page && !SIZES.some((name) => byName.get(name)?.default !== undefined))
    throw new SpecificationError('spec/openapi.yaml: the list parameter page needs limit or per_page with a default');
  const filters = fields.filter(({ name }) => !CONVENTIONS.includes(name) && name !== 'status');
  const numberOf = (values: ParameterValues, name: string): number => Number(values[name] ?? 0);
  return (req) => {
    const values = queryParameters(req, fields);
    const limit = (values['limit'] ?? values['per_page']) as number | undefined;
    const status = values['status'] as PetStatus | undefined;
    if (filters.length === 0 && fields.length <= 2) return { limit, status };
    const pages = page && values['page'] !== undefined ? numberOf(values, 'page') - (page.minimum === 0n ? 0 : 1) : 0;
    return {
      ...{ limit, status, skip: numberOf(values, 'offset') + Math.max(0, pages) * (limit ?? 0) },
      after: cursorIn(req, values),
      where: filters.flatMap((field) => equalsOf(field, values[field.name]) ?? []),
    };
  };
}

const PET = fieldsOf('Pet');

function rejectUnknownFilter({ name, type, minimum }: Field): void {
  const isNumber = type === 'integer';
  if (isNumber && COUNTS.includes(name) && minimum < 0n)
    throw new SpecificationError(`spec/openapi.yaml: the list parameter ${name} needs a minimum of 0 or more`);
  if (CURSORS.includes(name) ? isNumber || type === 'string' : CONVENTIONS.includes(name) && isNumber) return;
  const field = PET.find((each) => each.name === name);
  if (!CONVENTIONS.includes(name) && type !== 'other' && field?.type === type) return;
  const why = field
    ? `is of another type than the field of a pet (${type}, not ${field.type}), or of none that is compared`
    : `is named like no field of a pet, and has no known meaning; known are ${CONVENTIONS.join(', ')}`;
  throw new SpecificationError(`spec/openapi.yaml: the list parameter ${name} ${why}`);
}

function equalsOf({ name, type }: Field, value: QueryValue): Equals | undefined {
  if (value === undefined) return undefined;
  if (type === 'number') return { name, number: value as number };
  return { name, json: typeof value === 'string' ? JSON.stringify(value) : String(value) };
}

/** A cursor is the id of the last pet that the client has. @throws {ApiError} `invalid_request` for anything else */
function cursorIn(req: Request, values: ParameterValues): bigint | undefined {
  const name = CURSORS.find((each) => values[each] !== undefined);
  if (name === undefined) return undefined;
  const cursor = readDecimal(String(values[name]));
  if (cursor !== undefined && isInt64(cursor)) return cursor;
  const message = 'must be the id of the last pet of the page before';
  throw rejection(req, 'invalid_request', [{ location: `query/${name}`, message, difference: 'cursor-unknown' }]);
}
