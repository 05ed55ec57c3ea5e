/**
 * What the controls changed in a sandbox since it last started anew: from it a case tells what its exchanges began
 * with. It lives in memory, as journals do. Changes by the interface are not in it: the journal has them.
 */
import { stopwatch } from '../clock.ts';
import type { ClockRecord, Settings } from '../store/record.ts';

/** A change by a control: what it set, or the pets that it added, by their first and last id. */
export type ControlChange =
  | { readonly clock: ClockRecord | null }
  | { readonly faults: Settings['faults'] }
  | { readonly pets: readonly [first: bigint, last: bigint] };

/** A change, and when it was made, by the monotonic clock. */
export type Step = ControlChange & { readonly ms: number };

/** Clock and faults at one moment, and what the controls changed after it. */
export interface Start extends Settings {
  /** By the monotonic clock. */
  readonly ms: number;
  readonly steps: readonly Step[];
}

/** What is known of the exchanges that a journal no longer has. */
export interface Gone {
  /** When the latest of them started. */
  readonly ms: number;
  /** The fault rules after the latest of them that met any, and when that one started. */
  readonly faults?: { readonly ms: number; readonly rules: Settings['faults'] } | undefined;
}

/** With more steps the start moves on: exchanges before it are shown, and not replayed. */
const MAX_STEPS = 64;

export class Trail {
  #start: Start;

  constructor(settings: Settings) {
    this.#start = startedNow(settings);
  }

  /** The sandbox starts anew, as on a reset. */
  begin(settings: Settings): void {
    this.#start = startedNow(settings);
  }

  /** A control changed the sandbox. */
  note(change: ControlChange): void {
    const { steps, ...start } = this.#start;
    const more = [...steps, { ...change, ms: stopwatch() }];
    this.#start = { ...start, steps: more };
    const [first] = more;
    if (first && more.length > MAX_STEPS) this.#start = startAfter(this.#start, { ms: first.ms });
  }

  /** Takes over a start that was saved. */
  restore(start: Start): void {
    this.#start = start;
  }

  /** What the exchanges that are still there began with. @param gone the others, if there were any */
  startAfter(gone: Gone | undefined): Start {
    return gone && gone.ms > this.#start.ms ? startAfter(this.#start, gone) : this.#start;
  }
}

const startedNow = ({ clock, faults }: Settings): Start => ({ ms: stopwatch(), clock, faults, steps: [] });

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
