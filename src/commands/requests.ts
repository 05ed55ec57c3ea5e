/** The commands on the request log: what a client sent, and the responses to it. */

import { ClientError } from '../client/errors.ts';
import type { ControlEvent } from '../client/events.ts';
import { exchangeLines, summaryRow } from '../client/exchange-lines.ts';
import { readJson } from '../client/json.ts';
import type { Schema } from '../client/routes.ts';
import { sleep } from '../core/real-globals.ts';
import { counted, table } from '../core/text.ts';
import { accountInWords } from '../requests/account.ts';
import { SettingsError } from '../settings/settings.ts';
import { type Call, connected } from './command.ts';
import { SINCE } from './flags.ts';
import { complain, EXIT } from './terminal.ts';

export const REQUESTS = [
  connected({
    name: 'requests list',
    summary: 'list the request log, newest first',
    control: 'GET /requests',
    flags: {
      operation: { flag: '--operation <name>', help: 'only this operation' },
      status: { flag: '--status <status>', help: 'only requests whose response has this status' },
      run: { flag: '--run <run>', help: 'only the requests of one run of the client, like node/3' },
      violations: { flag: '--violations', help: 'only requests that break the specification' },
      since: SINCE,
      before: { flag: '--before <id>', help: 'only requests that are older than this one' },
      contains: { flag: '--contains <text>', help: 'only requests whose target, headers or bodies contain this text' },
      limit: { flag: '--limit <n>', help: 'maximum number of requests (default: 100)' },
      unmatched: {
        flag: '--unmatched',
        help: 'requests that belong to no sandbox: without a valid key, or to a wrong path',
        conflicts: ['operation', 'status', 'run', 'violations', 'since', 'before', 'contains'],
      },
    },
    examples: [
      ['List the requests that broke the specification', 'petstore-sandbox requests list --violations'],
      ['List what one test run sent', 'petstore-sandbox requests list --run node/3'],
      ['List the requests without a valid key', 'petstore-sandbox requests list --unmatched'],
    ],
    run: async ({ client, flags, fields, out }) => {
      if (flags.unmatched) {
        const { requests, dropped } = await client.request('GET /requests/unmatched');
        return out.show({ requests: requests.slice(0, flags.limit), dropped }, ({ requests: listed }) => [
          ...listed.flatMap(unmatchedLines),
          `${listed.length < requests.length ? `${listed.length} of ` : ''}${requests.length} unmatched`,
        ]);
      }
      return out.show(await client.request('GET /requests', { query: fields }), ({ requests, total, dropped }) => [
        ...table(requests.map(summaryRow)),
        `${requests.length < total ? `${requests.length} of ` : ''}${counted(total, 'request')}${
          dropped > 0 ? `; ${dropped} older ones were dropped` : ''
        }`,
      ]);
    },
  }),
  connected({
    name: 'requests show',
    summary: 'show one request with its bodies',
    arguments: [['<id>', "the request's id, req_…"]],
    examples: [['Show a request and its response', 'petstore-sandbox requests show req_7hW4']],
    run: async ({ client, args: [requestId = ''], out }) =>
      out.show(await client.request('GET /requests/{requestId}', { params: { requestId } }), exchangeLines),
  }),
  connected({
    name: 'requests verify',
    summary: 'count matching requests (exit code 1: not as many as expected, or not known)',
    control: 'POST /requests/verify',
    flags: {
      operation: { flag: '--operation <name>', help: 'the operation' },
      method: { flag: '--method <method>', help: 'the method, in capitals' },
      path: { flag: '--path <path>', help: 'the path; may contain parameters: /pets?limit=5' },
      status: { flag: '--status <status>', help: 'the status of the response' },
      body: { flag: '--body <json>', help: 'a partial match of the body, like \'{"name": "Rex"}\'' },
      responseBody: { flag: '--response-body <json>', help: "a partial match of the response's body" },
      since: SINCE,
      atLeast: { flag: '--at-least <n>', help: 'minimum number of matches (default: 1)' },
      atMost: { flag: '--at-most <n>', help: 'maximum number of matches' },
      exactly: { flag: '--exactly <n>', help: 'exact number of matches' },
      sequence: {
        flag: '--sequence <json>',
        help: 'requests in this order, like \'[{"status": 503}, {"status": 201, "waitAtLeastMs": 2000}]\'',
        conflicts: ['operation', 'method', 'path', 'status', 'body', 'responseBody', 'atLeast', 'atMost', 'exactly'],
      },
    },
    examples: [
      [
        'Exactly one pet was created',
        'petstore-sandbox requests verify --operation createPet --status 201 --exactly 1',
      ],
      ['A pet named Rex was sent', `petstore-sandbox requests verify --method POST --body '{"name": "Rex"}'`],
      ['Nothing used getPet', 'petstore-sandbox requests verify --operation getPet --at-most 0'],
    ],
    run: async ({ client, flags, fields, out }) => {
      const parsed = {
        body: readValue('--body', flags.body),
        responseBody: readValue('--response-body', flags.responseBody),
        sequence: readValue('--sequence', flags.sequence) as Schema<'Verification'>['sequence'],
      };
      try {
        const found = await client.request('POST /requests/verify', { body: { ...fields, ...parsed } });
        return out.show(found, ({ matched, account }) => [
          `as expected: ${counted(matched, 'request')} (of ${accountInWords(account)})`,
        ]);
      } catch (error) {
        if (!(error instanceof ClientError) || !VERDICTS.has(error.code)) throw error;
        out.show(error.body as Schema<'VerificationFailed'>, failureLines);
        return EXIT.failed;
      }
    },
  }),
  connected({
    name: 'requests tail',
    summary: 'print each request as it happens',
    examples: [
      ['Show each request as it arrives', 'petstore-sandbox requests tail'],
      ['Print one JSON value per line', 'petstore-sandbox requests tail --json'],
    ],
    run: (call) => tail(call),
  }),
  connected({
    name: 'requests clear',
    summary: 'clear the request log',
    flags: { unmatched: { flag: '--unmatched', help: 'clear the requests that belong to no sandbox instead' } },
    examples: [
      ['Clear the request log between two tests', 'petstore-sandbox requests clear'],
      ['Clear the requests without a valid key', 'petstore-sandbox requests clear --unmatched'],
    ],
    run: async ({ client, flags, out }) => {
      await client.request(flags.unmatched ? 'DELETE /requests/unmatched' : 'DELETE /requests');
      const cleared = flags.unmatched ? 'the list of unmatched requests' : 'the request log';
      return out.show({ cleared: true }, () => [`cleared ${cleared}`]);
    },
  }),
];

/** The negative results of a verification. */
const VERDICTS: ReadonlySet<string> = new Set(['verification_failed', 'verification_incomplete']);

const failureLines = ({ message, account, closest }: Schema<'VerificationFailed'>): string[] => [
  `${message} (of ${accountInWords(account)})`,
  ...closest.flatMap(({ request, differences, more }) => [
    '',
    ...exchangeLines(request),
    ...differences.map(
      ({ location, expected, actual }) => `  differs at ${location}: expected ${expected}, got ${actual}`,
    ),
    ...(more === undefined ? [] : [`  and ${more.toLocaleString('en')} more`]),
  ]),
];

function readValue(flag: string, text: unknown): unknown {
  if (text === undefined) return undefined;
  try {
    return readJson(String(text));
  } catch (cause) {
    throw new SettingsError(`${flag} must be JSON, like '{"name": "Rex"}': ${(cause as Error).message}`, { cause });
  }
}

const unmatchedLines = ({
  at,
  id,
  status,
  method,
  path,
  userAgent,
  reason,
  message,
  instead,
}: Schema<'UnmatchedRequest'>): string[] => [
  `${at}  ${id}  ${status}  ${method} ${path}${userAgent === null ? '' : `  (${userAgent})`}`,
  // What is malformed has a sentence.
  `  ${message}; ${reason === 'malformed' ? '' : 'send instead: '}${instead}`,
];

/** The server requests this delay before a client reconnects to an ended stream. */
const RECONNECT_MS = 1000;

/** Prints one line for each event, in JSON one value per line, until the command or the server is stopped. */
async function tail({ client, flags, out }: Call): Promise<never> {
  let lastEventId: string | undefined;
  const onOpen = (): void => {
    if (!flags.json && lastEventId === undefined) complain(`waiting for requests to ${client.apiUrl}`);
  };
  for (;;) {
    for await (const event of client.events({ lastEventId, onOpen })) {
      lastEventId = event.id ?? lastEventId;
      out.show(event, () => [eventLine(event)]);
    }
    await sleep(RECONNECT_MS);
  }
}

function eventLine({ event, data }: ControlEvent): string {
  if (event === 'unmatched') {
    const { at, status, method, path, message } = data as Schema<'UnmatchedRequest'>;
    return `${at}  unmatched  ${status}  ${method}  ${path}  ${message}`;
  }
  if (event !== 'exchange') return `${(data as { at?: string }).at ?? ''}  ${event}`;
  return summaryRow(data as Schema<'ExchangeSummary'>)
    .join('  ')
    .trimEnd();
}
