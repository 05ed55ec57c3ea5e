/** The request log: the client's requests with their responses, and verification against expectations. */
import { ApiError } from '../../base/api/errors.ts';
import type { Exchange } from '../../base/api/exchange.ts';
import type { components } from '../../base/generated/control-api.d.ts';
import type { JsonObject, JsonValue } from '../../base/int64.ts';
import { inSlices } from '../../base/lane.ts';
import { counted } from '../../base/text.ts';
import { type Account, accountKindOf, accountOf } from '../../traffic/account.ts';
import { detailsOf, retryAfter } from '../../traffic/details.ts';
import { redactedJson } from '../../traffic/redact.ts';
import { isTold } from '../../traffic/remarks.ts';
import { LAST } from '../../traffic/runs.ts';
import { containing, type ExchangeFilter, exchangeIn, search } from '../../traffic/search.ts';
import { exchangeSummaryOf, shownExchange } from '../../traffic/shown.ts';
import {
  type Compared,
  closest,
  compareAll,
  differencesOf,
  type Expectation,
  whyImpossible,
} from '../../traffic/verification.ts';
import type { RequestPart } from '../../verdict/report/run-outcomes.ts';
import { type ControlContext, type Controls, done, validatedOf } from './control.ts';
import { longText } from './long-text.ts';
import { readPart, runNamed } from './part.ts';

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
      const { requestLog } = await validatedOf(call, context);
      const filter = { ...query, run: query.run === LAST ? runNamed(LAST, requestLog) : query.run };
      // Both are from one moment: the log grows while the list is sent.
      const [matching, dropped] = await call.inTurn(
        () => [search(requestLog, filter), requestLog.dropped.requests] as const,
      );
      const found =
        contains === undefined ? matching : await inSlices(containing(matching, contains, redact), call.inTurn);
      return longText(call, {
        before: '{"requests":[',
        items: summaries(found.slice(0, limit)),
        between: ',',
        after: () => `],"total":${found.length},"dropped":${dropped}}`,
      });
    },

    clearRequests: async (call) => {
      await requestLogs.clear(call.sandbox());
      return done;
    },

    getRequest: async (call) => {
      const { requestLog } = await validatedOf(call, context);
      const exchange = exchangeIn(requestLog, call.params['requestId'] as string);
      const { default: specification } = await import('../../base/generated/petstore.json', { with: { type: 'json' } });
      const retry = isTold(exchange) ? undefined : retryAfter(exchange, requestLog.settled());
      const details = detailsOf(exchange, retry, specification);
      return shown(200, { ...shownExchange(exchange), ...details });
    },

    verifyRequests: async (call) => {
      const { operation, method, path, status, since, run: wanted, ...counts } = call.body as Verification;
      rejectImpossible({ operation, method, path }, counts);
      const part = await readPart(call, context, { run: wanted, since, operation });
      const account = await call.inTurn(() => searchedAccount(part));
      const expected = { operation, method, path, status, ...exactBodies(call.exact) };
      // The newest first.
      const compared = await inSlices(compareAll(part.exchanges.toReversed(), expected), call.inTurn);
      const result = verifyCount(compared, { ...part, account, expected }, counts);
      return shown('code' in result ? 409 : 200, result);
    },
  };
}

type Verified = components['schemas']['Verified'];
type Failure = components['schemas']['VerificationFailed'];

/** What a verification knows. */
interface Known extends RequestPart {
  readonly account: Account;
  readonly expected: Expectation;
}

function verifyCount(
  compared: readonly Compared[],
  { dropped: { requests: dropped }, gaps, account, expected }: Known,
  counts: Counts,
): Verified | Failure {
  const matching = compared.filter(({ distance }) => distance === 0);
  const others = compared.filter(({ distance }) => distance > 0);
  const { enough, expectedCount, few, isBounded } = checkCount(matching.length, counts);
  const matched = matching.length;
  // More requests could be too many, or enough.
  const why = few || (enough && isBounded) ? unknownWords(gaps, others) : undefined;
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
const searchedAccount = ({ exchanges, dropped }: RequestPart): Account =>
  accountOf([
    ...exchanges.map((exchange) => ({ ...accountKindOf(exchange), count: 1 })),
    { kind: 'dropped', count: dropped.requests, reason: 'no longer in the request log' },
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
function rejectImpossible(expected: Expectation, { atLeast = 0, atMost, exactly }: Counts): void {
  const why = whyImpossible(expected);
  if (why) throw new ApiError('invalid_request', why);
  const most = Math.min(atMost ?? Number.POSITIVE_INFINITY, exactly ?? Number.POSITIVE_INFINITY);
  if (Math.max(atLeast, exactly ?? 0) > most)
    throw new ApiError('invalid_request', 'atLeast, atMost, exactly: no number meets all of them; leave one out');
}

/** What is not known, and what to do; `undefined` if everything is. */
function unknownWords(gaps: readonly string[], others: readonly Compared[]): string | undefined {
  const unknown = others.filter(({ isUnknown }) => isUnknown).length;
  const words = [
    ...gaps,
    ...(unknown > 0 ? [`it does not have the whole body of ${counted(unknown, 'request')} that may match`] : []),
  ];
  return words.length === 0 ? undefined : words.join(', and ');
}

function shownComparison(exchange: Exchange, expected: Expectation) {
  const { differences, more } = differencesOf(exchange, expected);
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
