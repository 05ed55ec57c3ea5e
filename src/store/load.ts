/**
 * Reads a data directory back. A file that cannot be read stops the start, named, and is left as it is: it is never
 * taken for an empty one. What nothing points to any more (a write that a kill cut off, a branch that was about to be
 * deleted) is cleared away.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readTime } from '../clock.ts';
import { type JsonObject, type JsonValue, parseJson } from '../int64.ts';
import { compileSchema } from '../json-schema.ts';
import { type Pet, readPet } from '../pet.ts';
import { type Branch, type BranchPoint, bytesOf, growFrom, hold } from './branch.ts';
import { HEAD_SCHEMA, type HeadFile, type PointFile } from './head.ts';
import type { Kept, Snapshot } from './kept-store.ts';
import { type Chunk, type ChunkName, LAYOUT_VERSION, layoutOf } from './layout.ts';
import { type FixtureShelf, type World, withFirst, withPets, worldOf } from './world.ts';

/** A file of the data directory that cannot be read, with the reason. */
export class DataFileError extends Error {
  constructor(path: string, reason: string, options?: ErrorOptions) {
    super(`${path}: ${reason}. The file was left as it is; mend it, or move it away`, options);
  }
}

/** What a directory held: every sandbox, and for each branch the file that is still being filled. */
export interface Loaded {
  readonly kept: readonly Kept[];
  readonly chunks: ReadonlyMap<string, Chunk>;
}

/** @throws {DataFileError} */
export async function loadDirectory(directory: string, fixtures: FixtureShelf): Promise<Loaded> {
  const layout = layoutOf(directory);
  checkVersion(layout.version);
  const heads = await readHeads(layout.sandboxes, fixtures);
  const branches = new Branches(layout);
  const kept = heads.map(([path, head]) => keptOf(path, head, branches));
  // Only now: as long as something cannot be read, what else there is may help to mend it.
  for (const path of branches.outdated) rmSync(path, { force: true });
  clearUnused(layout.added, branches);
  return { kept, chunks: branches.chunks };
}

function checkVersion(path: string): void {
  if (!existsSync(path)) return;
  const version = readJson(path);
  const layout = typeof version === 'object' && version !== null ? (version as JsonObject)['layout'] : undefined;
  if (layout === BigInt(LAYOUT_VERSION)) return;
  throw new DataFileError(
    path,
    `this program reads layout ${LAYOUT_VERSION}; the directory has another (${String(layout)})`,
  );
}

async function readHeads(directory: string, fixtures: FixtureShelf): Promise<[path: string, head: HeadFile][]> {
  const names = filesOf(directory);
  if (names.length === 0) return [];
  const check = await headChecker();
  return names.map((name) => {
    const path = join(directory, name);
    const head = parseHead(path);
    const reason = check(head);
    if (reason !== undefined) throw new DataFileError(path, reason);
    const checked = head as HeadFile;
    if (`${checked.id}.json` !== name)
      throw new DataFileError(path, `id is ${checked.id}, but the file's name says otherwise`);
    for (const used of [checked.fixture, ...Object.values(checked.snapshots).map((snapshot) => snapshot.fixture)]) {
      if (!fixtures.has(used))
        throw new DataFileError(path, `there is no fixture named ${used}; bring it back with --fixtures`);
    }
    return [path, checked];
  });
}

/** The validator is loaded only where there is something to check: a first start has nothing. */
async function headChecker(): Promise<(head: unknown) => string | undefined> {
  const validate = await compileSchema(HEAD_SCHEMA);
  return (head) => {
    if (validate(head)) return undefined;
    const error = validate.errors?.[0];
    return `${error?.instancePath || 'the file'} ${error?.message ?? 'is not as it should be'}`;
  };
}

function keptOf(path: string, head: HeadFile, branches: Branches): Kept {
  const pointOf = (point: PointFile | null): BranchPoint | undefined =>
    point ? branches.point(path, point) : undefined;
  const branch = branches.own(path, head.added.branch, pointOf(head.added.from));
  const snapshots = new Map<string, Snapshot>(
    Object.entries(head.snapshots).map(([name, { createdAt, fixture, clock, faults, added }]) => {
      const point = pointOf(added);
      const world = branches.world(fixture, point);
      return [name, { createdAt: timeOf(createdAt), world, point, clock, faults }];
    }),
  );
  return {
    record: {
      id: head.id,
      label: head.label,
      createdAt: timeOf(head.createdAt),
      expiresAt: timeOrNull(head.expiresAt),
      fixed: head.fixed,
      forkOf: head.forkOf,
      keys: head.keys.map((key) => ({
        ...key,
        createdAt: timeOf(key.createdAt),
        expiresAt: timeOrNull(key.expiresAt),
        revokedAt: timeOrNull(key.revokedAt),
      })),
      clock: head.clock,
      faults: head.faults,
    },
    world: branches.world(head.fixture, { branch, size: branches.sizeOf(branch) }),
    branch,
    snapshots,
    holds: hold([branch, ...[...snapshots.values()].flatMap(({ point }) => (point ? [point.branch] : []))]),
  };
}

/** The branches that were read, each once. */
class Branches {
  readonly chunks = new Map<string, Chunk>();
  readonly #branches = new Map<string, { branch: Branch; pets: readonly Pet[] }>();
  /** Older states of files, which a kill left behind: to be deleted once everything was read. */
  readonly outdated: string[] = [];
  /** Worlds of whole branches built so far, so that points into one branch share their memory. */
  readonly #worlds = new Map<string, World>();
  readonly #layout: ReturnType<typeof layoutOf>;

  constructor(layout: ReturnType<typeof layoutOf>) {
    this.#layout = layout;
  }

  has(id: string): boolean {
    return this.#branches.has(id);
  }

  /**
   * A sandbox's own branch: it has no file until something is added. Its directory is made before its first file, so
   * that a kill, or a full disk, may leave an empty one.
   */
  own(path: string, id: string, from: BranchPoint | undefined): Branch {
    const files = filesOf(this.#layout.branch(id)).length > 0;
    return files ? this.#read(path, id) : this.#add(growFrom(from, id), []);
  }

  point(path: string, point: PointFile): BranchPoint {
    return this.#checked(path, point, this.#read(path, point.branch));
  }

  #checked(path: string, { branch: id, size }: PointFile, branch: Branch): BranchPoint {
    const [least, most] = [branch.from?.size ?? 0, this.sizeOf(branch)];
    if (size > most) throw new DataFileError(path, `counts on ${size} pets of ${id}, where ${most} are`);
    if (size < least) throw new DataFileError(path, `counts on ${size} pets of ${id}, which begins with ${least}`);
    return { branch, size };
  }

  sizeOf(branch: Branch): number {
    return (branch.from?.size ?? 0) + (this.#branches.get(branch.id)?.pets.length ?? 0);
  }

  /** The world of a fixture and the first pets of a branch. */
  world(fixture: string, point: BranchPoint | undefined): World {
    if (!point) return worldOf(fixture);
    const keyOf = (branch: Branch): string => `${fixture} ${branch.id}`;
    // From the nearest branch that is built already upwards: chains may be longer than a call stack is deep.
    const chain: Branch[] = [];
    for (let at: Branch | undefined = point.branch; at && !this.#worlds.has(keyOf(at)); at = at.from?.branch)
      chain.push(at);
    for (const branch of chain.reverse()) {
      const whole = branch.from && this.#worlds.get(keyOf(branch.from.branch));
      const base = whole ? withFirst(whole, branch.from?.size ?? 0) : worldOf(fixture);
      this.#worlds.set(keyOf(branch), withPets(base, this.#branches.get(branch.id)?.pets ?? []));
    }
    return withFirst(this.#worlds.get(keyOf(point.branch)) ?? worldOf(fixture), point.size);
  }

  /** The branch with all that it grew from, the deepest first. */
  #read(path: string, id: string): Branch {
    const chain = new Map<string, BranchFiles>();
    let [next, wantedBy]: [string | undefined, string] = [id, path];
    while (next !== undefined && !this.#branches.has(next)) {
      if (chain.has(next)) throw new DataFileError(wantedBy, `grows from ${next}, which grows from it`);
      const files = this.#readFiles(wantedBy, next);
      chain.set(next, files);
      wantedBy = files.first;
      next = files.from?.branch;
    }
    for (const [each, { first, from, pets }] of [...chain].reverse()) {
      const point = from && this.#checked(first, from, this.#known(from.branch));
      const [own] = pets;
      if (point && own && own.id <= this.#lastOf(point).id)
        throw new DataFileError(first, `the ids must ascend; ${own.id} stands too late`);
      this.#add(growFrom(point ?? undefined, each), pets);
    }
    return this.#known(id);
  }

  /** The last pet before a point, which is never at the very beginning. */
  #lastOf({ branch, size }: BranchPoint): Pet {
    let at: BranchPoint = { branch, size };
    while (at.branch.from && at.branch.from.size === at.size) at = at.branch.from;
    const own = this.#branches.get(at.branch.id)?.pets ?? [];
    return own[at.size - (at.branch.from?.size ?? 0) - 1] as Pet;
  }

  #known(id: string): Branch {
    return (this.#branches.get(id) as { branch: Branch }).branch;
  }

  #readFiles(path: string, id: string): BranchFiles {
    const directory = this.#layout.branch(id);
    if (!existsSync(directory)) throw new DataFileError(path, `counts on pets in ${directory}, which is not there`);
    const pets: Pet[] = [];
    let from: PointFile | null = null;
    let first = directory;
    const { newest, outdated } = chunksOf(directory);
    if (newest.length === 0) throw new DataFileError(path, `counts on pets in ${directory}, where no file is`);
    this.outdated.push(...outdated);
    newest.forEach(({ n, pets: count }, index) => {
      const chunkPath = this.#layout.chunk(id, { n, pets: count });
      if (n !== index + 1) throw new DataFileError(chunkPath, `the file number ${index + 1} is missing before it`);
      const chunk = readChunk(chunkPath);
      if (n === 1) [first, from] = [chunkPath, chunk.from];
      else if (from?.branch !== chunk.from?.branch || from?.size !== chunk.from?.size)
        throw new DataFileError(chunkPath, `"from" is another than in ${basename(first)}`);
      const previous = pets.at(-1);
      const unordered = chunk.pets.find(
        (pet, i) => pet.id <= ((i === 0 ? previous : chunk.pets[i - 1])?.id ?? pet.id - 1n),
      );
      if (unordered) throw new DataFileError(chunkPath, `the ids must ascend; ${unordered.id} stands too late`);
      pets.push(...chunk.pets);
      // What follows goes into a file of its own: the last one may have been edited by hand.
      this.chunks.set(id, { n: n + 1, text: '', pets: 0 });
    });
    return { first, from, pets };
  }

  #add(branch: Branch, pets: readonly Pet[]): Branch {
    branch.bytes = bytesOf(pets);
    this.#branches.set(branch.id, { branch, pets });
    return branch;
  }
}

/** What the files of a branch say, and the path of the first of them. */
interface BranchFiles {
  readonly first: string;
  readonly from: PointFile | null;
  readonly pets: readonly Pet[];
}

/** The files of a branch in their order. Of two states of one file, a kill left the older behind. */
function chunksOf(directory: string): { newest: ChunkName[]; outdated: string[] } {
  const newest = new Map<number, number>();
  for (const name of filesOf(directory)) {
    const [, n, pets] = /^(\d{1,9})-(\d{1,9})\.json$/.exec(name) ?? [];
    if (n === undefined) throw new DataFileError(join(directory, name), 'the name must be like 1-100.json');
    newest.set(Number(n), Math.max(Number(pets), newest.get(Number(n)) ?? 0));
  }
  const outdated = filesOf(directory).filter((name) => {
    const [n, pets] = name.replace('.json', '').split('-').map(Number) as [number, number];
    return newest.get(n) !== pets;
  });
  return {
    newest: [...newest].map(([n, pets]) => ({ n, pets })).sort((a, b) => a.n - b.n),
    outdated: outdated.map((name) => join(directory, name)),
  };
}

function readChunk(path: string): { from: PointFile | null; pets: Pet[] } {
  const value = readJson(path);
  const file = typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
  const { from, pets } = file;
  if (!Array.isArray(pets)) throw new DataFileError(path, 'must be an object with "pets", an array');
  const read = pets.map((pet, index) => {
    const reading = readPet(pet, `pets[${index}]`);
    if (reading.ok) return reading.value;
    throw new DataFileError(path, reading.problems.map(({ place, message }) => `${place} ${message}`).join('; '));
  });
  return { from: pointOfChunk(path, from), pets: read };
}

function pointOfChunk(path: string, from: JsonValue | undefined): PointFile | null {
  if (from === null || from === undefined) return null;
  const { branch, size } = from as JsonObject;
  if (typeof branch === 'string' && /^brn_[A-Za-z0-9]{1,64}$/.test(branch) && typeof size === 'bigint' && size > 0n) {
    return { branch, size: Number(size) };
  }
  throw new DataFileError(path, '"from" must be null or {"branch", "size"}');
}

function readJson(path: string): JsonValue {
  try {
    return parseJson(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new DataFileError(path, (error as Error).message, { cause: error });
  }
}

/** Heads hold no number beyond 53 bits: the engine's own parser reads ten thousand of them in no time. */
function parseHead(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new DataFileError(path, (error as Error).message, { cause: error });
  }
}

/** The JSON files of a directory; temporary files of writes that never ended are cleared. */
function filesOf(directory: string): string[] {
  if (!existsSync(directory)) return [];
  const names: string[] = [];
  for (const name of readdirSync(directory)) {
    if (/^\..*\.json\.tmp$/.test(name)) rmSync(join(directory, name), { force: true });
    else if (name.endsWith('.json')) names.push(name);
  }
  return names;
}

function clearUnused(directory: string, branches: Branches): void {
  if (!existsSync(directory)) return;
  for (const name of readdirSync(directory)) {
    if (/^brn_[A-Za-z0-9]{1,64}$/.test(name) && !branches.has(name))
      rmSync(join(directory, name), { recursive: true, force: true });
  }
}

const timeOf = (text: string): number => readTime(text) ?? 0;
const timeOrNull = (text: string | null): number | null => (text === null ? null : timeOf(text));
