/** `GET /pets`. */
import type { Request } from 'express';
import { parameterOf } from '../../document.ts';
import type { Problem } from '../../exchange.ts';
import { refusal } from '../../http/body.ts';
import { LIGHT } from '../../http/heavy-lane.ts';
import { readQuery } from '../../http/query.ts';
import type { PetStatus } from '../../pet.ts';
import type { ListQuery } from '../../store/lists.ts';
import type { Operation } from '../operation.ts';
import { readInteger, readWord } from '../parameters.ts';

const LIMIT = parameterOf('listPets', 'query/limit');
const STATUS = parameterOf('listPets', 'query/status');
const DEFAULT_LIMIT = Number(LIMIT.default ?? LIMIT.maximum);

/** Characters that stay in memory of a list that is sent pet by pet. */
const IN_PIECES = 512 * 1024;

const EVERYTHING: ListQuery = { limit: DEFAULT_LIMIT, status: undefined };

export const listPets: Operation<ListQuery> = {
  reads: ['query/limit', 'query/status'],
  parse,
  /** The Pets array, in ascending id; where it is too long to be one text, in pieces. */
  operate: async (pets, query, exchange) => {
    const list = await pets.listPets(query);
    if (list.characters <= LIGHT) return list.json;
    const isTooLong = list.characters > exchange.room.largest;
    const waiting = exchange.roomFor(isTooLong ? IN_PIECES : list.characters);
    if (waiting) await waiting;
    if (!isTooLong) return exchange.inTurn(list.characters, () => list.json);
    return ['[', ...list.pets.flatMap(({ json }, i) => (i === 0 ? json : [',', json])), ']'];
  },
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
