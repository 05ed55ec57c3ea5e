/** Requests of the petstore API that have no response yet. A verdict waits for those that came before it, up to a limit. */

import { pathOfTarget } from '../base/address.ts';
import type { Exchange } from '../base/api/exchange.ts';
import { stopwatch } from '../base/clock.ts';
import { sleep } from '../base/real-globals.ts';
import { counted, shorten } from '../base/text.ts';

/** How long a verdict waits, in milliseconds, and how often it looks. */
const WAIT_MS = 2_000;
const LOOK_MS = 10;
const MAX_NAMED_UNANSWERED = 3;
const MAX_PATH = 100;

export interface UnansweredRequest
  extends Pick<Exchange, 'id' | 'sandbox' | 'specification' | 'operation' | 'request'> {
  /** Ends the delay that a fault injects; `undefined` while there is none. */
  readonly endDelay?: (() => void) | undefined;
  /** Its place among them; -1 before and after. */
  unansweredAt: number;
}

export class Unanswered {
  /**
   * In no order. No Set: each request enters and leaves, and V8 keeps what left a Set alive, until it collects the old
   * space, for an iteration that may be under way. Then a get took 8 % more processor time.
   */
  readonly #requests: UnansweredRequest[] = [];

  add(request: UnansweredRequest): void {
    request.unansweredAt = this.#requests.push(request) - 1;
  }

  delete(request: UnansweredRequest): void {
    const at = request.unansweredAt;
    if (at < 0) return;
    request.unansweredAt = -1;
    const last = this.#requests.pop() as UnansweredRequest;
    if (last === request) return;
    this.#requests[at] = last;
    last.unansweredAt = at;
  }

  of(sandbox: string): readonly UnansweredRequest[] {
    return this.#requests.filter((each) => each.sandbox === sandbox && each.specification === 'petstore');
  }

  /** Waits for the requests of a sandbox. @param finish whether to end their injected delays @returns those that are left */
  async whenAnswered(sandbox: string, finish = false): Promise<readonly UnansweredRequest[]> {
    const until = stopwatch() + WAIT_MS;
    let left = this.of(sandbox);
    while (left.length > 0 && stopwatch() < until) {
      if (finish) for (const { endDelay } of left) endDelay?.();
      await sleep(LOOK_MS);
      left = left.filter(({ unansweredAt }) => unansweredAt >= 0);
    }
    return left;
  }
}

/** Why a verdict is not certain; none if every request was answered. */
export function unansweredWords(requests: readonly UnansweredRequest[]): readonly string[] {
  if (requests.length === 0) return [];
  const named = requests.slice(0, MAX_NAMED_UNANSWERED).map(({ id, request: { method, target } }) => {
    return `${method} ${shorten(pathOfTarget(target), MAX_PATH)} (${id})`;
  });
  const more = requests.length > MAX_NAMED_UNANSWERED ? ` and ${requests.length - MAX_NAMED_UNANSWERED} more` : '';
  const are = requests.length === 1 ? 'is' : 'are';
  return [`${counted(requests.length, 'request')} ${are} still being answered: ${named.join(', ')}${more}`];
}
