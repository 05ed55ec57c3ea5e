/**
 * The validator: submits every exchange to the validator, and attaches the verdict, asynchronously after the response.
 * `submit` costs the main thread a lookup and, for inputs that were not validated before, a string to post.
 */

import type { Log } from '../core/log.ts';
import { shorten } from '../core/text.ts';
import type { Exchange, Verdict } from '../requests/exchange.ts';
import { agree, freezeVerdict } from './agreement.ts';
import { Memory } from './known-verdicts.ts';
import { decodeVerdict } from './message.ts';
import { type QueueBounds, ValidatorQueue } from './queue.ts';

export interface ValidatorOptions {
  readonly log: Log;
  /** Called once for each exchange, when its verdict is attached. */
  readonly onVerdict?: (exchange: Exchange) => void;
  /** The validator ended and could not be restarted: exchanges are no longer validated. */
  readonly onFatal?: (error: Error) => void;
  /** The worker's file; the built one unless a test supplies another. */
  readonly worker?: URL;
  /** The timeout of the validator for one exchange. */
  readonly patienceMs?: number;
  /** The limits of the validator's queue. */
  readonly bounds?: QueueBounds;
  /** Characters of exchanges with cached verdicts. */
  readonly maxRemembered?: number;
}

/** Counts since the start. */
export interface ValidatorTallies {
  /** Exchanges with a verdict, including cached ones. */
  validated: number;
  /** Exchanges whose verdict was cached. */
  remembered: number;
  /** Exchanges on which the validator failed. */
  validationFailures: number;
  /** Requests with an unintended difference between service and validator: bugs of the sandbox. */
  disagreements: number;
  /** Responses that violate the specification: bugs of the sandbox. */
  brokenResponses: number;
}

export interface Validator {
  /**
   * Resolves when the validator has checked itself; rejects if it cannot start, for example if a schema does not compile.
   */
  readonly ready: Promise<void>;
  /** Whether the validator runs now: not before `ready`, nor while it is restarted. */
  readonly isReady: boolean;
  readonly tallies: Readonly<ValidatorTallies>;
  /** Submits an exchange. Not for HEAD and 304, which have no body to validate, nor without a matching operation. */
  submit(exchange: Exchange): void;
  /**
   * `undefined` if there is room for another exchange of this owner; otherwise await it before the owner's next
   * request.
   */
  room(owner: string): Promise<void> | undefined;
  /** Resolves when everything submitted so far has its verdict: of one sandbox, or of all. */
  settled(sandbox?: string): Promise<void>;
  /** Waits for submitted exchanges up to a time limit, then ends the worker. The remaining exchanges are not validated. */
  close(withinMs?: number): Promise<void>;
}

/** In the bundle the worker's file is in the same folder; tests from source use the built one. */
const builtValidator = (): URL =>
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/worker.js' : './worker.js', import.meta.url);

export function createValidator(options: ValidatorOptions): Validator {
  const memory = new Memory(options.maxRemembered);
  const tallies: ValidatorTallies = {
    validated: 0,
    remembered: 0,
    validationFailures: 0,
    disagreements: 0,
    brokenResponses: 0,
  };
  const verdictOf = verdictReader();
  const conclude = concluder(tallies, options);

  const queue = new ValidatorQueue({
    worker: options.worker ?? builtValidator(),
    patienceMs: options.patienceMs ?? 10_000,
    bounds: options.bounds,
    log: options.log,
    onVerdict: (exchange, text) => {
      const verdict = verdictOf(text);
      // A failure may be transient.
      if (verdict.validationError === undefined && isRemembered(exchange)) memory.set(exchange, verdict);
      conclude(exchange, verdict);
    },
    onUnjudged: (exchange, reason) =>
      conclude(exchange, freezeVerdict({ violations: [], warnings: [], validationError: reason })),
    onFatal: (error) => options.onFatal?.(error),
  });

  return {
    ready: queue.ready,
    get isReady() {
      return queue.isRunning;
    },
    tallies,
    submit: (exchange) => {
      const verdict = isRemembered(exchange) ? memory.get(exchange) : undefined;
      if (verdict) {
        tallies.remembered += 1;
        conclude(exchange, verdict);
      } else {
        queue.push(exchange);
      }
    },
    room: (owner) => queue.room(owner),
    settled: (sandbox) => queue.settled(sandbox),
    close: (withinMs) => queue.close(withinMs),
  };
}

/** Equal verdicts share one object; this is the maximum number of different ones. */
const MAX_KNOWN = 500;

/** Decodes the texts of verdicts. */
function verdictReader(): (text: string) => Verdict {
  const known = new Map<string, Verdict>();
  return (text) => {
    const before = known.get(text);
    if (before) return before;
    const verdict = freezeVerdict(decodeVerdict(text));
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(text, verdict);
    return verdict;
  };
}

/** Attaches verdicts to their exchanges, counts them, and logs what is a bug of the sandbox. */
function concluder(
  tallies: ValidatorTallies,
  { log, onVerdict }: ValidatorOptions,
): (exchange: Exchange, validated: Verdict) => void {
  return (exchange, validated) => {
    const { verdict, disagreement, brokenResponse } = agree(exchange, validated);
    exchange.verdict = verdict;
    if (verdict.validationError === undefined) {
      tallies.validated += 1;
    } else {
      tallies.validationFailures += 1;
      log.error(describe(exchange), `not validated: ${verdict.validationError}`);
    }
    if (disagreement !== undefined) {
      tallies.disagreements += 1;
      log.error(describe(exchange), disagreement);
    }
    if (brokenResponse) {
      tallies.brokenResponses += 1;
      log.error(describe(exchange), 'a response breaks the specification');
    }
    onVerdict?.(exchange);
  };
}

const isRemembered = ({ request }: Exchange): boolean => request.body === undefined;

/** Characters of a body in a log entry. */
const MAX_SHOWN = 2 * 1024;

/** An exchange for the log. Responses that issue keys contain them: their values are blanked. */
function describe({ id, sandbox, operation, request, response, decision, injectedFault, verdict }: Exchange): object {
  return {
    exchange: id,
    sandbox,
    operation,
    request: { ...request, body: shown(request.body) },
    response: { ...response, body: shown(response.body) },
    decision,
    injectedFault,
    violations: verdict?.violations,
  };
}

const shown = (body: string | undefined): string | undefined =>
  body && shorten(body, MAX_SHOWN).replace(/("(?:key|token)"\s*:\s*")[^"]*/gi, '$1…');
