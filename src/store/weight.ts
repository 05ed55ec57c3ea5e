/**
 * What things take in memory, in bytes: an estimate from measurements with Node 20 to 24, on the high side. The bounds
 * on what a server holds are kept by this account, not by the size of the files: a pet of 60 bytes takes 200.
 */
import type { Pet } from '../pet.ts';
import type { FaultRecord, KeyRecord } from './record.ts';

/** A pet beside its text: the objects, its places in lists and trees. */
const PET = 160;
/** A sandbox beside its pets, keys and faults: what it takes when idle. */
const SANDBOX = 5 * 1024;
const KEY = 600;
const FAULT = 400;
/** A snapshot's own nodes of the trees that it shares with others. */
const SNAPSHOT = 6 * 1024;

/** What a pet takes. Measuring also makes one flat string of the parts that its text consists of: half the memory. */
export function weightOfPet({ json }: Pet): number {
  const bytes = Buffer.byteLength(json);
  // A string that holds but one character beyond Latin-1 takes two bytes for each.
  return PET + (bytes === json.length ? bytes : 2 * json.length);
}

/** What pets take together. */
export const weightOfPets = (pets: readonly Pet[]): number => pets.reduce((sum, pet) => sum + weightOfPet(pet), 0);

/** The part of a sandbox that its file begins with. */
interface Head {
  readonly record: { readonly keys: readonly KeyRecord[]; readonly faults: readonly FaultRecord[] };
  readonly snapshots: ReadonlyMap<string, { readonly faults: readonly FaultRecord[] }>;
}

/** What a sandbox takes beside its pets. */
export function weightOfHead({ record: { keys, faults }, snapshots }: Head): number {
  let weight = SANDBOX + faults.length * FAULT;
  for (const { label } of keys) weight += KEY + 2 * (label?.length ?? 0);
  for (const snapshot of snapshots.values()) weight += SNAPSHOT + snapshot.faults.length * FAULT;
  return weight;
}
