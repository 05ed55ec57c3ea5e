/** What lists hold. They are looked at with the pets that there are: the more, the more shows. */
import { petStatuses } from '../../generated/facts.ts';
import type { Level, Rule } from '../cases/case.ts';
import { DEFAULT_LIMIT, MAX_LIMIT, MIN_LIMIT } from '../cases/lists.ts';
import { type Check, get } from '../check.ts';
import { petsOf, type SeenPet } from '../pet-text.ts';
import { type GoodAnswer, Skipped, type Talk } from '../talk.ts';

const list = (talk: Talk, query = ''): Promise<GoodAnswer | undefined> =>
  talk.ask(get(`/pets${query}`), { status: 200, level: 'contract', rule: 'query-accepted' });

const about = (name: string, level: Level, run: Check['run']): Check => ({
  name,
  section: 'List animals',
  level,
  risk: 'none',
  run,
});

export const listChecks: readonly Check[] = [
  about(`a list without a limit: ${DEFAULT_LIMIT} pets at most`, 'contract', (talk) =>
    keepsLimit(talk, '', DEFAULT_LIMIT),
  ),
  ...[MIN_LIMIT, MIN_LIMIT + 1, MAX_LIMIT].map((limit) =>
    about(`a list with the limit ${limit}`, 'contract', (talk) => keepsLimit(talk, `?limit=${limit}`, limit)),
  ),
  ...petStatuses.map((status) =>
    about(`the ${status} pets`, 'contract', (talk) => keepsFilter(talk, `?status=${status}`, status, DEFAULT_LIMIT)),
  ),
  about('the sold pets with the limit 1', 'contract', (talk) => keepsFilter(talk, '?status=sold&limit=1', 'sold', 1)),
  about('a list has every id once, in ascending order', 'sandbox', hasOrder),
  about('a list, whatever unknown parameters there are: 200', 'sandbox', (talk) =>
    accepts(talk, '?limit=1&no_such_parameter=5&LIMIT&=x&&'),
  ),
  about('a parameter whose name and value are percent-encoded: 200', 'contract', (talk) =>
    accepts(talk, '?l%69mit=%31'),
  ),
];

/** Skipped where there are too few pets to see anything. */
async function keepsLimit(talk: Talk, query: string, limit: number): Promise<void> {
  const whole = await list(talk, `?limit=${MAX_LIMIT}`);
  const answer = query === `?limit=${MAX_LIMIT}` ? whole : await list(talk, query);
  if (!whole || !answer) return;
  const [there, count] = [petsOf(whole.value).length, petsOf(answer.value).length];
  const { sent } = answer;
  if (count > limit) {
    talk.differs({
      rule: 'limit-kept',
      level: 'contract',
      expected: `${limit} pets at most`,
      why: `${count} pets`,
      sent,
      answer,
    });
  } else if (there < limit + 1 && limit < MAX_LIMIT) {
    throw new Skipped(`the server has too few pets: ${there}, and it shows from ${limit + 1} on`);
  } else if (count < Math.min(limit, there)) {
    // `limit` is a maximum: that no fewer come is the sandbox's.
    talk.differs({
      rule: 'limit-kept',
      level: 'sandbox',
      expected: `${limit} pets, as there are`,
      why: `${count} pets`,
      sent,
      answer,
    });
  }
}

async function keepsFilter(talk: Talk, query: string, status: string, limit: number): Promise<void> {
  const answer = await list(talk, query);
  if (!answer) return;
  const pets = petsOf(answer.value);
  const { sent } = answer;
  const tell = (rule: Rule, expected: string, why: string): void =>
    talk.differs({ rule, level: 'contract', expected, why, sent, answer });
  const other = pets.find((pet) => pet.status !== status);
  if (other) tell('filter-kept', `only ${status} pets`, `the pet ${other.id} is ${other.status ?? 'without a status'}`);
  if (pets.length > limit) tell('limit-kept', `${limit} pets at most`, `${pets.length} pets`);
  if (pets.length === 0 && !other) throw new Skipped(`the server lists no ${status} pet`);
}

async function hasOrder(talk: Talk): Promise<void> {
  const answer = await list(talk, `?limit=${MAX_LIMIT}`);
  if (!answer) return;
  const ids = petsOf(answer.value).map(({ id }) => id);
  const { sent } = answer;
  if (new Set(ids).size < ids.length) {
    talk.differs({ rule: 'list-order', level: 'contract', expected: 'every id once: ids are unique', sent, answer });
  } else if (ids.some((id, at) => at > 0 && id < (ids[at - 1] as bigint))) {
    talk.differs({ rule: 'list-order', level: 'sandbox', expected: 'pets in ascending id', sent, answer });
  }
  if (ids.length < 2) throw new Skipped('the server has fewer than two pets');
}

async function accepts(talk: Talk, query: string): Promise<void> {
  await talk.ask(get(`/pets${query}`), { status: 200, level: 'sandbox', rule: 'query-accepted' });
}

/** The first pet of a list. @throws {Skipped} where there is none */
export async function anyPet(talk: Talk): Promise<SeenPet | undefined> {
  const answer = await list(talk, '?limit=1');
  if (!answer) return undefined;
  const [pet] = petsOf(answer.value);
  if (!pet) throw new Skipped('the server has no pet');
  return pet;
}
