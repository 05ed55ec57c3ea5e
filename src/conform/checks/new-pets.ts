/** New pets: the response, the pet by its id, and its place in the lists. */
import { randomUUID } from 'node:crypto';
import { type JsonObject, parseJson } from '../../core/int64.ts';
import {
  type CaseRequest,
  type Cases,
  documented,
  get,
  MAX_LIMIT,
  OTHER_STATUS,
  petPath,
  post,
  STATUS,
} from '../cases.ts';
import { type ConformCheck, checkOf } from '../check.ts';
import { type Inspection, Skipped, type ValidResponse } from '../inspection.ts';
import { differentFields, petOf, petsOf, type SeenPet, shownPet } from '../pet-text.ts';
import type { Rule } from '../rules.ts';
import { FULL, list } from './lists.ts';

const FOUND = { status: documented('getPet', 200), rule: 'pet-found' } as const;

/** Creates the pet of a row, and requests it by its id. */
export async function creates(inspection: Inspection, request: CaseRequest, { status, rule }: Cases): Promise<void> {
  const wanted = petOf(parseJson(request.pet ?? [request.body ?? []].flat().join('')));
  const created = await inspection.send(request, { status, rule });
  if (created === undefined || !isAsSent(inspection, created, wanted, rule)) return;
  const { id } = petOf(created.value);
  const found = await inspection.send(get(petPath(id)), FOUND);
  if (found) isAsSent(inspection, found, { ...wanted, id }, rule);
}

/** Whether a response contains this pet; notes differences. */
function isAsSent(inspection: Inspection, response: ValidResponse, wanted: Partial<SeenPet>, rule: Rule): boolean {
  const seen = petOf(response.value);
  const different = differentFields(wanted, seen);
  const invented = different.filter((name) => name === 'status' && wanted.status === undefined);
  const changed = different.filter((name) => !invented.includes(name));
  const differs = (found: Rule, expected: string): void =>
    inspection.differs({ rule: found, sent: response.sent, expected, why: lengthsOf(wanted, seen), response });
  if (changed.length > 0) {
    const rounded = changed.every((name) => isRounded(fieldOf(wanted, name), fieldOf(seen, name)));
    const byRow = rule === 'body-accepted' ? rule : 'pet-as-sent';
    differs(rounded ? 'int64' : byRow, shownPet(wanted));
  }
  if (invented.length > 0) differs('status-invented', `${shownPet(wanted)}, without a status: it has no default`);
  return different.length === 0;
}

const fieldOf = (pet: object, name: string): unknown => (pet as JsonObject)[name];

/** What the names alone may not show: another length. */
const lengthsOf = ({ name = '' }: Partial<SeenPet>, seen: SeenPet): string | undefined =>
  name.length === seen.name.length ? undefined : `a name of ${seen.name.length} characters in place of ${name.length}`;

/** Whether an integer was rounded to a double. */
const isRounded = (wanted: unknown, seen: unknown): boolean =>
  typeof wanted === 'bigint' && typeof seen === 'bigint' && Number(wanted) === Number(seen);

/** Creates a pet with a name of its own. */
async function create(inspection: Inspection, status?: string) {
  const name = `Rex ${randomUUID()}`;
  const body = JSON.stringify({ name, categoryId: 3, status });
  const response = await inspection.send(post(body), { status: documented('createPet', 201), rule: 'pet-created' });
  return response && { name, id: petOf(response.value).id, response, sent: response.sent };
}

const check = checkOf('creates');

export const newPetChecks: readonly ConformCheck[] = [
  check('Add a pet', 'unique-ids', 'two new pets have different ids', async (inspection) => {
    const [first, second] = [await create(inspection, STATUS), await create(inspection, STATUS)];
    if (!first || !second || first.id !== second.id) return;
    inspection.differs({ ...second, rule: 'unique-ids', expected: `another id than ${first.id}` });
  }),
  check('Add a pet', 'ids-ascend', 'the id of a new pet is above that of the one before', async (inspection) => {
    const [first, second] = [await create(inspection, STATUS), await create(inspection, STATUS)];
    if (!first || !second || second.id >= first.id) return;
    inspection.differs({ ...second, rule: 'ids-ascend', expected: `an id above ${first.id}` });
  }),
  check('Add a pet', 'stored-once', 'a new pet is stored once', isStoredOnce),
  check('List pets', 'list-complete', 'a new pet is in the list', (inspection) => isListed(inspection, '')),
  check('List pets', 'list-complete', `a new ${STATUS} pet is in the list of its status`, (inspection) =>
    isListed(inspection, `&status=${STATUS}`, STATUS),
  ),
  check('List pets', 'filter-kept', 'a new pet is not in the list of another status', isNotListed),
];

/** Other pets of the same name are looked for in the list, and next to the new one's id where a list is too short. */
async function isStoredOnce(inspection: Inspection): Promise<void> {
  const created = await create(inspection, STATUS);
  const response = created && (await list(inspection, `limit=${MAX_LIMIT}`));
  if (!response) return;
  const { name, id } = created;
  const listed = petsOf(response.value);
  const isFull = listed.length >= MAX_LIMIT;
  const others = isFull ? await petsNextTo(inspection, id) : listed;
  const twin = others.find((pet) => pet.name === name && pet.id !== id);
  if (twin) {
    const expected = `no other pet with the name of the new pet ${id}`;
    inspection.differs({ ...created, rule: 'stored-once', expected, why: `the pet ${twin.id} has it too` });
  } else if (isFull) throw new Skipped(FULL);
}

async function petsNextTo(inspection: Inspection, id: bigint): Promise<SeenPet[]> {
  const found: SeenPet[] = [];
  for (const near of [id - 1n, id + 1n]) {
    const response = await inspection.send(get(petPath(near)), { ...FOUND, or: documented('getPet', 404) });
    if (response?.status === FOUND.status) found.push(petOf(response.value));
  }
  return found;
}

async function isListed(inspection: Inspection, filter: string, status?: string): Promise<void> {
  const created = await create(inspection, status);
  const response = created && (await list(inspection, `limit=${MAX_LIMIT}${filter}`));
  if (!response) return;
  const pets = petsOf(response.value);
  if (pets.length >= MAX_LIMIT) throw new Skipped(FULL);
  if (pets.some((pet) => pet.id === created.id)) return;
  const rule = pets.length === 0 && status !== undefined ? 'filter-kept' : 'list-complete';
  inspection.differs({ rule, expected: `the new pet ${created.id} among them`, sent: response.sent, response });
}

async function isNotListed(inspection: Inspection): Promise<void> {
  const created = await create(inspection, STATUS);
  const response = created && (await list(inspection, `limit=${MAX_LIMIT}&status=${OTHER_STATUS}`));
  if (!response || !petsOf(response.value).some((pet) => pet.id === created.id)) return;
  const expected = `no pet ${created.id}, which is ${STATUS}`;
  inspection.differs({ rule: 'filter-kept', expected, sent: response.sent, response });
}
