/** `POST /_sandbox/report`: the contract report of traffic that was recorded elsewhere. */
import { ApiError } from '../api/errors.ts';
import { ROUND } from '../http/cpu-queue.ts';
import { HarError } from '../recording/har-file.ts';
import type { HarReportOptions } from '../recording/har-report.ts';
import type { Results } from '../report/results.ts';
import { type ControlContext, type Controls, ownBody, rendered } from './control.ts';

export const harControls = (context: ControlContext): Controls => ({
  reportHar: async (call) => {
    const { id } = call.sandbox();
    const base = call.query['base'] === undefined ? [] : String(call.query['base']).split(',');
    if (!base.every((each) => URL.canParse(each)))
      throw new ApiError('invalid_request', 'query/base: must be an address, like https://api.example.com/v1');
    const larger = 'for a larger HAR, run: petstore-sandbox report --har FILE';
    const limits = { maxBytes: context.settings.maxBody, larger };
    const har = await ownBody(call.req, limits, 'an HTTP Archive (HAR)');
    const results = await context.hars.run(id, ROUND, () => resultsOf(har, { ...call.query, base, source: id }));
    return call.req.exchange.inTurn(ROUND, () => rendered(call, results, (same) => same, context));
  },
});

async function resultsOf(har: Buffer, options: HarReportOptions): Promise<Results> {
  const { harReport } = await import('../recording/har-report.ts');
  try {
    return await harReport(har, options);
  } catch (error) {
    if (!(error instanceof HarError)) throw error;
    // Not a rejection that the validator could agree with: it is not shown the HAR.
    throw new ApiError('invalid_request', `body: ${error.message}`);
  }
}
