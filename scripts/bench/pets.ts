/** The pets that everyone under measurement serves, and the requests for them. Seeded: every run asks the same. */

const STATUSES = ['available', 'pending', 'sold'] as const;
export type Status = (typeof STATUSES)[number];

export interface BenchPet {
  readonly id: number;
  readonly name: string;
  readonly categoryId: number;
  readonly status: Status;
}

/** `count` pets with the ids from `first` on, of the three statuses in turn. */
export const makePets = (count: number, first = 1): BenchPet[] =>
  Array.from({ length: count }, (_, index) => {
    const id = first + index;
    return { id, name: `Pet number ${id}`, categoryId: (id % 20) + 1, status: STATUSES[id % 3] as Status };
  });

/** Numbers from 0 to below 1, the same ones for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One request of a load, without what a server adds to it: the base path and its key. */
export type Ask =
  | { readonly kind: 'get'; readonly id: number }
  | { readonly kind: 'list'; readonly query: string; readonly status: Status }
  | { readonly kind: 'create'; readonly body: string };

/** What is asked, over and over, from the first to the last and again. */
export interface Load {
  readonly name: 'get, all new' | 'list, all new' | 'create' | 'create, spaced' | 'get' | 'list';
  readonly about: string;
  readonly asks: readonly Ask[];
  /** No two exchanges are alike until far more have passed than anyone remembers. */
  readonly allNew?: true;
}

/** Ids 1 to 1,000: what `get` and `list` ask for. */
export const FEW = makePets(1_000);
/** Ids 1,001 to 21,000: what `get, all new` asks for, each in turn. */
export const MANY = makePets(20_000, 1_001);

const LIST_LIMIT = 20;
const random = randomFrom(20301205);

/** Those without two exchanges alike come first: they are what a test suite sends. */
export const LOADS: readonly Load[] = [
  {
    name: 'get, all new',
    about: 'GET /pets/{id}, 20,000 ids one after the other: no response comes again among the last 20,000',
    asks: MANY.map(({ id }) => ({ kind: 'get', id })),
    allNew: true,
  },
  {
    name: 'list, all new',
    about: 'GET /pets?limit=20&status=…, written in 16,384 ways that mean the same (%61vailable)',
    asks: Array.from({ length: 2 ** 14 }, (_, n) => listWrittenAs(n)),
    allNew: true,
  },
  { name: 'create', about: 'POST /pets, 20,000 distinct bodies', asks: newcomers(JSON.stringify) },
  {
    name: 'create, spaced',
    about: 'the same with a space after each comma and colon, as Python writes JSON',
    asks: newcomers((pet) => JSON.stringify(pet).replaceAll('":', '": ').replaceAll(',"', ', "')),
  },
  {
    name: 'get',
    about: 'GET /pets/{id}, ids at random over 1,000: nearly all verdicts are remembered',
    asks: Array.from({ length: 5_000 }, () => ({ kind: 'get', id: 1 + Math.floor(random() * FEW.length) })),
  },
  {
    name: 'list',
    about: `GET /pets?limit=${LIST_LIMIT}&status=…, the three statuses in turn: all verdicts are remembered`,
    asks: STATUSES.map((status) => ({ kind: 'list', query: `limit=${LIST_LIMIT}&status=${status}`, status })),
  },
];

/** Bodies of creates, as a client writes them. */
function newcomers(write: (pet: object) => string): Ask[] {
  return Array.from({ length: 20_000 }, (_, n) => {
    const pet = { name: `Newcomer ${n}`, categoryId: (n % 97) + 1, status: STATUSES[n % 3] };
    return { kind: 'create', body: write(pet) };
  });
}

/** A list request whose n-th bit says whether the n-th letter of names and value is percent-encoded. */
function listWrittenAs(n: number): Ask {
  const status = STATUSES[n % 3] as Status;
  let bit = 0;
  const written = (text: string): string =>
    [...text]
      .map((letter) => (bit < 14 && (n >> bit++) & 1 ? `%${letter.charCodeAt(0).toString(16)}` : letter))
      .join('');
  return {
    kind: 'list',
    query: `${written('limit')}=${written('20')}&${written('status')}=${written(status)}`,
    status,
  };
}
