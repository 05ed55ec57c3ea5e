/** The existing sandboxes: by id, by key, and by origin. */
import { Families } from '../store/family.ts';
import { Doors, type Opened } from './doors.ts';
import { isActive, type Sandbox } from './sandbox.ts';

export class Registry {
  readonly #byId = new Map<string, Sandbox>();
  readonly #families = new Families();
  readonly doors = new Doors();

  get size(): number {
    return this.#byId.size;
  }

  all(): IterableIterator<Sandbox> {
    return this.#byId.values();
  }

  get(id: string): Sandbox | undefined {
    return this.#byId.get(id);
  }

  /** False after it has ended, for callers with a stale reference. */
  has(sandbox: Sandbox): boolean {
    return this.#byId.get(sandbox.id) === sandbox;
  }

  open(hash: string): Opened | undefined {
    return this.doors.open(hash);
  }

  /** Adds a sandbox; its keys open it once they are added to the doors. */
  add(sandbox: Sandbox): void {
    this.#byId.set(sandbox.id, sandbox);
    this.#families.add(sandbox.record);
  }

  /** Removes a sandbox. @returns a function that restores it */
  shut(sandbox: Sandbox): () => void {
    this.#byId.delete(sandbox.id);
    this.#families.delete(sandbox.record);
    const openDoors = this.doors.shut(sandbox);
    return () => {
      this.add(sandbox);
      openDoors();
    };
  }

  /** A sandbox and all its descendants, each after its origin. */
  familyOf({ id }: Sandbox): Sandbox[] {
    return this.#families.of(id).flatMap((member) => this.#byId.get(member) ?? []);
  }

  /**
   * The number of forks that lead to a sandbox, counted up to `most`: chains from older versions may have any length.
   */
  depthOf(sandbox: Sandbox, most: number): number {
    let depth = 0;
    for (let at: Sandbox | undefined = sandbox; at?.record.forkOf && depth < most; depth++)
      at = this.#byId.get(at.record.forkOf);
    return depth;
  }

  /** True if no key opens it any more, or its origin is gone. `now` in milliseconds since 1970. */
  isOver({ record }: Sandbox, now: number): boolean {
    if (record.preconfigured) return false;
    if (record.forkOf !== null && !this.#byId.has(record.forkOf)) return true;
    return !record.keys.some((key) => isActive(key, now));
  }
}
