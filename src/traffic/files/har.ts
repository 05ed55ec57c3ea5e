/**
 * The request log as an HTTP Archive 1.2 (http://www.softwareishard.com/blog/har-12-spec/), which browsers and Playwright
 * read. A HAR has no place for verdicts, faults and effects: they are in the member `_sandbox` of each entry.
 */
import { STATUS_CODES } from 'node:http';
import { pathOfAddress } from '../../base/address.ts';
import { counted, queryIn } from '../../base/text.ts';
import { type Redact, redactedJson } from '../redact.ts';
import type { ShownExchange } from '../shown.ts';

/** Where and by what the exchanges were recorded. */
export interface Recorded {
  /** The server's address, without a path. */
  readonly address: string;
  readonly version: string;
  readonly redact: Redact;
  /** How many requests are not among the exchanges: malformed ones, those without the key of a sandbox, and dropped ones. */
  readonly missing: () => number;
}

const NOT_HERE = 'malformed ones, those without the key of a sandbox, and those that the request log has dropped';

/** Firefox opens no archive without a page. */
const PAGE = { id: 'page_1', title: 'Petstore sandbox', pageTimings: { onContentLoad: -1, onLoad: -1 } };

/**
 * The archive as the parts of a long text: its items are the entries. What is known only when all of them are read follows them.
 * @param exchanges the oldest first
 */
export function harParts(exchanges: Iterable<ShownExchange>, { address, version, redact, missing }: Recorded) {
  let startedAt: string | undefined;
  function* entries(): Generator<string, void> {
    for (const exchange of exchanges) {
      startedAt ??= exchange.at;
      // The query is decoded once more, so secrets are redacted last.
      yield redactedJson(harEntryOf(exchange, address), redact);
    }
  }
  const head = JSON.stringify({ version: '1.2', creator: { name: 'petstore-sandbox', version } });
  const end = (): string => {
    const pages = startedAt === undefined ? [] : [{ ...PAGE, startedDateTime: startedAt }];
    const comment = `${counted(missing(), 'request')} not in this file: ${NOT_HERE}`;
    return JSON.stringify({ pages, ...(missing() > 0 && { comment, _missing: missing() }) });
  };
  return {
    before: `{"log":${head.slice(0, -1)},"entries":[`,
    items: entries(),
    between: ',',
    after: () => `],${end().slice(1)}}`,
  };
}

function harEntryOf(exchange: ShownExchange, address: string): object {
  const { id, at, durationMs, request, response } = exchange;
  return {
    pageref: PAGE.id,
    startedDateTime: at,
    time: durationMs,
    request: requestOf(exchange, address),
    response: harResponseOf(exchange),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    _sandbox: {
      id,
      operation: exchange.operation,
      validated: exchange.validated,
      validationError: exchange.validationError,
      violations: exchange.violations,
      warnings: exchange.warnings,
      injectedFault: exchange.injectedFault,
      changes: exchange.changes,
      delayMs: exchange.delayMs,
      disconnectedAt: exchange.disconnectedAt,
      truncated: { request: request.truncated, response: response.truncated },
    },
  };
}

function requestOf({ method, address: sentTo, target, request }: ShownExchange, address: string): object {
  const { contentType, body, bytes, otherHeaders = [] } = request;
  return {
    method,
    url: address + pathOfAddress(sentTo) + target,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: [...harHeaders(request.headers), ...otherHeaders.map(hiddenHeader)],
    queryString: [...new URLSearchParams(queryIn(target))].map(([name, value]) => ({
      name,
      value,
    })),
    ...(body !== null && { postData: { mimeType: contentType ?? '', text: body } }),
    headersSize: -1,
    bodySize: bytes,
  };
}

function harResponseOf({ status, response }: ShownExchange): object {
  const { contentType, body, bytes } = response;
  return {
    // 0: nothing was sent.
    status,
    statusText: STATUS_CODES[status] ?? '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: harHeaders(response.headers),
    content: { size: bytes, mimeType: contentType ?? '', text: body },
    redirectURL: '',
    headersSize: -1,
    bodySize: bytes,
  };
}

/** `cookie/session` is a cookie. */
function hiddenHeader(name: string): object {
  const [kind, cookie] = name.split('/');
  return cookie === undefined ? { name, value: '…' } : { name: kind, value: `${cookie}=…` };
}

const harHeaders = (headers: Readonly<Record<string, unknown>>): object[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));
