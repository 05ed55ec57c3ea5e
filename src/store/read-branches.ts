/** Reads the branches that heads point to, each once, with all that they grew from. */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { Pet } from '../pet.ts';
import { type Branch, type BranchPoint, growFrom } from './branch.ts';
import { DataFileError, missing } from './data-file.ts';
import { type Leftovers, numbersIn } from './directory.ts';
import type { HeadFile, PointFile } from './head.ts';
import type { Layout } from './layout.ts';
import { type Mended, type PetFile, readPetFile } from './pet-file.ts';
import { weightOfPets } from './weight.ts';
import { type World, withFirst, withPets, worldOf } from './world.ts';

/** What the files of a branch say, and the path of the first of them. */
interface BranchFiles {
  readonly first: string;
  readonly from: PointFile | null;
  readonly pets: readonly Pet[];
}

export interface BranchesOptions {
  readonly layout: Layout;
  /** The branches that sandboxes add to. No other can have been cut off by a kill. */
  readonly growing: ReadonlySet<string>;
  readonly leftovers: Leftovers;
}

export class Branches {
  /** How many files each branch has. */
  readonly files = new Map<string, number>();
  /** Files whose end is not whole: mended once everything was read. */
  readonly mended = new Map<string, Mended>();
  readonly #branches = new Map<string, { branch: Branch; pets: readonly Pet[] }>();
  /** Worlds of whole branches built so far, so that points into one branch share their memory. */
  readonly #worlds = new Map<string, World>();
  readonly #options: BranchesOptions;

  constructor(options: BranchesOptions) {
    this.#options = options;
  }

  has(id: string): boolean {
    return this.#branches.has(id);
  }

  /**
   * A sandbox's own branch, with at least as many files as its head knows of. Its directory is made before its first
   * file, so that a kill, or a full disk, may leave an empty one.
   *
   * @param path the head's
   */
  own(path: string, { branch: id, from, files }: HeadFile['added']): Branch {
    const point = from ? this.point(path, from) : undefined;
    const numbers = numbersIn(this.#options.layout.branch(id), this.#options.leftovers);
    if (numbers.length < files) throw this.#missingFile(path, id, numbers);
    if (numbers.length === 0) return this.#add(growFrom(point, id), []);
    const branch = this.#read(path, id);
    if (branch.from?.branch.id !== from?.branch || branch.from?.size !== from?.size)
      throw new DataFileError(path, `"from" of "added" is another than in ${this.#options.layout.pets(id, 1)}`);
    return branch;
  }

  /** @param path the file that names the point */
  point(path: string, point: PointFile): BranchPoint {
    return this.#checked(path, point, this.#read(path, point.branch));
  }

  sizeOf(branch: Branch): number {
    return (branch.from?.size ?? 0) + (this.#branches.get(branch.id)?.pets.length ?? 0);
  }

  /** All pets that were read, and their bytes as JSON. */
  totals(): { pets: number; bytes: number } {
    const all = [...this.#branches.values()];
    return {
      pets: all.reduce((sum, { pets }) => sum + pets.length, 0),
      bytes: all.reduce((sum, { branch }) => sum + branch.bytes, 0),
    };
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

  #checked(path: string, { branch: id, size }: PointFile, branch: Branch): BranchPoint {
    const [least, most] = [branch.from?.size ?? 0, this.sizeOf(branch)];
    if (size > most) {
      const next = this.#options.layout.pets(id, (this.files.get(id) ?? 0) + 1);
      throw new DataFileError(path, `counts on ${size} pets of ${id}, where ${most} are; ${next} may be missing`);
    }
    if (size < least) throw new DataFileError(path, `counts on ${size} pets of ${id}, which begins with ${least}`);
    return { branch, size };
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

  /** @param path the file that counts on them */
  #readFiles(path: string, id: string): BranchFiles {
    const { layout, growing, leftovers } = this.#options;
    const numbers = numbersIn(layout.branch(id), leftovers);
    if (numbers.length === 0 || numbers.at(-1) !== numbers.length) throw this.#missingFile(path, id, numbers);
    const pets: Pet[] = [];
    const first = layout.pets(id, 1);
    let from = null as PointFile | null;
    for (const n of numbers) {
      const file = layout.pets(id, n);
      const read = readPetFile(file, growing.has(id) && n === numbers.length);
      if (n === 1) from = read.from;
      else if (from?.branch !== read.from?.branch || from?.size !== read.from?.size)
        throw new DataFileError(file, `"from" is another than in ${basename(first)}`);
      refuseDescending(file, pets.at(-1), read);
      pets.push(...read.pets);
      if (read.mended) this.mended.set(file, read.mended);
    }
    // What follows goes into a file of its own: the last one may have been edited by hand.
    this.files.set(id, numbers.length);
    return { first, from, pets };
  }

  /** Names the first file that is not there, or the folder that held it. */
  #missingFile(path: string, id: string, numbers: readonly number[]): DataFileError {
    const { layout } = this.#options;
    const n = numbers.findIndex((number, index) => number !== index + 1);
    const file = layout.pets(id, n < 0 ? numbers.length + 1 : n + 1);
    if (existsSync(layout.branch(id))) return missing(file, `${path} counts on it`);
    if (existsSync(layout.lost(id)))
      return missing(layout.branch(id), `${path} counts on it; an earlier start moved it to ${layout.lost(id)}`);
    return missing(existsSync(layout.added) ? layout.branch(id) : layout.added, `${path} counts on ${file}`);
  }

  #add(branch: Branch, pets: readonly Pet[]): Branch {
    branch.bytes = weightOfPets(pets);
    this.#branches.set(branch.id, { branch, pets });
    return branch;
  }
}

function refuseDescending(path: string, before: Pet | undefined, { pets }: PetFile): void {
  let last = before;
  for (const pet of pets) {
    if (last && pet.id <= last.id) throw new DataFileError(path, `the ids must ascend; ${pet.id} stands too late`);
    last = pet;
  }
}
