/** The families that this process has in memory. */
import { stopwatch } from '../../core/clock.ts';
import { familyOf } from '../../core/ids.ts';
import type { ValkeyClient } from './client.ts';
import { Family } from './family.ts';
import type { Plans } from './plans.ts';
import type { Follow } from './replica.ts';

/** A family that was not used for so long is dropped from memory; Valkey has it. In milliseconds. */
const IDLE_MS = 10 * 60_000;
/** One that was used more recently stays even if memory is short: a request may need it still. */
const IN_USE_MS = 60_000;

interface FamiliesOptions {
  readonly valkey: ValkeyClient;
  /** Memory of all families, in bytes. */
  readonly maxBytes: number;
  readonly follow: Follow;
  /** Whether a family must stay in memory: somebody listens to it. */
  readonly isHeld: (family: string) => boolean;
}

export class ValkeyFamilies {
  readonly #byId = new Map<string, Family>();
  readonly #options: FamiliesOptions;

  constructor(options: FamiliesOptions) {
    this.#options = options;
  }

  get follow(): Follow {
    return this.#options.follow;
  }

  get all(): readonly Family[] {
    return [...this.#byId.values()];
  }

  /** The family of a sandbox; not up to date. */
  of(sandbox: string): Family {
    const id = familyOf(sandbox);
    let family = this.#byId.get(id);
    if (!family) {
      family = this.#new(id);
      this.#byId.set(id, family);
    }
    return family;
  }

  /** The family of a sandbox, if it is in memory. */
  known(sandbox: string): Family | undefined {
    return this.#byId.get(familyOf(sandbox));
  }

  /** Adds a family that was just written. */
  add(sandbox: string, plans: Plans): void {
    this.of(sandbox).begin(plans);
  }

  /** Drops families from memory that nobody used for a while; then, if memory is short, those unused for longest. */
  relieve(): void {
    const { maxBytes, isHeld, follow } = this.#options;
    const sized = this.all.map((family) => ({ family, bytes: family.replica?.bytes ?? 0 }));
    let bytes = sized.reduce((sum, each) => sum + each.bytes, 0);
    const now = stopwatch();
    for (const each of sized.sort((a, b) => a.family.usedAt - b.family.usedAt)) {
      const { family } = each;
      const enough = bytes > maxBytes ? IN_USE_MS : IDLE_MS;
      if (isHeld(family.id) || family.isBusy || now - family.usedAt < enough) continue;
      bytes -= each.bytes;
      this.#byId.delete(family.id);
      for (const id of family.replica?.states.keys() ?? []) follow(id, undefined);
    }
  }

  #new(id: string): Family {
    const { valkey, follow } = this.#options;
    return new Family(id, valkey, follow, (family) => {
      if (this.#byId.get(id) === family) this.#byId.delete(id);
    });
  }
}
