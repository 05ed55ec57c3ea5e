/** The request log: the client's requests with their responses, and verification against expectations. */
import { ERROR_STATUS } from '../api/errors.ts';
import type { Exchange } from '../api/exchange.ts';
import type { JsonObject, JsonValue } from '../core/int64.ts';
import { inSlices } from '../core/turns.ts';
import { ROUND } from '../http/heavy-lane.ts';
import type { Expectation } from '../requests/comparison.ts';
import { detailsOf } from '../requests/details.ts';
import { redactedJson } from '../requests/redact.ts';
import { containing, type ExchangeFilter, exchangeIn, exchangesAt, search, sinceIn } from '../requests/search.ts';
import { shownExchange, summaryOf } from '../requests/shown.ts';
import { closest, compareAll, differencesOf, follow, type Step } from '../requests/verification.ts';
import { type ControlContext, type Controls, done, settledOf } from './control.ts';

const DEFAULT_LIMIT = 100;
const MAX_NEAREST = 3;
/** The maximum number of matching requests that are listed. */
const MAX_NAMED = 100;

interface ListQuery extends ExchangeFilter {
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
  readonly sequence?: readonly Step[];
}

export function requestControls(context: ControlContext): Controls {
  const { redact, histories } = context;
  const shown = (status: number, value: unknown) => ({ status, body: redactedJson(value, redact) });

  return {
    listRequests: async (call) => {
      const { limit = DEFAULT_LIMIT, contains, ...filter } = call.query as ListQuery;
      const { requestLog } = (await settledOf(call, context)).history;
      const turn = <T>(work: () => T | Promise<T>): Promise<T> => call.req.exchange.inTurn(ROUND, work);
      const all = contains === undefined ? undefined : search(requestLog, filter);
      const holding = all && (await inSlices(containing(all, contains as string, { requestLog, redact }), turn));
      return turn(() => {
        const found = holding ?? search(requestLog, filter);
        const requests = exchangesAt(requestLog, found.slice(0, limit)).map(summaryOf);
        return shown(200, { requests, total: found.length, dropped: requestLog.dropped });
      });
    },

    clearRequests: async (call) => {
      await histories.clear(call.sandbox());
      return done;
    },

    getRequest: async (call) => {
      const { requestLog } = (await settledOf(call, context)).history;
      const exchange = exchangeIn(requestLog, call.params['requestId'] as string);
      const { default: specification } = await import('../generated/petstore.json', { with: { type: 'json' } });
      const details = detailsOf(exchange, requestLog.newestFirst(), specification);
      return shown(200, { ...shownExchange(exchange), ...details });
    },

    verifyRequests: async (call) => {
      const { operation, method, path, status, since, sequence, ...counts } = call.body as Verification;
      const { requestLog } = (await settledOf(call, context)).history;
      if (sequence) {
        const steps = exactSteps(sequence, call.exact['sequence'] as readonly JsonObject[]);
        const exchanges = sinceIn(requestLog, since).toReversed();
        const { found, others } = await call.req.exchange.inTurn(ROUND, () => follow(exchanges, steps));
        const step = steps[found.length];
        if (!step) return shown(200, { matched: found.length, requests: found.map(({ id }) => id) });
        const previous = found.at(-1);
        return shown(409, {
          code: 'verification_failed',
          message: `found no request for step ${found.length + 1} of ${steps.length}${previous ? `, after ${previous.id}` : ''}`,
          status: ERROR_STATUS.verification_failed,
          matched: found.length,
          closest: closest(others, MAX_NEAREST).map(({ exchange }) => shownComparison(exchange, step, previous)),
        });
      }
      const expected = { operation, method, path, status, ...exactBodies(call.exact) };
      const compared = await call.req.exchange.inTurn(ROUND, () => compareAll(sinceIn(requestLog, since), expected));
      const matching = compared.filter(({ distance }) => distance === 0);
      const requests = matching.slice(0, MAX_NAMED).map(({ exchange }) => exchange.id);
      const { enough, expectedCount, few } = checkCount(matching.length, counts);
      if (enough) return shown(200, { matched: matching.length, requests });
      const others = compared.filter(({ distance }) => distance > 0);
      const near = few ? closest(others, MAX_NEAREST) : matching.slice(0, MAX_NEAREST);
      return shown(409, {
        code: 'verification_failed',
        message: `expected ${expectedCount} of such requests, found ${matching.length}`,
        status: ERROR_STATUS.verification_failed,
        matched: matching.length,
        closest: near.map(({ exchange }) => shownComparison(exchange, expected)),
      });
    },
  };
}

function shownComparison(exchange: Exchange, expected: Step, previous?: Exchange) {
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
  return { enough: matched >= least && matched <= most, expectedCount, few: matched < least };
}

/** The expected bodies with unparsed digits: the validated body of a control contains plain numbers. */
const exactBodies = (exact: JsonObject): Pick<Expectation, 'body' | 'responseBody'> => ({
  body: ownValue(exact, 'body'),
  responseBody: ownValue(exact, 'responseBody'),
});

const ownValue = (object: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

const exactSteps = (sequence: readonly Step[], exact: readonly JsonObject[]): Step[] =>
  sequence.map((step, i) => ({ ...step, ...exactBodies(exact[i] as JsonObject) }));
