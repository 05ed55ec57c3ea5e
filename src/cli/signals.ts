/** The signals that ask the program to end: who handles them, and how a server stops on them. */

import { constants } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Log } from '../base/log.ts';
import { AbortController, setTimeout } from '../base/real-globals.ts';
import type { RunningServer } from '../server/server.ts';

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
 * kernel does not deliver signals to it that have only the default action.
 */
export function endAtOnce(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  process.exit(128 + constants.signals[signal]);
}

/**
 * Forwards termination signals to the command; this program ends after it. Before and after the command, a second signal
 * ends it at once: the server that it waits for may hang.
 */
export class Signals {
  readonly #controller = new AbortController();
  /** Aborted at the first signal. */
  readonly ending = this.#controller.signal;
  #pass: Handle | undefined;
  #isWaiting = false;
  readonly #take = (signal: NodeJS.Signals): void => {
    if (!this.#pass && this.#isWaiting) endAtOnce(signal);
    this.#isWaiting = !this.#pass;
    this.#controller.abort(signal);
    // A terminal sends its Ctrl-C to the command as well; a second one would abort many programs.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) this.#pass?.(signal);
  };

  /** Restores the previous signal handlers. */
  readonly forget: () => void;

  constructor() {
    this.forget = takeSignals([...END_SIGNALS, 'SIGHUP', 'SIGQUIT'], this.#take);
  }

  /** The first signal. */
  get came(): NodeJS.Signals | undefined {
    return this.ending.reason;
  }

  /** @param pass `undefined` once there is no command any more */
  passTo(pass: Handle | undefined): void {
    this.#pass = pass;
  }
}

/** Promised in docs/reference/settings.md. The server's own limit is a little shorter, see `base/shutdown.ts`. */
const KILL_MS = 5_000;

/** The first signal shuts down in order; a second one exits immediately. */
export function stopOnSignals(server: RunningServer, log: Log & { info(message: string): void }): void {
  let stopping = false;
  takeSignals(END_SIGNALS, (signal) => {
    if (stopping) {
      if (isDiskBusy()) endAtOnce(signal);
      process.exit(1);
    }
    stopping = true;
    killLater();
    log.info(`stopping on ${signal}`);
    server.close().then(
      () => exit(0),
      (err) => {
        log.error({ err }, 'shutdown did not complete cleanly');
        exit(1);
      },
    );
  });
}

/** Exits once no disk operation is pending: `process.exit()` would block on it, and could not be interrupted. */
function exit(code: number): void {
  if (isDiskBusy()) setTimeout(exit, 10, code);
  else process.exit(code);
}

const isDiskBusy = (): boolean => process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));

/** Kills this process if it has not ended in time, from a separate thread: a hanging disk may block the main thread. */
function killLater(): void {
  const kill = `
    const { workerData } = require('node:worker_threads');
    setTimeout(() => {
      require('node:fs').writeSync(2, workerData.message);
      process.kill(process.pid, 'SIGKILL');
    }, workerData.ms);
  `;
  const message = `petstore-sandbox: it did not end within ${KILL_MS} ms, and is killed\n`;
  new Worker(kill, { eval: true, workerData: { ms: KILL_MS, message }, execArgv: [], env: {} }).unref();
}
