/** The same requests on (next to) nothing and on 220,000 pets. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Generator } from '../load/generator.ts';
import { median } from '../measurements.ts';
import { type OwnServer, startOwnServer } from '../own-server.ts';
import { makePets } from '../pets.ts';
import { newKey, ROUNDS, type Row, SETTLE_MS, say, sayJudged } from './common.ts';

/** Pets of the large fixture, and those that are added to it. */
export const FIXTURE_PETS = 200_000;
export const CREATED = 20_000;
const SECONDS = 3;
const FORKS = 20;
/** Each after a filling of its own: their files go with them. */
const RESETS = 4;

interface Ask {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly bodies?: readonly string[];
  readonly connections?: number;
  readonly seconds?: number;
}

const BODIES = Array.from({ length: 1_000 }, (_, n) => JSON.stringify({ name: `Newcomer ${n}`, categoryId: n }));

/** p50 at one connection, in milliseconds, on both sizes; and their ratio. */
export async function measureSize(generator: Generator): Promise<Row[]> {
  const fixtures = { hundred: makePets(100), huge: makePets(FIXTURE_PETS) };
  const server = await startOwnServer({ fixtures, flags: ['--max-sandboxes', '1000000'] });
  const sizes = new Sizes(server, generator);
  try {
    const keys = { small: await newKey(server, 'empty'), large: await newKey(server, 'huge') };
    const hundred = await newKey(server, 'hundred');
    for (let round = 1; round <= ROUNDS; round++) {
      say(`size, round ${round} of ${ROUNDS}: ${FIXTURE_PETS} pets, and ${CREATED} are added`);
      await sizes.fill(keys.large);
      await sizes.measureRequests('small', keys.small, hundred, 'empty');
      await sizes.measureRequests('large', keys.large, keys.large, 'huge');
      await sizes.measureResets(keys);
    }
    await sayJudged(server);
  } finally {
    await server.end();
  }
  return sizes.rows();
}

class Sizes {
  readonly #server: OwnServer;
  readonly #generator: Generator;
  readonly #times = new Map<string, { small: number[]; large: number[] }>();

  constructor(server: OwnServer, generator: Generator) {
    this.#server = server;
    this.#generator = generator;
  }

  /** @param listed the key of the sandbox whose pets are listed */
  async measureRequests(size: 'small' | 'large', key: string, listed: string, fixture: string): Promise<void> {
    this.#note('create', size, await this.#load(key, { method: 'POST', path: '/v1/pets', bodies: BODIES }));
    this.#note('list of 100', size, await this.#load(listed, { method: 'GET', path: '/v1/pets?limit=100' }));
    const bodies = [JSON.stringify({ fixture })];
    this.#note('new key', size, await this.#load(key, { method: 'POST', path: '/_sandbox/keys', bodies }));
    const forks = [];
    for (let n = 0; n < FORKS; n++) {
      forks.push((await this.#server.call<{ key: string }>('POST', '/_sandbox/fork', {}, key)).key);
    }
    const resets = [];
    for (const fork of forks) resets.push(await this.#timeOfReset(fork));
    this.#note('reset of a fork', size, median(resets));
  }

  async measureResets(keys: { small: string; large: string }): Promise<void> {
    // What was created in the small one goes first: then every reset is of what the row says.
    await this.#timeOfReset(keys.small);
    for (let n = 0; n < RESETS; n++) {
      await this.fill(keys.large);
      // What the validator still has to validate would count for the first of the two.
      await sleep(SETTLE_MS / 3);
      this.#note('reset', 'small', await this.#timeOfReset(keys.small));
      this.#note('reset', 'large', await this.#timeOfReset(keys.large));
    }
  }

  /** Adds 20,000 pets, or some more. */
  async fill(key: string): Promise<void> {
    for (let added = 0; added < CREATED; ) {
      await this.#load(key, { method: 'POST', path: '/v1/pets', bodies: BODIES, connections: 32, seconds: 1 });
      added = (await this.#server.call<{ pets: { added: number } }>('GET', '/_sandbox', undefined, key)).pets.added;
    }
  }

  rows(): Row[] {
    return [...this.#times].map(([what, { small, large }]) => {
      const [less, more] = [median(small), median(large)];
      return [what, less.toFixed(3), more.toFixed(3), (more / less).toFixed(2)];
    });
  }

  #note(what: string, size: 'small' | 'large', milliseconds: number): void {
    const both = this.#times.get(what) ?? { small: [], large: [] };
    both[size].push(milliseconds);
    this.#times.set(what, both);
    say(`  ${what}, ${size}: ${milliseconds.toFixed(3)} ms`);
  }

  /** Milliseconds. */
  async #timeOfReset(key: string): Promise<number> {
    const from = performance.now();
    await this.#server.call('POST', '/_sandbox/reset', {}, key);
    return performance.now() - from;
  }

  /** @returns p50 in milliseconds */
  async #load(key: string, { method, path, bodies, connections = 1, seconds = SECONDS }: Ask): Promise<number> {
    const json = bodies ? { 'Content-Type': 'application/json' } : {};
    const { p50, failures } = await this.#generator.run({
      url: this.#server.url,
      method,
      headers: { Authorization: `Bearer ${key}`, ...json },
      requests: bodies?.map((body) => ({ path, body })) ?? [{ path }],
      connections,
      seconds,
    });
    if (failures > 0) throw new Error(`${method} ${path}: ${failures} requests failed`);
    return p50 / 1000;
  }
}
