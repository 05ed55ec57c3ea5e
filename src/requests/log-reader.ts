/**
 * The only place where whole request logs are unpacked. An unpacked log takes twice its bytes and more, so there is one at a
 * time in the server: sandboxes take turns, and a reader that waits too long gets a 429.
 */
import { ApiError } from '../api/errors.ts';
import type { Exchange } from '../api/exchange.ts';
import { clearTimeout, setTimeout } from '../core/real-globals.ts';
import { RoundRobin } from '../core/round-robin.ts';
import { inSlices } from '../core/turns.ts';
import type { HeldLog } from './request-log.ts';

/** How long a reader waits for its turn: several full logs are read in that time. */
const WAIT_MS = 10_000;

/** A request log, or a part of it. */
export interface ReadableLog {
  /** The sandbox whose turn it is. */
  readonly sandbox: string;
  /** Called when the turn comes. */
  hold(): HeldLog;
}

interface WaitingReader {
  readonly begin: () => void;
  hasLeft: boolean;
}

export class LogReader {
  readonly #waiting = new RoundRobin<WaitingReader>();
  readonly #waitMs: number;
  #isReading = false;

  constructor(waitMs = WAIT_MS) {
    this.#waitMs = waitMs;
  }

  /**
   * Unpacks a request log in slices when its turn comes.
   * @param use must keep no exchange, and not wait for a client: others wait for its end
   * @throws {ApiError} `too_many_requests`
   */
  async read<T>(log: ReadableLog, use: (newestFirst: Exchange[], held: HeldLog) => T | Promise<T>): Promise<T> {
    if (this.#isReading) await this.#turnOf(log.sandbox);
    this.#isReading = true;
    try {
      const held = log.hold();
      return await use(await inSlices(unpacking(held)), held);
    } finally {
      this.#isReading = false;
      this.#next();
    }
  }

  #turnOf(owner: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: WaitingReader = {
        begin: () => {
          clearTimeout(timer);
          resolve();
        },
        hasLeft: false,
      };
      const timer = setTimeout(() => {
        waiting.hasLeft = true;
        reject(tooMany());
      }, this.#waitMs);
      this.#waiting.push(owner, waiting);
    });
  }

  #next(): void {
    let next = this.#waiting.shift();
    while (next?.hasLeft) next = this.#waiting.shift();
    if (next === undefined) return;
    this.#isReading = true;
    next.begin();
  }
}

function* unpacking(log: HeldLog): Generator<void, Exchange[]> {
  const all: Exchange[] = [];
  for (const exchange of log.newestFirst()) {
    all.push(exchange);
    yield;
  }
  return all;
}

const tooMany = (): ApiError =>
  new ApiError('too_many_requests', 'others read request logs, one at a time; try again in a second', [
    'Retry-After',
    '1',
  ]);
