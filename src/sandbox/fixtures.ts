/**
 * The fixtures that sandboxes start from: all validated at start, each loaded on first use and then shared. A reset reads a
 * file of the user again.
 */

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { TextDecoder } from 'node:util';
import { ApiError } from '../base/api/errors.ts';
import { withoutPath } from '../base/files.ts';
import { MAX_FIXTURE_BYTES, MAX_FIXTURE_FILES } from '../base/limits.ts';
import { ownCommand } from '../base/own-command.ts';
import { builtFixtures } from '../base/shipped.ts';
import { fileName, shorten } from '../base/text.ts';
import { FixtureError, readFixture } from './fixture-file.ts';
import { newFixture } from './new-fixture.ts';
import { type Fixture, type FixtureShelf, INLINE } from './store/fixture.ts';
import { Pets } from './store/pets.ts';

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
}

const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

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
  const paths = [
    ...(await fixtureFilesIn(shipped)).map((path) => ({ path, isShipped: true })),
    ...(extra === undefined ? [] : await fixtureFilesIn(extra)).map((path) => ({ path, isShipped: false })),
  ];
  // All files are read, so that all problems are named.
  const checks = await Promise.allSettled(paths.map(({ path, isShipped }) => checkFile(path, isShipped)));
  const wrong = checks.flatMap((check) => (check.status === 'rejected' ? [check.reason as unknown] : []));
  const other = wrong.find((reason) => !(reason instanceof FixtureError));
  if (other !== undefined) throw other;
  if (wrong.length > 0) throw new FixtureError(wrong.map((reason) => (reason as FixtureError).message).join('\n'));
  const files = new Map(
    checks.flatMap((check) => (check.status === 'fulfilled' ? [[check.value.summary.name, check.value] as const] : [])),
  );
  const names = [...files.keys()].sort();
  const fileOf = (name: string): FixtureFile => {
    const file = files.get(name);
    if (!file) throw new FixtureError(`there is no fixture of that name; there are ${names.join(', ')}`);
    return file;
  };
  return {
    list: () => names.map((name) => (files.get(name) as FixtureFile).summary),
    has: (name) => files.has(name),
    load: async (name) => fileOf(name).load(),
    reload: async (name) => fileOf(name).reload(),
  };
}

/** Characters of what is wrong with a file. */
const MAX_WHY = 1_000;

/** A validated file, and what was last made of its text. */
class FixtureFile {
  summary: FixtureSummary;
  readonly #path: string;
  readonly #isShipped: boolean;
  #digest: string | undefined;
  #fixture: Fixture | undefined;
  #reading: Promise<Fixture> | undefined;

  constructor(path: string, isShipped: boolean, text: string, name: string) {
    this.#path = path;
    this.#isShipped = isShipped;
    const { description, pets, generate } = readFixture(text, path);
    this.summary = Object.freeze({ name, description, count: generate?.count ?? pets.length });
  }

  /** As it was last read. @throws {ApiError} `conflict` if it cannot be read any more */
  async load(): Promise<Fixture> {
    return this.#fixture ?? this.reload();
  }

  /** As the file is now: the same value for all, until it changes. @throws {ApiError} `conflict` if it cannot be used */
  async reload(): Promise<Fixture> {
    if (this.#fixture && this.#isShipped) return this.#fixture;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<Fixture> {
    const { name } = this.summary;
    try {
      const built = join(builtFixtures, basename(this.#path));
      const text = await readText(this.#isShipped && existsSync(built) ? built : this.#path);
      const digest = createHash('sha256').update(text).digest('hex');
      if (this.#fixture && digest === this.#digest) return this.#fixture;
      const { description, ...content } = readFixture(text, this.#path);
      const { nextId, pets } = await newFixture({ ...content, description });
      this.#fixture = Object.freeze({ name, description, nextId, pets: Pets.of(pets), isInline: false });
      this.summary = Object.freeze({ name, description, count: pets.length });
      this.#digest = digest;
      return this.#fixture;
    } catch (cause) {
      if (!(cause instanceof FixtureError)) throw cause;
      // Where the file is, is for the operator alone.
      const why = cause.message.replaceAll(this.#path, `${name}.json`).replaceAll('\n', '; ');
      throw new ApiError('conflict', `the fixture ${name} has changed, and cannot be used: ${shorten(why, MAX_WHY)}`);
    }
  }
}

/** Files that somebody takes for a fixture. */
const UNREAD = /^[^.].*\.(?:csv|tsv|json|jsonc|json5|jsonl|ndjson)$/i;

/** The paths of its fixture files, sorted. */
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
      `${join(directory, other)}: only files that end in .json are read; seed a sandbox with it (reset --fixture-file), and write the file with: ${ownCommand('export --format fixture --out NAME.json')}`,
    );
  if (names.length <= MAX_FIXTURE_FILES) return names.map((name) => join(directory, name));
  throw new FixtureError(`${directory}: ${names.length} fixture files; a directory has at most ${MAX_FIXTURE_FILES}`);
}

async function checkFile(path: string, isShipped: boolean): Promise<FixtureFile> {
  const name = basename(path, '.json');
  if (!NAME.test(name)) {
    throw new FixtureError(
      `${path}: the name before .json must be 1 to 64 of a-z, 0-9, _ and -, and begin with a letter or a digit; rename the file`,
    );
  }
  if (name === INLINE) {
    throw new FixtureError(`${path}: ${name} is the name of fixtures that come with a request; rename the file`);
  }
  return new FixtureFile(path, isShipped, await readText(path), name);
}

async function readText(path: string): Promise<string> {
  const bytes = await readBytes(path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
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
    throw new FixtureError(`${path}: cannot be read: ${(cause as Error).message}`, { cause });
  }
}
