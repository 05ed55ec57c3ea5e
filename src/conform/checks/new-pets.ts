/** New pets: the response, the pet by its id, and its place in the lists. */
import { randomInt, randomUUID } from 'node:crypto';
import { type JsonObject, parseJson, writeJson } from '../../core/int64.ts';
import {
  type CaseRequest,
  type Cases,
  documented,
  get,
  MAX_LIMIT,
  OTHER_STATUS,
  petPath,
  petText,
  post,
  STATUS,
} from '../cases.ts';
import { type ConformCheck, checkOf } from '../check.ts';
import { type Inspection, Skipped, type ValidResponse } from '../inspection.ts';
import { differentFields, petsOf, type SeenPet, seenPet, shownPet } from '../pet-text.ts';
import type { ConformRule } from '../rules.ts';
import { FULL, list } from './lists.ts';

const FOUND = { status: documented('getPet', 200), rule: 'pet-found' } as const;

/** Creates the pet of a row, and requests it by its id. */
export async function creates(inspection: Inspection, request: CaseRequest, { status, rule }: Cases): Promise<void> {
  const wanted = seenPet(parseJson(request.pet ?? [request.body ?? []].flat().join('')));
  const created = await inspection.send(request, { status, rule });
  if (created === undefined || !isAsSent(inspection, created, wanted, rule)) return;
  const { id } = seenPet(created.value);
  const found = await inspection.send(get(petPath(id)), FOUND);
  if (found) isAsSent(inspection, found, { ...wanted, id }, rule);
}

/** Whether a response contains this pet; notes differences. */
function isAsSent(
  inspection: Inspection,
  response: ValidResponse,
  wanted: Partial<SeenPet>,
  rule: ConformRule,
): boolean {
  const seen = seenPet(response.value);
  const different = differentFields(wanted, seen);
  const invented = different.filter((name) => name === 'status' && wanted.status === undefined);
  const changed = different.filter((name) => !invented.includes(name));
  const differs = (found: ConformRule, expected: string): void =>
    inspection.differs({ rule: found, sent: response.sent, expected, why: lengthsOf(wanted, seen), response });
  if (changed.length > 0) {
    const isEach = (is: (one: unknown, other: unknown) => boolean): boolean =>
      changed.every((name) => is(fieldOfPet(wanted, name), fieldOfPet(seen, name)));
    const byRow = rule === 'body-accepted' ? rule : 'pet-as-sent';
    differs(isEach(isRounded) ? 'int64' : isEach(isCut) ? 'int32' : byRow, shownPet(wanted));
  }
  if (invented.length > 0) differs('status-invented', `${shownPet(wanted)}, without a status: it has no default`);
  return different.length === 0;
}

const fieldOfPet = (pet: object, name: string): unknown => (pet as JsonObject)[name];

/** What the names alone may not show: another length. */
const lengthsOf = ({ name = '' }: Partial<SeenPet>, seen: SeenPet): string | undefined =>
  name.length === seen.name.length ? undefined : `a name of ${seen.name.length} characters in place of ${name.length}`;

/** Whether an integer was rounded to a double. */
const isRounded = (wanted: unknown, seen: unknown): boolean =>
  typeof wanted === 'bigint' && typeof seen === 'bigint' && Number(wanted) === Number(seen);

const INT32_MAX = 2n ** 31n - 1n;

/** Whether an integer lost all but its lower 32 bits, or became the nearest int32. */
function isCut(wanted: unknown, seen: unknown): boolean {
  if (typeof wanted !== 'bigint' || typeof seen !== 'bigint') return false;
  if (BigInt.asIntN(32, wanted) === wanted) return false;
  const nearest = wanted > 0n ? INT32_MAX : -INT32_MAX - 1n;
  return [BigInt.asIntN(32, wanted), BigInt.asUintN(32, wanted), nearest].includes(seen);
}

/** Creates a pet with a name of its own. */
async function create(inspection: Inspection, status?: string, own: { id?: bigint; name?: string } = {}) {
  const { id, name = `Rex ${randomUUID()}` } = own;
  const json = (value: unknown): string | undefined => (value === undefined ? undefined : writeJson(value));
  const body = petText({ id: json(id), name: json(name), status: json(status) });
  const response = await inspection.send(post(body), { status: documented('createPet', 201), rule: 'pet-created' });
  return response && { name, id: seenPet(response.value).id, response, sent: response.sent };
}

const check = checkOf('creates');

export const newPetChecks: readonly ConformCheck[] = [
  check('Add a pet', 'unique-ids', 'two new pets have different ids', async (inspection) => {
    const [first, second] = [await create(inspection, STATUS), await create(inspection, STATUS)];
    if (!first || !second || first.id !== second.id) return;
    inspection.differs({ ...second, rule: 'unique-ids', expected: `another id than ${first.id}` });
  }),
  check('Add a pet', 'unique-ids', 'two new pets that are alike have different ids', async (inspection) => {
    const first = await create(inspection, STATUS);
    const second = first && (await create(inspection, STATUS, { name: first.name }));
    if (!second || first.id !== second.id) return;
    inspection.differs({ ...second, rule: 'unique-ids', expected: `another id than ${first.id}` });
  }),
  check('Add a pet', 'ids-ascend', 'the id of each new pet is above that of the one before', isAboveLast),
  check('Add a pet', 'ids-ascend', 'the id of a new pet is above those of the list', isAboveAll),
  check('Add a pet', 'id-assigned', 'a new pet has an id of the server, not one that the client chose', isAssigned),
  check('Add a pet', 'stored-once', 'a new pet is stored once', isStoredOnce),
  check('List pets', 'list-complete', 'a new pet is in the list', (inspection) => isListed(inspection, '')),
  check('List pets', 'list-complete', `a new ${STATUS} pet is in the list of its status`, (inspection) =>
    isListed(inspection, `&status=${encodeURIComponent(STATUS)}`, STATUS),
  ),
  check('List pets', 'filter-kept', 'a new pet is not in the list of another status', isNotListed),
];

/** Of all pets that the run has created: two random ids ascend half of the time. */
async function isAboveLast(inspection: Inspection): Promise<void> {
  const created = await create(inspection, STATUS);
  if (!created) return;
  const ids = inspection.created.flatMap(({ id }) => id ?? []);
  const at = ids.findIndex((id, n) => n > 0 && id <= (ids[n - 1] as bigint));
  const again = ids.find((id, n) => ids.indexOf(id) < n);
  if (again !== undefined)
    inspection.differs({ ...created, rule: 'unique-ids', expected: `no id twice, such as ${again}` });
  else if (at > 0) {
    const why = `${ids[at]} came after it`;
    inspection.differs({ ...created, rule: 'ids-ascend', expected: `an id above ${ids[at - 1]}`, why });
  }
}

/** Ids that are counted never get this far. */
const MAX_COUNTED = BigInt(Number.MAX_SAFE_INTEGER);
const isCounted = (id: bigint): boolean => id > 0n && id < MAX_COUNTED;

async function isAboveAll(inspection: Inspection): Promise<void> {
  const listed = await list(inspection, `limit=${MAX_LIMIT}`);
  const created = listed && (await create(inspection, STATUS));
  if (!created) return;
  const ids = petsOf(listed.value).map(({ id }) => id);
  const highest = ids.filter(isCounted).reduce((one, other) => (one > other ? one : other), 0n);
  if (ids.includes(created.id)) {
    inspection.differs({ ...created, rule: 'unique-ids', expected: `another id than ${created.id}, which a pet has` });
  } else if (created.id < highest)
    inspection.differs({ ...created, rule: 'ids-ascend', expected: `an id above ${highest}, which is in the list` });
  else if (!ids.every(isCounted))
    throw new Skipped('the server has pets whose ids it did not count: below 1, or beyond 53 bits');
}

/** A server that accepts ids from clients would overwrite the pet with that id, so no pet has it. */
async function isAssigned(inspection: Inspection): Promise<void> {
  const chosen = await freeId(inspection);
  const created = chosen === undefined ? undefined : await create(inspection, STATUS, { id: chosen });
  if (created === undefined || created.id !== chosen) return;
  inspection.differs({ ...created, rule: 'id-assigned', expected: `an id that the server assigned, not ${chosen}` });
}

const FREE_FROM = 2 ** 40;

/** @returns `undefined` if it is not known which is free */
async function freeId(inspection: Inspection): Promise<bigint | undefined> {
  const id = BigInt(randomInt(FREE_FROM, 2 * FREE_FROM));
  const response = await inspection.send(get(petPath(id)), {
    status: documented('getPet', 404),
    rule: 'pet-not-found',
  });
  return response && id;
}

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
    if (response?.status === FOUND.status) found.push(seenPet(response.value));
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
  const response = created && (await list(inspection, `limit=${MAX_LIMIT}&status=${encodeURIComponent(OTHER_STATUS)}`));
  if (!response || !petsOf(response.value).some((pet) => pet.id === created.id)) return;
  const expected = `no pet ${created.id}, which is ${STATUS}`;
  inspection.differs({ rule: 'filter-kept', expected, sent: response.sent, response });
}
