/** The signals that ask the program to end. */
import { constants } from 'node:os';

type Handle = (signal: NodeJS.Signals) => void;

export const END_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Has signals handled by one function alone. Returns what gives them back to those who handled them before. */
export function takeSignals(names: readonly NodeJS.Signals[], handle: Handle): () => void {
  const before = names.map((name) => [name, process.listeners(name) as Handle[]] as const);
  for (const name of names) process.removeAllListeners(name).on(name, handle);
  return () => {
    for (const [name, handlers] of before) {
      process.removeAllListeners(name);
      for (const each of handlers) process.on(name, each);
    }
  };
}

/**
 * Ends the program at once, as a signal does that nobody handles. Process 1 of a container has to handle it all the same:
 * the system passes on nothing to it that would only have its default effect.
 */
export function endAtOnce(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  process.exit(128 + constants.signals[signal]);
}
