/** `/_sandbox/unclaimed`: requests that belong to no sandbox, for permitted callers. */
import { ApiError } from '../core/errors.ts';
import { type Redact, redactedJson } from '../requests/redact.ts';
import type { Unclaimed } from '../requests/unmatched.ts';
import { type Call, type Controls, done } from './control.ts';

export interface UnclaimedOptions {
  readonly unclaimed: Unclaimed;
  readonly redact: Redact;
  /** Whether every key may see unclaimed requests: only if the server is used by one person. */
  readonly unclaimedForKeys: boolean;
}

export function unclaimedControls({ unclaimed, redact, unclaimedForKeys }: UnclaimedOptions): Controls {
  const refuseOthers = (call: Call): void => {
    if (!maySeeUnclaimed(call, { unclaimedForKeys })) throw notForKeys(call);
  };
  return {
    listUnclaimed: async (call) => {
      refuseOthers(call);
      await unclaimed.refresh();
      const list = { requests: unclaimed.newestFirst(), dropped: unclaimed.dropped };
      return { status: 200, body: redactedJson(list, redact) };
    },

    clearUnclaimed: async (call) => {
      refuseOthers(call);
      await unclaimed.clear();
      return done;
    },
  };
}

/**
 * The admin always may; a key only if no other machine reaches the server. Sandboxes must not see each other's traffic.
 */
export const maySeeUnclaimed = (
  { admin }: Call,
  { unclaimedForKeys }: { readonly unclaimedForKeys: boolean },
): boolean => admin || unclaimedForKeys;

function notForKeys({ req }: Call): ApiError {
  const why =
    'the admin token is needed: other machines reach this server, so an unclaimed request may be from another tenant';
  req.exchange.refuse([{ location: 'header/authorization', message: why, difference: 'key-unknown' }]);
  return new ApiError('forbidden', why);
}
