/** Notes of sandboxes, in the log of their family. */
import type { Notes } from '../sandbox/backend.ts';
import type { Families } from './families.ts';

export class SharedNotes implements Notes {
  readonly #families: Families;

  constructor(families: Families) {
    this.#families = families;
  }

  get(id: string): unknown {
    return this.#families.known(id)?.replica?.notes.get(id);
  }

  async set(id: string, note: unknown): Promise<void> {
    await this.#families.of(id).change((plans) => {
      plans.get(id);
      plans.note(id, note);
    });
  }

  forget(): void {
    // A reset removes the note together with everything else, for all servers.
  }
}
