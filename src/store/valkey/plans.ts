/**
 * Changes of a family that are planned on the newest known state and not confirmed yet. Their entries become part of
 * the log, or everything is taken back.
 */
import { stopwatch } from '../../core/clock.ts';
import type { Start } from '../../sandbox/trail.ts';
import type { Branch } from '../branch.ts';
import { type BranchReferences, release } from '../branch-references.ts';
import type { Change } from '../change.ts';
import type { ChangeCount } from '../counts.ts';
import { gone } from '../entries.ts';
import type { SandboxState } from '../state.ts';
import { apply } from '../world.ts';
import { branchEntries, endEntry, headEntry, logEntries, noteEntry, startEntry } from './entries.ts';
import type { Replica } from './replica.ts';
import { startAfterChange } from './starts.ts';

export class Plans {
  readonly replica: Replica;
  isTakenBack = false;
  readonly #entries: string[] = [];
  /** Changes at the end of a branch, not among the entries yet: those of many requests share an entry. */
  #appended: { readonly branch: Branch; readonly changes: Change[] } | undefined;
  readonly #states = new Map<string, SandboxState | undefined>();
  readonly #notes = new Map<string, unknown>();
  readonly #starts = new Map<string, Start>();
  /** When they are planned, by the monotonic clock. */
  readonly #ms = stopwatch();
  /** Branches that these entries add. */
  readonly #added = new Set<Branch>();
  /** The lengths of branches before they grew. */
  readonly #grown = new Map<Branch, ChangeCount>();
  /** References that these changes made. */
  readonly #retained = new Set<BranchReferences>();

  constructor(replica: Replica) {
    this.replica = replica;
  }

  /** What is to be written. */
  get entries(): readonly string[] {
    this.#writeAppended();
    return this.#entries;
  }

  /** The newest state of a sandbox. @throws {ApiError} `not_found` */
  get(id: string): SandboxState {
    const state = this.#present(id);
    if (!state) throw gone(id);
    return state;
  }

  /** A sandbox and its forks, each after its origin. */
  familyOf(id: string): string[] {
    const members = new Set([id]);
    // The iteration includes what is added during the loop.
    for (const member of members) {
      for (const [other, { record }] of this.replica.states) if (record.forkOf === member) members.add(other);
    }
    return [...members];
  }

  put(state: SandboxState): SandboxState {
    const { id } = state.record;
    const before = this.#present(id);
    // A change of the record alone has the references of the state before it.
    if (state.references !== before?.references) this.#retained.add(state.references);
    this.#starts.set(id, startAfterChange(this.#startOf(id), before, state, this.#ms));
    for (const branch of state.references.branches) this.#write(branch);
    this.#added.add(state.world.branch);
    this.#states.set(id, state);
    this.#push(headEntry(state, this.#ms));
    return state;
  }

  append(id: string, changes: readonly Change[]): void {
    const state = this.get(id);
    const { branch } = state.world;
    if (!this.#grown.has(branch)) this.#grown.set(branch, branch.length);
    this.#added.add(branch);
    if (this.#appended?.branch !== branch) {
      this.#writeAppended();
      this.#appended = { branch, changes: [] };
    }
    for (const change of changes) this.#appended.changes.push(change);
    this.#states.set(id, { ...state, world: apply(state.world, changes) });
  }

  end(id: string): void {
    this.#states.set(id, undefined);
    this.#push(endEntry(id));
  }

  /** What the control API changed in a sandbox. @throws {ApiError} `not_found` */
  changeStart(id: string, change: (start: Start) => Start): void {
    const before = this.#startOf(id);
    if (!before) throw gone(id);
    const start = change(before);
    this.#starts.set(id, start);
    this.#push(startEntry(id, start));
  }

  note(id: string, text: unknown): void {
    this.#notes.set(id, text);
    this.#push(noteEntry(id, text));
  }

  /** Valkey has the entries. */
  commit(): void {
    const { replica } = this;
    for (const branch of this.#added) replica.branches.set(branch.id, branch);
    const kept = new Set([...this.#states.values()].map((state) => state?.references));
    for (const references of this.#retained) if (!kept.has(references)) this.#release(references);
    for (const [id, state] of this.#states) {
      if (state) replica.set(id, state, this.#starts.get(id));
      else replica.end(id);
    }
    for (const [id, start] of this.#starts) if (!this.#states.has(id)) replica.setStart(id, start);
    for (const [id, text] of this.#notes) replica.setNote(id, text);
    replica.version += this.entries.length;
    for (const entry of this.entries) replica.characters += entry.length;
  }

  takeBack(): void {
    if (this.isTakenBack) return;
    this.isTakenBack = true;
    for (const [branch, length] of this.#grown) branch.truncate(length);
    for (const references of this.#retained) this.#release(references);
  }

  #startOf(id: string): Start | undefined {
    return this.#starts.get(id) ?? this.replica.startOf(id);
  }

  #present(id: string): SandboxState | undefined {
    return this.#states.has(id) ? this.#states.get(id) : this.replica.states.get(id);
  }

  #push(...entries: readonly string[]): void {
    this.#writeAppended();
    for (const entry of entries) this.#entries.push(entry);
  }

  #writeAppended(): void {
    if (!this.#appended) return;
    const { branch, changes } = this.#appended;
    this.#appended = undefined;
    this.#entries.push(...logEntries(branch, changes));
  }

  #release(references: BranchReferences): void {
    release(references, (branch) => this.replica.branches.delete(branch.id));
  }

  /** Writes a branch that Valkey does not have, after its ancestors. */
  #write(newest: Branch): void {
    const missing: Branch[] = [];
    for (let at: Branch | undefined = newest; at && !this.#has(at); at = at.from?.branch) missing.push(at);
    for (const branch of missing.reverse()) {
      this.#added.add(branch);
      this.#push(...branchEntries(branch));
    }
  }

  #has(branch: Branch): boolean {
    return this.#added.has(branch) || this.replica.branches.get(branch.id) === branch;
  }
}
