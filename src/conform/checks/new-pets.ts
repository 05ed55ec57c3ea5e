/** New pets: the response, the pet by its id, and its place in the lists. */
import { type JsonObject, parseJson } from '../../core/int64.ts';
import { type Case, documented, get, petPath, post } from '../cases/case.ts';
import { MAX_LIMIT, OTHER_STATUS, STATUS } from '../cases/lists.ts';
import { newPets } from '../cases/new-pets.ts';
import type { ConformCheck } from '../check.ts';
import type { Inspection, ValidResponse } from '../inspection.ts';
import { differentFields, petOf, petsOf, type SeenPet, shownPet } from '../pet-text.ts';
import type { Rule } from '../rules.ts';
import { list } from './lists.ts';

/** A row, followed by a request for the pet by its id. */
function creation({ title, section, risk, request, status, rule, pet }: Case): ConformCheck {
  const wanted = petOf(parseJson(pet ?? '{}'));
  return {
    name: `${title}: ${status}`,
    section,
    rule,
    risk,
    run: async (inspection) => {
      const created = await inspection.send(request, { status, rule });
      if (created === undefined || !isAsSent(inspection, created, wanted, rule)) return;
      const { id } = petOf(created.value);
      const found = await inspection.send(get(petPath(id)), { status: documented('getPet', 200), rule: 'pet-found' });
      if (found) isAsSent(inspection, found, { ...wanted, id }, rule);
    },
  };
}

/** Whether a response contains this pet; notes differences. */
function isAsSent(inspection: Inspection, response: ValidResponse, wanted: Partial<SeenPet>, rule: Rule): boolean {
  const seen = petOf(response.value);
  const different = differentFields(wanted, seen);
  const invented = different.filter((name) => name === 'status' && wanted.status === undefined);
  const changed = different.filter((name) => !invented.includes(name));
  const differs = (found: Rule, expected: string): void =>
    inspection.differs({ rule: found, sent: response.sent, expected, response });
  if (changed.length > 0) {
    const rounded = changed.every((name) => isRounded(memberOf(wanted, name), memberOf(seen, name)));
    const byRow = rule === 'body-accepted' ? rule : 'pet-as-sent';
    differs(rounded ? 'int64' : byRow, shownPet(wanted));
  }
  if (invented.length > 0) differs('status-invented', `${shownPet(wanted)}, without a status: it has no default`);
  return different.length === 0;
}

const memberOf = (pet: object, name: string): unknown => (pet as JsonObject)[name];

/** Whether an integer was rounded to a double. */
const isRounded = (wanted: unknown, seen: unknown): boolean =>
  typeof wanted === 'bigint' && typeof seen === 'bigint' && Number(wanted) === Number(seen);

/** Creates a pet with the status that all of these checks use. */
const create = (inspection: Inspection): Promise<ValidResponse | undefined> =>
  inspection.send(post(`{"name":"Rex","categoryId":3,"status":"${STATUS}"}`), {
    status: documented('createPet', 201),
    rule: 'pet-created',
  });

const about = (name: string, section: ConformCheck['section'], rule: Rule, run: ConformCheck['run']): ConformCheck => ({
  name,
  section,
  rule,
  risk: 'creates',
  run,
});

/** The ids of two pets created consecutively, and the second response. */
async function twoIds(inspection: Inspection) {
  const first = await create(inspection);
  const second = await create(inspection);
  if (!first || !second) return undefined;
  return { first: petOf(first.value).id, second: petOf(second.value).id, response: second, sent: second.sent };
}

const hasNewId = about('two new pets have different ids', 'Add a pet', 'unique-ids', async (inspection) => {
  const ids = await twoIds(inspection);
  if (!ids || ids.first !== ids.second) return;
  inspection.differs({ rule: 'unique-ids', expected: `another id than ${ids.first}`, ...ids });
});

const idsAscend = about(
  'the id of a new pet is above that of the one before',
  'Add a pet',
  'ids-ascend',
  async (inspection) => {
    const ids = await twoIds(inspection);
    if (!ids || ids.second >= ids.first) return;
    inspection.differs({ rule: 'ids-ascend', expected: `an id above ${ids.first}`, ...ids });
  },
);

const isListed = about('a new pet is in the list', 'List pets', 'list-complete', async (inspection) => {
  const created = await create(inspection);
  if (!created) return;
  const { id } = petOf(created.value);
  for (const query of [`limit=${MAX_LIMIT}`, `limit=${MAX_LIMIT}&status=${STATUS}`]) {
    const response = await list(inspection, query);
    if (!response) return;
    const pets = petsOf(response.value);
    // A longer list has no second page that could contain the pet.
    if (pets.length >= MAX_LIMIT || pets.some((pet) => pet.id === id)) continue;
    const expected = `the new pet ${id} among them`;
    inspection.differs({ rule: 'list-complete', expected, sent: response.sent, response });
  }
});

const isNotListed = about(
  'a new pet is not in the list of another status',
  'List pets',
  'filter-kept',
  async (inspection) => {
    const created = await create(inspection);
    const response = created && (await list(inspection, `limit=${MAX_LIMIT}&status=${OTHER_STATUS}`));
    if (!response) return;
    const { id } = petOf(created.value);
    if (!petsOf(response.value).some((pet) => pet.id === id)) return;
    const expected = `no pet ${id}, which is ${STATUS}`;
    inspection.differs({ rule: 'filter-kept', expected, sent: response.sent, response });
  },
);

export const newPetChecks: readonly ConformCheck[] = [
  ...newPets.map(creation),
  hasNewId,
  idsAscend,
  isListed,
  isNotListed,
];
