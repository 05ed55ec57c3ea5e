/** Fault rules: list, add, delete one or all. */
import { whyNotRecorded } from '../../base/api/credential.ts';
import { ApiError } from '../../base/api/errors.ts';
import { isAndSent } from '../../base/text.ts';
import type { FaultRecord, NewFault } from '../../sandbox/store/record.ts';
import { type ControlContext, type Controls, done, json } from './control.ts';
import { rejectSecret } from './parse.ts';

export const faultControls = ({ redact }: ControlContext): Controls => ({
  listFaults: (call) => json(200, { faults: call.sandbox().faults.rules.map(shownRule) }),

  createFault: async (call) => {
    const request = call.body as NewFault;
    const { delayMs = 0, delayToMs = delayMs } = request;
    if (delayToMs < delayMs)
      throw new ApiError(
        'invalid_request',
        `body/delayToMs ${isAndSent(`at least delayMs, ${delayMs}`, String(delayToMs))}`,
      );
    rejectSecret(call.req, 'body/query', request.query, redact);
    const hidden = whyNotRecorded(request.query ?? '');
    if (hidden) throw new ApiError('invalid_request', `body/query: ${hidden}`);
    return json(201, shownRule(await call.sandbox().faults.add(request)));
  },

  clearFaults: async (call) => {
    await call.sandbox().faults.clear();
    return done;
  },

  deleteFault: async (call) => {
    await call.sandbox().faults.remove(call.params['faultId'] as string);
    return done;
  },
});

/** A rule without its internal state. */
const shownRule = ({ drawn: _, seen: __, window: ___, ...rule }: FaultRecord) => rule;
