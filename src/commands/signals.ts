/** The signals that ask the program to end. */
import { constants } from 'node:os';

type Handle = (signal: NodeJS.Signals) => void;

export const END_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Replaces all handlers of some signals by one function. Returns a function that restores them. */
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
 * Exits immediately, like the default action of a signal. Process 1 of a container must handle signals explicitly: the
 * kernel does not deliver those with only the default action to it.
 */
export function endAtOnce(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  process.exit(128 + constants.signals[signal]);
}
