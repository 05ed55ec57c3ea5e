/** Gives a sandbox the start of a file, and makes the exchanges of its journal. */
import { stopwatch } from '../clock.ts';
import type { Exchange } from '../exchange.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { SavedTallies } from '../sandbox/saved-tallies.ts';
import type { CaseExchange, CaseStart } from './case.ts';
import { exchangeFrom } from './restore-exchange.ts';

export interface SavedHistory {
  readonly start: Omit<CaseStart, 'upTo'>;
  readonly exchanges: readonly CaseExchange[];
  readonly dropped: number;
  /** Without them the exchanges are counted anew. */
  readonly tallies?: SavedTallies;
}

/** @returns the exchanges, the oldest first @throws {ApiError} `storage_failed` */
export async function restoreHistory(
  sandbox: Sandbox,
  { start, exchanges }: Pick<SavedHistory, 'start' | 'exchanges'>,
): Promise<readonly Exchange[]> {
  const last = exchanges.reduce((most, { startMs, durationMs }) => Math.max(most, startMs + durationMs), start.atMs);
  // All of it lies in the past.
  const zero = stopwatch() - start.steps.reduce((most, { atMs }) => Math.max(most, atMs), last) - 1;
  await sandbox.startFrom({
    ms: zero + start.atMs,
    clock: start.clock,
    faults: start.faults,
    steps: start.steps.map(({ atMs, ...change }) => ({ ...change, ms: zero + atMs })),
  });
  return exchanges.map((exchange) => exchangeFrom(exchange, sandbox.id, zero));
}
