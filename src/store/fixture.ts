/** Fixtures as sandboxes see them: seed data in memory, shared and read-only. */
import type { PetLog } from './branch.ts';

/** A fixture in memory: one copy for all sandboxes that start from it. */
export interface Fixture {
  readonly name: string;
  readonly description: string;
  /** The first id to assign; existing ids are skipped. */
  readonly nextId: bigint;
  /** Its pets in ascending id, each as an addition. */
  readonly log: PetLog;
}

/** The available fixtures: loaded on first use, then kept for all. */
export interface FixtureShelf {
  /** The fixture, if it is in memory already. */
  get(name: string): Fixture | undefined;
  /** The fixture, loaded only once for all callers. */
  load(name: string): Promise<Fixture>;
  has(name: string): boolean;
}
