/** All pets of a world, read one after another: a world never changes, so this may take as long as its reader does. */
import type { Log } from './branch.ts';
import type { Fixture } from './fixture.ts';
import { nextIdOf, type World } from './world.ts';

/** Every pet of a sandbox at one moment. */
export interface AllPets {
  /** The id of the next pet; above the largest int64 if none is left. */
  readonly nextId: bigint;
  /** An upper bound of the number of pets, and of the bytes of their texts. */
  readonly atMost: { readonly pets: number; readonly bytes: number };
  /** Their JSON texts in ascending id. */
  texts(): Generator<string, void>;
}

/** Reads every pet of a world. */
export const allPets = (world: World, fixture: Fixture): AllPets => ({
  nextId: nextIdOf(world, fixture),
  atMost: { pets: fixture.log.changes + world.changes, bytes: bytesOf(fixture.log) + bytesOf(world) },
  texts: () => textsOf(fixture.log, world),
});

function bytesOf({ branch, changes }: Log): number {
  let bytes = 0;
  for (let place = 0; place < changes; ) {
    const { page, from, to } = branch.runAt(place, changes);
    bytes += page.bytesBetween(from, to);
    place += to - from;
  }
  return bytes;
}

function* textsOf(seeded: Log, added: Log): Generator<string, void> {
  const [left, right] = [new Reader(seeded), new Reader(added)];
  while (left.id !== undefined || right.id !== undefined) {
    const isAdded = right.id !== undefined && (left.id === undefined || right.id <= left.id);
    // A fixture edited between two starts may contain the id of an added pet: the added one takes precedence.
    if (isAdded && left.id === right.id) left.take();
    yield (isAdded ? right : left).take();
  }
}

/** A position in a log. */
class Reader {
  /** The id of the next pet; `undefined` at the end. */
  id: bigint | undefined;
  #place = 0;
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
    this.#look();
  }

  /** The text of the next pet, which is then behind. */
  take(): string {
    const { page, from } = this.#log.branch.runAt(this.#place, this.#place + 1);
    this.#place++;
    this.#look();
    return page.textOf(from, from + 1);
  }

  #look(): void {
    const { branch, changes } = this.#log;
    this.id = this.#place < changes ? branch.idAt(this.#place) : undefined;
  }
}
