/** The fixtures that sandboxes start from: all checked at start, each loaded when first used and then shared. */
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Pet, petOf } from '../pet.ts';
import { eachStatus, type Fixture, type FixtureShelf } from '../store/world.ts';
import { type FixtureContent, FixtureError, readFixture } from './fixture-file.ts';
import { generatePets } from './generate.ts';

/** What lists of fixtures show. */
export interface FixtureSummary {
  readonly name: string;
  readonly description: string;
  /** How many pets it holds. */
  readonly count: number;
}

/** All fixtures by name. */
export interface Fixtures extends FixtureShelf {
  /** In the order of their names. */
  list(): readonly FixtureSummary[];
  has(name: string): boolean;
  /**
   * The fixture, frozen: read and made on the first call, one copy for all who ask.
   *
   * @throws {FixtureError} when there is none of that name, or its file changed, broke or went since the start. The
   * next call tries again.
   */
  load(name: string): Promise<Fixture>;
}

/** The longest fixture file: about 300,000 pets. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;

/** All are opened at once. */
const MAX_FILES = 200;

const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

interface FixtureFile {
  readonly path: string;
  /** What tells whether the file is still the one that was checked. */
  readonly digest: string;
  readonly summary: FixtureSummary;
}

/**
 * Checks every fixture file of the directories and lists them. Their pets are let go again until a sandbox needs them.
 * Files that do not end in `.json`, `*.schema.json`, dotfiles and subdirectories are none of ours.
 *
 * @param shipped the directory that comes with the sandbox
 * @param extra a directory that adds to it, and wins on the same name
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
  return {
    list: () => summaries,
    has: (name) => files.has(name),
    get: (name) => loaded.get(name),
    async load(name) {
      const file = files.get(name);
      if (file === undefined) {
        throw new FixtureError(`there is no fixture of that name; there are ${[...files.keys()].join(', ')}`);
      }
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
  };
}

/** One entry for each file, in the order of their names: what is wrong is data here, so that all of it can be told. */
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
  const { text, digest } = await readText(path);
  const { description, pets, generate } = readFixture(text, path);
  return { path, digest, summary: Object.freeze({ name, description, count: generate?.count ?? pets.length }) };
}

async function loadFile({ path, digest, summary }: FixtureFile): Promise<Fixture> {
  const now = await readText(path);
  if (now.digest !== digest) {
    throw new FixtureError(`${path}: changed since the start; restart to have it checked and used, or put it back`);
  }
  const content = readFixture(now.text, path);
  return fixtureOf(summary, content, await petsOf(content));
}

async function petsOf({ pets, generate }: FixtureContent): Promise<Pet[]> {
  if (generate === undefined) return [...pets];
  const made: Pet[] = [];
  for await (const slice of generatePets(generate)) {
    for (const newPet of slice) made.push(petOf(BigInt(made.length + 1), newPet));
  }
  return made;
}

function fixtureOf({ name, description }: FixtureSummary, { nextId }: FixtureContent, pets: Pet[]): Fixture {
  pets.sort((a, b) => (a.id < b.id ? -1 : 1));
  const byStatus = eachStatus<Pet[]>(() => []);
  for (const pet of pets) {
    Object.freeze(pet);
    if (pet.status !== undefined) byStatus[pet.status].push(pet);
  }
  for (const shared of [pets, byStatus, ...Object.values(byStatus)]) Object.freeze(shared);
  return Object.freeze({
    name,
    description,
    // Above the largest int64 it says that no id is left.
    nextId: nextId ?? (pets.at(-1)?.id ?? 0n) + 1n,
    pets,
    byStatus,
    find: (id: bigint) => findById(pets, id),
  });
}

function findById(pets: readonly Pet[], id: bigint): Pet | undefined {
  let low = 0;
  let high = pets.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const pet = pets[middle] as Pet;
    if (pet.id === id) return pet;
    if (pet.id < id) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}

/** A file's text, and what tells it from any other text. */
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
    if (about.size > MAX_FILE_BYTES) {
      throw new FixtureError(`${path}: ${about.size} bytes; a fixture file has at most ${MAX_FILE_BYTES}`);
    }
    return await readFile(path);
  } catch (cause) {
    if (cause instanceof FixtureError) throw cause;
    throw new FixtureError(`${path}: cannot be read: ${(cause as Error).message}`, { cause });
  }
}
