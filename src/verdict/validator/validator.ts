/**
 * Hands every exchange to the validator's thread, and attaches the verdict, asynchronously after the response.
 * `submit` costs the main thread a lookup and, for inputs that were not validated before, a string to post.
 */

import type { Exchange, Verdict } from '../../base/api/exchange.ts';
import type { Log } from '../../base/log.ts';
import { agree, freezeVerdict } from './agreement.ts';
import { VerdictCache } from './known-verdicts.ts';
import { decodeVerdict } from './message.ts';
import { type QueueBounds, ValidatorQueue } from './queue.ts';
import { startWorker, type ValidatorWorker } from './worker-thread.ts';

export interface ValidatorOptions {
  readonly log: Log;
  /** The worker's file, or what starts a worker; the built file unless a test supplies another. */
  readonly worker?: URL | (() => ValidatorWorker);
  /** The timeout of the validator for one exchange. */
  readonly timeoutMs?: number;
  /** The limits of the validator's queue. */
  readonly bounds: QueueBounds;
  /** Characters of exchanges with cached verdicts. */
  readonly maxRemembered?: number;
}

export type ValidatorService = ReturnType<typeof createValidator>;

/** Counts since the start: each is a number of exchanges. */
const NO_TALLIES = {
  /** With a verdict, including cached ones. */
  validated: 0,
  /** With a cached verdict. */
  remembered: 0,
  validationFailures: 0,
  /** With an unintended difference between service and validator: bugs of the sandbox. */
  disagreements: 0,
  /** With a response that violates the specification: bugs of the sandbox. */
  brokenResponses: 0,
};

/** In the bundle the worker's file is in the same folder; tests from source use the built one. */
export const builtValidator = (): URL =>
  new URL(import.meta.url.endsWith('.ts') ? '../../../dist/worker.js' : './worker.js', import.meta.url);

export function createValidator(options: ValidatorOptions) {
  const memory = new VerdictCache(options.maxRemembered);
  const tallies = { ...NO_TALLIES };
  const verdictOf = verdictReader();
  let watcher: ((exchange: Exchange) => void) | undefined;
  const conclude = concluder(tallies, options.log, (exchange) => watcher?.(exchange));
  const worker = options.worker ?? builtValidator();
  let fail: (error: Error) => void = () => undefined;
  const lost = new Promise<Error>((resolve) => {
    fail = resolve;
  });

  const queue = new ValidatorQueue({
    start: typeof worker === 'function' ? worker : () => startWorker(worker),
    timeoutMs: options.timeoutMs ?? 10_000,
    bounds: options.bounds,
    log: options.log,
    onVerdict: (exchange, text) => {
      const verdict = verdictOf(text);
      // A failure may be transient.
      if (verdict.validationError === undefined && isRemembered(exchange)) memory.set(exchange, verdict);
      conclude(exchange, verdict);
    },
    onNotValidated: (exchange, reason) =>
      conclude(exchange, freezeVerdict({ violations: [], warnings: [], validationError: reason })),
    onFatal: fail,
  });
  queue.ready.catch(fail);

  return {
    /** Resolves with the cause when it could not start or restart: exchanges are no longer validated. */
    lost,
    /** Names who is called once for each exchange, when its verdict is attached. */
    watch: (onVerdict: (exchange: Exchange) => void): void => {
      watcher = onVerdict;
    },
    /** Resolves when the validator has started; rejects if it cannot start, for example if a schema does not compile. */
    ready: queue.ready,
    /** Whether the validator runs now: not before `ready`, nor while it is restarted. */
    get isReady(): boolean {
      return queue.isRunning;
    },
    tallies: tallies as Readonly<typeof tallies>,
    /** Submits an exchange. Not for HEAD and 304, which have no body to validate, nor without a matching operation. */
    submit: (exchange: Exchange): void => {
      const verdict = isRemembered(exchange) ? memory.get(exchange) : undefined;
      if (verdict) {
        tallies.remembered += 1;
        conclude(exchange, verdict);
      } else {
        queue.push(exchange);
      }
    },
    capacity: queue.capacity.bind(queue),
    whenValidated: queue.whenValidated.bind(queue),
    close: queue.close.bind(queue),
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
  tallies: typeof NO_TALLIES,
  log: Log,
  onVerdict: (exchange: Exchange) => void,
): (exchange: Exchange, validated: Verdict) => void {
  return (exchange, validated) => {
    const { verdict, disagreement, brokenResponse } = agree(exchange, validated);
    exchange.verdict = verdict;
    if (verdict.validationError === undefined) {
      tallies.validated += 1;
    } else {
      tallies.validationFailures += 1;
      log.error(exchangeFields(exchange), `not validated: ${verdict.validationError}`);
    }
    if (disagreement !== undefined) {
      tallies.disagreements += 1;
      log.error(exchangeFields(exchange), disagreement);
    }
    if (brokenResponse) {
      tallies.brokenResponses += 1;
      log.error(exchangeFields(exchange), 'a response breaks the specification');
    }
    onVerdict(exchange);
  };
}

const isRemembered = ({ request }: Exchange): boolean => request.body === undefined;

/** An exchange for the log, without its bodies: the request log has them. */
function exchangeFields({
  id,
  sandbox,
  operation,
  request,
  response,
  decision,
  injectedFault,
  verdict,
}: Exchange): object {
  const { method, target } = request;
  const { violations } = verdict as Verdict;
  return {
    exchange: id,
    sandbox,
    operation,
    method,
    target,
    status: response.status,
    decision,
    injectedFault,
    violations,
  };
}
