/** Finds what the exchanges of a journal began with. */
import type { Exchange } from '../exchange.ts';
import type { Start } from '../sandbox/trail.ts';
import { effectOfText } from '../store/change.ts';
import { type ChangeCount, NO_CHANGES } from '../store/counts.ts';
import type { SavedLog, SavedPoint, SavedState } from '../store/saved.ts';
import type { CaseStart } from './case.ts';

/**
 * The start of the exchanges that are still there. Its pets are those before the first change of which an exchange or a
 * step tells.
 * @param zero the time that counts as 0 in the case
 */
export function startOf(
  { steps, clock, faults, ms }: Start,
  exchanges: readonly Exchange[],
  state: SavedState<string>,
  zero: number,
): CaseStart {
  const told = new Set<string>();
  for (const { effect, startedMs } of exchanges) {
    if (startedMs < ms) continue;
    for (const [name, ids] of Object.entries(effect)) for (const id of ids) told.add(`${name} ${id}`);
  }
  for (const step of steps) if ('pets' in step) told.add(`created ${step.pets[0]}`);
  return { ...settingsOf({ steps, clock, faults, ms }, zero), upTo: pointBefore(told, state) };
}

/** The start without its pets. */
export const settingsOf = ({ steps, clock, faults, ms }: Start, zero: number): Omit<CaseStart, 'upTo'> => ({
  atMs: inCase(ms, zero),
  clock,
  faults,
  steps: steps.map(({ ms: at, ...change }) => ({ ...change, atMs: inCase(at, zero) })),
});

/** The moment that counts as 0: nothing in the file is earlier. */
export const zeroOf = ({ ms }: Start, exchanges: readonly Exchange[]): number =>
  exchanges.reduce((least, { startedMs }) => Math.min(least, startedMs), ms);

/** Milliseconds with three decimals. */
export const inCase = (ms: number, zero: number): number => Math.round((ms - zero) * 1000) / 1000;

/** The point before the first of these changes. */
function pointBefore(told: ReadonlySet<string>, { logs, world }: SavedState<string>): SavedPoint | null {
  let before = world.upTo;
  for (let point = world.upTo; point; ) {
    const { log } = point;
    const { from, changes } = logs[log] as SavedLog<string>;
    const start = from?.changes ?? NO_CHANGES;
    const first = changes.slice(0, point.changes - start).findIndex((text) => {
      const { effect, id } = effectOfText(text);
      return told.has(`${effect} ${id}`);
    });
    if (first === 0) before = from;
    else if (first > 0) before = { log, changes: (start + first) as ChangeCount };
    point = from;
  }
  return before;
}
