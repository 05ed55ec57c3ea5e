/** `/_sandbox/requests/unmatched`: requests that belong to no sandbox, for permitted callers. */
import { ApiError } from '../core/errors.ts';
import { type Redact, redactedJson } from '../requests/redact.ts';
import type { Unmatched } from '../requests/unmatched-requests.ts';
import { type Call, type Controls, done } from './control.ts';

interface UnmatchedOptions {
  readonly unmatched: Unmatched;
  readonly redact: Redact;
  /** Whether every key may see unmatched requests: only if the server is used by one person. */
  readonly unmatchedForKeys: boolean;
}

export function unmatchedControls({ unmatched, redact, unmatchedForKeys }: UnmatchedOptions): Controls {
  const rejectOthers = (call: Call): void => {
    if (!maySeeUnmatched(call, { unmatchedForKeys })) throw notForKeys(call);
  };
  return {
    listUnmatched: async (call) => {
      rejectOthers(call);
      await unmatched.refresh();
      const list = { requests: unmatched.newestFirst(), dropped: unmatched.dropped };
      return { status: 200, body: redactedJson(list, redact) };
    },

    clearUnmatched: async (call) => {
      rejectOthers(call);
      await unmatched.clear();
      return done;
    },
  };
}

/**
 * The admin always may; a key only if no other machine reaches the server. Sandboxes must not see each other's traffic.
 */
export const maySeeUnmatched = (
  { admin }: Call,
  { unmatchedForKeys }: { readonly unmatchedForKeys: boolean },
): boolean => admin || unmatchedForKeys;

function notForKeys({ req }: Call): ApiError {
  const why =
    'the admin token is needed: other machines reach this server, so an unmatched request may be from another tenant';
  req.exchange.reject([{ location: 'header/authorization', message: why, difference: 'key-unknown' }]);
  return new ApiError('forbidden', why);
}
