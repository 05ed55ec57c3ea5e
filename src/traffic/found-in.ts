/** What a settled exchange shows of its client, as the report and the issues count it: one kind of finding after the other. */
import { pathOfTarget } from '../base/address.ts';
import { ERROR_STATUS } from '../base/api/errors.ts';
import {
  EXPECTED_INVALID_BUT_VALID,
  type Exchange,
  isExpectedInvalid,
  isValid,
  type Malformed,
  type Verdict,
  type Warning,
} from '../base/api/exchange.ts';
import { injectedWords } from '../base/api/fault-text.ts';
import type { components } from '../base/generated/control-api.d.ts';
import { basePath } from '../base/generated/facts.ts';
import { shorten } from '../base/text.ts';
import { accountKindOf } from './account.ts';
import { isBelowBase, isMethod, nearestOperation } from './closest-operation.ts';
import { isViolation, malformedFix } from './malformed.ts';
import type { Spot } from './request-parts.ts';

type FindingKind = components['schemas']['FindingKind'];

/** A finding before it is counted: a part of a verdict, which exchanges share, or made here. */
export interface FoundPart {
  readonly rule: string;
  readonly location: string;
  readonly message: string;
  readonly pointer?: string;
  readonly side?: 'request' | 'response';
  /** The part of the request that it concerns, where that is not its rule at its location; `null` for none. */
  readonly spot?: Spot | null;
  /** What to do, where neither the sample nor the rule says it. */
  readonly fix?: string;
}

export type FoundInExchange = readonly [kind: FindingKind, part: FoundPart];

/** What a request expects is no violation, warning or rejection. */
export function foundIn(exchange: Exchange): readonly FoundInExchange[] {
  const { operation, verdict, malformed } = exchange;
  if (malformed) {
    if (!isViolation(exchange)) return [notValidatedIn(exchange)];
    return isExpectedInvalid(exchange) ? [] : [['malformed', malformedIn(exchange, malformed)]];
  }
  if (operation === undefined) return isExpectedInvalid(exchange) ? [] : [['noOperation', noOperationIn(exchange)]];
  const found = verdict ? foundInVerdict(exchange, verdict) : [];
  return !verdict || verdict.validationError !== undefined ? [...found, notValidatedIn(exchange)] : found;
}

function notValidatedIn(exchange: Exchange): FoundInExchange {
  const message = `could not be validated: ${accountKindOf(exchange).reason}`;
  return ['notValidated', { rule: 'not-validated', location: 'operation', message, spot: null }];
}

function foundInVerdict(exchange: Exchange, { violations, warnings }: Verdict): FoundInExchange[] {
  const { injectedFault, response } = exchange;
  const found: FoundInExchange[] = [];
  if (injectedFault !== undefined) {
    const status = response.status === 0 ? '' : `${response.status}, `;
    const message = `${status}${injectedWords(injectedFault)} (injected fault)`;
    found.push(['injectedFault', { rule: 'injected-fault', location: 'response', message, spot: null }]);
  }
  const isMeant = isExpectedInvalid(exchange);
  if (!isMeant && violations.length + warnings.length === 0 && !isRejected(exchange)) return found;
  const as = (otherwise: FindingKind): FindingKind => (isMeant ? 'expectedInvalid' : otherwise);
  for (const each of violations) found.push([each.side === 'request' ? as('violation') : 'brokenResponse', each]);
  for (const each of warnings)
    if (each.rule !== BEYOND) found.push([as(each.rule === 'deprecated' ? 'deprecated' : 'warning'), each]);
  if (isRejected(exchange) || warnings.some(({ rule }) => rule === BEYOND))
    for (const each of rejectionsOf(exchange)) found.push([as('rejected'), each]);
  if (isMeant && isValid(exchange)) found.push(['warning', EXPECTED_INVALID_BUT_VALID]);
  return found;
}

/** Characters kept of a path, and of a target. */
const MAX_PATH = 100;
const MAX_FOUND_TARGET = 200;

function malformedIn({ request: { method, target } }: Exchange, { cause, message }: Malformed): FoundPart {
  const location = `${method} ${shorten(pathOfTarget(target), MAX_PATH)}`;
  return {
    ...{ rule: 'malformed-http', location, message },
    spot: { location: 'operation', rule: `malformed-http/${cause}` },
    fix: malformedFix(method, shorten(target, MAX_FOUND_TARGET), cause),
  };
}

/** A path that the real service has, and that is not described. */
const UNDESCRIBED = '/store/orders';

/** With `{id}` for each numeric segment. */
function noOperationIn({ request: { method, target }, response }: Exchange): FoundPart {
  const path = shorten(pathOfTarget(target).replaceAll(/(?<=\/)-?\d+(?=\/|$)/g, '{id}'), MAX_PATH);
  const isElsewhere = path.endsWith(UNDESCRIBED) && !isBelowBase(target);
  const near = nearestOperation(method, target) ?? (isElsewhere ? `GET ${basePath}${UNDESCRIBED}` : undefined);
  const unknown = isMethod(method)
    ? 'no such operation'
    : `the API has no operation with the method ${shorten(method, 20)}`;
  const isUndescribed = response.status === ERROR_STATUS.not_specified;
  const message =
    near !== undefined
      ? `no such operation; did you mean \`${near}\`?`
      : isUndescribed
        ? 'the API of this operation is not described'
        : `${unknown}${isBelowBase(target) ? '' : `; the API is under \`${basePath}\``}`;
  const rule = 'no-operation';
  return { rule, location: `${method} ${path}`, message, spot: { location: 'operation', rule } };
}

// Requests that the API rejected although they break no rule of the specification: the pet does not exist, the key is no
// longer valid, or the service requires more than the specification states. None of them is a success of the client, so
// each is a finding, unless the request expected it (`isExpectedInvalid`).

/** The rule of a warning that is the reason of a rejection. */
const BEYOND = 'rejected-beyond-specification';

/** One reason of a rejection. */
interface Rejection {
  /** The latter: the service requires more than the specification states. */
  readonly rule: 'rejected' | typeof BEYOND;
  readonly location: string;
  readonly message: string;
}

/** By status, where it has one meaning. Ids are left out of the texts, so that a thousand of them are one finding. */
const REASONS: Readonly<Record<number, readonly [location: string, message: string]>> = {
  401: ['header/authorization', 'the key was not accepted'],
  404: ['operation', 'the API responded with 404: it has no such address, so the base address may be a wrong one'],
  410: ['operation', 'the operation is removed'],
};

/** Whether the response is a rejection by the API itself, and not by a fault. */
export const isRejected = ({ response, injectedFault }: Exchange): boolean =>
  response.status >= 400 && injectedFault === undefined;

/** The reasons of a rejection; none if the request was not rejected, or if its violations say why. */
function rejectionsOf(exchange: Exchange): readonly Rejection[] {
  const { operation, verdict, response, decision } = exchange;
  const beyond = verdict?.warnings.filter(isBeyond) ?? [];
  if (beyond.length > 0) return beyond;
  if (!isRejected(exchange) || verdict?.violations.some(({ side }) => side === 'request')) return [];
  const { status } = response;
  // An address without an id is unknown to other servers alone.
  if (status === 404 && operation === 'getPet')
    return [{ rule: 'rejected', location: 'path/petId', message: 'no pet has this id' }];
  const [location, message] = REASONS[status] ?? ['operation', `the API responded with ${status}`];
  // This server says why it did not accept a key.
  const problems = decision.kind === 'rejected' && status === 401 ? decision.problems : [];
  const why = problems.find((each) => each.location === location)?.message;
  return [{ rule: 'rejected', location, message: why === undefined ? message : `${message}: ${why}` }];
}

const isBeyond = (warning: Warning): warning is Warning & Rejection => warning.rule === BEYOND;
