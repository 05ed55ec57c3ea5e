/** Which sandboxes were forked from which. A sandbox and everything that descends from it is a family, and ends as one. */

/** What families know of a sandbox. */
export interface Member {
  readonly id: string;
  /** The sandbox that it was forked from. */
  readonly forkOf: string | null;
}

/** Finds the forks of a sandbox without a search through all sandboxes. */
export class Families {
  readonly #forks = new Map<string, Set<string>>();

  add({ id, forkOf }: Member): void {
    if (forkOf === null) return;
    const forks = this.#forks.get(forkOf);
    if (forks) forks.add(id);
    else this.#forks.set(forkOf, new Set([id]));
  }

  delete({ id, forkOf }: Member): void {
    if (forkOf === null) return;
    const forks = this.#forks.get(forkOf);
    forks?.delete(id);
    if (forks?.size === 0) this.#forks.delete(forkOf);
  }

  /** The ids of a sandbox and of everything that descends from it, each after its origin. */
  of(id: string): string[] {
    const family = new Set([id]);
    // A set that grows during the loop is walked to its end. No recursion: data directories may hold chains of any
    // length, and after an edit by hand even circles.
    for (const member of family) for (const fork of this.#forks.get(member) ?? []) family.add(fork);
    return [...family];
  }
}
