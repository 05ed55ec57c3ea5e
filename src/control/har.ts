/** `POST /_sandbox/report`: the contract report of traffic that was recorded elsewhere. */
import { ApiError } from '../core/errors.ts';
import type { BodyLimits } from '../http/body.ts';
import { type HeavyLane, ROUND } from '../http/heavy-lane.ts';
import { HarError } from '../recording/har-entries.ts';
import { FORMATS, type FormatName, inFormat } from '../report/formats/formats.ts';
import type { Results } from '../report/results.ts';
import { type Redact, redactedJson } from '../requests/redact.ts';
import { type Call, type Controls, ownBody } from './control.ts';

interface HarOptions {
  readonly limits: BodyLimits;
  /** One HAR at a time: sandboxes take turns. */
  readonly lane: HeavyLane;
  readonly redact: Redact;
}

export const harControls = ({ limits, lane, redact }: HarOptions): Controls => ({
  reportHar: async (call) => {
    const { id } = call.sandbox();
    const { base } = call.query;
    if (base !== undefined && !URL.canParse(String(base)))
      throw new ApiError('invalid_request', 'query/base: must be an address, like https://api.example.com/v1');
    const larger = 'for a larger HAR, run: petstore-sandbox report --har FILE';
    const har = await ownBody(call.req, { ...limits, larger }, 'an HTTP Archive (HAR)');
    const found = await lane.run(id, ROUND, () => resultsOf(call, har, id));
    const results = JSON.parse(redactedJson(found, redact)) as Results;
    const format = (call.query['format'] ?? 'json') as FormatName;
    const body = await call.req.exchange.inTurn(ROUND, () =>
      inFormat(format, results, { listed: ['accepted', 'skipped'], full: true }),
    );
    return { status: 200, contentType: FORMATS[format].mediaType, body };
  },
});

async function resultsOf({ query }: Call, har: Buffer, source: string): Promise<Results> {
  const { harReport } = await import('../recording/har-report.ts');
  try {
    return await harReport(har, { ...query, source });
  } catch (error) {
    if (!(error instanceof HarError)) throw error;
    // Not a rejection that the validator could agree with: it is not shown the HAR.
    throw new ApiError('invalid_request', `body: ${error.message}`);
  }
}
