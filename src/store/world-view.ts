/**
 * The pets of a world: those of its fixture, and those of its log. All readers use this view, so a change that acts on
 * pets of the fixture takes effect here.
 */
import type { StoredPet } from '../core/pet.ts';
import { type AllPets, allPets } from './all-pets.ts';
import type { PetLog } from './branch.ts';
import type { Fixture } from './fixture.ts';
import { firstPets, type ListQuery, type PetList } from './pet-list.ts';

export class WorldView {
  readonly #added: PetLog;
  readonly #fixture: Fixture;

  /** @param added the log of the world */
  constructor(added: PetLog, fixture: Fixture) {
    this.#added = added;
    this.#fixture = fixture;
  }

  /** The number of pets. */
  get count(): number {
    return this.seeded + this.added;
  }

  /** The number of pets that the fixture brought. */
  get seeded(): number {
    return countIn(this.#fixture.log);
  }

  /** The number of pets that were added since. */
  get added(): number {
    return countIn(this.#added);
  }

  /** The id of the next pet, skipping existing ids. It may exceed int64 if none is left. */
  get nextId(): bigint {
    const last = this.#added.branch.lastIdAt(this.#added.changes);
    return this.freeIdFrom(last === undefined ? this.#fixture.nextId : last + 1n);
  }

  /** The first id that the fixture does not have, from an id on above all that were added. */
  freeIdFrom(first: bigint): bigint {
    const { branch, changes } = this.#fixture.log;
    let id = first;
    while (branch.has(id, changes)) id++;
    return id;
  }

  /** The pet with this id, if it exists. */
  find(id: bigint): StoredPet | undefined {
    return petIn(this.#added, id) ?? petIn(this.#fixture.log, id);
  }

  /** The first pets in ascending id, of one status or of all. */
  first(query: ListQuery): PetList {
    return firstPets(this.#fixture.log, this.#added, query);
  }

  /** Every pet, to be read one after another. */
  all(): AllPets {
    return { nextId: this.nextId, ...allPets(this.#fixture.log, this.#added) };
  }
}

const countIn = ({ branch, changes }: PetLog): number => branch.countOf(undefined, changes);

const petIn = ({ branch, changes }: PetLog, id: bigint): StoredPet | undefined => branch.find(id, changes);
