/** `GET /pets`. */
import type { Request } from 'express';
import { parameterOf } from '../../document.ts';
import type { Problem } from '../../exchange.ts';
import { refusal } from '../../http/body.ts';
import { readQuery } from '../../http/query.ts';
import type { PetStatus } from '../../pet.ts';
import type { ListQuery } from '../../store/lists.ts';
import type { Operation } from '../operation.ts';
import { readInteger, readWord } from '../parameters.ts';

const LIMIT = parameterOf('listPets', 'query/limit');
const STATUS = parameterOf('listPets', 'query/status');
const DEFAULT_LIMIT = Number(LIMIT.default ?? LIMIT.maximum);

const EVERYTHING: ListQuery = { limit: DEFAULT_LIMIT, status: undefined };

export const listPets: Operation<ListQuery> = {
  reads: ['query/limit', 'query/status'],
  parse,
  /** The Pets array, in ascending id. */
  operate: async (pets, query) => (await pets.listPets(query)).json,
};

/** @throws {ApiError} `invalid_request` */
function parse(req: Request): ListQuery {
  const pairs = readQuery(req.exchange.request.target);
  if (pairs.length === 0) return EVERYTHING;
  const problems: Problem[] = [];
  const limit = readInteger(pairs, LIMIT, problems);
  const status = readWord(pairs, STATUS, problems);
  if (problems.length > 0) throw refusal(req, 'invalid_request', problems);
  return { limit: limit === undefined ? DEFAULT_LIMIT : Number(limit), status: status as PetStatus | undefined };
}
