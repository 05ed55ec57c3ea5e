/**
 * Counts of everything in one sandbox since its request log was last cleared, including evicted exchanges. The contract
 * report is built from them. Exchanges that could not be counted or validated are counted as such.
 */
import { type Exchange, isExpectedInvalid, isFromDashboard, isSkipped } from '../api/exchange.ts';
import { stopwatch } from '../core/clock.ts';
import { counted } from '../core/text.ts';
import { AccountCounter } from './account.ts';
import { Allowance, type Budget } from './allowance.ts';
import { type FoundInExchange, foundIn } from './found-in.ts';
import { Groups } from './groups.ts';
import { isRejected } from './rejection.ts';
import { SentParts } from './request-parts.ts';
import { type RoundedNumber, Rounding } from './rounding.ts';

/** The memory of one sandbox for findings, in bytes: about 250 groups of findings. */
export const MAX_FINDINGS_BYTES = 768 * 1024;

/** Counts of one response status of an operation. */
interface ResponseCount {
  /** Responses of the sandbox itself. */
  served: number;
  /** How many of them are rejections that the request expected. */
  expected: number;
  /** Responses replaced by a fault. */
  injectedFaults: number;
}

/** Responses of an operation, by status. */
export type ResponseCounts = Map<number, ResponseCount>;

export class Tallies {
  /** Real time of the last clear, or of the creation, in milliseconds since 1970. */
  readonly since: number;
  /** The same by the stopwatch, which tells apart what happened in one millisecond. */
  readonly sinceMs: number;
  /** The responses of each operation, by status. */
  readonly responses = new Map<string, ResponseCounts>();
  /** Requests of the client that are HTTP. */
  exchanges = 0;
  /** The findings in them. */
  readonly findings: Groups;
  /** Where each exchange ended, those of the dashboard too. */
  readonly account = new AccountCounter();
  /** Exchanges that the request log had dropped before they were counted here: those of a recording. */
  dropped = 0;
  /** Whether requests of the client came to the address of the sandbox, and to `/v1`, which all sandboxes share. */
  readonly cameTo = { ownAddress: false, shared: false };
  readonly #allowance: Allowance;
  readonly #rounding: Rounding;

  constructor(since: number, budget: Budget, sinceMs = stopwatch()) {
    this.since = since;
    this.sinceMs = sinceMs;
    this.#allowance = new Allowance(budget, MAX_FINDINGS_BYTES);
    this.#rounding = new Rounding(this.#allowance);
    this.findings = new Groups(this.#allowance);
  }

  /** Why the counts are incomplete, besides what could not be validated; empty if they are complete. */
  get incompleteReasons(): readonly string[] {
    const { uncounted } = this.findings;
    const { forgotten } = this.#rounding;
    const unread = this.account.entries.filter(
      ({ kind, operation }) => kind === 'notValidated' && operation === undefined,
    );
    return [
      ...unread.map(({ count, reason }) => `${counted(count, 'request')} could not be read: ${reason}`),
      ...(this.dropped > 0
        ? [`${counted(this.dropped, 'request')} had left the request log before it was recorded`]
        : []),
      ...(uncounted > 0 ? [`there was no room to count ${counted(uncounted, 'finding')} of further kinds`] : []),
      ...(forgotten > 0 ? [`there was no room to watch ${counted(forgotten, 'large integer')} for rounding`] : []),
    ];
  }

  /** Reads the numbers of a new exchange while its bodies are complete. */
  watch(exchange: Exchange): void {
    if (isFromDashboard(exchange) || exchange.malformed) return;
    const rounded = this.#rounding.find(exchange);
    if (!rounded) this.#rounding.note(exchange);
    if (rounded && !isExpectedInvalid(exchange)) this.findings.add(roundedIn(rounded), exchange);
  }

  /** Counts a settled exchange, unless it says nothing about the client. */
  count(exchange: Exchange): void {
    this.account.count(exchange);
    if (isSkipped(exchange)) return;
    // The requests of a recording came to another server.
    if (exchange.at >= this.since) this.cameTo[exchange.address === undefined ? 'shared' : 'ownAddress'] = true;
    if (!exchange.malformed) this.exchanges += 1;
    this.#countResponse(exchange);
    let parts: SentParts | undefined;
    for (const found of foundIn(exchange)) {
      parts ??= new SentParts(exchange);
      this.findings.add(found, exchange, parts);
    }
  }

  #countResponse(exchange: Exchange): void {
    const { operation, verdict, injectedFault, response, malformed } = exchange;
    if (operation === undefined || !verdict || malformed) return;
    const responses = this.responses.get(operation) ?? new Map<number, ResponseCount>();
    this.responses.set(operation, responses);
    const count = responses.get(response.status) ?? { served: 0, expected: 0, injectedFaults: 0 };
    responses.set(response.status, count);
    if (injectedFault !== undefined) count.injectedFaults += 1;
    else {
      count.served += 1;
      if (isRejected(exchange) && isExpectedInvalid(exchange)) count.expected += 1;
    }
  }

  /** Releases its memory; the tally must not be used afterward. */
  release(): void {
    this.#allowance.release();
  }
}

/** The certain ones; the others are warnings. */
function roundedIn({ location, sent, handedOut, isCertain }: RoundedNumber): FoundInExchange {
  if (!isCertain) {
    const message = `${sent} is what becomes of ${handedOut} in a double, and the sandbox had sent ${handedOut}`;
    return ['warning', { location, rule: 'int64-possibly-rounded', message }];
  }
  const rule = 'int64-rounded';
  const message = `the client was given ${handedOut} and came back with ${sent}: it reads int64 into a double`;
  return ['rounded', { location, rule, message, spot: { location, rule, handedOut } }];
}
