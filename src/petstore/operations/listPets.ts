/** `GET /pets`. */
import type { Request } from 'express';
import { continued } from '../../core/awaitable.ts';
import type { PetStatus } from '../../core/pet.ts';
import { parameterOf } from '../../core/specification.ts';
import { rejection } from '../../http/body.ts';
import { LIGHT } from '../../http/heavy-lane.ts';
import { readQuery } from '../../http/query.ts';
import type { Body } from '../../http/response.ts';
import type { Problem } from '../../requests/exchange.ts';
import type { ListQuery } from '../../store/contents.ts';
import type { PetTexts, ReadingOperation, TextRoom } from '../operation.ts';
import { readInteger, readWord } from '../parameters.ts';

const LIMIT = parameterOf('listPets', 'query/limit');
const STATUS = parameterOf('listPets', 'query/status');
const DEFAULT_LIMIT = Number(LIMIT.default ?? LIMIT.maximum);

/** Characters kept in memory for a list that is sent pet by pet. */
const IN_PIECES = 512 * 1024;

const EVERYTHING: ListQuery = { limit: DEFAULT_LIMIT, status: undefined };

export const listPets: ReadingOperation<ListQuery> = {
  reads: ['query/limit', 'query/status'],
  parse,
  /** The Pets array, in ascending id; in chunks if it is too long for one string. */
  operate: (pets, query, exchange) =>
    continued(pets.listPets(query), (list) => (list.characters <= LIGHT ? list.json : inTurn(list, exchange))),
};

async function inTurn(list: PetTexts, exchange: TextRoom): Promise<Body> {
  const isTooLong = list.characters > exchange.room.largest;
  await exchange.roomFor(isTooLong ? IN_PIECES : list.characters);
  return isTooLong ? list.pieces : exchange.inTurn(list.characters, () => list.json);
}

/** @throws {ApiError} `invalid_request` */
function parse(req: Request): ListQuery {
  const pairs = readQuery(req.exchange.request.target);
  if (pairs.length === 0) return EVERYTHING;
  const problems: Problem[] = [];
  const limit = readInteger(pairs, LIMIT, problems);
  const status = readWord(pairs, STATUS, problems);
  if (problems.length > 0) throw rejection(req, 'invalid_request', problems);
  return { limit: limit === undefined ? DEFAULT_LIMIT : Number(limit), status: status as PetStatus | undefined };
}
