/** All pets of a world, read one after another: a world never changes, so this may take as long as its reader does. */
import type { PetLog, Run } from './branch.ts';
import { FIRST_PLACE, type Place } from './counts.ts';
import { inOrder } from './in-order.ts';

/** Every pet of a sandbox at one moment. */
export interface AllPets {
  /** The id of the next pet; above the largest int64 if none is left. */
  readonly nextId: bigint;
  /** An upper bound of the number of pets, and of the bytes of their texts. */
  readonly atMost: { readonly pets: number; readonly bytes: number };
  /** Their JSON texts in ascending id. */
  texts(): Generator<string, void>;
}

/** Reads every pet of a fixture, and of the log that follows it. */
export const allPets = (seeded: PetLog, added: PetLog): Omit<AllPets, 'nextId'> => ({
  atMost: { pets: endOf(seeded) + endOf(added), bytes: bytesOf(seeded) + bytesOf(added) },
  texts: function* () {
    for (const { page, from, to } of inOrder(seeded, added)) yield page.textOf(from, to);
  },
});

/** The place after the last pet of a log. */
const endOf = ({ branch, changes }: PetLog): Place => branch.placesAt(changes);

const bytesOf = (log: PetLog): number =>
  Array.from(runsIn(log), ({ page, from, to }) => page.bytesBetween(from, to)).reduce((sum, bytes) => sum + bytes, 0);

/** The texts of the pets of one log, in its order. */
export function* petTexts(log: PetLog): Generator<string, void> {
  for (const { page, from, to } of runsIn(log))
    for (let slot = from; slot < to; slot++) yield page.textOf(slot, slot + 1);
}

/** The pets of one log: adjacent pets in a page form one run. */
function* runsIn(log: PetLog): Generator<Run, void> {
  const end = endOf(log);
  for (let location = FIRST_PLACE; location < end; ) {
    const run = log.branch.runAt(location, end);
    yield run;
    location = (location + run.to - run.from) as Place;
  }
}
