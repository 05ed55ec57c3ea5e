/** The latest exchanges of one sandbox. */

import { type CutBodies, type Exchange, isExpectedInvalid, isSkipped } from '../base/api/exchange.ts';
import { stopwatch } from '../base/clock.ts';
import { MAX_EXCHANGES, MAX_STORED_BODY } from '../base/limits.ts';
import { copyOf, counted, shorten } from '../base/text.ts';
import { isoTime } from '../base/time.ts';
import { isViolation } from './malformed.ts';
import { givenName, isHeadUnread, QUIET_MS, Runs } from './runs.ts';

/** Memory of an exchange without its texts, in bytes. */
const EXCHANGE = 1_280;
/** Runs that have nothing left in the log, and are still known. */
const MAX_EMPTY_RUNS = 100;

/** Real time, and the same by the stopwatch, which tells apart what happened in one millisecond. */
interface LogBeginning {
  readonly at: number;
  readonly ms: number;
}

/** What is left of requests that are no longer in the log. */
export interface Dropped {
  readonly requests: number;
  /** How many of them broke the specification. */
  readonly failures: number;
}

/** What a recording has of a request log besides its exchanges. */
export interface LogRemains {
  /** By run, those of no known run first. */
  readonly dropped: readonly (Dropped & { readonly run: string | null; readonly broken: number })[];
  readonly isRunBegun: boolean;
}

/** Runs that a recording names; what others left is of none that is known. */
const MAX_NAMED_RUNS = 1_000;

interface KnownRun {
  inLog: number;
  dropped: Dropped;
  /** Requests that may be of it, and whose heads could not be read. */
  broken: number;
}

export const NONE: Dropped = { requests: 0, failures: 0 };

const plus = (a: Dropped, b: Dropped): Dropped => ({
  requests: a.requests + b.requests,
  failures: a.failures + b.failures,
});

export class RequestLog {
  readonly sandbox: string;
  /** Number of the oldest stored exchange. Numbers only increase, also after a clear. */
  first = 0;
  /** Upper bound of its memory: characters count as two bytes, their maximum. */
  bytes = 0;
  /** All that were evicted since the last clear, or before the request log was saved. */
  dropped: Dropped = NONE;
  /** If exchanges before some time were lost with an earlier process: that time, in milliseconds since 1970. */
  wholeFrom: number | undefined;
  /** The last clear, or its beginning. */
  since: LogBeginning;
  readonly #label: string | null;
  /** The oldest first. They are plain data, and readers keep what they hold, whatever the log evicts meanwhile. */
  #exchanges: Exchange[] = [];
  #runs: Runs;
  /** The runs in the order in which they began, with what is left of each. */
  readonly #known = new Map<string, KnownRun>();
  /** When a broken request came while no run went on: it may be the first of the next one. */
  #brokenAt = Number.NEGATIVE_INFINITY;
  /** How many of them have nothing in the log. */
  #emptyRuns = 0;
  /** Whether a run was begun that has no request yet. */
  #isRunBegun = false;
  /** The number of the first exchange since the last clear. */
  #begin = 0;

  /**
   * @param sandbox the id of the sandbox whose request log this is
   * @param since the creation of the sandbox, or the start of the server
   * @param label its label, which names its runs
   */
  constructor(sandbox: string, since: LogBeginning, label: string | null = null, wholeFrom?: number) {
    this.sandbox = sandbox;
    this.since = since;
    this.#label = label;
    this.wholeFrom = wholeFrom;
    this.#runs = new Runs(label);
  }

  /** Number of the next exchange. */
  get next(): number {
    return this.first + this.#exchanges.length;
  }

  /** At least so many exchanges are not in it. */
  get missing(): number {
    return this.dropped.requests + (this.wholeFrom === undefined ? 0 : 1);
  }

  /** The next exchange of each client begins a run. Until then, the last run has no request. @param name see `Runs.end` */
  beginRun(name?: string): void {
    this.#runs.end(name);
    this.#isRunBegun = true;
  }

  get isRunBegun(): boolean {
    return this.#isRunBegun;
  }

  /** The runs now, in the order in which they began, with what is left of their evicted exchanges. */
  runs(): ReadonlyMap<string, Pick<KnownRun, 'dropped' | 'broken'>> {
    return new Map([...this.#known].map(([run, { dropped, broken }]) => [run, { dropped, broken }]));
  }

  /** @param leftOut exchanges that the recording leaves out, too @param others requests of no known run */
  remains(leftOut: readonly Exchange[], others: number): LogRemains {
    const ofRuns = new Map(Array.from(this.#known, ([run, { dropped, broken }]) => [run, { ...dropped, broken }]));
    let rest: Dropped = { requests: this.missing + others, failures: this.dropped.failures };
    for (const each of leftOut) {
      const one = { requests: 1, failures: isFailing(each) ? 1 : 0 };
      const known = each.run === undefined ? undefined : ofRuns.get(each.run);
      rest = plus(rest, one);
      if (each.run !== undefined && known) ofRuns.set(each.run, { ...known, ...plus(known, one) });
    }
    const named = [...ofRuns].filter(([, { requests, broken }]) => requests + broken > 0).slice(-MAX_NAMED_RUNS);
    for (const [, { requests, failures }] of named) rest = plus(rest, { requests: -requests, failures: -failures });
    return {
      dropped: [
        ...(rest.requests === 0 ? [] : [{ run: null, ...rest, broken: 0 }]),
        ...named.map(([run, dropped]) => ({ run, ...dropped })),
      ],
      isRunBegun: this.#isRunBegun,
    };
  }

  /** Takes over what a recording says of exchanges that it does not have. @param run `undefined` where it is not known */
  addDropped(run: string | undefined, dropped: Dropped, broken: number): void {
    this.dropped = plus(this.dropped, dropped);
    if (run === undefined) return;
    const known = this.#runNamed(run);
    known.dropped = plus(known.dropped, dropped);
    known.broken += broken;
  }

  /** All exchanges, the oldest first. */
  all(): readonly Exchange[] {
    return [...this.#exchanges];
  }

  /** Those whose verdict is final, the oldest first. */
  settled(): readonly Exchange[] {
    return this.#exchanges.filter(isData);
  }

  /** The exchange with a number; `undefined` if it is not stored. */
  at(number: number): Exchange | undefined {
    return this.#exchanges[number - this.first];
  }

  /** The number of an exchange by its id; `undefined` if it is not stored. */
  numberOf(id: string): number | undefined {
    const index = this.#exchanges.findIndex((each) => each.id === id);
    return index < 0 ? undefined : this.first + index;
  }

  /** Stores the exchange itself: its verdict is added later. One from a recording has its run. */
  add(exchange: Exchange): void {
    if (this.#exchanges.length === MAX_EXCHANGES) this.dropOldest();
    exchange.run = this.#runs.runOf(exchange);
    if (exchange.run !== undefined) this.#addToRun(exchange.run, exchange.at);
    else if (isHeadUnread(exchange)) this.#noteBroken(exchange);
    exchange.place = this.next;
    this.#exchanges.push(exchange);
    this.bytes += weightOf(exchange);
  }

  #noteBroken(exchange: Exchange): void {
    const runs = this.#runs.mayBeOf(exchange);
    for (const run of runs) this.#runNamed(run).broken += 1;
    if (runs.size === 0) this.#brokenAt = exchange.at;
  }

  #addToRun(run: string, at: number): void {
    // One that goes on under its name is the run that was begun.
    const before = this.#isRunBegun ? this.#known.get(run) : undefined;
    if (before && this.#known.delete(run)) this.#known.set(run, before);
    this.#isRunBegun = false;
    const isFirst = !this.#known.has(run);
    const known = this.#runNamed(run);
    if (isFirst && at - this.#brokenAt < QUIET_MS) known.broken += 1;
    if (known.inLog === 0) this.#emptyRuns -= 1;
    known.inLog += 1;
  }

  #runNamed(run: string): KnownRun {
    const known = this.#known.get(run) ?? { inLog: 0, dropped: NONE, broken: 0 };
    if (!this.#known.has(run)) this.#emptyRuns += 1;
    this.#known.set(run, known);
    return known;
  }

  /** Stores an exchange as data once its verdict is final. @param hide see `cutBodies` */
  settle(exchange: Exchange, hide: (text: string) => string = (text) => text): void {
    const { place = -1 } = exchange;
    const index = place - this.first;
    if (this.#exchanges[index] !== exchange) {
      const isEvicted = place >= this.#begin && place < this.first;
      if (isEvicted && isFailing(exchange)) this.#countDropped(exchange, { requests: 0, failures: 1 });
      return;
    }
    forgetService(exchange);
    if (isLong(exchange)) cutBodies(exchange, hide);
    this.bytes += weightOfFindings(exchange);
  }

  /** Evicts the oldest exchanges until the request log takes at most `bytes`. */
  shrinkTo(bytes: number): void {
    while (this.bytes > bytes && this.#exchanges.length > 0) this.dropOldest();
  }

  dropOldest(): void {
    const oldest = this.#exchanges.shift();
    if (!oldest) return;
    this.bytes -= weightOf(oldest);
    this.first += 1;
    // The verdict of a pending one is counted when it is final.
    this.#countDropped(oldest, { requests: 1, failures: isData(oldest) && isFailing(oldest) ? 1 : 0 });
    const known = oldest.run === undefined ? undefined : this.#known.get(oldest.run);
    if (!known) return;
    known.inLog -= 1;
    if (known.inLog === 0) this.#emptyRuns += 1;
    if (this.#emptyRuns > MAX_EMPTY_RUNS) this.#forgetRun();
  }

  #countDropped({ run }: Exchange, dropped: Dropped): void {
    this.dropped = plus(this.dropped, dropped);
    const known = run === undefined ? undefined : this.#known.get(run);
    if (known) known.dropped = plus(known.dropped, dropped);
  }

  /** Forgets the oldest run that has nothing in the log. */
  #forgetRun(): void {
    for (const [run, { inLog }] of this.#known) {
      if (inLog > 0) continue;
      this.#known.delete(run);
      this.#emptyRuns -= 1;
      return;
    }
  }

  /** Removes settled exchanges. Pending ones are at the validator; they count as received after the clear. @param at real time */
  clear(at: number): void {
    this.since = { at, ms: stopwatch() };
    const pending = this.#exchanges.filter((each) => !isData(each));
    this.first = this.next;
    this.#exchanges = [];
    this.bytes = 0;
    this.dropped = NONE;
    this.#begin = this.first;
    this.wholeFrom = undefined;
    const { named } = this.#runs;
    this.#runs = new Runs(this.#label);
    this.#runs.named = named;
    this.#known.clear();
    this.#emptyRuns = 0;
    this.#isRunBegun = false;
    this.#brokenAt = Number.NEGATIVE_INFINITY;
    for (const exchange of pending) this.add(Object.assign(exchange, { run: undefined }));
  }
}

/**
 * Why a log, or a run in it, is not whole; nothing if it is.
 * @param dropped how many of its requests were evicted
 * @param run its requests in the log: a restart ends a run, unless its client gave it a name
 */
export const lossIn = (
  { wholeFrom }: Pick<RequestLog, 'wholeFrom'>,
  dropped: number,
  run?: readonly Exchange[],
): readonly string[] => [
  ...(dropped === 0
    ? []
    : [`${counted(dropped, 'older request')} left the request log; clear it before a test, or ask for one run`]),
  ...(wholeFrom === undefined || (run?.length && run.every((each) => givenName(each) === undefined))
    ? []
    : [
        `requests before ${isoTime(wholeFrom)} are unknown: the server was restarted, and its request log with it; clear the log before a test`,
      ]),
];

/** Whether the client must change something because of this request, whatever the others were. */
export const isFailing = (exchange: Exchange): boolean =>
  !isSkipped(exchange) &&
  !isExpectedInvalid(exchange) &&
  (isViolation(exchange) ||
    (exchange.malformed === undefined && exchange.operation === undefined) ||
    (exchange.verdict?.violations.some(({ side }) => side === 'request') ?? false));

/** Removes what only serves its request, such as the headers with its credential. It is changed in place: a copy takes 1 kB of garbage a request. */
function forgetService(exchange: Exchange & { head?: unknown; headers?: unknown; endDelay?: unknown }): void {
  exchange.head = undefined;
  exchange.headers = undefined;
  exchange.endDelay = undefined;
  exchange.place = undefined;
}

const isData = ({ place }: Exchange): boolean => place === undefined;

function weightOf(exchange: Exchange): number {
  const { request, response, requestHeaders, otherHeaders, decision } = exchange;
  let characters = request.target.length + Math.min(request.body?.length ?? 0, MAX_STORED_BODY);
  characters += Math.min(response.body.length, MAX_STORED_BODY);
  for (const text of requestHeaders) characters += text.length;
  if (otherHeaders) for (const text of otherHeaders) characters += text.length;
  if (decision.kind === 'rejected') for (const { message } of decision.problems) characters += message.length;
  return EXCHANGE + 2 * characters + (isData(exchange) ? weightOfFindings(exchange) : 0);
}

/** A pending exchange has none yet; few are shared with other exchanges. */
function weightOfFindings({ verdict }: Exchange): number {
  if (verdict === undefined || verdict.violations.length + verdict.warnings.length <= SHARED_FINDINGS) return 0;
  let characters = 0;
  for (const { location, message } of [...verdict.violations, ...verdict.warnings])
    characters += 100 + location.length + message.length;
  return 2 * characters;
}

/** Findings of a verdict that other exchanges are likely to share. */
const SHARED_FINDINGS = 2;

/** True if a body is longer than the stored part. */
export const isLong = ({ request, response }: Exchange): boolean =>
  response.body.length > MAX_STORED_BODY || (request.body !== undefined && request.body.length > MAX_STORED_BODY);

/**
 * Cuts the bodies of an exchange to the stored length. Call it only for a settled exchange: the validator needs whole
 * bodies.
 * @param hide redacts a text, so that no secret is cut in two and shown in part
 */
export function cutBodies(exchange: Exchange, hide: (text: string) => string): void {
  const { request, response } = exchange;
  const truncated: CutBodies = {
    request: request.body !== undefined && request.body.length > MAX_STORED_BODY,
    response: response.body.length > MAX_STORED_BODY,
    responseBytes: exchange.truncated?.responseBytes ?? Buffer.byteLength(response.body),
  };
  if (truncated.request) exchange.request = { ...request, body: beginningOfBody(request.body as string, hide) };
  if (truncated.response) exchange.response = { ...response, body: beginningOfBody(response.body, hide) };
  exchange.truncated = truncated;
}

function beginningOfBody(text: string, hide: (text: string) => string): string {
  // Marked as cut, so that `hide` recognizes a secret that is cut with it. Half a character is left out.
  const beginning = hide(shorten(text, MAX_STORED_BODY)).slice(0, -1);
  return copyOf(beginning.replace(/[\ud800-\udbff]$/, ''));
}
