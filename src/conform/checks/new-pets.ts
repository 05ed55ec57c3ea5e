/** What becomes of a new pet: the answer, the pet by its id, and its place in the lists. */

import { type JsonObject, parseJson } from '../../int64.ts';
import type { Case, Level } from '../cases/case.ts';
import { MAX_LIMIT } from '../cases/lists.ts';
import { newPets } from '../cases/new-pets.ts';
import { type Check, get } from '../check.ts';
import { differentFields, PET_FIELDS, petOf, petsOf, type SeenPet, shownPet } from '../pet-text.ts';
import type { GoodAnswer, Talk } from '../talk.ts';

export const newPetChecks: readonly Check[] = [...newPets.map(creation), idsAscend(), isListed()];

/** A row, and the pet again by its id. */
function creation(row: Case): Check {
  const { title, section, level, risk, ask, status, rule, pet } = row;
  const wanted = petOf(parseJson(pet ?? '{}'));
  return {
    name: `${title}: ${status}`,
    section,
    level,
    risk,
    run: async (talk) => {
      const made = await talk.ask(ask, { status, level, rule });
      if (made === undefined || !isAsSent(talk, made, wanted, level)) return;
      const { id } = petOf(made.value);
      const found = await talk.ask(get(`/pets/${id}`), { status: 200, level: 'contract', rule: 'pet-found' });
      if (found) isAsSent(talk, found, { ...wanted, id }, 'contract');
    },
  };
}

/** Whether an answer's pet is this one; what is different is noted. */
function isAsSent(talk: Talk, answer: GoodAnswer, wanted: Partial<SeenPet>, level: Level): boolean {
  const seen = petOf(answer.value);
  const different = differentFields(wanted, seen);
  const expected = shownPet(wanted);
  const { sent } = answer;
  const invented = different.filter((name) => name === 'status' && wanted.status === undefined);
  const changed = different.filter((name) => !invented.includes(name));
  if (changed.length > 0) {
    const rounded = changed.every((name) =>
      isRounded((wanted as JsonObject)[name], (seen as unknown as JsonObject)[name]),
    );
    talk.differs({ rule: rounded ? 'int64' : 'pet-as-sent', level, sent, expected, answer });
  }
  // The description knows no default, and does not forbid one; nor does it forbid further fields.
  const further = Object.keys(answer.value as JsonObject).filter((name) => !PET_FIELDS.includes(name));
  if (invented.length + further.length > 0) {
    talk.differs({ rule: 'pet-as-sent', level: 'sandbox', sent, expected: `${expected}, nothing more`, answer });
  }
  return different.length + further.length === 0;
}

/** What doubles make of an integer. */
const isRounded = (wanted: unknown, seen: unknown): boolean =>
  typeof wanted === 'bigint' && typeof seen === 'bigint' && Number(wanted) === Number(seen);

function idsAscend(): Check {
  return {
    name: 'the id of a new pet is above that of the one before',
    section: 'Add an animal',
    level: 'sandbox',
    risk: 'creates',
    run: async (talk) => {
      const first = await create(talk);
      const second = await create(talk);
      if (!first || !second) return;
      const [a, b] = [petOf(first.value).id, petOf(second.value).id];
      const level = a === b ? 'contract' : 'sandbox';
      const expected = a === b ? `another id than ${a}: ids are unique` : `an id above ${a}`;
      if (b <= a) talk.differs({ rule: 'new-ids', level, expected, sent: second.sent, answer: second });
    },
  };
}

/** Only where the whole list fits into one answer: the description knows no second page. */
function isListed(): Check {
  return {
    name: 'a new pet is in the list, and in that of its status alone',
    section: 'List animals',
    level: 'contract',
    risk: 'creates',
    run: async (talk) => {
      const made = await create(talk);
      if (!made) return;
      const { id } = petOf(made.value);
      for (const query of ['', '&status=sold', '&status=pending']) {
        const list = await talk.ask(get(`/pets?limit=${MAX_LIMIT}${query}`), {
          status: 200,
          level: 'contract',
          rule: 'query-accepted',
        });
        if (!list) return;
        const pets = petsOf(list.value);
        const there = pets.some((pet) => pet.id === id);
        const rule = query === '' ? 'list-whole' : 'filter-kept';
        const { sent } = list;
        if (there && query === '&status=pending') {
          talk.differs({ rule, level: 'contract', expected: `no pet ${id}, which is sold`, sent, answer: list });
        } else if (!there && query !== '&status=pending' && pets.length < MAX_LIMIT) {
          talk.differs({ rule, level: 'contract', expected: `the new pet ${id} among them`, sent, answer: list });
        }
      }
    },
  };
}

const create = (talk: Talk): Promise<GoodAnswer | undefined> =>
  talk.ask(
    {
      method: 'POST',
      path: '/pets',
      headers: { 'Content-Type': 'application/json' },
      body: '{"name":"Rex","categoryId":3,"status":"sold"}',
    },
    { status: 201, level: 'contract', rule: 'pet-created' },
  );
