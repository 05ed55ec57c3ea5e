/**
 * The state of a sandbox as plain data, for a file that another server can open. What the present and the snapshots
 * share is listed once: a log may continue another one.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Pet } from '../core/pet.ts';
import { INLINE, inlineFixture, type NewFixture, nameOf, type Seed } from '../store/fixture.ts';
import { Pets } from '../store/pets.ts';
import type { Settings } from '../store/record.ts';
import { present, startedAt } from '../store/start.ts';
import type { Snapshot, State } from '../store/state.ts';
import type { Source } from '../store/store.ts';

/** The first `changes` changes of a log, counted from the start of its oldest ancestor. */
export interface SavedPoint {
  readonly log: number;
  readonly changes: number;
}

/** Changes, in their order. */
export interface SavedLog<C = Pet> {
  /** The log that it continues: an earlier one of the list. */
  readonly from: SavedPoint | null;
  readonly changes: readonly C[];
}

/** The content of a sandbox. */
export interface SavedContents {
  /** Its name; one of the sandbox's own has a name that is unique in these data. */
  readonly fixture: string;
  /** The changes since, up to this point; `null`: there are none. */
  readonly upTo: SavedPoint | null;
}

interface SavedSnapshot extends Settings {
  readonly name: string;
  readonly createdAt: number;
  readonly contents: SavedContents;
}

/** @typeParam C a change: its text when it is written, the pet that was added when it is read */
export interface SavedState<C = Pet> extends Settings {
  readonly logs: readonly SavedLog<C>[];
  readonly contents: SavedContents;
  readonly snapshots: readonly SavedSnapshot[];
}

/** A change in its file form. */
export const changeText = (json: string): string => `{"added":${json}}`;

/** The data of a state to be written, and the seeds that it names. */
export type Saved = SavedState<string> & { readonly seeds: ReadonlyMap<string, Seed> };

export function savedOf({ record, seed, own, snapshots }: State): Saved {
  const logs = new Logs();
  const seeds = new Map<string, Seed>();
  const contents = (point: Pick<State, 'seed' | 'own'>): SavedContents => ({
    fixture: nameIn(seeds, point.seed),
    upTo: logs.pointOf(point.own),
  });
  // The longest first: the others are parts of it, or continue a part of it.
  for (const each of [own, ...[...snapshots.values()].map((snapshot) => snapshot.own)].sort(
    (a, b) => b.length - a.length,
  )) {
    logs.pointOf(each);
  }
  return {
    clock: record.clock,
    faults: record.faults,
    contents: contents({ seed, own }),
    snapshots: [...snapshots].map(([name, { createdAt, clock, faults, ...point }]) => ({
      ...{ name, createdAt, clock, faults },
      contents: contents(point),
    })),
    logs: logs.all(),
    seeds,
  };
}

/** Several fixtures that came with requests have the same name. */
function nameIn(seeds: Map<string, Seed>, seed: Seed): string {
  for (const [name, known] of seeds) if (isSame(known, seed)) return name;
  const taken = [...seeds.values()].filter((known) => typeof known !== 'string').length;
  const name = typeof seed === 'string' || taken === 0 ? nameOf(seed) : `${INLINE}-${taken + 1}`;
  seeds.set(name, seed);
  return name;
}

const isSame = (a: Seed, b: Seed): boolean =>
  a === b ||
  (typeof a !== 'string' &&
    typeof b !== 'string' &&
    a.nextId === b.nextId &&
    a.pets.length === b.pets.length &&
    a.pets.isBeginningOf(b.pets));

/** Lists of pets as logs that share their beginnings. */
class Logs {
  readonly #logs: { readonly from: SavedPoint | null; readonly pets: Pets }[] = [];

  /** Where a list of pets ends; a log is added if none holds all of it. */
  pointOf(pets: Pets): SavedPoint | null {
    let near = { log: 0, common: 0 };
    for (const [log, known] of this.#logs.entries()) {
      const common = pets.common(known.pets);
      if (common > near.common) near = { log, common };
    }
    const from = this.#pointIn(near.log, near.common);
    if (near.common === pets.length) return from;
    this.#logs.push({ from, pets });
    return { log: this.#logs.length - 1, changes: pets.length };
  }

  all(): SavedLog<string>[] {
    return this.#logs.map(({ from, pets }) => ({
      from,
      changes: Array.from(pets.each(from?.changes ?? 0), ({ json }) => changeText(json)),
    }));
  }

  /** A point is on the log that holds the last of its changes. */
  #pointIn(log: number, changes: number): SavedPoint | null {
    if (changes === 0) return null;
    const { from } = this.#logs[log] as { from: SavedPoint | null };
    return from !== null && changes <= from.changes ? this.#pointIn(from.log, changes) : { log, changes };
  }
}

/** What the fixtures of a saved state are on this server: one of the shelf by its name, or one of the sandbox's own. */
type SavedSeeds = ReadonlyMap<string, string | NewFixture>;

/** Pets between two pauses. */
const MANY = 2_000;

/** The state that valid data describe. Other requests have their turn in between. */
export async function stateOf(
  { clock, faults, contents, snapshots, logs }: SavedState,
  seeds: SavedSeeds,
): Promise<Extract<Source, { state: unknown }>['state']> {
  const made = new Map([...seeds].map(([name, seed]) => [name, typeof seed === 'string' ? seed : inlineFixture(seed)]));
  const all: Pets[] = [];
  const upTo = (point: SavedPoint | null): Pets => (point ? (all[point.log] as Pets).first(point.changes) : Pets.NONE);
  for (const { from, changes } of logs) {
    let pets = upTo(from);
    for (let at = 0; at < changes.length; at += MANY) {
      pets = pets.with(changes.slice(at, at + MANY));
      await nextTurn();
    }
    all.push(pets);
  }
  const at = ({ fixture, upTo: point }: SavedContents) => ({ seed: made.get(fixture) as Seed, own: upTo(point) });
  const saved = snapshots.map(({ name, contents: where, ...settings }): [string, Snapshot] => [
    name,
    { ...settings, ...at(where) },
  ]);
  return {
    record: { clock, faults },
    ...at(contents),
    snapshots: new Map(saved),
    start: startedAt(present(), { clock, faults }),
  };
}
