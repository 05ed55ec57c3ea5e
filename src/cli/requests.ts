/** The commands on the request log: what a client sent, and the responses to it. */

import { isShownAs, shortId } from '../base/ids.ts';
import { isNarrow, paragraph, type Row, rowLines, type Screen } from '../base/layout.ts';
import { ownCommand } from '../base/own-command.ts';
import { sleep } from '../base/real-globals.ts';
import { SettingsError } from '../base/settings/settings.ts';
import { counted, printable } from '../base/text.ts';
import { withTime } from '../base/time.ts';
import type { ControlsClient } from '../client/client.ts';
import { ClientError } from '../client/errors.ts';
import type { ControlEvent } from '../client/events.ts';
import { exchangeLines } from '../client/exchange-lines.ts';
import { readJson } from '../client/json.ts';
import type { Schema } from '../client/routes.ts';
import { accountInWords } from '../traffic/account.ts';
import { type Call, connected } from './command.ts';
import { RUN, SINCE } from './flags.ts';
import { complain, EXIT } from './terminal.ts';

export const REQUESTS = [
  connected({
    name: 'requests list',
    summary: 'list the request log, newest first',
    control: 'GET /requests',
    flags: {
      operation: { flag: '--operation <name>', help: 'only this operation' },
      status: { flag: '--status <status>', help: 'only responses with this status' },
      run: RUN,
      violations: { flag: '--violations', help: 'only requests that break the specification' },
      since: SINCE,
      before: { flag: '--before <id>', help: 'only requests older than this one' },
      contains: { flag: '--contains <text>', help: 'only with this text in target, headers or bodies' },
      limit: { flag: '--limit <n>', help: 'maximum number of requests (default: 100)' },
      unmatched: {
        flag: '--unmatched',
        help: 'requests that match no sandbox: no valid key, or a wrong path',
        conflicts: ['operation', 'status', 'run', 'violations', 'since', 'before', 'contains'],
      },
    },
    examples: [
      ['List the requests that broke the specification', 'petstore-sandbox requests list --violations'],
      ['List what one test run sent', 'petstore-sandbox requests list --run last'],
      ['List the requests without a valid key', 'petstore-sandbox requests list --unmatched'],
    ],
    run: async ({ client, flags, fields, out }) => {
      if (flags.unmatched) {
        const { requests, dropped } = await client.request('GET /requests/unmatched');
        return out.layOut({ requests: requests.slice(0, flags.limit), dropped }, ({ requests: listed }, screen) => [
          ...rowLines(
            listed.map((each) => unmatchedRow(each, screen)),
            screen,
          ),
          `${listed.length < requests.length ? `${listed.length} of ` : ''}${requests.length} unmatched`,
        ]);
      }
      const found = await client.request('GET /requests', { query: { ...fields, since: sinceOf(flags) } });
      return out.layOut(found, ({ requests, total, dropped }, screen) => [
        ...rowLines(
          requests.map((each) => requestRow(each, screen)),
          screen,
        ),
        `${requests.length < total ? `${requests.length} of ` : ''}${counted(total, 'request')}${
          dropped > 0 ? `; ${dropped} older ones were dropped` : ''
        }`,
        ...(total === 0 && flags.contains !== undefined ? paragraph('· ', [ownHeaders(), 'quiet'], screen) : []),
      ]);
    },
  }),
  connected({
    name: 'requests show',
    summary: 'show one request with its bodies',
    arguments: [['<id>', "the request's id, req_…"]],
    examples: [['Show a request and its response', 'petstore-sandbox requests show req_7hW4']],
    run: async ({ client, args: [shown = ''], out }) => {
      const requestId = await wholeId(client, shown);
      const found = await client.request('GET /requests/{requestId}', { params: { requestId } });
      return out.show(found, (request) => [...exchangeLines(request), ...keptLines(request)]);
    },
  }),
  connected({
    name: 'requests verify',
    summary: 'count matching requests (exit code 1: not as expected, or unknown)',
    control: 'POST /requests/verify',
    flags: {
      operation: { flag: '--operation <name>', help: 'only this operation' },
      method: { flag: '--method <method>', help: 'only this method, in capitals' },
      path: { flag: '--path <path>', help: 'only this path; may have a query, like /pets?limit=5' },
      status: { flag: '--status <status>', help: 'only responses with this status' },
      body: { flag: '--body <json>', help: 'a part of the body, like \'{"name": "Rex"}\'' },
      responseBody: { flag: '--response-body <json>', help: "a part of the response's body" },
      since: SINCE,
      run: RUN,
      atLeast: { flag: '--at-least <n>', help: 'minimum number of matches (default: 1)' },
      atMost: { flag: '--at-most <n>', help: 'maximum number of matches' },
      exactly: { flag: '--exactly <n>', help: 'exact number of matches' },
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
        body: readFlagValue('--body', flags.body),
        responseBody: readFlagValue('--response-body', flags.responseBody),
      };
      try {
        const found = await client.request('POST /requests/verify', {
          body: { ...fields, ...parsed, since: sinceOf(flags) },
        });
        return out.layOut(found, ({ matched, account }, screen) => {
          const words = `as expected: ${counted(matched, 'request')} (of ${accountInWords(account)})`;
          return paragraph('✓ ', [words, 'good', 'strong'], screen);
        });
      } catch (error) {
        if (!(error instanceof ClientError) || !VERDICTS.has(error.code)) throw error;
        out.layOut(error.body as Schema<'VerificationFailed'>, failureLines);
        return EXIT.failed;
      }
    },
  }),
  connected({
    name: 'requests tail',
    summary: 'print each request as it happens',
    examples: [['Show each request as it arrives', 'petstore-sandbox requests tail']],
    run: (call) => tail(call),
  }),
  connected({
    name: 'requests clear',
    summary: 'clear the request log',
    flags: { unmatched: { flag: '--unmatched', help: 'clear the requests that match no sandbox instead' } },
    examples: [['Clear the request log between two tests', 'petstore-sandbox requests clear']],
    run: async ({ client, flags, out }) => {
      await client.request(flags.unmatched ? 'DELETE /requests/unmatched' : 'DELETE /requests');
      const cleared = flags.unmatched ? 'the list of unmatched requests' : 'the request log';
      return out.show({ cleared: true }, () => [`cleared ${cleared}`]);
    },
  }),
];

/** Where someone looks for a header that the log does not have. */
const ownHeaders = (): string => `headers of your own are kept only with: ${ownCommand('serve --log-header NAME')}`;

const keptLines = ({ request: { otherHeaders = [] } }: Schema<'Exchange'>): string[] =>
  otherHeaders.length === 0 ? [] : [`  values not kept: ${otherHeaders.join(', ')}; ${ownHeaders()}`];

/** The negative results of a verification. */
const VERDICTS: ReadonlySet<string> = new Set(['verification_failed', 'verification_incomplete']);

const failureLines = ({ message, account, closest }: Schema<'VerificationFailed'>, screen: Screen): string[] => [
  ...closest.flatMap(({ request, differences, more }) => [
    ...exchangeLines(request).map(printable),
    ...differences.flatMap(({ location, expected, actual }) => [
      ...paragraph('differs at ', location, screen, 2),
      ...paragraph('got       ', [String(actual), 'bad'], screen, 4),
      ...paragraph('expected  ', [String(expected), 'good'], screen, 4),
    ]),
    ...(more === undefined ? [] : [`  and ${more.toLocaleString('en')} more`]),
    '',
  ]),
  ...paragraph('✗ ', [`${message} (of ${accountInWords(account)})`, 'bad', 'strong'], screen),
];

function readFlagValue(flag: string, text: unknown): unknown {
  if (text === undefined) return undefined;
  try {
    return readJson(String(text));
  } catch (cause) {
    throw new SettingsError(`${flag} must be JSON, like '{"name": "Rex"}': ${(cause as Error).message}`, { cause });
  }
}

const SIGNS = { good: '✓', warn: '!', bad: '✗' } as const;

/** A request in one line: how it went, when, its status, its line, what there is to say, its id. */
function requestRow({ at, id, status, method, target, remarks }: Schema<'ExchangeSummary'>, screen: Screen): Row {
  const kinds = new Set(remarks.map(({ kind }) => kind));
  const tone = kinds.has('bad') ? 'bad' : kinds.has('warn') || kinds.has('fault') ? 'warn' : 'good';
  const words = remarks.map(({ text }) => text).join(', ');
  return {
    sign: [SIGNS[tone], tone, 'strong'],
    left: [[timeOf(at), 'quiet'], status === 0 ? 'cut' : String(status), `${method} ${target}`],
    text: tone === 'good' ? words : [words, tone],
    right: [[idOn(screen, id), 'quiet']],
  };
}

/** The time of day: `10:00:00.000Z`. */
const timeOf = (at: string): string => `${at.slice(11, 23)}Z`;

const idOn = (screen: Screen, id: string): string => (isNarrow(screen) ? shortId(id) : id);

/** The most requests that the server returns at a time. */
const PAGE = 1_000;

/** The id of a request that a narrow terminal showed as `req_…0k`: the newest of those in the log. */
async function wholeId(client: ControlsClient, shown: string): Promise<string> {
  if (!shown.startsWith('req_…')) return shown;
  const { requests } = await client.request('GET /requests', { query: { limit: PAGE } });
  return requests.find(({ id }) => isShownAs(id, shown))?.id ?? shown;
}

function unmatchedRow(request: Schema<'UnmatchedRequest'>, screen: Screen): Row {
  const { at, id, status, method, path, userAgent, reason, message, instead } = request;
  return {
    sign: ['✗', 'bad', 'strong'],
    left: [[timeOf(at), 'quiet'], String(status), `${method} ${path}`],
    text: [message, 'bad'],
    right: [[idOn(screen, id), 'quiet']],
    below: [
      // What is malformed has a sentence.
      ...(reason === 'malformed' ? paragraph('', instead, screen, 4) : paragraph('+ ', [instead, 'good'], screen, 4)),
      ...(userAgent === null ? [] : paragraph('', [`from ${userAgent}`, 'quiet'], screen, 4)),
    ],
  };
}

/** The server requests this delay before a client reconnects to an ended stream. */
const RECONNECT_MS = 1000;

/** Prints one line for each event, in JSON one value per line, until the command is stopped, or the server. */
async function tail({ client, flags, out }: Call): Promise<never> {
  let lastEventId: string | undefined;
  let onOpen = (): void => {
    if (!flags.json) complain(`waiting for requests to ${client.apiUrl}`);
    onOpen = () => undefined;
  };
  for (;;) {
    for await (const event of client.events({ lastEventId, onOpen: () => onOpen() })) {
      lastEventId = event.id ?? lastEventId;
      out.layOut(event, (_, screen) => eventLines(event, screen));
    }
    await sleep(RECONNECT_MS);
  }
}

function eventLines({ event, data }: ControlEvent, screen: Screen): string[] {
  if (event === 'unmatched') return rowLines([unmatchedRow(data as Schema<'UnmatchedRequest'>, screen)], screen);
  if (event === 'exchange') return rowLines([requestRow(data as Schema<'ExchangeSummary'>, screen)], screen);
  const { at = '' } = data as { at?: string };
  return rowLines([{ sign: ['·', 'quiet'], left: [[timeOf(at), 'quiet']], text: event }], screen);
}

/** A date, as `clock set` takes it. */
const sinceOf = ({ since }: { readonly since?: string | undefined }): string | undefined =>
  since === undefined ? undefined : withTime(since);
