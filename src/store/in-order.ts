/** Reads the pets of a fixture and those of the log that follows it as one, in ascending id. */
import type { PetStatus } from '../core/pet.ts';
import type { PetLog, Run } from './branch.ts';
import { FIRST_PLACE, type Place } from './counts.ts';

/** The pets of both logs in ascending id, of one status or of all: each a run of its own. */
export function* inOrder(seeded: PetLog, added: PetLog, status?: PetStatus): Generator<Run, void> {
  const [left, right] = [new PetReader(seeded, status), new PetReader(added, status)];
  while (left.id !== undefined || right.id !== undefined) {
    const isAdded = right.id !== undefined && (left.id === undefined || right.id <= left.id);
    // A fixture edited between two starts may contain the id of an added pet: the added one takes precedence.
    if (isAdded && left.id === right.id) left.take();
    yield (isAdded ? right : left).take();
  }
}

/** A position in a log, at a pet of one status or of any. */
class PetReader {
  /** The id of the next pet; `undefined` at the end. */
  id: bigint | undefined;
  #n = 0;
  #location = FIRST_PLACE;
  readonly #branch: PetLog['branch'];
  readonly #status: PetStatus | undefined;
  readonly #count: number;

  constructor({ branch, changes }: PetLog, status: PetStatus | undefined) {
    this.#branch = branch;
    this.#status = status;
    this.#count = branch.countOf(status, changes);
    this.#look();
  }

  /** The next pet, which is then behind. */
  take(): Run {
    const run = this.#branch.runAt(this.#location, (this.#location + 1) as Place);
    this.#n++;
    this.#look();
    return run;
  }

  #look(): void {
    this.id = undefined;
    if (this.#n >= this.#count) return;
    this.#location = this.#branch.placeOf(this.#status, this.#n);
    this.id = this.#branch.idAt(this.#location);
  }
}
