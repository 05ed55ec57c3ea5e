/** The sandboxes of a family as this process has them: what follows from the first entries of the family's log. */
import { stopwatch } from '../../core/clock.ts';
import type { Start } from '../../sandbox/trail.ts';
import { type Branch, type BranchPoint, growFrom, pointAt } from '../branch.ts';
import { release } from '../branch-references.ts';
import type { HeadFile, PointFile } from '../head.ts';
import type { SandboxRecord } from '../record.ts';
import type { SandboxState } from '../state.ts';
import { stateOfHead } from '../state-of-head.ts';
import { branchEntries, headEntry, type LogEntry, noteEntry, readEntry, startEntry } from './entries.ts';
import { startAfterChange } from './starts.ts';

/** A sandbox as a family has it now. */
interface Present {
  readonly record: SandboxRecord;
  /** What the control API changed in it. */
  readonly start: Start;
}

/** Told of every sandbox that changed; `present` is undefined once it has ended. */
export type Follow = (id: string, present: Present | undefined) => void;

export class Replica {
  /** Raised when the log was rewritten. */
  epoch: string;
  /** How many entries of the log this state follows from. */
  version = 0;
  /** Characters of these entries. */
  characters = 0;
  /** Characters of the log when it was read or rewritten. */
  begunWith = 0;
  readonly states = new Map<string, SandboxState>();
  readonly notes = new Map<string, unknown>();
  readonly #starts = new Map<string, Start>();
  /** Branches that Valkey has, by their ids. */
  readonly branches = new Map<string, Branch>();
  readonly #follow: Follow;

  constructor(epoch: string, follow: Follow) {
    this.epoch = epoch;
    this.#follow = follow;
  }

  /** Memory of its pets, in bytes. */
  get bytes(): number {
    let sum = 0;
    for (const branch of this.branches.values()) sum += branch.bytes;
    return sum;
  }

  /** Takes over the next entries of the log. */
  apply(texts: readonly string[]): void {
    for (const text of texts) {
      this.#applyOne(readEntry(text));
      this.version += 1;
      this.characters += text.length;
    }
  }

  /** A sandbox has a new state. @param start what the control API changed in it, if that is new as well */
  set(id: string, after: SandboxState, start?: Start): void {
    if (start) this.#starts.set(id, start);
    this.#release(id, after);
    this.states.set(id, after);
    this.#tell(id);
  }

  /** What the control API changed in a sandbox. */
  setStart(id: string, start: Start): void {
    this.#starts.set(id, start);
    this.#tell(id);
  }

  startOf(id: string): Start | undefined {
    return this.#starts.get(id);
  }

  /** A sandbox has ended. */
  end(id: string): void {
    this.#release(id);
    this.states.delete(id);
    this.notes.delete(id);
    this.#starts.delete(id);
    this.#tell(id);
  }

  present(id: string): Present | undefined {
    const record = this.states.get(id)?.record;
    const start = this.#starts.get(id);
    return record && start && { record, start };
  }

  setNote(id: string, text: unknown): void {
    if (text === null || text === undefined) this.notes.delete(id);
    else this.notes.set(id, text);
  }

  /** The log was rewritten by this process. */
  renumber(epoch: string, entries: readonly string[]): void {
    this.epoch = epoch;
    this.version = entries.length;
    this.characters = entries.reduce((sum, { length }) => sum + length, 0);
    this.begunWith = this.characters;
  }

  /** A shorter log with the same state. */
  compacted(): string[] {
    return [
      ...[...this.branches.values()].filter(({ refs }) => refs > 0).flatMap(branchEntries),
      ...[...this.states.values()].map((state) => headEntry(state, stopwatch())),
      ...[...this.#starts].map(([id, start]) => startEntry(id, start)),
      ...[...this.notes].map(([id, text]) => noteEntry(id, text)),
    ];
  }

  #release(id: string, after?: SandboxState): void {
    const before = this.states.get(id);
    if (before && before.references !== after?.references) {
      release(before.references, (branch) => this.branches.delete(branch.id));
    }
  }

  #tell(id: string): void {
    this.#follow(id, this.present(id));
  }

  #applyOne(entry: LogEntry): void {
    if (entry.kind === 'head') {
      const { id } = entry.head;
      const state = stateOfHead(entry.head, { own: this.#own, point: this.#point });
      this.set(id, state, startAfterChange(this.#starts.get(id), this.states.get(id), state, entry.ms));
    } else if (entry.kind === 'end') this.end(entry.id);
    else if (entry.kind === 'start') this.setStart(entry.id, entry.start);
    else if (entry.kind === 'note') this.setNote(entry.id, entry.text);
    else {
      const branch = this.#branch(entry.branch, entry.from);
      const before = branch.length;
      for (const change of entry.changes) branch.append(change);
      this.#grow(branch, before);
    }
  }

  /** The sandbox that appends to a branch has all its changes. */
  #grow(branch: Branch, before: number): void {
    for (const [id, state] of this.states) {
      if (state.world.branch !== branch || state.world.changes !== before) continue;
      this.states.set(id, { ...state, world: { ...state.world, changes: branch.length } });
    }
  }

  readonly #own = ({ branch, from }: HeadFile['log']): Branch => this.#branch(branch, from);

  readonly #point = ({ branch, changes }: PointFile): BranchPoint | undefined =>
    pointAt({ branch: this.#known(branch), changes });

  #branch(id: string, from: PointFile | null): Branch {
    const known = this.branches.get(id);
    if (known) return known;
    const branch = growFrom(from ? this.#point(from) : undefined, id);
    this.branches.set(id, branch);
    return branch;
  }

  #known(id: string): Branch {
    const branch = this.branches.get(id);
    if (branch) return branch;
    throw new Error(`the log of a family lacks the branch ${id}`);
  }
}
