/** The sandboxes of a store: by id, and by family. */
import { ApiError } from '../core/errors.ts';
import { Families } from './family.ts';
import type { PlannedSandbox } from './planned-changes.ts';

export class Entries {
  readonly #byId = new Map<string, PlannedSandbox>();
  readonly #families = new Families();

  all(): IterableIterator<PlannedSandbox> {
    return this.#byId.values();
  }

  /** @throws {ApiError} `not_found` */
  get(id: string): PlannedSandbox {
    const entry = this.#byId.get(id);
    if (!entry) throw gone(id);
    return entry;
  }

  /** False once the sandbox has ended. */
  has(entry: PlannedSandbox): boolean {
    return this.#byId.get(entry.shown.record.id) === entry;
  }

  add(entry: PlannedSandbox): void {
    this.#byId.set(entry.shown.record.id, entry);
    this.#families.add(entry.shown.record);
  }

  /** A sandbox and all its descendants, each after its origin; none if it is unknown. */
  familyOf(id: string): PlannedSandbox[] {
    return this.#families.of(id).flatMap((member) => this.#byId.get(member) ?? []);
  }

  delete(entry: PlannedSandbox): void {
    this.#byId.delete(entry.shown.record.id);
    this.#families.delete(entry.shown.record);
  }
}

/** 404 for a sandbox that no longer exists. */
export const gone = (id: string): ApiError =>
  new ApiError('not_found', `no sandbox ${id}; it may have been ended or have expired`);
