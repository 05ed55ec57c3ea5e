/** The first pets of a world, and their JSON: stored texts are joined without parsing them. */
import type { PetStatus, StoredPet } from '../pet.ts';
import type { Log, Run } from './branch.ts';
import type { Fixture } from './fixture.ts';
import type { World } from './world.ts';

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
export function firstPets(world: World, { log }: Fixture, { status, limit }: ListQuery): PetList {
  const seeded = Math.min(log.branch.countOf(status, log.changes), limit);
  const added = Math.min(world.branch.countOf(status, world.changes), limit);
  // Nearly always the ids of the fixture come first: then no others are compared.
  const inOrder = seeded === 0 || added === 0 || idOf(log, status, seeded - 1) < idOf(world, status, 0);
  if (!inOrder) return new Runs(merged([log, seeded], [world, added], { status, limit }));
  return new Runs([...runsOf(log, status, seeded), ...runsOf(world, status, Math.min(added, limit - seeded))]);
}

/** The id of the pet with index `n` in a log. */
const idOf = ({ branch }: Log, status: PetStatus | undefined, n: number): bigint =>
  branch.idAt(branch.placeOf(status, n));

/** The first `count` pets of a log; adjacent pets in a page form one run. */
function runsOf({ branch }: Log, status: PetStatus | undefined, count: number): Run[] {
  const runs: Run[] = [];
  for (let n = 0; n < count; ) {
    const place = branch.placeOf(status, n);
    let neighbours = status === undefined ? count - n : 1;
    while (n + neighbours < count && branch.placeOf(status, n + neighbours) === place + neighbours) neighbours++;
    const run = branch.runAt(place, place + neighbours);
    runs.push(run);
    n += run.to - run.from;
  }
  return runs;
}

/** The first `count` pets of a log. */
type First = readonly [log: Log, count: number];

function merged([log, seeded]: First, [world, added]: First, { status, limit }: ListQuery): Run[] {
  const runs: Run[] = [];
  for (let s = 0, a = 0; runs.length < limit && (s < seeded || a < added); ) {
    const left = s < seeded ? idOf(log, status, s) : undefined;
    const right = a < added ? idOf(world, status, a) : undefined;
    const isAdded = right !== undefined && (left === undefined || right <= left);
    const { branch } = isAdded ? world : log;
    const place = branch.placeOf(status, isAdded ? a++ : s++);
    runs.push(branch.runAt(place, place + 1));
    // A fixture edited between two starts may contain the id of an added pet: the added one takes precedence.
    if (left === right) s++;
  }
  return runs;
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
