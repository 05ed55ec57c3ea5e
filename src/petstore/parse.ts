/**
 * Strict requests: what the operations get is what the document asks for, exactly, or the request is refused with all
 * that is wrong with it. Every constraint comes from the document.
 */
import type { Request } from 'express';
import { queryParameter } from '../document.ts';
import type { Problem } from '../exchange.ts';
import { parsedBody, refusal, textOf } from '../http/body.ts';
import { type QueryPair, readQuery } from '../http/query.ts';
import { INT64_MAX, INT64_MIN, isInt64, readDecimal } from '../int64.ts';
import { type NewPet, type PetStatus, readNewPet } from '../pet.ts';

const LIMIT = queryParameter('/pets', 'get', 'limit');
const STATUS = queryParameter('/pets', 'get', 'status');
const MIN_LIMIT = LIMIT.minimum ?? 1;
const MAX_LIMIT = LIMIT.maximum ?? 100;
const DEFAULT_LIMIT = LIMIT.default ?? MAX_LIMIT;

/** What `listPets` is asked for. */
export interface PetQuery {
  readonly limit: number;
  readonly status: PetStatus | undefined;
}

const EVERYTHING: PetQuery = { limit: DEFAULT_LIMIT, status: undefined };

/** @throws {ApiError} `invalid_request` (interface.md, "List animals") */
export function parseListPets(req: Request): PetQuery {
  const pairs = readQuery(req.exchange.request.target);
  if (pairs.length === 0) return EVERYTHING;
  const problems: Problem[] = [];
  const limit = readOnce(pairs, 'limit', `an integer from ${MIN_LIMIT} to ${MAX_LIMIT}`, problems);
  const status = readOnce(pairs, 'status', `one of ${STATUS.enum?.join(', ')}`, problems);
  if (limit !== undefined && !isLimit(limit)) problems.push(wrongLimit(limit));
  if (status !== undefined && !STATUS.enum?.includes(status)) {
    problems.push({
      place: 'query/status',
      message: `must be one of ${STATUS.enum?.join(', ')}; got ${quoted(status)}`,
    });
  }
  if (problems.length > 0) throw refusal(req, 'invalid_request', problems);
  return { limit: limit === undefined ? DEFAULT_LIMIT : Number(limit), status: status as PetStatus | undefined };
}

/** @throws {ApiError} `not_found` for what is no int64: no pet can have it (design: what the description leaves open) */
export function parsePetId(req: Request): bigint {
  const text = String(req.params['petId']);
  const id = readDecimal(text);
  if (id !== undefined && isInt64(id)) return id;
  const message = `must be a plain integer from ${INT64_MIN} to ${INT64_MAX}; got ${quoted(text)}`;
  const difference = id !== undefined ? 'int64-range' : Number.isInteger(Number(text)) ? 'integer-form' : undefined;
  throw refusal(req, 'not_found', [{ place: 'path/petId', message, ...(difference && { difference }) }]);
}

/** @param bytes of the body, where there is one @throws {ApiError} `invalid_request` */
export function parseCreatePet(req: Request, bytes: Buffer | undefined): NewPet {
  if (bytes === undefined) {
    throw refusal(req, 'invalid_request', [
      { place: 'body', message: 'is missing; send a JSON object with name, categoryId and, if known, status' },
    ]);
  }
  const reading = readNewPet(parsedBody(req, textOf(req, bytes)), 'body');
  if (!reading.ok) throw refusal(req, 'invalid_request', reading.problems);
  return reading.value;
}

/** The value of a parameter that may be given once and not empty; what else there is becomes a problem. */
function readOnce(pairs: readonly QueryPair[], name: string, wanted: string, problems: Problem[]): string | undefined {
  const values = pairs.filter((pair) => pair[0] === name);
  const place = `query/${name}`;
  if (values.length > 1) {
    problems.push({ place, message: `is given ${values.length} times; give it once`, difference: 'parameter-twice' });
    return undefined;
  }
  const value = values[0]?.[1];
  if (value !== '') return value;
  problems.push({ place, message: `is empty; give ${wanted}, or leave it out`, difference: 'parameter-empty' });
  return undefined;
}

function isLimit(text: string): boolean {
  const value = readDecimal(text);
  return value !== undefined && value >= BigInt(MIN_LIMIT) && value <= BigInt(MAX_LIMIT);
}

function wrongLimit(text: string): Problem {
  const message = `must be a plain integer from ${MIN_LIMIT} to ${MAX_LIMIT}; got ${quoted(text)}`;
  // The referee turns parameters into numbers the way JavaScript does: `+5` and `5.0` are 5 to it.
  const otherForm = readDecimal(text) === undefined && Number.isInteger(Number(text));
  return { place: 'query/limit', message, ...(otherForm && { difference: 'integer-form' as const }) };
}

const quoted = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
