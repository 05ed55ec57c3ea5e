/**
 * A queue that is fair between owners: they are served in turn, one item each, so that an owner with many items does
 * not block those with few. The items of one owner keep their order.
 */
export class RoundRobin<Item> {
  /** The owner whose turn is next comes first. No queue is empty. */
  readonly #lines = new Map<string, Item[]>();
  #size = 0;

  /** Items of all owners. */
  get size(): number {
    return this.#size;
  }

  has(owner: string): boolean {
    return this.#lines.has(owner);
  }

  push(owner: string, item: Item): void {
    const line = this.#lines.get(owner);
    if (line) line.push(item);
    else this.#lines.set(owner, [item]);
    this.#size += 1;
  }

  /** Takes the next item. @param may owners for which it returns false are skipped; they keep their turn */
  take(may: (owner: string) => boolean): { readonly owner: string; readonly item: Item } | undefined {
    for (const [owner, line] of this.#lines) {
      if (!may(owner)) continue;
      const item = line.shift() as Item;
      this.#size -= 1;
      this.#lines.delete(owner);
      if (line.length > 0) this.#lines.set(owner, line);
      return { owner, item };
    }
    return undefined;
  }

  /** Takes the next item, whosever it is. */
  shift(): Item | undefined {
    return this.take(always)?.item;
  }

  first(owner: string): Item | undefined {
    return this.#lines.get(owner)?.[0];
  }

  last(owner: string): Item | undefined {
    return this.#lines.get(owner)?.at(-1);
  }

  /** The last item of each owner. */
  lasts(): Item[] {
    return [...this.#lines.values()].map((line) => line.at(-1) as Item);
  }
}

const always = (): boolean => true;
