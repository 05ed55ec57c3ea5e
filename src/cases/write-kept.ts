/** Writes what a server keeps of a sandbox while it does not run. Every text is redacted. */
import { isoTime } from '../clock.ts';
import type { SavedDrill } from '../drills/runs.ts';
import type { History } from '../sandbox/journals.ts';
import { type Redact, redactedJson } from '../sandbox/redact.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { savedTallies } from '../sandbox/saved-tallies.ts';
import type { Unclaimed } from '../sandbox/unclaimed.ts';
import type { Store } from '../store/store.ts';
import { exchangeIn, exchangesOf } from './gather.ts';
import { ABOUT_KEPT, type Holds, KEPT_VERSION } from './kept-journal.ts';
import { settingsOf, zeroOf } from './start.ts';
import { writtenStep } from './write-case.ts';

export interface Kept {
  readonly sandbox: Sandbox;
  readonly history: History;
  readonly drill: SavedDrill | null;
}

export interface WriteOptions {
  readonly holds: Holds;
  readonly redact: Redact;
  /** Whether there is no time left. */
  readonly isLate: () => boolean;
}

export async function holdsOf(store: Store, id: string): Promise<Holds> {
  const { fixture, added, nextId } = await store.describe(id);
  return { fixture, added, nextId: String(nextId) };
}

/** `undefined` if it takes too long. */
export function textOfHistory(
  { sandbox, history, drill }: Kept,
  { holds, redact, isLate }: WriteOptions,
): string | undefined {
  if (isLate()) return undefined;
  const { journal, tallies } = history;
  const exchanges = exchangesOf(history);
  const start = sandbox.trail.startAfter(journal.gone);
  const zero = zeroOf(start, exchanges);
  const { steps, ...settings } = settingsOf(start, zero);
  const saved = savedTallies(tallies);
  const head = {
    about: ABOUT_KEPT,
    kept: KEPT_VERSION,
    sandbox: sandbox.id,
    holds,
    start: { ...settings, steps: steps.map(writtenStep) },
    tallies: { ...saved, since: isoTime(saved.since) },
    drill,
  };
  const lines: string[] = [];
  for (const exchange of exchanges) {
    if (isLate()) return undefined;
    lines.push(redactedJson(exchangeIn(exchange, zero), redact));
  }
  const rest = `"journal":{"dropped":${journal.dropped},"exchanges":[\n${lines.join(',\n')}\n]}}\n`;
  return `${redactedJson(head, redact).slice(0, -1)},\n${rest}`;
}

export const textOfUnclaimed = (unclaimed: Unclaimed, redact: Redact): string =>
  `${redactedJson({ about: ABOUT_KEPT, kept: KEPT_VERSION, dropped: unclaimed.dropped, unclaimed: unclaimed.newestFirst() }, redact)}\n`;
