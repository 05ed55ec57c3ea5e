/** The first pets of a world, and their JSON: stored texts are joined without parsing them. */
import type { PetStatus, StoredPet } from '../core/pet.ts';
import type { PetLog, Run } from './branch.ts';
import type { Place } from './counts.ts';
import { inOrder } from './in-order.ts';

/** The parameters of a list: the number of pets, of one status or of all. */
export interface ListQuery {
  readonly status?: PetStatus | undefined;
  readonly limit: number;
}

/** Pets of a world, with the text served for them. */
export interface PetList {
  readonly count: number;
  /** An upper estimate of the characters of `json`. */
  readonly characters: number;
  /** The Pets array; the text of a long list is built on each access. */
  readonly json: string;
  /** The same in chunks without copies. */
  readonly pieces: readonly (string | Buffer)[];
  /** Each pet separately; built on access. */
  readonly pets: readonly StoredPet[];
}

/** The first pets in ascending id, of one status or of all: the work is proportional to `limit`. */
export function firstPets(seeded: PetLog, added: PetLog, { status, limit }: ListQuery): PetList {
  const [left, right] = [countIn(seeded, status, limit), countIn(added, status, limit)];
  // Nearly always the ids of the fixture come first: then no others are compared.
  const isInOrder = left === 0 || right === 0 || idOf(seeded, status, left - 1) < idOf(added, status, 0);
  if (!isInOrder) return new Runs(takeFirst(inOrder(seeded, added, status), limit));
  return new Runs([...runsOf(seeded, status, left), ...runsOf(added, status, Math.min(right, limit - left))]);
}

/** The number of pets in a log, `limit` at most. */
const countIn = ({ branch, changes }: PetLog, status: PetStatus | undefined, limit: number): number =>
  Math.min(branch.countOf(status, changes), limit);

/** The id of the pet with index `n` in a log. */
const idOf = ({ branch }: PetLog, status: PetStatus | undefined, n: number): bigint =>
  branch.idAt(branch.placeOf(status, n));

/** The first `count` pets of a log; adjacent pets in a page form one run. */
function runsOf({ branch }: PetLog, status: PetStatus | undefined, count: number): Run[] {
  const runs: Run[] = [];
  for (let n = 0; n < count; ) {
    const location = branch.placeOf(status, n);
    let neighbours = status === undefined ? count - n : 1;
    while (n + neighbours < count && branch.placeOf(status, n + neighbours) === location + neighbours) neighbours++;
    const run = branch.runAt(location, (location + neighbours) as Place);
    runs.push(run);
    n += run.to - run.from;
  }
  return runs;
}

function takeFirst<T>(all: Iterable<T>, limit: number): T[] {
  const taken: T[] = [];
  for (const each of all) {
    taken.push(each);
    if (taken.length === limit) break;
  }
  return taken;
}

class Runs implements PetList {
  readonly count: number;
  readonly characters: number;
  readonly #runs: readonly Run[];

  constructor(runs: readonly Run[]) {
    this.#runs = runs;
    let count = 0;
    // The brackets, and a comma for each run.
    let characters = 2 + runs.length;
    for (const { page, from, to } of runs) {
      count += to - from;
      characters += page.bytesBetween(from, to);
    }
    this.count = count;
    this.characters = characters;
  }

  get json(): string {
    return `[${this.#runs.map(({ page, from, to }) => page.textOf(from, to)).join(',')}]`;
  }

  get pieces(): (string | Buffer)[] {
    const bytes = this.#runs.map(({ page, from, to }) => page.bytesOf(from, to));
    return ['[', ...bytes.flatMap((text, i) => (i === 0 ? [text] : [',', text])), ']'];
  }

  get pets(): StoredPet[] {
    return this.#runs.flatMap(petsIn);
  }
}

const petsIn = ({ page, from, to }: Run): StoredPet[] =>
  Array.from({ length: to - from }, (_, i) => ({
    id: page.idAt(from + i),
    json: page.textOf(from + i, from + i + 1),
  }));
