/** One run of the validator's worker thread: posts inputs, and detects crashes and hangs. */

import type { EventEmitter } from 'node:events';
import { Worker } from 'node:worker_threads';
import { clearTimeout, setImmediate, setTimeout } from '../../base/real-globals.ts';

/**
 * Limits of the worker's heap, in MiB. The young generation's limit saves memory when idle: the whole process took 96
 * MB with it and 119 MB without. The old generation's limit is far above the need, and exists only for the largest
 * admitted exchange (`input` in `QueueBounds`): text and parsed copy, two bytes a character.
 */
const HEAP = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 1_024 };

/** A start that takes longer has failed. */
const START_MS = 60_000;

interface ThreadEvents {
  readonly onReady: () => void;
  /** Verdicts on the oldest posted inputs, in order. */
  readonly onVerdicts: (verdicts: readonly string[]) => void;
  /** The thread ended unexpectedly, with this many pending verdicts. */
  readonly onDeath: (pending: number, reason: Error) => void;
}

/** A thread that validates: what a queue needs of a worker. */
export interface ValidatorWorker extends Pick<EventEmitter, 'on' | 'once' | 'removeAllListeners'> {
  postMessage(inputs: readonly string[]): void;
  /** Ends the thread, which emits `exit`. */
  terminate(): Promise<unknown>;
  /** The queue needs it no longer. */
  release(): Promise<unknown>;
}

/** Starts a worker. @param file of its code */
export function startWorker(file: URL): ValidatorWorker & Pick<Worker, 'unref'> {
  // The environment is not passed on: it may contain the admin token.
  const worker = new Worker(file, { resourceLimits: HEAP, execArgv: [], env: {} });
  const release = (): Promise<unknown> => {
    // A thread that does not end, because it is in native code, must not keep the process from its end.
    worker.unref();
    return worker.terminate();
  };
  return Object.assign(worker, { release });
}

export class ValidatorThread {
  readonly #worker: ValidatorWorker;
  #pending = 0;
  #timer: NodeJS.Timeout;
  #reason: Error | undefined;

  /** @param timeoutMs the timeout for pending verdicts */
  constructor(worker: ValidatorWorker, timeoutMs: number, { onReady, onVerdicts, onDeath }: ThreadEvents) {
    this.#worker = worker;
    this.#timer = setTimeout(() => this.#giveUp('it did not start in time'), START_MS).unref();
    // The first message is `WORKER_READY`.
    this.#worker.once('message', () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#checkOnIt(timeoutMs), timeoutMs).unref();
      this.#worker.on('message', (verdicts: readonly string[]) => {
        this.#pending -= verdicts.length;
        this.#timer.refresh();
        onVerdicts(verdicts);
      });
      onReady();
    });
    this.#worker.on('error', (error) => {
      this.#reason ??= error as Error;
    });
    this.#worker.once('exit', (code) => {
      clearTimeout(this.#timer);
      onDeath(this.#pending, this.#reason ?? new Error(`its thread ended with code ${code}`));
    });
  }

  get pending(): number {
    return this.#pending;
  }

  post(inputs: readonly string[]): void {
    if (this.#pending === 0) this.#timer.refresh();
    this.#pending += inputs.length;
    this.#worker.postMessage(inputs);
  }

  /** Ends the thread, without `onDeath`; resolves when it has ended. */
  async stop(): Promise<void> {
    this.#worker.removeAllListeners('exit');
    clearTimeout(this.#timer);
    await this.#worker.release();
  }

  #checkOnIt(timeoutMs: number): void {
    const pending = this.#pending;
    if (pending === 0) return;
    // If the main thread was suspended, the verdicts are already queued: they are read before this runs.
    setImmediate(() => {
      if (this.#pending === pending) this.#giveUp(`it gave no verdict for ${timeoutMs} ms`);
    });
  }

  #giveUp(reason: string): void {
    this.#reason ??= new Error(reason);
    void this.#worker.terminate();
  }
}
