/**
 * The type of an operation of the petstore API: how its request is parsed, and what it does. The specification defines the rest.
 */
import type { Problem } from '../../base/api/exchange.ts';
import { integerInPath, type QueryValue, valuesInQuery } from '../../base/api/parameters.ts';
import type { NewPet, Pet, StoredPet } from '../../base/api/pet.ts';
import type { Field } from '../../base/api/specification.ts';
import type { Lessee } from '../../base/byte-budget.ts';
import type { ListQuery } from '../../sandbox/store/contents.ts';
import { rejection } from '../http/body.ts';
import type { Capacity } from '../http/capacity.ts';
import type { Request } from '../http/open-exchange.ts';
import type { Body } from '../http/response.ts';

/** The pets that an operation reads: those of one sandbox. */
interface ReadablePets {
  listPets(query: ListQuery): PetTexts;
  findPet(id: bigint): StoredPet | undefined;
}

/** Pets as a JSON array, serialized on demand. */
export interface PetTexts {
  readonly characters: number;
  readonly json: string;
  /** The same in chunks without copies, for a list that is too long for one string. */
  readonly pieces: readonly (string | Buffer)[];
}

/** One operation, in its own file, which is named by its `operationId`. */
export type Operation<Input = unknown> = ReadingOperation<Input> | AddingOperation<Input>;

interface Parsed<Input> {
  /**
   * The parts of a request that `parse` reads: `query/limit`, `body`. A described part that is not read stops the
   * start.
   */
  readonly reads: readonly string[];
  /** What to use instead, for an operation with a sunset date. */
  readonly successor?: { readonly address: string; readonly advice: string };
  /** @param bytes the body, if one was sent @throws {ApiError} for a request that violates the specification */
  parse(req: Request, bytes?: Buffer): Input;
}

/** For an operation whose response may be long: its memory and its turn, and whose they are. */
export interface OperationContext {
  readonly exchange: Lessee;
  readonly capacity: Capacity;
}

/** An operation that changes nothing. */
export interface ReadingOperation<Input> extends Parsed<Input> {
  /** The JSON of the success, in chunks if it is too long for one string; empty if it has no body. */
  operate(pets: ReadablePets, input: Input, caller: OperationContext): Body | Promise<Body>;
}

/** An operation that adds pets. `serve.ts` records them with the exchange, even if the client gets no response. */
export interface AddingOperation<Input> extends Parsed<Input> {
  /** The pets that the input asks for. */
  newPets(input: Input): readonly NewPet[];
  /** The JSON of the success; empty if it has no body. */
  body(added: readonly Pet[]): Body;
}

// Strict parameters: a value that violates the specification rejects the request.

/**
 * The parameters of an operation's query by name: as sent, or the default. Others are ignored.
 * @throws {ApiError} `invalid_request` that names all that is wrong
 */
export function queryParameters(req: Request, fields: readonly Field[]): Readonly<Record<string, QueryValue>> {
  const problems: Problem[] = [];
  const values = valuesInQuery(req.exchange.request.target, fields, problems);
  if (problems.length > 0) throw rejection(req, 'invalid_request', problems);
  return values;
}

/** An integer of the path. @throws {ApiError} `not_found` for anything else: no such id exists */
export function pathInteger(req: Request, field: Field): bigint {
  const problems: Problem[] = [];
  const value = integerInPath(String(req.params[field.name]), field, problems);
  if (problems.length > 0) throw rejection(req, 'not_found', problems);
  return value as bigint;
}
