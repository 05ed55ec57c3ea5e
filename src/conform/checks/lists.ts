/** Lists. They are checked with the server's own pets: the more pets, the more significant the checks. */
import { petStatuses } from '../../generated/facts.ts';
import { documented, get, LIST_PATH } from '../cases/case.ts';
import { DEFAULT_LIMIT, MAX_LIMIT, MIN_LIMIT, STATUS } from '../cases/lists.ts';
import type { ConformCheck } from '../check.ts';
import { type Inspection, Skipped, type ValidResponse } from '../inspection.ts';
import { petsOf, type SeenPet } from '../pet-text.ts';
import type { Rule } from '../rules.ts';

/** A list with this query, like `limit=5`. */
export const list = (
  inspection: Inspection,
  query = '',
  rule: Rule = 'query-accepted',
): Promise<ValidResponse | undefined> =>
  inspection.send(get(query === '' ? LIST_PATH : `${LIST_PATH}?${query}`), {
    status: documented('listPets', 200),
    rule,
  });

const about = (name: string, rule: Rule, run: ConformCheck['run']): ConformCheck => ({
  name,
  section: 'List pets',
  rule,
  risk: 'none',
  run,
});

export const listChecks: readonly ConformCheck[] = [
  about(`a list without a limit is as long as one with the limit ${DEFAULT_LIMIT}`, 'default-limit', keepsDefault),
  ...[MIN_LIMIT, MIN_LIMIT + 1, MAX_LIMIT].map((limit) =>
    about(`a list with the limit ${limit}`, 'limit-kept', (inspection) => keepsLimit(inspection, limit)),
  ),
  ...petStatuses.map((status) =>
    about(`the ${status} pets`, 'filter-kept', (inspection) =>
      keepsFilter(inspection, { query: `status=${status}`, status, limit: DEFAULT_LIMIT }),
    ),
  ),
  about(`the ${STATUS} pets with the limit 1`, 'filter-kept', (inspection) =>
    keepsFilter(inspection, { query: `status=${STATUS}&limit=1`, status: STATUS, limit: 1 }),
  ),
  about('a list has every id once', 'unique-ids', hasUniqueIds),
  about('a list is in ascending order of ids', 'list-order', isInOrder),
  about('a list with unknown parameters: 200', 'parameters-ignored', async (inspection) => {
    await list(inspection, 'limit=1&no_such_parameter=5&LIMIT&=x&&', 'parameters-ignored');
  }),
  about('a parameter whose name and value are percent-encoded: 200', 'encoding-read', async (inspection) => {
    await list(inspection, 'l%69mit=%31', 'encoding-read');
  }),
];

/** The specification has a default for `limit`: a list without a limit equals the list with that limit. */
async function keepsDefault(inspection: Inspection): Promise<void> {
  const response = await list(inspection);
  const limited = await list(inspection, `limit=${DEFAULT_LIMIT}`);
  const longest = await list(inspection, `limit=${MAX_LIMIT}`);
  if (!response || !limited || !longest) return;
  const count = petsOf(response.value).length;
  // If the server ignores the limit, the default cannot be checked.
  const wanted = Math.min(petsOf(limited.value).length, DEFAULT_LIMIT);
  const expected = `${wanted} pets, as with limit=${DEFAULT_LIMIT}, the default`;
  if (count !== wanted) {
    inspection.differs({ rule: 'default-limit', expected, why: `${count} pets`, sent: response.sent, response });
    return;
  }
  const pets = petsOf(longest.value).length;
  if (pets <= DEFAULT_LIMIT) throw new Skipped(tooFew(pets, DEFAULT_LIMIT + 1));
}

const tooFew = (pets: number, needed: number): string =>
  `the server has too few pets: ${pets}, and it shows from ${needed} on`;

async function keepsLimit(inspection: Inspection, limit: number): Promise<void> {
  const longest = await list(inspection, `limit=${MAX_LIMIT}`);
  const response = limit === MAX_LIMIT ? longest : await list(inspection, `limit=${limit}`);
  if (!longest || !response) return;
  const [pets, count] = [petsOf(longest.value).length, petsOf(response.value).length];
  const differs = (rule: Rule, expected: string): void =>
    inspection.differs({ rule, expected, why: `${count} pets`, sent: response.sent, response });
  if (count > limit) differs('limit-kept', `${limit} pets at most`);
  else if (pets <= limit && limit < MAX_LIMIT) throw new Skipped(tooFew(pets, limit + 1));
  else if (count < Math.min(limit, pets)) differs('list-full', `${limit} pets, because there are as many`);
}

interface Filter {
  readonly query: string;
  readonly status: string;
  readonly limit: number;
}

async function keepsFilter(inspection: Inspection, { query, status, limit }: Filter): Promise<void> {
  const response = await list(inspection, query);
  if (!response) return;
  const pets = petsOf(response.value);
  const differs = (rule: Rule, expected: string, why: string): void =>
    inspection.differs({ rule, expected, why, sent: response.sent, response });
  const other = pets.find((pet) => pet.status !== status);
  if (other) {
    differs('filter-kept', `only ${status} pets`, `the pet ${other.id} is ${other.status ?? 'without a status'}`);
  }
  if (pets.length > limit) differs('limit-kept', `${limit} pets at most`, `${pets.length} pets`);
  if (pets.length === 0) throw new Skipped(`the server lists no ${status} pet`);
}

/** The ids of the longest list. */
async function longestList(inspection: Inspection) {
  const response = await list(inspection, `limit=${MAX_LIMIT}`);
  if (!response) return undefined;
  const ids = petsOf(response.value).map(({ id }) => id);
  if (ids.length < 2) throw new Skipped('the server has fewer than two pets');
  return { ids, sent: response.sent, response };
}

async function hasUniqueIds(inspection: Inspection): Promise<void> {
  const found = await longestList(inspection);
  if (!found || new Set(found.ids).size === found.ids.length) return;
  inspection.differs({ rule: 'unique-ids', expected: 'every id once', ...found });
}

async function isInOrder(inspection: Inspection): Promise<void> {
  const found = await longestList(inspection);
  if (!found?.ids.some((id, at, ids) => at > 0 && id < (ids[at - 1] as bigint))) return;
  inspection.differs({ rule: 'list-order', expected: 'pets in ascending order of ids', ...found });
}

/** The first pet of a list. @throws {Skipped} if there is none */
export async function anyPet(inspection: Inspection): Promise<SeenPet | undefined> {
  const response = await list(inspection, 'limit=1');
  if (!response) return undefined;
  const [pet] = petsOf(response.value);
  if (!pet) throw new Skipped('the server has no pet');
  return pet;
}
