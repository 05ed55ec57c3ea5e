/**
 * Reads a data directory back. A file that cannot be read stops the start, named, and is left as it is: it is never
 * taken for an empty one. What nothing points to any more (a write that a kill cut off, a branch that was about to be
 * deleted) is cleared away.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readTime } from '../clock.ts';
import type { JsonObject } from '../int64.ts';
import { compileSchema } from '../json-schema.ts';
import type { Pet } from '../pet.ts';
import { type Branch, type BranchPoint, growFrom, hold } from './branch.ts';
import { DataFileError, parseText, readText, writeWhole } from './data-file.ts';
import { clearEnded, splitEnded } from './ended.ts';
import { HEAD_SCHEMA, type HeadFile, type PointFile } from './head.ts';
import type { Kept, Snapshot } from './kept-store.ts';
import { LAYOUT_VERSION, layoutOf } from './layout.ts';
import { type PetFile, readPetFile } from './pet-file.ts';
import { weightOfPets } from './weight.ts';
import { type FixtureShelf, type World, withFirst, withPets, worldOf } from './world.ts';

/** What a directory held. */
export interface Loaded {
  /** Every sandbox. */
  readonly kept: readonly Kept[];
  /** How many files each branch has. */
  readonly files: ReadonlyMap<string, number>;
  /** Files whose last line a kill had cut off: it was taken out. */
  readonly mended: readonly string[];
  /** Why files of ended sandboxes could not be deleted. */
  readonly leftOver: readonly unknown[];
}

/** @throws {DataFileError} */
export async function loadDirectory(directory: string, fixtures: FixtureShelf): Promise<Loaded> {
  const layout = layoutOf(directory);
  checkVersion(layout.version);
  const heads = await readHeads(layout.sandboxes, fixtures);
  const branches = new Branches(layout);
  const { alive, ended } = splitEnded(layout, heads);
  const kept = alive.map(([path, head]) => keptOf(path, head, branches));
  // Only now: as long as something cannot be read, what else there is may help to mend it.
  for (const [path, text] of branches.mended) writeWhole(path, text);
  const leftOver = await clearEnded(layout, ended, (id) => branches.has(id));
  clearUnused(layout.added, branches);
  return { kept, files: branches.files, mended: [...branches.mended.keys()], leftOver };
}

function checkVersion(path: string): void {
  if (!existsSync(path)) return;
  const version = parseText(path, readText(path));
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
  readonly files = new Map<string, number>();
  /** Files that a kill cut off, with the text that they should have: written once everything was read. */
  readonly mended = new Map<string, string>();
  readonly #branches = new Map<string, { branch: Branch; pets: readonly Pet[] }>();
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
    let from = null as PointFile | null;
    let first = directory;
    const numbers = numbersOf(directory);
    if (numbers.length === 0) throw new DataFileError(path, `counts on pets in ${directory}, where no file is`);
    for (const [index, n] of numbers.entries()) {
      const file = this.#layout.pets(id, n);
      if (n !== index + 1) throw new DataFileError(file, `the file number ${index + 1} is missing before it`);
      const read = readPetFile(file, n === numbers.length);
      if (n === 1) [first, from] = [file, read.from];
      else if (from?.branch !== read.from?.branch || from?.size !== read.from?.size)
        throw new DataFileError(file, `"from" is another than in ${basename(first)}`);
      refuseDescending(file, pets.at(-1), read);
      pets.push(...read.pets);
      if (read.mended !== undefined) this.mended.set(file, read.mended);
    }
    // What follows goes into a file of its own: the last one may have been edited by hand.
    this.files.set(id, numbers.length);
    return { first, from, pets };
  }

  #add(branch: Branch, pets: readonly Pet[]): Branch {
    branch.bytes = weightOfPets(pets);
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

/** The numbers of a branch's files, in their order. */
function numbersOf(directory: string): number[] {
  const numbers = filesOf(directory).map((name) => {
    const [, n] = /^(\d{1,9})\.json$/.exec(name) ?? [];
    if (n === undefined) throw new DataFileError(join(directory, name), 'the name must be a number, like 1.json');
    return Number(n);
  });
  return numbers.sort((a, b) => a - b);
}

function refuseDescending(path: string, before: Pet | undefined, { pets }: PetFile): void {
  let last = before;
  for (const pet of pets) {
    if (last && pet.id <= last.id) throw new DataFileError(path, `the ids must ascend; ${pet.id} stands too late`);
    last = pet;
  }
}

/** Heads hold no number beyond 53 bits: the engine's own parser reads ten thousand of them in no time. */
function parseHead(path: string): unknown {
  const text = readText(path);
  try {
    return JSON.parse(text);
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
