/**
 * What the control API changed in a sandbox since it last restarted: from it a recording tells what its exchanges began
 * with. It follows from the journal of the sandbox. Changes by the petstore API are not in it: the request log has them.
 */
import { MAX_STEPS } from '../core/limits.ts';
import type { ClockRecord, SandboxSettings } from './record.ts';

/** A change by a control: what it set, or the pets that it added, by their first and last id. */
export type ControlChange =
  | { readonly clock: ClockRecord | null }
  | { readonly faults: SandboxSettings['faults'] }
  | { readonly pets: readonly [first: bigint, last: bigint] };

/** A change, and when it was made. */
export type ControlStep = ControlChange & { readonly ms: number };

/** Clock and faults at one moment, and what the control API changed after it. */
export interface ControlHistory extends SandboxSettings {
  /** By the stopwatch of the process. */
  readonly ms: number;
  readonly steps: readonly ControlStep[];
}

/** What is known of the exchanges that a request log no longer has. */
export interface Evicted {
  /** When the latest of them started. */
  readonly ms: number;
  /** The fault rules after the latest of them that met any, and when that one started. */
  readonly faults?: { readonly ms: number; readonly rules: SandboxSettings['faults'] } | undefined;
}

/** The memory of the steps, in bytes: each has an array of rules, of which one is new. */
export const weightOfSteps = ({ steps }: ControlHistory): number =>
  steps.reduce((sum, step) => sum + ('faults' in step ? 400 + 8 * step.faults.length : 200), 0);

/** That of a sandbox that restarted. */
export const newHistory = (ms: number, { clock, faults }: SandboxSettings): ControlHistory => ({
  ms,
  clock,
  faults,
  steps: [],
});

/** A history after a change by a control. */
export function withChange({ steps, ...from }: ControlHistory, change: ControlChange, ms: number): ControlHistory {
  const all = { ...from, steps: [...steps, { ...change, ms }] };
  return all.steps.length > MAX_STEPS ? historyAfter(all, { ms: (all.steps[0] as ControlStep).ms }) : all;
}

/** What the exchanges that are still there began with. @param gone the others, if there were any */
export function historyAfter(history: ControlHistory, gone: Evicted | undefined): ControlHistory {
  const { ms, clock, faults, steps } = history;
  if (gone === undefined || gone.ms <= ms) return history;
  const counted = gone.faults && gone.faults.ms > ms ? gone.faults : undefined;
  let now = { clock, faults: counted?.rules ?? faults };
  for (const step of steps) {
    if (step.ms > gone.ms) break;
    if ('clock' in step) now = { ...now, clock: step.clock };
    if ('faults' in step && step.ms > (counted?.ms ?? ms)) now = { ...now, faults: step.faults };
  }
  return { ...now, ms: gone.ms, steps: steps.filter((step) => step.ms > gone.ms) };
}
