/** The fixtures that sandboxes start from: all validated at start, each loaded on first use and then shared. */

import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { TextDecoder } from 'node:util';
import { type Fixture, type FixtureShelf, INLINE } from '../store/fixture.ts';
import { Pets } from '../store/pets.ts';
import { FixtureError, readFixture } from './fixture-file.ts';
import { MAX_FIXTURE_BYTES } from './fixture-text.ts';
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
   * The fixture, frozen: read and built on the first call, then shared.
   * @throws {FixtureError} if there is none of that name, or its file was changed, damaged or removed since the start.
   * The next call tries again.
   */
  load(name: string): Promise<Fixture>;
  /** The fingerprint of its text: the SHA-256, as hex. @throws {FixtureError} if there is none of that name */
  fingerprintOf(name: string): string;
  /** Its text, as it was at the start. @throws {FixtureError} as `load` */
  textOf(name: string): Promise<string>;
}

/** All files are opened at once. */
const MAX_FILES = 200;

const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

interface FixtureFile {
  readonly path: string;
  /** Detects whether the file is still the validated one. */
  readonly digest: string;
  readonly summary: FixtureSummary;
}

/**
 * Validates and lists every fixture file of the directories. Their pets are discarded until a sandbox needs them. Files
 * that do not end in `.json`, `*.schema.json`, dotfiles and subdirectories are ignored.
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
  return fixturesOf(new Map(files));
}

function fixturesOf(files: ReadonlyMap<string, FixtureFile>): Fixtures {
  const summaries = Object.freeze([...files.keys()].sort().map((name) => (files.get(name) as FixtureFile).summary));
  const loads = new Map<string, Promise<Fixture>>();
  const loaded = new Map<string, Fixture>();
  const fileOf = (name: string): FixtureFile => {
    const file = files.get(name);
    if (file) return file;
    throw new FixtureError(`there is no fixture of that name; there are ${[...files.keys()].join(', ')}`);
  };
  return {
    list: () => summaries,
    has: (name) => files.has(name),
    get: (name) => loaded.get(name),
    async load(name) {
      const file = fileOf(name);
      let load = loads.get(name);
      if (load === undefined) {
        load = loadFile(file);
        loads.set(name, load);
        load.then(
          (fixture) => loaded.set(name, fixture),
          () => loads.delete(name),
        );
      }
      return await load;
    },
    publish: (name) => name,
    fingerprintOf: (name) => fileOf(name).digest,
    textOf: async (name) => unchanged(fileOf(name)),
  };
}

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
    throw new FixtureError(`${directory}: not a directory of fixtures that can be read: ${cause.message}`, { cause });
  });
  const names = entries
    .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .filter((name) => name.endsWith('.json') && !name.endsWith('.schema.json'))
    .sort();
  if (names.length <= MAX_FILES) return names;
  throw new FixtureError(`${directory}: ${names.length} fixture files; a directory has at most ${MAX_FILES}`);
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
  const { text, digest } = await readText(path);
  const { description, pets, generate } = readFixture(text, path);
  return { path, digest, summary: Object.freeze({ name, description, count: generate?.count ?? pets.length }) };
}

/** Its text, if it is still the validated one. */
async function unchanged({ path, digest }: FixtureFile): Promise<string> {
  const now = await readText(path);
  if (now.digest === digest) return now.text;
  throw new FixtureError(`${path}: changed since the start; restart to have it checked and used, or put it back`);
}

async function loadFile(file: FixtureFile): Promise<Fixture> {
  return fixtureOfText(file.summary.name, await unchanged(file), file.path);
}

/** Builds a fixture from the text of its file. @param path named in errors */
export async function fixtureOfText(name: string, text: string, path: string): Promise<Fixture> {
  const file = readFixture(text, path);
  const { nextId, pets } = await newFixture(file);
  return Object.freeze({ name, description: file.description, nextId, pets: Pets.of(pets) });
}

/** A file's text and its digest. */
async function readText(path: string): Promise<{ text: string; digest: string }> {
  const bytes = await readBytes(path);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { text, digest: createHash('sha256').update(bytes).digest('hex') };
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
