/**
 * The fixtures that sandboxes start from: all validated at start, each loaded on first use and then shared. A file of the user
 * may change: what is created or reset afterward gets the new pets, and other sandboxes keep theirs.
 */

import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { TextDecoder } from 'node:util';
import { ApiError } from '../api/errors.ts';
import { realClock } from '../core/clock.ts';
import { withoutPath } from '../core/given-file.ts';
import { MAX_FIXTURE_BYTES, MAX_FIXTURE_FILES } from '../core/limits.ts';
import { fileName, shorten } from '../core/text.ts';
import { type Fixture, type FixtureShelf, fixtureNameOf, INLINE } from '../store/fixture.ts';
import { Pets } from '../store/pets.ts';
import { FixtureError, readFixture } from './fixture-file.ts';
import { newFixture } from './new-fixture.ts';

/** A fixture as shown in lists. */
interface FixtureSummary {
  readonly name: string;
  readonly description: string;
  /** The number of pets. */
  readonly count: number;
}

/** All fixtures by name. */
export interface Fixtures extends FixtureShelf {
  /** Sorted by name. */
  list(): readonly FixtureSummary[];
  has(name: string): boolean;
  /**
   * The fixture of a seed, frozen: read and built on the first call, then shared. A stored sandbox gets what the next start
   * would give it.
   * @throws {FixtureError} if no fixture has that name, or its file was damaged or removed since the start. The next call
   * tries again.
   */
  load(seed: string): Promise<Fixture>;
}

const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** A validated file. */
interface FixtureFile {
  readonly path: string;
  /** Of the validated text. */
  readonly digest: string;
  readonly stamp: string | undefined;
  readonly summary: FixtureSummary;
}

/** A text of a file, and what was made of it. */
interface Version extends Omit<FixtureFile, 'path'> {
  /** What sandboxes with it are seeded with: the name of the fixture, with a fingerprint for later ones. */
  readonly seed: string;
  loading?: Promise<Fixture> | undefined;
  fixture?: Fixture | undefined;
}

/**
 * Validates and lists every fixture file of the directories. Their pets are discarded until a sandbox needs them. Files
 * that do not end in `.json`, `*.schema.json`, dotfiles and subdirectories are ignored, but no CSV and no JSON of another name.
 * @param shipped the directory that comes with the sandbox
 * @param extra an additional directory, which takes precedence on equal names
 * @throws {FixtureError} with the problems of all files
 */
export async function openFixtures({
  shipped,
  extra,
}: {
  shipped: string;
  extra?: string | undefined;
}): Promise<Fixtures> {
  const directories = extra === undefined ? [shipped] : [shipped, extra];
  const checks = (await Promise.all(directories.map(checkDirectory))).flat();
  const problems = checks.filter((check) => check instanceof FixtureError).map(({ message }) => message);
  if (problems.length > 0) throw new FixtureError(problems.join('\n'));
  const files = checks.flatMap((check) =>
    check instanceof FixtureError ? [] : [[check.summary.name, check] as const],
  );
  return fixturesOf(new Map(files), extra === undefined ? undefined : normalize(join(extra, '.')));
}

/** Characters of a fingerprint in a seed: 64 bits. */
const SHOWN = 16;

/** The versions of one file. */
class ShelvedFile {
  readonly #path: string;
  readonly #isWatched: boolean;
  readonly #bySeed: Map<string, Version>;
  readonly #first: Version;
  newest: Version;
  #renewing: Promise<void> | undefined;

  constructor({ path, ...validated }: FixtureFile, isWatched: boolean) {
    this.#path = path;
    this.#isWatched = isWatched;
    this.#first = { ...validated, seed: validated.summary.name };
    this.newest = this.#first;
    this.#bySeed = new Map([[this.#first.seed, this.#first]]);
  }

  /** A sandbox may have been stored with a version that is gone: it gets that of the start. */
  version(seed: string): Version {
    return this.#bySeed.get(seed) ?? this.#first;
  }

  load(version: Version, exact = false): Promise<Fixture> {
    version.loading ??= this.#read(version, exact || !this.#isWatched).then(
      (fixture) => {
        version.fixture = fixture;
        return fixture;
      },
      (error: unknown) => {
        version.loading = undefined;
        throw error;
      },
    );
    return version.loading;
  }

  async #read({ digest, summary: { name } }: Version, exact: boolean): Promise<Fixture> {
    const now = await readText(this.#path);
    if (now.digest !== digest && exact) throw changed(this.#path);
    return fixtureOfText(name, now.text, this.#path);
  }

  /** Looks whether the file has changed. @throws {ApiError} `conflict` if it cannot be used as it is */
  async renew(): Promise<void> {
    if (!this.#isWatched) return;
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    await this.#renewing;
  }

  /** What sandboxes are seeded with is in memory before its file may change. */
  async #keep(): Promise<void> {
    await this.load(this.newest, true);
  }

  async #renew(): Promise<void> {
    const { name } = this.newest.summary;
    try {
      const { stamp } = this.newest;
      if (stamp !== undefined && stamp === (await stampOf(this.#path))) return await this.#keep();
      const { text, ...read } = await readText(this.#path);
      if (read.digest === this.newest.digest) {
        Object.assign(this.newest, read);
        return await this.#keep();
      }
      const known = [...this.#bySeed.values()].find(({ digest }) => digest === read.digest);
      if (known?.fixture) {
        this.newest = Object.assign(known, read);
        return;
      }
      const { description, count } = fixtureSummary(name, text, this.#path);
      const fixture = await fixtureOfText(name, text, this.#path);
      const seed = known?.seed ?? `${name}@${read.digest.slice(0, SHOWN)}`;
      const summary = Object.freeze({ name, description, count });
      this.newest = { ...read, seed, summary, fixture, loading: Promise.resolve(fixture) };
      this.#bySeed.set(seed, this.newest);
    } catch (cause) {
      if (!(cause instanceof FixtureError)) throw cause;
      // Where the file is, is for the operator alone.
      const why = cause.message.replaceAll(this.#path, `${name}.json`).replaceAll('\n', '; ');
      throw new ApiError('conflict', `the fixture ${name} has changed, and cannot be used: ${shorten(why, MAX_WHY)}`);
    }
  }
}

/** Characters of what is wrong with a file. */
const MAX_WHY = 1_000;

const changed = (path: string): FixtureError =>
  new FixtureError(`${path}: changed since the start; restart to have it checked and used, or put it back`);

/** @param extra the directory whose files may change */
function fixturesOf(files: ReadonlyMap<string, FixtureFile>, extra: string | undefined): Fixtures {
  const shelf = new Map(
    [...files].map(([name, file]) => [name, new ShelvedFile(file, dirname(file.path) === extra)] as const),
  );
  const fileOf = (seed: string): ShelvedFile => {
    const file = shelf.get(fixtureNameOf(seed));
    if (file) return file;
    throw new FixtureError(`there is no fixture of that name; there are ${[...shelf.keys()].join(', ')}`);
  };
  const names = [...shelf.keys()].sort();
  return {
    list: () => names.map((name) => fileOf(name).newest.summary),
    has: (seed) => shelf.has(fixtureNameOf(seed)),
    get: (seed) => shelf.get(fixtureNameOf(seed))?.version(seed).fixture,
    load: async (seed) => {
      const file = fileOf(seed);
      return file.load(file.version(seed));
    },
    newest: async (seed) => {
      const file = fileOf(seed);
      await file.renew();
      return file.newest.seed;
    },
  };
}

/** Files that somebody takes for a fixture. */
const UNREAD = /^[^.].*\.(?:csv|tsv|json|jsonc|json5|jsonl|ndjson)$/i;

/** One entry per file, sorted by name: problems are returned as data, so that all of them can be reported. */
async function checkDirectory(directory: string): Promise<(FixtureFile | FixtureError)[]> {
  const names = await fixtureFilesIn(directory);
  return await Promise.all(
    names.map((name) =>
      checkFile(directory, name).catch((error: unknown) => {
        if (error instanceof FixtureError) return error;
        throw error;
      }),
    ),
  );
}

async function fixtureFilesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((cause: Error) => {
    throw new FixtureError(
      `${fileName(directory)}: not a directory of fixtures that can be read: ${withoutPath(cause)}`,
      { cause },
    );
  });
  const names = entries
    .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .filter((name) => name.endsWith('.json') && !name.endsWith('.schema.json'))
    .sort();
  const [other] = entries.map(({ name }) => name).filter((name) => UNREAD.test(name) && !name.endsWith('.json'));
  if (other !== undefined)
    throw new FixtureError(
      `${join(directory, other)}: only files that end in .json are read; seed a sandbox with it (reset --fixture-file), and write the file with: petstore-sandbox fixtures save NAME.json`,
    );
  if (names.length <= MAX_FIXTURE_FILES) return names;
  throw new FixtureError(`${directory}: ${names.length} fixture files; a directory has at most ${MAX_FIXTURE_FILES}`);
}

async function checkFile(directory: string, entry: string): Promise<FixtureFile> {
  const path = join(directory, entry);
  const name = entry.slice(0, -'.json'.length);
  if (!NAME.test(name)) {
    throw new FixtureError(
      `${path}: the name before .json must be 1 to 64 of a-z, 0-9, _ and -, and begin with a letter or a digit; rename the file`,
    );
  }
  if (name === INLINE) {
    throw new FixtureError(`${path}: ${name} is the name of fixtures that come with a request; rename the file`);
  }
  const { text, ...read } = await readText(path);
  return { path, ...read, summary: fixtureSummary(name, text, path) };
}

/** @param path named in errors @throws {FixtureError} with all that is wrong */
function fixtureSummary(name: string, text: string, path: string): FixtureSummary {
  const { description, pets, generate } = readFixture(text, path);
  return Object.freeze({ name, description, count: generate?.count ?? pets.length });
}

/** Builds a fixture from the text of its file. @param path named in errors */
async function fixtureOfText(name: string, text: string, path: string): Promise<Fixture> {
  const file = readFixture(text, path);
  const { nextId, pets } = await newFixture(file);
  return Object.freeze({ name, description: file.description, nextId, pets: Pets.of(pets) });
}

/** A text that was written so long ago changes its stamp with the next write, in milliseconds. */
const STAMP_MS = 2_000;

/** Changes with the file; `undefined` if it was written just now, and might be again within the same tick. */
async function stampOf(path: string): Promise<string | undefined> {
  const { mtimeMs, ctimeMs, size, ino } = await stat(path).catch((cause: Error) => {
    throw unreadableFixture(path, cause);
  });
  return realClock.now() - ctimeMs < STAMP_MS ? undefined : [mtimeMs, ctimeMs, size, ino].join();
}

/** A file's text and its digest. */
async function readText(path: string): Promise<{ text: string; digest: string; stamp: string | undefined }> {
  const stamp = await stampOf(path);
  const bytes = await readBytes(path);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { text, digest: createHash('sha256').update(bytes).digest('hex'), stamp };
  } catch (cause) {
    throw new FixtureError(`${path}: not valid UTF-8; save the file as UTF-8`, { cause });
  }
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    const about = await stat(path);
    // Reading a pipe would never end.
    if (!about.isFile()) throw new FixtureError(`${path}: not a file; put the fixture's text there`);
    if (about.size > MAX_FIXTURE_BYTES) {
      throw new FixtureError(`${path}: ${about.size} bytes; a fixture file has at most ${MAX_FIXTURE_BYTES}`);
    }
    return await readFile(path);
  } catch (cause) {
    if (cause instanceof FixtureError) throw cause;
    throw unreadableFixture(path, cause as Error);
  }
}

const unreadableFixture = (path: string, cause: Error): FixtureError =>
  new FixtureError(`${path}: cannot be read: ${cause.message}`, { cause });
