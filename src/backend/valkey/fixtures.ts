/**
 * Fixtures by name and fingerprint: a sandbox keeps the one that it started from, even where servers have other files
 * under its name, as during a rolling upgrade. Valkey has the text of each that was used.
 */
import { ApiError } from '../../api/errors.ts';
import { FixtureError } from '../../sandbox/fixture-file.ts';
import { type Fixtures, fixtureOfText } from '../../sandbox/fixtures.ts';
import { type Fixture, type FixtureShelf, fixtureNameOf } from '../../store/fixture.ts';
import type { ValkeyClient } from './client.ts';
import { fixtureKey } from './names.ts';

/** Characters of a fingerprint in the seed of a sandbox: 64 bits. */
const SHOWN = 16;
/** Fixtures of other servers that are kept in memory. */
const MAX_FOREIGN = 100;

export class SharedFixtures implements FixtureShelf {
  readonly #own: Fixtures;
  readonly #valkey: ValkeyClient;
  readonly #foreign = new Map<string, Fixture>();

  constructor(own: Fixtures, valkey: ValkeyClient) {
    this.#own = own;
    this.#valkey = valkey;
  }

  #seedOf(name: string): string {
    return name.includes('@') ? name : `${name}@${this.#own.fingerprintOf(name).slice(0, SHOWN)}`;
  }

  /** Each time: the store may have lost what it was sent once. @throws {FixtureError} */
  async publish(name: string): Promise<string> {
    const seed = this.#seedOf(name);
    if (!this.#isOwn(seed)) return seed;
    const key = fixtureKeyOf(seed);
    if ((await this.#valkey.call('EXISTS', key)) === 0)
      await this.#valkey.call('SET', key, await this.#own.textOf(fixtureNameOf(seed)));
    return seed;
  }

  list(): ReturnType<Fixtures['list']> {
    return this.#own.list();
  }

  /** A seed of another server's file stays. */
  async newest(seed: string): Promise<string> {
    const name = fixtureNameOf(seed);
    const known = this.#own.has(name)
      ? this.#own.fingerprintsOf(name).map((each) => `${name}@${each.slice(0, SHOWN)}`)
      : [];
    if (seed !== name && !known.includes(seed)) return seed;
    await this.#own.newest(name);
    return this.#seedOf(name);
  }

  has(seed: string): boolean {
    return this.#isOwn(seed) || this.#foreign.has(seed);
  }

  get(seed: string): Fixture | undefined {
    return (this.#isOwn(seed) ? this.#own.get(seed) : undefined) ?? this.#foreign.get(seed);
  }

  async load(seed: string): Promise<Fixture> {
    const known = this.get(seed) ?? (await this.#ownFixture(seed));
    if (known) return known;
    const text = (await this.#valkey.call('GET', fixtureKeyOf(seed))) as string | null;
    if (text === null) {
      const why = `the store has lost the fixture ${fixtureNameOf(seed)} of this sandbox; reset the sandbox to a fixture`;
      throw new ApiError('storage_failed', why);
    }
    const fixture = await fixtureOfText(fixtureNameOf(seed), text, seed);
    if (this.#foreign.size >= MAX_FOREIGN) this.#foreign.clear();
    this.#foreign.set(seed, fixture);
    return fixture;
  }

  /** `undefined` if its file is not on this server, or has changed. */
  async #ownFixture(seed: string): Promise<Fixture | undefined> {
    try {
      return this.#isOwn(seed) ? await this.#own.load(seed, true) : undefined;
    } catch (error) {
      if (error instanceof FixtureError) return undefined;
      throw error;
    }
  }

  /** Whether a file of this server has this fingerprint. */
  #isOwn(seed: string): boolean {
    const name = fixtureNameOf(seed);
    return this.#own.has(name) && seed === this.#seedOf(name);
  }
}

const fixtureKeyOf = (seed: string): string => fixtureKey(seed.slice(seed.indexOf('@') + 1));
