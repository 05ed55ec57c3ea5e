/** Finds what the exchanges of a journal began with. */
import type { Exchange } from '../exchange.ts';
import type { Start } from '../sandbox/trail.ts';
import type { SavedLog, SavedPoint, SavedState } from '../store/saved.ts';
import type { CaseStart } from './case.ts';

const ID = /^\{"id":(-?\d+)/;
const idOf = (json: string): bigint => BigInt(ID.exec(json)?.[1] ?? 0);

/**
 * The start of the exchanges that are still there. Its pets are those that were added before the first one of which an
 * exchange or a step tells.
 * @param zero the time that counts as 0 in the case
 */
export function startOf(
  { steps, clock, faults, ms }: Start,
  exchanges: readonly Exchange[],
  state: SavedState<string>,
  zero: number,
): CaseStart {
  const told = exchanges.filter(({ startedMs }) => startedMs >= ms).flatMap(({ created }) => created);
  for (const step of steps) if ('pets' in step) told.push(step.pets[0]);
  const first = told.reduce<bigint | undefined>(
    (least, id) => (least === undefined || id < least ? id : least),
    undefined,
  );
  const added = first === undefined ? state.world.added : pointBefore(first, state);
  return { ...settingsOf({ steps, clock, faults, ms }, zero), added };
}

/** The start without its pets. */
export const settingsOf = ({ steps, clock, faults, ms }: Start, zero: number): Omit<CaseStart, 'added'> => ({
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

/** The pets that were added before this id was given out. */
function pointBefore(id: bigint, { logs, world }: SavedState<string>): SavedPoint | null {
  let point = world.added;
  while (point) {
    const { from, pets } = logs[point.log] as SavedLog<string>;
    const before: number = from?.pets ?? 0;
    let count = point.pets - before;
    while (count > 0 && idOf(pets[count - 1] as string) >= id) count--;
    if (count > 0) return { log: point.log, pets: before + count };
    point = from;
  }
  return null;
}
