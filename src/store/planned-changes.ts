/**
 * A sandbox of the store. Every change is planned on the newest state (`planned`), written, and only then shown to
 * readers (`shown`): readers never see a pet that the disk then rejects. Concurrent changes share a write.
 */
import type { Account } from './bounds.ts';
import type { BranchReferences } from './branch-references.ts';
import type { Change } from './change.ts';
import type { Disk } from './disk.ts';
import type { SandboxState } from './state.ts';
import { weightOfHead } from './weight.ts';
import { apply } from './world.ts';

/** State shared by all sandboxes of a store. */
export interface Shared {
  readonly account: Account;
  readonly disk: Disk | undefined;
  /** Runs a write, if there is a disk. @throws {ApiError} `storage_failed` */
  write(write: (disk: Disk) => void): void;
  /** Removes references to branches. */
  release(references: BranchReferences): void;
}

/** A step from one state to the next, until it is written. */
interface Planned {
  readonly next: SandboxState;
  /** The changes to pets; `undefined` for any other step. */
  readonly changes: readonly Change[] | undefined;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

export class PlannedSandbox {
  shown: SandboxState;
  planned: SandboxState;
  /** Memory of the planned state without its pets. */
  #weight = 0;
  #due: Planned[] = [];
  readonly #shared: Shared;

  constructor(state: SandboxState, shared: Shared) {
    this.shown = state;
    this.planned = state;
    this.#shared = shared;
  }

  /** Adds its state to the account. @throws {ApiError} `limit_reached` */
  weigh(next: SandboxState = this.planned): void {
    this.#weight = this.#shared.account.weigh(next, this.#weight);
  }

  /** The same without a limit: for a loaded state. */
  count(): void {
    this.forget();
    this.#weight = weightOfHead(this.shown);
    this.#shared.account.headBytes += this.#weight;
  }

  /** Removes it from the account. */
  forget(): void {
    this.#shared.account.headBytes -= this.#weight;
    this.#weight = 0;
  }

  /** Makes `next` the newest state; resolves once it is written and shown. @throws {ApiError} */
  change(next: SandboxState): Promise<void> {
    try {
      this.weigh(next);
    } catch (error) {
      this.#releaseAll([next.references], this.planned.references);
      throw error;
    }
    return this.#plan(next, undefined);
  }

  /** As `change`; resolves to the record as written. */
  async step(next: SandboxState): Promise<SandboxState['record']> {
    await this.change(next);
    return next.record;
  }

  /** Appends changes to the log; resolves once they are written and shown. */
  append(changes: readonly Change[]): Promise<void> {
    const { world } = this.planned;
    const next = this.#shared.account.change(world.branch, () => apply(world, changes));
    return this.#plan({ ...this.planned, world: next }, changes);
  }

  #plan(next: SandboxState, changes: readonly Change[] | undefined): Promise<void> {
    if (!this.#shared.disk) {
      const { references } = this.shown;
      this.shown = this.planned = next;
      if (references !== next.references) this.#shared.release(references);
      return Promise.resolve();
    }
    this.planned = next;
    return new Promise((done, failed) => {
      this.#due.push({ next, changes, done, failed });
      // Steps of the same turn of the event loop share one write.
      if (this.#due.length === 1) setImmediate(() => this.flush());
    });
  }

  /** Writes pending steps: consecutive changes to pets in one write, other consecutive steps in another. */
  flush(): void {
    while (this.#due.length > 0) {
      const adding = this.#due[0]?.changes !== undefined;
      const end = this.#due.findIndex(({ changes }) => (changes !== undefined) !== adding);
      const batch = this.#due.splice(0, end < 0 ? this.#due.length : end);
      const { next } = batch.at(-1) as Planned;
      const before = this.shown.references;
      try {
        const calls = batch.flatMap(({ changes }) => (changes ? [changes] : []));
        this.#shared.write((disk) => (adding ? disk.append(next, calls) : disk.writeHead(next)));
      } catch (error) {
        this.#takeBack(batch, error);
        return;
      }
      this.shown = next;
      this.#releaseAll([before, ...batch.map((step) => step.next.references)], next.references);
      for (const step of batch) step.done();
    }
  }

  /** Steps planned on a failed state fail with it: pets and ids are rolled back together. */
  #takeBack(batch: readonly Planned[], error: unknown): void {
    const all = [...batch, ...this.#due.splice(0)];
    const { account } = this.#shared;
    const { branch, changes } = this.shown.world;
    account.change(branch, () => branch.truncate(changes));
    this.planned = this.shown;
    this.count();
    this.#releaseAll(
      all.map(({ next }) => next.references),
      this.shown.references,
    );
    for (const step of all) step.failed(error);
  }

  #releaseAll(references: readonly BranchReferences[], except: BranchReferences): void {
    const dropped = new Set(references);
    dropped.delete(except);
    for (const each of dropped) this.#shared.release(each);
  }
}
