/** `GET /pets`. */
import { queryOf } from '../../../base/api/specification.ts';
import type { ListQuery } from '../../../sandbox/store/contents.ts';
import { LONG } from '../../http/capacity.ts';
import type { Body } from '../../http/response.ts';
import { type OperationContext, type PetTexts, queryParameters, type ReadingOperation } from '../operation.ts';

const QUERY = queryOf('listPets');

/** Characters kept in memory for a list that is sent pet by pet. */
const IN_PIECES = 512 * 1024;

export const listPets: ReadingOperation<ListQuery> = {
  reads: ['query/limit', 'query/status'],
  parse: (req) => queryParameters(req, QUERY),
  /** The Pets array, in ascending id; in chunks if it is too long for one string. */
  operate: (pets, query, caller) => {
    const list = pets.listPets(query);
    return list.characters <= LONG ? list.json : inTurn(list, caller);
  },
};

async function inTurn(list: PetTexts, { exchange, capacity }: OperationContext): Promise<Body> {
  const isTooLong = list.characters > capacity.largest;
  await capacity.reserve(exchange, isTooLong ? IN_PIECES : list.characters);
  return isTooLong ? list.pieces : capacity.inTurnWithBody(exchange, list.characters, () => list.json);
}
