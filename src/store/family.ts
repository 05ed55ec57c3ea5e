/** Which sandboxes were forked from which. A sandbox and all its descendants are a family, which ends together. */

/** A sandbox as a member of a family. */
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

  /** The ids of a sandbox and all its descendants, each after its origin. */
  of(id: string): string[] {
    const family = new Set([id]);
    // The iteration includes elements added to the set during the loop. No recursion: data directories may contain
    // chains of any length, and after manual edits even cycles.
    for (const member of family) for (const fork of this.#forks.get(member) ?? []) family.add(fork);
    return [...family];
  }
}
