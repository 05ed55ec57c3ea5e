/**
 * The state of a sandbox as plain data, for a file that another server can open. What worlds share is listed once: a
 * log may continue another one, as branches do.
 */
import type { Pet } from '../pet.ts';
import type { Branch } from './branch.ts';
import type { NewFixture, Seed } from './own-fixture.ts';
import type { Settings } from './record.ts';

/** The first `pets` pets of a log, counted from the start of its oldest ancestor. */
export interface SavedPoint {
  readonly log: number;
  readonly pets: number;
}

/** Pets, in the order in which they were added. */
export interface SavedLog<P = Pet> {
  /** The log that it continues: an earlier one of the list. */
  readonly from: SavedPoint | null;
  readonly pets: readonly P[];
}

/** A fixture, and the pets added to it. */
export interface SavedWorld {
  /** Its name; one of the sandbox's own has a name that is unique in these data. */
  readonly fixture: string;
  /** `null`: none were added. */
  readonly added: SavedPoint | null;
}

export interface SavedSnapshot extends Settings {
  readonly name: string;
  readonly createdAt: number;
  readonly world: SavedWorld;
}

/** What the fixtures of a saved state are on this server: one of the shelf by its name, or one of the sandbox's own. */
export type SavedSeeds = ReadonlyMap<string, string | NewFixture>;

/** @typeParam P a pet: its JSON text when it is written, a `Pet` when it is read */
export interface SavedState<P = Pet> extends Settings {
  readonly logs: readonly SavedLog<P>[];
  readonly world: SavedWorld;
  readonly snapshots: readonly SavedSnapshot[];
}

/** The data of a state to be written, and the fixtures that its worlds name. */
export type Saved = SavedState<string> & { readonly seeds: ReadonlyMap<string, Seed> };

/** The texts of a log's pets between two places. */
export function textsOf(branch: Pick<Branch, 'runAt'>, from: number, to: number): string[] {
  const texts: string[] = [];
  for (let place = from; place < to; ) {
    const run = branch.runAt(place, to);
    for (let slot = run.from; slot < run.to; slot++) texts.push(run.page.textOf(slot, slot + 1));
    place += run.to - run.from;
  }
  return texts;
}
