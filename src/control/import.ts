/** `POST /_sandbox/import`: a case becomes a new sandbox. */

import { ApiError } from '../core/errors.ts';
import { readBody, refusal } from '../http/body.ts';
import { LIGHT, ROUND } from '../http/heavy-lane.ts';
import { MAX_CASE_BYTES } from '../recording/bounds.ts';
import { type Destination, openCase } from '../recording/open.ts';
import { CaseError } from '../recording/problems.ts';
import { readCase } from '../recording/read.ts';
import { CaseSchema } from '../recording/schema.ts';
import type { Redact } from '../requests/redact.ts';
import type { Call, ControlContext, Controls } from './control.ts';
import { issuedKey, type KeysOptions, refuseUnlessMayIssue } from './keys.ts';
import { refuseSecret } from './parse.ts';

export interface ImportOptions extends ControlContext, Pick<KeysOptions, 'keyIssuing'>, Destination {
  readonly redact: Redact;
  /** Bytes of the largest file that there is memory for. */
  readonly largest: number;
}

export const importControls = (options: ImportOptions, schema = new CaseSchema()): Controls => ({
  importCase: async (call) => {
    refuseUnlessMayIssue(call, options);
    const found = await readFrom(call, Math.min(options.largest, MAX_CASE_BYTES), schema);
    refuseSecret(call.req, 'body/sandbox/label', found.sandbox.label ?? undefined, options.redact);
    return issuedKey(call, await openCase(found, options), options);
  },
});

/** The body is parsed here: it may be far longer than that of any other control. */
async function readFrom(call: Call, maxBytes: number, schema: CaseSchema) {
  const { req } = call;
  const bytes = await readBody(req, { maxBytes });
  if (bytes === undefined)
    throw refusal(req, 'invalid_request', [{ location: 'body', message: 'is missing; send a case' }]);
  try {
    // The referee is not shown it, but a file may be large: its sandbox waits for room, and then for each slice.
    await req.exchange.inTurnWithBody(bytes.length, () => undefined);
    const turn = <T>(slice: () => T): Promise<T> => req.exchange.inTurn(bytes.length > LIGHT ? ROUND : 0, slice);
    return await readCase(bytes, schema, turn);
  } catch (error) {
    if (!(error instanceof CaseError)) throw error;
    // Not a refusal that the referee could agree with: it is not shown a body of this length.
    throw new ApiError(
      'invalid_request',
      error.message
        .split('\n')
        .map((line) => `body: ${line}`)
        .join('; '),
    );
  }
}
