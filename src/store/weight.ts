/**
 * Memory estimates in bytes, from measurements with Node 20 to 24, rounded up. The limits of a server apply to this
 * account, not to the size of the files: a pet of 60 bytes takes 85.
 */
import type { FaultRecord, KeyRecord } from './record.ts';

/** A pet without its text: its id, its index entries, and the free space of pages. */
const PET = 24;
/** A sandbox without pets, keys and faults, when idle. */
const SANDBOX = 5 * 1024;
const KEY = 600;
/** A fault rule without its texts. */
const FAULT = 600;
/** A fixture of its own, without its pets. */
const OWN_FIXTURE = 2 * 1024;
/** A snapshot's own nodes of the trees that it shares with others. */
const SNAPSHOT = 6 * 1024;

/** The memory of several pets. @param bytes of their texts in UTF-8 */
export const weightOfPets = (count: number, bytes: number): number => count * PET + bytes;

/** The parts of a state without pets. */
interface Head {
  readonly record: { readonly keys: readonly KeyRecord[]; readonly faults: readonly FaultRecord[] };
  readonly world: Seeded;
  readonly snapshots: ReadonlyMap<string, { readonly faults: readonly FaultRecord[]; readonly world: Seeded }>;
}

interface Seeded {
  /** The name of a fixture, or one of its own. */
  readonly fixture: string | object;
}

const weightOfSeed = ({ fixture }: Seeded): number => (typeof fixture === 'string' ? 0 : OWN_FIXTURE);

/** The memory of a sandbox without its pets. */
export function weightOfHead({ record: { keys, faults }, world, snapshots }: Head): number {
  let weight = SANDBOX + weightOfSeed(world) + weightOfFaults(faults);
  for (const { label } of keys) weight += KEY + 2 * (label?.length ?? 0);
  for (const snapshot of snapshots.values()) {
    weight += SNAPSHOT + weightOfSeed(snapshot.world) + weightOfFaults(snapshot.faults);
  }
  return weight;
}

const weightOfFaults = (faults: readonly FaultRecord[]): number =>
  faults.reduce((sum, { name = '', query = '', pattern = '' }) => sum + FAULT + 2 * (name + query + pattern).length, 0);
