/** `/_sandbox/requests/unmatched`: requests that belong to no sandbox, for permitted callers. */
import { redactedJson } from '../requests/redact.ts';
import type { Unattributed, UnmatchedSince } from '../requests/unmatched-requests.ts';
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

/** Whether a client that sent its requests to no address of a sandbox can only be that of this one. */
export const isOnlyClient = (
  { sandbox, history: { tallies } }: Validated,
  { sandboxes }: Pick<ControlContext, 'sandboxes'>,
): boolean => {
  const { cameTo, sinceMs } = tallies;
  if (cameTo.ownAddress && !cameTo.shared) return false;
  return ![...sandboxes.all()].some((other) => other !== sandbox && other.lastUsedMs > sinceMs);
};

/** The requests of no sandbox that may be of the client of this one: none of a client that uses its own address. */
export function unattributedTo(validated: Validated, context: ControlContext): Unattributed | undefined {
  const { cameTo, sinceMs } = validated.history.tallies;
  if (!cameTo.shared && !isOnlyClient(validated, context)) return undefined;
  const elsewhere = cameTo.shared && context.settings.name !== undefined;
  return { ...context.unmatched.ofAnybodySince(sinceMs), elsewhere };
}

/** Requests from a time on. @param from in milliseconds since 1970 */
export const laterOf = (unattributed: Unattributed | undefined, from: number): Unattributed | undefined =>
  unattributed && {
    ...unattributed,
    requests: unattributed.requests.filter(({ at }) => Date.parse(at) >= from),
  };

export const countOf = ({ requests, dropped }: UnmatchedSince = NONE): number => requests.length + dropped;
const NONE: UnmatchedSince = { requests: [], dropped: 0, droppedPreflights: 0 };

function rejectOthers(call: ControlCall, context: ControlContext): void {
  if (maySeeUnmatched(call, context)) return;
  const why =
    'the admin token is needed: other machines reach this server, so an unmatched request may be from another tenant';
  throw forbidden(call.req, why);
}
