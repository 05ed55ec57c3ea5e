/** `/_sandbox/requests/unmatched`: requests that belong to no sandbox, for permitted callers. */
import { redactedJson } from '../requests/redact.ts';
import { forbidden } from './authorize.ts';
import { type ControlCall, type ControlContext, type Controls, done } from './control.ts';

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

function rejectOthers(call: ControlCall, context: ControlContext): void {
  if (maySeeUnmatched(call, context)) return;
  const why =
    'the admin token is needed: other machines reach this server, so an unmatched request may be from another tenant';
  throw forbidden(call.req, why);
}
