/** What a row of the request log says about its exchange: the finding first, then faults and what changed. */

import { pathOfTarget } from '../base/address.ts';
import { type Exchange, isPreflight, type Violation, type Warning } from '../base/api/exchange.ts';
import { injectedWords } from '../base/api/fault-text.ts';
import type { components } from '../base/generated/control-api.d.ts';
import { didYouMean, duration, shorten } from '../base/text.ts';
import { unmatchedWords } from './unmatched-requests.ts';

export type Remark = components['schemas']['Remark'];

/** The most important first; the name of the operation where there is nothing to remark. */
export function remarksOn(exchange: Exchange): Remark[] {
  const { verdict, operation, injectedFault, disconnectedAt, changes, delayMs } = exchange;
  const finding = findingIn(exchange);
  const hasLeft = disconnectedAt !== undefined;
  const remarks: Remark[] = [
    ...(verdict?.validationError === undefined ? [] : [{ kind: 'bad' as const, text: 'not validated' }]),
    ...remarksOnCause(exchange),
    ...(finding ? [finding] : []),
    ...(injectedFault === undefined || (hasLeft && delayMs > 0)
      ? []
      : [{ kind: 'fault' as const, text: `${injectedWords(injectedFault)} (injected fault)` }]),
    ...(delayMs > 0 && !hasLeft ? [{ kind: 'fault' as const, text: `delayed ${duration(delayMs)}` }] : []),
    ...(hasLeft ? [{ kind: 'bad' as const, text: departureOf(exchange) }] : []),
    ...(changes.created.length > 0 ? [{ kind: 'quiet' as const, text: effectInWords(exchange) }] : []),
    ...(operation === undefined && !finding ? [withoutOperation(exchange)] : []),
  ];
  return remarks.length > 0 ? remarks : [{ kind: 'quiet', text: operation as string }];
}

const withoutOperation = (exchange: Exchange): Remark =>
  isPreflight(exchange) ? { kind: 'quiet', text: 'preflight' } : { kind: 'bad', text: 'no such operation' };

/** Characters of a target on a terminal's line. */
const MAX_LINE_TARGET = 80;

/** A settled request on one line, and how it went. */
export interface RequestLine {
  readonly text: string;
  readonly tone: 'good' | 'warn' | 'bad';
}

/**
 * A settled request of the API on one line: `GET /v1/pets?limit=500 400  limit is at most 100`. It may contain secrets.
 * `undefined` for requests outside the request log and the list of unmatched requests: control API, dashboard, preflights.
 */
export function terminalLine(exchange: Exchange): RequestLine | undefined {
  const { specification, sandbox, operation, request, response } = exchange;
  const unmatched = unmatchedWords(exchange);
  if (specification !== 'petstore' || (sandbox === undefined && unmatched === undefined)) return undefined;
  const remarks = unmatched ? [{ kind: 'bad', text: unmatched } as const] : remarksOn(exchange);
  const words = remarks.flatMap(({ text }) => (text === operation ? [] : [text])).join(', ');
  const status = response.status === 0 ? 'no response' : response.status;
  const kinds = new Set(remarks.map(({ kind }) => kind));
  const tone = kinds.has('bad') ? 'bad' : kinds.has('warn') || kinds.has('fault') ? 'warn' : 'good';
  return { text: `${request.method} ${shorten(request.target, MAX_LINE_TARGET)} ${status}  ${words}`.trimEnd(), tone };
}

/** The findings as one phrase: `categoryId is required; sent catgoryId?`. */
function findingIn(exchange: Exchange): Remark | undefined {
  const { verdict, operation } = exchange;
  const { violations = [], warnings = [] } = verdict ?? {};
  const [violation] = violations;
  const [warning] = warnings;
  if (violation) {
    const slip = violation.rule === 'required' ? misspelledFor(nameAtEnd(violation.location), warnings) : undefined;
    const sent = slip === undefined ? '' : `; sent ${slip}?`;
    return { kind: 'bad', text: `${violationWords(violation)}${sent}${plus(violations.length)}` };
  }
  if (isRemoved(exchange)) return undefined;
  return warning && { kind: 'warn', text: `${warningWords(warning, operation)}${plus(warnings.length)}` };
}

/** Why the response has its status, where the status is the news: before what is remarked on the request. */
function remarksOnCause(exchange: Exchange): Remark[] {
  const { operation, request, response, injectedFault, verdict } = exchange;
  if (isRemoved(exchange)) return [{ kind: 'bad', text: `${operation} was removed` }];
  if (operation !== undefined && request.method === 'HEAD' && verdict === undefined)
    return [{ kind: 'quiet', text: 'not validated: a response to HEAD has no body' }];
  if (response.status !== 404 || operation === undefined || injectedFault !== undefined) return [];
  const id = pathOfTarget(request.target).split('/').at(-1) ?? '';
  return (verdict?.violations.length ?? 0) > 0
    ? []
    : [{ kind: 'warn', text: `no pet has the id ${shorten(id, MAX_ID)}` }];
}

/** By the sandbox's clock, not by a fault. */
const isRemoved = ({ response, injectedFault, operation }: Exchange): boolean =>
  response.status === 410 && injectedFault === undefined && operation !== undefined;

/** Characters of an id. */
const MAX_ID = 40;

/** True on every day: a row stays as it is when the sandbox's clock passes the date of a removal. */
export const warningWords = ({ location, message }: Warning, operation: string | undefined): string =>
  `${location === 'operation' ? operation : unknownNameIn(location)} ${message}`;

const plus = (count: number): string => (count < 2 ? '' : ` and ${count - 1} more`);

/** The last part of a location: `limit` of `query/limit`. */
const nameAtEnd = (location: string): string => location.slice(location.lastIndexOf('/') + 1);

/** `statsu` of `query/statsu`. A client chose it, so it may have a `/`, and half a secret could not be redacted. */
const unknownNameIn = (location: string): string => location.slice(location.indexOf('/') + 1);

/** `limit is at most 100`. */
export const violationWords = ({ side, location, message }: Omit<Violation, 'pointer'>): string =>
  `${side === 'response' ? 'response: ' : ''}${nameAtEnd(location)} ${message}`;

/** The name that was sent instead of the one that is missing. */
const misspelledFor = (name: string, warnings: readonly Warning[]): string | undefined => {
  const unknown = warnings.filter(({ rule }) => rule === 'unknown-field' || rule === 'unknown-parameter');
  return unknown.map(({ location }) => unknownNameIn(location)).find((written) => didYouMean(written, [name]) === name);
};

/** `the client left after 251 ms of a 3 s delay` */
function departureOf({ at, disconnectedAt, delayMs }: Exchange): string {
  const stayed = `the client left after ${duration((disconnectedAt ?? at) - at)}`;
  return delayMs > 0 ? `${stayed} of a ${duration(delayMs)} delay` : stayed;
}

/** Whether the client got the response of success to its request. */
export const isTold = ({ response, disconnectedAt, injectedFault }: Exchange): boolean =>
  response.status >= 200 &&
  response.status < 300 &&
  disconnectedAt === undefined &&
  injectedFault?.connection === undefined;

/** `created pet 16`; if the client got no response, that the pet exists. */
function effectInWords(exchange: Exchange): string {
  const { created } = exchange.changes;
  const pets = created.length === 1 ? `pet ${created[0]}` : `${created.length} pets`;
  return isTold(exchange) ? `created ${pets}` : `${pets} exists all the same`;
}
