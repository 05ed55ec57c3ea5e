/** The request log: the client's requests with their responses, and verification against expectations. */
import { ApiError } from '../api/errors.ts';
import type { Exchange } from '../api/exchange.ts';
import type { JsonObject, JsonValue } from '../core/int64.ts';
import { counted } from '../core/text.ts';
import { inSlices } from '../core/turns.ts';
import type { components } from '../generated/control-api.d.ts';
import { type Account, accountKindOf, accountOf } from '../requests/account.ts';
import type { Expectation } from '../requests/comparison.ts';
import { detailsOf, retryAfter } from '../requests/details.ts';
import { whyImpossible } from '../requests/impossible.ts';
import { redactedJson } from '../requests/redact.ts';
import { isTold } from '../requests/remarks.ts';
import { lossIn, type RequestLog } from '../requests/request-log.ts';
import { LAST } from '../requests/runs.ts';
import { containing, type ExchangeFilter, exchangeIn, exchangesAt, search, startOf } from '../requests/search.ts';
import { exchangeSummaryOf, shownExchange } from '../requests/shown.ts';
import { unansweredWords } from '../requests/unanswered.ts';
import { unattributedReasons } from '../requests/unmatched-requests.ts';
import {
  type Compared,
  closest,
  compareAll,
  differencesOf,
  follow,
  type SequenceStep,
} from '../requests/verification.ts';
import { type ControlContext, type Controls, done, validatedOf } from './control.ts';
import { longText } from './long-text.ts';
import { runNamed } from './runs.ts';
import { laterOf, unattributedTo } from './unmatched.ts';

const DEFAULT_LISTED = 100;
const MAX_NEAREST = 3;
/** The maximum number of matching requests that are listed. */
const MAX_MATCHES = 100;

interface ExchangeQuery extends ExchangeFilter {
  readonly contains?: string;
  readonly limit?: number;
}

interface Counts {
  readonly atLeast?: number;
  readonly atMost?: number;
  readonly exactly?: number;
}

interface Verification extends Counts {
  readonly operation?: string;
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly since?: string;
  readonly run?: string;
  readonly sequence?: readonly SequenceStep[];
}

export function requestControls(context: ControlContext): Controls {
  const { redact, requestLogs } = context;
  const shown = (status: number, value: unknown) => ({ status, body: redactedJson(value, redact) });
  function* summaries(exchanges: Iterable<Exchange>): Generator<string, void> {
    for (const exchange of exchanges) yield redactedJson(exchangeSummaryOf(exchange), redact);
  }

  return {
    listRequests: async (call) => {
      const { limit = DEFAULT_LISTED, contains, ...query } = call.query as ExchangeQuery;
      const { requestLog } = (await validatedOf(call, context)).history;
      const filter = { ...query, run: query.run === LAST ? runNamed(LAST, requestLog) : query.run };
      const all = contains === undefined ? undefined : search(requestLog, filter);
      const holding = all && (await inSlices(containing(all, contains as string, { requestLog, redact }), call.inTurn));
      // Both are from one moment: the log grows while the list is sent.
      const [found, dropped] = await call.inTurn(
        () => [holding ?? search(requestLog, filter), requestLog.dropped] as const,
      );
      return longText(call, {
        before: '{"requests":[',
        items: summaries(exchangesAt(requestLog, found.slice(0, limit))),
        between: ',',
        after: () => `],"total":${found.length},"dropped":${dropped}}`,
      });
    },

    clearRequests: async (call) => {
      await requestLogs.clear(call.sandbox());
      return done;
    },

    getRequest: async (call) => {
      const { requestLog } = (await validatedOf(call, context)).history;
      const exchange = exchangeIn(requestLog, call.params['requestId'] as string);
      const { default: specification } = await import('../generated/petstore.json', { with: { type: 'json' } });
      const retry = isTold(exchange)
        ? undefined
        : await context.logReader.read(requestLog, (all) => retryAfter(exchange, all));
      const details = detailsOf(exchange, retry, specification);
      return shown(200, { ...shownExchange(exchange), ...details });
    },

    verifyRequests: async (call) => {
      const { operation, method, path, status, since, run: wanted, sequence, ...counts } = call.body as Verification;
      rejectImpossible(sequence ?? [{ operation, method, path }], counts);
      const pending = await context.unanswered.whenAnswered(call.sandbox().id);
      const unanswered = pending.filter((each) => operation === undefined || each.operation === operation);
      const validated = await validatedOf(call, context);
      const { requestLog } = validated.history;
      const run = runNamed(wanted, requestLog);
      const searched = { sandbox: requestLog.sandbox, hold: () => requestLog.hold(search(requestLog, { since, run })) };
      const steps = sequence && exactSteps(sequence, call.exact['sequence'] as readonly JsonObject[]);
      const expected = { operation, method, path, status, ...exactBodies(call.exact) };
      return context.logReader.read(searched, async (exchanges, { evictedOfRuns }) => {
        const dropped = Math.min(
          droppedIn(requestLog, since),
          run === undefined ? Number.POSITIVE_INFINITY : (evictedOfRuns.get(run) ?? 0),
        );
        const unattributed = laterOf(unattributedTo(validated, context), startOf(requestLog, since));
        const gaps = [
          ...(isAfter(since, requestLog.wholeFrom)
            ? []
            : lossIn(requestLog, run === undefined ? undefined : exchanges)),
          ...unansweredWords(unanswered),
          ...unattributedReasons(unattributed, validated.sandbox.id),
        ];
        const log = { exchanges, dropped, gaps, account: searchedAccount(exchanges, dropped) };
        const result = await (steps ? verifySequence(steps, log) : verifyCount(expected, counts, log));
        return shown('code' in result ? 409 : 200, result);
      });
    },
  };
}

type Verified = components['schemas']['Verified'];
type Failure = components['schemas']['VerificationFailed'];

/** What a verification knows. */
interface Known {
  /** Newest first. */
  readonly exchanges: readonly Exchange[];
  /** Requests that could match, and are not among them. */
  readonly dropped: number;
  /** Why there may be others. */
  readonly gaps: readonly string[];
  /** Of both. */
  readonly account: Account;
}

async function verifySequence(
  steps: readonly SequenceStep[],
  { exchanges, dropped, gaps, account }: Known,
): Promise<Verified | Failure> {
  const { found, others } = await follow(exchanges.toReversed(), steps);
  const step = steps[found.length];
  if (!step) return { matched: found.length, dropped, account, requests: found.map(({ id }) => id) };
  const previous = found.at(-1);
  const near = closest(others, MAX_NEAREST).map(({ exchange }) => shownComparison(exchange, step, previous));
  const message = `found no request for step ${found.length + 1} of ${steps.length}${previous ? `, after ${previous.id}` : ''}`;
  return failure(message, unknownWords(dropped, gaps, others), {
    matched: found.length,
    dropped,
    account,
    closest: near,
  });
}

async function verifyCount(
  expected: SequenceStep,
  counts: Counts,
  { exchanges, dropped, gaps, account }: Known,
): Promise<Verified | Failure> {
  const compared = await compareAll(exchanges, expected);
  const matching = compared.filter(({ distance }) => distance === 0);
  const others = compared.filter(({ distance }) => distance > 0);
  const { enough, expectedCount, few, isBounded } = checkCount(matching.length, counts);
  const matched = matching.length;
  // More requests could be too many, or enough.
  const why = few || (enough && isBounded) ? unknownWords(dropped, gaps, others) : undefined;
  if (enough && !why)
    return { matched, dropped, account, requests: matching.slice(0, MAX_MATCHES).map(({ exchange }) => exchange.id) };
  const near = few ? closest(others, MAX_NEAREST) : matching.slice(0, MAX_NEAREST);
  const message = `expected ${expectedCount} of such requests, found ${matched}`;
  return failure(message, why, {
    matched,
    dropped,
    account,
    closest: near.map(({ exchange }) => shownComparison(exchange, expected)),
  });
}

/** Of the requests that are searched. */
const searchedAccount = (exchanges: readonly Exchange[], dropped: number): Account =>
  accountOf([
    ...exchanges.map((exchange) => ({ ...accountKindOf(exchange), count: 1 })),
    { kind: 'dropped', count: dropped, reason: 'no longer in the request log' },
  ]);

/** @param unknown why the result is not certain */
function failure(
  message: string,
  unknown: string | undefined,
  rest: Pick<Failure, 'matched' | 'dropped' | 'account' | 'closest'>,
): Failure {
  const code = unknown === undefined ? 'verification_failed' : 'verification_incomplete';
  return { code, message: unknown === undefined ? message : `${message}, but ${unknown}`, status: 409, ...rest };
}

/** @throws {ApiError} `invalid_request` for an expectation that no request can meet */
function rejectImpossible(steps: readonly Expectation[], { atLeast = 0, atMost, exactly }: Counts): void {
  const [why] = steps.flatMap((step) => whyImpossible(step) ?? []);
  if (why) throw new ApiError('invalid_request', why);
  const most = Math.min(atMost ?? Number.POSITIVE_INFINITY, exactly ?? Number.POSITIVE_INFINITY);
  if (Math.max(atLeast, exactly ?? 0) > most)
    throw new ApiError('invalid_request', 'atLeast, atMost, exactly: no number meets all of them; leave one out');
}

/** The requests that are not in the log and could match: none before one that it has, or before a time that it covers. */
function droppedIn(requestLog: RequestLog, since: string | undefined): number {
  if (since === undefined) return requestLog.dropped;
  const from = since.startsWith('req_') ? Number.POSITIVE_INFINITY : Date.parse(since);
  const oldest = requestLog.at(requestLog.first);
  return oldest && oldest.at < from ? 0 : requestLog.dropped;
}

/** Whether nothing is searched before a time. @param since a request of the log, or a time */
const isAfter = (since: string | undefined, time = 0): boolean =>
  since !== undefined && (since.startsWith('req_') || Date.parse(since) >= time);

/** What is not known, and what to do; `undefined` if everything is. */
function unknownWords(dropped: number, gaps: readonly string[], others: readonly Compared[]): string | undefined {
  const unknown = others.filter(({ isUnknown }) => isUnknown).length;
  const words = [
    ...gaps,
    ...(dropped > 0
      ? [
          `the request log has dropped ${counted(dropped, 'request')}: clear it before the test, or verify since a request`,
        ]
      : []),
    ...(unknown > 0 ? [`it does not have the whole body of ${counted(unknown, 'request')} that may match`] : []),
  ];
  return words.length === 0 ? undefined : words.join(', and ');
}

function shownComparison(exchange: Exchange, expected: SequenceStep, previous?: Exchange) {
  const { differences, more } = differencesOf(exchange, expected, previous);
  return { request: shownExchange(exchange), differences, ...(more > 0 && { more }) };
}

/** Without any count, one request is enough. @returns whether the count matches, and otherwise whether it is too low */
function checkCount(matched: number, { atLeast, atMost, exactly }: Counts) {
  const isFree = atLeast === undefined && atMost === undefined && exactly === undefined;
  const least = Math.max(atLeast ?? (isFree ? 1 : 0), exactly ?? 0);
  const most = Math.min(atMost ?? Number.POSITIVE_INFINITY, exactly ?? Number.POSITIVE_INFINITY);
  const expectedCount =
    least === most
      ? `exactly ${least}`
      : [
          ...(least > 0 ? [`at least ${least}`] : []),
          ...(most < Number.POSITIVE_INFINITY ? [`at most ${most}`] : []),
        ].join(' and ');
  const isBounded = most < Number.POSITIVE_INFINITY;
  return { enough: matched >= least && matched <= most, expectedCount, few: matched < least, isBounded };
}

/** The expected bodies with unparsed digits: the validated body of a control contains plain numbers. */
const exactBodies = (exact: JsonObject): Pick<Expectation, 'body' | 'responseBody'> => ({
  body: ownValue(exact, 'body'),
  responseBody: ownValue(exact, 'responseBody'),
});

const ownValue = (object: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

const exactSteps = (sequence: readonly SequenceStep[], exact: readonly JsonObject[]): SequenceStep[] =>
  sequence.map((step, i) => ({ ...step, ...exactBodies(exact[i] as JsonObject) }));
