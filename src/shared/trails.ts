/** What controls changed in sandboxes, in the log of their family. */
import type { Start, Trails } from '../sandbox/trail.ts';
import type { Families } from './families.ts';

export class SharedTrails implements Trails {
  readonly #families: Families;

  constructor(families: Families) {
    this.#families = families;
  }

  change(id: string, change: (start: Start) => Start): Promise<void> {
    return this.#families.of(id).change((plans) => plans.changeStart(id, change));
  }
}
