/** Fixtures as sandboxes see them: seed data in memory, shared and read-only. */
import type { Pet } from '../../base/api/pet.ts';
import { Pets } from './pets.ts';

/** What the pets of a sandbox begin with: one copy in memory for all sandboxes that start from it. */
export interface Fixture {
  readonly name: string;
  readonly description: string;
  /** The first id to assign; existing ids are skipped. Above the largest int64 if no id is left. */
  readonly nextId: bigint;
  readonly pets: Pets;
  /** It came with a request, and journals contain it; they name all others. */
  readonly isInline: boolean;
}

/** A fixture that comes with a request. */
export interface NewFixture {
  readonly nextId: bigint;
  /** In ascending id. */
  readonly pets: readonly Pet[];
}

/** The fixtures that this server offers: loaded on first use, then kept for all. */
export interface FixtureShelf {
  /** As its file was last read. @throws {ApiError} `conflict` if the file cannot be used */
  load(name: string): Promise<Fixture>;
  /** Reads its file again, for a reset. @throws {ApiError} `conflict` if the file cannot be used */
  reload(name: string): Promise<Fixture>;
  has(name: string): boolean;
  list(): readonly { readonly name: string }[];
}

/** The name under which fixtures of requests are shown; no file may have it. */
export const INLINE = 'inline';

/** The fixture of a request. */
export const inlineFixture = ({ nextId, pets }: NewFixture): Fixture =>
  Object.freeze({ name: INLINE, description: '', nextId, pets: Pets.of(pets), isInline: true });

/** Whether two have the same pets and ids. */
export const isSameFixture = (a: Fixture, b: Fixture): boolean =>
  a === b || (a.nextId === b.nextId && a.pets.length === b.pets.length && a.pets.isBeginningOf(b.pets));
