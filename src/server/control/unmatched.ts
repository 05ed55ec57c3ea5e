/** `/_sandbox/requests/unmatched`: requests that belong to no sandbox, for permitted callers. */
import type { Exchange } from '../../base/api/exchange.ts';
import { redactedJson } from '../../traffic/redact.ts';
import { isCutInHead, type Unattributed, type UnmatchedSince } from '../../traffic/unmatched-requests.ts';
import { forbidden } from './authorize.ts';
import { type ControlCall, type ControlContext, type Controls, done, type Validated } from './control.ts';

export const unmatchedControls = (context: ControlContext): Controls => ({
  listUnmatched: (call) => {
    rejectOthers(call, context);
    const { unmatched, redact } = context;
    const list = { requests: unmatched.newestFirst(), dropped: unmatched.dropped };
    return { status: 200, body: redactedJson(list, redact) };
  },

  clearUnmatched: (call) => {
    rejectOthers(call, context);
    context.unmatched.clear();
    return done;
  },
});

/**
 * The admin always may; a key only if no other machine reaches the server. Sandboxes must not see each other's traffic.
 */
export const maySeeUnmatched = ({ admin }: ControlCall, { unmatchedForKeys }: ControlContext): boolean =>
  admin || unmatchedForKeys;

/** Those of some requests that came to this server: a recording has others. */
const ownOf = ({ requestLog: { since } }: Validated, exchanges: readonly Exchange[]): readonly Exchange[] =>
  exchanges.filter(({ at }) => at >= since.at);

/** Whether a client that sent its requests to no address of a sandbox can only be that of this one. */
export function isOnlyClient(
  validated: Validated,
  exchanges: readonly Exchange[],
  { sandboxes }: Pick<ControlContext, 'sandboxes'>,
): boolean {
  const own = ownOf(validated, exchanges);
  const isAtAddress = own.length > 0 && own.every(({ address }) => address !== undefined);
  return !isAtAddress && isAlone(validated, sandboxes);
}

/** Whether no other sandbox was used since a log began. */
const isAlone = ({ sandbox, requestLog }: Validated, sandboxes: ControlContext['sandboxes']): boolean =>
  ![...sandboxes.all()].some((other) => other !== sandbox && other.lastUsedMs > requestLog.since.ms);

/** Times, in milliseconds since 1970. */
export type Span = readonly [start: number, end: number];

export const ALWAYS: Span = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

/** Unmatched requests of a span. */
export const during = ([start, end]: Span, unmatched: UnmatchedSince): UnmatchedSince => ({
  ...unmatched,
  requests: unmatched.requests.filter(({ at }) => Date.parse(at) >= start && Date.parse(at) <= end),
});

/**
 * The requests of no sandbox that may be of the client of some requests: of a client that uses its own address, those whose
 * address did not arrive.
 */
export function unattributedIn(
  validated: Validated,
  exchanges: readonly Exchange[],
  span: Span,
  context: ControlContext,
): Unattributed | undefined {
  const isShared = ownOf(validated, exchanges).some(({ address }) => address === undefined);
  const isOnly = isShared || isOnlyClient(validated, exchanges, context);
  if (!isOnly && !isAlone(validated, context.sandboxes)) return undefined;
  const { requests, dropped } = during(span, context.unmatched.ofAnybodySince(validated.requestLog.since.ms));
  if (!isOnly) return { count: 0, cut: requests.filter(isCutInHead).length, elsewhere: false };
  return { count: requests.length + dropped, cut: 0, elsewhere: isShared && context.settings.name !== undefined };
}

function rejectOthers(call: ControlCall, context: ControlContext): void {
  if (maySeeUnmatched(call, context)) return;
  const why =
    'the admin token is needed: other machines reach this server, so an unmatched request may be from another tenant';
  throw forbidden(call.req, why);
}
