/** The fixture that a sandbox is created from or reset to: one of the shelf by its name, or one of its own. */
import { ApiError } from '../errors.ts';
import type { FixtureShelf } from '../store/fixture.ts';
import { type NewFixture, nameOf, OWN_FIXTURE, type Seed } from '../store/own-fixture.ts';
import type { Restart, Store } from '../store/store.ts';

export class FixtureChoice {
  readonly #shelf: FixtureShelf;
  readonly #store: Store;

  constructor({ fixtures, store }: { readonly fixtures: FixtureShelf; readonly store: Store }) {
    this.#shelf = fixtures;
    this.#store = store;
  }

  /**
   * Makes a fixture available to `use`, which creates or resets sandboxes from it. An own one is stored for them.
   * @throws {ApiError} `not_found`, `limit_reached`, `storage_failed`, and what `use` throws
   */
  async provide<T>(fixture: string | NewFixture, use: (seed: Seed) => Promise<T>): Promise<T> {
    if (typeof fixture !== 'string') return this.#store.withFixture(fixture, use);
    this.#refuseUnknown(fixture);
    return use(fixture);
  }

  /** Loads a fixture by its name as shown: an unreadable one is rejected before any change. @throws {ApiError} */
  async load(name: string, { isOwn }: { readonly isOwn: boolean }): Promise<void> {
    if (isOwn) return;
    this.#refuseUnknown(name);
    if (!this.#shelf.get(name)) await this.#shelf.load(name);
  }

  /** @throws {ApiError} `not_found`, listing the existing fixtures */
  #refuseUnknown(name: string): void {
    if (this.#shelf.has(name)) return;
    if (name === OWN_FIXTURE) {
      const why = `${name} is not the name of a fixture: a reset without a fixture goes back to it, or send its pets again`;
      throw new ApiError('not_found', why);
    }
    throw new ApiError('not_found', `no fixture named ${name}; GET /_sandbox/fixtures lists them`);
  }
}

/** A restart in the words of its event. */
export const shownRestart = (to: Exclude<Restart, 'again'>): { fixture: string } | { snapshot: string } =>
  'fixture' in to ? { fixture: nameOf(to.fixture) } : to;
