/** `petstore-sandbox requests`: the client's requests and their responses. */

import { ClientError } from '../client/errors.ts';
import { readJson } from '../client/json.ts';
import type { Schema } from '../client/routes.ts';
import { counted, exchangeLines, summaryRow, table } from '../client/text.ts';
import { SettingsError } from '../server/settings.ts';
import type { CommandRun } from './connection.ts';
import { EXIT } from './problems.ts';

interface ListFlags {
  readonly operation?: Schema<'OperationName'>;
  readonly status?: number;
  readonly violations?: boolean;
  readonly since?: string;
  readonly before?: string;
  readonly contains?: string;
  readonly limit?: number;
  readonly unmatched?: boolean;
}

/** Lists the request log, newest first. */
export const list: CommandRun<ListFlags> = async ({ client, flags, out }) => {
  const { operation, status, violations, since, before, contains, limit } = flags;
  if (flags.unmatched) {
    const { requests, dropped } = await client.request('GET /requests/unmatched');
    const listed = requests.slice(0, limit);
    out.show({ requests: listed, dropped }, () => [
      ...listed.flatMap(unmatchedLines),
      listed.length < requests.length
        ? `${listed.length} of ${requests.length} unmatched`
        : `${requests.length} unmatched`,
    ]);
    return undefined;
  }
  const query = { operation, status, violations, since, before, contains, limit };
  const response = await client.request('GET /requests', { query });
  out.show(response, () => {
    const { requests, total, dropped } = response;
    const shown =
      requests.length < total ? `${requests.length} of ${counted(total, 'request')}` : counted(total, 'request');
    return [...table(requests.map(summaryRow)), dropped > 0 ? `${shown}; ${dropped} older ones were dropped` : shown];
  });
  return undefined;
};

/** Shows one exchange, with its bodies. */
export const show: CommandRun<object> = async ({ client, args: [requestId = ''], out }) => {
  const exchange = await client.request('GET /requests/{requestId}', { params: { requestId } });
  out.show(exchange, () => exchangeLines(exchange));
  return undefined;
};

interface VerifyFlags {
  readonly operation?: Schema<'OperationName'>;
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly body?: string;
  readonly since?: string;
  readonly atLeast?: number;
  readonly atMost?: number;
  readonly exactly?: number;
}

/** Verifies that the client sent an expected request; exit code 1 if it did not. */
export const verify: CommandRun<VerifyFlags> = async ({ client, flags, out }) => {
  const { operation, method, path, status, since, atLeast, atMost, exactly } = flags;
  const body = flags.body === undefined ? undefined : readBody(flags.body);
  try {
    const found = await client.request('POST /requests/verify', {
      body: { operation, method, path, status, body, since, atLeast, atMost, exactly },
    });
    out.show(found, () => [`as expected: ${counted(found.matched, 'request')}`]);
    return undefined;
  } catch (error) {
    if (!(error instanceof ClientError) || error.code !== 'verification_failed') throw error;
    const failed = error.body as Schema<'VerificationFailed'>;
    out.show(failed, () => failureLines(failed));
    return EXIT.failed;
  }
};

const failureLines = ({ message, closest }: Schema<'VerificationFailed'>): string[] => [
  message,
  ...closest.flatMap(({ request, differences, more }) => [
    '',
    ...exchangeLines(request),
    ...differences.map(
      ({ location, expected, actual }) => `  differs at ${location}: expected ${expected}, got ${actual}`,
    ),
    ...(more === undefined ? [] : [`  and ${more.toLocaleString('en')} more`]),
  ]),
];

function readBody(text: string): unknown {
  try {
    return readJson(text);
  } catch (cause) {
    throw new SettingsError(`--body must be JSON, like '{"name": "Rex"}': ${(cause as Error).message}`, { cause });
  }
}

const unmatchedLines = ({
  at,
  id,
  status,
  method,
  path,
  userAgent,
  message,
  instead,
}: Schema<'UnmatchedRequest'>): string[] => [
  `${at}  ${id}  ${status}  ${method} ${path}${userAgent === null ? '' : `  (${userAgent})`}`,
  `  ${message}; send instead: ${instead}`,
];

/** Clears the request log, or the list of unmatched requests. */
export const clear: CommandRun<{ readonly unmatched?: boolean }> = async ({ client, flags, out }) => {
  if (flags.unmatched) {
    await client.request('DELETE /requests/unmatched');
    out.show({ cleared: true }, () => ['cleared the list of unmatched requests']);
    return undefined;
  }
  await client.request('DELETE /requests');
  out.show({ cleared: true }, () => ['cleared the request log']);
  return undefined;
};
