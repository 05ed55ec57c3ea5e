/** `POST /_sandbox/report`: the contract report of traffic that was recorded elsewhere. */
import { ApiError } from '../../base/api/errors.ts';
import { MAX_CONTROL_BODY } from '../../base/limits.ts';
import { HarError } from '../../verdict/documents/har-source.ts';
import { type ControlContext, type Controls, ownBody, rendered } from './control.ts';

/** Programs name a type by the end of the file's name; its first bytes decide. */
const TYPES = ['application/json', 'application/gzip', 'application/zip', 'application/octet-stream'];

export const harControls = (context: ControlContext): Controls => ({
  reportHar: async (call) => {
    const { id } = call.sandbox();
    const given = call.query['base'] === undefined ? [] : String(call.query['base']).split(',');
    if (!given.every((each) => URL.canParse(each)))
      throw new ApiError('invalid_request', 'query/base is an address, like https://api.example.com/v1');
    const larger = 'for a larger HAR, run: petstore-sandbox report --har FILE';
    const limits = { maxBytes: MAX_CONTROL_BODY, mediaTypes: TYPES, encodings: ['gzip'], larger };
    const har = await ownBody(call.req, limits, 'an HTTP Archive (HAR)');
    const bases = given.map((each) => new URL(each).href);
    const job = { har, bases, source: id, strict: call.query['strict'] === true };
    const results = await context.documents.report(job).catch((error: unknown) => {
      // Not a rejection that the validator could agree with: it is not shown the HAR.
      throw error instanceof HarError ? new ApiError('invalid_request', `body: ${error.message}`) : error;
    });
    return call.inTurn(() => rendered(call, results, (same) => same, context));
  },
});
