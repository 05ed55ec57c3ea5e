/** Lists. They are checked with the server's own pets: the more pets, the more significant the checks. */
import { petStatuses } from '../../generated/facts.ts';
import { CASES, DEFAULT_LIMIT, documented, get, LIST_PATH, MAX_LIMIT, MIN_LIMIT, petPath, STATUS } from '../cases.ts';
import { type ConformCheck, checkOf } from '../check.ts';
import { type Inspection, Skipped, type ValidResponse } from '../inspection.ts';
import { petsOf, type SeenPet, seenPet } from '../pet-text.ts';
import type { ConformRule } from '../rules.ts';

/** A list with this query, like `limit=5`. */
export const list = (inspection: Inspection, query = ''): Promise<ValidResponse | undefined> =>
  inspection.send(get(query === '' ? LIST_PATH : `${LIST_PATH}?${query}`), {
    status: documented('listPets', 200),
    rule: 'query-accepted',
  });

/** Why a list of this length cannot show that a pet is missing: there is no second page that could contain it. */
export const FULL = `the server has ${MAX_LIMIT} pets or more, so that no list has to have all of them`;

const check = (rule: ConformRule, name: string, run: ConformCheck['run']) =>
  checkOf('none')('List pets', rule, name, run);

export const listChecks: readonly ConformCheck[] = [
  check('default-limit', `a list without a limit is as long as one with the limit ${DEFAULT_LIMIT}`, keepsDefault),
  ...[MIN_LIMIT, MIN_LIMIT + 1, MAX_LIMIT].map((limit) =>
    check('limit-kept', `a list with the limit ${limit}`, (inspection) => keepsLimit(inspection, limit)),
  ),
  ...petStatuses.map((status) =>
    check('filter-kept', `the ${status} pets`, (inspection) => keepsFilter(inspection, status)),
  ),
  check('filter-kept', `the ${STATUS} pets with the limit 1`, (inspection) => keepsFilter(inspection, STATUS, 1)),
  check('unique-ids', 'a list has every id once', hasUniqueIds),
  check('list-order', 'a list is in ascending order of ids', isInOrder),
  check('list-order', 'a list with a limit is the beginning of a longer one', isBeginning),
  check('list-complete', `ids that a list of all pets lacks: ${CASES.absentPets.status}`, isComplete),
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
  const differs = (rule: ConformRule, expected: string): void =>
    inspection.differs({ rule, expected, why: `${count} pets`, sent: response.sent, response });
  if (count > limit) differs('limit-kept', `${limit} pets at most`);
  else if (pets <= limit && limit < MAX_LIMIT) throw new Skipped(tooFew(pets, limit + 1));
  else if (count < Math.min(limit, pets)) differs('list-full', `${limit} pets, because there are as many`);
}

/** @param limit sent if it is given */
async function keepsFilter(inspection: Inspection, status: string, limit?: number): Promise<void> {
  const response = await list(
    inspection,
    `status=${encodeURIComponent(status)}${limit === undefined ? '' : `&limit=${limit}`}`,
  );
  if (!response) return;
  const pets = petsOf(response.value);
  const most = limit ?? DEFAULT_LIMIT;
  const differs = (rule: ConformRule, expected: string, why: string): void =>
    inspection.differs({ rule, expected, why, sent: response.sent, response });
  const other = pets.find((pet) => pet.status !== status);
  if (other) {
    differs('filter-kept', `only ${status} pets`, `the pet ${other.id} is ${other.status ?? 'without a status'}`);
  }
  if (pets.length > most) differs('limit-kept', `${most} pets at most`, `${pets.length} pets`);
  if (pets.length >= most) return;
  // A server that filters after it has cut the list off at the limit lacks pets.
  const longest = await list(inspection, `limit=${MAX_LIMIT}`);
  if (!longest) return;
  const wanted = Math.min(most, petsOf(longest.value).filter((pet) => pet.status === status).length);
  if (pets.length < wanted) {
    const expected = `${wanted} ${status} pets, because a list without the filter has as many`;
    differs(pets.length === 0 ? 'filter-kept' : 'list-full', expected, `${pets.length} pets`);
  } else if (pets.length === 0) throw new Skipped(`the server lists no ${status} pet`);
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

async function isBeginning(inspection: Inspection): Promise<void> {
  const found = await longestList(inspection);
  const response = found && (await list(inspection, `limit=${MIN_LIMIT + 1}`));
  if (!response) return;
  const ids = petsOf(response.value).map(({ id }) => id);
  if (ids.every((id, at) => id === found.ids[at])) return;
  const expected = `the pets ${found.ids.slice(0, MIN_LIMIT + 1).join(' and ')}, as a longer list begins`;
  inspection.differs({ rule: 'list-order', expected, sent: response.sent, response });
}

const MAX_PROBED = 5;

/** Requests the first few ids that a list of all pets lacks. */
async function isComplete(inspection: Inspection): Promise<void> {
  const found = await longestList(inspection);
  if (!found) return;
  if (found.ids.length >= MAX_LIMIT) throw new Skipped(FULL);
  const listed = new Set(found.ids);
  let id = found.ids.reduce((least, each) => (each < least ? each : least));
  for (let probed = 0; probed < MAX_PROBED; id++) {
    if (listed.has(id)) continue;
    probed++;
    const absent = { status: CASES.absentPets.status, or: documented('getPet', 200), rule: 'pet-not-found' } as const;
    const response = await inspection.send(get(petPath(id)), absent);
    if (!response) return;
    if (response.status !== absent.or) continue;
    if (seenPet(response.value).id === id)
      inspection.differs({ rule: 'list-complete', expected: `the pet ${id} among them`, ...found });
    else inspection.differs({ rule: absent.rule, expected: `${absent.status}`, sent: response.sent, response });
    return;
  }
}

/** The first pet of a list. @throws {Skipped} if there is none */
export async function anyPet(inspection: Inspection): Promise<SeenPet | undefined> {
  const response = await list(inspection, 'limit=1');
  if (!response) return undefined;
  const [pet] = petsOf(response.value);
  if (!pet) throw new Skipped('the server has no pet');
  return pet;
}
