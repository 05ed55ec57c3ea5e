/**
 * Compares the validator's verdict with the service's decision. The two are independent: an unintended difference is a
 * bug in one of them.
 */

import { partAt, partsOfTarget, pointerTo } from '../../base/address.ts';
import type { Exchange, Problem, Verdict, Violation, Warning } from '../../base/api/exchange.ts';
import { parameterOf } from '../../base/api/specification.ts';
import { type OperationName, operations } from '../../base/generated/facts.ts';
import petstore from '../../base/generated/petstore.json' with { type: 'json' };

export interface Agreement {
  /** The verdict to store: the validator's own unless findings are removed or added. */
  readonly verdict: Verdict;
  /** The unintended difference between service and validator on the request. */
  readonly disagreement?: string;
  /** The response violates the specification, and no fault was injected. */
  readonly brokenResponse?: boolean;
}

/** Never modifies the given verdict, which is shared. */
export function agree(exchange: Exchange, verdict: Verdict): Agreement {
  const { decision, injectedFault, disconnectedAt } = exchange;
  if (verdict.validationError !== undefined) return { verdict };
  if (verdict.violations.length === 0 && decision.kind !== 'rejected') return { verdict };

  const problems = decision.kind === 'rejected' ? decision.problems : [];
  const ofRequest = verdict.violations.filter(({ side }) => side === 'request');
  const asked = ofRequest.filter((violation) => !isExcused(exchange, violation, problems));
  // A response replaced by a fault, or not awaited by the client, is not a violation.
  const isOwn = injectedFault === undefined && disconnectedAt === undefined;
  const ofResponse = isOwn ? verdict.violations.filter(({ side }) => side === 'response') : [];
  const warnings: Warning[] = [...verdict.warnings];
  const unseen = problems
    .filter(({ location }) => !asked.some((each) => each.location === location))
    .flatMap((problem) => unseenViolation(exchange, problem) ?? []);
  if (ofRequest.some((violation) => isOfUndescribedBody(violation) && !asked.includes(violation))) {
    warnings.push({ location: 'body', rule: 'unknown-field', message: 'the operation takes no body; it was ignored' });
  }
  for (const { location, message, difference } of problems) {
    // A key that opens nothing is within the specification, which describes the 401.
    if (difference === 'key-unknown' || unseen.some((violation) => violation.location === location)) continue;
    const isBeyond = difference !== undefined || isSentInOtherCase(exchange, location);
    if (isBeyond && !asked.some((violation) => violation.location === location)) {
      warnings.push({ location, rule: 'rejected-beyond-specification', message });
    }
  }
  const disagreement = injectedFault === undefined ? disagreementOn(exchange, asked, problems) : undefined;
  return {
    verdict: freezeVerdict({ violations: [...asked, ...unseen, ...ofResponse], warnings }),
    ...(disagreement === undefined ? {} : { disagreement }),
    brokenResponse: ofResponse.length > 0,
  };
}

/**
 * What the specification forbids and the validator cannot detect, so that the service's finding is used. `undefined` for
 * what the specification leaves open.
 *
 * - `int64-range`: the specification states the format; the validator uses doubles.
 * - `integer-form`: `010`, `+1` and `1e1` are no integers as the specification writes them; the validator coerces texts.
 * - `parameter-empty`: without `allowEmptyValue`, an empty value is no integer and none of an enumeration (OpenAPI,
 *   Parameter Object); the validator takes it for an absent one.
 * - `media-type`: `application/hal+json`, or none, is not the `application/json` that the specification lists; for the
 *   validator it is JSON. A parameter such as `charset` is not its business.
 */
function unseenViolation(
  { operation, request }: Exchange,
  { location, message, difference }: Problem,
): Violation | undefined {
  const ofField = (rule: string): Violation | undefined => {
    const pointer = keywordPointer(operation as OperationName, location, rule);
    if (pointer === undefined) return undefined;
    return { side: 'request', location, pointer, rule, message };
  };
  switch (difference) {
    case 'int64-range':
      return ofField('format');
    case 'integer-form':
      return ofField('type');
    case 'parameter-empty':
      return ofField(parameterOf(operation as OperationName, location).enum ? 'enum' : 'type');
    case 'media-type': {
      const mediaType = request.contentType?.split(';', 1)[0]?.trim().toLowerCase();
      if (mediaType === 'application/json') return undefined;
      const pointer = `${pointerTo(operations[operation as OperationName])}/requestBody/content`;
      return { side: 'request', location, pointer, rule: 'content-type', message };
    }
    default:
      return undefined;
  }
}

/** Resolves without following references: a keyword of a schema that others share is there, and not at the parameter. */
function keywordPointer(operation: OperationName, location: string, keyword: string): string | undefined {
  const { parameters, body } = operations[operation];
  const [kind, name] = location.split('/');
  if (kind === 'body') return body === null ? undefined : `#/components/schemas/${body}/properties/${name}/${keyword}`;
  const index = Object.keys(parameters).indexOf(location);
  if (index < 0) return undefined;
  const schema = `${pointerTo(operations[operation])}/parameters/${index}/schema`;
  const { $ref } = (partAt(petstore, schema) ?? {}) as { readonly $ref?: string };
  return `${$ref ?? schema}/${keyword}`;
}

/** Protects a shared verdict from changes. */
export function freezeVerdict(verdict: Verdict): Verdict {
  Object.freeze(verdict.violations);
  Object.freeze(verdict.warnings);
  return Object.freeze(verdict);
}

/**
 * The differences where the validator is stricter than the service (see `IntendedDifference`). These violations are removed,
 * because the standards permit what the client sent.
 */
function isExcused(exchange: Exchange, violation: Violation, problems: readonly Problem[]): boolean {
  const { location } = violation;
  // scheme-case: a scheme is case-insensitive (RFC 9110, section 11.1); Prism accepts only `Bearer`.
  if (location === 'header/authorization') return /^bearer\s+\S/i.test(exchange.request.authorization ?? '');
  if (problems.some((problem) => problem.location === location)) return false;
  // body-undescribed: an undescribed body has no meaning (RFC 9110, section 9.3.1), but Prism rejects it.
  if (isOfUndescribedBody(violation)) return true;
  // parameter-name-case: names are case-sensitive, so `?LIMIT=500` is an unknown parameter; for Prism it is `limit`.
  return isSentInOtherCase(exchange, location);
}

const isOfUndescribedBody = ({ location, rule }: Violation): boolean => location === 'body' && rule === 'body';

/** Whether the query contains the parameter of `query/limit` under a name that differs only in case. */
function isSentInOtherCase({ request }: Exchange, location: string): boolean {
  const [kind, name] = location.split('/');
  if (kind !== 'query' || name === undefined) return false;
  const sent = [...new URLSearchParams(`?${partsOfTarget(request.target).query ?? ''}`).keys()];
  return sent.some((each) => each !== name && each.toLowerCase() === name.toLowerCase());
}

function disagreementOn(
  exchange: Exchange,
  asked: readonly Violation[],
  problems: readonly Problem[],
): string | undefined {
  const { kind } = exchange.decision;
  if (kind === 'accepted' && asked.length > 0) return 'the service accepted a request that the validator rejects';
  if (kind !== 'rejected' || asked.length > 0) return undefined;
  const isMeant = problems.some(
    ({ location, difference }) => difference !== undefined || isSentInOtherCase(exchange, location),
  );
  return isMeant ? undefined : 'the service rejected a request that the validator accepts';
}
