/** The pets of a sandbox as its readers see them: those of its fixture, and those that were added since. */
import { ApiError } from '../../base/api/errors.ts';
import { type NewPet, type Pet, type PetStatus, petOf, type StoredPet } from '../../base/api/pet.ts';
import { INT64_MAX } from '../../base/int64.ts';
import type { Fixture } from './fixture.ts';
import type { Pets, SlotRange } from './pets.ts';

/** Which pets to list: all, if it is empty. They are in ascending id. */
export interface ListQuery {
  readonly status?: PetStatus | undefined;
  /** How many at most. */
  readonly limit?: number | undefined;
}

/** Some pets, with the text served for them. */
export interface PetList {
  readonly count: number;
  /** An upper estimate of the characters of `json`. */
  readonly characters: number;
  /** The Pets array; the text of a long list is built on each access. */
  readonly json: string;
  /** The same in pieces without copies. */
  readonly pieces: readonly (string | Buffer)[];
  /** Each pet separately; built on access. */
  readonly pets: readonly StoredPet[];
}

export class Contents {
  readonly #own: Pets;
  readonly #fixture: Fixture;

  /** @param own the pets that were added */
  constructor(own: Pets, fixture: Fixture) {
    this.#own = own;
    this.#fixture = fixture;
  }

  /** The number of pets. */
  get count(): number {
    return this.seeded + this.added;
  }

  get seeded(): number {
    return this.#fixture.pets.length;
  }

  /** The number of pets that were added since. */
  get added(): number {
    return this.#own.length;
  }

  /** The id of the next pet, skipping existing ids. It may exceed int64 if none is left. */
  get nextId(): bigint {
    const last = this.#own.lastId;
    return this.freeIdFrom(last === undefined ? this.#fixture.nextId : last + 1n);
  }

  /** The first id that the fixture does not have, from an id on above all that were added. */
  freeIdFrom(first: bigint): bigint {
    let id = first;
    while (this.#fixture.pets.has(id)) id++;
    return id;
  }

  /**
   * New pets under the next free ids, in their order.
   * @throws {ApiError} `limit_reached` when the ids run out at the end of int64
   */
  numbered(newPets: readonly NewPet[]): Pet[] {
    let next = this.nextId;
    return newPets.map((newPet) => {
      const id = this.freeIdFrom(next);
      if (id > INT64_MAX) {
        throw new ApiError('limit_reached', 'no id is left: the largest int64 has been given out; reset the sandbox');
      }
      next = id + 1n;
      return petOf(id, newPet);
    });
  }

  find(id: bigint): StoredPet | undefined {
    return this.#own.find(id) ?? this.#fixture.pets.find(id);
  }

  list({ limit = Number.POSITIVE_INFINITY, status }: ListQuery): PetList {
    return listOf(this.#first(limit, status));
  }

  #first(most: number, status: PetStatus | undefined): SlotRange[] {
    const [seeded, own] = [[...this.#fixture.pets.runs(most, status)], [...this.#own.runs(most, status)]];
    const [last, next] = [seeded.at(-1), own[0]];
    const areApart = !last || !next || last.chunk.idAt(last.to - 1) < next.chunk.idAt(next.from);
    // Nearly always the ids of the fixture come first: then no others are compared.
    return [...atMost(most, areApart ? [...seeded, ...own] : rangesInOrder(seeded, own))];
  }

  /** The bytes of the texts of all pets, at most. */
  get bytes(): number {
    return this.#fixture.pets.bytes + this.#own.bytes;
  }

  /** The JSON texts of all pets in ascending id; reading may take as long as its reader does. */
  *texts(): Generator<string, void> {
    for (const { chunk, from, to } of rangesInOrder(this.#fixture.pets.runs(), this.#own.runs()))
      yield chunk.textOf(from, to);
  }
}

function* atMost(most: number, ranges: Iterable<SlotRange>): Generator<SlotRange, void> {
  let left = most;
  for (const { chunk, from, to } of ranges) {
    if (left <= 0) return;
    yield { chunk, from, to: Math.min(to, from + left) };
    left -= to - from;
  }
}

/** The pets of a fixture and those that were added, in ascending id: each a run of its own. */
function* rangesInOrder(seeded: Iterable<SlotRange>, own: Iterable<SlotRange>): Generator<SlotRange, void> {
  const [left, right] = [single(seeded), single(own)];
  let [a, b] = [left.next().value, right.next().value];
  while (a || b) {
    const isOwn = b !== undefined && (a === undefined || idOf(b) <= idOf(a));
    yield (isOwn ? b : a) as SlotRange;
    // A fixture edited between two starts may contain the id of an added pet: the added one takes precedence.
    const isBoth = a && b && idOf(a) === idOf(b);
    if (!isOwn || isBoth) a = left.next().value;
    if (isOwn) b = right.next().value;
  }
}

function* single(runs: Iterable<SlotRange>): Generator<SlotRange, undefined> {
  for (const { chunk, from, to } of runs)
    for (let slot = from; slot < to; slot++) yield { chunk, from: slot, to: slot + 1 };
}

const idOf = ({ chunk, from }: SlotRange): bigint => chunk.idAt(from);

function listOf(ranges: readonly SlotRange[]): PetList {
  const bytes = ranges.map(({ chunk, from, to }) => chunk.bytesOf(from, to));
  return {
    count: ranges.reduce((sum, { from, to }) => sum + to - from, 0),
    // The brackets, and a comma for each run.
    characters: bytes.reduce((sum, { length }) => sum + length + 1, 2),
    get json() {
      return `[${bytes.map((text) => text.toString()).join(',')}]`;
    },
    pieces: ['[', ...bytes.flatMap((text, i) => (i === 0 ? [text] : [',', text])), ']'],
    get pets() {
      return Array.from(single(ranges), ({ chunk, from, to }) => ({
        id: chunk.idAt(from),
        json: chunk.textOf(from, to),
      }));
    },
  };
}
