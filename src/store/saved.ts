/**
 * The state of a sandbox as plain data, for a file that another server can open. What worlds share is listed once: a
 * log may continue another one, as branches do.
 */
import type { Change } from './change.ts';
import type { ChangeCount } from './counts.ts';
import type { NewFixture, Seed } from './own-fixture.ts';
import type { Settings } from './record.ts';

/** The first `changes` changes of a log, counted from the start of its oldest ancestor. */
export interface SavedPoint {
  readonly log: number;
  readonly changes: ChangeCount;
}

/** Changes, in their order. */
export interface SavedLog<C = Change> {
  /** The log that it continues: an earlier one of the list. */
  readonly from: SavedPoint | null;
  readonly changes: readonly C[];
}

/** The content of a sandbox. */
export interface SavedWorld {
  /** Its name; one of the sandbox's own has a name that is unique in these data. */
  readonly fixture: string;
  /** The changes since, up to this point; `null`: there are none. */
  readonly upTo: SavedPoint | null;
}

interface SavedSnapshot extends Settings {
  readonly name: string;
  readonly createdAt: number;
  readonly world: SavedWorld;
}

/** What the fixtures of a saved state are on this server: one of the shelf by its name, or one of the sandbox's own. */
export type SavedSeeds = ReadonlyMap<string, string | NewFixture>;

/** @typeParam C a change: its file form when it is written, a `Change` when it is read */
export interface SavedState<C = Change> extends Settings {
  readonly logs: readonly SavedLog<C>[];
  readonly world: SavedWorld;
  readonly snapshots: readonly SavedSnapshot[];
}

/** The data of a state to be written, and the fixtures that its worlds name. */
export type Saved = SavedState<string> & { readonly seeds: ReadonlyMap<string, Seed> };
