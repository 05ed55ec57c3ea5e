/**
 * Holds the referee's verdict against what the service decided. The two are independent: where they differ and are not
 * meant to, one of them has a bug.
 */
import type { Exchange, Problem, Verdict, Violation, Warning } from '../exchange.ts';
import controls from '../generated/controls.json' with { type: 'json' };

export interface Agreement {
  /** The verdict to keep: the referee's own where nothing had to be taken out or added. */
  readonly verdict: Verdict;
  /** How service and referee differ on the request without being meant to. */
  readonly disagreement?: string;
  /** The answer breaks the document, and nobody injected it. */
  readonly brokenAnswer?: boolean;
}

/** Never changes the verdict that it is given: others share it. */
export function agree(exchange: Exchange, verdict: Verdict): Agreement {
  const { decision, injected } = exchange;
  if (verdict.unjudged !== undefined) return { verdict };
  if (verdict.violations.length === 0 && decision.kind !== 'refused') return { verdict };

  const problems = decision.kind === 'refused' ? decision.problems : [];
  const ofRequest = verdict.violations.filter(({ side }) => side === 'request');
  const asked = ofRequest.filter((violation) => !isExcused(exchange, violation, problems));
  // What a fault put in place of the answer is nobody's violation.
  const answered = injected === undefined ? verdict.violations.filter(({ side }) => side === 'answer') : [];
  const warnings: Warning[] = [...verdict.warnings];
  if (ofRequest.some((violation) => isOfUndescribedBody(violation) && !asked.includes(violation))) {
    warnings.push({ place: 'body', rule: 'unknown-field', message: 'the operation takes no body; it was ignored' });
  }
  for (const { place, message, difference } of problems) {
    // A key that opens nothing is not beyond the document: it describes the 401.
    if (difference === 'key-unknown') continue;
    const isBeyond = difference !== undefined || isSentInOtherCase(exchange, place);
    if (isBeyond && !asked.some((violation) => violation.place === place)) {
      warnings.push({ place, rule: 'refused-beyond-document', message });
    }
  }
  const disagreement = injected === undefined ? disagreementOn(exchange, asked, problems) : undefined;
  return {
    verdict: freezeVerdict({ violations: [...asked, ...answered], warnings }),
    ...(disagreement === undefined ? {} : { disagreement }),
    brokenAnswer: answered.length > 0,
  };
}

/** So that nobody who shares a verdict can change it for the others. */
export function freezeVerdict(verdict: Verdict): Verdict {
  Object.freeze(verdict.violations);
  Object.freeze(verdict.warnings);
  return Object.freeze(verdict);
}

/**
 * The differences where the referee is stricter than the service (see `Difference`). These violations are taken out,
 * because the client did nothing that the standards forbid.
 */
function isExcused(exchange: Exchange, violation: Violation, problems: readonly Problem[]): boolean {
  const { place } = violation;
  // scheme-case: a scheme is case-insensitive (RFC 9110, section 11.1); Prism takes `Bearer` only.
  // credential-optional: without a credential the request would be right; one of another scheme counts for none.
  if (place === 'header/authorization')
    return /^bearer\s+\S/i.test(exchange.request.authorization ?? '') || isOpen(exchange);
  if (problems.some((problem) => problem.place === place)) return false;
  // body-undescribed: a body where none is described means nothing (RFC 9110, section 9.3.1), but Prism refuses it.
  if (isOfUndescribedBody(violation)) return true;
  // parameter-name-case: names are case-sensitive, so `?LIMIT=500` is an unknown parameter; to Prism it is `limit`.
  return isSentInOtherCase(exchange, place);
}

/** The controls that need no credential: an empty requirement is among their alternatives (OpenAPI, Security Requirement). */
const OPEN_CONTROLS: ReadonlySet<string> = new Set(
  Object.values(controls.paths).flatMap((item) =>
    Object.values(item as Record<string, { operationId?: string; security?: readonly object[] }>).flatMap(
      ({ operationId, security = [] }) =>
        operationId !== undefined && security.some((scheme) => Object.keys(scheme).length === 0) ? [operationId] : [],
    ),
  ),
);

const isOpen = ({ document, operation }: Exchange): boolean =>
  document === 'controls' && operation !== undefined && OPEN_CONTROLS.has(operation);

const isOfUndescribedBody = ({ place, rule }: Violation): boolean => place === 'body' && rule === 'body';

/** Whether the query holds the parameter of `query/limit` under a name that differs by case only. */
function isSentInOtherCase({ request }: Exchange, place: string): boolean {
  const [kind, name] = place.split('/');
  const mark = request.target.indexOf('?');
  if (kind !== 'query' || name === undefined || mark < 0) return false;
  const sent = [...new URLSearchParams(request.target.slice(mark + 1)).keys()];
  return sent.some((each) => each !== name && each.toLowerCase() === name.toLowerCase());
}

function disagreementOn(
  exchange: Exchange,
  asked: readonly Violation[],
  problems: readonly Problem[],
): string | undefined {
  const { kind } = exchange.decision;
  if (kind === 'accepted' && asked.length > 0) return 'the service accepted a request that the referee refuses';
  if (kind !== 'refused' || asked.length > 0) return undefined;
  const isMeant = problems.some(
    ({ place, difference }) => difference !== undefined || isSentInOtherCase(exchange, place),
  );
  return isMeant ? undefined : 'the service refused a request that the referee accepts';
}
