/** Fixtures as sandboxes see them: seed data in memory, shared and read-only. */
import type { Pet } from '../api/pet.ts';
import { Pets } from './pets.ts';

/** A fixture in memory: one copy for all sandboxes that start from it. */
export interface Fixture {
  readonly name: string;
  readonly description: string;
  /** The first id to assign; existing ids are skipped. Above the largest int64 if no id is left. */
  readonly nextId: bigint;
  readonly pets: Pets;
}

/** What the pets of a sandbox begin with: the name of a fixture, or a fixture that came with a request. */
export type Seed = string | Fixture;

/** A fixture that comes with a request. */
export interface NewFixture {
  readonly nextId: bigint;
  /** In ascending id. */
  readonly pets: readonly Pet[];
}

/** The available fixtures: loaded on first use, then kept for all. */
export interface FixtureShelf {
  /** The fixture, if it is in memory already. */
  get(name: string): Fixture | undefined;
  /** The fixture, loaded only once for all callers. */
  load(name: string): Promise<Fixture>;
  has(name: string): boolean;
  /** The fixtures that this server offers. */
  list(): readonly { readonly name: string }[];
  /**
   * What to seed a sandbox with from now on, instead of a seed: its file may have changed.
   * @throws {ApiError} `conflict` if the file cannot be used as it is now
   */
  newest(seed: string): Promise<string>;
}

/** The name under which fixtures of requests are shown; no file may have it. */
export const INLINE = 'inline';

/** The fixture of a request. */
export const inlineFixture = ({ nextId, pets }: NewFixture): Fixture =>
  Object.freeze({ name: INLINE, description: '', nextId, pets: Pets.of(pets) });

/** The name of a fixture, as people see it. */
export const fixtureNameOf = (seed: Seed): string =>
  typeof seed === 'string' ? (seed.split('@', 1)[0] as string) : seed.name;
