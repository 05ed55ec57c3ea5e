/**
 * Counts of everything in one sandbox since its request log was last cleared, including evicted exchanges. The contract
 * report is built from them. Exchanges that could not be counted or validated are counted as such.
 */
import { ERROR_STATUS } from '../api/errors.ts';
import {
  EXPECTED_INVALID_BUT_VALID,
  type Exchange,
  isExpectedInvalid,
  isFromDashboard,
  isSkipped,
  isValid,
  type Malformed,
  type Verdict,
  type Violation,
  type Warning,
} from '../api/exchange.ts';
import { stopwatch } from '../core/clock.ts';
import { counted, shorten } from '../core/text.ts';
import { basePath } from '../generated/facts.ts';
import { AccountCounter } from './account.ts';
import { Allowance, type Budget } from './allowance.ts';
import { isBelowBase, isMethod, nearestOperation } from './closest-operation.ts';
import { Groups, type GroupsOptions } from './groups.ts';
import { isViolation } from './malformed.ts';
import { isBeyond, isRejected, type Rejection, rejectionsOf } from './rejection.ts';
import { SentParts } from './request-parts.ts';
import { type RoundedNumber, Rounding } from './rounding.ts';

/** The memory of one sandbox for findings, in bytes: about 250 groups of findings. */
const MAX_BYTES = 768 * 1024;

/** Counts of one response status of an operation. */
interface ResponseCount {
  /** Responses of the sandbox itself. */
  served: number;
  /** Those of them that are rejections that the request expected. */
  expected: number;
  /** Responses replaced by a fault. */
  injectedFaults: number;
}

/** An injected fault, as text. */
interface InjectedFault {
  readonly fault: string;
}

/** A request without a matching operation. */
interface NoOperation {
  readonly method: string;
  /** The path as sent, with `{id}` for each numeric segment. */
  readonly path: string;
  readonly message: string;
}

/** A request that isn't HTTP, with its cause. */
interface MalformedRequest extends Malformed {
  readonly method: string;
  /** The path as far as it was read. */
  readonly path: string;
}

/** Why the validator failed. */
interface ValidationFailure {
  readonly reason: string;
}

/** What a request broke on purpose. */
export type ExpectedInvalidFinding = Pick<Violation, 'location' | 'message'> & { readonly rule: string };

/** What is grouped of one operation. */
interface Kinds {
  readonly violations: Violation;
  /** Rejections that the request did not expect. */
  readonly rejected: Rejection;
  /** Includes uses of a deprecated operation, with the rule `deprecated` and the place `operation`. */
  readonly warnings: Warning;
  /** What requests broke that said so themselves: see `isExpectedInvalid`. */
  readonly expectedInvalid: ExpectedInvalidFinding;
  readonly injectedFaults: InjectedFault;
  readonly validationFailures: ValidationFailure;
  /** The certain ones; the others are warnings. */
  readonly rounded: RoundedNumber;
}
type Kind = keyof Kinds;

const BY_LOCATION = {
  keyOf: ({ rule, location, message }: ExpectedInvalidFinding): string => `${rule}\n${location}\n${message}`,
  spotOf: (finding: ExpectedInvalidFinding) => finding,
};

const KINDS: { readonly [K in Kind]: GroupsOptions<Kinds[K]> } = {
  violations: {
    keyOf: ({ side, location, pointer, rule, message }) => `${side}\n${location}\n${pointer}\n${rule}\n${message}`,
    // A violation in a response does not concern a part of the request.
    spotOf: ({ side, location, rule }) => ({ location: side === 'request' ? location : side, rule }),
  },
  rejected: BY_LOCATION,
  warnings: BY_LOCATION,
  expectedInvalid: BY_LOCATION,
  injectedFaults: { keyOf: ({ fault }) => fault },
  validationFailures: { keyOf: ({ reason }) => reason },
  rounded: {
    keyOf: ({ location, sent, handedOut }) => `${location} ${sent} ${handedOut}`,
    spotOf: ({ location, handedOut }) => ({ location, rule: 'int64-rounded', handedOut }),
  },
};

const kinds = Object.keys(KINDS) as Kind[];

/** Something of every kind. */
const ofKinds = <All extends Readonly<Record<Kind, unknown>>>(make: (kind: Kind) => All[Kind]): All =>
  Object.fromEntries(kinds.map((kind) => [kind, make(kind)])) as All;

type GroupsOfKinds = { readonly [K in Kind]: Groups<Kinds[K]> };

/** Counts of one operation. */
export interface OperationTally extends GroupsOfKinds {
  readonly responses: Map<number, ResponseCount>;
  /** Exchanges that are not validated: HEAD. They are in no other count. */
  skipped: number;
}

/** Reasons that are named in the verdict. */
const MAX_REASONS = 3;

/** `2 requests could not be validated: the file has no response to it` */
function notValidatedReasons(tallies: readonly OperationTally[]): string[] {
  const byReason = new Map<string, number>();
  for (const { finding, count } of tallies.flatMap(({ validationFailures }) => validationFailures.all()))
    byReason.set(finding.reason, (byReason.get(finding.reason) ?? 0) + count);
  const named = [...byReason].slice(0, MAX_REASONS);
  const rest = [...byReason].slice(MAX_REASONS).reduce((sum, [, count]) => sum + count, 0);
  return [...named, ...(rest > 0 ? [['for other reasons', rest] as const] : [])].map(
    ([reason, count]) => `${counted(count, 'request')} could not be validated: ${reason}`,
  );
}

const newTally = (allowance: Allowance): OperationTally => ({
  responses: new Map(),
  skipped: 0,
  ...ofKinds<GroupsOfKinds>((kind) => new Groups(KINDS[kind] as GroupsOptions<never>, allowance) as never),
});

export class Tallies {
  /** Real time of the last clear, or of the creation, in milliseconds since 1970. */
  readonly since: number;
  /** The same by the stopwatch, which tells apart what happened in one millisecond. */
  readonly sinceMs: number;
  readonly operations = new Map<string, OperationTally>();
  /** Responses without a matching operation, by status. */
  readonly noOperationStatuses = new Map<number, number>();
  /** The requests behind them. */
  readonly noOperation: Groups<NoOperation>;
  readonly malformed: Groups<MalformedRequest>;
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
    this.#allowance = new Allowance(budget, MAX_BYTES);
    this.#rounding = new Rounding(this.#allowance);
    this.noOperation = new Groups(
      {
        keyOf: ({ method, path, message }) => `${method} ${path}\n${message}`,
        spotOf: () => ({ location: 'operation', rule: 'no-operation' }),
      },
      this.#allowance,
    );
    this.malformed = new Groups(
      {
        keyOf: ({ method, path, message }) => `${method} ${path}\n${message}`,
        spotOf: ({ cause }) => ({ location: 'operation', rule: `malformed-http/${cause}` }),
      },
      this.#allowance,
    );
  }

  /** Why the counts are incomplete; empty if they are complete. */
  get incompleteReasons(): readonly string[] {
    const all = [...this.operations.values()];
    const uncounted = all
      .flatMap((tally) => kinds.map((kind) => tally[kind].uncounted))
      .reduce((sum, each) => sum + each, this.noOperation.uncounted + this.malformed.uncounted);
    const { forgotten } = this.#rounding;
    const unread = this.account.entries.filter(
      ({ kind, operation }) => kind === 'notValidated' && operation === undefined,
    );
    return [
      ...unread.map(({ count, reason }) => `${counted(count, 'request')} could not be read: ${reason}`),
      ...(this.dropped > 0
        ? [`${counted(this.dropped, 'request')} had left the request log before it was recorded`]
        : []),
      ...notValidatedReasons(all),
      ...(uncounted > 0 ? [`there was no room to count ${counted(uncounted, 'finding')} of further kinds`] : []),
      ...(forgotten > 0 ? [`there was no room to watch ${counted(forgotten, 'large integer')} for rounding`] : []),
    ];
  }

  /** The tally of an operation, which may be new. */
  of(operation: string): OperationTally {
    let tally = this.operations.get(operation);
    if (!tally) {
      tally = newTally(this.#allowance);
      this.operations.set(operation, tally);
    }
    return tally;
  }

  /** Reads the numbers of a new exchange while its bodies are complete. */
  watch(exchange: Exchange): void {
    if (isFromDashboard(exchange) || exchange.malformed) return;
    const rounded = this.#rounding.find(exchange);
    if (!rounded) this.#rounding.note(exchange);
    if (!rounded || isExpectedInvalid(exchange)) return;
    const tally = this.of(exchange.operation as string);
    if (rounded.isCertain) tally.rounded.add(rounded, exchange);
    else tally.warnings.add(possiblyRounded(rounded), exchange);
  }

  /** Counts a settled exchange, unless it says nothing about the client. */
  count(exchange: Exchange): void {
    this.account.count(exchange);
    if (isSkipped(exchange)) return;
    // Those of a recording came to another server.
    if (exchange.at >= this.since) this.cameTo[exchange.address === undefined ? 'shared' : 'ownAddress'] = true;
    const { operation, response, injectedFault, verdict, malformed } = exchange;
    if (malformed) {
      const { method, target } = exchange.request;
      if (isViolation(exchange) && !isExpectedInvalid(exchange))
        this.malformed.add(
          { ...malformed, method, path: shorten(target.split('?', 1)[0] as string, MAX_PATH) },
          exchange,
        );
      return;
    }
    if (operation === undefined) {
      this.noOperationStatuses.set(response.status, (this.noOperationStatuses.get(response.status) ?? 0) + 1);
      if (!isExpectedInvalid(exchange)) this.noOperation.add(noOperationOf(exchange), exchange);
      return;
    }
    const tally = this.of(operation);
    if (!verdict) {
      tally.skipped += 1;
      return;
    }
    const count = responseCount(tally, response.status);
    if (injectedFault === undefined) {
      count.served += 1;
      if (isRejected(exchange) && isExpectedInvalid(exchange)) count.expected += 1;
    } else {
      count.injectedFaults += 1;
      tally.injectedFaults.add({ fault: injectedFault }, exchange);
    }
    if (verdict.validationError !== undefined)
      tally.validationFailures.add({ reason: verdict.validationError }, exchange);
    this.#countFindings(tally, exchange, verdict);
  }

  /** What a request expects is no violation, warning or rejection. */
  #countFindings(tally: OperationTally, exchange: Exchange, { violations, warnings }: Verdict): void {
    const isMeant = isExpectedInvalid(exchange);
    if (!isMeant && violations.length + warnings.length === 0 && !isRejected(exchange)) return;
    const parts = new SentParts(exchange);
    for (const violation of violations) {
      if (isMeant && violation.side === 'request') tally.expectedInvalid.add(violation, exchange, parts);
      else tally.violations.add(violation, exchange, parts);
    }
    for (const warning of warnings) {
      if (!isBeyond(warning)) (isMeant ? tally.expectedInvalid : tally.warnings).add(warning, exchange, parts);
    }
    for (const rejection of rejectionsOf(exchange))
      (isMeant ? tally.expectedInvalid : tally.rejected).add(rejection, exchange, parts);
    if (isMeant && isValid(exchange)) tally.warnings.add(EXPECTED_INVALID_BUT_VALID, exchange);
  }

  /** Releases its memory; the tally must not be used afterward. */
  release(): void {
    this.#allowance.release();
  }
}

const possiblyRounded = ({ location, sent, handedOut }: RoundedNumber): Warning => ({
  location,
  rule: 'int64-possibly-rounded',
  message: `${sent} is what becomes of ${handedOut} in a double, and the sandbox had sent ${handedOut}`,
});

function responseCount({ responses }: OperationTally, status: number): ResponseCount {
  let count = responses.get(status);
  if (!count) {
    count = { served: 0, expected: 0, injectedFaults: 0 };
    responses.set(status, count);
  }
  return count;
}

/** A path that the real service has, and that is not described. */
const UNDESCRIBED = '/store/orders';

const undescribedIn = (path: string): string | undefined =>
  path.endsWith(UNDESCRIBED) ? `GET ${basePath}${UNDESCRIBED}` : undefined;

/** Characters kept of a path. */
const MAX_PATH = 100;

function noOperationOf({ request: { method, target }, response }: Exchange): NoOperation {
  const path = shorten((target.split('?', 1)[0] as string).replaceAll(/(?<=\/)-?\d+(?=\/|$)/g, '{id}'), MAX_PATH);
  const near = nearestOperation(method, target) ?? (isBelowBase(target) ? undefined : undescribedIn(path));
  if (near !== undefined) return { method, path, message: `no such operation; did you mean \`${near}\`?` };
  const isUndescribed = response.status === ERROR_STATUS.not_specified;
  return {
    method,
    path,
    message: isUndescribed
      ? 'the API of this operation is not described'
      : `${isMethod(method) ? 'no such operation' : `the API has no operation with the method ${shorten(method, 20)}`}${isBelowBase(target) ? '' : `; the API is under \`${basePath}\``}`,
  };
}
