/**
 * What the control API changed in a sandbox since it last restarted: from it a recording tells what its exchanges began
 * with. It lives in memory, as request logs do; with a shared store it follows from the log. Changes by the API are
 * not in it: the request log has them.
 */
import { stopwatch } from '../core/clock.ts';
import type { Budget } from '../requests/allowance.ts';
import type { ClockRecord, Settings } from '../store/record.ts';

/** A change by a control: what it set, or the pets that it added, by their first and last id. */
export type ControlChange =
  | { readonly clock: ClockRecord | null }
  | { readonly faults: Settings['faults'] }
  | { readonly pets: readonly [first: bigint, last: bigint] };

/** A change, and when it was made, by the monotonic clock. */
export type Step = ControlChange & { readonly ms: number };

/** Clock and faults at one moment, and what the control API changed after it. */
export interface Start extends Settings {
  /** By the monotonic clock. */
  readonly ms: number;
  readonly steps: readonly Step[];
}

/** What is known of the exchanges that a request log no longer has. */
export interface Gone {
  /** When the latest of them started. */
  readonly ms: number;
  /** The fault rules after the latest of them that met any, and when that one started. */
  readonly faults?: { readonly ms: number; readonly rules: Settings['faults'] } | undefined;
}

/** Keeps the starts of sandboxes, if other processes read them too. */
export interface Trails {
  /** Changes one; `change` is pure. @throws {ApiError} `storage_failed`, `not_found` */
  change(id: string, change: (start: Start) => Start): Promise<void>;
}

/** With more steps the start moves on: exchanges before it are shown, and not replayed. */
const MAX_STEPS = 64;

/** Memory of a step: with its array of rules, of which one is new. */
const weigh = (step: ControlChange): number => ('faults' in step ? 400 + 8 * step.faults.length : 200);

export class Trail {
  #start: Start;
  #taken = 0;
  readonly #budget: Budget | undefined;

  /** @param budget memory for the steps of all sandboxes; without room the start moves on */
  constructor(settings: Settings, budget?: Budget) {
    this.#start = startedAt(stopwatch(), settings);
    this.#budget = budget;
  }

  /** The sandbox restarts, as on a reset. */
  begin(settings: Settings): void {
    this.#set(startedAt(stopwatch(), settings));
  }

  /** A control changed the sandbox. */
  note(change: ControlChange): void {
    this.#set(noted(this.#start, change, stopwatch()));
  }

  /** Takes over a start that was saved, or that a shared store has. */
  restore(start: Start): void {
    this.#set(start);
  }

  /** The sandbox has ended. */
  release(): void {
    this.#budget?.take(-this.#taken);
    this.#taken = 0;
  }

  /** What the exchanges that are still there began with. @param gone the others, if there were any */
  startAfter(gone: Gone | undefined): Start {
    return gone && gone.ms > this.#start.ms ? startAfter(this.#start, gone) : this.#start;
  }

  #set(start: Start): void {
    this.release();
    const bytes = start.steps.reduce((sum, step) => sum + weigh(step), 0);
    const last = start.steps.at(-1);
    const hasRoom = last === undefined || !this.#budget || this.#budget.take(bytes);
    this.#taken = hasRoom && this.#budget ? bytes : 0;
    this.#start = hasRoom ? start : startAfter(start, { ms: (last as Step).ms });
  }
}

/** The start of a sandbox that restarted. @param ms by the monotonic clock */
export const startedAt = (ms: number, { clock, faults }: Settings): Start => ({ ms, clock, faults, steps: [] });

/** A start after a change by a control. @param ms by the monotonic clock */
export function noted({ steps, ...start }: Start, change: ControlChange, ms: number): Start {
  const all = { ...start, steps: [...steps, { ...change, ms }] };
  return all.steps.length > MAX_STEPS ? startAfter(all, { ms: (all.steps[0] as Step).ms }) : all;
}

/** The start moves on by everything that happened up to a moment. */
function startAfter({ ms, clock, faults, steps }: Start, gone: Gone): Start {
  const counted = gone.faults && gone.faults.ms > ms ? gone.faults : undefined;
  let now = { clock, faults: counted?.rules ?? faults };
  for (const step of steps) {
    if (step.ms > gone.ms) break;
    if ('clock' in step) now = { ...now, clock: step.clock };
    if ('faults' in step && step.ms > (counted?.ms ?? ms)) now = { ...now, faults: step.faults };
  }
  return { ...now, ms: gone.ms, steps: steps.filter((step) => step.ms > gone.ms) };
}
