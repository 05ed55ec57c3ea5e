/**
 * A queue that is fair between owners (usually sandboxes): they are served in turn, one item each, so that an owner with
 * many items does not block those with few. The items of one owner keep their order.
 */
export class RoundRobin<Item> {
  /** The owner whose turn is next comes first. No line is empty. */
  readonly #lines = new Map<string, Item[]>();
  #size = 0;

  /** Items of all owners. */
  get size(): number {
    return this.#size;
  }

  push(owner: string, item: Item): void {
    const line = this.#lines.get(owner);
    if (line) line.push(item);
    else this.#lines.set(owner, [item]);
    this.#size += 1;
  }

  /** Takes the next item. @param may items for which it returns false are skipped; their owners keep their turn */
  shift(may: (item: Item) => boolean = always): Item | undefined {
    for (const [owner, line] of this.#lines) {
      if (!may(line[0] as Item)) continue;
      const item = line.shift() as Item;
      this.#size -= 1;
      this.#lines.delete(owner);
      if (line.length > 0) this.#lines.set(owner, line);
      return item;
    }
    return undefined;
  }
}

const always = (): boolean => true;
